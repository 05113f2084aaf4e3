//! The open list of a search: a binary heap that keeps its memory.

/// Ordered by `f`, ties to the larger `g` (nearer to the goal), then to the smaller node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    pub f: f64,
    pub g: f64,
    pub node: u32,
}

impl Entry {
    fn is_before(&self, other: &Self) -> bool {
        if self.f != other.f {
            return self.f < other.f;
        }
        if self.g != other.g {
            return self.g > other.g;
        }
        self.node < other.node
    }
}

/// Entries are never changed: a node whose cost falls is pushed again, and who pops must
/// recognise the stale one.
#[derive(Clone, Debug, Default)]
pub struct OpenList {
    heap: Vec<Entry>,
}

impl OpenList {
    pub fn clear(&mut self) {
        self.heap.clear();
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// In no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.heap.iter()
    }

    pub fn push(&mut self, entry: Entry) {
        self.heap.push(entry);
        let mut hole = self.heap.len() - 1;
        while hole > 0 {
            let above = (hole - 1) / 2;
            if !entry.is_before(&self.heap[above]) {
                break;
            }
            self.heap[hole] = self.heap[above];
            hole = above;
        }
        self.heap[hole] = entry;
    }

    pub fn pop(&mut self) -> Option<Entry> {
        let last = self.heap.pop()?;
        let Some(&first) = self.heap.first() else {
            return Some(last);
        };
        let count = self.heap.len();
        let mut hole = 0;
        loop {
            let mut below = 2 * hole + 1;
            if below >= count {
                break;
            }
            if below + 1 < count && self.heap[below + 1].is_before(&self.heap[below]) {
                below += 1;
            }
            if !self.heap[below].is_before(&last) {
                break;
            }
            self.heap[hole] = self.heap[below];
            hole = below;
        }
        self.heap[hole] = last;
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn entries_come_out_in_order_and_all_of_them(
            entries in prop::collection::vec((0..5_u8, 0..3_u8, 0..4_u32), 0..60)
        ) {
            let mut open = OpenList::default();
            for &(f, g, node) in &entries {
                open.push(Entry { f: f64::from(f), g: f64::from(g), node });
            }
            let mut sorted = entries;
            sorted.sort_by_key(|&(f, g, node)| (f, std::cmp::Reverse(g), node));
            let popped: Vec<_> = std::iter::from_fn(|| open.pop())
                .map(|e| (e.f as u8, e.g as u8, e.node))
                .collect();
            prop_assert_eq!(popped, sorted);
        }
    }
}

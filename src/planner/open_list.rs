//! The open list of a search: a binary heap that keeps its memory.

/// Ordered by `f`, ties to the larger `g` (nearer to the goal), then to the smaller node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    pub f: f64,
    pub g: f64,
    pub node: u32,
}

/// An entry in one number, so that comparing takes no branches. Costs are not negative, and then
/// numbers are ordered as their bits are; of `g`, which decides ties alone, half the digits do.
type Key = u128;

impl Entry {
    fn key(&self) -> Key {
        let g = !(self.g as f32).to_bits();
        (Key::from(self.f.to_bits()) << 64) | (Key::from(g) << 32) | Key::from(self.node)
    }

    fn of_key(key: Key) -> Self {
        Self {
            f: f64::from_bits((key >> 64) as u64),
            g: f64::from(f32::from_bits(!((key >> 32) as u32))),
            node: key as u32,
        }
    }
}

/// Entries are never changed: a node whose cost falls is pushed again, and the caller must skip the
/// stale one when it is popped.
///
/// The best entry since the last pop is held beside the heap. A search on the right track takes it
/// next, so that it never enters the heap.
#[derive(Clone, Debug, Default)]
pub struct OpenList {
    heap: Vec<Key>,
    waiting: Option<Key>,
}

impl OpenList {
    pub fn clear(&mut self) {
        self.heap.clear();
        self.waiting = None;
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty() && self.waiting.is_none()
    }

    pub fn push(&mut self, entry: Entry) {
        let key = entry.key();
        let Some(waiting) = self.waiting else {
            self.waiting = Some(key);
            return;
        };
        self.waiting = Some(key.min(waiting));
        let worse = key.max(waiting);
        self.heap.push(worse);
        self.rise(self.heap.len() - 1, worse);
    }

    pub fn pop(&mut self) -> Option<Entry> {
        let first = match self.waiting.take() {
            Some(waiting) if self.heap.first().is_none_or(|first| waiting < *first) => waiting,
            Some(waiting) => self.replace_first(waiting),
            None => {
                let last = self.heap.pop()?;
                if self.heap.is_empty() {
                    last
                } else {
                    self.replace_first(last)
                }
            }
        };
        Some(Entry::of_key(first))
    }

    /// Replaces the first key. The new one usually belongs near the bottom, so the hole sinks to
    /// the bottom without comparing.
    fn replace_first(&mut self, key: Key) -> Key {
        let first = self.heap[0];
        let count = self.heap.len();
        let mut hole = 0;
        while 2 * hole + 2 < count {
            let left = 2 * hole + 1;
            let below = left + usize::from(self.heap[left + 1] < self.heap[left]);
            self.heap[hole] = self.heap[below];
            hole = below;
        }
        if 2 * hole + 1 < count {
            self.heap[hole] = self.heap[2 * hole + 1];
            hole = 2 * hole + 1;
        }
        self.rise(hole, key);
        first
    }

    /// Puts a key in the hole, or above it.
    fn rise(&mut self, mut hole: usize, key: Key) {
        while hole > 0 {
            let above = (hole - 1) / 2;
            if self.heap[above] <= key {
                break;
            }
            self.heap[hole] = self.heap[above];
            hole = above;
        }
        self.heap[hole] = key;
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

        #[test]
        fn the_least_comes_first_however_pushes_and_pops_are_mixed(
            steps in prop::collection::vec(prop::option::weighted(0.6, 0..20_u8), 0..80)
        ) {
            let mut open = OpenList::default();
            let mut all = Vec::new();
            for (node, step) in (0..).zip(steps) {
                if let Some(f) = step {
                    open.push(Entry { f: f64::from(f), g: 0.0, node });
                    all.push((f, node));
                } else {
                    let least = all.iter().copied().min();
                    all.retain(|entry| Some(*entry) != least);
                    prop_assert_eq!(open.pop().map(|e| (e.f as u8, e.node)), least);
                }
                prop_assert_eq!(open.is_empty(), all.is_empty());
            }
        }
    }
}

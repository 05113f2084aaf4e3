//! Which nodes of a graph a search has touched, numbered in the order of their first touch.

use crate::nav::constraint::lattice::PAGE;

/// Not touched.
const NONE: u32 = u32::MAX;

/// From nodes to slots: two reads, and memory that grows with what was touched alone, apart from
/// four bytes for each page of the graph.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    /// By page of the graph, where its slots are in `table`.
    pages: Vec<u32>,
    table: Vec<[u32; PAGE]>,
    nodes: Vec<u32>,
}

impl Touched {
    /// Forgets everything, for a graph with nodes below `count`.
    pub fn reset(&mut self, count: usize) {
        self.pages.clear();
        self.pages.resize(count.div_ceil(PAGE), NONE);
        self.table.clear();
        self.nodes.clear();
    }

    #[must_use]
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    #[inline]
    #[must_use]
    pub fn slot(&self, node: u32) -> Option<u32> {
        let page = *self.pages.get(node as usize / PAGE)?;
        let slot = self.table.get(page as usize)?[node as usize % PAGE];
        (slot != NONE).then_some(slot)
    }

    /// The node's slot, and whether it is new.
    #[inline]
    pub fn touch(&mut self, node: u32) -> (u32, bool) {
        let index = node as usize / PAGE;
        if index >= self.pages.len() {
            self.pages.resize(index + 1, NONE);
        }
        let page = &mut self.pages[index];
        if *page == NONE {
            *page = self.table.len() as u32;
            self.table.push([NONE; PAGE]);
        }
        let slot = &mut self.table[*page as usize][node as usize % PAGE];
        let is_new = *slot == NONE;
        if is_new {
            *slot = self.nodes.len() as u32;
            self.nodes.push(node);
        }
        (*slot, is_new)
    }

    /// The node of a slot.
    #[must_use]
    pub fn node(&self, slot: u32) -> u32 {
        self.nodes[slot as usize]
    }

    /// Whether a node of this page was touched.
    #[must_use]
    pub fn has_page(&self, page: usize) -> bool {
        self.pages.get(page).is_some_and(|page| *page != NONE)
    }

    /// Bytes that grow with what is touched.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.table.len() * PAGE * 4 + self.nodes.len() * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_follow_the_order_of_touching() {
        let mut touched = Touched::default();
        touched.reset(1000);
        assert_eq!(touched.slot(700), None);
        assert_eq!(touched.touch(700), (0, true));
        assert_eq!(touched.touch(3), (1, true));
        assert_eq!(touched.touch(700), (0, false));
        assert_eq!((touched.slot(3), touched.slot(4)), (Some(1), None));
        assert_eq!((touched.node(0), touched.node(1)), (700, 3));
        assert!(touched.has_page(0) && !touched.has_page(1));
        touched.reset(10);
        assert_eq!((touched.len(), touched.slot(3)), (0, None));
        assert_eq!(touched.touch(5000), (0, true), "it grows where it must");
    }
}

//! Where the nodes that a search has touched are kept: page by page of the graph.
//!
//! States are numbered in blocks of eight by eight, and a search that touches one of a block soon
//! touches most of it. So memory is handed out by pages: one small read finds a node's place, its
//! neighbours lie beside it, and nothing has to be kept to tell which place is whose.

use crate::nav::constraint::lattice::PAGE;

/// Not touched.
const NONE: u32 = u32::MAX;

/// From nodes to slots, which are the places in a list that the owner keeps.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    /// By page of the graph, its place in `order`.
    pages: Vec<u32>,
    /// The touched pages, in the order of their first touch.
    order: Vec<u32>,
}

impl Touched {
    /// Forgets everything, for a graph with nodes below `count`.
    pub fn reset(&mut self, count: usize) {
        self.pages.clear();
        self.pages.resize(count.div_ceil(PAGE), NONE);
        self.order.clear();
    }

    /// Slots are below this.
    #[must_use]
    pub const fn slot_count(&self) -> usize {
        self.order.len() * PAGE
    }

    /// The place of a node whose page was touched.
    #[inline]
    #[must_use]
    pub fn slot(&self, node: u32) -> Option<u32> {
        let page = *self.pages.get(node as usize / PAGE)?;
        (page != NONE).then(|| page * PAGE as u32 + node % PAGE as u32)
    }

    /// The node's place; `list`, which is kept by places, is made large enough for it.
    #[inline]
    pub fn touch<T: Copy>(&mut self, node: u32, list: &mut Vec<T>, unknown: T) -> u32 {
        let index = node as usize / PAGE;
        let page = match self.pages.get(index) {
            Some(page) if *page != NONE => *page,
            _ => self.add_page(index, list, unknown),
        };
        page * PAGE as u32 + node % PAGE as u32
    }

    #[cold]
    fn add_page<T: Copy>(&mut self, index: usize, list: &mut Vec<T>, unknown: T) -> u32 {
        if index >= self.pages.len() {
            self.pages.resize(index + 1, NONE);
        }
        let page = self.order.len() as u32;
        self.pages[index] = page;
        self.order.push(index as u32);
        list.resize(self.slot_count(), unknown);
        page
    }

    /// The node of a slot.
    #[inline]
    #[must_use]
    pub fn node(&self, slot: u32) -> u32 {
        self.order[slot as usize / PAGE] * PAGE as u32 + slot % PAGE as u32
    }

    /// Bytes that grow with what is touched.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.order.len() * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_kept_together_and_found_again() {
        let mut touched = Touched::default();
        touched.reset(1000);
        let mut list = Vec::new();
        assert_eq!(touched.slot(700), None);
        let first = touched.touch(700, &mut list, 0);
        list[first as usize] = 7;
        assert_eq!(list.len(), PAGE);
        let second = touched.touch(3, &mut list, 0);
        assert_eq!((list.len(), list[second as usize]), (2 * PAGE, 0));
        assert_eq!(touched.touch(700, &mut list, 0), first);
        assert_eq!(list[first as usize], 7);
        assert_eq!((touched.node(first), touched.node(second)), (700, 3));
        assert_eq!(touched.slot(4), Some(second + 1), "on the same page");
        assert_eq!(touched.slot(200), None);
        touched.reset(10);
        assert_eq!((touched.slot_count(), touched.slot(3)), (0, None));
        list.clear();
        let far = touched.touch(5000, &mut list, 0);
        assert_eq!(touched.node(far), 5000, "it grows where it must");
    }
}

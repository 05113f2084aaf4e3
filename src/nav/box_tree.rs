//! Boxes in a tree that is searched without allocating.

use super::near_order::NearOrder;
use crate::geometry::Rect;
use glam::DVec2;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    bounds: Rect,
    /// Where to go on when the point is not in here.
    skip: u32,
    /// The item of a leaf; [`INNER`] otherwise.
    item: u32,
}

const INNER: u32 = u32::MAX;

/// Nodes in depth-first order: the search walks one array forwards.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct BoxTree {
    nodes: Vec<Node>,
}

impl BoxTree {
    /// Item `i` has the `i`-th box, all of them within `whole`; empty boxes contain nothing.
    pub(super) fn new(whole: &Rect, boxes: impl Iterator<Item = Rect>) -> Self {
        let order = NearOrder::over(whole);
        let boxes: Vec<Rect> = boxes.collect();
        // Key and number in one: sorted faster than a pair.
        let mut items: Vec<u64> = boxes
            .iter()
            .zip(0..)
            .filter(|(bounds, _)| !bounds.is_empty())
            .map(|(bounds, item)| u64::from(order.key(bounds.centre())) << 32 | item)
            .collect();
        items.sort_unstable();
        let mut tree = Self {
            nodes: Vec::with_capacity(2 * items.len()),
        };
        tree.add(&boxes, &items);
        tree
    }

    /// The box around all items, which are the lower halves of numbers.
    fn add(&mut self, boxes: &[Rect], items: &[u64]) -> Rect {
        let at = self.nodes.len();
        let (bounds, item) = match items {
            [] => return Rect::EMPTY,
            [item] => (boxes[*item as u32 as usize], *item as u32),
            _ => (Rect::EMPTY, INNER),
        };
        self.nodes.push(Node {
            bounds,
            skip: 0,
            item,
        });
        if item == INNER {
            let (low, high) = items.split_at(items.len() / 2);
            let low = self.add(boxes, low);
            self.nodes[at].bounds = low.union(&self.add(boxes, high));
        }
        self.nodes[at].skip = self.nodes.len() as u32;
        self.nodes[at].bounds
    }

    /// The first item whose box contains `p`, borders included, and that is accepted.
    pub(super) fn find(&self, p: DVec2, accepts: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if !node.bounds.contains(p) {
                at = node.skip as usize;
            } else if node.item != INNER && accepts(node.item) {
                return Some(node.item);
            } else {
                at += 1;
            }
        }
        None
    }
}

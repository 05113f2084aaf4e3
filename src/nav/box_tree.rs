//! Boxes in a tree that is searched without allocating.

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
    /// Item `i` has the `i`-th box; empty boxes contain nothing.
    pub(super) fn new(boxes: impl IntoIterator<Item = Rect>) -> Self {
        let mut items: Vec<(Rect, u32)> = boxes
            .into_iter()
            .zip(0..)
            .filter(|(bounds, _)| !bounds.is_empty())
            .collect();
        let mut tree = Self {
            nodes: Vec::with_capacity(2 * items.len()),
        };
        tree.add(&mut items);
        tree
    }

    fn add(&mut self, items: &mut [(Rect, u32)]) {
        let bounds = items
            .iter()
            .fold(Rect::EMPTY, |all, (bounds, _)| all.union(bounds));
        let at = self.nodes.len();
        let item = match items {
            [] => return,
            [(_, item)] => *item,
            _ => INNER,
        };
        self.nodes.push(Node {
            bounds,
            skip: 0,
            item,
        });
        if item == INNER {
            let size = bounds.size();
            let axis = usize::from(size.y > size.x);
            let middle = items.len() / 2;
            items.select_nth_unstable_by(middle, |a, b| {
                a.0.centre()[axis]
                    .total_cmp(&b.0.centre()[axis])
                    .then(a.1.cmp(&b.1))
            });
            let (low, high) = items.split_at_mut(middle);
            self.add(low);
            self.add(high);
        }
        self.nodes[at].skip = self.nodes.len() as u32;
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

//! Boxes in a tree that is searched without allocating.

use super::morton_order::MortonOrder;
use crate::geometry::Rect;
use glam::DVec2;

/// Largest number of items of a leaf: fewer boxes to build, and a cell test is cheap.
const LEAF: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    bounds: Rect,
    /// Where to continue when the point is not in here.
    skip: u32,
    /// The items of a leaf: first, and one past the last. Equal for inner nodes.
    items: [u32; 2],
}

/// Nodes in depth-first order: the search walks one array forwards.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct BoxTree {
    nodes: Vec<Node>,
    items: Vec<u32>,
}

impl BoxTree {
    /// Item `i` has the `i`-th box, all of them within `whole`; empty boxes contain nothing.
    pub(super) fn new(whole: &Rect, boxes: impl Iterator<Item = Rect>) -> Self {
        let order = MortonOrder::over(whole);
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
            nodes: Vec::with_capacity(items.len()),
            items: items.iter().map(|item| *item as u32).collect(),
        };
        if !items.is_empty() {
            tree.add(&boxes, 0, items.len());
        }
        tree
    }

    /// A node for `items[from..to]`; the box around them.
    fn add(&mut self, boxes: &[Rect], from: usize, to: usize) -> Rect {
        let at = self.nodes.len();
        let is_leaf = to - from <= LEAF;
        self.nodes.push(Node {
            bounds: Rect::EMPTY,
            skip: 0,
            items: [from as u32, if is_leaf { to } else { from } as u32],
        });
        let bounds = if is_leaf {
            self.items[from..to]
                .iter()
                .fold(Rect::EMPTY, |all, item| all.union(&boxes[*item as usize]))
        } else {
            let middle = from.midpoint(to);
            let low = self.add(boxes, from, middle);
            low.union(&self.add(boxes, middle, to))
        };
        self.nodes[at].bounds = bounds;
        self.nodes[at].skip = self.nodes.len() as u32;
        bounds
    }

    /// Items whose box overlaps this one, borders included, and some of their neighbours.
    pub(super) fn near(&self, bounds: Rect) -> impl Iterator<Item = u32> + '_ {
        let mut at = 0;
        let mut items: &[u32] = &[];
        std::iter::from_fn(move || {
            while items.is_empty() {
                let node = self.nodes.get(at)?;
                if node.bounds.overlaps(&bounds) {
                    let [from, to] = node.items.map(|i| i as usize);
                    items = &self.items[from..to];
                    at += 1;
                } else {
                    at = node.skip as usize;
                }
            }
            items.split_off_first().copied()
        })
    }

    /// Items whose box contains a point, borders included, and some of their neighbours.
    pub(super) fn near_point(&self, p: DVec2) -> impl Iterator<Item = u32> + '_ {
        self.near(Rect::new(p, p))
    }
}

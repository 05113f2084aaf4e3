//! Seidel's randomised incremental construction.
//!
//! Segments are inserted in nearly random order. A vertex splits its trapezoid by a horizontal
//! line; a segment then passes down through the trapezoids between its ends and splits each into a
//! left and a right part, and parts that nothing separates any more are merged. Each trapezoid
//! knows those above and below that share its left or right segment, which is all that passing down
//! needs.

use super::{
    buckets::bucketed,
    inner::Inner,
    segments::{Plan, orientation},
};
use crate::base::Random;
use crate::geometry::Rect;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::morton_order::MortonOrder;

/// No segment, vertex or trapezoid: the plane's far ends.
pub(super) const NONE: u32 = u32::MAX;

/// Fixed, so that output depends on input alone.
const SEED: u64 = 0x5eed_7a9e_2001_d5e1;

/// Number of segments inserted in fully random order.
const FIRST_ROUND: usize = 256;

/// Insertions between checks for cancellation.
const CHECKPOINT_EVERY: usize = 1024;

#[derive(Clone, Copy, Debug)]
struct Trapezoid {
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
    /// Across the top border: the one with the same left, and the one with the same right segment.
    up: [u32; 2],
    down: [u32; 2],
    /// Its leaf; `NONE` for one that was split.
    node: u32,
}

impl Trapezoid {
    const fn borders(&self) -> Inner {
        Inner {
            left: self.left,
            right: self.right,
            bottom: self.bottom,
            top: self.top,
        }
    }
}

/// Inner node or leaf of the query structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fork {
    pub test: Test,
    /// Above a vertex, left of a segment.
    pub first: u32,
    /// Below a vertex, right of a segment.
    pub second: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Vertex(u32),
    Segment(u32),
    Leaf(u32),
}

pub(super) struct Construction<'a> {
    plan: &'a Plan,
    nodes: Vec<Fork>,
    trapezoids: Vec<Trapezoid>,
    /// Trapezoids that were split: their slots are reused.
    spare: Vec<u32>,
    /// Empty except while a segment is inserted; kept for its allocation.
    passed: Vec<u32>,
    /// For each vertex a node whose region contains it: where to start searching. Once the vertex
    /// is inserted, the node that tests it.
    found: Vec<u32>,
    is_in: Vec<bool>,
}

impl<'a> Construction<'a> {
    pub fn build(plan: &'a Plan, ctx: &JobContext) -> Result<Self, Cancelled> {
        let count = plan.segments.len();
        let mut this = Self {
            plan,
            nodes: Vec::with_capacity(8 * count + 1),
            trapezoids: Vec::with_capacity(3 * count + 1),
            spare: Vec::new(),
            passed: Vec::new(),
            found: vec![0; plan.vertices.len()],
            is_in: vec![false; plan.vertices.len()],
        };
        let plane = Trapezoid {
            left: NONE,
            right: NONE,
            top: NONE,
            bottom: NONE,
            up: [NONE; 2],
            down: [NONE; 2],
            node: NONE,
        };
        this.add(plane);
        let order = insertion_order(plan);
        let mut looks = looks(count).peekable();
        for (index, &segment) in order.iter().enumerate() {
            if index % CHECKPOINT_EVERY == 0 {
                ctx.checkpoint()?;
            }
            if looks.next_if_eq(&index).is_some() {
                this.find_all(&order[index..]);
            }
            let ends = plan.segments[segment as usize];
            this.insert_vertex(ends.top);
            this.insert_vertex(ends.bottom);
            this.insert_segment(segment);
        }
        Ok(this)
    }

    /// Trapezoids inside the free space in the order of [`Inner::key`], and the index of each
    /// trapezoid among them; [`NONE`] for those outside.
    pub fn inner(&self) -> (Vec<Inner>, Vec<u32>) {
        let is_inner = |trapezoid: &Trapezoid| {
            let left = self.plan.segments.get(trapezoid.left as usize);
            trapezoid.node != NONE
                && ![trapezoid.right, trapezoid.bottom].contains(&NONE)
                && left.is_some_and(|left| left.is_left_border)
        };
        let inner = self
            .trapezoids
            .iter()
            .zip(0..)
            .filter(|(trapezoid, _)| is_inner(trapezoid))
            .map(|(trapezoid, number)| (trapezoid.borders(), number));
        let vertices = self.plan.vertices.len();
        let mut inner = bucketed(vertices, inner, |(trapezoid, _): &(_, u32)| {
            trapezoid.bottom
        });
        for row in inner.chunk_by_mut(|(a, _), (b, _)| a.bottom == b.bottom) {
            row.sort_unstable_by_key(|(trapezoid, _)| trapezoid.key());
        }
        let mut place_of = vec![NONE; self.trapezoids.len()];
        for (place, (_, number)) in (0..).zip(&inner) {
            place_of[*number as usize] = place;
        }
        let inner = inner.into_iter().map(|(trapezoid, _)| trapezoid).collect();
        (inner, place_of)
    }

    pub fn into_nodes(self) -> Vec<Fork> {
        self.nodes
    }

    /// A new trapezoid with its own leaf.
    fn add(&mut self, trapezoid: Trapezoid) -> u32 {
        let trapezoid = Trapezoid {
            node: self.nodes.len() as u32,
            ..trapezoid
        };
        let id = if let Some(spare) = self.spare.pop() {
            self.trapezoids[spare as usize] = trapezoid;
            spare
        } else {
            self.trapezoids.push(trapezoid);
            self.trapezoids.len() as u32 - 1
        };
        self.push_leaf(id);
        id
    }

    fn push_leaf(&mut self, trapezoid: u32) {
        self.nodes.push(Fork {
            test: Test::Leaf(trapezoid),
            first: NONE,
            second: NONE,
        });
    }

    fn at(&self, trapezoid: u32) -> &Trapezoid {
        &self.trapezoids[trapezoid as usize]
    }

    fn at_mut(&mut self, trapezoid: u32) -> &mut Trapezoid {
        &mut self.trapezoids[trapezoid as usize]
    }

    /// Positive if the vertex is left of the segment.
    fn leftness(&self, segment: u32, vertex: u32) -> i64 {
        let [bottom, top] = self.plan.ends[segment as usize];
        let p = self.plan.vertices[vertex as usize];
        orientation(bottom, top, p)
    }

    /// The leaf of a vertex that is not inserted yet.
    fn leaf_of(&self, vertex: u32) -> u32 {
        let mut at = self.found[vertex as usize];
        loop {
            let node = self.nodes[at as usize];
            let goes_first = match node.test {
                Test::Vertex(other) => vertex > other,
                Test::Segment(segment) => self.leftness(segment, vertex) > 0,
                Test::Leaf(_) => return at,
            };
            at = if goes_first { node.first } else { node.second };
        }
    }

    /// Advances the search for every vertex still to come, which makes the whole construction O(n
    /// log* n) for the edges of a few rings (Seidel 1991, §4).
    fn find_all(&mut self, to_come: &[u32]) {
        for &segment in to_come {
            let ends = self.plan.segments[segment as usize];
            for vertex in [ends.top, ends.bottom] {
                if !self.is_in[vertex as usize] {
                    self.found[vertex as usize] = self.leaf_of(vertex);
                }
            }
        }
    }

    fn insert_vertex(&mut self, vertex: u32) {
        if std::mem::replace(&mut self.is_in[vertex as usize], true) {
            return;
        }
        let leaf = self.leaf_of(vertex);
        let Test::Leaf(upper) = self.nodes[leaf as usize].test else {
            return;
        };
        self.found[vertex as usize] = leaf;
        let whole = *self.at(upper);
        let upper_node = self.nodes.len() as u32;
        self.push_leaf(upper);
        let lower = self.add(Trapezoid {
            top: vertex,
            up: [upper; 2],
            ..whole
        });
        *self.at_mut(upper) = Trapezoid {
            bottom: vertex,
            down: [lower; 2],
            node: upper_node,
            ..whole
        };
        for below in whole.down {
            self.relink(below, Direction::Up, upper, lower);
        }
        self.nodes[leaf as usize] = Fork {
            test: Test::Vertex(vertex),
            first: upper_node,
            second: self.at(lower).node,
        };
    }

    /// Redirects the links of `of` from `old` to `new`.
    fn relink(&mut self, of: u32, direction: Direction, old: u32, new: u32) {
        if of == NONE {
            return;
        }
        let trapezoid = self.at_mut(of);
        let links = match direction {
            Direction::Up => &mut trapezoid.up,
            Direction::Down => &mut trapezoid.down,
        };
        for link in links {
            if *link == old {
                *link = new;
            }
        }
    }

    /// The trapezoid that a segment enters at its upper end.
    fn first_below(&self, segment: u32) -> u32 {
        let ends = self.plan.segments[segment as usize];
        let mut at = self.found[ends.top as usize];
        loop {
            let node = self.nodes[at as usize];
            let goes_first = match node.test {
                Test::Vertex(other) => ends.top > other,
                Test::Segment(other) => {
                    let by_top = self.leftness(other, ends.top);
                    // With a common upper end, the lower one decides.
                    by_top > 0 || (by_top == 0 && self.leftness(other, ends.bottom) > 0)
                }
                Test::Leaf(trapezoid) => return trapezoid,
            };
            at = if goes_first { node.first } else { node.second };
        }
    }

    fn insert_segment(&mut self, segment: u32) {
        let ends = self.plan.segments[segment as usize];
        let mut current = self.first_below(segment);
        let first = *self.at(current);
        let mut left = self.add(Trapezoid {
            right: segment,
            up: [first.up[0], NONE],
            ..first
        });
        let mut right = self.add(Trapezoid {
            left: segment,
            up: [NONE, first.up[1]],
            ..first
        });
        // One trapezoid may span the whole top border: the segment hangs from a vertex in its
        // middle.
        if first.up[0] != NONE && self.at(first.up[0]).down[0] == current {
            self.at_mut(first.up[0]).down[0] = left;
        }
        if first.up[1] != NONE && self.at(first.up[1]).down[1] == current {
            self.at_mut(first.up[1]).down[1] = right;
        }
        let mut passed = std::mem::take(&mut self.passed);
        loop {
            let whole = *self.at(current);
            self.nodes[whole.node as usize] = Fork {
                test: Test::Segment(segment),
                first: self.at(left).node,
                second: self.at(right).node,
            };
            self.at_mut(current).node = NONE;
            passed.push(current);
            let corner = whole.bottom;
            let passes_right =
                corner != ends.bottom && corner != NONE && self.leftness(segment, corner) > 0;
            let next = whole.down[usize::from(passes_right)];
            // No next one: only where segments cross, which valid areas do not.
            if corner == ends.bottom || corner == NONE || next == NONE {
                self.at_mut(left).down = [whole.down[0], NONE];
                self.at_mut(right).down = [NONE, whole.down[1]];
                if whole.down[0] != NONE && self.at(whole.down[0]).up[0] == current {
                    self.at_mut(whole.down[0]).up[0] = left;
                }
                if whole.down[1] != NONE && self.at(whole.down[1]).up[1] == current {
                    self.at_mut(whole.down[1]).up[1] = right;
                }
                break;
            }
            // The side on which the corner lies keeps its border.
            let side = usize::from(!passes_right);
            let ended = if passes_right { left } else { right };
            let entered = *self.at(next);
            let mut begun = entered;
            let mut up = [ended; 2];
            if entered.up[side] != current {
                up[side] = entered.up[side];
            }
            begun.up = up;
            if passes_right {
                begun.right = segment;
            } else {
                begun.left = segment;
            }
            let begun = self.add(begun);
            if entered.up[side] != current {
                self.relink(entered.up[side], Direction::Down, next, begun);
            }
            let mut down = [begun; 2];
            if whole.down[side] != next {
                down[side] = whole.down[side];
                self.relink(whole.down[side], Direction::Up, current, ended);
            }
            let ended = self.at_mut(ended);
            ended.bottom = corner;
            ended.down = down;
            if passes_right {
                left = begun;
            } else {
                right = begun;
            }
            current = next;
        }
        for id in [left, right] {
            self.at_mut(id).bottom = ends.bottom;
        }
        // Not earlier: the trapezoids a segment passes are still queried for their neighbours.
        self.spare.append(&mut passed);
        self.passed = passed;
    }
}

#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
}

/// A random order in which neighbours mostly follow each other, which is cache-friendly: rounds of
/// random segments, each as large as all before it, spatially ordered within a round. The expected
/// work stays that of a random order (Amenta, Choi and Rote, *Incremental constructions con BRIO*,
/// 2003).
fn insertion_order(plan: &Plan) -> Vec<u32> {
    let mut order: Vec<u32> = (0..plan.segments.len() as u32).collect();
    Random::new(SEED).shuffle(&mut order);
    let bounds = plan
        .vertices
        .iter()
        .fold(Rect::EMPTY, |all, node| all.including(node.point()));
    let near = MortonOrder::over(&bounds);
    let keys: Vec<u32> = plan
        .ends
        .iter()
        .map(|[low, _]| near.key(low.point()))
        .collect();
    let mut end = order.len();
    while end > FIRST_ROUND {
        let begin = end / 2;
        order[begin..end].sort_unstable_by_key(|&segment| (keys[segment as usize], segment));
        end = begin;
    }
    order
}

/// The insertion counts at which to advance the search for all vertices: n / log n, n / log log n,
/// …
fn looks(count: usize) -> impl Iterator<Item = usize> {
    let n = count as f64;
    let mut log = n;
    std::iter::from_fn(move || {
        log = log.log2();
        (log > 1.5).then(|| (n / log).ceil() as usize)
    })
}

//! A*: one query, from scratch.

use super::graph::Graph;
use super::touched::Touched;
use crate::planner::bucket_list::BucketList;
use crate::planner::open_list::Entry;
use crate::planner::session::Progress;

/// No node before this one.
const NONE: u32 = u32::MAX;

/// What is known of a node: a quarter of a cache line.
#[derive(Clone, Copy, Debug)]
struct Node {
    g: f64,
    /// Slot of the node before it on the best path.
    before: u32,
    standing: Standing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Unknown,
    Open,
    Closed,
}

impl Node {
    const UNKNOWN: Self = Self {
        g: f64::INFINITY,
        before: NONE,
        standing: Standing::Unknown,
    };
}

/// Forward search with a consistent estimate: every node is expanded once at most.
#[derive(Clone, Debug, Default)]
pub struct AStar {
    touched: Touched,
    nodes: Vec<Node>,
    /// How many of them are known.
    count: usize,
    open: BucketList,
    expanded: usize,
    /// Expanded last.
    current: Option<u32>,
    /// Expanded slot that is nearest to the goal, and its distance.
    nearest: Option<(u32, f64)>,
    goal: u32,
    found: Vec<(u32, u32, f64)>,
}

impl AStar {
    pub fn begin(&mut self, graph: &impl Graph, start: u32, goal: u32) {
        self.touched.reset(graph.len());
        self.nodes.clear();
        (self.expanded, self.current, self.nearest) = (0, None, None);
        (self.goal, self.count) = (goal, 1);
        let f = graph.point(start).distance(graph.point(goal));
        self.open.begin(f, graph.step());
        let slot = self.touched.touch(start, &mut self.nodes, Node::UNKNOWN);
        self.nodes[slot as usize] = Node {
            g: 0.0,
            before: NONE,
            standing: Standing::Open,
        };
        let entry = Entry {
            f,
            g: 0.0,
            node: slot,
        };
        self.open.push(entry);
    }

    /// Expands up to `budget` nodes.
    pub fn run(&mut self, graph: &mut impl Graph, budget: usize) -> Progress {
        let goal_at = graph.point(self.goal);
        let mut left = budget;
        while left > 0 {
            let Some(Entry { f, node: slot, .. }) = self.open.pop() else {
                return Progress::Exhausted;
            };
            let Node {
                g,
                standing,
                before,
            } = self.nodes[slot as usize];
            if standing == Standing::Closed {
                continue;
            }
            self.nodes[slot as usize].standing = Standing::Closed;
            self.expanded += 1;
            left -= 1;
            self.current = Some(slot);
            let h = f - g;
            if self.nearest.is_none_or(|(_, least)| h < least) {
                self.nearest = Some((slot, h));
            }
            let node = self.touched.node(slot);
            if node == self.goal {
                return Progress::Found;
            }
            let Self {
                touched,
                nodes,
                count,
                open,
                found,
                ..
            } = self;
            // Estimates read the graph, too.
            found.clear();
            let before = (before != NONE).then(|| touched.node(before));
            graph.successors_after(node, before, |next, cost| {
                let there = touched.touch(next, nodes, Node::UNKNOWN);
                let known = &mut nodes[there as usize];
                let reached = g + cost;
                if reached < known.g && known.standing != Standing::Closed {
                    *count += usize::from(known.standing == Standing::Unknown);
                    *known = Node {
                        g: reached,
                        before: slot,
                        standing: Standing::Open,
                    };
                    found.push((next, there, reached));
                }
            });
            for &(next, there, g) in &*found {
                let f = g + graph.point(next).distance(goal_at);
                open.push(Entry { f, g, node: there });
            }
        }
        Progress::Running
    }

    #[must_use]
    pub const fn expanded(&self) -> usize {
        self.expanded
    }

    fn known_slot(&self, node: u32) -> Option<u32> {
        let is_known = |slot: &u32| self.nodes[*slot as usize].standing != Standing::Unknown;
        self.touched.slot(node).filter(is_known)
    }

    /// Cost of the best known path to a node.
    #[must_use]
    pub fn cost(&self, node: u32) -> Option<f64> {
        Some(self.nodes[self.known_slot(node)? as usize].g)
    }

    /// From the start to a node; empty if it was not reached.
    #[must_use]
    pub fn path_to(&self, node: u32) -> Vec<u32> {
        self.path_to_slot(self.known_slot(node))
    }

    /// From the start to the expanded node that is nearest to the goal.
    #[must_use]
    pub fn partial(&self) -> Vec<u32> {
        self.path_to_slot(self.nearest.map(|(slot, _)| slot))
    }

    fn path_to_slot(&self, slot: Option<u32>) -> Vec<u32> {
        let before = |slot: &u32| {
            let before = self.nodes[*slot as usize].before;
            (before != NONE).then_some(before)
        };
        let mut path: Vec<u32> = std::iter::successors(slot, before)
            .map(|slot| self.touched.node(slot))
            .collect();
        path.reverse();
        path
    }

    /// Slot, node, cost so far, slot of the one before it and whether it is closed.
    pub fn known(&self) -> impl Iterator<Item = (u32, u32, f64, Option<u32>, bool)> {
        let is_known = |(node, _): &(&Node, u32)| node.standing != Standing::Unknown;
        self.nodes
            .iter()
            .zip(0..)
            .filter(is_known)
            .map(|(node, slot)| {
                let before = (node.before != NONE).then_some(node.before);
                let is_closed = node.standing == Standing::Closed;
                (slot, self.touched.node(slot), node.g, before, is_closed)
            })
    }

    /// Slot of the node expanded last.
    #[must_use]
    pub const fn current(&self) -> Option<u32> {
        self.current
    }

    /// How many nodes it has touched.
    #[must_use]
    pub const fn touched(&self) -> usize {
        self.count
    }

    /// Bytes that grow with what is touched.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.touched.bytes() + size_of_val(&self.nodes[..])
    }
}

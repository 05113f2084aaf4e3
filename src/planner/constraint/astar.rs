//! A*: one query, from scratch.

use super::graph::Graph;
use super::touched::Touched;
use crate::planner::open_list::{Entry, OpenList};
use crate::planner::session::Progress;

/// No node before this one.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    g: f64,
    /// Slot of the node before it on the best path.
    before: u32,
    is_closed: bool,
}

/// Forward search with a consistent estimate: every node is expanded once at most.
#[derive(Clone, Debug, Default)]
pub struct AStar {
    touched: Touched,
    nodes: Vec<Node>,
    open: OpenList,
    expanded: usize,
    /// Expanded last.
    current: Option<u32>,
    /// Expanded slot that is nearest to the goal, and its distance.
    nearest: Option<(u32, f64)>,
    goal: u32,
    found: Vec<(u32, f64)>,
}

impl AStar {
    pub fn begin(&mut self, graph: &impl Graph, start: u32, goal: u32) {
        self.touched.reset(graph.len());
        self.nodes.clear();
        self.open.clear();
        (self.expanded, self.current, self.nearest) = (0, None, None);
        self.goal = goal;
        self.reach(graph, start, 0.0, NONE);
    }

    fn reach(&mut self, graph: &impl Graph, node: u32, g: f64, before: u32) {
        let (slot, is_new) = self.touched.touch(node);
        let known = Node {
            g,
            before,
            is_closed: false,
        };
        if is_new {
            self.nodes.push(known);
        } else {
            let old = &mut self.nodes[slot as usize];
            if old.is_closed || old.g <= g {
                return;
            }
            *old = known;
        }
        let h = graph.point(node).distance(graph.point(self.goal));
        let f = g + h;
        self.open.push(Entry { f, g, node: slot });
    }

    /// Expands up to `budget` nodes.
    pub fn run(&mut self, graph: &mut impl Graph, budget: usize) -> Progress {
        let goal_at = graph.point(self.goal);
        let mut left = budget;
        while left > 0 {
            let Some(Entry { f, node: slot, .. }) = self.open.pop() else {
                return Progress::Exhausted;
            };
            let Node { g, is_closed, .. } = self.nodes[slot as usize];
            if is_closed {
                continue;
            }
            self.nodes[slot as usize].is_closed = true;
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
                open,
                found,
                ..
            } = self;
            // Estimates read the graph, too.
            found.clear();
            graph.successors(node, |next, cost| found.push((next, cost)));
            for &(next, cost) in &*found {
                let reached = g + cost;
                let (there, is_new) = touched.touch(next);
                let known = Node {
                    g: reached,
                    before: slot,
                    is_closed: false,
                };
                if is_new {
                    nodes.push(known);
                } else {
                    let old = &mut nodes[there as usize];
                    if old.is_closed || old.g <= reached {
                        continue;
                    }
                    *old = known;
                }
                let f = reached + graph.point(next).distance(goal_at);
                open.push(Entry {
                    f,
                    g: reached,
                    node: there,
                });
            }
        }
        Progress::Running
    }

    #[must_use]
    pub const fn expanded(&self) -> usize {
        self.expanded
    }

    /// Cost of the best known path to a node.
    #[must_use]
    pub fn cost(&self, node: u32) -> Option<f64> {
        Some(self.nodes[self.touched.slot(node)? as usize].g)
    }

    /// From the start to a node; empty if it was not reached.
    #[must_use]
    pub fn path_to(&self, node: u32) -> Vec<u32> {
        self.path_to_slot(self.touched.slot(node))
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

    /// Node, cost so far, the one before it and whether it is closed.
    pub fn known(&self) -> impl Iterator<Item = (u32, f64, Option<u32>, bool)> {
        self.nodes.iter().zip(0..).map(|(node, slot)| {
            let before = (node.before != NONE).then_some(node.before);
            (self.touched.node(slot), node.g, before, node.is_closed)
        })
    }

    /// Slot of the node expanded last.
    #[must_use]
    pub const fn current(&self) -> Option<u32> {
        self.current
    }

    #[must_use]
    pub const fn touched(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes that grow with what is touched.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.touched.bytes() + size_of_val(&self.nodes[..])
    }
}

//! Anytime Dynamic A* (Likhachev et al. 2005): a search from the goal that answers soon within a
//! bound ε, improves the answer, and repairs it when costs change or the start moves.
//!
//! The appendix of Ninomiya et al. leaves parts of it out; this is the original, but for one thing.
//! Where costs may have changed, most states are looked at in vain: they are farther than the start
//! is from the goal, or the field around them is as it was. So such states are *suspect* first. A
//! suspect state is in the open list by what it can cost at least, which is known without evaluating
//! the field, and it is looked at when that is the least key. Once no key is below the start's, those
//! that are left cannot matter: looked at, they would have keys above it, too.
//!
//! What was learnt is consistent between any two expansions, so a search that is given up can be
//! taken up again.

use super::graph::Graph;
use super::touched::Touched;
use crate::planner::keyed_heap::KeyedHeap;
use crate::planner::session::Progress;

/// No node after this one.
const NONE: u32 = u32::MAX;

/// Ordered as printed: first the estimate, then the cost.
type Key = (f64, f64);

#[derive(Clone, Copy, Debug)]
struct Node {
    g: f64,
    /// One step ahead: the least of cost and `g` over all successors.
    rhs: f64,
    /// The successor that gave `rhs`.
    next: u32,
    /// The search in which it was expanded last, and whether it was put aside.
    mark: u32,
}

/// The bit of a mark that says: inconsistent, but expanded in this search.
const ASIDE: u32 = 1 << 31;

/// The bit of a mark that says: something is or was known of it.
const KNOWN: u32 = 1 << 30;

/// The bit of a mark that says: its transitions may cost something else, and `rhs` is what they lead
/// to at least.
const SUSPECT: u32 = 1 << 29;

/// Keys of states that may cost more than is known are lower by this share: on a straight path all
/// keys are equal but for rounding, and the start must not be expanded before them.
const ROUNDING: f64 = 1e-12;

impl Node {
    const UNKNOWN: Self = Self {
        g: f64::INFINITY,
        rhs: f64::INFINITY,
        next: NONE,
        mark: 0,
    };

    const fn is_known(&self) -> bool {
        self.mark & KNOWN != 0
    }

    const fn is_suspect(&self) -> bool {
        self.mark & SUSPECT != 0
    }

    /// The search in which it was expanded last.
    const fn expanded_in(&self) -> u32 {
        self.mark & !(ASIDE | KNOWN | SUSPECT)
    }
}

/// How a node stands in the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Open,
    /// Expanded in this search.
    Closed,
    /// Changed since it was looked at.
    Inconsistent,
    /// Known from an earlier search.
    Kept,
}

#[derive(Clone, Debug)]
pub struct AdStar {
    touched: Touched,
    nodes: Vec<Node>,
    /// How many of them are known.
    count: usize,
    open: KeyedHeap<Key>,
    incons: Vec<u32>,
    /// Number of this search: nodes expanded in it are closed.
    search: u32,
    epsilon: f64,
    start: u32,
    goal: u32,
    expanded: usize,
    /// Suspect nodes that did change.
    changed: usize,
    current: Option<u32>,
    into: Vec<(u32, f64)>,
}

impl Default for AdStar {
    fn default() -> Self {
        Self {
            touched: Touched::default(),
            nodes: Vec::new(),
            count: 0,
            open: KeyedHeap::default(),
            incons: Vec::new(),
            search: 1,
            epsilon: 1.0,
            start: NONE,
            goal: NONE,
            expanded: 0,
            changed: 0,
            current: None,
            into: Vec::new(),
        }
    }
}

impl AdStar {
    /// Forgets everything and begins a query.
    pub fn begin(&mut self, graph: &impl Graph, start: u32, goal: u32, epsilon: f64) {
        self.touched.reset(graph.len());
        self.nodes.clear();
        self.count = 0;
        self.open = KeyedHeap::default();
        self.incons.clear();
        self.search = 1;
        (self.start, self.goal, self.epsilon) = (start, goal, epsilon.max(1.0));
        (self.expanded, self.changed, self.current) = (0, 0, None);
        let slot = self.slot(goal);
        self.nodes[slot as usize].rhs = 0.0;
        self.place(graph, slot);
        self.slot(start);
    }

    fn slot(&mut self, node: u32) -> u32 {
        let slot = self.touched.touch(node, &mut self.nodes, Node::UNKNOWN);
        let known = &mut self.nodes[slot as usize];
        if !known.is_known() {
            known.mark |= KNOWN;
            self.count += 1;
        }
        slot
    }

    /// The slot of a node of which something is known.
    fn known_slot(&self, node: u32) -> Option<u32> {
        let is_known = |slot: &u32| self.nodes[*slot as usize].is_known();
        self.touched.slot(node).filter(is_known)
    }

    /// Whether something is known of a node.
    #[must_use]
    pub fn knows(&self, node: u32) -> bool {
        self.known_slot(node).is_some()
    }

    fn key(&self, graph: &impl Graph, slot: u32) -> Key {
        let known = self.nodes[slot as usize];
        let Node { g, rhs, .. } = known;
        let node = self.touched.node(slot);
        let h = graph.point(node).distance(graph.point(self.start));
        if known.is_suspect() {
            let least = g.min(rhs);
            ((least + h) * (1.0 - ROUNDING), least)
        } else if g > rhs {
            (rhs + self.epsilon * h, rhs)
        } else {
            // Costs that rose spread with the plain estimate, or the bound would not hold.
            ((g + h) * (1.0 - ROUNDING), g)
        }
    }

    /// Puts a node where it belongs: in the open list if it is inconsistent or suspect, aside if it
    /// was expanded in this search. The start is never put aside, as the search ends with it alone.
    fn place(&mut self, graph: &impl Graph, slot: u32) {
        let is_start = self.touched.slot(self.start) == Some(slot);
        let node = &mut self.nodes[slot as usize];
        if node.is_suspect() {
            let key = self.key(graph, slot);
            self.open.set(slot, key);
        } else if node.g == node.rhs {
            self.open.remove(slot);
        } else if node.expanded_in() == self.search && !is_start {
            self.open.remove(slot);
            if node.mark & ASIDE == 0 {
                node.mark |= ASIDE;
                self.incons.push(slot);
            }
        } else {
            let key = self.key(graph, slot);
            self.open.set(slot, key);
        }
    }

    /// Recomputes the look-ahead of a node from all of its successors.
    fn look_ahead(&mut self, graph: &mut impl Graph, slot: u32) {
        let node = self.touched.node(slot);
        if node == self.goal {
            return;
        }
        let Self { touched, nodes, .. } = self;
        let (mut rhs, mut next) = (f64::INFINITY, NONE);
        graph.successors(node, |other, cost| {
            if let Some(other) = touched.slot(other) {
                let through = cost + nodes[other as usize].g;
                if through < rhs {
                    (rhs, next) = (through, other);
                }
            }
        });
        let known = &mut self.nodes[slot as usize];
        (known.rhs, known.next) = (rhs, next);
        known.mark &= !SUSPECT;
    }

    /// Costs of transitions from these nodes may have changed: they are suspect from now on, as far as
    /// something is known of them or of where they lead.
    pub fn costs_changed(&mut self, graph: &mut impl Graph, from: &[u32]) {
        self.changed = 0;
        for &node in from {
            if node == self.goal {
                continue;
            }
            let Self { touched, nodes, .. } = self;
            let mut least = f64::INFINITY;
            graph.successors_at_least(node, |other, cost| {
                if let Some(other) = touched.slot(other) {
                    least = least.min(cost + nodes[other as usize].g);
                }
            });
            let is_reached = |known: &Node| known.g.min(known.rhs).is_finite();
            let slot = self.known_slot(node);
            if least.is_infinite()
                && !slot.is_some_and(|slot| is_reached(&self.nodes[slot as usize]))
            {
                continue;
            }
            let slot = self.slot(node);
            let known = &mut self.nodes[slot as usize];
            known.rhs = known.rhs.min(least);
            known.mark |= SUSPECT;
            self.place(graph, slot);
        }
    }

    /// Looks at a suspect node.
    fn settle(&mut self, graph: &mut impl Graph, slot: u32) {
        self.look_ahead(graph, slot);
        let Node { g, rhs, .. } = self.nodes[slot as usize];
        self.changed += usize::from(g != rhs);
        self.place(graph, slot);
    }

    /// The start is at another place, with other transitions.
    pub fn start_moved(&mut self, graph: &mut impl Graph) {
        let slot = self.slot(self.start);
        self.open.remove(slot);
        self.incons.retain(|other| *other != slot);
        self.nodes[slot as usize] = Node {
            mark: KNOWN,
            ..Node::UNKNOWN
        };
        self.look_ahead(graph, slot);
        self.place(graph, slot);
    }

    /// Begins the next search with what is known, within another bound.
    pub fn next_search(&mut self, graph: &impl Graph, epsilon: f64) {
        self.epsilon = epsilon.max(1.0);
        self.search += 1;
        for slot in std::mem::take(&mut self.incons) {
            let node = &mut self.nodes[slot as usize];
            node.mark &= !ASIDE;
            if node.g != node.rhs && !node.is_suspect() {
                self.open.set(slot, (0.0, 0.0));
            }
        }
        let mut open = std::mem::take(&mut self.open);
        open.rekey(|slot, _| self.key(graph, slot));
        self.open = open;
    }

    /// Expands or looks at up to `budget` nodes. Found means within the bound.
    pub fn run(&mut self, graph: &mut impl Graph, budget: usize) -> Progress {
        let start = self.slot(self.start);
        let mut left = budget;
        loop {
            let Node { g, rhs, .. } = self.nodes[start as usize];
            let Some((least, slot)) = self.open.first() else {
                break;
            };
            let own = if g > rhs { (rhs, rhs) } else { (g, g) };
            // The start may stand on a node, at no distance and with an equal key: that one counts.
            if least > own && g == rhs {
                break;
            }
            if left == 0 {
                return Progress::Running;
            }
            left -= 1;
            if self.nodes[slot as usize].is_suspect() {
                self.settle(graph, slot);
            } else {
                self.expand(graph, slot);
            }
        }
        if self.nodes[start as usize].rhs.is_finite() {
            Progress::Found
        } else {
            Progress::Exhausted
        }
    }

    fn expand(&mut self, graph: &mut impl Graph, slot: u32) {
        self.open.remove(slot);
        self.expanded += 1;
        self.current = Some(slot);
        let node = self.touched.node(slot);
        // What is updated reads the graph, too.
        let mut into = std::mem::take(&mut self.into);
        into.clear();
        graph.predecessors(node, |other, cost| into.push((other, cost)));
        let known = &mut self.nodes[slot as usize];
        if known.g > known.rhs {
            known.g = known.rhs;
            known.mark = self.search | KNOWN;
            let g = known.g;
            for &(other, cost) in &into {
                let there = self.slot(other);
                let there_known = &mut self.nodes[there as usize];
                let through = cost + g;
                if other != self.goal && through < there_known.rhs {
                    (there_known.rhs, there_known.next) = (through, slot);
                    self.place(graph, there);
                }
            }
        } else {
            known.g = f64::INFINITY;
            self.look_ahead(graph, slot);
            self.place(graph, slot);
            for &(other, _) in &into {
                let Some(there) = self.known_slot(other) else {
                    continue;
                };
                if self.nodes[there as usize].next == slot {
                    self.look_ahead(graph, there);
                    self.place(graph, there);
                }
            }
        }
        self.into = into;
    }

    #[must_use]
    pub const fn epsilon(&self) -> f64 {
        self.epsilon
    }

    #[must_use]
    pub const fn expanded(&self) -> usize {
        self.expanded
    }

    /// How many nodes the last change of costs was found to have changed, so far.
    #[must_use]
    pub const fn changed(&self) -> usize {
        self.changed
    }

    /// Counts expansions from zero again.
    pub const fn count_anew(&mut self) {
        self.expanded = 0;
    }

    /// Cost of the path from the start; infinite if there is none.
    #[must_use]
    pub fn cost(&self) -> f64 {
        let slot = self.known_slot(self.start);
        slot.map_or(f64::INFINITY, |slot| self.nodes[slot as usize].rhs)
    }

    /// From the start to the goal; empty if there is no path yet.
    #[must_use]
    pub fn path(&self) -> Vec<u32> {
        self.path_from(self.known_slot(self.start))
    }

    /// From the known node that is nearest to the start to the goal: what is known of the path while
    /// none is found.
    #[must_use]
    pub fn partial(&self, graph: &impl Graph) -> Vec<u32> {
        let start = graph.point(self.start);
        let distance = |slot: u32| graph.point(self.touched.node(slot)).distance_squared(start);
        let known =
            (0..self.nodes.len() as u32).filter(|slot| self.nodes[*slot as usize].rhs.is_finite());
        self.path_from(known.min_by(|a, b| distance(*a).total_cmp(&distance(*b))))
    }

    fn path_from(&self, slot: Option<u32>) -> Vec<u32> {
        let Some(slot) = slot.filter(|slot| self.nodes[*slot as usize].rhs.is_finite()) else {
            return Vec::new();
        };
        let next = |slot: &u32| {
            let next = self.nodes[*slot as usize].next;
            (next != NONE).then_some(next)
        };
        std::iter::successors(Some(slot), next)
            .take(self.nodes.len())
            .map(|slot| self.touched.node(slot))
            .collect()
    }

    /// Slot, node, cost to the goal, slot of the one after it and how it stands.
    pub fn known(&self) -> impl Iterator<Item = (u32, u32, f64, Option<u32>, Standing)> {
        let known = self.nodes.iter().zip(0..);
        let known = known.filter(|(node, _)| node.is_known());
        known.map(|(node, slot)| {
            let standing = if node.is_suspect() {
                Standing::Inconsistent
            } else if self.open.contains(slot) {
                Standing::Open
            } else if node.g != node.rhs {
                Standing::Inconsistent
            } else if node.expanded_in() == self.search {
                Standing::Closed
            } else {
                Standing::Kept
            };
            let next = (node.next != NONE).then_some(node.next);
            (
                slot,
                self.touched.node(slot),
                node.g.min(node.rhs),
                next,
                standing,
            )
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

    /// Bytes that grow with what is touched, the open list included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.touched.bytes()
            + self.nodes.len() * (size_of::<Node>() + size_of::<u32>())
            + self.open.len() * size_of::<(Key, u32)>()
    }
}

//! The exact shortest path: A* over intervals that one turning point sees through a portal.

use super::cone::{Border, Sight, touching_segment};
use crate::geometry::predicates::on_segment;
use crate::nav::{CellId, CellMap, Corners, Pinches, Side};
use crate::planner::active_blocks::ActiveBlocks;
use crate::planner::funnel::straighten;
use crate::planner::open_list::{Entry, OpenList};
use crate::planner::places;
use crate::planner::session::{NodeView, Progress, SearchView};
use glam::DVec2;

const NONE: u32 = u32::MAX;

/// A path that reaches a corner by more than this share longer than another is pruned.
const SLACK: f64 = 1e-12;

/// What a root sees of one portal, or the goal.
#[derive(Clone, Copy, Debug)]
struct Node {
    f: f64,
    /// Length of the path to the root. Unit: metres.
    g: f64,
    /// The last turning point, and which corner of the map that is; none for the start.
    root: DVec2,
    vertex: u32,
    parent: u32,
    left: Border,
    right: Border,
    /// Whether the interval reaches the portal's end on that side.
    reaches_left: bool,
    reaches_right: bool,
    /// The side through which a cell is entered, as that cell passes it.
    side: u32,
    kind: Kind,
    /// The portal lies on a border of the cone: it is passed by turning at its nearer end.
    is_edge_on: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Open,
    Closed,
    /// The goal is visible from the root.
    Goal,
}

/// The search with its memory.
#[derive(Clone, Debug, Default)]
pub struct OptimalSearch {
    start: DVec2,
    goal: DVec2,
    nodes: Vec<Node>,
    open: OpenList,
    blocks: ActiveBlocks,
    /// For each vertex, the query in which it was reached and the shortest length then.
    reached: Vec<(u32, f64)>,
    stamp: u32,
    start_cells: Vec<CellId>,
    goal_cells: Vec<CellId>,
    path: Vec<DVec2>,
    expanded: usize,
    /// The largest estimate of a path's length that was looked into. Unit: metres.
    longest: f64,
    current: u32,
    progress: Option<Progress>,
}

impl OptimalSearch {
    /// Starts a new query. Points outside free space have no path.
    pub fn begin(
        &mut self,
        map: &CellMap,
        pinches: &Pinches,
        corners: &Corners,
        start: DVec2,
        goal: DVec2,
    ) {
        self.start = start;
        self.goal = goal;
        self.nodes.clear();
        self.open.clear();
        self.path.clear();
        self.expanded = 0;
        self.longest = start.distance(goal);
        self.current = NONE;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 || self.reached.len() != corners.vertex_count() {
            self.reached.clear();
            self.reached.resize(corners.vertex_count(), (0, 0.0));
            self.stamp = 1;
        }
        pinches.cells_at(map, start, &mut self.start_cells);
        pinches.cells_at(map, goal, &mut self.goal_cells);
        self.progress = Some(Progress::Running);
        if !places::connect(
            map,
            start,
            goal,
            &mut self.start_cells,
            &mut self.goal_cells,
        ) {
            self.progress = Some(Progress::Exhausted);
            return;
        }
        if self.start_cells.iter().any(|c| self.goal_cells.contains(c)) {
            self.path.extend([start, goal]);
            self.progress = Some(Progress::Found);
            return;
        }
        self.blocks
            .find(corners.blocks(), &self.start_cells, &self.goal_cells);
        for i in 0..self.start_cells.len() {
            let around = corners.around(self.start_cells[i]);
            for (side, next) in around.iter().zip(around.iter().cycle().skip(1)) {
                let (right, left) = (side.corner, next.corner);
                // Both cells of a portal that the start lies on are start cells.
                if let Some(across) = self.useful(side)
                    && !on_segment(right, left, start)
                {
                    let node = Node {
                        f: 0.0,
                        g: 0.0,
                        root: start,
                        vertex: NONE,
                        parent: NONE,
                        left: Border::new(start, left),
                        right: Border::new(start, right),
                        reaches_left: true,
                        reaches_right: true,
                        side: across,
                        kind: Kind::Open,
                        is_edge_on: false,
                    };
                    self.push(node, right, left);
                }
            }
        }
    }

    /// The other side of a portal that may lie on the path.
    #[inline]
    fn useful(&self, side: &Side) -> Option<u32> {
        side.across().filter(|_| self.blocks.contains(side.block))
    }

    /// Expands up to `budget` nodes.
    pub fn run(&mut self, corners: &Corners, budget: usize) -> Progress {
        let mut left = budget;
        while self.progress() == Progress::Running && left > 0 {
            let Some(entry) = self.open.pop() else {
                self.progress = Some(Progress::Exhausted);
                break;
            };
            self.longest = self.longest.max(entry.f);
            let node = self.nodes[entry.node as usize];
            if node.kind == Kind::Goal {
                self.finish(entry.node);
                break;
            }
            if self.is_late(node.vertex, node.g) {
                continue;
            }
            left -= 1;
            self.expanded += 1;
            self.current = entry.node;
            self.nodes[entry.node as usize].kind = Kind::Closed;
            self.expand(corners, entry.node);
        }
        self.progress()
    }

    /// Whether a shorter path to that corner is known.
    fn is_late(&self, vertex: u32, g: f64) -> bool {
        let Some(&(stamp, best)) = self.reached.get(vertex as usize) else {
            return false;
        };
        stamp == self.stamp && g > best + SLACK * (1.0 + best)
    }

    /// Records a path to a corner; false if a shorter one is known.
    fn reach(&mut self, vertex: u32, g: f64) -> bool {
        if self.is_late(vertex, g) {
            return false;
        }
        let entry = &mut self.reached[vertex as usize];
        if entry.0 != self.stamp || g < entry.1 {
            *entry = (self.stamp, g);
        }
        true
    }

    fn expand(&mut self, corners: &Corners, index: u32) {
        let node = self.nodes[index as usize];
        let cell = corners.side(node.side).cell;
        let around = corners.around(cell);
        let entry = (node.side - corners.range(cell).start) as usize;
        // Looking into the cell, its corners run from the left end of the entry over the right
        // end and around, from right to left, back to the left end.
        let at = |i: usize| {
            let i = entry + i;
            &around[if i < around.len() {
                i
            } else {
                i - around.len()
            }]
        };
        let (left, right) = (at(0), at(1));
        let (left_end, right_end) = (left.corner, right.corner);
        if self.goal_cells.contains(&cell) {
            self.look_for_goal(index, left_end, right_end);
        }
        let distance = |p: DVec2| node.root.distance_squared(p);
        let passed = distance(left_end).max(distance(right_end));
        // Whether the path can turn at an end, found out when it matters.
        let (mut turn_right, mut turn_left) = (None, None);
        let sights = |p: DVec2| (node.right.as_right(p), node.left.as_left(p));
        let mut known = None;
        for i in 1..around.len() {
            let side = at(i);
            let Some(across) = self.useful(side) else {
                known = None;
                continue;
            };
            let (u, v) = (side.corner, at(i + 1).corner);
            let (u_right, u_left) = known.unwrap_or_else(|| sights(u));
            let (v_right, v_left) = sights(v);
            known = Some((v_right, v_left));
            let template = Node {
                parent: index,
                side: across,
                kind: Kind::Open,
                is_edge_on: false,
                ..node
            };
            let is_hidden = |a, b| a == Sight::Outside || b == Sight::Outside;
            if node.reaches_right
                && is_hidden(u_right, v_right)
                && let Some((vertex, g)) =
                    *turn_right.get_or_insert_with(|| self.turn(corners, &node, right))
            {
                let sees_end = v_right != Sight::Inside;
                let turned = Node {
                    g,
                    root: right_end,
                    vertex,
                    right: Border::new(right_end, u),
                    reaches_right: true,
                    left: if sees_end {
                        Border::new(right_end, v)
                    } else {
                        node.right
                    },
                    reaches_left: sees_end,
                    ..template
                };
                self.push(turned, u, v);
            }
            // Along a line of portals the search only advances, never returns.
            let is_onward = !node.is_edge_on || distance(u).min(distance(v)) >= passed;
            let is_edge_on = is_onward
                && ((u_right, v_right) == (Sight::On, Sight::On)
                    || (u_left, v_left) == (Sight::On, Sight::On));
            if is_edge_on || (v_right == Sight::Inside && u_left == Sight::Inside) {
                let (sees_u, sees_v) = (u_right != Sight::Outside, v_left != Sight::Outside);
                let onward = Node {
                    right: if sees_u {
                        Border::new(node.root, u)
                    } else {
                        node.right
                    },
                    reaches_right: sees_u,
                    left: if sees_v {
                        Border::new(node.root, v)
                    } else {
                        node.left
                    },
                    reaches_left: sees_v,
                    is_edge_on,
                    ..template
                };
                self.push(onward, u, v);
            }
            if node.reaches_left
                && is_hidden(u_left, v_left)
                && let Some((vertex, g)) =
                    *turn_left.get_or_insert_with(|| self.turn(corners, &node, left))
            {
                let sees_end = u_left != Sight::Inside;
                let turned = Node {
                    g,
                    root: left_end,
                    vertex,
                    left: Border::new(left_end, v),
                    reaches_left: true,
                    right: if sees_end {
                        Border::new(left_end, u)
                    } else {
                        node.left
                    },
                    reaches_right: sees_end,
                    ..template
                };
                self.push(turned, u, v);
            }
        }
    }

    /// Turns at an end of the portal: its vertex, and the length of the path to it. `None` if no
    /// shortest path does.
    fn turn(&mut self, corners: &Corners, node: &Node, end: &Side) -> Option<(u32, f64)> {
        if end.corner == node.root || !corners.is_turn(end.vertex) {
            return None;
        }
        let g = node.g + node.root.distance(end.corner);
        self.reach(end.vertex, g).then_some((end.vertex, g))
    }

    fn look_for_goal(&mut self, index: u32, left_end: DVec2, right_end: DVec2) {
        let node = self.nodes[index as usize];
        let by_right = node.right.as_right(self.goal) == Sight::Outside;
        let by_left = node.left.as_left(self.goal) == Sight::Outside;
        let (root, g) = match (by_left, by_right) {
            (false, false) => (node.root, node.g),
            (true, _) if node.reaches_left => (left_end, node.g + node.root.distance(left_end)),
            (_, true) if node.reaches_right => (right_end, node.g + node.root.distance(right_end)),
            // Covered by the root that turned where this interval was cut off.
            _ => return,
        };
        let f = g + root.distance(self.goal);
        self.nodes.push(Node {
            f,
            g,
            root,
            parent: index,
            kind: Kind::Goal,
            ..node
        });
        self.open.push(Entry {
            f,
            g,
            node: self.nodes.len() as u32 - 1,
        });
    }

    /// Opens a node that looks into a cell through a portal from `right` to `left`.
    fn push(&mut self, node: Node, right: DVec2, left: DVec2) {
        let seen = interval(&node, left, right);
        let (rest, _) = touching_segment(node.root, seen[0], seen[1], self.goal);
        // Never less than before: rounding must not make a path appear to get shorter.
        let before = self.nodes.get(node.parent as usize).map_or(0.0, |n| n.f);
        let f = (node.g + rest).max(before);
        self.open.push(Entry {
            f,
            g: node.g,
            node: self.nodes.len() as u32,
        });
        self.nodes.push(Node { f, ..node });
    }

    fn finish(&mut self, last: u32) {
        self.path.clear();
        self.path.push(self.goal);
        let mut next = last;
        while let Some(node) = self.nodes.get(next as usize) {
            if self.path.last() != Some(&node.root) || self.path.len() == 1 {
                self.path.push(node.root);
            }
            next = node.parent;
        }
        self.path.reverse();
        straighten(&mut self.path);
        self.progress = Some(Progress::Found);
    }

    /// The path found; empty before.
    #[must_use]
    pub fn path(&self) -> &[DVec2] {
        &self.path
    }

    #[must_use]
    pub const fn expanded(&self) -> usize {
        self.expanded
    }

    /// No place was read over which every path is longer than this. Unit: metres.
    #[must_use]
    pub const fn longest_considered(&self) -> f64 {
        self.longest
    }

    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress.unwrap_or(Progress::Exhausted)
    }

    #[must_use]
    pub fn view(&self, corners: &Corners) -> SearchView {
        SearchView {
            nodes: self
                .nodes
                .iter()
                .map(|node| {
                    let segment = if node.kind == Kind::Goal {
                        [self.goal; 2]
                    } else {
                        let [left, right] = corners.ends(node.side);
                        interval(node, left, right)
                    };
                    NodeView {
                        point: touching_segment(node.root, segment[0], segment[1], self.goal).1,
                        segment,
                        parent: (node.parent != NONE).then_some(node.parent as usize),
                        from: node.root,
                        is_closed: node.kind == Kind::Closed,
                        is_inconsistent: false,
                        g: node.g,
                        f: node.f,
                    }
                })
                .collect(),
            current: (self.current != NONE).then_some(self.current as usize),
            bound: None,
        }
    }
}

/// The visible part of a portal, from left to right; rounded.
fn interval(node: &Node, left: DVec2, right: DVec2) -> [DVec2; 2] {
    let end = |reaches: bool, end: DVec2, border: &Border| {
        if reaches {
            end
        } else {
            left.lerp(right, border.meets(left, right))
        }
    };
    [
        end(node.reaches_left, left, &node.left),
        end(node.reaches_right, right, &node.right),
    ]
}

//! A* over portals.

use crate::geometry::polygon::closest_on_segment;
use crate::nav::{CellId, CellMap, Node, Pinches, PortalGraph};
use crate::planner::active_blocks::ActiveBlocks;
use crate::planner::funnel::{self, Gate};
use crate::planner::open_list::{Entry, OpenList};
use crate::planner::places;
use crate::planner::session::{NodeView, Progress, SearchView};
use glam::DVec2;

/// Where on its portal a node is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placing {
    /// Lazy while moving away from the goal, greedy while moving towards it.
    Movable,
    /// In the middle, as in the baselines.
    Centre,
}

const START: u32 = u32::MAX;
const GOAL: u32 = u32::MAX - 1;

#[derive(Clone, Copy, Debug)]
struct State {
    /// The query that this state belongs to; states of earlier ones count as unseen.
    stamp: u32,
    is_closed: bool,
    parent: u32,
    /// The cell behind the portal, coming from the parent.
    into: CellId,
    point: DVec2,
    g: f64,
    f: f64,
}

const UNSEEN: State = State {
    stamp: 0,
    is_closed: false,
    parent: START,
    into: CellId(0),
    point: DVec2::ZERO,
    g: 0.0,
    f: 0.0,
};

/// The search with its memory: after a few queries it no longer allocates.
#[derive(Clone, Debug)]
pub struct PortalSearch {
    placing: Placing,
    start: DVec2,
    goal: DVec2,
    stamp: u32,
    states: Vec<State>,
    goal_state: State,
    open: OpenList,
    blocks: ActiveBlocks,
    start_cells: Vec<CellId>,
    goal_cells: Vec<CellId>,
    gates: Vec<Gate>,
    path: Vec<DVec2>,
    expanded: usize,
    /// The largest estimate of a path's length that was looked into. Unit: metres.
    longest: f64,
    current: u32,
    progress: Progress,
}

impl Default for PortalSearch {
    fn default() -> Self {
        Self::new(Placing::Movable)
    }
}

impl PortalSearch {
    #[must_use]
    pub fn new(placing: Placing) -> Self {
        Self {
            placing,
            start: DVec2::ZERO,
            goal: DVec2::ZERO,
            stamp: 0,
            states: Vec::new(),
            goal_state: UNSEEN,
            open: OpenList::default(),
            blocks: ActiveBlocks::default(),
            start_cells: Vec::new(),
            goal_cells: Vec::new(),
            gates: Vec::new(),
            path: Vec::new(),
            expanded: 0,
            longest: 0.0,
            current: START,
            progress: Progress::Exhausted,
        }
    }

    /// Applies to queries from now on.
    pub const fn set_placing(&mut self, placing: Placing) {
        self.placing = placing;
    }

    /// Starts a new query. Points outside free space have no path.
    pub fn begin(
        &mut self,
        map: &CellMap,
        pinches: &Pinches,
        graph: &PortalGraph,
        start: DVec2,
        goal: DVec2,
    ) {
        self.start = start;
        self.goal = goal;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 || self.states.len() != graph.nodes.len() {
            self.states.clear();
            self.states.resize(graph.nodes.len(), UNSEEN);
            self.stamp = 1;
        }
        self.open.clear();
        self.path.clear();
        self.gates.clear();
        self.expanded = 0;
        self.longest = start.distance(goal);
        self.current = START;
        self.goal_state = UNSEEN;
        self.progress = Progress::Running;
        pinches.cells_at(map, start, &mut self.start_cells);
        pinches.cells_at(map, goal, &mut self.goal_cells);
        if !places::connect(
            map,
            start,
            goal,
            &mut self.start_cells,
            &mut self.goal_cells,
        ) {
            self.progress = Progress::Exhausted;
            return;
        }
        if self.start_cells.iter().any(|c| self.goal_cells.contains(c)) {
            self.path.extend([start, goal]);
            self.progress = Progress::Found;
            return;
        }
        self.blocks
            .find(&graph.blocks, &self.start_cells, &self.goal_cells);
        for i in 0..self.start_cells.len() {
            self.open_around(graph, self.start_cells[i], START, start, 0.0);
        }
    }

    /// Expands up to `budget` nodes.
    pub fn run(&mut self, map: &CellMap, graph: &PortalGraph, budget: usize) -> Progress {
        let mut left = budget;
        while self.progress == Progress::Running && left > 0 {
            let Some(entry) = self.open.pop() else {
                self.progress = Progress::Exhausted;
                break;
            };
            self.longest = self.longest.max(entry.f);
            if entry.node == GOAL {
                self.finish(map, graph);
                break;
            }
            let state = &mut self.states[entry.node as usize];
            if state.is_closed || entry.f != state.f {
                continue;
            }
            state.is_closed = true;
            left -= 1;
            self.expanded += 1;
            self.current = entry.node;
            let State { into, point, g, .. } = *state;
            if self.goal_cells.contains(&into) {
                let f = g + point.distance(self.goal);
                if self.goal_state.stamp == 0 || f < self.goal_state.f {
                    self.goal_state = State {
                        stamp: self.stamp,
                        is_closed: true,
                        parent: entry.node,
                        into,
                        point: self.goal,
                        g: f,
                        f,
                    };
                    self.open.push(Entry {
                        f,
                        g: f,
                        node: GOAL,
                    });
                }
            }
            self.open_around(graph, into, entry.node, point, g);
        }
        self.progress
    }

    fn open_around(&mut self, graph: &PortalGraph, cell: CellId, parent: u32, from: DVec2, g: f64) {
        let portal = graph.nodes.get(parent as usize).map(|node| node.portal);
        for &index in graph.around(cell) {
            let node = &graph.nodes[index as usize];
            let state = &mut self.states[index as usize];
            let is_seen = state.stamp == self.stamp;
            if (is_seen && state.is_closed)
                || Some(node.portal) == portal
                || !self.blocks.contains(node.block)
            {
                continue;
            }
            let point = place(self.placing, node, cell, from, self.goal);
            let g = g + from.distance(point);
            let f = g + point.distance(self.goal);
            if is_seen && state.f <= f {
                continue;
            }
            let into = node.cells[usize::from(node.cells[0] == cell)];
            *state = State {
                stamp: self.stamp,
                is_closed: false,
                parent,
                into,
                point,
                g,
                f,
            };
            self.open.push(Entry { f, g, node: index });
        }
    }

    fn finish(&mut self, map: &CellMap, graph: &PortalGraph) {
        self.gates.clear();
        let mut next = self.goal_state.parent;
        while let Some(node) = graph.nodes.get(next as usize) {
            let state = &self.states[next as usize];
            let [left, right] = map.portal(node.portal).ends;
            self.gates.push(if node.cells[1] == state.into {
                Gate { left, right }
            } else {
                Gate {
                    left: right,
                    right: left,
                }
            });
            next = state.parent;
        }
        self.gates.reverse();
        funnel::shortest(self.start, self.goal, &self.gates, &mut self.path);
        self.progress = Progress::Found;
    }

    /// The path found; empty before.
    #[must_use]
    pub fn path(&self) -> &[DVec2] {
        &self.path
    }

    /// The portals that the path passes.
    #[must_use]
    pub fn gates(&self) -> &[Gate] {
        &self.gates
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
    pub const fn progress(&self) -> Progress {
        self.progress
    }

    #[must_use]
    pub fn view(&self, graph: &PortalGraph) -> SearchView {
        let seen: Vec<usize> = (0..self.states.len())
            .filter(|i| self.states[*i].stamp == self.stamp)
            .collect();
        let position = |node: u32| seen.binary_search(&(node as usize)).ok();
        SearchView {
            nodes: seen
                .iter()
                .map(|&i| {
                    let state = &self.states[i];
                    let parent = position(state.parent);
                    NodeView {
                        point: state.point,
                        segment: graph.nodes[i].ends,
                        parent,
                        from: parent.map_or(self.start, |p| self.states[seen[p]].point),
                        is_closed: state.is_closed,
                        is_inconsistent: false,
                        g: state.g,
                        f: state.f,
                    }
                })
                .collect(),
            current: position(self.current),
            bound: None,
        }
    }
}

/// Where a node is placed when it is reached from `from`, through `cell`.
fn place(placing: Placing, node: &Node, cell: CellId, from: DVec2, goal: DVec2) -> DVec2 {
    let [a, b] = node.ends;
    if placing == Placing::Centre {
        return a.midpoint(b);
    }
    let along = b - a;
    // The ends are left and right as seen from the first cell: ahead is left of `along`.
    let ahead = if node.cells[0] == cell {
        along.perp()
    } else {
        -along.perp()
    };
    let (to_portal, to_goal) = ((a - from).dot(ahead), (goal - from).dot(ahead));
    // Towards the goal: where the straight line to it meets the portal's line, clamped to the
    // portal. Away from it: the closest point of the portal.
    let wanted = if to_goal > 0.0 {
        from + (goal - from) * (to_portal / to_goal).clamp(0.0, 1.0)
    } else {
        from
    };
    if a.y == b.y {
        // Between trapezoids, portals are horizontal.
        return DVec2::new(wanted.x.max(a.x.min(b.x)).min(a.x.max(b.x)), a.y);
    }
    closest_on_segment(a, b, wanted)
}

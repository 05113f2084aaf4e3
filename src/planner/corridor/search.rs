//! Paths along the edges of a corridor map.

use crate::jobs::{Cancelled, JobContext};
use crate::nav::corridor::{AxisPoint, CorridorMap, EdgeId, Sample, VertexId};
use crate::planner::open_list::{Entry, OpenList};
use crate::planner::session::{CANCEL_INTERVAL, NodeView, Progress, SearchView};
use glam::DVec2;

/// Length factor of edges that are too narrow for the safe distance: a detour is taken wherever
/// there is one.
const TIGHT: f64 = 1000.0;

/// A part of an edge, walked from one length along it to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stretch {
    pub edge: EdgeId,
    pub from: f64,
    pub to: f64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct AxisPath {
    pub stretches: Vec<Stretch>,
    /// Parts of it are too narrow for the safe distance.
    pub is_tight: bool,
    /// Expanded vertices.
    pub expanded: usize,
}

/// Required width of a path.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Need {
    /// For the body.
    pub least: f64,
    /// With the safe distance. Does not apply from the start to its first vertex and from the last
    /// one to the goal.
    pub wanted: f64,
}

/// Whether a step can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    Wide,
    Tight,
    Closed,
}

/// The search graph: the start, all vertices, the goal.
struct Step {
    to: u32,
    stretch: Stretch,
}

struct Places<'a> {
    map: &'a CorridorMap,
    from: (AxisPoint, f64),
    to: (AxisPoint, f64),
}

impl Places<'_> {
    fn start(&self) -> u32 {
        self.map.vertices().len() as u32
    }

    fn goal(&self) -> u32 {
        self.start() + 1
    }

    fn steps(&self, node: u32) -> Vec<Step> {
        let mut steps = Vec::new();
        let (start, along) = &self.from;
        let (goal, goal_along) = &self.to;
        let stretch = |edge, from, to| Stretch { edge, from, to };
        if node == self.start() {
            let edge = self.map.edge(start.edge);
            for (end, to) in edge.ends.iter().zip([0.0, edge.length]) {
                let stretch = stretch(start.edge, *along, to);
                steps.push(Step { to: end.0, stretch });
            }
            if goal.edge == start.edge {
                let stretch = stretch(start.edge, *along, *goal_along);
                steps.push(Step {
                    to: self.goal(),
                    stretch,
                });
            }
            return steps;
        }
        for &id in self.map.edges_at(VertexId(node)) {
            let edge = self.map.edge(id);
            for (side, end) in edge.ends.iter().enumerate() {
                if end.0 != node {
                    continue;
                }
                let ends = [0.0, edge.length];
                let (from, to) = (ends[side], ends[1 - side]);
                steps.push(Step {
                    to: edge.ends[1 - side].0,
                    stretch: stretch(id, from, to),
                });
                if id == goal.edge {
                    steps.push(Step {
                        to: self.goal(),
                        stretch: stretch(id, from, *goal_along),
                    });
                }
            }
        }
        steps
    }

    fn width(&self, node: u32, step: &Step, need: Need) -> Width {
        if node == self.start() || step.to == self.goal() {
            let Stretch { edge, from, to } = step.stretch;
            // Points on chords are off by the sag; whole samples are exact.
            let slack = 2.0 * crate::nav::corridor::MAX_SAG;
            return if self.map.narrowest(edge, from, to).clearance >= need.least - slack {
                Width::Wide
            } else {
                Width::Closed
            };
        }
        let clearance = self.map.edge(step.stretch.edge).min_clearance;
        if clearance >= need.wanted {
            Width::Wide
        } else if clearance >= need.least {
            Width::Tight
        } else {
            Width::Closed
        }
    }

    /// Position of a node.
    fn point(&self, node: u32) -> DVec2 {
        if node == self.start() {
            self.from.0.point
        } else if node == self.goal() {
            self.to.0.point
        } else {
            self.map.vertex(VertexId(node)).point
        }
    }
}

fn places<'a>(map: &'a CorridorMap, from: &AxisPoint, to: &AxisPoint) -> Places<'a> {
    Places {
        map,
        from: (*from, map.along(from)),
        to: (*to, map.along(to)),
    }
}

/// State of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// Weighted length from the start, and with the straight line to the goal.
    g: f64,
    f: f64,
    came: Option<(u32, Stretch)>,
    /// The query in which it was reached last.
    stamp: u32,
    is_closed: bool,
    /// A part of the path here is too narrow for the safe distance.
    is_tight: bool,
    /// Position in the order in which nodes were reached.
    order: u32,
}

/// A* for the shortest path along the axis, step by step.
#[derive(Clone, Debug, Default)]
pub struct AxisSearch {
    ends: Option<[AxisPoint; 2]>,
    need: Need,
    /// The current query; nodes of earlier ones count as unreached.
    stamp: u32,
    nodes: Vec<Node>,
    /// Nodes in the order in which they were reached.
    reached: Vec<u32>,
    open: OpenList,
    current: Option<u32>,
    expanded: usize,
}

impl AxisSearch {
    pub(super) fn begin(
        &mut self,
        map: &CorridorMap,
        from: &AxisPoint,
        to: &AxisPoint,
        need: Need,
    ) {
        let places = places(map, from, to);
        self.ends = Some([*from, *to]);
        self.need = need;
        let count = places.goal() as usize + 1;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 || self.nodes.len() != count {
            self.nodes.clear();
            self.nodes.resize(count, Node::default());
            self.stamp = 1;
        }
        self.reached.clear();
        self.open.clear();
        self.current = None;
        self.expanded = 0;
        let start = Node {
            f: from.point.distance(to.point),
            ..Node::default()
        };
        self.reach(places.start(), start);
    }

    /// State of a node in this query.
    fn known(&self, id: u32) -> Option<&Node> {
        let node = self.nodes.get(id as usize)?;
        (node.stamp == self.stamp).then_some(node)
    }

    fn reach(&mut self, id: u32, node: Node) {
        let known = &mut self.nodes[id as usize];
        let order = if known.stamp == self.stamp {
            known.order
        } else {
            self.reached.push(id);
            self.reached.len() as u32 - 1
        };
        *known = Node {
            stamp: self.stamp,
            order,
            ..node
        };
        self.open.push(Entry {
            f: node.f,
            g: node.g,
            node: id,
        });
    }

    /// Expands up to `budget` vertices.
    pub fn run(&mut self, map: &CorridorMap, budget: usize) -> Progress {
        let Some([from, to]) = self.ends else {
            return Progress::Exhausted;
        };
        let places = places(map, &from, &to);
        let mut left = budget;
        loop {
            let Some(entry) = self.open.pop() else {
                return Progress::Exhausted;
            };
            let here = self.nodes[entry.node as usize];
            if here.is_closed {
                continue;
            }
            if entry.node == places.goal() || left == 0 {
                // Stays in the list, so that a repeated call finds it again.
                self.open.push(entry);
                return if entry.node == places.goal() {
                    Progress::Found
                } else {
                    Progress::Running
                };
            }
            left -= 1;
            self.expanded += 1;
            self.current = Some(entry.node);
            self.nodes[entry.node as usize].is_closed = true;
            for step in places.steps(entry.node) {
                let known = self.known(step.to).copied();
                if known.is_some_and(|known| known.is_closed) {
                    continue;
                }
                let width = places.width(entry.node, &step, self.need);
                let length = (step.stretch.to - step.stretch.from).abs();
                let weight = match width {
                    Width::Wide => 1.0,
                    Width::Tight => TIGHT,
                    Width::Closed => continue,
                };
                let g = here.g + length * weight;
                if known.is_some_and(|known| g >= known.g) {
                    continue;
                }
                let next = Node {
                    g,
                    f: g + places.point(step.to).distance(to.point),
                    came: Some((entry.node, step.stretch)),
                    is_tight: here.is_tight || width == Width::Tight,
                    ..Node::default()
                };
                self.reach(step.to, next);
            }
        }
    }

    pub const fn expanded(&self) -> usize {
        self.expanded
    }

    /// The path found; `None` before.
    pub(super) fn path(&self) -> Option<AxisPath> {
        let goal = *self.known(self.nodes.len().checked_sub(1)? as u32)?;
        let mut stretches = Vec::new();
        let mut node = goal;
        while let Some((before, stretch)) = node.came {
            stretches.push(stretch);
            node = self.nodes[before as usize];
        }
        stretches.reverse();
        Some(AxisPath {
            stretches,
            is_tight: goal.is_tight,
            expanded: self.expanded,
        })
    }

    pub fn view(&self, map: &CorridorMap) -> SearchView {
        let Some([from, to]) = self.ends else {
            return SearchView::default();
        };
        let places = places(map, &from, &to);
        let order = |id: u32| self.nodes[id as usize].order as usize;
        let view = |id: &u32| {
            let node = &self.nodes[*id as usize];
            let point = places.point(*id);
            NodeView {
                point,
                segment: [point; 2],
                parent: node.came.map(|(before, _)| order(before)),
                from: node.came.map_or(point, |(before, _)| places.point(before)),
                is_closed: node.is_closed,
                is_inconsistent: false,
                g: node.g,
                f: node.f,
            }
        };
        SearchView {
            nodes: self.reached.iter().map(view).collect(),
            current: self.current.map(order),
            bound: None,
        }
    }
}

/// The shortest path along the axis; `None` if there is none wide enough.
pub(super) fn shortest(
    map: &CorridorMap,
    from: &AxisPoint,
    to: &AxisPoint,
    need: Need,
) -> Option<AxisPath> {
    let mut search = AxisSearch::default();
    search.begin(map, from, to, need);
    match search.run(map, usize::MAX) {
        Progress::Found => search.path(),
        Progress::Running | Progress::Exhausted => None,
    }
}

/// Largest number of vertices searched for the widest path: larger maps are not searched for an
/// explanation.
const MOST_VERTICES: usize = 400_000;

/// Width of the widest path between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Widest {
    /// Its bottleneck.
    Narrowest(Sample),
    /// Not connected at any width.
    Separated,
    /// Too expensive to find out.
    TooLarge,
}

/// The bottleneck of the widest path between two points of the axis.
///
/// # Errors
/// The job was cancelled.
pub fn widest_path(
    map: &CorridorMap,
    from: &AxisPoint,
    to: &AxisPoint,
    ctx: &JobContext,
) -> Result<Widest, Cancelled> {
    let places = places(map, from, to);
    let count = places.goal() as usize + 1;
    if count > MOST_VERTICES {
        return Ok(Widest::TooLarge);
    }
    let mut widest: Vec<Option<Sample>> = vec![None; count];
    let mut is_closed = vec![false; count];
    let mut open = OpenList::default();
    let first = map.sample_at(from.sample, from.share);
    // Widest first; the open list pops the least, and keys must not be negative.
    let most = map.extent().size().length();
    let entry = |sample: &Sample, node: u32| Entry {
        f: (most - sample.clearance).max(0.0),
        g: 0.0,
        node,
    };
    widest[places.start() as usize] = Some(first);
    open.push(entry(&first, places.start()));
    let mut expanded = 0_usize;
    while let Some(Entry { node, .. }) = open.pop() {
        let Some(here) = widest[node as usize] else {
            continue;
        };
        if std::mem::replace(&mut is_closed[node as usize], true) {
            continue;
        }
        if node == places.goal() {
            return Ok(Widest::Narrowest(here));
        }
        if expanded.is_multiple_of(CANCEL_INTERVAL) {
            ctx.checkpoint()?;
        }
        expanded += 1;
        for step in places.steps(node) {
            let Stretch { edge, from, to } = step.stretch;
            let narrowest = map.narrowest(edge, from, to);
            let least = if narrowest.clearance < here.clearance {
                narrowest
            } else {
                here
            };
            let best = &mut widest[step.to as usize];
            if least.clearance > 0.0 && best.is_none_or(|b| least.clearance > b.clearance) {
                *best = Some(least);
                open.push(entry(&least, step.to));
            }
        }
    }
    Ok(Widest::Separated)
}

/// Joins stretches and drops parts where the path turns back on an edge.
pub(super) fn without_turns_back(stretches: impl IntoIterator<Item = Stretch>) -> Vec<Stretch> {
    let mut joined: Vec<Stretch> = Vec::new();
    for next in stretches {
        let goes_on =
            |last: &&mut Stretch| last.edge == next.edge && (last.to - next.from).abs() < 1e-9;
        if let Some(last) = joined.last_mut().filter(goes_on) {
            last.to = next.to;
            if last.from == last.to && joined.len() > 1 {
                joined.pop();
            }
        } else if next.from != next.to || joined.is_empty() {
            joined.push(next);
        }
    }
    joined
}

/// The samples along stretches, without repetitions.
pub(super) fn samples(map: &CorridorMap, stretches: &[Stretch]) -> Vec<Sample> {
    let mut all = Vec::new();
    for stretch in stretches {
        map.stretch_into(stretch.edge, stretch.from, stretch.to, &mut all);
    }
    all.dedup_by(|next, last| {
        let near = |a: DVec2, b: DVec2| a.distance(b) <= 1e-9;
        near(next.point, last.point) && near(next.left, last.left) && near(next.right, last.right)
    });
    all
}

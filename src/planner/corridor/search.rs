//! Ways along the edges of a map.

use crate::nav::corridor::{AxisPoint, CorridorMap, EdgeId, Sample, VertexId};
use crate::planner::open_list::{Entry, OpenList};
use crate::planner::{NodeView, Progress, SearchView};
use glam::DVec2;

/// How much longer an edge counts that is too narrow for the safe distance: a way around is
/// taken wherever there is one.
const TIGHT: f64 = 1000.0;

/// A part of an edge, walked from one length along it to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stretch {
    pub edge: EdgeId,
    pub from: f64,
    pub to: f64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Way {
    pub stretches: Vec<Stretch>,
    /// Parts of it are too narrow for the safe distance.
    pub is_tight: bool,
    /// Vertices taken from the open list.
    pub expanded: usize,
}

/// How wide the way must be.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Need {
    /// For the body.
    pub least: f64,
    /// With the safe distance. Not asked for from the start to its first vertex and from the last
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

/// A walk between the places: the start, any vertex, the goal.
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
            // Places on chords are off by the sag; whole samples are exact.
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

    /// Where a node is.
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

/// What is known of a place.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// Weighted length from the start, and with the straight line to the goal.
    g: f64,
    f: f64,
    came: Option<(u32, Stretch)>,
    is_reached: bool,
    is_closed: bool,
    /// A part of the way here is too narrow for the safe distance.
    is_tight: bool,
    /// Position in the order in which places were reached.
    order: u32,
}

/// A* for the shortest way along the axis, taken step by step.
#[derive(Clone, Debug, Default)]
pub(super) struct AxisSearch {
    ends: Option<[AxisPoint; 2]>,
    need: Need,
    nodes: Vec<Node>,
    /// Nodes in the order in which they were reached.
    reached: Vec<u32>,
    open: OpenList,
    current: Option<u32>,
    expanded: usize,
}

impl AxisSearch {
    pub fn begin(&mut self, map: &CorridorMap, from: &AxisPoint, to: &AxisPoint, need: Need) {
        let places = places(map, from, to);
        self.ends = Some([*from, *to]);
        self.need = need;
        self.nodes.clear();
        self.nodes
            .resize(places.goal() as usize + 1, Node::default());
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

    fn reach(&mut self, id: u32, node: Node) {
        let known = &mut self.nodes[id as usize];
        let order = if known.is_reached {
            known.order
        } else {
            self.reached.push(id);
            self.reached.len() as u32 - 1
        };
        *known = Node {
            is_reached: true,
            order,
            ..node
        };
        self.open.push(Entry {
            f: node.f,
            g: node.g,
            node: id,
        });
    }

    /// Takes up to `budget` vertices from the open list.
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
                // To be found again when asked again.
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
                let known = &self.nodes[step.to as usize];
                if known.is_closed {
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
                if known.is_reached && g >= known.g {
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

    /// The way that was found; `None` before it is.
    pub fn way(&self) -> Option<Way> {
        let goal = self.nodes.len().checked_sub(1)?;
        let mut stretches = Vec::new();
        let mut node = self.nodes[goal];
        while let Some((before, stretch)) = node.came {
            stretches.push(stretch);
            node = self.nodes[before as usize];
        }
        stretches.reverse();
        self.nodes[goal].is_reached.then(|| Way {
            stretches,
            is_tight: self.nodes[goal].is_tight,
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
                g: node.g,
                f: node.f,
            }
        };
        SearchView {
            nodes: self.reached.iter().map(view).collect(),
            current: self.current.map(order),
        }
    }
}

/// The shortest way along the axis; `None` if there is none wide enough.
pub(super) fn shortest(
    map: &CorridorMap,
    from: &AxisPoint,
    to: &AxisPoint,
    need: Need,
) -> Option<Way> {
    let mut search = AxisSearch::default();
    search.begin(map, from, to, need);
    match search.run(map, usize::MAX) {
        Progress::Found => search.way(),
        Progress::Running | Progress::Exhausted => None,
    }
}

/// The narrowest place of the widest way; `None` if there is no way for anybody.
pub(super) fn bottleneck(map: &CorridorMap, from: &AxisPoint, to: &AxisPoint) -> Option<Sample> {
    let places = places(map, from, to);
    let count = places.goal() as usize + 1;
    let mut widest: Vec<Option<Sample>> = vec![None; count];
    let mut is_closed = vec![false; count];
    let mut open = OpenList::default();
    let first = map.sample_at(from.sample, from.share);
    // Widest first; the open list takes the least, and nothing below 0.
    let most = map.extent().size().length();
    let entry = |sample: &Sample, node: u32| Entry {
        f: (most - sample.clearance).max(0.0),
        g: 0.0,
        node,
    };
    widest[places.start() as usize] = Some(first);
    open.push(entry(&first, places.start()));
    while let Some(Entry { node, .. }) = open.pop() {
        let here = widest[node as usize]?;
        if std::mem::replace(&mut is_closed[node as usize], true) {
            continue;
        }
        if node == places.goal() {
            return Some(here);
        }
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
    None
}

/// Joins stretches; where the way turns back on an edge, that part is left out.
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

/// The samples along stretches, those that repeat the one before left out.
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

//! Ways along the edges of a map.

use crate::nav::corridor::{AxisPoint, CorridorMap, EdgeId, Sample, VertexId};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

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
    /// Vertices taken from the open list.
    pub expanded: usize,
}

/// Entry of the open list: least key first, then least node.
#[derive(PartialEq)]
struct Open {
    key: f64,
    node: u32,
}

impl Eq for Open {}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_key = other.key.total_cmp(&self.key);
        by_key.then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// How wide the way must be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Need {
    /// On whole edges.
    pub edges: f64,
    /// From the start to its first vertex and from the last one to the goal.
    pub ends: f64,
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

    fn is_wide(&self, node: u32, step: &Step, need: Need) -> bool {
        if node == self.start() || step.to == self.goal() {
            let Stretch { edge, from, to } = step.stretch;
            // Places on chords are off by the sag; whole samples are exact.
            let slack = 2.0 * crate::nav::corridor::MAX_SAG;
            self.map.narrowest(edge, from, to).clearance >= need.ends - slack
        } else {
            self.map.edge(step.stretch.edge).min_clearance >= need.edges
        }
    }

    /// Stretches to the goal from the last steps taken to each node.
    fn traced(&self, came: &[Option<(u32, Stretch)>]) -> Option<Vec<Stretch>> {
        let mut stretches = Vec::new();
        let mut node = self.goal();
        while node != self.start() {
            let (before, stretch) = came[node as usize]?;
            stretches.push(stretch);
            node = before;
        }
        stretches.reverse();
        Some(stretches)
    }
}

fn places<'a>(map: &'a CorridorMap, from: &AxisPoint, to: &AxisPoint) -> Places<'a> {
    Places {
        map,
        from: (*from, map.along(from)),
        to: (*to, map.along(to)),
    }
}

/// The shortest way along the axis, by A*.
pub(super) fn shortest(
    map: &CorridorMap,
    from: &AxisPoint,
    to: &AxisPoint,
    need: Need,
) -> Option<Way> {
    let places = places(map, from, to);
    let count = places.goal() as usize + 1;
    let mut costs = vec![f64::INFINITY; count];
    let mut came: Vec<Option<(u32, Stretch)>> = vec![None; count];
    let mut open = BinaryHeap::new();
    let mut is_closed = vec![false; count];
    let mut expanded = 0;
    costs[places.start() as usize] = 0.0;
    open.push(Open {
        key: 0.0,
        node: places.start(),
    });
    while let Some(Open { node, .. }) = open.pop() {
        if std::mem::replace(&mut is_closed[node as usize], true) {
            continue;
        }
        if node == places.goal() {
            let stretches = places.traced(&came)?;
            return Some(Way {
                stretches,
                expanded,
            });
        }
        expanded += 1;
        for step in places.steps(node) {
            let length = (step.stretch.to - step.stretch.from).abs();
            let cost = costs[node as usize] + length;
            if cost >= costs[step.to as usize] || !places.is_wide(node, &step, need) {
                continue;
            }
            costs[step.to as usize] = cost;
            came[step.to as usize] = Some((node, step.stretch));
            let ahead = if step.to == places.goal() {
                0.0
            } else {
                map.vertex(VertexId(step.to)).point.distance(to.point)
            };
            open.push(Open {
                key: cost + ahead,
                node: step.to,
            });
        }
    }
    None
}

/// The narrowest place of the widest way; `None` if there is no way for anybody.
pub(super) fn bottleneck(map: &CorridorMap, from: &AxisPoint, to: &AxisPoint) -> Option<Sample> {
    let places = places(map, from, to);
    let count = places.goal() as usize + 1;
    let mut widest: Vec<Option<Sample>> = vec![None; count];
    let mut is_closed = vec![false; count];
    let mut open = BinaryHeap::new();
    let first = map.sample_at(from.sample, from.share);
    widest[places.start() as usize] = Some(first);
    open.push(Open {
        key: -first.clearance,
        node: places.start(),
    });
    while let Some(Open { node, .. }) = open.pop() {
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
                open.push(Open {
                    key: -least.clearance,
                    node: step.to,
                });
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
        let near = |a: glam::DVec2, b: glam::DVec2| a.distance(b) <= 1e-9;
        near(next.point, last.point) && near(next.left, last.left) && near(next.right, last.right)
    });
    all
}

//! A* on the dual of the triangulation (paper, §4 and Fig. 6).

use crate::nav::CellMap;
use crate::nav::terrain::{BLOCKED, TerrainMap, TriangleId, Weights};
use crate::planner::open_list::{Entry, OpenList};
use glam::DVec2;

/// How near to an end of a side it is crossed at most, as a share of its length.
const SIDE_MARGIN: f64 = 0.1;

/// Beyond its radius from every wall, as a share of it and at least, a disc certainly fits: its
/// free space is drawn with corners instead of arcs. What is nearer is looked up.
const ROOM: f64 = 0.1;
const LEAST_ROOM: f64 = 0.02;

#[derive(Clone, Copy, Debug)]
struct Visit {
    /// Which search it belongs to: older ones count as not visited.
    stamp: u32,
    cost: f64,
    from: u32,
    /// Where the side between `from` and here is crossed.
    crossing: DVec2,
    is_closed: bool,
}

/// Keeps its memory from search to search.
#[derive(Clone, Debug, Default)]
pub struct DualSearch {
    open: OpenList,
    visits: Vec<Visit>,
    stamp: u32,
    expanded: usize,
}

impl DualSearch {
    /// Triangles taken from the open list by the last search.
    #[must_use]
    pub const fn expanded(&self) -> usize {
        self.expanded
    }

    /// The cheapest chain of triangles between two places, as the places at which their sides are
    /// crossed. An edge of the dual joins the middles of two triangles and costs
    /// w(T_u)·‖e_u‖ + w(T_v)·‖e_v‖.
    ///
    /// For discs, sides are crossed where their centre may be; what lies between crossings may
    /// still be too narrow. `None` where no chain leads.
    pub fn route(
        &mut self,
        terrain: &TerrainMap,
        weights: &Weights,
        cells: Option<&CellMap>,
        radius: f64,
        start: DVec2,
        goal: DVec2,
    ) -> Option<Vec<DVec2>> {
        let mesh = terrain.mesh();
        self.expanded = 0;
        self.open.clear();
        let (first, last) = (mesh.locate(start, None)?, mesh.locate(goal, None)?);
        self.stamp = self.stamp.wrapping_add(1);
        let unvisited = Visit {
            stamp: self.stamp.wrapping_sub(1),
            cost: f64::INFINITY,
            from: u32::MAX,
            crossing: DVec2::ZERO,
            is_closed: false,
        };
        if self.visits.len() != mesh.len() || self.stamp == 0 {
            self.visits.clear();
            self.visits.resize(mesh.len(), unvisited);
        }
        let middle = |triangle: TriangleId| {
            if triangle == first {
                start
            } else if triangle == last {
                goal
            } else {
                mesh.triangle_middle(triangle)
            }
        };
        let weight = |triangle: TriangleId| match mesh.triangle_kind(triangle) {
            BLOCKED => f64::INFINITY,
            kind => weights.get(kind),
        };
        let estimate = |triangle: TriangleId| weights.least() * middle(triangle).distance(goal);
        self.visits[first.0 as usize] = Visit {
            stamp: self.stamp,
            cost: 0.0,
            crossing: start,
            ..unvisited
        };
        self.open.push(Entry {
            f: estimate(first),
            g: 0.0,
            node: first.0,
        });
        while let Some(entry) = self.open.pop() {
            let here = TriangleId(entry.node);
            let visit = &mut self.visits[entry.node as usize];
            if visit.is_closed {
                continue;
            }
            visit.is_closed = true;
            let cost = visit.cost;
            self.expanded += 1;
            if here == last {
                return Some(self.chain(first, last, start, goal));
            }
            let (from, here_weight) = (middle(here), weight(here));
            for (side, next) in mesh.triangles_beside(here).into_iter().enumerate() {
                let Some(next) = next else { continue };
                let next_weight = weight(next);
                if !(next_weight.is_finite() && (here_weight.is_finite() || here == first)) {
                    continue;
                }
                let known = &self.visits[next.0 as usize];
                let (from, to) = (from, middle(next));
                let lighter = next_weight.min(here_weight);
                // No crossing makes the way shorter than straight, nor lighter.
                if known.stamp == self.stamp
                    && (known.is_closed || cost + lighter * from.distance(to) >= known.cost)
                {
                    continue;
                }
                let ends = mesh.triangle_side(here, side);
                let is_free = |place: DVec2| {
                    cells.is_none_or(|cells| {
                        mesh.is_clear_of_walls(place, radius + (ROOM * radius).max(LEAST_ROOM))
                            || cells.locate(place).is_some()
                    })
                };
                let Some(crossing) = crossing(ends, from, to, is_free, radius) else {
                    continue;
                };
                let here_weight = if here_weight.is_finite() {
                    here_weight
                } else {
                    next_weight
                };
                let next_cost = cost
                    + here_weight * from.distance(crossing)
                    + next_weight * crossing.distance(to);
                let visit = &mut self.visits[next.0 as usize];
                if visit.stamp != self.stamp {
                    *visit = Visit {
                        stamp: self.stamp,
                        ..unvisited
                    };
                }
                if !visit.is_closed && next_cost < visit.cost {
                    visit.cost = next_cost;
                    visit.from = here.0;
                    visit.crossing = crossing;
                    self.open.push(Entry {
                        f: next_cost + estimate(next),
                        g: next_cost,
                        node: next.0,
                    });
                }
            }
        }
        None
    }

    fn chain(&self, first: TriangleId, last: TriangleId, start: DVec2, goal: DVec2) -> Vec<DVec2> {
        let mut points = vec![goal];
        let mut here = last;
        while here != first {
            let visit = &self.visits[here.0 as usize];
            points.push(visit.crossing);
            here = TriangleId(visit.from);
        }
        points.push(start);
        points.reverse();
        points.dedup();
        points
    }
}

/// Where the line between two middles crosses a side, away from its ends; `None` where a disc
/// cannot.
fn crossing(
    ends: [DVec2; 2],
    from: DVec2,
    to: DVec2,
    is_free: impl Fn(DVec2) -> bool,
    radius: f64,
) -> Option<DVec2> {
    let along = ends[1] - ends[0];
    let length = along.length();
    let share = (from - ends[0]).perp_dot(to - from) / along.perp_dot(to - from);
    let share = if share.is_finite() { share } else { 0.5 };
    let margin = (1.05 * radius / length).clamp(SIDE_MARGIN, 0.5);
    let at = |share: f64| ends[0] + along * share;
    let place = at(share.clamp(margin, 1.0 - margin));
    [place, at(0.5), at(0.25), at(0.75)]
        .into_iter()
        .find(|place| is_free(*place))
}

//! A* on the dual of the triangulation (paper, §4 and Fig. 6).

use crate::nav::CellMap;
use crate::nav::terrain::{BLOCKED, TerrainMap, TerrainMesh, TriangleId, Weights};
use crate::planner::open_list::{Entry, OpenList};
use crate::planner::session::Progress;
use glam::DVec2;

/// Smallest distance between a crossing and the ends of its side, as a share of the side's length.
const SIDE_MARGIN: f64 = 0.1;

/// A disc certainly fits beyond this distance from every wall, as a share of its radius: free space
/// has corners instead of arcs. Closer points are looked up.
const ROOM: f64 = 0.1;
const LEAST_ROOM: f64 = 0.02;

#[derive(Clone, Copy, Debug)]
struct Visit {
    /// The search it belongs to: entries of older searches count as unvisited.
    stamp: u32,
    cost: f64,
    from: u32,
    /// Where the side between `from` and this triangle is crossed.
    crossing: DVec2,
    is_closed: bool,
}

/// A search query: the cheapest chain of triangles between two points.
#[derive(Clone, Copy, Debug)]
pub struct DualQuery<'a> {
    pub terrain: &'a TerrainMap,
    pub weights: &'a Weights,
    /// The free space of discs; none for points.
    pub cells: Option<&'a CellMap>,
    pub radius: f64,
    pub start: DVec2,
    pub goal: DVec2,
}

/// Keeps its memory between searches.
#[derive(Clone, Debug, Default)]
pub struct DualSearch {
    open: OpenList,
    visits: Vec<Visit>,
    stamp: u32,
    expanded: usize,
    /// The triangles of start and goal, if both lie in the level.
    ends: Option<[TriangleId; 2]>,
}

impl DualQuery<'_> {
    fn middle(&self, [first, last]: [TriangleId; 2], triangle: TriangleId) -> DVec2 {
        if triangle == first {
            self.start
        } else if triangle == last {
            self.goal
        } else {
            self.terrain.mesh().triangle_middle(triangle)
        }
    }

    fn weight(&self, triangle: TriangleId) -> f64 {
        match self.terrain.mesh().triangle_kind(triangle) {
            BLOCKED => f64::INFINITY,
            kind => self.weights.get(kind),
        }
    }

    fn estimate(&self, middle: DVec2) -> f64 {
        self.weights.least() * middle.distance(self.goal)
    }

    /// Whether the disc's centre may be here.
    fn is_free(&self, place: DVec2) -> bool {
        let radius = self.radius;
        let is_clear = |mesh: &TerrainMesh| {
            mesh.is_clear_of_walls(place, radius + (ROOM * radius).max(LEAST_ROOM))
        };
        self.cells
            .is_none_or(|cells| is_clear(self.terrain.mesh()) || cells.locate(place).is_some())
    }
}

impl DualSearch {
    /// Triangles expanded by the last search.
    #[must_use]
    pub const fn expanded(&self) -> usize {
        self.expanded
    }

    /// An edge of the dual joins the centres of two triangles and costs w(T_u)·‖e_u‖ +
    /// w(T_v)·‖e_v‖.
    ///
    /// For discs, sides are crossed where their centre may be; the space between crossings may
    /// still be too narrow.
    pub fn begin(&mut self, query: &DualQuery<'_>) {
        let mesh = query.terrain.mesh();
        self.expanded = 0;
        self.open.clear();
        let ends = mesh.locate(query.start, None);
        self.ends = ends.and_then(|first| Some([first, mesh.locate(query.goal, None)?]));
        let Some(ends) = self.ends else {
            return;
        };
        self.stamp = self.stamp.wrapping_add(1);
        if self.visits.len() != mesh.len() || self.stamp == 0 {
            let unvisited = self.unvisited();
            self.visits.clear();
            self.visits.resize(mesh.len(), unvisited);
        }
        let [first, _] = ends;
        self.visits[first.0 as usize] = Visit {
            stamp: self.stamp,
            cost: 0.0,
            crossing: query.start,
            ..self.unvisited()
        };
        self.open.push(Entry {
            f: query.estimate(query.middle(ends, first)),
            g: 0.0,
            node: first.0,
        });
    }

    const fn unvisited(&self) -> Visit {
        Visit {
            stamp: self.stamp.wrapping_sub(1),
            cost: f64::INFINITY,
            from: u32::MAX,
            crossing: DVec2::ZERO,
            is_closed: false,
        }
    }

    /// Expands up to `budget` triangles.
    pub fn run(&mut self, query: &DualQuery<'_>, budget: usize) -> Progress {
        let Some(ends) = self.ends else {
            return Progress::Exhausted;
        };
        let [first, last] = ends;
        let mesh = query.terrain.mesh();
        let unvisited = self.unvisited();
        let mut left = budget;
        while left > 0 {
            let Some(entry) = self.open.pop() else {
                return Progress::Exhausted;
            };
            let here = TriangleId(entry.node);
            let visit = &mut self.visits[entry.node as usize];
            if visit.is_closed {
                continue;
            }
            visit.is_closed = true;
            let cost = visit.cost;
            self.expanded += 1;
            left -= 1;
            if here == last {
                return Progress::Found;
            }
            let (from, here_weight) = (query.middle(ends, here), query.weight(here));
            for (side, next) in mesh.triangles_beside(here).into_iter().enumerate() {
                let Some(next) = next else { continue };
                let next_weight = query.weight(next);
                if !(next_weight.is_finite() && (here_weight.is_finite() || here == first)) {
                    continue;
                }
                let known = &self.visits[next.0 as usize];
                let to = query.middle(ends, next);
                let lighter = next_weight.min(here_weight);
                // No crossing makes the path shorter than straight, nor lighter.
                if known.stamp == self.stamp
                    && (known.is_closed || cost + lighter * from.distance(to) >= known.cost)
                {
                    continue;
                }
                let sides = mesh.triangle_side(here, side);
                let is_free = |place: DVec2| query.is_free(place);
                let Some(crossing) = crossing(sides, from, to, is_free, query.radius) else {
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
                        f: next_cost + query.estimate(to),
                        g: next_cost,
                        node: next.0,
                    });
                }
            }
        }
        Progress::Running
    }

    /// The points at which sides are crossed, once the goal is found.
    #[must_use]
    pub fn chain(&self, query: &DualQuery<'_>) -> Option<Vec<DVec2>> {
        let [first, last] = self.ends?;
        let mut points = vec![query.goal];
        let mut here = last;
        while here != first {
            let visit = self.visits.get(here.0 as usize)?;
            points.push(visit.crossing);
            here = TriangleId(visit.from);
        }
        points.push(query.start);
        points.reverse();
        points.dedup();
        Some(points)
    }
}

/// Where the line between two centres crosses a side, away from its ends; `None` where a disc
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

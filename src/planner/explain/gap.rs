//! The narrowest place of the widest way.
//!
//! The largest radius that still gets through is found by bisection over free spaces, to a
//! millimetre; the way at that radius passes the gap, and the gap's true width is the distance
//! between the two edges that it passes between.

use crate::base::EntityId;
use crate::geometry::{
    Polygon, Rect,
    polygon::closest_on_segment,
    predicates::{Meeting, meeting},
};
use crate::jobs::JobContext;
use crate::nav::{
    FreeSpace, Trapezoids,
    free_space::{Blocker, Input, excess},
};
use crate::planner::nav_data::NavData;
use crate::planner::optimal::{Corners, OptimalEngine};
use crate::planner::path::Gap;
use crate::planner::places::Pinches;
use glam::DVec2;

/// Unit: metres.
const MILLIMETRE: f64 = 1e-3;

/// More edges than this beside the way are not compared pair by pair.
const MAX_EDGES: usize = 1500;

/// The gap that an agent as large as the map's radius does not fit through; `None` where no
/// radius gets through.
pub(super) fn bottleneck(nav: &NavData, start: DVec2, goal: DVec2) -> Option<Gap> {
    let input = Input {
        bounds: nav.bounds(),
        blockers: nav
            .blockers()
            .iter()
            .map(|blocker| Blocker {
                id: blocker.id,
                area: blocker.area.clone(),
            })
            .collect(),
    };
    let ctx = JobContext::default();
    let through = |millimetres: u64| {
        let radius = millimetres as f64 * MILLIMETRE;
        let free = FreeSpace::build(input.clone(), radius, &ctx).ok()?;
        let (a, b) = (free.component_of(start)?, free.component_of(goal)?);
        (a == b).then_some(free)
    };
    let (mut low, mut high) = (0, (nav.free().radius / MILLIMETRE).round() as u64);
    let mut widest = through(low)?;
    while high > low + 1 {
        let middle = u64::midpoint(low, high);
        match through(middle) {
            Some(free) => (low, widest) = (middle, free),
            None => high = middle,
        }
    }
    let map = Trapezoids::build(&widest, &ctx).ok()?.merged;
    let mut engine = OptimalEngine::default();
    let corners = Corners::of(&map);
    engine.begin(&map, &Pinches::of(&map), &corners, start, goal);
    engine.run(&map, &corners, usize::MAX);
    let reach = high as f64 * MILLIMETRE;
    narrowest(&input, engine.path(), low as f64 * MILLIMETRE, reach)
}

/// The pair of edges with the smallest distance, at least about `2 low`, whose nearest points the
/// path passes between.
fn narrowest(input: &Input, path: &[DVec2], low: f64, high: f64) -> Option<Gap> {
    let slack = 4.0 * MILLIMETRE + 2.0 * excess(high);
    let edges = edges_beside(input, path, high + slack);
    let mut best: Option<Gap> = None;
    for (i, a) in edges.iter().enumerate().take(MAX_EDGES) {
        for b in edges.iter().take(MAX_EDGES).skip(i + 1) {
            let ends = nearest_points(a.ends, b.ends);
            let width = ends[0].distance(ends[1]);
            let is_passed = width >= 2.0 * low - slack
                && width > MILLIMETRE
                && width <= 2.0 * high + slack
                && best.is_none_or(|gap| width < gap.width)
                && path
                    .windows(2)
                    .any(|p| meeting(p[0], p[1], ends[0], ends[1]) != Meeting::Apart);
            let at = ends[0].midpoint(ends[1]);
            if is_passed && !input.blockers.iter().any(|b| b.area.contains(at)) {
                best = Some(Gap {
                    at,
                    ends,
                    width,
                    between: [a.of, b.of],
                });
            }
        }
    }
    best
}

#[derive(Clone, Copy)]
struct Edge {
    ends: [DVec2; 2],
    /// `None` for the bounds.
    of: Option<EntityId>,
}

fn edges_beside(input: &Input, path: &[DVec2], reach: f64) -> Vec<Edge> {
    let area = Rect::of_points(path).expanded(reach);
    let bounds = Polygon::rect(input.bounds);
    let all = input
        .blockers
        .iter()
        .map(|blocker| (Some(blocker.id), &blocker.area))
        .chain([(None, &bounds)]);
    let mut found: Vec<Edge> = Vec::new();
    for (of, polygon) in all {
        for (a, b) in polygon.edges() {
            let is_beside = area.overlaps(&Rect::spanning(a, b))
                && path.windows(2).any(|p| {
                    let [on_path, on_edge] = nearest_points([p[0], p[1]], [a, b]);
                    on_path.distance(on_edge) <= reach
                });
            if is_beside {
                found.push(Edge { ends: [a, b], of });
            }
        }
    }
    found
}

/// The nearest points of two segments, the first one's first.
fn nearest_points(a: [DVec2; 2], b: [DVec2; 2]) -> [DVec2; 2] {
    if let Meeting::Touching(at) | Meeting::Crossing(at) | Meeting::Overlapping(at, _) =
        meeting(a[0], a[1], b[0], b[1])
    {
        return [at, at];
    }
    [
        [a[0], closest_on_segment(b[0], b[1], a[0])],
        [a[1], closest_on_segment(b[0], b[1], a[1])],
        [closest_on_segment(a[0], a[1], b[0]), b[0]],
        [closest_on_segment(a[0], a[1], b[1]), b[1]],
    ]
    .into_iter()
    .min_by(|p, q| p[0].distance(p[1]).total_cmp(&q[0].distance(q[1])))
    .unwrap_or([a[0], b[0]])
}

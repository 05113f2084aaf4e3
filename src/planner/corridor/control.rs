//! The control path that guides a character: the backbone, a route, or a shortcut of either.

use crate::geometry::Polyline;
use crate::nav::corridor::{CorridorMap, Sample};
use glam::DVec2;

/// Largest distance between potential ends of shortcuts. Unit: metres.
const SHORTCUT_STEP: f64 = 1.0;

/// Largest number of potential ends of shortcuts on a path.
const MAX_SHORTCUT_PLACES: f64 = 2_000.0;

/// How often a shortened path is subdivided and shortened again.
const SHORTCUT_ROUNDS: usize = 2;

/// Points with the distance to the nearest wall at each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ControlPath {
    line: Polyline,
    /// One for each point of the line. Unit: metres.
    clearances: Vec<f64>,
}

impl ControlPath {
    /// Along any points; blocked ones have a clearance of 0.
    #[must_use]
    pub fn new(map: &CorridorMap, points: impl IntoIterator<Item = DVec2>) -> Self {
        let line = Polyline::new(points);
        let clearance = |p: &DVec2| map.walls().clearance(*p).unwrap_or(0.0);
        Self {
            clearances: line.points().iter().map(clearance).collect(),
            line,
        }
    }

    /// From the start to the backbone, along it, and to the goal: the paper's B[t] with R[t].
    #[must_use]
    pub fn of_backbone(map: &CorridorMap, start: DVec2, samples: &[Sample], goal: DVec2) -> Self {
        let middle = samples.iter().map(|s| s.point);
        Self::new(map, [start].into_iter().chain(middle).chain([goal]))
    }

    #[must_use]
    pub const fn line(&self) -> &Polyline {
        &self.line
    }

    #[must_use]
    pub fn clearances(&self) -> &[f64] {
        &self.clearances
    }
}

/// Shortcuts a path where a straight line keeps the wanted clearance (after the visibility–Voronoi
/// diagram of Wein, van den Berg and Halperin 2005). Narrower parts of the path stay as they are.
#[must_use]
pub fn shortcut(map: &CorridorMap, path: &ControlPath, clearance: f64) -> ControlPath {
    let mut points = divided(&path.line);
    for round in 0..=SHORTCUT_ROUNDS {
        if round > 0 {
            points = divided(&Polyline::new(points));
        }
        points = pulled(map, &points, clearance);
        points.reverse();
        points = pulled(map, &points, clearance);
        points.reverse();
    }
    ControlPath::new(map, points)
}

/// The points, with enough points in between.
fn divided(line: &Polyline) -> Vec<DVec2> {
    let step = SHORTCUT_STEP.max(line.length() / MAX_SHORTCUT_PLACES);
    let mut points: Vec<DVec2> = Vec::new();
    for pair in line.points().windows(2) {
        let parts = (pair[0].distance(pair[1]) / step).ceil().max(1.0);
        points.extend((0..parts as usize).map(|i| pair[0].lerp(pair[1], i as f64 / parts)));
    }
    points.extend(line.points().last());
    points
}

/// From each point straight to a far one, found by doubling and halving the stride.
fn pulled(map: &CorridorMap, points: &[DVec2], clearance: f64) -> Vec<DVec2> {
    let mut kept: Vec<DVec2> = points.first().copied().into_iter().collect();
    let mut here = 0;
    while here + 1 < points.len() {
        let is_clear = |to: usize| map.walls().is_clear(points[here], points[to], clearance);
        let mut reached = here + 1;
        let mut stride = 1;
        while reached + stride < points.len() && is_clear(reached + stride) {
            reached += stride;
            stride *= 2;
        }
        while stride > 0 {
            if reached + stride < points.len() && is_clear(reached + stride) {
                reached += stride;
            }
            stride /= 2;
        }
        kept.push(points[reached]);
        here = reached;
    }
    kept
}

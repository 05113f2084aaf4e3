//! A finished walk as a planner's path.

use crate::document::Action;
use crate::nav::corridor::CorridorMap;
use crate::planner::{Path, metrics};
use glam::DVec2;
use std::collections::BTreeMap;

/// The path along a walk's positions on level ground, with the metrics common to all planners.
#[must_use]
pub fn path_of(map: &CorridorMap, points: &[DVec2], expanded: usize, plan_micros: f64) -> Path {
    let length = metrics::length_in_plan(points);
    let clearance = metrics::clearance(points, |p| map.walls().clearance(p).unwrap_or(0.0));
    Path {
        straight: Vec::new(),
        links: Vec::new(),
        points: points.iter().map(|p| p.extend(0.0)).collect(),
        actions: vec![Action::Walk; points.len()],
        length,
        cost: length,
        cost_by: BTreeMap::new(),
        min_clearance: clearance.min,
        mean_clearance: clearance.mean,
        mean_curvature: metrics::mean_curvature(points),
        expanded,
        plan_micros,
        times: Vec::new(),
        trace: None,
        remarks: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rect;
    use crate::jobs::JobContext;
    use crate::nav::corridor::{DeadEnds, build_between};

    #[test]
    fn a_straight_walk_has_its_length_and_clearance() {
        let room = Rect::new(DVec2::ZERO, DVec2::new(20.0, 4.0));
        let map = build_between(room, &[], DeadEnds::Keep, &JobContext::default());
        let map = map.expect("in range");
        let points = [
            DVec2::new(5.0, 1.0),
            DVec2::new(10.0, 1.0),
            DVec2::new(15.0, 1.0),
        ];
        let path = path_of(&map, &points, 3, 0.0);
        assert_eq!(
            (path.length, path.mean_curvature, path.expanded),
            (10.0, 0.0, 3)
        );
        assert!((path.min_clearance - 1.0).abs() < 1e-9);
        assert_eq!(path.actions.len(), path.points.len());
    }
}

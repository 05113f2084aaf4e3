//! Turns a line in plan into a path with the metrics common to all planners.

use super::metrics;
use super::path::Path;
use super::request::{Figures, PathRequest};
use super::slope;
use crate::document::Action;
use crate::nav::NavData;
use glam::DVec2;
use std::collections::BTreeMap;
use std::time::Instant;

/// A line in plan as a path: bent on slopes if requested, and laid on the ground. Its time is that
/// of bending.
#[must_use]
pub fn finish_path(plan: &[DVec2], nav: &NavData, request: &PathRequest, expanded: usize) -> Path {
    let clock = Instant::now();
    let bent = match (request.slope, nav.ground()) {
        (Some(limits), Some(ground)) => Some(slope::bent(plan, ground, nav.cells(), &limits)),
        _ => None,
    };
    let plan_micros = clock.elapsed().as_secs_f64() * 1e6;
    let walked = bent.as_deref().unwrap_or(plan);
    let points: Vec<_> = walked
        .iter()
        .map(|p| nav.ground().map_or(p.extend(0.0), |ground| ground.lift(*p)))
        .collect();
    let straight = match &bent {
        Some(bent) if bent.len() != plan.len() => plan.to_vec(),
        _ => Vec::new(),
    };
    let length = metrics::length(&points);
    let mut path = Path {
        straight,
        actions: vec![Action::Walk; points.len()],
        links: Vec::new(),
        length,
        cost: length,
        cost_by: BTreeMap::new(),
        expanded,
        plan_micros,
        points,
        times: Vec::new(),
        trace: None,
        remarks: Vec::new(),
        ..Path::default()
    };
    if request.figures == Figures::All {
        path.mean_curvature = metrics::mean_curvature(walked);
        measure_clearance(&mut path, nav);
    }
    path
}

/// Measures how far a path on the ground is from obstacles.
pub fn measure_clearance(path: &mut Path, nav: &NavData) {
    let walked: Vec<DVec2> = path.points.iter().map(|p| p.truncate()).collect();
    let clearance = metrics::clearance_in(&walked, nav.free());
    path.min_clearance = clearance.min;
    path.mean_clearance = clearance.mean;
}

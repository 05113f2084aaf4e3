//! From the nodes of a search to the path that is answered.

use super::grounds::has_storeys;
use super::pull::{cost_of, pulled, tightened};
use crate::document::Action;
use crate::nav::NavData;
use crate::nav::constraint::{Field, Lattice};
use crate::planner::finish::finish_path;
use crate::planner::{Path, PathRequest, metrics};
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;

/// Above the ground by more than this, a path leads over something. Unit: metres.
const ON_GROUND: f64 = 0.05;

/// How much is done for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Pulled straight: one that will be improved further.
    Pulled,
    /// Drawn tight around what it is bent by.
    Tight,
}

/// The path over these points, pulled straight, with its figures.
pub fn finished(
    points: &[DVec3],
    lattice: &Lattice,
    nav: &NavData,
    request: &PathRequest,
    expanded: usize,
    finish: Finish,
) -> Path {
    let field = &request.constraints.field;
    let step = lattice.spacing();
    let clock = std::time::Instant::now();
    let is_in_space = has_storeys(nav.level());
    let is_free = |a: DVec3, b: DVec3| {
        if is_in_space {
            (a.z - b.z).abs() < 1e-6 && lattice.is_free(a, b)
        } else {
            // Corners may lie on walls, and by rounding behind them: between two such places a line
            // meets no wall inside of a solid, either.
            lattice.is_free(a, b) && nav.is_placed(a.midpoint(b).truncate())
        }
    };
    let mut points = pulled(points, field, step, is_free);
    if finish == Finish::Tight {
        points = tightened(points, field, step, is_free);
    }
    let micros = clock.elapsed().as_secs_f64() * 1e6;
    let mut path = if is_in_space {
        path_in_space(&points, nav, expanded)
    } else {
        let plan: Vec<DVec2> = points.iter().map(|p| p.truncate()).collect();
        finish_path(&plan, nav, request, expanded)
    };
    path.cost = cost_of(&points, field, step);
    path.cost_by = shares(&points, field, step);
    path.plan_micros += micros;
    path
}

/// How the cost of a path divides among the constraints.
fn shares(points: &[DVec3], field: &Field, step: f64) -> BTreeMap<String, f64> {
    let mut by = BTreeMap::new();
    for pair in points.windows(2) {
        *by.entry("distance".to_owned()).or_insert(0.0) += pair[0].distance(pair[1]);
        field.shares(pair[0], pair[1], step, |term, share| {
            let name = term.map_or("base".to_owned(), |term| {
                format!("constraint:{}", term.name)
            });
            *by.entry(name).or_insert(0.0) += share;
        });
    }
    by.retain(|_, share| *share != 0.0);
    by
}

/// A path over surfaces.
fn path_in_space(points: &[DVec3], nav: &NavData, expanded: usize) -> Path {
    let plan: Vec<DVec2> = points.iter().map(|p| p.truncate()).collect();
    // Free space is that of the ground: on a deck, its footprint is no obstacle.
    let is_on_ground = points.iter().all(|p| {
        let ground = nav
            .ground()
            .map_or(0.0, |ground| ground.height(p.truncate()));
        (p.z - ground).abs() < ON_GROUND
    });
    let clearance = if is_on_ground {
        metrics::clearance_in(&plan, nav.free())
    } else {
        metrics::Clearance::UNKNOWN
    };
    Path {
        actions: vec![Action::Walk; points.len()],
        length: metrics::length(points),
        min_clearance: clearance.min,
        mean_clearance: clearance.mean,
        mean_curvature: metrics::mean_curvature(&plan),
        expanded,
        points: points.to_vec(),
        ..Path::default()
    }
}

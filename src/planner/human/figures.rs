//! A path from cell to cell as a planner's path: points, actions and metrics.

use super::cell_path::CellPath;
use super::taut::{Knot, Line};
use crate::document::Action;
use crate::nav::voxel::body::unit;
use crate::nav::voxel::{BodyCells, LevelVoxels, SurfaceCells, SurfaceId};
use crate::planner::{Path, PathRequest, metrics};
use glam::DVec3;
use std::collections::BTreeMap;
use std::time::Instant;

/// Search radius for walls around a path. Unit: cells.
pub(super) const CLEARANCE: i32 = 12;

/// A path from the exact start of a request to its exact goal. Its time covers post-processing
/// only; the caller adds the number of expanded cells.
#[must_use]
pub fn path_of(
    level: &LevelVoxels,
    line: &Line<'_>,
    found: &CellPath,
    request: &PathRequest,
) -> Path {
    let surfaces = level.surfaces();
    let path = path_without_clearance(level, line, found, request);
    let plan: Vec<_> = path.points.iter().map(|p| p.truncate()).collect();
    let body = line.body();
    let clearances: Vec<f64> = line
        .knots
        .iter()
        .map(|knot| match line.exact_clearance(knot) {
            Some(exact) => exact,
            None => clearance(surfaces, body, knot.cell),
        })
        .collect();
    let known = clearances
        .iter()
        .copied()
        .filter(|metres| metres.is_finite());
    let (count, sum) = known.fold((0_usize, 0.0), |(n, sum), metres| (n + 1, sum + metres));
    let mut cost_by = BTreeMap::new();
    for action in line.knots.iter().map(|knot| knot.action) {
        if action != Action::Walk {
            let name = format!("action:{}", action.name().to_lowercase());
            *cost_by.entry(name).or_default() += 1.0;
        }
    }
    Path {
        cost_by,
        min_clearance: clearances.iter().copied().fold(f64::INFINITY, f64::min),
        mean_clearance: if count == 0 {
            f64::INFINITY
        } else {
            sum / count as f64
        },
        mean_curvature: metrics::mean_curvature(&plan),
        ..path
    }
}

/// Points, actions, length and cost alone, without clearance and curvature.
#[must_use]
pub fn path_without_clearance(
    level: &LevelVoxels,
    line: &Line<'_>,
    found: &CellPath,
    request: &PathRequest,
) -> Path {
    let clock = Instant::now();
    let surfaces = level.surfaces();
    let (points, actions) = corners(line, surfaces, request);
    let unit = f64::from(unit(line.body().conduct.metric));
    Path {
        length: metrics::length(&points),
        cost: f64::from(found.cost) / unit * surfaces.frame.cell,
        min_clearance: f64::INFINITY,
        mean_clearance: f64::INFINITY,
        plan_micros: clock.elapsed().as_secs_f64() * 1e6,
        points,
        actions,
        ..Path::default()
    }
}

/// Points from the exact start to the exact goal, without those in the middle of a straight line
/// with one action.
fn corners(
    line: &Line<'_>,
    surfaces: &SurfaceCells,
    request: &PathRequest,
) -> (Vec<DVec3>, Vec<Action>) {
    let place = |knot: &Knot| knot.at.extend(surfaces.point(knot.cell).z);
    let mut points: Vec<DVec3> = line.knots.iter().map(place).collect();
    let mut actions: Vec<Action> = line.knots.iter().map(|knot| knot.action).collect();
    if points.len() == 1 && request.start.truncate() != request.goal.truncate() {
        points.push(request.goal.truncate().extend(points[0].z));
        actions.push(Action::Walk);
    }
    let mut kept = Vec::with_capacity(points.len());
    let mut done = Vec::with_capacity(points.len());
    for index in 0..points.len() {
        let is_inner = index > 0 && index + 1 < points.len();
        let straight = is_inner && actions[index] == actions[index + 1] && {
            let (a, b, c) = (
                kept.last().copied().unwrap_or(points[index]),
                points[index],
                points[index + 1],
            );
            let (u, v): (DVec3, DVec3) = (b - a, c - b);
            u.cross(v).length() <= 1e-6 * u.length() * v.length() && u.dot(v) > 0.0
        };
        if !straight {
            kept.push(points[index]);
            done.push(actions[index]);
        }
    }
    (kept, done)
}

/// Distance from the centre of a cell to the nearest column that the body cannot enter. Unit:
/// metres.
fn clearance(surfaces: &SurfaceCells, body: &BodyCells, id: SurfaceId) -> f64 {
    let Some(cell) = surfaces.get(id) else {
        return f64::INFINITY;
    };
    let layer = i32::from(cell.layer);
    let blocked = |dx: i32, dy: i32| {
        let (x, y) = (i32::from(cell.x) + dx, i32::from(cell.y) + dy);
        let low = layer + body.step_layers;
        let (_, ceiling) = surfaces.room_above(x, y, low);
        ceiling - layer - 1 < body.bent
    };
    let mut nearest = f64::INFINITY;
    for ring in 1..=CLEARANCE {
        if f64::from(ring) - 0.5 >= nearest {
            break;
        }
        for along in -ring..=ring {
            for (dx, dy) in [(along, -ring), (along, ring), (-ring, along), (ring, along)] {
                if blocked(dx, dy) {
                    let gap = |d: i32| (f64::from(d.abs()) - 0.5).max(0.0);
                    nearest = nearest.min(gap(dx).hypot(gap(dy)));
                }
            }
        }
    }
    nearest * surfaces.frame.cell
}

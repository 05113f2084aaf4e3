//! The cells on which a body is placed, and those where a path may end.

use super::goals::Goals;
use crate::geometry::Polygon;
use crate::nav::voxel::{Footing, LevelVoxels, SurfaceId};
use crate::planner::PathRequest;
use glam::DVec3;
use std::ops::RangeInclusive;

/// Largest distance between an agent's position and the cell it is placed on. Unit: cells.
pub(super) const SETTLE: i32 = 3;

/// Where a path may end; of several targets, the one reached first.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    At(DVec3),
    /// Anywhere within an area between two heights. Unit: metres.
    Region {
        area: Polygon,
        heights: RangeInclusive<f64>,
    },
}

impl Target {
    /// At a point or in an area. Areas are drawn in plan, so all their storeys count and the
    /// nearest is taken.
    #[must_use]
    pub fn all(area: Option<&[Polygon]>, place: DVec3) -> Vec<Self> {
        match area {
            Some(areas) => areas
                .iter()
                .map(|area| Self::Region {
                    area: area.clone(),
                    heights: f64::NEG_INFINITY..=f64::INFINITY,
                })
                .collect(),
            None => vec![Self::At(place)],
        }
    }
}

/// The cells of all targets.
#[must_use]
pub fn goals(level: &LevelVoxels, footing: &Footing, targets: &[Target]) -> Goals {
    let surfaces = level.surfaces();
    let cells = targets.iter().flat_map(|target| match target {
        Target::At(p) => settled(level, footing, *p).into_iter().collect(),
        Target::Region { area, heights } => {
            let region = Goals::region(surfaces, footing, area, heights.clone());
            region.cells().to_vec()
        }
    });
    Goals::new(surfaces, cells)
}

/// Every cell where a request may end.
pub(super) fn goals_of(level: &LevelVoxels, footing: &Footing, request: &PathRequest) -> Goals {
    let targets = Target::all(request.goal_area.as_deref(), request.goal);
    goals(level, footing, &targets)
}

/// The cell on which a body at this point stands: adjacent and at about its height, otherwise below
/// it. Where there is no ground to measure heights from, a point inside a solid means its floor.
#[must_use]
pub fn settled(voxels: &LevelVoxels, footing: &Footing, p: DVec3) -> Option<SurfaceId> {
    let surfaces = voxels.surfaces();
    let frame = &surfaces.frame;
    let [x, y] = frame.column_at(p.x, p.y)?.map(|at| at as i32);
    let near = (f64::from(footing.body.step_layers) * frame.layer).max(2.0 * frame.layer);
    let off = |id: &SurfaceId| {
        let at = surfaces.point(*id);
        (at.z - p.z).abs() + at.truncate().distance(p.truncate())
    };
    let mut best: Option<(f64, SurfaceId)> = None;
    for dy in -SETTLE..=SETTLE {
        for dx in -SETTLE..=SETTLE {
            for id in surfaces.column(x + dx, y + dy).map(SurfaceId) {
                let height = (surfaces.point(id).z - p.z).abs();
                if footing.is_standable(id) && height <= near {
                    let off = off(&id);
                    if best.is_none_or(|(known, _)| off < known) {
                        best = Some((off, id));
                    }
                }
            }
        }
    }
    let layer = frame.cells_from_world(p).z.floor();
    let is_inside = layer >= 0.0
        && layer < f64::from(frame.size[2])
        && voxels
            .voxels
            .grid
            .is_occupied(x as u32, y as u32, layer as u32);
    best.map(|(_, id)| id).or_else(|| {
        let under = surfaces
            .column(x, y)
            .map(SurfaceId)
            .filter(|id| footing.is_standable(*id) && (!is_inside || !voxels.has_ground()));
        under.min_by(|a, b| off(a).total_cmp(&off(b)))
    })
}

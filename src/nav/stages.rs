//! The stages of a bake, and how much work each was.
//!
//! A stage is a pure function of its [input](super::inputs). That of free space is the bounds and
//! the obstacles' outlines; moving an agent, writing a note or renaming a wall leaves it as it was,
//! and nothing is built. Trapezoids follow from free space alone.

use super::cell_map::CellMap;
use super::free_space::{FreeSpace, Input, radius_key};
use super::nav_data::CellTables;
use super::quality::BakeQuality;
use super::trapezoid::Trapezoids;
use crate::document::{Kind, Level};
use crate::jobs::{Cancelled, JobContext};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Names of profiles with this radius, for messages.
#[must_use]
pub(super) fn profiles_of(level: &Level, key: u32) -> Vec<String> {
    level
        .iter()
        .filter_map(|(id, entity)| match &entity.kind {
            Kind::Profile(profile) if radius_key(profile.body.radius) == key => {
                Some(entity.label(id))
            }
            _ => None,
        })
        .collect()
}

/// What has been built for one radius.
#[derive(Clone, Debug)]
pub struct NavSpace {
    /// Unit: metres.
    pub radius: f64,
    pub free: Arc<FreeSpace>,
    /// One cell for each trapezoid.
    pub plain: Arc<CellMap>,
    /// Trapezoids merged into convex cells: what planners use.
    pub merged: Arc<CellMap>,
    /// What the cells were made for.
    pub quality: BakeQuality,
    /// What searches derive from `merged`.
    pub(super) tables: Arc<CellTables>,
}

/// How long one stage took, or that it was taken over.
#[derive(Clone, Debug, PartialEq)]
pub struct StageTime {
    pub stage: &'static str,
    /// Of the body that it is for. Unit: metres.
    pub radius: Option<f64>,
    /// `None` when the last result still held.
    pub took: Option<Duration>,
    /// What came of it, in a few words.
    pub result: String,
    pub work: Work,
}

/// How much of a stage's result was made by this bake; the rest is shared with the bake before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    pub made: usize,
    pub of: usize,
}

impl Work {
    /// All of it was taken over.
    #[must_use]
    pub const fn none(of: usize) -> Self {
        Self { made: 0, of }
    }

    /// All of it was made.
    #[must_use]
    pub const fn all(of: usize) -> Self {
        Self { made: of, of }
    }
}

/// Obstacles grown and combined; counted in clusters of obstacles that overlap.
pub const FREE_SPACE: &str = "Free space";
/// Counted in cells.
pub const CELLS: &str = "Trapezoids and cells";
/// Counted in boxes that are swept.
pub const CORRIDORS: &str = "Corridor map";
/// Counted in triangles.
pub const TERRAIN: &str = "Terrain";
/// Counted in tiles of columns.
pub const VOXELS: &str = "Voxels";

/// Builds both stages for one radius; `before` is what was built for it last.
///
/// # Errors
/// The job was cancelled.
pub(super) fn build_space(
    input: &Input,
    radius: f64,
    before: Option<&NavSpace>,
    quality: BakeQuality,
    ctx: &JobContext,
    times: &mut Vec<StageTime>,
) -> Result<NavSpace, Cancelled> {
    let started = Instant::now();
    ctx.stage(FREE_SPACE);
    let free = match before {
        Some(before) => before.free.updated(input.clone(), ctx)?,
        None => FreeSpace::build(input.clone(), radius, ctx)?,
    };
    let took = started.elapsed();
    times.push(free_time(&free, Some(took), free.work()));
    let started = Instant::now();
    ctx.stage(CELLS);
    let kept = before.filter(|before| before.quality >= quality && before.free.areas == free.areas);
    let free = Arc::new(free);
    let space = match kept {
        // An obstacle moved within a larger one, or out of the level: nothing to see. Portals are
        // cut by the width of the bounds.
        Some(before) => NavSpace {
            tables: if before.free.bounds == free.bounds {
                Arc::clone(&before.tables)
            } else {
                Arc::default()
            },
            free,
            ..before.clone()
        },
        None => {
            let Trapezoids { plain, merged } = Trapezoids::build_with(&free, quality, ctx)?;
            NavSpace {
                radius,
                free,
                plain,
                merged,
                quality,
                tables: Arc::default(),
            }
        }
    };
    if quality == BakeQuality::Full {
        // The first question about clearance sorts all edges: now, not in a frame.
        let _ = space.free.clearance(space.free.bounds.centre());
    }
    let count = space.merged.len();
    let work = if kept.is_some() {
        Work::none(count)
    } else {
        Work::all(count)
    };
    times.push(cells_time(&space, Some(started.elapsed()), work));
    Ok(space)
}

pub(super) fn mark_reused(space: &NavSpace, times: &mut Vec<StageTime>) {
    let clusters = space.free.work().of;
    times.push(free_time(&space.free, None, Work::none(clusters)));
    times.push(cells_time(space, None, Work::none(space.merged.len())));
}

fn free_time(free: &FreeSpace, took: Option<Duration>, work: Work) -> StageTime {
    let corners: usize = free
        .areas
        .iter()
        .map(crate::geometry::Polygon::vertex_count)
        .sum();
    StageTime {
        stage: FREE_SPACE,
        radius: Some(free.radius),
        took,
        result: format!("{}, {corners} corners", count(free.areas.len(), "area")),
        work,
    }
}

fn cells_time(space: &NavSpace, took: Option<Duration>, work: Work) -> StageTime {
    StageTime {
        stage: CELLS,
        radius: Some(space.radius),
        took,
        result: format!(
            "{} merged into {}",
            count(space.plain.len(), "trapezoid"),
            count(space.merged.len(), "cell")
        ),
        work,
    }
}

/// `3 cells`, `1 cell`.
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

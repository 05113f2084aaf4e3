//! The stages of a bake: what each reads, and when its last result still holds.
//!
//! A stage is a pure function of its key. The key of free space is the bounds and the obstacles'
//! outlines; moving an agent, writing a note or renaming a wall leaves it as it was, and nothing
//! is built. Trapezoids follow from free space alone.

use super::cell_map::CellMap;
use super::free_space::{FreeSpace, HEAD_ROOM, Input, radius_key};
use super::trapezoid::{Effort, Trapezoids};
use crate::base::EntityId;
use crate::document::{Entity, Kind, KindName, Level, Obstacle, Query, limits};
use crate::geometry::Rect;
use crate::jobs::{Cancelled, JobContext};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// All that free space is made from, as the level held it.
#[derive(Clone, Debug)]
pub struct ObstacleKey {
    bounds: Rect,
    obstacles: Vec<(EntityId, Arc<Entity>)>,
}

fn blocker(entity: &Entity) -> Option<&Obstacle> {
    match &entity.kind {
        Kind::Obstacle(obstacle) if obstacle.base < HEAD_ROOM => Some(obstacle),
        _ => None,
    }
}

impl ObstacleKey {
    #[must_use]
    pub fn of(level: &Level) -> Self {
        Self {
            bounds: level.settings().bounds,
            obstacles: level
                .iter()
                .filter(|(_, entity)| blocker(entity).is_some())
                .map(|(id, entity)| (id, Arc::clone(entity)))
                .collect(),
        }
    }

    /// Whether the same free space comes of both. Pointers decide most of it; what was changed
    /// in another way (a name, a height) is compared by its outline.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.bounds == other.bounds
            && self.obstacles.len() == other.obstacles.len()
            && self.obstacles.iter().zip(&other.obstacles).all(|(a, b)| {
                a.0 == b.0
                    && (Arc::ptr_eq(&a.1, &b.1)
                        || blocker(&a.1).map(|o| &o.area) == blocker(&b.1).map(|o| &o.area))
            })
    }
}

/// The radii that somebody walks with: of agents, crowds and tests; of every profile where
/// nobody walks yet. Key and metres, smallest first.
#[must_use]
pub fn radii(level: &Level) -> BTreeMap<u32, f64> {
    let radius_of = |profile: EntityId| match &level.get(profile)?.kind {
        Kind::Profile(profile) => Some(profile.body.radius),
        _ => None,
    };
    let walkers = level.iter().filter_map(|(_, entity)| match &entity.kind {
        Kind::Agent(agent) => Some(agent.mission.profile),
        Kind::Crowd(crowd) => Some(crowd.mission.profile),
        Kind::Test(test) => match test.query {
            Query::Between { profile, .. } => Some(profile),
            Query::Agent(_) => None,
        },
        _ => None,
    });
    let mut found: BTreeMap<u32, f64> = walkers
        .filter_map(radius_of)
        .map(|radius| (radius_key(radius), radius))
        .collect();
    if found.is_empty() {
        found = level
            .profiles()
            .map(|(.., profile)| (radius_key(profile.body.radius), profile.body.radius))
            .collect();
    }
    if found.is_empty() {
        let radius = limits::RADIUS.default;
        found.insert(radius_key(radius), radius);
    }
    found
}

/// Names of profiles with this radius, for messages.
#[must_use]
pub fn profiles_of(level: &Level, key: u32) -> Vec<String> {
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
    pub effort: Effort,
}

/// How long one stage took, or that it was taken over.
#[derive(Clone, Debug, PartialEq)]
pub struct StageTime {
    pub stage: &'static str,
    /// For whom. Unit: metres.
    pub radius: Option<f64>,
    /// `None` when the last result still held.
    pub took: Option<Duration>,
    /// What came of it, in a few words.
    pub result: String,
}

pub(super) const FREE_SPACE: &str = "Free space";
pub(super) const TRAPEZOIDS: &str = "Trapezoids and cells";

/// Builds both stages for one radius; `before` is what was built for it last.
///
/// # Errors
/// The job was cancelled.
pub(super) fn build_space(
    input: Input,
    radius: f64,
    before: Option<&NavSpace>,
    effort: Effort,
    ctx: &JobContext,
    times: &mut Vec<StageTime>,
) -> Result<NavSpace, Cancelled> {
    let started = Instant::now();
    ctx.stage(FREE_SPACE);
    let free = match before {
        Some(before) => before.free.updated(input, ctx)?,
        None => FreeSpace::build(input, radius, ctx)?,
    };
    let took = started.elapsed();
    times.push(free_time(&free, Some(took)));
    let started = Instant::now();
    ctx.stage(TRAPEZOIDS);
    let (plain, merged, effort) = match before {
        // An obstacle moved within a larger one, or out of the level: nothing to see.
        Some(before) if before.effort >= effort && before.free.areas == free.areas => {
            let (plain, merged) = (Arc::clone(&before.plain), Arc::clone(&before.merged));
            (plain, merged, before.effort)
        }
        _ => {
            let Trapezoids { plain, merged } = Trapezoids::build_with(&free, effort, ctx)?;
            (plain, merged, effort)
        }
    };
    let space = NavSpace {
        radius,
        free: Arc::new(free),
        plain,
        merged,
        effort,
    };
    times.push(cells_time(&space, Some(started.elapsed())));
    Ok(space)
}

pub(super) fn taken_over(space: &NavSpace, times: &mut Vec<StageTime>) {
    times.push(free_time(&space.free, None));
    times.push(cells_time(space, None));
}

fn free_time(free: &FreeSpace, took: Option<Duration>) -> StageTime {
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
    }
}

fn cells_time(space: &NavSpace, took: Option<Duration>) -> StageTime {
    StageTime {
        stage: TRAPEZOIDS,
        radius: Some(space.radius),
        took,
        result: format!(
            "{} merged into {}",
            count(space.plain.len(), "trapezoid"),
            count(space.merged.len(), "cell")
        ),
    }
}

/// `3 cells`, `1 cell`.
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Whether kinds of this name have a say in what is baked.
#[must_use]
pub const fn is_read(kind: KindName) -> bool {
    matches!(
        kind,
        KindName::Obstacle
            | KindName::Solid
            | KindName::Profile
            | KindName::Agent
            | KindName::Crowd
            | KindName::Test
            | KindName::Annotation
            | KindName::Region
            | KindName::Route
            | KindName::Terrain
    )
}

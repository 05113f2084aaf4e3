//! `wayloom bench live`: from a move of the pointer to the new path.
//!
//! What the editor does beside the window for each previewed state of a drag: bake what the
//! change touches, plan every agent's path, run the tests. Frames in which that is shown come on
//! top (see `frame`).

use super::{Better, LabError, Report, Row, measure, scene};
use crate::base::EntityId;
use crate::document::{Agent, Edit, Entity, Goal, Heading, Kind, Level, Mission, Profile, ops};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::{BakeQuality, BakeRequest, NavBundle};
use crate::planner::{PlannedLevel, Slopes, missions};
use glam::{DAffine2, DVec2, DVec3};
use std::sync::Arc;
use std::time::Duration;

const BUDGET: Duration = Duration::from_millis(1500);
const CORNERS: usize = 10;
const AGENTS: u64 = 10;

/// # Errors
/// Cancelled, or the scene could not be made.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let mut rows = Vec::new();
    for (obstacles, goal) in [(200, Some(8.0)), (2_000, Some(33.0)), (10_000, None)] {
        let town = scene::town(obstacles, CORNERS)?;
        let (level, first) = with_agents(&town)?;
        ctx.stage("Baking");
        let fresh = measure::time(
            BUDGET,
            || Arc::new(level.clone()),
            |level| planned(level, None, BakeQuality::Full, ctx).ok(),
        );
        rows.push(
            Row::new(
                format!("bake of {obstacles} obstacles and {AGENTS} paths from scratch"),
                "ms",
                fresh.median * 1e3,
            )
            .spread(fresh.spread * 1e3),
        );
        let before = planned(Arc::new(level.clone()), None, BakeQuality::Full, ctx)?;
        for (what, id) in [("obstacle", moved_obstacle(&town)), ("agent", Some(first))] {
            let Some(id) = id else {
                continue;
            };
            ctx.checkpoint()?;
            let mut step = 0;
            let dragged = measure::time(
                BUDGET,
                || {
                    step += 1;
                    Arc::new(shifted(&level, id, 0.01 * f64::from(step % 100)))
                },
                |level| planned(level, Some(&before), BakeQuality::Preview, ctx).ok(),
            );
            let mut row = Row::new(
                format!("new paths after moving an {what} among {obstacles} obstacles"),
                "ms",
                dragged.median * 1e3,
            )
            .spread(dragged.spread * 1e3);
            if let Some(goal) = goal {
                row = row.goal(goal, Better::Lower);
            }
            rows.push(row);
        }
    }
    Ok(Report {
        name: "live".to_owned(),
        rows,
    })
}

/// Bakes a state and plans on it, as the editor does beside the window.
pub(super) fn planned(
    level: Arc<Level>,
    before: Option<&PlannedLevel>,
    quality: BakeQuality,
    ctx: &JobContext,
) -> Result<PlannedLevel, Cancelled> {
    let request = BakeRequest {
        quality,
        before: before.map(|before| &before.bundle),
        ..missions::bake_request(level)
    };
    let bundle = NavBundle::bake(request, ctx)?;
    PlannedLevel::plan(bundle, before, Slopes::default(), ctx)
}

/// One of the obstacles in the middle of the list.
fn moved_obstacle(level: &Level) -> Option<EntityId> {
    level
        .obstacles()
        .nth(level.obstacles().count() / 2)
        .map(|(id, ..)| id)
}

/// Agents that cross the level, each on its own path.
fn with_agents(town: &Level) -> Result<(Level, EntityId), LabError> {
    let next = town.largest_id().next().number();
    let profile = EntityId::new(next);
    let bounds = town.settings().bounds;
    let mut edits = vec![Edit::create(
        profile,
        Entity::new("Walker", Kind::Profile(Profile::default())),
    )];
    for i in 0..AGENTS {
        let share = (i as f64 + 0.5) / AGENTS as f64;
        let at = |x: f64, y: f64| -> DVec3 {
            let inner = bounds.expanded(-1.0);
            (inner.min + inner.size() * DVec2::new(x, y)).extend(0.0)
        };
        let mut mission = Mission::new(profile);
        mission.goals = vec![Goal::At(at(1.0, 1.0 - share))];
        let kind = Kind::Agent(Agent {
            start: at(0.0, share),
            heading: Heading::default(),
            mission,
        });
        edits.push(Edit::create(
            EntityId::new(next + 1 + i),
            Entity::new("", kind),
        ));
    }
    let level = ops::apply(town, &edits)?;
    Ok((level, EntityId::new(next + 1)))
}

/// The level with one thing moved.
fn shifted(level: &Level, id: EntityId, by: f64) -> Level {
    let moved = DAffine2::from_translation(DVec2::splat(by));
    let edits = level.get(id).map(|entity| {
        let mut entity = Entity::clone(entity);
        match &mut entity.kind {
            Kind::Obstacle(obstacle) => {
                for point in &mut obstacle.area.outer {
                    *point = moved.transform_point2(*point);
                }
            }
            Kind::Agent(agent) => agent.start.y += by,
            _ => {}
        }
        Edit::replace(id, entity)
    });
    let edits: Vec<Edit> = edits.into_iter().collect();
    ops::apply(level, &edits).unwrap_or_else(|_| level.clone())
}

//! An agent's mission by several planners, for side-by-side playback.

use super::recording::{Recording, preferred_speed};
use super::trajectory::Trajectory;
use crate::base::EntityId;
use crate::document::{Kind, PlannerId};
use crate::jobs::{Cancelled, JobContext};
use crate::planner::{Answer, MissionQueries, MissionSession, PlanError, PlannedLevel, registry};
use std::sync::Arc;

/// One planner's result for the mission.
#[derive(Clone, Debug)]
pub struct Alternative {
    pub planner: PlannerId,
    /// The recording of that agent alone, or why there is none.
    pub recording: Result<Arc<Recording>, String>,
}

/// Plans an agent's legs with each of the planners.
///
/// # Errors
/// The job was cancelled.
pub fn alternatives(
    planned: &PlannedLevel,
    agent: EntityId,
    planners: &[PlannerId],
    ctx: &JobContext,
) -> Result<Vec<Alternative>, Cancelled> {
    let mut found = Vec::with_capacity(planners.len());
    for &planner in planners {
        ctx.checkpoint()?;
        let trajectory = trajectory(planned, agent, planner, ctx)?;
        let record = |trajectory| Recording::of_one(&planned.level, agent, planner, trajectory);
        found.push(Alternative {
            planner,
            recording: trajectory.map(record).map(Arc::new),
        });
    }
    Ok(found)
}

fn trajectory(
    planned: &PlannedLevel,
    agent: EntityId,
    planner: PlannerId,
    ctx: &JobContext,
) -> Result<Result<Trajectory, String>, Cancelled> {
    let Some(Kind::Agent(entity)) = planned.level.get(agent).map(|entity| &entity.kind) else {
        return Ok(Err("this is not an agent".to_owned()));
    };
    let Some(nav) = planned.nav_of(entity.mission.profile) else {
        return Ok(Err("nothing is baked for this agent yet".to_owned()));
    };
    if !registry::is_available(planner) {
        return Ok(Err("this planner is not available yet".to_owned()));
    }
    let mission = MissionQueries::of_agent(&planned.level, entity, planned.slope());
    let legs = match MissionSession::plan(planner, &nav, &mission, ctx) {
        Ok((_, legs)) => legs,
        Err(PlanError::Cancelled(cancelled)) => return Err(cancelled),
        Err(error) => return Ok(Err(error.to_string())),
    };
    if let Some(Answer::NotFound(reason)) = legs.last().map(|leg| &leg.answer) {
        return Ok(Err(reason.reason.clone()));
    }
    let speed = preferred_speed(&planned.level, agent);
    Ok(Trajectory::of_legs(&legs, speed).ok_or_else(|| "the agent has no goal".to_owned()))
}

//! Agents that are walking while obstacles move.
//!
//! Bandi and Thalmann 2000, §8.3: an agent between start and goal that meets an obstacle gets
//! around it from where it is, and keeps the rest of its path. An agent without a way around waits,
//! and goes on once there is one.

use super::recording::{Recording, preferred_speed};
use super::trajectory::Trajectory;
use crate::base::EntityId;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::NavData;
use crate::planner::human::Change;
use crate::planner::missions::{AgentPlan, Leg, Plans};
use crate::planner::{Answer, MissionSession, PlannedLevel};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An agent whose path was repaired while it was walking.
#[derive(Clone, Debug)]
struct LiveAgent {
    /// Covered so far, and ahead.
    trajectory: Arc<Trajectory>,
    /// Session with the path of each leg that is ahead.
    session: Arc<MissionSession>,
    /// Where on the trajectory the first of these legs begins. Unit: metres.
    begins: f64,
    /// Length of each leg. Unit: metres.
    lengths: Vec<f64>,
    /// What the last repair did to each leg.
    changes: Vec<Change>,
}

/// All agents that deviate from their plans because obstacles moved while they were walking.
#[derive(Clone, Debug, Default)]
pub struct LiveAgents {
    agents: BTreeMap<EntityId, LiveAgent>,
}

impl LiveAgents {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.agents.is_empty()
    }

    /// Whether an agent is blocked and waits.
    #[must_use]
    pub fn is_any_waiting(&self) -> bool {
        self.agents.values().any(LiveAgent::is_waiting)
    }

    /// Repairs paths after obstacles have moved, this many seconds after the agents set out: from
    /// `before`, the state in which `recording` was planned, to `now`.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn repair(
        &self,
        recording: &Recording,
        before: &Plans,
        now: &PlannedLevel,
        time: f64,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let mut agents = BTreeMap::new();
        for (id, plan) in now.plans.iter() {
            ctx.checkpoint()?;
            let (Some(old), Some(trajectory)) = (before.get(id), recording.trajectory(*id)) else {
                continue;
            };
            let (Some(voxels), true) = (plan.voxels(), old.same_query(plan)) else {
                continue;
            };
            let known = self.agents.get(id).cloned();
            let is_same = old.voxels().is_some_and(|old| Arc::ptr_eq(old, voxels));
            let agent = match known {
                Some(agent) if is_same => Some(agent),
                None if is_same => None,
                known => {
                    let agent = known.or_else(|| LiveAgent::of_plan(trajectory, old));
                    let speed = preferred_speed(&now.level, *id);
                    let repair = |agent: LiveAgent| agent.repair(plan.nav(), time, speed, ctx);
                    agent.map(repair).transpose()?
                }
            };
            agents.extend(agent.map(|agent| (*id, agent)));
        }
        Ok(Self { agents })
    }

    /// The current plans, with those of repaired agents replaced.
    #[must_use]
    pub fn recording(&self, now: &PlannedLevel) -> Recording {
        let planned = Recording::of_plans(&now.level, &now.plans);
        let live = |(id, agent): (&EntityId, &LiveAgent)| (*id, Arc::clone(&agent.trajectory));
        planned.with_trajectories(self.agents.iter().map(live))
    }

    /// As plans, for drawing and descriptions.
    #[must_use]
    pub fn plans(&self, now: &Plans) -> Plans {
        let mut plans = now.clone();
        for (id, agent) in &self.agents {
            if let Some(plan) = plans.get_mut(id) {
                *plan = Arc::new(agent.plan(plan));
            }
        }
        plans
    }
}

impl LiveAgent {
    fn of_plan(trajectory: &Arc<Trajectory>, plan: &AgentPlan) -> Option<Self> {
        let lengths: Vec<f64> = plan.paths().map(|path| path.length).collect();
        let mut session = plan.session().fork();
        session.hold();
        session.truncate(lengths.len());
        (!lengths.is_empty()).then(|| Self {
            trajectory: Arc::clone(trajectory),
            begins: 0.0,
            lengths,
            session: Arc::new(session),
            changes: Vec::new(),
        })
    }

    fn is_waiting(&self) -> bool {
        matches!(self.changes.last(), Some(Change::Lost(_)))
    }

    fn repair(
        mut self,
        nav: &NavData,
        time: f64,
        speed: f64,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let Some(here) = self.trajectory.place(time) else {
            return Ok(self);
        };
        let along = self.trajectory.along(time);
        let mut metres = along - self.begins;
        let mut left = 0;
        while left + 1 < self.lengths.len() && metres >= self.lengths[left] {
            metres -= self.lengths[left];
            left += 1;
        }
        let has_arrived = left + 1 == self.lengths.len() && metres >= self.lengths[left] - 1e-6;
        if has_arrived {
            self.changes.clear();
            return Ok(self);
        }
        let mut session = self.session.fork();
        session.drop_legs(left);
        let behind: f64 = self.lengths.drain(..left).sum();
        self.begins += behind;
        let mut repaired = session.repair(nav, here, ctx)?;
        // The clock was set back or the grid differs: the rest is planned from here.
        if (metres < -1e-6 || repaired.changes.contains(&Change::Other))
            && let Some(paths) = session.replan_from(nav, here, ctx)?
        {
            repaired.changes = vec![Change::None; paths.len()];
            repaired.paths = paths;
        }
        let mut trajectory = self.trajectory.until(time);
        for path in &repaired.paths {
            trajectory.append(path, speed);
        }
        self.trajectory = Arc::new(trajectory);
        // A lost leg stays as it was: the agent still stands on it.
        if !repaired.paths.is_empty() {
            self.begins = along;
            let kept = self.lengths.iter().skip(repaired.paths.len()).copied();
            let found = repaired.paths.iter().map(|path| path.length);
            self.lengths = found.chain(kept).collect();
        }
        self.session = Arc::new(session);
        self.changes = repaired.changes;
        Ok(self)
    }

    /// The plan of an agent with this movement.
    fn plan(&self, plan: &AgentPlan) -> AgentPlan {
        let path = self.trajectory.path();
        let end = |p: Option<&glam::DVec3>| p.copied().unwrap_or_default();
        let leg = Leg {
            from: end(path.points.first()),
            to: end(path.points.last()),
            answer: Answer::Found(path),
        };
        plan.walked(leg, self.changes.clone())
    }
}

#[cfg(test)]
#[path = "live_agents_tests.rs"]
mod tests;

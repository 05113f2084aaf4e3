//! An agent's mission as planner sessions, one for each leg.

use super::human::Change;
use super::missions::Leg;
use super::path::{Answer, Path};
use super::queries::MissionQueries;
use super::registry::{self, PlanError};
use super::request::PathRequest;
use super::session::{self, CANCEL_INTERVAL, Session, Step, Updated};
use crate::document::PlannerId;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::NavData;
use glam::DVec3;

/// Lives as long as its agent, and computes and repairs its plans.
#[derive(Debug)]
pub struct MissionSession {
    planner: PlannerId,
    /// Up to the first goal that is not reached.
    legs: Vec<Box<dyn Session>>,
    /// The legs keep what was planned before the last change, not their latest answers.
    holds_earlier: bool,
    /// Legs that were searched for in the last plan; the others were kept.
    searched: usize,
}

/// The path against which the next change is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// The latest answer.
    Last,
    /// The kept path, if there is one: during a drag, the one before it.
    Held,
}

/// Result of a repair, leg by leg.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repaired {
    /// Repaired legs from the agent on, up to the first that is lost.
    pub paths: Vec<Path>,
    pub changes: Vec<Change>,
}

impl Repaired {
    /// No path leads to the goal any more.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        matches!(self.changes.last(), Some(Change::Lost(_)))
    }
}

impl MissionSession {
    /// Plans all legs from scratch.
    ///
    /// # Errors
    /// A query is invalid, the planner is not available, or the job was cancelled.
    pub fn plan(
        planner: PlannerId,
        nav: &NavData,
        queries: &MissionQueries,
        ctx: &JobContext,
    ) -> Result<(Self, Vec<Leg>), PlanError> {
        let mut mission = Self::idle(planner);
        let legs = mission.answer(nav, queries, Vec::new(), ctx)?;
        Ok((mission, legs))
    }

    /// Plans this mission in another state of the level. [`Self::changes`] reports what happened to
    /// the kept paths.
    ///
    /// # Errors
    /// As [`Self::plan`]; this session is unchanged then.
    pub fn plan_again(
        &self,
        nav: &NavData,
        queries: &MissionQueries,
        baseline: Baseline,
        ctx: &JobContext,
    ) -> Result<(Self, Vec<Leg>), PlanError> {
        let mut mission = self.fork();
        if baseline == Baseline::Last || !self.holds_earlier {
            mission.hold();
        }
        let known = std::mem::take(&mut mission.legs);
        let legs = mission.answer(nav, queries, known, ctx)?;
        mission.holds_earlier = true;
        Ok((mission, legs))
    }

    fn answer(
        &mut self,
        nav: &NavData,
        queries: &MissionQueries,
        known: Vec<Box<dyn Session>>,
        ctx: &JobContext,
    ) -> Result<Vec<Leg>, PlanError> {
        let mut known = known.into_iter();
        queries.answer(|request| self.ask(nav, request, known.next(), ctx))
    }

    fn ask(
        &mut self,
        nav: &NavData,
        request: &PathRequest,
        known: Option<Box<dyn Session>>,
        ctx: &JobContext,
    ) -> Result<Answer, PlanError> {
        let mut leg = match known {
            Some(mut leg) => {
                request.check()?;
                let updated = session::update(&mut *leg, nav, request);
                self.searched += usize::from(updated != Updated::Kept);
                leg
            }
            None => {
                self.searched += 1;
                registry::open(self.planner, nav, request)?
            }
        };
        let answer = session::run(&mut *leg, ctx)?;
        leg.release();
        self.legs.push(leg);
        Ok(registry::with_note_on_links(self.planner, nav, answer))
    }

    /// A session that plans nothing.
    #[must_use]
    pub const fn idle(planner: PlannerId) -> Self {
        Self {
            planner,
            legs: Vec::new(),
            holds_earlier: false,
            searched: 0,
        }
    }

    /// An independent session that continues from this state.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            planner: self.planner,
            legs: self.legs.iter().map(|leg| leg.fork()).collect(),
            holds_earlier: self.holds_earlier,
            searched: 0,
        }
    }

    #[must_use]
    pub const fn planner(&self) -> PlannerId {
        self.planner
    }

    /// How many legs were searched for in the last plan; the others were kept.
    #[must_use]
    pub const fn searched(&self) -> usize {
        self.searched
    }

    /// Measures later changes against the latest answers.
    pub fn hold(&mut self) {
        self.legs.iter_mut().for_each(|leg| leg.hold());
        self.holds_earlier = false;
    }

    /// What the last change did to the kept paths, up to the first leg without a path.
    #[must_use]
    pub fn changes(&self) -> Vec<Change> {
        let is_end = |change: &Change| matches!(change, Change::Lost(_) | Change::Other);
        let mut changes: Vec<Change> = self.legs.iter().map(|leg| leg.change()).collect();
        if let Some(end) = changes.iter().position(is_end) {
            changes.truncate(end + 1);
        }
        changes
    }

    #[must_use]
    pub fn legs(&self) -> &[Box<dyn Session>] {
        &self.legs
    }

    /// Drops the legs before this one.
    pub fn drop_legs(&mut self, count: usize) {
        self.legs.drain(..count.min(self.legs.len()));
    }

    /// Drops the legs after this many.
    pub fn truncate(&mut self, count: usize) {
        self.legs.truncate(count);
    }

    /// Repairs the kept paths after obstacles have moved, for an agent at a point on the first leg.
    /// The repaired paths are kept from then on. A leg that is lost stays as it was, with all legs
    /// after it.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn repair(
        &mut self,
        nav: &NavData,
        here: DVec3,
        ctx: &JobContext,
    ) -> Result<Repaired, Cancelled> {
        let mut repaired = Repaired::default();
        for (index, leg) in self.legs.iter_mut().enumerate() {
            let mut request = leg.task().request.clone();
            if index == 0 {
                request.start = here;
            }
            session::update(&mut **leg, nav, &request);
            let path = first_path(&mut **leg, ctx)?;
            let change = leg.change();
            let is_over = matches!(change, Change::Lost(_) | Change::Other) || path.is_none();
            repaired.changes.push(change);
            if is_over {
                break;
            }
            leg.hold();
            leg.release();
            repaired.paths.extend(path);
        }
        Ok(repaired)
    }

    /// Plans all legs from a point on from scratch; `None` if the first leg has no path, and then
    /// this session is unchanged.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn replan_from(
        &mut self,
        nav: &NavData,
        here: DVec3,
        ctx: &JobContext,
    ) -> Result<Option<Vec<Path>>, Cancelled> {
        let mut legs = Vec::with_capacity(self.legs.len());
        let mut paths = Vec::with_capacity(self.legs.len());
        for leg in &self.legs {
            let mut request = leg.task().request.clone();
            if legs.is_empty() {
                request.start = here;
            }
            let Ok(mut leg) = registry::open(self.planner, nav, &request) else {
                break;
            };
            let Answer::Found(path) = session::run(&mut *leg, ctx)? else {
                break;
            };
            leg.hold();
            leg.release();
            legs.push(leg);
            paths.push(path);
        }
        if legs.is_empty() {
            return Ok(None);
        }
        self.legs = legs;
        Ok(Some(paths))
    }
}

/// The session's first path, which after an update is the repaired one; `None` if the kept path is
/// lost.
fn first_path(session: &mut dyn Session, ctx: &JobContext) -> Result<Option<Path>, Cancelled> {
    loop {
        ctx.checkpoint()?;
        let step = session.step(CANCEL_INTERVAL);
        if matches!(session.change(), Change::Lost(_)) {
            return Ok(None);
        }
        match step {
            Step::Running => {}
            Step::Improved { path, .. } | Step::Done(path) => return Ok(Some(path)),
            Step::NoPath => return Ok(None),
        }
    }
}

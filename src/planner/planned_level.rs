//! A baked and planned level: what the editor shows, checks report and renderings draw.

use super::bench::{self, Bench, ComparisonError};
use super::crowds;
use super::missions::{self, Plans};
use super::queries::radius_of;
use super::request::{SlopeLimits, Slopes};
use super::through_solids;
use super::trials::{self, Outcomes};
use crate::base::EntityId;
use crate::document::Level;
use crate::document::validate::{Code, Problem, Subject};
use crate::jobs::{Cancelled, JobContext, assert_off_window_thread};
use crate::nav::constraint::Situation;
use crate::nav::{BakeQuality, NavBundle, NavData, NavSpace, StageTime, Work};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The stage of planning; counted in legs that are searched for.
pub const PATHS: &str = "Paths";

/// Everything derived from one state of the level.
#[derive(Clone, Debug)]
pub struct PlannedLevel {
    pub level: Arc<Level>,
    pub bundle: NavBundle,
    pub plans: Arc<Plans>,
    pub outcomes: Outcomes,
    pub problems: Vec<Problem>,
    /// The options it was baked with.
    pub quality: BakeQuality,
    pub slopes: Slopes,
    /// The moment it was planned for.
    pub situation: Situation,
    /// The ground is not flat, so paths can be bent.
    pub is_uneven: bool,
    /// Every stage with its time, in order.
    pub times: Vec<StageTime>,
    pub took: Duration,
}

impl PlannedLevel {
    /// Free space and cells for an agent's radius.
    #[must_use]
    pub fn space_of(&self, profile: EntityId) -> Option<&Arc<NavSpace>> {
        self.bundle.space(radius_of(&self.level, profile))
    }

    /// Navigation data for an agent's body.
    #[must_use]
    pub fn nav_of(&self, profile: EntityId) -> Option<NavData> {
        self.bundle
            .nav_for(profile, radius_of(&self.level, profile))
    }

    /// How paths are bent on the level's ground.
    #[must_use]
    pub fn slope(&self) -> Option<SlopeLimits> {
        self.slopes.on(self.level.ground().map(|ground| &**ground))
    }

    /// Adds planning problems to those of validation. An agent whose start or goal is blocked is
    /// not also reported as unable to reach it.
    pub fn add_problems(&self, problems: &mut Vec<Problem>) {
        let blocked: BTreeSet<Subject> = problems
            .iter()
            .filter(|problem| matches!(problem.code, Code::StartBlocked | Code::GoalBlocked))
            .map(|problem| problem.subject)
            .collect();
        let is_news = |problem: &&Problem| {
            problem.code != Code::Unreachable || !blocked.contains(&problem.subject)
        };
        problems.extend(self.problems.iter().filter(is_news).cloned());
    }

    /// Every planner's answer for one agent. Bakes nothing.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn compare(
        &self,
        agent: EntityId,
        ctx: &JobContext,
    ) -> Result<Result<Bench, ComparisonError>, Cancelled> {
        bench::run(&self.bundle, agent, self.slope(), ctx)
    }

    /// Plans for the agents of a baked level, at the start of its clock; valid plans of `before` are
    /// reused.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn plan(
        bundle: NavBundle,
        before: Option<&Self>,
        slopes: Slopes,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let situation = Situation::of(bundle.level());
        Self::plan_in(situation, bundle, before, slopes, ctx)
    }

    /// Plans for the agents of a baked level at some moment; valid plans of `before` are reused.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn plan_in(
        situation: Situation,
        bundle: NavBundle,
        before: Option<&Self>,
        slopes: Slopes,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        assert_off_window_thread("planning");
        let started = Instant::now();
        let level = Arc::clone(bundle.level());
        let mut times = bundle.times().to_vec();
        let slope = slopes.on(level.ground().map(|ground| &**ground));
        ctx.stage(PATHS);
        let planning = Instant::now();
        let (plans, work) = missions::plan_agents(
            &level,
            &bundle,
            before.map(|before| missions::Earlier {
                plans: &before.plans,
                is_preview: before.quality == BakeQuality::Preview,
            }),
            slope,
            &situation,
            ctx,
        )?;
        times.push(StageTime {
            stage: PATHS,
            radius: None,
            took: Some(planning.elapsed()),
            result: format!("{} agents", plans.len()),
            work,
        });
        ctx.stage("Navigation tests");
        let testing = Instant::now();
        let outcomes = trials::run(&level, &bundle, &plans, slope, ctx)?;
        if !outcomes.is_empty() {
            times.push(StageTime {
                stage: "Navigation tests",
                radius: None,
                took: Some(testing.elapsed()),
                result: format!(
                    "{} of {} hold",
                    outcomes.values().filter(|outcome| outcome.holds()).count(),
                    outcomes.len()
                ),
                work: Work::default(),
            });
        }
        let mut problems = bundle.problems();
        problems.extend(missions::problems(&plans));
        problems.extend(through_solids::problems(&level, &plans));
        if bundle.quality() == BakeQuality::Full {
            problems.extend(crowds::problems(&level, &bundle, slope, ctx)?);
        }
        problems.extend(trials::problems(&outcomes));
        let is_uneven = level.ground().is_some_and(|ground| {
            let (low, high) = ground.range();
            high > low
        });
        Ok(Self {
            is_uneven,
            took: bundle.took() + started.elapsed(),
            quality: bundle.quality(),
            level,
            bundle,
            plans: Arc::new(plans),
            outcomes,
            problems,
            slopes,
            situation,
            times,
        })
    }
}

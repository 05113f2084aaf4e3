//! A level baked and planned: what the editor shows, checks list and pictures draw.

use super::bench::{self, Bench, NoBench};
use super::missions::{self, Plans};
use super::prepared::{Answers, Prepared};
use super::request::Slopes;
use super::through_solids;
use super::trials::{self, Outcomes};
use crate::base::EntityId;
use crate::document::Level;
use crate::document::validate::{Code, Problem, Subject};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::trapezoid::Effort;
use crate::nav::voxel::VoxelOptions;
use crate::nav::{Commons, NavBundle, NavSpace, StageTime};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Everything that came of one state of the level.
#[derive(Clone, Debug)]
pub struct Baked {
    pub level: Arc<Level>,
    pub bundle: NavBundle,
    pub plans: Arc<Plans>,
    pub outcomes: Outcomes,
    pub problems: Vec<Problem>,
    /// What it was baked with.
    pub effort: Effort,
    pub slopes: Slopes,
    /// There are heights, and not all the same: paths can be bent.
    pub is_uneven: bool,
    /// Every stage with its time, in order.
    pub times: Vec<StageTime>,
    pub took: Duration,
    prepared: Prepared,
}

impl Baked {
    /// The space of an agent's radius.
    #[must_use]
    pub fn space_of(&self, profile: EntityId) -> Option<&Arc<NavSpace>> {
        self.bundle.space(missions::radius_of(&self.level, profile))
    }

    /// Adds what was found to what validation found. An agent whose start or goal is blocked is
    /// not said to be unable to reach it as well.
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

    #[must_use]
    pub const fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// Every planner's answer for one agent. Bakes nothing.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn compare(
        &self,
        agent: EntityId,
        ctx: &JobContext,
    ) -> Result<Result<Bench, NoBench>, Cancelled> {
        let answers = Answers::new(&self.level, self.prepared.clone(), self.slopes);
        bench::run(&self.bundle, agent, &answers, ctx)
    }

    /// Bakes and plans; what `before` holds and still fits is taken over.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn bake(
        level: Arc<Level>,
        before: Option<&Self>,
        slopes: Slopes,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        Self::bake_with(level, before, slopes, Effort::Final, ctx)
    }

    /// The same with less effort while something is dragged; see [`NavBundle::bake_with`].
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn bake_with(
        level: Arc<Level>,
        before: Option<&Self>,
        slopes: Slopes,
        effort: Effort,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let voxels = before.map(|before| Arc::clone(before.bundle.commons().voxel_options()));
        Self::bake_for(
            level,
            before,
            slopes,
            effort,
            voxels.unwrap_or_default(),
            ctx,
        )
    }

    /// The same with other choices about voxels, the meshes of the level among them.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn bake_for(
        level: Arc<Level>,
        before: Option<&Self>,
        slopes: Slopes,
        effort: Effort,
        voxels: Arc<VoxelOptions>,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let earlier = before.map(|before| &**before.bundle.commons());
        let commons = Arc::new(Commons::with_effort(&level, voxels, effort, earlier));
        Self::bake_on(level, commons, before, slopes, effort, ctx)
    }

    /// The same on what is common to all radii in this state of the level; see
    /// [`NavBundle::bake_on`].
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn bake_on(
        level: Arc<Level>,
        commons: Arc<Commons>,
        before: Option<&Self>,
        slopes: Slopes,
        effort: Effort,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let started = Instant::now();
        let earlier = before.map(|before| &before.bundle);
        let bundle = NavBundle::bake_on(commons, earlier, effort, ctx)?;
        let mut prepared = before.map_or_else(Prepared::default, |before| before.prepared.clone());
        prepared.keep(bundle.spaces());
        if effort == Effort::Final {
            // The first question about clearance sorts all edges: here, not in a frame.
            for space in bundle.spaces() {
                let _ = space.free.clearance(space.free.bounds.centre());
            }
        }
        let mut times = bundle.times.clone();
        for planner in missions::planners(&level) {
            bundle.commons().prepare(planner, ctx, &mut times)?;
        }
        let answers = Answers::new(&level, prepared, slopes);
        ctx.stage("Paths");
        let planning = Instant::now();
        let plans = missions::plan_agents(
            &level,
            &bundle,
            before.map(|before| missions::Earlier {
                plans: &before.plans,
                is_preview: before.effort == Effort::Live,
            }),
            &answers,
            ctx,
        )?;
        times.push(StageTime {
            stage: "Paths",
            radius: None,
            took: Some(planning.elapsed()),
            result: format!("{} agents", plans.len()),
        });
        ctx.stage("Navigation tests");
        let testing = Instant::now();
        let outcomes = trials::run(&level, &bundle, &plans, &answers);
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
            });
        }
        let prepared = answers.into_prepared();
        let mut problems = bundle.problems(&level);
        problems.extend(missions::problems(&plans));
        problems.extend(through_solids::problems(&level, &plans));
        problems.extend(trials::problems(&outcomes));
        let is_uneven = level.ground().is_some_and(|ground| {
            let (low, high) = ground.range();
            high > low
        });
        Ok(Baked {
            is_uneven,
            level,
            bundle,
            plans: Arc::new(plans),
            outcomes,
            problems,
            effort,
            slopes,
            times,
            took: started.elapsed(),
            prepared,
        })
    }
}

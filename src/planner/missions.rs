//! Plans of all agents of a level: goals in order, a path for each leg.

use super::constraint::has_storeys;
use super::human::Change;
use super::mission_session::{Baseline, MissionSession};
use super::path::{Answer, NoPath, Path};
use super::queries::{MissionQueries, radius_of};
use super::registry::{self, PlanError};
use super::request::SlopeLimits;
use crate::base::EntityId;
use crate::document::validate::{Code, Problem, Severity, Subject};
use crate::document::{Entity, Kind, KindName, Level, PlannerId, Query};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::constraint::Situation;
use crate::nav::voxel::LevelVoxels;
use crate::nav::{BakeRequest, NavBundle, NavData, Needs, Work};
use glam::{DVec2, DVec3};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// From one point to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    pub from: DVec3,
    pub to: DVec3,
    pub answer: Answer,
}

/// An agent's plan, leg by leg, up to the first goal that it cannot reach.
#[derive(Clone, Debug)]
pub struct AgentPlan {
    pub legs: Vec<Leg>,
    /// How an agent that follows the previous plan gets around moved obstacles, leg by leg; empty
    /// if its path is not affected. For planners that repair.
    pub changes: Vec<Change>,
    /// The session that planned it, and continues from here after changes.
    session: Arc<MissionSession>,
    made_from: MadeFrom,
}

/// The inputs of a plan. Equal inputs give equal plans.
#[derive(Clone, Debug)]
struct MadeFrom {
    entity: Arc<Entity>,
    planner: PlannerId,
    nav: NavData,
    queries: MissionQueries,
}

impl MadeFrom {
    /// Whether both have one agent and equal goals.
    fn same_query(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.entity, &other.entity)
            && self.planner == other.planner
            && self.queries.stops == other.queries.stops
            && self.queries.about.profile == other.queries.about.profile
    }

    fn is_same(&self, other: &Self) -> bool {
        let ground = |made: &Self| made.nav.shared().ground().map(Arc::as_ptr);
        Arc::ptr_eq(&self.entity, &other.entity)
            && self.planner == other.planner
            && Arc::ptr_eq(self.nav.space(), other.nav.space())
            && (self.nav.shared()).same_parts(other.nav.shared(), registry::needs(self.planner))
            && ground(self) == ground(other)
            && Arc::ptr_eq(self.nav.shared().links(), other.nav.shared().links())
            // What was planned while something was dragged is finished when it is let go.
            && (self.planner != PlannerId::CONSTRAINT
                || self.nav.shared().quality() >= other.nav.shared().quality())
            && (self.planner != PlannerId::CONSTRAINT
                || !has_storeys(self.nav.level())
                || self
                    .nav
                    .shared()
                    .same_parts(other.nav.shared(), Needs::VOXELS))
            && self.queries == other.queries
    }
}

impl AgentPlan {
    /// The planner.
    #[must_use]
    pub const fn session(&self) -> &Arc<MissionSession> {
        &self.session
    }

    /// The navigation data it was planned on.
    #[must_use]
    pub const fn nav(&self) -> &NavData {
        &self.made_from.nav
    }

    /// The voxels it was planned in, if they were built.
    #[must_use]
    pub fn voxels(&self) -> Option<&Arc<LevelVoxels>> {
        self.made_from.nav.shared().built_voxels()
    }

    /// Whether both have one agent and equal goals, so that an agent on the one can continue on the
    /// other.
    #[must_use]
    pub fn same_query(&self, other: &Self) -> bool {
        self.made_from.same_query(&other.made_from)
    }

    /// The plan of an agent whose path became `leg` while obstacles moved.
    #[must_use]
    pub fn walked(&self, leg: Leg, changes: Vec<Change>) -> Self {
        Self {
            legs: vec![leg],
            changes,
            ..self.clone()
        }
    }

    /// Paths of the legs that were found.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.legs.iter().filter_map(|leg| leg.answer.path())
    }

    /// Why it does not reach all goals.
    #[must_use]
    pub fn trouble(&self) -> Option<(&Leg, &NoPath)> {
        self.legs.iter().find_map(|leg| match &leg.answer {
            Answer::NotFound(reason) => Some((leg, reason)),
            Answer::Found(_) => None,
        })
    }

    #[must_use]
    pub fn length(&self) -> f64 {
        self.paths().map(|path| path.length).sum()
    }

    #[must_use]
    pub fn cost(&self) -> f64 {
        self.paths().map(|path| path.cost).sum()
    }

    /// Infinite without obstacles nearby, or without a path.
    #[must_use]
    pub fn min_clearance(&self) -> f64 {
        self.paths()
            .map(|path| path.min_clearance)
            .fold(f64::INFINITY, f64::min)
    }

    /// Number of corners of the whole path, start and goals included; the joint of two legs counts
    /// once. Points added by bending on slopes do not count.
    #[must_use]
    pub fn waypoints(&self) -> usize {
        let mut points: Vec<DVec2> = self.paths().flat_map(Path::corners).collect();
        points.dedup();
        points.len()
    }

    /// Travel time if planners simulated the walk; `None` if one only drew lines.
    /// Unit: seconds.
    #[must_use]
    pub fn walked_secs(&self) -> Option<f64> {
        let times = self.paths().map(|path| path.times.last().copied());
        times.sum::<Option<f64>>().filter(|secs| *secs > 0.0)
    }

    /// All points, in plan.
    pub fn points(&self) -> impl Iterator<Item = DVec2> {
        self.paths()
            .flat_map(|path| path.points.iter().map(|p| p.truncate()))
    }
}

/// Plans by agent.
pub type Plans = BTreeMap<EntityId, Arc<AgentPlan>>;

/// The previous plans, and whether they were a preview: then the ones before them count.
#[derive(Clone, Copy, Debug)]
pub struct Earlier<'a> {
    pub plans: &'a Plans,
    pub is_preview: bool,
}

/// Plans all agents; plans of `before` with equal inputs are reused. The work is counted in legs.
///
/// # Errors
/// The job was cancelled; the sessions of `before` are unchanged.
pub fn plan_agents(
    level: &Level,
    bundle: &NavBundle,
    before: Option<Earlier<'_>>,
    slope: Option<SlopeLimits>,
    situation: &Situation,
    ctx: &JobContext,
) -> Result<(Plans, Work), Cancelled> {
    let agents: Vec<_> = level
        .of_kind(KindName::Agent)
        .filter_map(|(id, entity)| match &entity.kind {
            Kind::Agent(agent) => Some((id, entity, agent)),
            _ => None,
        })
        .collect();
    let plans: Vec<Option<_>> = agents
        .into_par_iter()
        .map(|(id, entity, agent)| {
            ctx.checkpoint()?;
            let Some(nav) = bundle.nav_for(
                agent.mission.profile,
                radius_of(level, agent.mission.profile),
            ) else {
                return Ok(None);
            };
            let made_from = MadeFrom {
                entity: Arc::clone(entity),
                planner: registry::effective(agent.mission.planner),
                nav,
                queries: MissionQueries::in_situation(level, agent, slope, situation),
            };
            let known = before.and_then(|before| Some((before, before.plans.get(&id)?)));
            if let Some((_, known)) = known
                && known.made_from.is_same(&made_from)
            {
                return Ok(Some((id, Arc::clone(known), 0)));
            }
            let plan = plan(made_from, known, ctx)?;
            let searched = plan.session.searched();
            Ok(Some((id, Arc::new(plan), searched)))
        })
        .collect::<Result<_, Cancelled>>()?;
    let plans = || plans.iter().flatten();
    let work = Work {
        made: plans().map(|(.., searched)| searched).sum(),
        of: plans().map(|(_, plan, _)| plan.legs.len()).sum(),
    };
    let plans = plans().map(|(id, plan, _)| (*id, Arc::clone(plan)));
    Ok((plans.collect(), work))
}

fn plan(
    made_from: MadeFrom,
    known: Option<(Earlier<'_>, &Arc<AgentPlan>)>,
    ctx: &JobContext,
) -> Result<AgentPlan, Cancelled> {
    let (nav, queries) = (&made_from.nav, &made_from.queries);
    let planned = match known {
        Some((before, known))
            if known.made_from.same_query(&made_from)
                || (made_from.planner == PlannerId::CONSTRAINT
                    && known.made_from.planner == PlannerId::CONSTRAINT) =>
        {
            let baseline = if before.is_preview {
                Baseline::Held
            } else {
                Baseline::Last
            };
            known.session.plan_again(nav, queries, baseline, ctx)
        }
        _ => MissionSession::plan(made_from.planner, nav, queries, ctx),
    };
    let (session, legs) = match planned {
        Ok(planned) => planned,
        Err(PlanError::Cancelled(cancelled)) => return Err(cancelled),
        Err(error) => {
            let answer = Answer::NotFound(NoPath::because(error.to_string()));
            let idle = MissionSession::idle(made_from.planner);
            let from = queries.start;
            let to = queries.stops.first().map_or(from, |stop| stop.place);
            (idle, vec![Leg { from, to, answer }])
        }
    };
    let touches = |change: &Change| matches!(change, Change::Repaired(_) | Change::Lost(_));
    let mut changes = session.changes();
    if !changes.iter().any(touches) {
        changes.clear();
    }
    Ok(AgentPlan {
        legs,
        changes,
        session: Arc::new(session),
        made_from,
    })
}

/// Shared parts that the planners of a level's agents and tests read.
#[must_use]
pub fn needs(level: &Level) -> Needs {
    let agents = level.of_kind(KindName::Agent);
    agents
        .chain(level.of_kind(KindName::Test))
        .filter_map(|(_, entity)| match &entity.kind {
            Kind::Agent(agent) => Some(agent.mission.planner),
            Kind::Test(test) => match test.query {
                Query::Between { planner, .. } => Some(planner),
                Query::Agent(_) | Query::Run => None,
            },
            _ => None,
        })
        .map(registry::needs)
        .collect()
}

/// The bake that a level's agents and tests require.
#[must_use]
pub fn bake_request(level: Arc<Level>) -> BakeRequest<'static> {
    BakeRequest {
        needs: needs(&level),
        ..BakeRequest::of(level)
    }
}

/// Unreachable goals, as problems of the level.
#[must_use]
pub fn problems(plans: &Plans) -> Vec<Problem> {
    plans
        .iter()
        .filter_map(|(id, plan)| {
            let (leg, reason) = plan.trouble()?;
            Some(Problem {
                severity: Severity::Error,
                code: Code::Unreachable,
                subject: Subject::Entity(*id),
                message: reason.reason.clone(),
                at: Some(reason.gap.map_or(leg.to.truncate(), |gap| gap.at)),
                fix: None,
            })
        })
        .collect()
}

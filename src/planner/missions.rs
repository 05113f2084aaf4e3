//! What every agent of a level does: its goals in order, a path for each leg.

use super::human::{Astar, Change, Trip};
use super::path::{Answer, NoPath, Path};
use super::prepared::{Answers, Question};
use super::request::SlopeLimits;
use crate::base::EntityId;
use crate::document::validate::{Code, Problem, Severity, Subject};
use crate::document::{
    Agent, Entity, Goal, Kind, Level, Mission, PlannerKind, Query, Repeat, annotation_area, limits,
};
use crate::geometry::{HeightField, Polygon};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::voxel::LevelVoxels;
use crate::nav::{Commons, NavBundle, NavSpace};
use glam::{DVec2, DVec3};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// From one place to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    pub from: DVec3,
    pub to: DVec3,
    pub answer: Answer,
}

/// Where an agent goes, leg by leg, up to the first goal that it cannot reach.
#[derive(Clone, Debug)]
pub struct AgentPlan {
    pub legs: Vec<Leg>,
    /// How somebody who was on the way already, as it was before the last change, gets round what has
    /// moved, leg by leg; empty where nothing of that is in the way. For human motion only.
    pub changes: Vec<Change>,
    /// The way as it was before the last change; under a drag, before the drag.
    earlier: Option<Arc<Trip>>,
    made_from: MadeFrom,
}

/// What a plan was made from; while it is the same, so is the plan.
#[derive(Clone, Debug)]
struct MadeFrom {
    entity: Arc<Entity>,
    space: Arc<NavSpace>,
    commons: Arc<Commons>,
    profile: Option<Arc<Entity>>,
    route: Option<Arc<Entity>>,
    ground: Option<Arc<HeightField>>,
    goals: Vec<Stop>,
    slope: Option<SlopeLimits>,
}

impl MadeFrom {
    fn asks_the_same(&self, other: &Self) -> bool {
        let profile = |made: &Self| made.profile.as_ref().map(Arc::as_ptr);
        Arc::ptr_eq(&self.entity, &other.entity)
            && profile(self) == profile(other)
            && self.goals == other.goals
    }

    fn is_same(&self, other: &Self) -> bool {
        fn is_same<T>(a: Option<&Arc<T>>, b: Option<&Arc<T>>) -> bool {
            a.map(Arc::as_ptr) == b.map(Arc::as_ptr)
        }
        let planner = match &self.entity.kind {
            Kind::Agent(agent) => agent.mission.planner,
            _ => PlannerKind::default(),
        };
        Arc::ptr_eq(&self.entity, &other.entity)
            && Arc::ptr_eq(&self.space, &other.space)
            && self.commons.reads_same(&other.commons, planner)
            && is_same(self.profile.as_ref(), other.profile.as_ref())
            && is_same(self.route.as_ref(), other.route.as_ref())
            && is_same(self.ground.as_ref(), other.ground.as_ref())
            && self.goals == other.goals
            && self.slope == other.slope
    }
}

impl AgentPlan {
    /// Its way from cell to cell, planned again as it was; `None` where it does not plan in cells.
    #[must_use]
    pub fn trip(&self, search: &mut Astar) -> Option<Trip> {
        let MadeFrom {
            entity,
            commons,
            profile,
            goals,
            ..
        } = &self.made_from;
        let Kind::Agent(agent) = &entity.kind else {
            return None;
        };
        if agent.mission.planner != PlannerKind::Human {
            return None;
        }
        let voxels = commons.built_voxels()?;
        let profile = match profile.as_ref().map(|entity| &entity.kind) {
            Some(Kind::Profile(profile)) => Arc::new(profile.clone()),
            _ => Arc::default(),
        };
        Trip::plan(search, voxels, &profile, agent.start, goals)
    }

    /// The voxels that it was planned in, where they were built.
    #[must_use]
    pub fn voxels(&self) -> Option<&Arc<LevelVoxels>> {
        self.made_from.commons.built_voxels()
    }

    /// Whether both are of the same agent with the same goals: one can be made the other's on the way.
    #[must_use]
    pub fn asks_the_same(&self, other: &Self) -> bool {
        self.made_from.asks_the_same(&other.made_from)
    }

    /// The same for somebody who has become `leg` while things moved.
    #[must_use]
    pub fn walked(&self, leg: Leg, changes: Vec<Change>) -> Self {
        Self {
            legs: vec![leg],
            changes,
            ..self.clone()
        }
    }

    /// What the moves since `before` do to somebody on that way.
    fn mend(&mut self, before: &Self, is_preview: bool) {
        let Some(voxels) = self.voxels().cloned() else {
            return;
        };
        if !before.asks_the_same(self) {
            return;
        }
        let mut search = Astar::default();
        let known = before.earlier.clone().filter(|_| is_preview);
        let earlier = known.or_else(|| before.trip(&mut search).map(Arc::new));
        if let Some(earlier) = &earlier {
            let mut trip = Trip::clone(earlier);
            let changes = trip.update(&mut search, &voxels, None);
            let touches = |change: &Change| matches!(change, Change::Mended(_) | Change::Lost(_));
            if changes.iter().any(touches) {
                self.changes = changes;
            }
        }
        self.earlier = earlier;
    }

    /// Paths of the legs that were found.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.legs.iter().filter_map(|leg| leg.answer.path())
    }

    /// Why it does not get everywhere.
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

    /// Infinite where nothing is near, and without a path.
    #[must_use]
    pub fn min_clearance(&self) -> f64 {
        self.paths()
            .map(|path| path.min_clearance)
            .fold(f64::INFINITY, f64::min)
    }

    /// Corners of the whole way, start and goals included; where one leg ends and the next begins
    /// is one. Points that bending on slopes put between them do not count.
    #[must_use]
    pub fn waypoints(&self) -> usize {
        let mut points: Vec<DVec2> = self.paths().flat_map(Path::corners).collect();
        points.dedup();
        points.len()
    }

    /// How long the way takes those who walked it; `None` where a planner only drew lines.
    /// Unit: seconds.
    #[must_use]
    pub fn walked_secs(&self) -> Option<f64> {
        let times = self.paths().map(|path| path.times.last().copied());
        times.sum::<Option<f64>>().filter(|secs| *secs > 0.0)
    }

    /// Every point of the way, in plan.
    pub fn points(&self) -> impl Iterator<Item = DVec2> {
        self.paths()
            .flat_map(|path| path.points.iter().map(|p| p.truncate()))
    }
}

/// The plans of a level's agents, by their ids.
pub type Plans = BTreeMap<EntityId, Arc<AgentPlan>>;

/// What was planned before, and whether that was a preview: then what lies further back counts.
#[derive(Clone, Copy, Debug)]
pub struct Earlier<'a> {
    pub plans: &'a Plans,
    pub is_preview: bool,
}

/// Plans for every agent; plans of `before` whose inputs are the same are taken over.
///
/// # Errors
/// The job was cancelled.
pub fn plan_agents(
    level: &Level,
    bundle: &NavBundle,
    before: Option<Earlier<'_>>,
    answers: &Answers<'_>,
    ctx: &JobContext,
) -> Result<Plans, Cancelled> {
    let agents: Vec<_> = level
        .iter()
        .filter_map(|(id, entity)| match &entity.kind {
            Kind::Agent(agent) => Some((id, entity, agent)),
            _ => None,
        })
        .collect();
    let plans: Vec<Option<_>> = agents
        .into_par_iter()
        .map(|(id, entity, agent)| {
            ctx.checkpoint()?;
            let Some(space) = bundle.space(radius_of(level, agent.mission.profile)) else {
                return Ok(None);
            };
            let made_from = MadeFrom {
                entity: Arc::clone(entity),
                space: Arc::clone(space),
                commons: Arc::clone(bundle.commons()),
                profile: level.get(agent.mission.profile).cloned(),
                route: agent
                    .mission
                    .route
                    .and_then(|route| level.get(route).cloned()),
                ground: level.ground().map(Arc::clone),
                goals: targets(level, agent),
                slope: answers.slope(),
            };
            let known = before.and_then(|before| Some((before, before.plans.get(&id)?)));
            if let Some((_, known)) = known
                && known.made_from.is_same(&made_from)
            {
                return Ok(Some((id, Arc::clone(known))));
            }
            let mut plan = plan(agent, made_from, answers);
            if let Some((before, known)) = known {
                plan.mend(known, before.is_preview);
            }
            Ok(Some((id, Arc::new(plan))))
        })
        .collect::<Result<_, Cancelled>>()?;
    Ok(plans.into_iter().flatten().collect())
}

/// Every planner that an agent or a test of the level asks.
#[must_use]
pub fn planners(level: &Level) -> BTreeSet<PlannerKind> {
    level
        .iter()
        .filter_map(|(_, entity)| match &entity.kind {
            Kind::Agent(agent) => Some(agent.mission.planner),
            Kind::Test(test) => match test.query {
                Query::Between { planner, .. } => Some(planner),
                Query::Agent(_) => None,
            },
            _ => None,
        })
        .collect()
}

/// A profile's radius; the usual one where it is missing.
#[must_use]
pub fn radius_of(level: &Level, profile: EntityId) -> f64 {
    match level.get(profile).map(|entity| &entity.kind) {
        Some(Kind::Profile(profile)) => profile.body.radius,
        _ => limits::RADIUS.default,
    }
}

/// Where one leg of a mission leads.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    pub place: DVec3,
    /// Where the goal is an area: all of it.
    pub area: Option<Arc<[Polygon]>>,
}

impl Stop {
    /// Where a path ends that leads here: whoever may end anywhere in an area goes on from there.
    #[must_use]
    pub fn end(&self, path: &Path) -> DVec3 {
        let inside = |end: &&DVec3| {
            let areas = self.area.iter().flat_map(|areas| areas.iter());
            areas.into_iter().any(|area| area.contains(end.truncate()))
        };
        path.points
            .last()
            .filter(inside)
            .copied()
            .unwrap_or(self.place)
    }
}

/// The places that a mission leads to, in order, from the start on; goals that stand for nothing
/// are left out.
#[must_use]
pub fn stops(level: &Level, agent: &Agent) -> Vec<DVec3> {
    let stops = targets(level, agent).into_iter();
    stops.map(|stop| stop.place).collect()
}

/// The same with the areas that goals are.
#[must_use]
pub fn targets(level: &Level, agent: &Agent) -> Vec<Stop> {
    let mut at = agent.start;
    let Mission { goals, repeat, .. } = &agent.mission;
    let mut stops: Vec<Stop> = goals
        .iter()
        .filter_map(|goal| {
            let area = match goal {
                Goal::At(place) => {
                    at = *place;
                    None
                }
                Goal::Inside(area) => {
                    let areas = areas_of(level, *area)?;
                    at = nearest_inside(&areas, at.truncate())?.extend(at.z);
                    Some(areas.into())
                }
            };
            Some(Stop { place: at, area })
        })
        .collect();
    if *repeat == Repeat::Loop && stops.len() > 1 {
        stops.push(Stop {
            place: agent.start,
            area: None,
        });
    }
    stops
}

/// How far inside an area an agent goes, as a share of the way to its middle: not onto its very
/// edge, which may be a wall.
const INSIDE: f64 = 0.25;

/// What an annotation or a region covers.
fn areas_of(level: &Level, id: EntityId) -> Option<Vec<Polygon>> {
    match &level.get(id)?.kind {
        Kind::Region(region) => Some(vec![region.area.clone()]),
        Kind::Annotation(_) => Some(annotation_area(level, id)),
        _ => None,
    }
}

/// A place inside areas that is near to `from`.
fn nearest_inside(areas: &[Polygon], from: DVec2) -> Option<DVec2> {
    if areas.iter().any(|area| area.contains(from)) {
        return Some(from);
    }
    let nearest = |area: &Polygon| {
        let edge = area
            .edges()
            .map(|(a, b)| crate::geometry::polygon::closest_on_segment(a, b, from))
            .min_by(|a, b| {
                a.distance_squared(from)
                    .total_cmp(&b.distance_squared(from))
            })?;
        let inwards = edge.lerp(area.centroid(), INSIDE);
        Some(if area.contains(inwards) {
            inwards
        } else {
            edge
        })
    };
    areas.iter().filter_map(nearest).min_by(|a, b| {
        a.distance_squared(from)
            .total_cmp(&b.distance_squared(from))
    })
}

fn plan(agent: &Agent, made_from: MadeFrom, answers: &Answers<'_>) -> AgentPlan {
    let mut legs = Vec::with_capacity(made_from.goals.len());
    let mut from = agent.start;
    for stop in &made_from.goals {
        let answer = answers.answer(&Question {
            space: &made_from.space,
            commons: &made_from.commons,
            planner: agent.mission.planner,
            profile: agent.mission.profile,
            route: agent.mission.route,
            walk: agent.mission.walk,
            from,
            to: stop.place,
            area: stop.area.clone(),
        });
        let found = answer.path().map(|path| stop.end(path));
        let to = found.unwrap_or(stop.place);
        legs.push(Leg { from, to, answer });
        if found.is_none() {
            break;
        }
        from = to;
    }
    AgentPlan {
        legs,
        changes: Vec::new(),
        earlier: None,
        made_from,
    }
}

/// Goals that cannot be reached, as problems of the level.
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

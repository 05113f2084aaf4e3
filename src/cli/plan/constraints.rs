//! `wayloom plan --planner constraint`: when it plans, how, and what moves then.

use super::{moving::with_moved, named, no_path_object, path_object, points_object, summary};
use crate::base::EntityId;
use crate::cli::{Answer, args, console::Console};
use crate::document::sentence::{Names, nearest, parse, print_constraint};
use crate::document::validate::contradicting;
use crate::document::{Constraint, ConstraintOptions, Edit, Kind, KindName, Level, PlannerId, ops};
use crate::jobs::JobContext;
use crate::nav::constraint::Situation;
use crate::nav::{BakeRequest, NavBundle, NavData, ProfileSet};
use crate::planner::constraint::{ConstraintQuery, Replan};
use crate::planner::mission_session::Baseline;
use crate::planner::registry::{self, Reads};
use crate::planner::{MissionQueries, MissionSession, Step};
use anyhow::{anyhow, bail};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;

/// The constraints of a query and the moment it is asked in.
#[derive(Clone, Debug)]
pub(super) struct Situated {
    constraints: Vec<Constraint>,
    options: ConstraintOptions,
    pub(super) situation: Situation,
}

impl Situated {
    /// Constraints that contradict each other, as a sentence.
    pub fn contradiction(&self, level: &Level) -> Option<String> {
        let both = self.constraints.iter().find_map(|soft| {
            let other = contradicting(&self.constraints, soft)?;
            Some([soft, other])
        })?;
        let names = Names::of(level);
        let [soft, other] = both.map(|constraint| print_constraint(constraint, &names));
        Some(format!(
            "the constraints “{soft}” and “{other}” contradict each other; remove one"
        ))
    }

    pub fn query(&self, level: &Level) -> ConstraintQuery {
        ConstraintQuery::of(level, &self.constraints, self.options, &self.situation)
    }
}

/// What is asked: an agent's own constraints and options, unless others are given.
pub(super) fn situated(
    level: &Level,
    options: &args::Plan,
    planner: PlannerId,
) -> anyhow::Result<Situated> {
    let asked = &options.constraints;
    let reads = registry::row(planner).map(|row| row.reads);
    let is_asked = asked.sentence.is_some()
        || asked.domain.is_some()
        || asked.search.is_some()
        || asked.spacing.is_some()
        || asked.epsilon.is_some()
        || asked.expansions.is_some()
        || asked.time.is_some()
        || !asked.flags.is_empty();
    if is_asked && !reads.is_some_and(|reads| reads.contains(Reads::CONSTRAINTS)) {
        bail!(
            "--constraints, --domain, --search, --spacing, --epsilon, --expansions, --time and --flag are for --planner constraint, not {planner}"
        );
    }
    let mission = options.agent.as_ref().and_then(|name| {
        let id = level.find(KindName::Agent, name)?;
        match &level.get(id)?.kind {
            Kind::Agent(agent) => Some(&agent.mission),
            _ => None,
        }
    });
    let usual = mission.map_or(ConstraintOptions::DEFAULT, |mission| {
        mission.constraint_options
    });
    let constraints = match (&asked.sentence, mission) {
        (Some(text), _) => {
            let sentence = parse(text, &Names::of(level)).map_err(|error| anyhow!("{error}"))?;
            if sentence.itinerary.is_some() {
                bail!(
                    "--constraints says where to be, not where to go; give the goal with --to or --agent"
                );
            }
            sentence.constraints
        }
        (None, Some(mission)) => mission.constraints.clone(),
        (None, None) => Vec::new(),
    };
    let mut situation = Situation::of(level);
    situation.hour = asked.time.unwrap_or(situation.hour);
    for flag in &asked.flags {
        let id = named(level, KindName::Flag, &flag.name)?;
        situation.flags.insert(id, flag.is_set);
    }
    Ok(Situated {
        constraints,
        options: ConstraintOptions {
            domain: asked.domain.unwrap_or(usual.domain),
            search: asked.search.unwrap_or(usual.search),
            spacing: asked.spacing.or(usual.spacing),
            epsilon: asked.epsilon.unwrap_or(usual.epsilon),
            ..usual
        },
        situation,
    })
}

/// The best path of the first leg after so many expansions.
pub(super) fn within(
    expansions: usize,
    planner: PlannerId,
    nav: &NavData,
    queries: &MissionQueries,
    console: &Console,
) -> anyhow::Result<Answer> {
    let Some(stop) = queries.stops.first() else {
        bail!("the agent has no goal; give it one, or use --from and --to");
    };
    let request = queries.request(stop, queries.start);
    let mut session = registry::open(planner, nav, &request)?;
    let mut best = None;
    while session.expanded() < expansions {
        match session.step(expansions - session.expanded()) {
            Step::Running => {}
            Step::Improved { path, bound } => best = Some((path, bound)),
            Step::Done(path) => {
                best = Some((path, 1.0));
                break;
            }
            Step::NoPath => {
                let reason = session.explain(&JobContext::default())?;
                let object = no_path_object(nav.level(), planner, &reason);
                console.result(&format!("no path: {}", reason.reason), &object);
                return Ok(Answer::No);
            }
        }
    }
    let Some((path, bound)) = best else {
        let reason = format!("no path was found within {expansions} expansions; allow more");
        let object = json!({ "found": false, "planner": planner.as_str(), "reason": reason });
        console.result(&reason, &object);
        return Ok(Answer::No);
    };
    let mut object = path_object(&path, planner, None);
    object["bound"] = json!(bound);
    let text = format!(
        "{}\nat most {bound} times the least cost",
        summary(&path, planner, None)
    );
    console.result(&text, &object);
    Ok(Answer::Yes)
}

/// Moves one thing after the other and repairs: what was told, the list, and whether no path is left.
pub(super) fn moved(
    mission: MissionSession,
    queries: &MissionQueries,
    situated: &Situated,
    options: &args::Plan,
    bundle: &NavBundle,
) -> anyhow::Result<(String, Value, bool)> {
    let ctx = JobContext::default();
    let radius = queries.about.profile.body.radius;
    let (mut mission, mut bundle) = (mission, bundle.clone());
    let (mut text, mut list, mut is_lost) = (String::new(), Vec::new(), false);
    for asked in &options.moves {
        let id = movable(bundle.level(), &asked.name)?;
        let level = Arc::new(placed(bundle.level(), id, asked)?);
        let request = BakeRequest {
            profiles: ProfileSet::Radii(vec![radius]),
            options: bundle.shared().options().clone(),
            before: Some(&bundle),
            ..BakeRequest::of(Arc::clone(&level))
        };
        bundle = NavBundle::bake(request, &ctx)?;
        let nav = bundle.nav(radius);
        let nav = nav.ok_or_else(|| anyhow!("nothing was baked for a radius of {radius} m"))?;
        let mut now = queries.clone();
        now.about.constraints = situated.query(&level);
        let (next, legs) = mission.plan_again(&nav, &now, Baseline::Last, &ctx)?;
        mission = next;
        let reason = legs.iter().find_map(|leg| match &leg.answer {
            crate::planner::Answer::NotFound(reason) => Some(reason.reason.clone()),
            crate::planner::Answer::Found(_) => None,
        });
        is_lost = reason.is_some();
        let replans = mission.legs().iter().filter_map(|leg| leg.replans().last());
        let replans: Vec<&Replan> = replans.collect();
        let _ = write!(text, "\n{} to {}, {}: ", asked.name, asked.to.x, asked.to.y);
        match &reason {
            Some(reason) => text.push_str(reason),
            None => {
                let sum = |of: fn(&Replan) -> f64| replans.iter().map(|r| of(r)).sum::<f64>();
                let _ = write!(
                    text,
                    "cost {:.3}, {} states touched, {} expansions against {} from scratch, {:.1} µs",
                    sum(|r| r.cost),
                    sum(|r| r.touched as f64),
                    sum(|r| r.expanded as f64),
                    sum(|r| r.expanded_from_scratch as f64),
                    sum(|r| r.micros),
                );
            }
        }
        let paths = legs.iter().filter_map(|leg| leg.answer.path());
        let points: Vec<_> = paths.flat_map(|path| path.points.clone()).collect();
        list.push(json!({
            "moved": asked.name,
            "to": asked.to.to_array(),
            "reason": reason,
            "points": points_object(&points),
            "replans": replans.into_iter().map(replan_object).collect::<Vec<_>>(),
        }));
    }
    Ok((text, Value::Array(list), is_lost))
}

fn replan_object(replan: &Replan) -> Value {
    json!({
        "what": replan.what,
        "repaired": replan.kind == crate::planner::constraint::replan::ReplanKind::Repaired,
        "touched": replan.touched,
        "expanded": replan.expanded,
        "expanded_from_scratch": replan.expanded_from_scratch,
        "cost": replan.cost.is_finite().then_some(replan.cost),
        "plan_micros": replan.micros,
    })
}

fn movable(level: &Level, name: &str) -> anyhow::Result<EntityId> {
    const KINDS: [KindName; 3] = [KindName::Agent, KindName::Solid, KindName::Obstacle];
    let found = KINDS.into_iter().find_map(|kind| level.find(kind, name));
    found.ok_or_else(|| {
        let movable = level
            .iter()
            .filter(|(_, entity)| KINDS.contains(&entity.kind.name()));
        let meant = nearest(name, movable.map(|(_, entity)| entity.name.as_str()));
        let hint = meant.map_or_else(String::new, |meant| format!("; did you mean \"{meant}\"?"));
        anyhow!("there is no agent, solid or obstacle \"{name}\" to be moved{hint}")
    })
}

fn placed(level: &Level, id: EntityId, asked: &args::Move) -> anyhow::Result<Level> {
    let Some(entity) = level.get(id) else {
        bail!("there is no \"{}\"", asked.name);
    };
    let mut entity = (**entity).clone();
    let Kind::Agent(agent) = &mut entity.kind else {
        return with_moved(level, id, asked);
    };
    let z = if asked.has_height {
        asked.to.z
    } else {
        agent.start.z
    };
    agent.start = asked.to.truncate().extend(z);
    Ok(ops::apply(level, &[Edit::replace(id, entity)])?)
}

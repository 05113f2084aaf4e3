//! What a constraint does: the path that an agent would take without it.

use crate::document::PlannerId;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::constraint::{Field, FieldRule, Term};
use crate::planner::missions::AgentPlan;
use crate::planner::session::run;
use crate::planner::{Answer, Path, PathRequest, PlanError, registry};
use glam::DVec3;
use std::sync::Arc;

/// An agent's mission with one constraint switched off.
#[derive(Clone, Debug)]
pub struct WhatIf {
    /// The constraint.
    pub term: Term,
    /// Leg by leg, up to the first goal that is not reached without it either.
    pub paths: Vec<Path>,
    /// How much longer the path with the constraint is; `None` if one of them leads nowhere.
    /// Unit: metres.
    pub longer: Option<f64>,
    /// How much dearer the other path is where the constraint holds: what keeping it saves.
    /// Infinite if that path breaks a hard one.
    pub saves: Option<f64>,
}

/// Plans the mission of an agent without the constraint of that key; `None` if its plan has none.
///
/// The base weight stays, so that both paths are measured alike.
///
/// # Errors
/// The job was cancelled.
pub fn without(plan: &AgentPlan, key: u64, ctx: &JobContext) -> Result<Option<WhatIf>, Cancelled> {
    let legs = plan.session().legs();
    let mut requests = legs.iter().map(|leg| &leg.task().request);
    let Some(term) = requests.find_map(|request| term_of(request, key).cloned()) else {
        return Ok(None);
    };
    let mut paths: Vec<Path> = Vec::new();
    let mut from: Option<DVec3> = None;
    let mut dearer = 0.0;
    for leg in legs {
        let task = leg.task();
        let field = &task.request.constraints.field;
        let others = field.terms().iter().filter(|term| term.key != key).cloned();
        let mut request = task.request.clone();
        request.constraints.field = Arc::new(Field::new(others.collect(), field.base()));
        if let Some(from) = from {
            request.start = from;
        }
        let mut session = match registry::open(PlannerId::CONSTRAINT, &task.nav, &request) {
            Ok(session) => session,
            Err(PlanError::Cancelled(cancelled)) => return Err(cancelled),
            Err(_) => break,
        };
        let Answer::Found(path) = run(&mut *session, ctx)? else {
            break;
        };
        let step = super::spacing_of(&task.nav, &task.request);
        dearer += super::pull::cost_of(&path.points, field, step);
        from = path.points.last().copied();
        paths.push(path);
    }
    let is_whole = paths.len() == legs.len();
    let is_reached = is_whole && plan.trouble().is_none();
    let length: f64 = paths.iter().map(|path| path.length).sum();
    Ok(Some(WhatIf {
        term,
        longer: is_reached.then(|| plan.length() - length),
        saves: is_reached.then(|| dearer - plan.cost()),
        paths,
    }))
}

fn term_of(request: &PathRequest, key: u64) -> Option<&Term> {
    let terms = request.constraints.field.terms();
    terms.iter().find(|term| term.key == key)
}

impl WhatIf {
    /// The differences in a few words, for the path itself.
    #[must_use]
    pub fn short(&self) -> String {
        let signed = |value: f64| if value < 0.0 { "−" } else { "+" };
        match (self.longer, self.saves) {
            (Some(longer), Some(saves)) if saves.is_finite() => format!(
                "{}{:.1} m, {}{:.1} cost",
                signed(-longer),
                longer.abs(),
                signed(saves),
                saves.abs()
            ),
            (Some(longer), _) => format!("{}{:.1} m, forbidden", signed(-longer), longer.abs()),
            _ => "without it".to_owned(),
        }
    }

    /// What the constraint does, as a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let is_hard = self.term.rule == FieldRule::Forbidden;
        match (self.longer, self.saves) {
            (Some(longer), Some(saves)) => {
                let change = if longer.abs() < 0.05 {
                    "the path is as long".to_owned()
                } else if longer > 0.0 {
                    format!("the path is {longer:.1} m shorter")
                } else {
                    format!("the path is {:.1} m longer", -longer)
                };
                if saves.is_infinite() {
                    format!("without it {change}, through what it forbids")
                } else if saves.abs() < 0.005 {
                    "without it the path is the one that is taken".to_owned()
                } else if saves < 0.0 {
                    // Both are pulled straight, the one better than the other.
                    format!("without it {change} and costs no more")
                } else {
                    format!("without it {change}; keeping it saves {saves:.1} of cost")
                }
            }
            _ if self.paths.is_empty() => "without it there is no path either".to_owned(),
            _ if is_hard => "without it there is a path".to_owned(),
            _ => "without it the mission ends elsewhere".to_owned(),
        }
    }
}

//! Why there is no path: constraints that leave none, states that do not fit, or free space itself.

use super::astar::AStar;
use super::domain::{Domain, Ground};
use super::grounds::{ends_of, ground_of, has_storeys, is_connected};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::NavData;
use crate::nav::constraint::{Field, FieldRule, Term};
use crate::planner::explain::explain;
use crate::planner::human::HumanSession;
use crate::planner::session::{CANCEL_INTERVAL, Progress, run};
use crate::planner::{Answer, NoPath, PathRequest};
use glam::DVec3;
use std::sync::Arc;

/// Weight of a hard constraint while the path that breaks the fewest is searched for: a metre in it
/// costs as much as a thousand outside.
const BROKEN: f64 = -72.0;

/// Why a query has no answer.
///
/// # Errors
/// The job was cancelled.
pub fn explained(
    nav: &NavData,
    request: &PathRequest,
    ctx: &JobContext,
) -> Result<NoPath, Cancelled> {
    let is_in_space = has_storeys(nav.level());
    let Some((ground, lattice)) = ground_of(nav, request) else {
        let error = nav.shared().voxels().err();
        return Ok(NoPath::because(error.map_or_else(
            || "there is no path".to_owned(),
            ToString::to_string,
        )));
    };
    let ends = ends_of(nav, request);
    let field = &request.constraints.field;
    if let Some(reason) = blockers(&ground, field, ends, ctx)? {
        return Ok(reason);
    }
    if !is_in_space && is_connected(nav, ends.map(DVec3::truncate)) {
        return Ok(NoPath::because(format!(
            "states {} m apart do not fit through the passages to the goal; choose a smaller spacing",
            lattice.spacing()
        )));
    }
    let plain = explain(nav, request, ctx)?;
    let is_placed = ends.iter().all(|end| nav.is_placed(end.truncate()));
    if !(is_in_space || is_placed) {
        return Ok(plain);
    }
    for (end, p) in [("start", ends[0]), ("goal", ends[1])] {
        if lattice.around(p).is_empty() {
            return Ok(NoPath::because(format!(
                "the {end} at {:.2}, {:.2} has no room for states {} m apart around it; move it, or choose a smaller spacing",
                p.x,
                p.y,
                lattice.spacing()
            )));
        }
    }
    if !is_in_space {
        return Ok(plain);
    }
    // Cell by cell: what stops a body there stops its states, too.
    let mut walk = HumanSession::new(nav, request);
    Ok(match run(&mut walk, ctx)? {
        Answer::NotFound(why) => why,
        Answer::Found(_) => NoPath::because(format!(
            "states {} m apart do not fit through the passages to the goal; choose a smaller spacing",
            lattice.spacing()
        )),
    })
}

/// The hard constraints that block; `None` if there is no path without them either.
///
/// # Errors
/// The job was cancelled.
fn blockers(
    ground: &Ground,
    field: &Field,
    ends: [DVec3; 2],
    ctx: &JobContext,
) -> Result<Option<NoPath>, Cancelled> {
    let hard = |term: &&Term| term.rule == FieldRule::Forbidden;
    if !field.terms().iter().any(|term| hard(&term)) {
        return Ok(None);
    }
    for (end, p) in [("start", ends[0]), ("goal", ends[1])] {
        if let Some(term) = field.forbidding(p) {
            return Ok(Some(NoPath::because(format!(
                "the {end} at {:.2}, {:.2} is where \"{}\" forbids to be; move it, or give that constraint a weight",
                p.x, p.y, term.name
            ))));
        }
    }
    // Hard ones only, as strong repellers: the path that breaks as little as possible.
    let softened = field.terms().iter().filter(hard).map(|term| Term {
        rule: FieldRule::In,
        weight: BROKEN,
        ..term.clone()
    });
    let softened = Arc::new(Field::new(softened.collect(), 0.0));
    let mut domain = Domain::new(ground, &softened, ends[0], ends[1]);
    let mut search = AStar::default();
    search.begin(&domain, domain.start(), domain.goal());
    let found = loop {
        ctx.checkpoint()?;
        match search.run(&mut domain, CANCEL_INTERVAL) {
            Progress::Running => {}
            Progress::Found => break true,
            Progress::Exhausted => break false,
        }
    };
    if !found {
        return Ok(None);
    }
    let points = domain.points(&search.path_to(domain.goal()));
    let is_broken = |term: &&Term| {
        let mut pairs = points.windows(2);
        pairs.any(|pair| term.region.meets(pair[0], pair[1]))
    };
    let broken = field.terms().iter().filter(hard).filter(is_broken);
    let mut names: Vec<String> = broken.map(|term| format!("\"{}\"", term.name)).collect();
    names.dedup();
    Ok(match &names[..] {
        [] => None,
        [one] => Some(NoPath::because(format!(
            "{one} leaves no path to the goal; remove it, give it a weight, or open another path"
        ))),
        [rest @ .., last] => Some(NoPath::because(format!(
            "{} and {last} together leave no path to the goal; remove one of them, or give it a weight",
            rest.join(", ")
        ))),
    })
}

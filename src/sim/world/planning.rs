//! Guides from planners.

use super::agents::NewPlan;
use super::event::AgentIndex;
use super::guide::{Following, Guide};
use super::scenario::{Scenario, Source};
use super::walls::Walls;
use crate::document::PlannerId;
use crate::jobs::{Cancelled, JobContext};
use crate::planner::queries::nearest_inside;
use crate::planner::request::Figures;
use crate::planner::{Answer, MissionSession, PlanError, registry};
use glam::{DVec2, DVec3};

/// How far a place beside free space is moved, in eight directions, to be in it: grown corners are
/// rounded outwards. Unit: metres.
const NUDGES: [f64; 3] = [0.005, 0.02, 0.06];

/// What a planner answers for the legs from a place on.
#[derive(Debug)]
pub(super) struct Planned {
    /// Up to the first leg without a path.
    pub guides: Vec<Guide>,
    /// Why there are not more.
    pub reason: Option<String>,
    /// Stops of the whole mission.
    pub legs: usize,
}

/// How paths of a planner are followed.
pub(super) fn following(planner: PlannerId) -> Following {
    if registry::row(planner).is_some_and(registry::PlannerRow::is_in_space) {
        Following::Space
    } else if planner == PlannerId::PORTAL || planner == PlannerId::OPTIMAL {
        Following::Shortcuts
    } else {
        Following::Shape
    }
}

/// What is planned of a mission.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Choice {
    /// The first leg; those before it are skipped.
    pub leg: usize,
    /// Goals are visited in reverse.
    pub is_reversed: bool,
    /// Of a goal with several areas, the one to go to; the nearest if it is `None`.
    pub area: Option<usize>,
}

/// Plans the legs of an agent from a place on.
pub(super) fn plan(
    scenario: &Scenario,
    source: &Source,
    from: DVec3,
    choice: Choice,
    walls: &Walls,
    ctx: &JobContext,
) -> Result<Planned, Cancelled> {
    let none = |reason: &str| Planned {
        guides: Vec::new(),
        reason: Some(reason.to_owned()),
        legs: 0,
    };
    let Some(nav) = scenario.nav(source) else {
        return Ok(none("nothing was baked for this body"));
    };
    let planner = registry::effective(source.mission.planner);
    let following = following(planner);
    let start = if following == Following::Space {
        from
    } else {
        let is_in = |p: &DVec2| nav.cells().locate(*p).is_some();
        placed(from.truncate(), is_in).extend(from.z)
    };
    let mut queries = scenario.queries(source, start, choice.is_reversed);
    queries.about.figures = Figures::Length;
    let legs_in_all = queries.stops.len();
    queries.stops.drain(..choice.leg.min(legs_in_all));
    let all_areas: Vec<_> = queries.stops.iter().map(|stop| stop.area.clone()).collect();
    let count = all_areas
        .first()
        .and_then(Option::as_ref)
        .map_or(0, |a| a.len());
    if choice.area.is_none() && count > 1 {
        return plan_to_nearest(scenario, source, from, choice, count, walls, ctx);
    }
    if let (Some(area), Some(stop)) = (choice.area, queries.stops.first_mut())
        && let Some(area) = stop.area.as_ref().and_then(|areas| areas.get(area))
    {
        let areas = [area.clone()];
        if let Some(place) = nearest_inside(&areas, start.truncate()) {
            stop.place = place.extend(stop.place.z);
        }
        stop.area = Some(areas.into());
    }
    if queries.stops.is_empty() {
        return Ok(none("the mission has no goal"));
    }
    if following != Following::Space {
        queries.keep_free(|p| nav.cells().locate(p).is_some());
    }
    let legs = match MissionSession::plan(planner, &nav, &queries, ctx) {
        Ok((_, legs)) => legs,
        Err(PlanError::Cancelled(cancelled)) => return Err(cancelled),
        Err(error) => return Ok(none(&error.to_string())),
    };
    let radius = source.profile.body.radius;
    let mut planned = Planned {
        guides: Vec::with_capacity(legs.len()),
        reason: None,
        legs: legs_in_all,
    };
    for (leg, area) in legs.iter().zip(all_areas) {
        match &leg.answer {
            Answer::Found(path) => {
                let guide = Guide::new(path, area, following, radius, walls);
                planned.guides.extend(guide);
            }
            Answer::NotFound(reason) => planned.reason = Some(reason.reason.clone()),
        }
    }
    Ok(planned)
}

/// Plans to the area of a goal that is nearest on foot: one that is near and cannot be reached does
/// not count.
fn plan_to_nearest(
    scenario: &Scenario,
    source: &Source,
    from: DVec3,
    choice: Choice,
    count: usize,
    walls: &Walls,
    ctx: &JobContext,
) -> Result<Planned, Cancelled> {
    let mut nearest: Option<(f64, Planned)> = None;
    for area in 0..count {
        let choice = Choice {
            area: Some(area),
            ..choice
        };
        let planned = plan(scenario, source, from, choice, walls, ctx)?;
        let first = planned.guides.first();
        let length = first.map_or(f64::INFINITY, Guide::length);
        if nearest.as_ref().is_none_or(|(least, _)| length < *least) {
            nearest = Some((length, planned));
        }
    }
    Ok(nearest.map_or_else(
        || Planned {
            guides: Vec::new(),
            reason: Some("the goal has no area".to_owned()),
            legs: 0,
        },
        |(_, planned)| planned,
    ))
}

/// What a recording keeps of guides, in the order in which they lead.
pub(super) fn new_plan(tick: u64, index: AgentIndex, guides: &[Guide]) -> NewPlan {
    let mut points: Vec<DVec3> = guides.iter().flat_map(Guide::points).collect();
    points.dedup();
    NewPlan {
        tick,
        index,
        points,
    }
}

/// The place itself, or the nearest that is found in free space.
pub(super) fn placed(p: DVec2, is_in: impl Fn(&DVec2) -> bool) -> DVec2 {
    const DIAGONAL: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const DIRECTIONS: [[f64; 2]; 8] = [
        [1.0, 0.0],
        [DIAGONAL, DIAGONAL],
        [0.0, 1.0],
        [-DIAGONAL, DIAGONAL],
        [-1.0, 0.0],
        [-DIAGONAL, -DIAGONAL],
        [0.0, -1.0],
        [DIAGONAL, -DIAGONAL],
    ];
    if is_in(&p) {
        return p;
    }
    let near = NUDGES
        .iter()
        .flat_map(|far| DIRECTIONS.map(|direction| p + DVec2::from(direction) * *far));
    near.into_iter().find(is_in).unwrap_or(p)
}

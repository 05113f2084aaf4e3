//! From a question to a backbone with its corridor, or a reason why there is none.

use super::{
    hull::Corridor,
    search::{self, Need, Stretch},
};
use crate::geometry::Polyline;
use crate::nav::corridor::{AxisPoint, CorridorMap, Sample};
use glam::DVec2;

/// Distance between the places of a route that are retracted. Unit: metres.
const ROUTE_STEP: f64 = 0.25;

/// Places of a route that are retracted at most; long routes get longer steps.
const MAX_ROUTE_PLACES: f64 = 20_000.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorridorRequest {
    pub start: DVec2,
    pub goal: DVec2,
    /// Of the character. Unit: metres.
    pub radius: f64,
    /// Distance to walls that the character prefers to keep, from its rim. The paper's
    /// experiments use the radius. Unit: metres.
    pub safe_distance: f64,
}

/// The way along the medial axis that leads a character.
#[derive(Clone, Debug)]
pub struct Backbone {
    pub corridor: Corridor,
    /// The safe distance had to be given up: the corridor is wide enough for the radius only.
    pub is_tight: bool,
    /// Vertices taken from the open list.
    pub expanded: usize,
}

/// Why there is no corridor.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoCorridor {
    #[error("the start is inside an obstacle or outside of the level; move it into the open")]
    StartBlocked,
    #[error("the goal is inside an obstacle or outside of the level; move it into the open")]
    GoalBlocked,
    #[error("the character does not fit at the start: a wall is {clearance:.2} m away")]
    StartTooNarrow { clearance: f64 },
    #[error("the character does not fit at the goal: a wall is {clearance:.2} m away")]
    GoalTooNarrow { clearance: f64 },
    #[error("the widest way is {width:.2} m wide at {at}, too narrow for the character; widen it there", at = narrowest.point)]
    TooNarrow { width: f64, narrowest: Box<Sample> },
    #[error("obstacles part the start from the goal; open a way between them")]
    Separated,
    #[error("the radius and the safe distance must be numbers from 0 up")]
    NoRadius,
    #[error("no part of the route is in the open; draw it between the obstacles")]
    RouteBlocked,
}

fn checked(request: &CorridorRequest) -> Result<(), NoCorridor> {
    let is_length = |v: f64| v.is_finite() && v >= 0.0;
    if is_length(request.radius) && is_length(request.safe_distance) {
        Ok(())
    } else {
        Err(NoCorridor::NoRadius)
    }
}

/// Both ends on the axis, given that the character fits there.
fn ends(
    map: &CorridorMap,
    request: &CorridorRequest,
) -> Result<(AxisPoint, AxisPoint), NoCorridor> {
    checked(request)?;
    let place = |p: DVec2| map.walls().clearance(p).zip(map.retract(p));
    let (clearance, start) = place(request.start).ok_or(NoCorridor::StartBlocked)?;
    if clearance < request.radius {
        return Err(NoCorridor::StartTooNarrow { clearance });
    }
    let (clearance, goal) = place(request.goal).ok_or(NoCorridor::GoalBlocked)?;
    if clearance < request.radius {
        return Err(NoCorridor::GoalTooNarrow { clearance });
    }
    Ok((start, goal))
}

/// The shortest backbone for a request, by A* on the map. Edges narrower than the radius and the
/// safe distance are used only where there is no other way.
///
/// # Errors
/// The reason why there is no way.
pub fn backbone(map: &CorridorMap, request: &CorridorRequest) -> Result<Backbone, NoCorridor> {
    let (start, goal) = ends(map, request)?;
    between(map, request, &start, &goal)
        .map(|(way, is_tight)| Backbone {
            corridor: Corridor::new(search::samples(
                map,
                &search::without_turns_back(way.stretches),
            )),
            is_tight,
            expanded: way.expanded,
        })
        .ok_or_else(|| reason(map, &start, &goal))
}

fn reason(map: &CorridorMap, start: &AxisPoint, goal: &AxisPoint) -> NoCorridor {
    search::bottleneck(map, start, goal).map_or(NoCorridor::Separated, |narrowest| {
        NoCorridor::TooNarrow {
            width: 2.0 * narrowest.clearance,
            narrowest: Box::new(narrowest),
        }
    })
}

fn between(
    map: &CorridorMap,
    request: &CorridorRequest,
    from: &AxisPoint,
    to: &AxisPoint,
) -> Option<(search::Way, bool)> {
    let need = |edges| Need {
        edges,
        ends: request.radius,
    };
    let wide = need(request.radius + request.safe_distance);
    if let Some(way) = search::shortest(map, from, to, wide) {
        return Some((way, false));
    }
    search::shortest(map, from, to, need(request.radius)).map(|way| (way, true))
}

/// The backbone next to a route that somebody drew: each of its places retracted onto the axis
/// (paper, §6), from the request's start to its goal. Where the route runs through obstacles the
/// shortest way joins what is in the open.
///
/// # Errors
/// The reason why there is no way.
pub fn along_route(
    map: &CorridorMap,
    request: &CorridorRequest,
    route: &[DVec2],
) -> Result<Backbone, NoCorridor> {
    let (start, goal) = ends(map, request)?;
    let line = Polyline::new(route.iter().copied());
    let step = ROUTE_STEP.max(line.length() / MAX_ROUTE_PLACES);
    let count = (line.length() / step).ceil() as usize;
    let on_axis: Vec<AxisPoint> = (0..=count)
        .filter_map(|i| line.point_at(i as f64 * step))
        .filter(|&p| map.walls().clearance(p).is_some())
        .filter_map(|p| map.retract(p))
        .filter(|at| at.clearance >= request.radius)
        .collect();
    if on_axis.is_empty() {
        return Err(NoCorridor::RouteBlocked);
    }
    let mut stretches: Vec<Stretch> = Vec::new();
    let (mut is_tight, mut expanded) = (false, 0);
    let mut here = start;
    for next in on_axis.iter().chain([&goal]) {
        let (way, tight) =
            between(map, request, &here, next).ok_or_else(|| reason(map, &here, next))?;
        is_tight |= tight;
        expanded += way.expanded;
        stretches.extend(way.stretches);
        here = *next;
    }
    Ok(Backbone {
        corridor: Corridor::new(search::samples(map, &search::without_turns_back(stretches))),
        is_tight,
        expanded,
    })
}

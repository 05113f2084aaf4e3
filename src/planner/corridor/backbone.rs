//! From a question to a backbone with its corridor, or a reason why there is none.

use super::{
    hull::Corridor,
    search::{self, Need, Way},
};
use crate::nav::corridor::{AxisPoint, CorridorMap, Sample};
use glam::DVec2;

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
pub(super) fn ends(
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
    search::shortest(map, &start, &goal, need(request))
        .map(|way| around(map, way))
        .ok_or_else(|| reason(map, &start, &goal))
}

/// The corridor around a way.
pub(super) fn around(map: &CorridorMap, way: Way) -> Backbone {
    let stretches = search::without_turns_back(way.stretches);
    Backbone {
        corridor: Corridor::new(search::samples(map, &stretches)),
        is_tight: way.is_tight,
        expanded: way.expanded,
    }
}

pub(super) fn need(request: &CorridorRequest) -> Need {
    Need {
        least: request.radius,
        wanted: request.radius + request.safe_distance,
    }
}

pub(super) fn reason(map: &CorridorMap, start: &AxisPoint, goal: &AxisPoint) -> NoCorridor {
    search::bottleneck(map, start, goal).map_or(NoCorridor::Separated, |narrowest| {
        NoCorridor::TooNarrow {
            width: 2.0 * narrowest.clearance,
            narrowest: Box::new(narrowest),
        }
    })
}

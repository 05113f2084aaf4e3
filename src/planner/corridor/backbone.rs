//! From a query to a backbone with its corridor, or a reason why there is none.

use super::{
    hull::Corridor,
    search::{self, AxisPath, Need, Widest},
};
use crate::jobs::JobContext;
use crate::nav::corridor::{AxisPoint, CorridorMap, Sample};
use glam::DVec2;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorridorRequest {
    pub start: DVec2,
    pub goal: DVec2,
    /// Radius of the character. Unit: metres.
    pub radius: f64,
    /// Preferred distance from the character's rim to walls. The paper's experiments use the
    /// radius. Unit: metres.
    pub safe_distance: f64,
}

/// The path along the medial axis that guides a character.
#[derive(Clone, Debug)]
pub struct Backbone {
    pub corridor: Corridor,
    /// The corridor is wide enough for the radius only, not for the safe distance.
    pub is_tight: bool,
    /// Expanded vertices.
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
    #[error("the widest path is {width:.2} m wide at {at}, too narrow for the character; widen it there", at = narrowest.point)]
    TooNarrow { width: f64, narrowest: Box<Sample> },
    #[error("obstacles separate the start from the goal; open a gap between them")]
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

/// Both ends on the axis, if the character fits there.
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

/// The shortest backbone for a request, by A* on the map. Edges narrower than the radius plus the
/// safe distance are used only as a last resort.
///
/// # Errors
/// The reason why there is none.
pub fn backbone(map: &CorridorMap, request: &CorridorRequest) -> Result<Backbone, NoCorridor> {
    let (start, goal) = ends(map, request)?;
    search::shortest(map, &start, &goal, need(request))
        .map(|path| around(map, path))
        .ok_or_else(|| reason(map, &start, &goal))
}

/// The corridor around a path along the axis.
pub(super) fn around(map: &CorridorMap, path: AxisPath) -> Backbone {
    let stretches = search::without_turns_back(path.stretches);
    Backbone {
        corridor: Corridor::new(search::samples(map, &stretches)),
        is_tight: path.is_tight,
        expanded: path.expanded,
    }
}

pub(super) fn need(request: &CorridorRequest) -> Need {
    Need {
        least: request.radius,
        wanted: request.radius + request.safe_distance,
    }
}

pub(super) fn reason(map: &CorridorMap, start: &AxisPoint, goal: &AxisPoint) -> NoCorridor {
    match search::widest_path(map, start, goal, &JobContext::default()) {
        Ok(Widest::Narrowest(narrowest)) => NoCorridor::TooNarrow {
            width: 2.0 * narrowest.clearance,
            narrowest: Box::new(narrowest),
        },
        _ => NoCorridor::Separated,
    }
}

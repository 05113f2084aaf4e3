//! The answer of a planner.

use super::links::LinkUse;
use super::trace::{Event, Trace};
use crate::base::EntityId;
use crate::document::Action;
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A path to the goal, with the metrics by which planners are compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    pub points: Vec<DVec3>,
    /// In plan, before it was bent away from steep ascent; empty where it was not.
    pub straight: Vec<DVec2>,
    /// The action that leads to each point; as many as points.
    pub actions: Vec<Action>,
    /// Links that it goes through, in order.
    pub links: Vec<LinkUse>,
    /// In space, so longer than in plan where the ground is not level. Unit: metres.
    pub length: f64,
    /// The planner's objective; the length if nothing is weighted.
    pub cost: f64,
    /// Parts of the cost by name: `terrain:mud`, `constraint:near wall(3)`.
    pub cost_by: BTreeMap<String, f64>,
    /// Smallest and mean distance from the agent's centre to obstacles; infinite if there are none.
    /// Unit: metres.
    pub min_clearance: f64,
    pub mean_clearance: f64,
    /// Mean of 1 / radius of the circle through each three successive points. Unit: 1/m.
    pub mean_curvature: f64,
    /// Expanded nodes.
    pub expanded: usize,
    /// Time for the search and its post-processing, without the metrics above. Unit: microseconds.
    pub plan_micros: f64,
    /// When each point is passed, from the start of the leg on; empty if it was not simulated.
    /// Unit: seconds.
    pub times: Vec<f64>,
    /// Forces and choices along it, if it was simulated.
    pub trace: Option<Arc<Trace>>,
    /// What was asked for and is not kept, each with a place: ends that were moved, a radius that
    /// there is no room for.
    pub remarks: Vec<Event>,
}

impl Path {
    /// The planner's own waypoints in plan, without points added by bending on slopes.
    pub fn corners(&self) -> impl Iterator<Item = DVec2> {
        let (straight, points): (&[_], &[_]) = if self.straight.is_empty() {
            (&[], &self.points)
        } else {
            (&self.straight, &[])
        };
        let points = points.iter().map(|p: &DVec3| p.truncate());
        straight.iter().copied().chain(points)
    }

    /// What leads to a point, in the words of the command line: `walk`, `step up`, `ladder`.
    #[must_use]
    pub fn action_name(&self, point: usize) -> String {
        let link = self.links.iter().find(|link| link.point == point);
        link.map_or_else(
            || {
                let action = self.actions.get(point).copied();
                action.unwrap_or(Action::Walk).name().to_lowercase()
            },
            |link| link.action.id().to_owned(),
        )
    }

    /// Remarks, and what happened along the way.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        let of_trace = self.trace.iter().flat_map(|trace| &trace.events);
        self.remarks.iter().chain(of_trace)
    }

    /// All points as walked, start and goal included.
    #[must_use]
    pub fn waypoints(&self) -> usize {
        self.points.len()
    }
}

/// Why there is no path.
#[derive(Clone, Debug, PartialEq)]
pub struct NoPath {
    /// A sentence that says what is wrong and what to do about it.
    pub reason: String,
    /// The obstacle, if there is a single one.
    pub blocker: Option<EntityId>,
    pub gap: Option<Gap>,
}

impl NoPath {
    /// A reason without a location.
    #[must_use]
    pub fn because(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            blocker: None,
            gap: None,
        }
    }
}

/// The gap that an agent would have to pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    pub at: DVec2,
    /// The nearest points of what bounds it.
    pub ends: [DVec2; 2],
    /// Unit: metres.
    pub width: f64,
    /// The entities that bound it; `None` for the level's bounds.
    pub between: [Option<EntityId>; 2],
}

/// "No path" is an answer, not an error.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Found(Path),
    NotFound(NoPath),
}

impl Answer {
    #[must_use]
    pub const fn path(&self) -> Option<&Path> {
        match self {
            Self::Found(path) => Some(path),
            Self::NotFound(_) => None,
        }
    }
}

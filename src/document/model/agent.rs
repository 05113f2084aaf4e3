//! Agents, crowds and their missions.

use super::{
    check::{self, Checked},
    constraint::{Constraint, Target},
    constraint_options::ConstraintOptions,
    heading::Heading,
    limits,
    obstacle::Repeat,
    planner_id::PlannerId,
    walk::{AttractionKind, Control, WalkOptions},
};
use crate::base::{Distribution, EntityId};
use crate::geometry::Polygon;
use glam::DVec3;

/// A single agent with its own start.
#[derive(Clone, Debug, PartialEq)]
pub struct Agent {
    pub start: DVec3,
    pub heading: Heading,
    pub mission: Mission,
}

/// Many agents with one profile that appear in an area.
#[derive(Clone, Debug, PartialEq)]
pub struct Crowd {
    pub area: Polygon,
    pub count: u32,
    pub spawn: Spawn,
    pub variety: Variety,
    pub mission: Mission,
}

/// How the agents of a crowd differ from each other when they are simulated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Variety {
    /// Standard deviation of the preferred speed around that of the profile. Unit: m/s.
    pub speed_deviation: f64,
    /// Time between appearing and setting out. Unit: seconds.
    pub delay: Distribution,
}

impl Variety {
    fn check(&self) -> Checked {
        check::quantity(&limits::SPEED_DEVIATION, self.speed_deviation)?;
        match self.delay {
            Distribution::Constant(value) => check::quantity(&limits::DELAY, value),
            Distribution::Uniform { from, to } => {
                check::quantity(&limits::DELAY, from)?;
                check::quantity(&limits::DELAY, to)
            }
            Distribution::Normal { mean, deviation } => {
                check::quantity(&limits::DELAY, mean)?;
                check::quantity(&limits::DELAY, deviation)
            }
            Distribution::LogNormal { mean, deviation } => {
                check::quantity(&limits::LOG_DELAY, mean)?;
                check::quantity(&limits::LOG_DELAY, deviation)
            }
            Distribution::Gamma { shape, scale } | Distribution::Weibull { shape, scale } => {
                check::quantity(&limits::DELAY_SHAPE, shape)?;
                check::quantity(&limits::DELAY, scale)
            }
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Spawn {
    #[default]
    AtOnce,
    /// This many agents per second until all have appeared.
    Stream { per_second: f64 },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Mission {
    pub profile: EntityId,
    /// Visited in this order.
    pub goals: Vec<Goal>,
    pub repeat: Repeat,
    pub planner: PlannerId,
    /// Options of the corridor planner.
    pub walk: WalkOptions,
    /// The indicative route to follow.
    pub route: Option<EntityId>,
    pub constraints: Vec<Constraint>,
    /// Options of the constraint-aware planner.
    pub constraint_options: ConstraintOptions,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    At(DVec3),
    /// Any point inside an annotation or a region; beside an object, on a route.
    Inside(Target),
    /// There and back along a route, or through an area.
    Patrol(Target),
}

impl Goal {
    #[must_use]
    pub fn inside(target: impl Into<Target>) -> Self {
        Self::Inside(target.into())
    }

    /// The place, unless the goal is an area.
    #[must_use]
    pub const fn place(&self) -> Option<DVec3> {
        match self {
            Self::At(place) => Some(*place),
            Self::Inside(_) | Self::Patrol(_) => None,
        }
    }

    /// What it refers to, unless it is a place.
    #[must_use]
    pub const fn target(&self) -> Option<Target> {
        match self {
            Self::At(_) => None,
            Self::Inside(target) | Self::Patrol(target) => Some(*target),
        }
    }

    pub const fn target_mut(&mut self) -> Option<&mut Target> {
        match self {
            Self::At(_) => None,
            Self::Inside(target) | Self::Patrol(target) => Some(target),
        }
    }

    fn check(&self) -> Checked {
        match self {
            Self::At(place) => check::place(*place),
            Self::Inside(target) | Self::Patrol(target) => target.check(),
        }
    }
}

impl Mission {
    #[must_use]
    pub const fn new(profile: EntityId) -> Self {
        Self {
            profile,
            goals: Vec::new(),
            repeat: Repeat::Once,
            planner: PlannerId::PORTAL,
            walk: WalkOptions {
                attraction: AttractionKind::Visibility,
                control: Control::Shortcuts,
                safe_distance: None,
            },
            route: None,
            constraints: Vec::new(),
            constraint_options: ConstraintOptions::DEFAULT,
        }
    }

    fn check(&self) -> Checked {
        check::count(self.goals.len(), limits::MAX_GOALS, "the list of goals")?;
        self.goals.iter().try_for_each(Goal::check)?;
        self.walk.check()?;
        self.constraint_options.check()?;
        check::count(
            self.constraints.len(),
            limits::MAX_CONSTRAINTS,
            "the list of constraints",
        )?;
        self.constraints.iter().try_for_each(Constraint::check)
    }
}

impl Agent {
    pub(super) fn check(&self) -> Checked {
        check::place(self.start)?;
        self.heading.check()?;
        self.mission.check()
    }
}

impl Crowd {
    pub(super) fn check(&self) -> Checked {
        check::polygon(&self.area)?;
        check::quantity(&limits::CROWD_COUNT, f64::from(self.count))?;
        self.variety.check()?;
        if let Spawn::Stream { per_second } = self.spawn {
            check::quantity(&limits::SPAWN_RATE, per_second)?;
        }
        self.mission.check()
    }
}

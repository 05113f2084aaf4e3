//! Agents, crowds and their missions.

use super::{
    check::{self, Checked},
    heading::Heading,
    limits,
    obstacle::Repeat,
    planner_id::PlannerId,
    walk::{AttractionKind, Control, WalkOptions},
};
use crate::base::EntityId;
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
    pub mission: Mission,
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
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    At(DVec3),
    /// Any point inside an annotation or a region.
    Inside(EntityId),
}

/// A soft or hard constraint on where the path runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    pub rule: Rule,
    /// An annotation, an object or a terrain type.
    pub target: EntityId,
    pub when: When,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Attracted into the target (positive weight) or repelled (negative).
    In { weight: f64 },
    /// Attracted to or repelled from the target's surroundings.
    Near { weight: f64 },
    /// Never inside.
    NotIn,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum When {
    #[default]
    Always,
    /// Only while a flag of the level is set.
    Flag(EntityId),
    /// Only between two times of day, possibly across midnight. Unit: hours.
    Between { from: f64, until: f64 },
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
        }
    }

    fn check(&self) -> Checked {
        check::count(self.goals.len(), limits::MAX_GOALS, "the list of goals")?;
        for goal in &self.goals {
            if let Goal::At(place) = goal {
                check::place(*place)?;
            }
        }
        self.walk.check()?;
        check::count(
            self.constraints.len(),
            limits::MAX_CONSTRAINTS,
            "the list of constraints",
        )?;
        self.constraints.iter().try_for_each(Constraint::check)
    }
}

impl Constraint {
    fn check(&self) -> Checked {
        if let Rule::In { weight } | Rule::Near { weight } = self.rule {
            check::quantity(&limits::CONSTRAINT_WEIGHT, weight)?;
        }
        if let When::Between { from, until } = self.when {
            check::quantity(&limits::TIME_OF_DAY, from)?;
            check::quantity(&limits::TIME_OF_DAY, until)?;
        }
        Ok(())
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
        if let Spawn::Stream { per_second } = self.spawn {
            check::quantity(&limits::SPAWN_RATE, per_second)?;
        }
        self.mission.check()
    }
}

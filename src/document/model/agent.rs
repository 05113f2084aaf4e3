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
    /// Agents that appear at once or in a stream; a timetable has its own counts.
    pub count: u32,
    pub spawn: Spawn,
    pub variety: Variety,
    pub groups: Groups,
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
        check::duration(&self.delay)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum Spawn {
    #[default]
    AtOnce,
    /// This many agents per second until all have appeared.
    Stream { per_second: f64 },
    /// In batches, as trains bring them. The batches add up to the crowd; see [`Crowd::size`].
    Timetable(Vec<Arrival>),
}

/// One batch of a timetable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival {
    /// Since the beginning of the run. Unit: seconds.
    pub at: f64,
    pub count: u32,
    /// Time over which they appear, one after the other; all at once if it is 0. Unit: seconds.
    pub over: f64,
}

/// Groups of a crowd that walk together, such as couples and families.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Groups {
    /// Everyone walks alone if it is empty.
    pub sizes: Vec<GroupSize>,
}

/// One size of groups and how common it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupSize {
    pub size: u32,
    /// Relative to the shares of the other sizes: of groups, not of agents.
    pub share: f64,
}

impl Groups {
    /// Sizes of groups that add up to `count` agents; `draw` gives numbers from 0 up to 1.
    #[must_use]
    pub fn divide(&self, count: u32, mut draw: impl FnMut() -> f64) -> Vec<u32> {
        let total: f64 = self.sizes.iter().map(|entry| entry.share).sum();
        let mut left = count;
        let mut groups = Vec::new();
        while left > 0 {
            let mut at = draw() * total;
            let drawn = self.sizes.iter().find(|entry| {
                at -= entry.share;
                at < 0.0
            });
            let size = drawn.map_or(1, |entry| entry.size).clamp(1, left);
            groups.push(size);
            left -= size;
        }
        groups
    }

    fn check(&self) -> Checked {
        check::count(
            self.sizes.len(),
            limits::MAX_GROUP_SIZES,
            "the list of group sizes",
        )?;
        self.sizes.iter().try_for_each(|entry| {
            check::quantity(&limits::GROUP_SIZE, f64::from(entry.size))?;
            check::quantity(&limits::GROUP_SHARE, entry.share)
        })
    }
}

impl Spawn {
    fn check(&self) -> Checked {
        match self {
            Self::AtOnce => Ok(()),
            Self::Stream { per_second } => check::quantity(&limits::SPAWN_RATE, *per_second),
            Self::Timetable(arrivals) => {
                check::count(arrivals.len(), limits::MAX_ARRIVALS, "the timetable")?;
                let count = arrivals
                    .iter()
                    .map(|arrival| u64::from(arrival.count))
                    .sum::<u64>();
                check::quantity(&limits::CROWD_COUNT, count as f64)?;
                arrivals.iter().try_for_each(|arrival| {
                    check::quantity(&limits::ARRIVAL, arrival.at)?;
                    check::quantity(&limits::ALIGHTING, arrival.over)
                })
            }
        }
    }
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
    /// The exit that is nearest on foot.
    NearestExit,
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
            Self::Inside(_) | Self::Patrol(_) | Self::NearestExit => None,
        }
    }

    /// What it refers to, unless it is a place.
    #[must_use]
    pub const fn target(&self) -> Option<Target> {
        match self {
            Self::At(_) | Self::NearestExit => None,
            Self::Inside(target) | Self::Patrol(target) => Some(*target),
        }
    }

    pub const fn target_mut(&mut self) -> Option<&mut Target> {
        match self {
            Self::At(_) | Self::NearestExit => None,
            Self::Inside(target) | Self::Patrol(target) => Some(target),
        }
    }

    fn check(&self) -> Checked {
        match self {
            Self::At(place) => check::place(*place),
            Self::Inside(target) | Self::Patrol(target) => target.check(),
            Self::NearestExit => Ok(()),
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
    /// Number of agents that appear in all.
    #[must_use]
    pub fn size(&self) -> u32 {
        match &self.spawn {
            Spawn::AtOnce | Spawn::Stream { .. } => self.count,
            Spawn::Timetable(arrivals) => arrivals
                .iter()
                .fold(0, |sum, arrival| sum.saturating_add(arrival.count)),
        }
    }

    pub(super) fn check(&self) -> Checked {
        check::polygon(&self.area)?;
        // A timetable has its own counts, and checks them.
        if !matches!(self.spawn, Spawn::Timetable(_)) {
            check::quantity(&limits::CROWD_COUNT, f64::from(self.count))?;
        }
        self.variety.check()?;
        self.spawn.check()?;
        self.groups.check()?;
        self.mission.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_drawn_by_their_shares_and_add_up() {
        let groups = Groups {
            sizes: vec![
                GroupSize {
                    size: 2,
                    share: 3.0,
                },
                GroupSize {
                    size: 4,
                    share: 1.0,
                },
            ],
        };
        let draws = [0.0, 0.74, 0.76, 0.5];
        let mut next = draws.iter().copied().cycle();
        let sizes = groups.divide(9, || next.next().expect("it never ends"));
        assert_eq!(sizes, [2, 2, 4, 1]);
        assert_eq!(Groups::default().divide(3, || 0.5), [1, 1, 1]);
        let none = Groups {
            sizes: vec![GroupSize {
                size: 5,
                share: 0.0,
            }],
        };
        assert_eq!(none.divide(2, || 0.0), [1, 1]);
    }
}

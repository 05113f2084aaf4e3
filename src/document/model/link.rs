//! Links: connections beside the floor, such as ladders, jumps and lifts.

use super::{
    check::{self, Checked},
    limits,
};
use crate::base::EntityId;
use glam::DVec3;
use std::collections::BTreeSet;

/// From one place to another, by other means than walking.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub action: LinkAction,
    pub from: DVec3,
    pub to: DVec3,
    pub direction: LinkDirection,
    /// What it adds to a path's cost, instead of its length.
    pub cost: Option<f64>,
    pub pace: LinkPace,
    /// Profiles that may use it; all if there is none.
    pub profiles: BTreeSet<EntityId>,
    /// The animation that an engine plays; may be empty.
    pub animation: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkAction {
    #[default]
    Jump,
    Ladder,
    Drop,
    Lift,
    Teleport,
    Door,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkDirection {
    OneWay,
    #[default]
    BothWays,
}

/// How long it takes to go through a link.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LinkPace {
    /// Its length at the preferred speed of the profile.
    #[default]
    Profile,
    /// Unit: m/s.
    Speed(f64),
    /// Unit: seconds.
    Time(f64),
}

impl LinkAction {
    pub const ALL: [Self; 6] = [
        Self::Jump,
        Self::Ladder,
        Self::Drop,
        Self::Lift,
        Self::Teleport,
        Self::Door,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jump => "Jump",
            Self::Ladder => "Ladder",
            Self::Drop => "Drop",
            Self::Lift => "Lift",
            Self::Teleport => "Teleport",
            Self::Door => "Door",
        }
    }

    /// In the words of `plan --json`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Jump => "jump",
            Self::Ladder => "ladder",
            Self::Drop => "drop",
            Self::Lift => "lift",
            Self::Teleport => "teleport",
            Self::Door => "door",
        }
    }
}

impl LinkDirection {
    pub const ALL: [Self; 2] = [Self::OneWay, Self::BothWays];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OneWay => "One way",
            Self::BothWays => "Both ways",
        }
    }
}

impl Link {
    /// In both directions, for everyone; a drop leads down only.
    #[must_use]
    pub const fn new(action: LinkAction, from: DVec3, to: DVec3) -> Self {
        Self {
            action,
            from,
            to,
            direction: match action {
                LinkAction::Drop => LinkDirection::OneWay,
                _ => LinkDirection::BothWays,
            },
            cost: None,
            pace: LinkPace::Profile,
            profiles: BTreeSet::new(),
            animation: String::new(),
        }
    }

    /// In space. Unit: metres.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.from.distance(self.to)
    }

    /// What going through it adds to the cost of a path.
    #[must_use]
    pub fn path_cost(&self) -> f64 {
        self.cost.unwrap_or_else(|| self.length())
    }

    /// Time that it takes at a preferred speed. Unit: seconds.
    #[must_use]
    pub fn seconds(&self, speed: f64) -> f64 {
        match self.pace {
            LinkPace::Profile => self.length() / speed.max(1e-9),
            LinkPace::Speed(speed) => self.length() / speed.max(1e-9),
            LinkPace::Time(seconds) => seconds,
        }
    }

    #[must_use]
    pub fn admits(&self, profile: EntityId) -> bool {
        self.profiles.is_empty() || self.profiles.contains(&profile)
    }

    pub(super) fn check(&self) -> Checked {
        check::place(self.from)?;
        check::place(self.to)?;
        if let Some(cost) = self.cost {
            check::quantity(&limits::LINK_COST, cost)?;
        }
        match self.pace {
            LinkPace::Profile => {}
            LinkPace::Speed(speed) => check::quantity(&limits::SPEED, speed)?,
            LinkPace::Time(seconds) => check::quantity(&limits::LINK_TIME, seconds)?,
        }
        check::count(
            self.profiles.len(),
            limits::MAX_PROFILES,
            "the list of profiles that may use the link",
        )?;
        check::name(&self.animation, "the name of the animation")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cost_and_time_follow_the_length_unless_they_are_given() {
        let to = DVec3::new(3.0, 0.0, 4.0);
        let mut link = Link::new(LinkAction::Ladder, DVec3::ZERO, to);
        assert_eq!((link.path_cost(), link.seconds(2.0)), (5.0, 2.5));
        link.cost = Some(12.0);
        link.pace = LinkPace::Speed(0.5);
        assert_eq!((link.path_cost(), link.seconds(2.0)), (12.0, 10.0));
        link.pace = LinkPace::Time(7.0);
        assert_eq!(link.seconds(2.0), 7.0);
    }
}

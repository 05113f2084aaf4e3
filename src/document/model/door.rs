//! Doors: passages that the level's clock, its flags or a hand can shut.

use super::{
    check::{self, Checked},
    constraint::When,
    limits,
};
use crate::base::EntityId;
use crate::geometry::Polygon;
use glam::DVec2;
use std::collections::BTreeSet;

/// A passage from jamb to jamb. It blocks as a thin leaf between them unless it is open.
#[derive(Clone, Debug, PartialEq)]
pub struct Door {
    pub jambs: [DVec2; 2],
    /// Height of its sill above the ground. Unit: metres.
    pub base: f64,
    /// From its sill to its top. Unit: metres.
    pub height: f64,
    /// Its state while no change acts.
    pub state: DoorState,
    /// Of those that act at a moment, the last one decides.
    pub changes: Vec<DoorChange>,
    /// Profiles that never pass, whatever the state.
    pub locked_for: BTreeSet<EntityId>,
    /// At most so many agents pass per second. Unit: 1/s.
    pub flow: Option<f64>,
    /// How it is drawn.
    pub swing: Swing,
    /// The wall in which it stands; it stays in it, and the wall is cut open for it.
    pub wall: Option<EntityId>,
}

/// Neither a shut nor a locked door lets anything pass. They differ in what they say: engines let
/// characters open a door that is shut, and not one that is locked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DoorState {
    #[default]
    Open,
    Shut,
    Locked,
}

/// Another state while a condition holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoorChange {
    pub to: DoorState,
    pub when: When,
}

/// How a door opens; seen from the first jamb to the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Swing {
    #[default]
    Left,
    Right,
    Double,
    Sliding,
    /// A passage without a leaf, such as a gate or a barrier.
    None,
}

impl DoorState {
    pub const ALL: [Self; 3] = [Self::Open, Self::Shut, Self::Locked];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "Open",
            Self::Shut => "Shut",
            Self::Locked => "Locked",
        }
    }

    /// As on the command line: `open`, `shut` or `locked`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|state| state.name().eq_ignore_ascii_case(name))
    }

    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Open)
    }
}

impl Swing {
    pub const ALL: [Self; 5] = [
        Self::Left,
        Self::Right,
        Self::Double,
        Self::Sliding,
        Self::None,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "Hinged at the start",
            Self::Right => "Hinged at the end",
            Self::Double => "Two leaves",
            Self::Sliding => "Sliding",
            Self::None => "No leaf",
        }
    }
}

impl Door {
    /// Thickness of the leaf that blocks. Unit: metres.
    pub const LEAF: f64 = 0.06;

    /// Open, from jamb to jamb.
    #[must_use]
    pub const fn new(from: DVec2, to: DVec2) -> Self {
        Self {
            jambs: [from, to],
            base: 0.0,
            height: limits::DOOR_HEIGHT.default,
            state: DoorState::Open,
            changes: Vec::new(),
            locked_for: BTreeSet::new(),
            flow: None,
            swing: Swing::Left,
            wall: None,
        }
    }

    /// Unit: metres.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.jambs[0].distance(self.jambs[1])
    }

    #[must_use]
    pub fn centre(&self) -> DVec2 {
        self.jambs[0].midpoint(self.jambs[1])
    }

    /// Its state at a time of day, with flags as `is_set` says.
    #[must_use]
    pub fn state_at(&self, hour: f64, is_set: impl Fn(EntityId) -> bool) -> DoorState {
        self.changes
            .iter()
            .rev()
            .find(|change| change.when.holds(hour, &is_set))
            .map_or(self.state, |change| change.to)
    }

    /// The leaf in plan, from jamb to jamb; `None` for a door without width.
    #[must_use]
    pub fn leaf(&self) -> Option<Polygon> {
        let [from, to] = self.jambs;
        let along = (to - from).try_normalize()?;
        let side = along.perp() * (0.5 * Self::LEAF);
        Some(Polygon::new(vec![
            from - side,
            to - side,
            to + side,
            from + side,
        ]))
    }

    pub(super) fn check(&self) -> Checked {
        self.jambs.iter().try_for_each(|jamb| check::point(*jamb))?;
        check::quantity(&limits::ELEVATION, self.base)?;
        check::quantity(&limits::DOOR_HEIGHT, self.height)?;
        check::count(
            self.changes.len(),
            limits::MAX_DOOR_CHANGES,
            "the list of a door's changes",
        )?;
        self.changes
            .iter()
            .try_for_each(|change| change.when.check())?;
        check::count(
            self.locked_for.len(),
            limits::MAX_PROFILES,
            "the list of profiles that do not pass",
        )?;
        if let Some(flow) = self.flow {
            check::quantity(&limits::DOOR_FLOW, flow)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_change_that_acts_decides() {
        let alarm = EntityId::new(7);
        let mut door = Door::new(DVec2::ZERO, DVec2::X);
        assert_eq!(door.state_at(3.0, |_| false), DoorState::Open);
        door.changes = vec![
            DoorChange {
                to: DoorState::Locked,
                when: When::between(22.0, 6.0),
            },
            DoorChange {
                to: DoorState::Open,
                when: When::while_set(alarm),
            },
        ];
        door.state = DoorState::Shut;
        assert_eq!(door.state_at(12.0, |_| false), DoorState::Shut);
        assert_eq!(door.state_at(23.0, |_| false), DoorState::Locked);
        assert_eq!(door.state_at(23.0, |flag| flag == alarm), DoorState::Open);
    }

    #[test]
    fn the_leaf_lies_between_the_jambs() {
        let door = Door::new(DVec2::new(1.0, 1.0), DVec2::new(1.0, 3.0));
        let leaf = door.leaf().expect("it has a width");
        assert!((leaf.area() - 2.0 * Door::LEAF).abs() < 1e-12);
        assert!(leaf.contains(door.centre()));
        assert_eq!(Door::new(DVec2::ONE, DVec2::ONE).leaf(), None);
    }
}

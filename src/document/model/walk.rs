//! Options for following a corridor (Overmars et al. 2008, §6).

use super::{
    check::{self, Checked},
    limits,
};

/// Methods of placing the attraction point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AttractionKind {
    /// In the farthest disc that contains the character; the original method.
    Disc,
    /// Moves at constant speed, waiting when too far ahead.
    Speed,
    /// At a fixed distance.
    Distance,
    /// The farthest point visible from the character.
    #[default]
    Visibility,
}

/// The control line where no route is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Control {
    /// The medial axis.
    Axis,
    /// Straight where there is room: visibility–Voronoi shortcuts.
    #[default]
    Shortcuts,
}

/// Options of the planner `corridor`; the original method has none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WalkOptions {
    pub attraction: AttractionKind,
    pub control: Control,
    /// Distance kept from walls and other agents where there is room; defaults to the radius, as in
    /// the paper's experiments. Unit: metres.
    pub safe_distance: Option<f64>,
}

impl AttractionKind {
    pub const ALL: [Self; 4] = [Self::Disc, Self::Speed, Self::Distance, Self::Visibility];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disc => "disc",
            Self::Speed => "speed",
            Self::Distance => "distance",
            Self::Visibility => "visibility",
        }
    }

    /// Title in the interface.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Disc => "Farthest disc",
            Self::Speed => "Constant speed",
            Self::Distance => "Fixed distance",
            Self::Visibility => "Farthest visible point",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl Control {
    pub const ALL: [Self; 2] = [Self::Axis, Self::Shortcuts];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Axis => "axis",
            Self::Shortcuts => "shortcuts",
        }
    }

    /// Title in the interface.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Axis => "Medial axis",
            Self::Shortcuts => "With shortcuts",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|control| control.name() == name)
    }
}

impl WalkOptions {
    pub(super) fn check(&self) -> Checked {
        match self.safe_distance {
            Some(metres) => check::quantity(&limits::SAFE_DISTANCE, metres),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for kind in AttractionKind::ALL {
            assert_eq!(AttractionKind::named(kind.name()), Some(kind));
        }
        for control in Control::ALL {
            assert_eq!(Control::named(control.name()), Some(control));
        }
        assert_eq!(AttractionKind::named("tractor"), None);
        assert_eq!(Control::named(""), None);
    }
}

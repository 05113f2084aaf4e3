//! What can be chosen about walks in corridors (Overmars et al. 2008, §6).

use super::{
    check::{self, Checked},
    limits,
};

/// The four ways to place the attraction point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AttractionKind {
    /// In the farthest disc that holds the character; as the original method has it.
    Disc,
    /// At a constant speed, but for waiting.
    Speed,
    /// At a distance.
    Distance,
    /// The farthest place that can be gone to straight.
    #[default]
    Visibility,
}

/// The line that leads a character where nobody drew a route.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Control {
    /// The middle between the walls.
    Axis,
    /// Straight where there is room for it: the visibility–Voronoi shortcuts.
    #[default]
    Shortcuts,
}

/// What is chosen for the planner `corridor`; the original method has no choice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WalkOptions {
    pub attraction: AttractionKind,
    pub control: Control,
    /// Distance to walls and people that is kept if there is room; the radius if not given, as
    /// in the paper's experiments. Unit: metres.
    pub safe_distance: Option<f64>,
}

impl AttractionKind {
    pub const ALL: [Self; 4] = [Self::Disc, Self::Speed, Self::Distance, Self::Visibility];

    /// As on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disc => "disc",
            Self::Speed => "speed",
            Self::Distance => "distance",
            Self::Visibility => "visibility",
        }
    }

    /// As in the window.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Disc => "Farthest disc",
            Self::Speed => "Constant speed",
            Self::Distance => "At a distance",
            Self::Visibility => "As far as seen",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl Control {
    pub const ALL: [Self; 2] = [Self::Axis, Self::Shortcuts];

    /// As on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Axis => "axis",
            Self::Shortcuts => "shortcuts",
        }
    }

    /// As in the window.
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

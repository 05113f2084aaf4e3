//! What can be chosen about walks in corridors (paper, §6).

use super::{Attraction, Method, Settings};
use serde::{Deserialize, Serialize};

/// How far ahead of the character the attraction point may be. Unit: metres of path.
const MAX_LEAD: f64 = 8.0;

/// The same for one that moves on by itself: farther, and it waits. Unit: metres of path.
const MAX_HEAD_START: f64 = 4.0;

/// How far away the attraction point is where that is what is asked for. Unit: metres.
const DISTANCE: f64 = 3.0;

/// The four ways to place the attraction point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Control {
    /// The middle between the walls.
    Axis,
    /// Straight where there is room for it: the visibility–Voronoi shortcuts.
    #[default]
    Shortcuts,
}

/// What is chosen for the planner `corridor`; the original method has no choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
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

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// For a character that prefers that speed, in m/s.
    #[must_use]
    pub const fn at_speed(self, speed: f64) -> Attraction {
        match self {
            Self::Disc => Attraction::ClearanceDisc,
            Self::Speed => Attraction::ConstantSpeed {
                speed,
                max_lead: MAX_HEAD_START,
            },
            Self::Distance => Attraction::Distance { distance: DISTANCE },
            Self::Visibility => Attraction::Visibility { max_lead: MAX_LEAD },
        }
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

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|control| control.name() == name)
    }
}

impl WalkOptions {
    /// For a character of that radius.
    #[must_use]
    pub fn settings(self, radius: f64) -> Settings {
        let usual = Settings::natural(radius);
        Settings {
            attraction: self.attraction.at_speed(usual.speed),
            safe_distance: self.safe_distance.unwrap_or(usual.safe_distance),
            ..usual
        }
    }
}

impl Settings {
    /// How the planner `corridor` walks if nothing else is chosen: the improved forces, led by
    /// what can be seen of a control path with shortcuts.
    #[must_use]
    pub const fn natural(radius: f64) -> Self {
        Self {
            attraction: Attraction::Visibility { max_lead: MAX_LEAD },
            avoidance: super::Avoidance::Early,
            ..Self::new(Method::Improved, radius)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_the_default_is_what_the_planner_does() {
        for kind in AttractionKind::ALL {
            assert_eq!(AttractionKind::named(kind.name()), Some(kind));
        }
        for control in Control::ALL {
            assert_eq!(Control::named(control.name()), Some(control));
        }
        assert_eq!(AttractionKind::named("tractor"), None);
        assert_eq!(WalkOptions::default().settings(0.4), Settings::natural(0.4));
        let wary = WalkOptions {
            safe_distance: Some(1.5),
            ..WalkOptions::default()
        };
        assert_eq!(wary.settings(0.4).safe_distance, 1.5);
    }
}

//! Options of walks in corridors (paper, §6), as motion settings.

use super::{Attraction, Method, Settings};
pub use crate::document::{AttractionKind, Control, WalkOptions};

/// Largest lead of the attraction point over the character. Unit: metres of path.
const MAX_LEAD: f64 = 8.0;

/// Largest lead of an attraction point that moves at its own speed; it waits there. Unit: metres of
/// path.
const MAX_HEAD_START: f64 = 4.0;

/// Distance of an attraction point at a fixed distance. Unit: metres.
const DISTANCE: f64 = 3.0;

impl AttractionKind {
    /// For a character with that preferred speed, in m/s.
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
    /// Defaults of the planner `corridor`: the improved forces, guided by the visible part of a
    /// control path with shortcuts.
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
    fn the_default_is_what_the_planner_does() {
        assert_eq!(WalkOptions::default().settings(0.4), Settings::natural(0.4));
        let wary = WalkOptions {
            safe_distance: Some(1.5),
            ..WalkOptions::default()
        };
        assert_eq!(wary.settings(0.4).safe_distance, 1.5);
    }
}

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

impl Attraction {
    /// As a level says it, for a character with that preferred speed, in m/s.
    #[must_use]
    pub const fn of(kind: AttractionKind, speed: f64) -> Self {
        match kind {
            AttractionKind::Disc => Self::ClearanceDisc,
            AttractionKind::Speed => Self::ConstantSpeed {
                speed,
                max_lead: MAX_HEAD_START,
            },
            AttractionKind::Distance => Self::Distance { distance: DISTANCE },
            AttractionKind::Visibility => Self::Visibility { max_lead: MAX_LEAD },
        }
    }
}

impl Settings {
    /// As a level says it, for a character of that radius.
    #[must_use]
    pub fn of(options: WalkOptions, radius: f64) -> Self {
        let usual = Self::natural(radius);
        Self {
            attraction: Attraction::of(options.attraction, usual.speed),
            safe_distance: options.safe_distance.unwrap_or(usual.safe_distance),
            ..usual
        }
    }

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
        assert_eq!(
            Settings::of(WalkOptions::default(), 0.4),
            Settings::natural(0.4)
        );
        let wary = WalkOptions {
            safe_distance: Some(1.5),
            ..WalkOptions::default()
        };
        assert_eq!(Settings::of(wary, 0.4).safe_distance, 1.5);
    }
}

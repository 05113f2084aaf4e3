//! Directions in plan.

use super::{check, limits};
use glam::DVec2;

/// Degrees counter-clockwise from +x, stored as typed so that conversion does not change a file;
/// computations use [`radians`](Self::radians).
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Heading {
    pub degrees: f64,
}

impl Heading {
    #[must_use]
    pub const fn degrees(degrees: f64) -> Self {
        Self { degrees }
    }

    /// The heading of a direction, rounded to a thousandth of a degree; east for the zero vector.
    #[must_use]
    pub fn of(direction: DVec2) -> Self {
        let degrees = direction.y.atan2(direction.x).to_degrees();
        Self::degrees((degrees * 1000.0).round() / 1000.0)
    }

    #[must_use]
    pub fn radians(self) -> f64 {
        self.degrees.to_radians()
    }

    #[must_use]
    pub fn direction(self) -> DVec2 {
        DVec2::from_angle(self.radians())
    }

    /// Rotated by `degrees` and normalised to −180…180.
    #[must_use]
    pub fn turned(self, degrees: f64) -> Self {
        let sum = (self.degrees + degrees).rem_euclid(360.0);
        Self::degrees(if sum > 180.0 { sum - 360.0 } else { sum })
    }

    pub(super) fn check(self) -> check::Checked {
        check::quantity(&limits::HEADING, self.degrees)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_stays_within_half_a_circle() {
        assert_eq!(
            Heading::degrees(170.0).turned(20.0),
            Heading::degrees(-170.0)
        );
        assert_eq!(
            Heading::degrees(-90.0).turned(-90.0),
            Heading::degrees(180.0)
        );
        assert_eq!(Heading::of(DVec2::new(0.0, 2.0)), Heading::degrees(90.0));
        assert_eq!(Heading::of(DVec2::ZERO), Heading::degrees(0.0));
    }
}

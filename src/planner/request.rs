//! What is asked of a planner.

use crate::geometry::MAX_COORDINATE;
use glam::DVec2;

/// From where to where, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathRequest {
    pub start: DVec2,
    pub goal: DVec2,
    /// How the path is bent away from steep ascent; `None` leaves it straight.
    pub slope: Option<SlopeLimits>,
}

/// What a designer sets for paths on a height field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlopeLimits {
    /// Largest deviation from the straight line to the next waypoint, ∠max of the paper.
    /// From 0 to π/2. Unit: radians.
    pub max_angle: f64,
    /// Distance from a waypoint at which the deviation starts to fade. Unit: metres.
    pub fade: f64,
    /// Distance between the points of the bent path. Unit: metres.
    pub step: f64,
}

impl Default for SlopeLimits {
    fn default() -> Self {
        Self {
            max_angle: std::f64::consts::FRAC_PI_3,
            fade: 10.0,
            step: 0.5,
        }
    }
}

/// A question that makes no sense, as a sentence that says what to do.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum BadRequest {
    #[error("the {end} is not a pair of finite numbers; give both coordinates in metres")]
    NotFinite { end: &'static str },
    #[error(
        "the {end} is further than {MAX_COORDINATE} m from the origin; choose a place nearer to it"
    )]
    TooFar { end: &'static str },
    #[error("the largest deviation must be from 0° to 90°, not {degrees}°")]
    Angle { degrees: f64 },
    #[error("the {what} on slopes must be a positive number of metres, not {metres}")]
    Distance { what: &'static str, metres: f64 },
}

impl PathRequest {
    #[must_use]
    pub const fn new(start: DVec2, goal: DVec2) -> Self {
        Self {
            start,
            goal,
            slope: None,
        }
    }

    /// # Errors
    /// A number that no planner can work with.
    pub fn check(&self) -> Result<(), BadRequest> {
        for (end, at) in [("start", self.start), ("goal", self.goal)] {
            if !at.is_finite() {
                return Err(BadRequest::NotFinite { end });
            }
            if at.abs().max_element() > MAX_COORDINATE {
                return Err(BadRequest::TooFar { end });
            }
        }
        let Some(slope) = self.slope else {
            return Ok(());
        };
        if !(0.0..=std::f64::consts::FRAC_PI_2).contains(&slope.max_angle) {
            return Err(BadRequest::Angle {
                degrees: slope.max_angle.to_degrees(),
            });
        }
        for (what, metres) in [("fading distance", slope.fade), ("step", slope.step)] {
            if !(metres > 0.0 && metres.is_finite()) {
                return Err(BadRequest::Distance { what, metres });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_mean_nothing_are_refused_with_a_sentence() {
        let good = PathRequest::new(DVec2::ZERO, DVec2::ONE);
        assert_eq!(good.check(), Ok(()));
        let slope = |max_angle, fade, step| PathRequest {
            slope: Some(SlopeLimits {
                max_angle,
                fade,
                step,
            }),
            ..good
        };
        assert_eq!(slope(1.0, 1.0, 1.0).check(), Ok(()));
        for (bad, words) in [
            (PathRequest::new(DVec2::NAN, DVec2::ONE), "start"),
            (PathRequest::new(DVec2::ONE, DVec2::INFINITY), "goal"),
            (PathRequest::new(DVec2::ONE, DVec2::splat(2e6)), "goal"),
            (slope(f64::NAN, 1.0, 1.0), "deviation"),
            (slope(2.0, 1.0, 1.0), "deviation"),
            (slope(1.0, 0.0, 1.0), "fading"),
            (slope(1.0, 1.0, f64::INFINITY), "step"),
        ] {
            let sentence = bad.check().expect_err("refused").to_string();
            assert!(sentence.contains(words), "{sentence}");
        }
    }
}

//! A query to a planner.

use crate::base::{EntityId, Quantity, Unit};
use crate::document::{Profile, Route, route_line};
use crate::geometry::{HeightField, MAX_COORDINATE, Polygon};
use crate::nav::NavData;
use crate::planner::constraint::ConstraintQuery;
use crate::planner::corridor::WalkOptions;
use crate::planner::miran::Choosing;
use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Start, goal, options and the agent's profile.
#[derive(Clone, Debug, PartialEq)]
pub struct PathRequest {
    pub start: DVec3,
    pub goal: DVec3,
    /// The path may end anywhere inside. Planners with a single goal use `goal`, which lies in it.
    pub goal_area: Option<Arc<[Polygon]>>,
    /// How the path is bent away from steep ascent; `None` leaves it straight.
    pub slope: Option<SlopeLimits>,
    /// Body, speeds and preferences. The radius is that of the free space that is planned on.
    pub profile: Arc<Profile>,
    /// The level's entity of the profile: it decides which links may be used.
    pub profile_id: Option<EntityId>,
    /// The indicative route to follow.
    pub guide: Option<Guide>,
    /// How points on the route are chosen, for MIRAN and IRM.
    pub choosing: Choosing,
    /// How to walk in a corridor, for the corridor planners.
    pub walk: WalkOptions,
    /// Where to be and where not, for the planner of constraints.
    pub constraints: ConstraintQuery,
    pub figures: Figures,
}

/// What is measured along a path in plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Figures {
    #[default]
    All,
    /// Length and cost alone: to measure clearance takes longer than most searches.
    Length,
}

/// An indicative route to follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Guide {
    /// Curves flattened; back at its first point if it is closed.
    pub line: Arc<[DVec2]>,
    /// How much of the route may be skipped at once, σ. Unit: metres of route.
    pub look_ahead: f64,
    /// Distance between candidates on the route, d. Unit: metres.
    pub sample_step: f64,
}

impl Guide {
    #[must_use]
    pub fn of(route: &Route) -> Self {
        Self {
            line: route_line(route).points().into(),
            look_ahead: route.look_ahead,
            sample_step: route.sample_step,
        }
    }
}

/// Settings for paths on a height field.
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

/// Preferences for paths on uneven ground.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Slopes {
    /// Whether paths are bent away from steep ascent.
    pub bend: bool,
    /// By how much at most, from 0 to 90. Unit: degrees.
    pub max_degrees: f64,
}

impl Default for Slopes {
    fn default() -> Self {
        Self {
            bend: true,
            max_degrees: Self::DEGREES.default,
        }
    }
}

impl Slopes {
    pub const DEGREES: Quantity = Quantity::new("angle", Unit::Degree, 0.0, 90.0, 60.0);

    /// Values from a file, brought within their limits.
    #[must_use]
    pub fn limited(mut self) -> Self {
        self.max_degrees = Self::DEGREES.clamp(self.max_degrees);
        self
    }

    /// How paths bend on this ground; without ground and on flat ground they stay straight.
    #[must_use]
    pub fn on(self, ground: Option<&HeightField>) -> Option<SlopeLimits> {
        let (low, high) = ground?.range();
        let limited = self.limited();
        (self.bend && high > low && limited.max_degrees > 0.0).then(|| SlopeLimits {
            max_angle: limited
                .max_degrees
                .to_radians()
                .min(std::f64::consts::FRAC_PI_2),
            ..SlopeLimits::default()
        })
    }
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

/// An invalid query, as a sentence that says what to do.
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
    #[error("the safe distance must be a number of metres from 0 up, not {metres}")]
    SafeDistance { metres: f64 },
}

impl PathRequest {
    #[must_use]
    pub fn new(start: DVec2, goal: DVec2) -> Self {
        Self::in_space(start.extend(0.0), goal.extend(0.0))
    }

    /// Between two points in space.
    #[must_use]
    pub fn in_space(start: DVec3, goal: DVec3) -> Self {
        Self {
            start,
            goal,
            goal_area: None,
            slope: None,
            profile: Arc::default(),
            profile_id: None,
            guide: None,
            choosing: Choosing::default(),
            walk: WalkOptions::default(),
            constraints: ConstraintQuery::default(),
            figures: Figures::All,
        }
    }

    /// Both ends in plan, in free space or next to it.
    #[must_use]
    pub fn placed_ends(&self, nav: &NavData) -> [DVec2; 2] {
        [self.start, self.goal].map(|p| nav.placed(p.truncate()))
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
        if let Some(metres) = self.walk.safe_distance
            && !(metres.is_finite() && metres >= 0.0)
        {
            return Err(BadRequest::SafeDistance { metres });
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
    fn only_uneven_ground_bends_paths() {
        let bounds = crate::geometry::Rect::new(DVec2::ZERO, DVec2::splat(20.0));
        let flat = HeightField::flat(bounds, 10.0, 3.0);
        let mut hill = flat.clone();
        hill.heights = (0..hill.heights.len()).map(|i| i as f64).collect();
        let usual = Slopes::default();
        assert_eq!(usual.on(None), None);
        assert_eq!(usual.on(Some(&flat)), None);
        let limits = usual.on(Some(&hill)).expect("uneven");
        assert!((limits.max_angle - SlopeLimits::default().max_angle).abs() < 1e-12);
        for off in [
            Slopes {
                bend: false,
                ..usual
            },
            Slopes {
                max_degrees: 0.0,
                ..usual
            },
        ] {
            assert_eq!(off.on(Some(&hill)), None);
        }
        for max_degrees in [f64::NAN, f64::INFINITY, -5.0, 90.0, 1e9] {
            let slope = Slopes {
                max_degrees,
                ..usual
            }
            .on(Some(&hill));
            let request = PathRequest {
                slope,
                ..PathRequest::new(DVec2::ZERO, DVec2::ONE)
            };
            assert_eq!(request.check(), Ok(()), "{max_degrees}");
        }
    }

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
            ..good.clone()
        };
        assert_eq!(slope(1.0, 1.0, 1.0).check(), Ok(()));
        let wary = |metres| PathRequest {
            walk: WalkOptions {
                safe_distance: Some(metres),
                ..WalkOptions::default()
            },
            ..good.clone()
        };
        assert_eq!(wary(0.0).check(), Ok(()));
        for (bad, words) in [
            (wary(-1.0), "safe distance"),
            (wary(f64::NAN), "safe distance"),
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

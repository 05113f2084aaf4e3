//! How a character walks.

use crate::document::Profile;

/// How attraction points are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choosing {
    /// A choice holds for as long as no other can be better; otherwise one is made at every step.
    pub strides: bool,
    /// Candidates are multiples of d along the route; otherwise they are counted from where each
    /// visible interval begins.
    pub fixed_samples: bool,
}

impl Choosing {
    /// Jaklin et al. 2013, Algorithm 1 and §3.2.
    pub const AS_PRINTED: Self = Self {
        strides: false,
        fixed_samples: false,
    };
}

impl Default for Choosing {
    fn default() -> Self {
        Self {
            strides: true,
            fixed_samples: true,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Radius of the character. Unit: metres.
    pub radius: f64,
    /// Distance to a wall at which the boundary force begins. Unit: metres.
    pub safe_distance: f64,
    /// Unit: m/s.
    pub speed: f64,
    /// Strength of the steering force, c_s. Unit: m/s².
    pub steering: f64,
    /// Duration of the shortest step: near walls, near others, near the attraction point, and while
    /// turning.
    pub step_secs: f64,
    /// Duration of the longest step. Steps grow up to it while the character walks straight on and
    /// only the attraction point moves it; a step that was too long is undone and shortened. At
    /// `step_secs` or below, all steps are of one length, as in the paper.
    pub longest_step_secs: f64,
}

impl Settings {
    /// Speed and acceleration of a profile; invalid values get defaults. All steps are of one
    /// length.
    #[must_use]
    pub fn of(profile: &Profile, radius: f64) -> Self {
        let usable = |value: f64, usual: f64| {
            if value.is_finite() && value > 0.0 {
                value
            } else {
                usual
            }
        };
        Self {
            radius,
            safe_distance: usable(radius, 0.0),
            speed: usable(profile.pace.speed, 1.4),
            steering: usable(profile.pace.acceleration, 5.0),
            step_secs: 0.2,
            longest_step_secs: 0.2,
        }
    }

    /// Replaces invalid values by defaults.
    #[must_use]
    pub(super) fn usable(mut self) -> Self {
        let usual = Self::of(&Profile::default(), 0.0);
        let sanitize = |value: &mut f64, usual: f64| {
            if !(value.is_finite() && *value > 0.0) {
                *value = usual;
            }
        };
        sanitize(&mut self.speed, usual.speed);
        sanitize(&mut self.steering, usual.steering);
        sanitize(&mut self.step_secs, usual.step_secs);
        sanitize(&mut self.longest_step_secs, self.step_secs);
        sanitize(&mut self.radius, 0.0);
        sanitize(&mut self.safe_distance, 0.0);
        self
    }
}

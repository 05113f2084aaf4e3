//! How a character walks.

use crate::document::Profile;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Of the character. Unit: metres.
    pub radius: f64,
    /// Nearer than this to a wall, the boundary force begins. Unit: metres.
    pub safe_distance: f64,
    /// Unit: m/s.
    pub speed: f64,
    /// Strength of the steering force, c_s. Unit: m/s².
    pub steering: f64,
    /// Of the shortest step: near walls, near others and near the attraction point, and while
    /// turning.
    pub step_secs: f64,
    /// Of the longest step. Steps grow up to it while the character walks straight on and nothing
    /// but the attraction point moves it; one after which it is drawn elsewhere is taken back and
    /// made shorter. No more than `step_secs`: all are of one length, as in the paper.
    pub longest_step_secs: f64,
}

impl Settings {
    /// Speed and acceleration of a profile; nobody who means nothing by them is refused. All steps
    /// are of one length.
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

    /// Values that mean nothing are replaced by the usual ones.
    #[must_use]
    pub(super) fn usable(mut self) -> Self {
        let usual = Self::of(&Profile::default(), 0.0);
        let mend = |value: &mut f64, usual: f64| {
            if !(value.is_finite() && *value > 0.0) {
                *value = usual;
            }
        };
        mend(&mut self.speed, usual.speed);
        mend(&mut self.steering, usual.steering);
        mend(&mut self.step_secs, usual.step_secs);
        mend(&mut self.longest_step_secs, self.step_secs);
        mend(&mut self.radius, 0.0);
        mend(&mut self.safe_distance, 0.0);
        self
    }
}

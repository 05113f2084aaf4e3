//! Adaptive step lengths: short near events, long elsewhere.

use super::candidates::Chosen;
use super::ground::{Eye, Ground};
use super::route::IndicativeRoute;
use super::settings::Settings;
use super::walker::{OTHERS_REACH, Walked, Walker};
use crate::planner::corridor::Character;
use crate::planner::trace::{Forces, TraceStep};
use glam::DVec2;

/// Largest deviation between the end of a longer step and that of the shortest ones. Unit: metres.
const ASIDE: f64 = 0.1;

/// Sharper turns are taken in the shortest steps, so that they are round. Where they end does not
/// depend on the step length: the character drifts v²/c_s · sin φ sideways. Unit: sine of the
/// angle.
const TURNING: f64 = 0.1;

/// A fresh choice usually holds for a while. Unit: shortest steps.
const RESOLVED: f64 = 4.0;

/// Largest share of the distance to the attraction point that one choice may cover.
const MOSTLY: f64 = 0.5;

/// Near the attraction point, one choice may hold for at least this long. Unit: shortest steps.
const AT_THE_END: f64 = 6.0;

/// Beside walls, one choice may hold for this many of the shortest steps.
const BESIDE_WALLS: f64 = 2.0;

/// The state restored when a step turns out to be too long.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    pub eye: Eye,
    pub velocity: DVec2,
    pub time: f64,
    pub reference: f64,
    pub farthest: f64,
    pub idle_secs: f64,
    pub chosen: Chosen,
    pub forces: Forces,
    /// Number of recorded steps.
    pub logged: usize,
}

impl Walker {
    /// Sets the current attraction point.
    pub(super) fn make_up_mind(&mut self, chosen: &Chosen) {
        if chosen.along != self.attraction {
            let Settings {
                step_secs,
                longest_step_secs,
                ..
            } = self.settings;
            let secs = (RESOLVED * step_secs).min(longest_step_secs);
            self.stride_secs = self.stride_secs.max(secs);
        }
        self.attraction = chosen.along;
    }

    /// How long the next choice may hold: longer than the shortest step only if no other characters
    /// push along the entire stretch.
    pub(super) fn secs(
        &self,
        route: &IndicativeRoute,
        chosen: &Chosen,
        forces: &Forces,
        others: &[Character],
    ) -> f64 {
        let Settings {
            radius,
            speed,
            step_secs: shortest,
            longest_step_secs: longest,
            ..
        } = self.settings;
        if longest <= shortest || forces.others != DVec2::ZERO || self.is_direct {
            return shortest;
        }
        let x = self.eye.at;
        let offset = chosen.at - x;
        let left = offset.length();
        // Glimpses and shadows that fit between candidates go unnoticed, but much shorter ones
        // along the stretch do not; and most choices change near the attraction point.
        let longest = longest
            .min(0.2 * route.sample_step() / speed)
            .min((MOSTLY * left / speed).max(AT_THE_END * shortest));
        // Neither turning around nor setting out.
        if self.velocity.dot(offset) <= 0.0 || self.velocity.length() < speed * (1.0 - 1e-6) {
            return shortest;
        }
        let room = self.room_ahead().max(BESIDE_WALLS * speed * shortest);
        let gap = others
            .iter()
            .map(|other| other.position.distance(x) - other.radius - radius - OTHERS_REACH)
            .fold(f64::INFINITY, f64::min);
        // Others may approach at an equal speed.
        let reach = left.min(room).min(0.5 * gap);
        (reach / speed)
            .min(self.stride_secs)
            .min(longest)
            .max(shortest)
    }

    /// Lower bound on the distance it can move in any direction before a wall pushes it. Unit:
    /// metres.
    fn room_ahead(&self) -> f64 {
        let (centre, clear) = self.room;
        let reach = self.settings.radius + self.settings.safe_distance;
        clear - centre.distance(self.eye.at) - reach
    }

    /// Moves towards the attraction point for `secs`: in the shortest steps while it turns or may
    /// be pushed, then straight on.
    pub(super) fn stride<G: Ground>(
        &mut self,
        ground: &G,
        route: &IndicativeRoute,
        chosen: &Chosen,
        forces: &Forces,
        secs: f64,
        log: &mut Walked,
    ) {
        let Settings {
            speed,
            step_secs: shortest,
            ..
        } = self.settings;
        let (mut forces, mut walked_secs) = (*forces, 0.0);
        loop {
            let offset = chosen.at - self.eye.at;
            let aside = self.velocity.perp_dot(offset).abs();
            let left_secs = secs - walked_secs;
            let is_turning = aside > TURNING * speed * offset.length();
            let is_beside_walls = self.room_ahead() < speed * left_secs;
            let part_secs = if (is_turning || is_beside_walls) && left_secs > 1.5 * shortest {
                shortest
            } else {
                left_secs
            };
            self.advance(ground, route, chosen, &forces, part_secs);
            walked_secs += self.last_secs;
            if part_secs == left_secs || self.last_secs < part_secs {
                break;
            }
            forces = self.forces(ground, chosen, &[]);
            let reference = route.first_closest(self.eye.at, self.reference, chosen.along);
            log.steps.push(TraceStep {
                time: self.time,
                position: self.eye.at,
                velocity: self.velocity,
                attraction: chosen.at,
                reference: route.point_at(reference),
                forces,
            });
            log.along.push([reference, chosen.along]);
        }
        self.last_secs = walked_secs;
    }

    /// Whether shorter steps would have led elsewhere: the attraction point now lies in another
    /// direction, and may have for longer than a short step.
    pub(super) fn is_late(&self, lead: Option<&Chosen>, before: &Before) -> bool {
        let Some(chosen) = lead else { return true };
        let x = self.eye.at;
        let (was, is) = (before.chosen.at - x, chosen.at - x);
        let extra = self.settings.speed * (self.last_secs - self.settings.step_secs);
        let scale = extra / (was.length() * is.length()).max(f64::MIN_POSITIVE);
        was.dot(is) < 0.0 || was.perp_dot(is).abs() * scale > ASIDE
    }

    /// Repeats the last step at half its length.
    pub(super) fn take_back<G: Ground>(
        &mut self,
        ground: &G,
        route: &IndicativeRoute,
        before: &Before,
        log: &mut Walked,
    ) {
        log.steps.truncate(before.logged);
        log.along.truncate(before.logged);
        self.eye = before.eye;
        self.velocity = before.velocity;
        self.time = before.time;
        self.reference = before.reference;
        self.attraction = before.chosen.along;
        self.farthest = before.farthest;
        self.idle_secs = before.idle_secs;
        let secs = (0.5 * self.last_secs).max(self.settings.step_secs);
        if secs > self.settings.step_secs {
            self.before = Some(*before);
        }
        self.stride_secs = (0.5 * secs).max(self.settings.step_secs);
        self.stride(ground, route, &before.chosen, &before.forces, secs, log);
        self.judge(route);
    }
}

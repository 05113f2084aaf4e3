//! How long steps are: short where something happens, long where nothing does.

use super::candidates::Chosen;
use super::ground::{Eye, Ground};
use super::route::IndicativeRoute;
use super::settings::Settings;
use super::walker::{OTHERS_REACH, Walker};
use crate::planner::corridor::Character;
use crate::planner::trace::Forces;
use glam::DVec2;

/// By how much a longer step may end beside where the shortest ones would have led. Unit: metres.
const ASIDE: f64 = 0.03;

/// Turns of more than this are made in the shortest steps, so that they are round. Where they end
/// does not depend on the length of steps: the character comes v²/c_s · sin φ aside. Unit: sine of
/// the angle.
const TURNING: f64 = 0.1;

/// What a step that turns out to be too long is taken back to.
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
}

impl Walker {
    /// How long the next step may take: longer than the shortest only straight on, where neither
    /// walls nor others push all along it, and never up to the attraction point itself.
    pub(super) fn secs(
        &self,
        route: &IndicativeRoute,
        chosen: &Chosen,
        forces: &Forces,
        others: &[Character],
    ) -> f64 {
        let Settings {
            radius,
            safe_distance,
            speed,
            step_secs: shortest,
            longest_step_secs: longest,
            ..
        } = self.settings;
        // Glimpses and shadows that fit between candidates go unnoticed, but much shorter ones on
        // the way do not.
        let longest = longest.min(0.2 * route.sample_step() / speed);
        let is_pushed = forces.boundary != DVec2::ZERO || forces.others != DVec2::ZERO;
        if longest <= shortest || is_pushed || self.is_direct {
            return shortest;
        }
        let x = self.eye.at;
        let offset = chosen.at - x;
        let left = offset.length();
        let aside = self.velocity.perp_dot(offset).abs() / left;
        // Neither turning round nor setting out.
        if self.velocity.dot(offset) <= 0.0 || self.velocity.length() < speed * (1.0 - 1e-6) {
            return shortest;
        }
        let (centre, clear) = self.room;
        let room = clear - centre.distance(x) - radius - safe_distance;
        let gap = others
            .iter()
            .map(|other| other.position.distance(x) - other.radius - radius - OTHERS_REACH)
            .fold(f64::INFINITY, f64::min);
        // Others may come towards it as fast. The last step to the attraction point is a short one.
        let reach = (left - 0.5 * speed * shortest).min(room).min(0.5 * gap);
        if aside > TURNING * speed {
            return shortest;
        }
        (reach / speed)
            .min(self.stride_secs)
            .clamp(shortest, longest)
    }

    /// Whether shorter steps would have led elsewhere: what draws the character now lies in
    /// another direction than what drew it, and for longer than a short step it may have done so.
    pub(super) fn is_late(&self, lead: Option<&Chosen>, before: &Before) -> bool {
        let Some(chosen) = lead else { return true };
        let x = self.eye.at;
        let (was, is) = (before.chosen.at - x, chosen.at - x);
        let extra = self.settings.speed * (self.last_secs - self.settings.step_secs);
        let scale = extra / (was.length() * is.length()).max(f64::MIN_POSITIVE);
        was.dot(is) < 0.0 || was.perp_dot(is).abs() * scale > ASIDE
    }

    /// The last step again, half as long.
    pub(super) fn take_back<G: Ground>(
        &mut self,
        ground: &G,
        route: &IndicativeRoute,
        before: &Before,
    ) {
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
        self.advance(ground, route, &before.chosen, &before.forces, secs);
        self.judge(route);
    }
}

//! The default model: collision-free speed (Tordeux, Chraibi and Seyfried 2016) with five changes.
//!
//! 1. The gap to a neighbour is the distance to the contact of the two discs along the direction.
//! 2. Bodies are slimmer and follow closer: a radius of 0.18 m, a time gap of 0.68 s.
//! 3. Those farther from a common goal count as smaller, so that they yield; a little noise breaks
//!    the arches that form in front of doors.
//! 4. Oncoming bodies are avoided sideways, ahead of time (Xu et al. 2021), with a heading that
//!    turns gradually.
//! 5. Bodies turn their shoulders: those who pass each other need nine tenths of the width.
//!
//! Time gap and radius are from single file, where both are seen apart; repulsion and shoulders
//! from flows through doors in the literature. No film of a corridor was used.

use super::{
    Model, Motion, Mover, Near, Scratch, Surroundings, density, set_parameter, speed_by_gap,
};
use crate::base::elementary::exp;
use glam::DVec2;

/// Directions whose cosine is below this are oncoming.
const ONCOMING: f64 = -0.2;

/// How far oncoming bodies are seen. Unit: metres.
const SIGHT: f64 = 3.0;

/// Share of the contact distance at which bodies behind count.
const YIELD: f64 = 0.9;

/// A repulsion that is weaker than this is left out.
const NEGLIGIBLE: f64 = 1e-3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkerOptions {
    /// Time between a body and the one in front. Unit: seconds.
    pub time_gap: f64,
    /// Strength and range of the repulsion by others. Unit of the range: metres.
    pub repulsion: [f64; 2],
    pub wall_repulsion: [f64; 2],
    /// Share of the contact distance below which somebody aside is in the way: people turn their
    /// shoulders to get past each other.
    pub shoulders: f64,
    /// Strength and range of the evasion of oncoming bodies, and how far it looks ahead.
    /// Units: metres, seconds.
    pub evasion: [f64; 2],
    pub anticipation: f64,
    /// Range of the repulsion by oncoming bodies. Unit: metres.
    pub oncoming_range: f64,
    /// Of each component of the direction.
    pub noise: f64,
    /// Time in which the heading turns. Unit: seconds.
    pub reaction: f64,
}

impl Default for WalkerOptions {
    fn default() -> Self {
        Self {
            time_gap: 0.68,
            repulsion: [5.0, 0.1],
            wall_repulsion: [5.0, 0.01],
            shoulders: 0.9,
            evasion: [3.0, 0.3],
            anticipation: 0.5,
            oncoming_range: 0.05,
            noise: 0.25,
            reaction: 0.3,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Walker {
    pub options: WalkerOptions,
}

impl Model for Walker {
    fn motion(
        &self,
        me: &Mover<'_>,
        seen: &Surroundings<'_>,
        scratch: &mut Scratch,
    ) -> (Motion, f64) {
        let o = &self.options;
        let body = me.body;
        let wish = body.direction;
        if me.speed <= 0.0 || wish == DVec2::ZERO {
            let motion = Motion {
                velocity: DVec2::ZERO,
                heading: me.heading,
            };
            return (motion, 0.0);
        }
        let [strength, range] = o.repulsion;
        // Beyond this, neither the repulsion counts nor the gap limits the speed.
        let reach = (range * 9.0).max(me.speed * o.time_gap);
        let side = wish.perp();
        let mut direction = wish
            + DVec2::new(me.chance.sign(NOISE_X), me.chance.sign(NOISE_Y))
                * (o.noise * me.agitation);
        let mut is_evading = false;
        let near = &mut scratch.near;
        near.clear();
        seen.visit(body, SIGHT, |other, away, squared| {
            let is_ally = other.goal == body.goal;
            let is_oncoming = !is_ally && wish.dot(other.direction) < ONCOMING;
            let mut contact = body.radius + other.radius;
            if is_ally && other.remaining > body.remaining {
                contact *= YIELD;
            }
            let limit = contact + reach;
            let is_near = squared < limit * limit;
            if !is_oncoming && !is_near {
                return;
            }
            let distance = squared.sqrt();
            let normal = if distance > 1e-9 {
                away / distance
            } else {
                // Exactly on top of each other: the one with the lower index goes first.
                side * if body.slot < other.slot { 1.0 } else { -1.0 }
            };
            if is_near {
                near.push(Near { away, contact });
            }
            if is_oncoming {
                // In front of the body only; nearer the faster the two approach.
                if away.dot(wish) < 0.0 {
                    let closing = (other.velocity - body.velocity).dot(normal);
                    let gap = (distance - contact - closing * o.anticipation).max(0.0);
                    let [strength, range] = o.evasion;
                    let facing = 1.0 + 0.5 * (1.0 - wish.dot(other.direction));
                    let weight = strength * facing * exp(-gap / range);
                    if weight > NEGLIGIBLE {
                        is_evading = true;
                        // Away from where the other will be; to the right if it is straight ahead.
                        let ahead = away - other.velocity * o.anticipation;
                        let aside = ahead.dot(side);
                        direction += side * if aside > 1e-6 { weight } else { -weight };
                    }
                }
                direction += normal * (strength * exp((contact - distance) / o.oncoming_range));
            } else {
                direction += normal * (strength * exp((contact - distance) / range));
            }
        });
        let [strength, range] = o.wall_repulsion;
        for wall in seen.wall_points {
            let weight = strength * exp((body.radius - wall.distance) / range);
            if weight > NEGLIGIBLE && wall.distance > 1e-9 {
                direction += (body.position - wall.at) / wall.distance * weight;
            }
        }
        let mut heading = direction.try_normalize().unwrap_or(wish);
        if is_evading {
            let share = (me.dt / o.reaction).min(1.0);
            let turned = me.heading.lerp(heading, share);
            heading = turned.try_normalize().unwrap_or(heading);
        }
        let speed = speed_by_gap(near, heading, o.time_gap, me.speed, o.shoulders);
        let motion = Motion {
            velocity: heading * speed,
            heading,
        };
        (motion, density(near.len(), 2.0 * body.radius + reach))
    }

    fn set(&mut self, name: &str, value: f64) -> Result<(), String> {
        let o = &mut self.options;
        let [strength, range] = &mut o.repulsion;
        let mut parameters = [
            ("time_gap", &mut o.time_gap, [0.05, 10.0]),
            ("strength", strength, [0.0, 100.0]),
            ("range", range, [0.001, 5.0]),
            ("shoulders", &mut o.shoulders, [0.1, 1.0]),
            ("noise", &mut o.noise, [0.0, 10.0]),
            ("reaction", &mut o.reaction, [0.01, 10.0]),
            ("anticipation", &mut o.anticipation, [0.0, 10.0]),
        ];
        set_parameter("walker", &mut parameters, name, value)
    }
}

/// Purposes of random numbers.
const NOISE_X: u64 = 1;
const NOISE_Y: u64 = 2;

//! The default model: collision-free speed (Tordeux, Chraibi and Seyfried 2016) with seven changes.
//!
//! 1. The gap to a neighbour is the distance to the contact of the two discs along the direction.
//! 2. Bodies are slimmer and follow closer: a radius of 0.18 m, a time gap of 0.75 s.
//! 3. Those farther from a common goal count as smaller, so that they yield; a little noise breaks
//!    the arches that form in front of doors.
//! 4. Oncoming bodies are avoided sideways, ahead of time (Xu et al. 2021), with a heading that
//!    turns gradually.
//! 5. Bodies turn their shoulders: those who pass each other need nine tenths of the width.
//! 6. Bodies that overlap by more than that, as everyone steps at once, move apart; and steps aside are
//!    half as fast as those ahead, so that people in a jam do not dance.
//! 7. Where it is not dense, one that is held up walks past those in front on the side where it gets on
//!    faster. Without it the slow hold back all behind them: repulsion is not felt at the distance
//!    at which people follow each other.
//!
//! Time gap and radius are from single file, where both are seen apart; repulsion and shoulders
//! from flows through doors in the literature. No film of a corridor was used.

use super::{
    Model, Motion, Mover, Near, Pushes, Scratch, Step, Surroundings, density, set_parameter,
    speed_by_gap,
};
use crate::base::elementary::{exp_quick, sin_cos};
use glam::DVec2;

/// Directions whose cosine is below this are oncoming.
const ONCOMING: f64 = -0.2;

/// How far oncoming bodies are seen. Unit: metres.
const SIGHT: f64 = 3.0;

/// Share of the contact distance at which bodies behind count.
const YIELD: f64 = 0.9;

/// What is farther away than this many times its range does not count: it is below a thousandth.
const FAINT: f64 = 9.0;

/// Largest radius of others that one who stands makes room for. Unit: metres.
const WIDEST: f64 = 0.5;

/// Where more are near, none overtakes. Unit: 1/m².
const TOO_DENSE: f64 = 2.0;

/// Overtaking must bring this share of the own speed.
const WORTHWHILE: f64 = 0.1;

/// Share of the own speed that keeping on in the direction of the heading is worth.
const STEADINESS: f64 = 0.05;

/// Share of an overlap that each of two bodies makes good in a step.
const PARTING: f64 = 0.4;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkerOptions {
    /// Time between a body and the one in front. Unit: seconds.
    pub time_gap: f64,
    /// Strength and range of the repulsion by others. Unit of the range: metres.
    pub repulsion: [f64; 2],
    pub wall_repulsion: [f64; 2],
    /// Share of the contact distance below which an agent aside is in the way: people turn their
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
    /// Speed of steps aside and backwards, as a share of that of walking.
    pub sidestep: f64,
    /// Angle at which slower ones are overtaken, at most twice of it; 0 for never. Unit: radians.
    pub overtaking: f64,
}

impl Default for WalkerOptions {
    fn default() -> Self {
        Self {
            time_gap: 0.75,
            repulsion: [5.0, 0.1],
            wall_repulsion: [5.0, 0.01],
            shoulders: 0.9,
            evasion: [3.0, 0.3],
            anticipation: 0.5,
            oncoming_range: 0.05,
            noise: 0.25,
            reaction: 0.3,
            sidestep: 0.5,
            overtaking: 0.38,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Walker {
    pub options: WalkerOptions,
}

impl Model for Walker {
    fn motion(&self, me: &Mover<'_>, seen: &Surroundings<'_>, scratch: &mut Scratch) -> Step {
        let o = &self.options;
        let body = me.body;
        let wish = body.direction;
        if me.speed <= 0.0 || wish == DVec2::ZERO {
            return standing(me, seen, o.shoulders);
        }
        let [strength, range] = o.repulsion;
        // Beyond this, neither the repulsion counts nor the gap limits the speed.
        let reach = (range * FAINT).max(me.speed * o.time_gap);
        let side = wish.perp();
        let noise = DVec2::new(me.chance.sign(NOISE_X), me.chance.sign(NOISE_Y));
        let mut pushes = Pushes::default();
        let mut is_evading = false;
        let mut apart = DVec2::ZERO;
        let near = &mut scratch.near;
        near.clear();
        seen.visit(body, SIGHT, |other, away, squared| {
            let touch = body.radius + other.radius;
            let limit = touch + reach;
            let is_near = squared < limit * limit;
            let is_in_front = away.dot(wish) < 0.0;
            if !is_near && !is_in_front {
                return;
            }
            let facing = wish.dot(other.direction);
            let is_ally = other.goal == body.goal;
            let is_oncoming = facing < ONCOMING && !is_ally;
            if !is_near && !is_oncoming {
                return;
            }
            let is_behind = is_ally && other.remaining > body.remaining;
            let contact = if is_behind { touch * YIELD } else { touch };
            let distance = squared.sqrt();
            let normal = if distance > 1e-9 {
                away / distance
            } else {
                // Exactly on top of each other: the one with the lower index goes first.
                side * if body.slot < other.slot { 1.0 } else { -1.0 }
            };
            if is_oncoming && is_in_front {
                // Nearer the faster the two approach.
                let closing = (other.velocity - body.velocity).dot(normal);
                let gap = (distance - contact - closing * o.anticipation).max(0.0);
                let [strength, range] = o.evasion;
                if gap < range * FAINT {
                    is_evading = true;
                    let weight = strength * (1.0 + 0.5 * (1.0 - facing)) * exp_quick(-gap / range);
                    // Away from where the other will be; to the right if it is straight ahead.
                    let ahead = away - other.velocity * o.anticipation;
                    let aside = ahead.dot(side);
                    pushes.others += side * if aside > 1e-6 { weight } else { -weight };
                }
            }
            if !is_near {
                return;
            }
            let width = contact.min(touch * o.shoulders);
            near.push(Near {
                away,
                contact,
                width,
                drift: other.velocity * me.dt,
            });
            // Simultaneous steps and pushes may bring two closer than they may be.
            if distance < width {
                apart += normal * (width - distance);
            }
            let range = if is_oncoming { o.oncoming_range } else { range };
            let exponent = (contact - distance) / range;
            if exponent > -FAINT {
                pushes.others += normal * (strength * exp_quick(exponent));
            }
        });
        let [strength, range] = o.wall_repulsion;
        for wall in seen.wall_points {
            let exponent = (body.radius - wall.distance) / range;
            if exponent > -FAINT && wall.distance > 1e-9 {
                let weight = strength * exp_quick(exponent);
                pushes.walls += (body.position - wall.at) / wall.distance * weight;
            }
        }
        let crowd = density(near.len(), 2.0 * body.radius + reach);
        let mut lane = wish;
        if o.overtaking > 0.0 && crowd < TOO_DENSE && !is_evading {
            lane = fastest_lane(me, near, seen, o);
            // It turns gradually then, as those who evade do.
            is_evading = lane != wish;
        }
        let direction = lane + noise * (o.noise * me.agitation) + pushes.others + pushes.walls;
        let mut heading = direction.try_normalize().unwrap_or(wish);
        if is_evading {
            let share = (me.dt / o.reaction).min(1.0);
            let turned = me.heading.lerp(heading, share);
            heading = turned.try_normalize().unwrap_or(heading);
        }
        // People step aside more slowly than they walk.
        let ahead = heading.dot(wish).max(0.0);
        let fastest = me.speed * (o.sidestep + (1.0 - o.sidestep) * ahead);
        let speed = speed_by_gap(near, heading, o.time_gap, fastest);
        let motion = Motion {
            velocity: heading * speed + parting(apart, me),
            heading,
        };
        Step {
            motion,
            density: crowd,
            pushes,
        }
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
            ("sidestep", &mut o.sidestep, [0.0, 1.0]),
            ("overtaking", &mut o.overtaking, [0.0, 0.7]),
        ];
        set_parameter("walker", &mut parameters, name, value)
    }
}

/// The direction near the wish in which an agent gets on fastest: straight on, unless those in front
/// hold it up and one aside is a good deal better.
fn fastest_lane(
    me: &Mover<'_>,
    near: &[Near],
    seen: &Surroundings<'_>,
    o: &WalkerOptions,
) -> DVec2 {
    let wish = me.body.direction;
    let ahead = speed_by_gap(near, wish, o.time_gap, me.speed);
    if ahead >= me.speed {
        return wish;
    }
    let mut best = (ahead + WORTHWHILE * me.speed, wish);
    let (sin, cos) = sin_cos(o.overtaking);
    let once = DVec2::new(cos, sin);
    for turn in [once, once.rotate(once)] {
        for turn in [turn, DVec2::new(turn.x, -turn.y)] {
            let direction = turn.rotate(wish);
            let mut speed = speed_by_gap(near, direction, o.time_gap, me.speed);
            for wall in seen.wall_points {
                let distance = wall.distance.max(1e-9);
                let towards = (wall.at - me.body.position).dot(direction) / distance;
                if towards > 0.0 {
                    let gap = (wall.distance - me.body.radius).max(0.0) / towards;
                    speed = speed.min(gap / o.time_gap);
                }
            }
            let steady = STEADINESS * me.speed * direction.dot(me.heading);
            let progress = speed * direction.dot(wish) + steady;
            if progress > best.0 {
                best = (progress, direction);
            }
        }
    }
    best.1
}

/// Makes overlaps good, given as the sum of the vectors out of them.
fn parting(apart: DVec2, me: &Mover<'_>) -> DVec2 {
    (apart * (PARTING / me.dt)).clamp_length_max(me.max_speed)
}

/// One that stands moves only out of others.
fn standing(me: &Mover<'_>, seen: &Surroundings<'_>, shoulders: f64) -> Step {
    let mut apart = DVec2::ZERO;
    seen.visit(me.body, me.body.radius + WIDEST, |other, away, squared| {
        let overlap = (me.body.radius + other.radius) * shoulders - squared.sqrt();
        if overlap > 0.0 {
            apart += away.try_normalize().unwrap_or(DVec2::ZERO) * overlap;
        }
    });
    Step {
        motion: Motion {
            velocity: parting(apart, me),
            heading: me.heading,
        },
        ..Step::default()
    }
}

/// Purposes of random numbers.
const NOISE_X: u64 = 1;
const NOISE_Y: u64 = 2;

//! A character that forces move through a corridor, step by step.

use super::{
    attraction::{Attraction, Lead},
    avoidance::{Avoidance, Character, Situation},
    control::ControlPath,
    hull::Corridor,
};
use crate::geometry::polygon::closest_on_segment;
use crate::nav::corridor::{Blocker, CorridorMap};
use glam::DVec2;

/// Contact tolerance, for rounding. Unit: metres.
pub(super) const TOUCH: f64 = 1e-9;

/// Smaller progress counts as none. Unit: metres.
const PROGRESS: f64 = 0.05;

/// Time without progress after which repulsion begins to fade. Unit: seconds.
const FADE_AFTER_SECS: f64 = 1.0;

/// Half-life of repulsion while there is no progress. Unit: seconds.
const FADE_HALF_SECS: f64 = 1.0;

/// Strength of the lateral push while there is no progress. Unit: m/s².
const SIDESTEP: f64 = 1.0;

/// The lateral push keeps its direction for this long at first, then twice as long. Unit: seconds.
const SIDESTEP_SECS: f64 = 2.0;

/// Which forces move the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Paper, §3: one force pulls towards the attraction point and keeps the character in its disc.
    Original,
    /// Paper, §4: steering and a push away from the border of the corridor.
    Improved,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    pub method: Method,
    pub attraction: Attraction,
    pub avoidance: Avoidance,
    /// Radius of the moving character. Unit: metres.
    pub radius: f64,
    /// Unit: metres.
    pub safe_distance: f64,
    /// Largest speed, which the steering force soon reaches. Unit: m/s.
    pub speed: f64,
    /// Strength of the steering force, the paper's c_s. Unit: m/s².
    pub steering: f64,
    /// Unit: m/s².
    pub max_acceleration: f64,
    pub step_secs: f64,
    /// Distance to the goal at which the character has arrived. Unit: metres.
    pub arrival: f64,
    /// Gives up after this long without progress.
    pub patience_secs: f64,
}

impl Settings {
    /// The paper's values; the preferred safe distance is the character's radius.
    #[must_use]
    pub const fn new(method: Method, radius: f64) -> Self {
        Self {
            method,
            attraction: Attraction::ClearanceDisc,
            avoidance: Avoidance::Disc,
            radius,
            safe_distance: radius,
            speed: 1.4,
            steering: 1.0,
            max_acceleration: 5.0,
            step_secs: 0.05,
            arrival: 0.2,
            patience_secs: 30.0,
        }
    }
}

/// Everything that can be shown about one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionState {
    pub tick: u32,
    pub position: DVec2,
    /// Unit: m/s.
    pub velocity: DVec2,
    pub attraction_point: DVec2,
    /// Length along the control path of the point nearest to the character. Unit: metres.
    pub reference: f64,
    /// F_a of the original method, F_s of the improved one. Unit: m/s², as all forces.
    pub steering: DVec2,
    /// F_b: zero for the original method.
    pub boundary: DVec2,
    /// F_obs.
    pub avoidance: DVec2,
    /// The nearest point of the corridor's border, cp(x).
    pub closest: DVec2,
    /// An obstacle cut the step short or diverted it.
    pub is_touching: bool,
}

/// Why a character gave up.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Obstructed {
    #[error("character {index} blocks the path; move it or give it room")]
    ByCharacter { index: u32 },
    #[error("a wall blocks the path; draw the control path farther from it")]
    ByWall { blocker: Blocker },
    #[error("the forces balance; lower the safe distance or move the control path")]
    ByForces,
    #[error("a setting is not a number above 0; radius and safe distance may be 0")]
    BySettings,
    #[error("the character starts where it does not fit")]
    AtStart,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Status {
    Moving,
    Arrived,
    Stuck(Obstructed),
}

/// A walk in progress. Deterministic.
#[derive(Clone, Debug)]
pub struct Motion<'a> {
    map: &'a CorridorMap,
    corridor: &'a Corridor,
    path: &'a ControlPath,
    characters: &'a [Character],
    settings: Settings,
    goal: DVec2,
    state: MotionState,
    acceleration: DVec2,
    lead: Lead,
    /// Least remaining length so far, and the time since it last fell.
    least_left: f64,
    idle_secs: f64,
    status: Status,
}

/// A walk between two steps, without what it borrows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paused {
    settings: Settings,
    state: MotionState,
    acceleration: DVec2,
    lead: Lead,
    least_left: f64,
    idle_secs: f64,
    status: Status,
}

/// Forces at one point.
#[derive(Clone, Copy, Default)]
struct Forces {
    steering: DVec2,
    boundary: DVec2,
    avoidance: DVec2,
    closest: DVec2,
}

impl<'a> Motion<'a> {
    /// From the first point of the control path to its last.
    #[must_use]
    pub fn new(
        map: &'a CorridorMap,
        corridor: &'a Corridor,
        path: &'a ControlPath,
        characters: &'a [Character],
        settings: Settings,
    ) -> Self {
        let points = path.line().points();
        let start = points.first().copied().unwrap_or_default();
        let mut motion = Self {
            map,
            corridor,
            path,
            characters,
            settings,
            goal: points.last().copied().unwrap_or_default(),
            state: MotionState {
                position: start,
                attraction_point: start,
                ..MotionState::default()
            },
            acceleration: DVec2::ZERO,
            lead: Lead::default(),
            least_left: f64::INFINITY,
            idle_secs: 0.0,
            status: Status::Moving,
        };
        if !motion.settings_are_usable() {
            motion.status = Status::Stuck(Obstructed::BySettings);
        } else if !motion.fits(start) {
            motion.status = Status::Stuck(Obstructed::AtStart);
        }
        motion
    }

    pub(super) const fn pause(&self) -> Paused {
        Paused {
            settings: self.settings,
            state: self.state,
            acceleration: self.acceleration,
            lead: self.lead,
            least_left: self.least_left,
            idle_secs: self.idle_secs,
            status: self.status,
        }
    }

    /// Resumes a walk that was paused on this map, corridor and path.
    pub(super) fn resume(
        map: &'a CorridorMap,
        corridor: &'a Corridor,
        path: &'a ControlPath,
        paused: Paused,
    ) -> Self {
        Self {
            map,
            corridor,
            path,
            characters: &[],
            settings: paused.settings,
            goal: path.line().points().last().copied().unwrap_or_default(),
            state: paused.state,
            acceleration: paused.acceleration,
            lead: paused.lead,
            least_left: paused.least_left,
            idle_secs: paused.idle_secs,
            status: paused.status,
        }
    }

    fn settings_are_usable(&self) -> bool {
        let s = &self.settings;
        let above = [
            s.speed,
            s.steering,
            s.max_acceleration,
            s.step_secs,
            s.arrival,
            s.patience_secs,
        ];
        let from_zero = [s.radius, s.safe_distance];
        above.iter().all(|v| v.is_finite() && *v > 0.0)
            && from_zero.iter().all(|v| v.is_finite() && *v >= 0.0)
    }

    fn fits(&self, p: DVec2) -> bool {
        let clearance = self.map.walls().clearance(p);
        clearance.is_some_and(|c| c >= self.settings.radius - TOUCH)
    }

    #[must_use]
    pub const fn state(&self) -> &MotionState {
        &self.state
    }

    #[must_use]
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Advances by one time step, unless the walk is over.
    pub fn step(&mut self) -> Status {
        if self.status != Status::Moving {
            return self.status;
        }
        let dt = self.settings.step_secs;
        let (x, v) = (self.state.position, self.state.velocity);
        // Velocity Verlet: the acceleration of the last step is that of this position.
        let wanted = x + v * dt + self.acceleration * (0.5 * dt * dt);
        let reached = self.advance(x, wanted - x);
        self.state.is_touching = reached != wanted;
        self.lead = self.settings.attraction.next(
            self.map,
            self.path,
            reached,
            self.settings.radius,
            &self.lead,
            dt,
        );
        self.state.attraction_point = self
            .path
            .line()
            .point_at(self.lead.along)
            .unwrap_or(self.goal);
        let forces = self.forces(reached);
        let next = self.acceleration_of(&forces);
        let velocity = if self.state.is_touching {
            // The obstacle has taken the rest of the speed.
            (reached - x) / dt + next * (0.5 * dt)
        } else {
            v + (self.acceleration + next) * (0.5 * dt)
        };
        self.acceleration = next;
        self.state = MotionState {
            tick: self.state.tick + 1,
            position: reached,
            velocity: velocity.clamp_length_max(self.settings.speed),
            attraction_point: self.state.attraction_point,
            reference: self.lead.reference,
            steering: forces.steering,
            boundary: forces.boundary,
            avoidance: forces.avoidance,
            closest: forces.closest,
            is_touching: self.state.is_touching,
        };
        self.judge();
        self.status
    }

    /// Walks to the end and returns all positions, the goal last if it arrived.
    pub fn run(&mut self) -> Vec<DVec2> {
        let mut points = vec![self.state.position];
        while self.step() == Status::Moving {
            points.push(self.state.position);
        }
        points.push(self.state.position);
        points.dedup();
        points
    }

    fn acceleration_of(&self, forces: &Forces) -> DVec2 {
        let mut sum = forces.steering + forces.boundary + forces.avoidance;
        let pushed = (forces.boundary + forces.avoidance).length() / self.repulsion_share();
        if self.state.is_touching || pushed > 0.5 * self.settings.steering {
            sum += self.sidestep();
        } else if self.idle_secs > FADE_AFTER_SECS {
            // No repulsion, yet no progress: the character circles. Slow it down.
            sum -= self.state.velocity * (self.settings.steering / self.settings.speed);
        }
        sum.clamp_length_max(self.settings.max_acceleration)
    }

    /// From 1 down to 0 while there is no progress.
    fn repulsion_share(&self) -> f64 {
        let idle = (self.idle_secs - FADE_AFTER_SECS).max(0.0);
        0.5_f64.powf(idle / FADE_HALF_SECS)
    }

    /// To one side, then to the other for twice as long, and so on.
    fn sidestep(&self) -> DVec2 {
        let mut idle = self.idle_secs - 2.0 * FADE_AFTER_SECS;
        if idle <= 0.0 {
            return DVec2::ZERO;
        }
        let (mut period, mut sign) = (SIDESTEP_SECS, 1.0);
        while idle > period {
            idle -= period;
            period *= 2.0;
            sign = -sign;
        }
        let towards = self.state.attraction_point - self.state.position;
        towards.normalize_or_zero().perp() * (sign * SIDESTEP)
    }

    fn forces(&self, x: DVec2) -> Forces {
        let s = &self.settings;
        let offset = self.state.attraction_point - x;
        let distance = offset.length();
        let direction = offset.normalize_or_zero();
        let closest = self.corridor.closest(x);
        let mut forces = Forces {
            closest: closest.map_or(x, |c| c.point),
            ..Forces::default()
        };
        match s.method {
            Method::Original => {
                let room = self.lead.clearance - s.radius;
                // Infinite on the rim of the disc; the limit of acceleration makes it finite.
                let strength = if room - distance > 0.0 {
                    1.0 / (room - distance) - 1.0 / room
                } else {
                    f64::MAX.sqrt()
                };
                let strength = strength.min(1e3 * s.max_acceleration);
                // In the middle of a wide disc the force all but vanishes, even at the goal.
                let is_goal = self.state.attraction_point.distance(self.goal) < s.arrival;
                let least = if is_goal { s.steering } else { 0.0 };
                forces.steering = direction * strength.max(least);
            }
            Method::Improved => {
                forces.steering = direction * s.steering;
                if let Some(c) = closest.filter(|c| c.distance - s.radius < s.safe_distance) {
                    let strength = (s.safe_distance + s.radius - c.distance) / c.distance;
                    let strength = strength.min(1e3 * s.max_acceleration);
                    let away = (x - c.point).normalize_or_zero();
                    forces.boundary = away * (strength * self.repulsion_share());
                }
            }
        }
        if self.is_on_final_approach(x) {
            // A critically damped spring: comes to rest at the goal without overshooting.
            let rate = 2.0 * s.steering / s.speed;
            forces.steering = offset * (rate * rate) - self.state.velocity * (2.0 * rate);
        }
        forces.avoidance = self.avoidance(x) * self.repulsion_share();
        forces
    }

    /// Near enough to the goal to slow down for it, with no other target before.
    fn is_on_final_approach(&self, x: DVec2) -> bool {
        let slow_from = self.settings.speed * self.settings.speed / self.settings.steering;
        x.distance(self.goal) < slow_from
            && self.state.attraction_point.distance(self.goal) < self.settings.arrival
    }

    /// F_obs.
    fn avoidance(&self, x: DVec2) -> DVec2 {
        let s = &self.settings;
        let situation = Situation {
            walls: self.map.walls(),
            characters: self.characters,
            position: x,
            velocity: self.state.velocity,
            attraction_point: self.state.attraction_point,
            clearance: self.lead.clearance,
            radius: s.radius,
            safe_distance: s.safe_distance,
            speed: s.speed,
            most: 1e3 * s.max_acceleration,
        };
        situation.push(s.avoidance)
    }

    /// Whether a step stays clear of walls, and stays clear of or moves away from characters.
    fn is_allowed(&self, from: DVec2, to: DVec2) -> bool {
        let radius = self.settings.radius;
        if !to.is_finite() || !self.map.walls().is_clear(from, to, radius - TOUCH) {
            return false;
        }
        self.characters.iter().all(|c| {
            let least = closest_on_segment(from, to, c.position).distance(c.position);
            least >= radius + c.radius - TOUCH || least >= from.distance(c.position)
        })
    }

    /// As far as possible in the wanted direction, otherwise along the obstacle.
    fn advance(&self, from: DVec2, step: DVec2) -> DVec2 {
        if self.is_allowed(from, from + step) {
            return from + step;
        }
        let contacts = self.contacts(from, step.length());
        let deflect = |step: DVec2, away: &DVec2| step - *away * step.dot(*away).min(0.0);
        let along = contacts.iter().fold(step, deflect);
        let back_along = contacts.iter().rev().fold(step, deflect);
        for try_step in [along, back_along, step] {
            let mut share = 1.0;
            for _ in 0..5 {
                let to = from + try_step * share;
                if to != from && self.is_allowed(from, to) {
                    return to;
                }
                share *= 0.5;
            }
        }
        from
    }

    /// Directions away from all obstacles within reach.
    fn contacts(&self, from: DVec2, reach: f64) -> Vec<DVec2> {
        let radius = self.settings.radius;
        let walls = self.map.walls();
        let wall = walls
            .within(from, radius + reach)
            .map(|point| (from - point).normalize_or_zero());
        let characters = self
            .characters
            .iter()
            .filter(|c| c.position.distance(from) <= radius + c.radius + reach)
            .map(|c| (from - c.position).normalize_or_zero());
        wall.chain(characters).collect()
    }

    /// Checks for arrival and for giving up.
    fn judge(&mut self) {
        let s = &self.settings;
        let x = self.state.position;
        let near = x.distance(self.goal) <= s.arrival;
        if near && self.is_allowed(x, self.goal) {
            self.state.position = self.goal;
            self.status = Status::Arrived;
            return;
        }
        let left = self.path.line().length() - self.lead.reference + near_goal_term(x, self.goal);
        if left < self.least_left - PROGRESS {
            self.least_left = left;
            self.idle_secs = 0.0;
        } else {
            self.idle_secs += s.step_secs;
        }
        if self.idle_secs > s.patience_secs {
            self.status = Status::Stuck(self.obstruction(x));
        }
    }

    fn obstruction(&self, x: DVec2) -> Obstructed {
        let s = &self.settings;
        let gap = |c: &Character| c.position.distance(x) - c.radius - s.radius;
        let nearest = self
            .characters
            .iter()
            .zip(0..)
            .min_by(|a, b| gap(a.0).total_cmp(&gap(b.0)))
            .filter(|(c, _)| gap(c) < s.radius.max(0.5));
        if let Some((_, index)) = nearest {
            return Obstructed::ByCharacter { index };
        }
        let walls = self.map.walls();
        walls
            .nearest(x)
            .filter(|touch| touch.distance - s.radius < 0.05)
            .map_or(Obstructed::ByForces, |touch| Obstructed::ByWall {
                blocker: walls.list()[touch.wall as usize].blocker,
            })
    }
}

/// At the end the path has no length left, but the goal may still be some distance away.
fn near_goal_term(x: DVec2, goal: DVec2) -> f64 {
    x.distance(goal).min(1.0)
}

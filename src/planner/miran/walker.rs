//! A character that follows a route, step by step (paper, Algorithm 1).

use super::candidates::{Chosen, Leader};
use super::ground::{Eye, Ground};
use super::route::IndicativeRoute;
use super::settings::Settings;
use super::strides::Before;
use crate::nav::terrain::Stop;
use crate::planner::corridor::Character;
use crate::planner::trace::{Event, EventKind, Forces, TraceStep};
use glam::DVec2;

/// Distance from a wall at which a blocked step ends, so that the next one starts in the open.
/// Unit: metres.
const MARGIN: f64 = 1e-4;

/// Smaller progress along the route counts as none. Unit: metres.
const PROGRESS: f64 = 1e-3;

/// Characters farther away than this, border to border, do not push. Unit: metres.
pub(super) const OTHERS_REACH: f64 = 1.5;

/// Upper limit of pushes, as a multiple of the steering force.
const MAX_PUSH: f64 = 4.0;

/// Skipping more of the route than this, beyond a step or two, is an event. Unit: metres.
const WORTH_AN_EVENT: f64 = 2.0;

/// A heading this close to the direction of the attraction point is set to it. Unit: sine of the
/// angle.
const AHEAD: f64 = 2e-3;

/// Distance beyond the reach of the boundary force within which walls are queried at once. Unit:
/// metres.
const OUTLOOK: f64 = 4.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Walking,
    /// At the end of the route.
    Arrived,
    /// No point of the route is visible: a new stretch is needed.
    Lost,
    /// No progress, not even by walking straight to the attraction point.
    Stuck,
}

/// The result of a walk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walked {
    /// The state before each step.
    pub steps: Vec<TraceStep>,
    /// Lengths along the route of the reference point and the attraction point of each step.
    pub along: Vec<[f64; 2]>,
    pub events: Vec<Event>,
}

/// A deterministic walk. Ground and route are passed to each step, so that they can be shared.
#[derive(Clone, Debug)]
pub struct Walker {
    pub(super) settings: Settings,
    pub(super) eye: Eye,
    pub(super) velocity: DVec2,
    pub(super) time: f64,
    /// r and α. Unit: metres along the route.
    pub(super) reference: f64,
    pub(super) attraction: f64,
    /// Largest reference so far, and the time since it last grew.
    pub(super) farthest: f64,
    pub(super) idle_secs: f64,
    /// Planned length of the next step, and length of the last one.
    pub(super) stride_secs: f64,
    pub(super) last_secs: f64,
    /// State before the last step, if that was a long one.
    pub(super) before: Option<Before>,
    /// A point and its distance to the nearest wall, at least.
    pub(super) room: (DVec2, f64),
    /// Walks straight to the attraction point, as in the paper's proof.
    pub(super) is_direct: bool,
    /// The line of the route is followed up to here. Unit: metres along the route.
    kept_until: f64,
    status: Status,
}

impl Walker {
    /// At the beginning of a route.
    #[must_use]
    pub fn new(settings: Settings, eye: Eye) -> Self {
        Self {
            settings: settings.usable(),
            eye,
            velocity: DVec2::ZERO,
            time: 0.0,
            reference: 0.0,
            attraction: 0.0,
            farthest: 0.0,
            idle_secs: 0.0,
            stride_secs: 0.0,
            last_secs: 0.0,
            before: None,
            room: (DVec2::ZERO, 0.0),
            is_direct: false,
            kept_until: 0.0,
            status: Status::Walking,
        }
    }

    /// Switches to another route, from its beginning.
    pub fn take_up(&mut self, eye: Eye) {
        self.eye = eye;
        self.velocity = DVec2::ZERO;
        self.reference = 0.0;
        self.attraction = 0.0;
        self.farthest = 0.0;
        self.idle_secs = 0.0;
        self.stride_secs = 0.0;
        self.before = None;
        self.is_direct = false;
        self.kept_until = 0.0;
        self.status = Status::Walking;
    }

    /// Follows the line of the route from its beginning up to a length, regardless of visibility:
    /// the last resort where forces and sight lead nowhere.
    pub const fn keep_to_line(&mut self, until: f64) {
        self.kept_until = until;
    }

    /// Moves it elsewhere, as if pushed.
    pub fn push_to(&mut self, eye: Eye) {
        self.eye = eye;
        self.before = None;
    }

    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    #[must_use]
    pub const fn position(&self) -> DVec2 {
        self.eye.at
    }

    #[must_use]
    pub const fn eye(&self) -> &Eye {
        &self.eye
    }

    /// Since the start. Unit: seconds.
    #[must_use]
    pub const fn time(&self) -> f64 {
        self.time
    }

    /// r: progress along the route. Unit: metres.
    #[must_use]
    pub const fn reference(&self) -> f64 {
        self.reference
    }

    /// α of the last step. Unit: metres along the route.
    #[must_use]
    pub const fn attraction(&self) -> f64 {
        self.attraction
    }

    #[must_use]
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Takes one time step and writes its trace to `log`.
    pub fn step<G: Ground, L: Leader>(
        &mut self,
        ground: &G,
        route: &IndicativeRoute,
        leader: &mut L,
        others: &[Character],
        log: &mut Walked,
    ) -> Status {
        if self.status != Status::Walking {
            return self.status;
        }
        if self.reference < self.kept_until.min(route.length()) {
            return self.keep(ground, route, log);
        }
        let mut before = self.reference;
        let lead = loop {
            self.reference = route.first_closest(self.eye.at, self.reference, self.attraction);
            let lead = leader.lead(ground, route, &self.eye, self.reference, self.attraction);
            let Some(back) = self.before.take() else {
                break lead;
            };
            if !self.is_late(lead.as_ref(), &back) {
                break lead;
            }
            before = back.reference;
            self.take_back(ground, route, &back, log);
        };
        self.note_skip(before, log);
        let Some(chosen) = lead else {
            // At the end of the route there is no attraction left.
            let left = route
                .goal()
                .map_or(f64::INFINITY, |goal| goal.distance(self.eye.at));
            self.status = if left <= MARGIN {
                Status::Arrived
            } else {
                Status::Lost
            };
            return self.status;
        };
        self.make_up_mind(&chosen);
        let forces = self.forces(ground, &chosen, others);
        log.steps.push(TraceStep {
            time: self.time,
            position: self.eye.at,
            velocity: self.velocity,
            attraction: chosen.at,
            reference: route.point_at(self.reference),
            forces,
        });
        log.along.push([self.reference, self.attraction]);
        let secs = self.secs(route, &chosen, &forces, others);
        if secs > self.settings.step_secs {
            self.before = Some(Before {
                eye: self.eye,
                velocity: self.velocity,
                time: self.time,
                reference: self.reference,
                farthest: self.farthest,
                idle_secs: self.idle_secs,
                chosen,
                forces,
                logged: log.steps.len(),
            });
        }
        self.stride_secs = (2.0 * self.stride_secs.max(secs)).min(self.settings.longest_step_secs);
        self.stride(ground, route, &chosen, &forces, secs, log);
        self.judge(route);
        self.status
    }

    /// One step along the line itself, at most to its next bend.
    fn keep<G: Ground>(&mut self, ground: &G, route: &IndicativeRoute, log: &mut Walked) -> Status {
        let Settings {
            speed, step_secs, ..
        } = self.settings;
        let until = self.kept_until.min(route.length());
        let wanted = (self.reference + speed * step_secs).min(until);
        let (along, to) = route.no_farther_than_a_bend(self.reference, wanted);
        let x = self.eye.at;
        let velocity = (to - x).normalize_or_zero() * speed;
        log.steps.push(TraceStep {
            time: self.time,
            position: x,
            velocity,
            attraction: to,
            reference: Some(x),
            ..TraceStep::default()
        });
        log.along.push([self.reference, along]);
        self.time += x.distance(to) / speed;
        self.eye = ground.eye(to).unwrap_or(Eye::at(to));
        self.velocity = velocity;
        (self.reference, self.attraction, self.farthest) = (along, along, along);
        if along >= route.length() {
            self.status = Status::Arrived;
        }
        self.status
    }

    fn note_skip(&self, before: f64, log: &mut Walked) {
        let skipped = self.reference - before;
        let walked = self.settings.speed * self.last_secs;
        if skipped > 2.0 * walked + WORTH_AN_EVENT {
            log.events.push(Event {
                time: self.time,
                at: self.eye.at,
                kind: EventKind::Skipped,
                text: format!("{skipped:.1} m of the route are left out"),
            });
        }
    }

    /// F_s, F_b and F_o (paper, §3.4).
    pub(super) fn forces<G: Ground>(
        &mut self,
        ground: &G,
        chosen: &Chosen,
        others: &[Character],
    ) -> Forces {
        let Settings {
            radius,
            safe_distance,
            speed,
            steering,
            step_secs,
            longest_step_secs,
        } = self.settings;
        let x = self.eye.at;
        let mut forces = Forces {
            steering: (chosen.at - x).normalize_or_zero() * steering,
            ..Forces::default()
        };
        let reach = radius + safe_distance;
        let (centre, clear) = self.room;
        if !self.is_direct && clear - centre.distance(x) < reach + speed * self.stride_secs {
            let outlook = if longest_step_secs > step_secs {
                OUTLOOK
            } else {
                0.0
            };
            let touch = ground.nearest_wall(x, reach + outlook);
            self.room = (x, touch.map_or(reach + outlook, |touch| touch.distance));
            if let Some(touch) = touch.filter(|touch| touch.distance <= reach) {
                let strength = ((reach - touch.distance) / touch.distance).min(MAX_PUSH);
                forces.boundary = (x - touch.point).normalize_or_zero() * (steering * strength);
            }
        }
        forces.others = others
            .iter()
            .map(|other| {
                let gap = (other.position.distance(x) - other.radius - radius).max(0.0);
                let strength = (OTHERS_REACH - gap).max(0.0) / (gap + 0.25 * OTHERS_REACH);
                (x - other.position).normalize_or_zero() * (steering * strength.min(MAX_PUSH))
            })
            .sum();
        forces
    }

    /// Euler: velocity first, then position, never beyond the attraction point.
    pub(super) fn advance<G: Ground>(
        &mut self,
        ground: &G,
        route: &IndicativeRoute,
        chosen: &Chosen,
        forces: &Forces,
        secs: f64,
    ) {
        let Settings {
            speed,
            steering,
            step_secs: shortest,
            ..
        } = self.settings;
        let x = self.eye.at;
        let offset = chosen.at - x;
        let left = offset.length();
        let sum = forces.steering + forces.boundary + forces.others;
        let is_alone = forces.others == DVec2::ZERO;
        let full = speed * secs + MARGIN;
        // Close enough to circle around it: straight there. The step may not be longer than that.
        let turn = speed * shortest + self.velocity.length_squared() / steering;
        let is_goal = chosen.along >= route.length();
        let is_ahead =
            secs > shortest && self.velocity.perp_dot(offset).abs() < AHEAD * speed * left;
        let straight =
            is_alone && (self.is_direct || is_ahead || left <= full || (is_goal && left <= turn));
        let velocity = if straight {
            offset.normalize_or_zero() * speed
        } else {
            (self.velocity + sum * secs).clamp_length_max(speed)
        };
        let length = if straight && left <= full {
            left
        } else {
            (velocity.length() * secs).min(left)
        };
        let wanted = velocity.normalize_or_zero() * length;
        // The exact point, not a rounded one beside it.
        let target = if straight && length >= left {
            chosen.at
        } else {
            x + wanted
        };
        let touched = self.go(ground, target);
        if straight && !touched && length < left {
            self.eye.sees = Some(chosen.at);
        }
        self.velocity = if touched {
            (self.eye.at - x) / secs
        } else {
            velocity
        };
        self.last_secs = if straight && length >= left {
            length / speed
        } else {
            secs
        };
        self.time += self.last_secs;
    }

    /// Moves to a point, or slides along the obstacle before it. Returns whether there was one.
    fn go<G: Ground>(&mut self, ground: &G, target: DVec2) -> bool {
        let mut target = target;
        for round in 0..3 {
            match ground.go(&self.eye, target) {
                Ok(eye) => {
                    self.eye = eye;
                    return round > 0;
                }
                Err(stop) => {
                    let Some(next) = self.slide(ground, target, &stop) else {
                        return true;
                    };
                    target = next;
                }
            }
        }
        true
    }

    /// Moves up to the obstacle; returns where to slide along it.
    fn slide<G: Ground>(&mut self, ground: &G, target: DVec2, stop: &Stop) -> Option<DVec2> {
        let from = self.eye.at;
        let direction = (target - from).normalize_or_zero();
        let near = from + direction * (stop.distance - MARGIN).max(0.0);
        if let Ok(eye) = ground.go(&self.eye, near) {
            self.eye = eye;
        }
        let along = (stop.wall[1] - stop.wall[0]).try_normalize()?;
        let rest = along * along.dot(target - self.eye.at);
        (rest.length_squared() > 0.0).then(|| self.eye.at + rest)
    }

    pub(super) fn judge(&mut self, route: &IndicativeRoute) {
        let is_last = self.attraction >= route.length();
        if is_last
            && route
                .goal()
                .is_some_and(|goal| goal.distance(self.eye.at) <= MARGIN)
        {
            self.status = Status::Arrived;
            self.reference = route.length();
            return;
        }
        if self.reference > self.farthest + PROGRESS {
            self.farthest = self.reference;
            self.idle_secs = 0.0;
            self.is_direct = false;
            return;
        }
        self.idle_secs += self.last_secs.max(self.settings.step_secs);
        // Long enough to walk to the end of the look-ahead and around a corner or two.
        let Settings {
            speed, step_secs, ..
        } = self.settings;
        let step = (speed * step_secs).max(1e-6);
        let ahead = (self.attraction - self.reference).min(route.look_ahead());
        let patience = (32.0 + 4.0 * ahead / step) * step_secs;
        if self.is_direct && self.idle_secs > 2.0 * patience {
            self.status = Status::Stuck;
        } else if self.idle_secs > patience {
            self.is_direct = true;
        }
    }
}

//! A path with times: where an agent is at any moment.

use crate::document::{Action, limits};
use crate::planner::missions::Leg;
use crate::planner::trace::{Event, Trace, TraceStep};
use crate::planner::{Path, metrics};
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// One agent's movement, leg after leg.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    points: Vec<DVec3>,
    /// When each point is passed; monotonic. Unit: seconds.
    times: Vec<f64>,
    /// Length of the trajectory up to each point. Unit: metres.
    along: Vec<f64>,
    /// The action that leads to each point.
    actions: Vec<Action>,
    legs: Vec<LegSpan>,
}

/// The part of a trajectory that leads to one goal.
#[derive(Clone, Debug, PartialEq)]
struct LegSpan {
    starts_at: f64,
    trace: Option<Arc<Trace>>,
}

/// A time relative to the start of the current leg.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LegTime {
    pub leg: usize,
    /// Since the start of the leg.
    pub secs: f64,
}

/// Where an agent is, and what it does there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Where its feet are; in a jump they are off the ground.
    pub point: DVec3,
    /// Direction of travel. Unit: radians.
    pub heading: f64,
    /// Unit: m/s.
    pub speed: f64,
    /// Length of the trajectory so far. Unit: metres.
    pub along: f64,
    pub action: Action,
}

/// How high a jump is above the straight line, at a share of it. Units: metres.
#[must_use]
pub fn jump_rise(length: f64, share: f64) -> f64 {
    let highest = 0.15 + 0.15 * length.max(0.0);
    4.0 * highest * share * (1.0 - share)
}

impl Trajectory {
    /// The legs of a plan up to the first without a path; `None` if there are none. `speed` is for
    /// paths without times. Unit: m/s.
    #[must_use]
    pub fn of_legs(legs: &[Leg], speed: f64) -> Option<Self> {
        let mut trajectory = Self::default();
        for path in legs.iter().map_while(|leg| leg.answer.path()) {
            trajectory.append(path, speed);
        }
        (!trajectory.points.is_empty()).then_some(trajectory)
    }

    /// Adds a leg: at the path's own times if it has them, otherwise at a constant speed. If the
    /// path does not begin exactly where the agent is, the agent walks there first.
    pub(super) fn append(&mut self, path: &Path, speed: f64) {
        let speed = if speed.is_finite() && speed > 0.0 {
            speed
        } else {
            limits::SPEED.default
        };
        let is_timed = is_timed(path);
        let (mut time, mut along) = (self.duration(), self.length());
        let mut last = self.points.last().copied();
        let mut starts_at = None;
        for (i, point) in path.points.iter().enumerate() {
            if !point.is_finite() {
                continue;
            }
            let step = last.map_or(0.0, |last| last.distance(*point));
            along += step;
            let due = starts_at
                .filter(|_| is_timed)
                .map(|at: f64| at + path.times[i]);
            time = match due {
                Some(due) if due > time || step == 0.0 => due.max(time),
                // Agents never leap: a piece without time is walked as well.
                _ => {
                    let link = path.links.iter().find(|link| link.point == i);
                    time + link.map_or(step / speed, |link| link.seconds)
                }
            };
            starts_at.get_or_insert(time);
            last = Some(*point);
            self.points.push(*point);
            self.times.push(time);
            self.along.push(along);
            let action = path.actions.get(i).copied();
            self.actions.push(action.unwrap_or(Action::Walk));
        }
        self.legs.push(LegSpan {
            starts_at: starts_at.unwrap_or(time),
            trace: path.trace.clone(),
        });
    }

    /// The part up to a time; after the end the agent waits.
    #[must_use]
    pub fn until(&self, time: f64) -> Self {
        let Some(place) = self.place(time) else {
            return self.clone();
        };
        let count = self.times.partition_point(|t| *t <= time).max(1);
        let mut part = Self {
            points: self.points[..count].to_vec(),
            times: self.times[..count].to_vec(),
            along: self.along[..count].to_vec(),
            actions: self.actions[..count].to_vec(),
            legs: self.legs.clone(),
        };
        part.legs.retain(|leg| leg.starts_at <= time);
        if part.duration() < time {
            part.points.push(place);
            part.times.push(time);
            part.along.push(self.along(time));
            // Waiting after the last point is not an action of its own.
            let action = self.actions.get(count).copied();
            part.actions.push(action.unwrap_or(Action::Walk));
        }
        part
    }

    /// The whole trajectory as a path with times.
    #[must_use]
    pub fn path(&self) -> Path {
        Path {
            length: self.length(),
            cost: self.length(),
            points: self.points.clone(),
            actions: self.actions.clone(),
            times: self.times.clone(),
            min_clearance: f64::INFINITY,
            mean_clearance: f64::INFINITY,
            ..Path::default()
        }
    }

    /// Unit: seconds.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// Unit: metres.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.along.last().copied().unwrap_or(0.0)
    }

    #[must_use]
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// The point on the path at a time: the pose without the rise of a jump.
    #[must_use]
    pub fn place(&self, time: f64) -> Option<DVec3> {
        let (from, to, share) = self.piece(time)?;
        Some(self.points[from].lerp(self.points[to], share))
    }

    /// The length covered by a time. Unit: metres.
    #[must_use]
    pub fn along(&self, time: f64) -> f64 {
        self.piece(time).map_or(0.0, |(from, to, share)| {
            self.along[from] + (self.along[to] - self.along[from]) * share
        })
    }

    /// The two points that the agent is between at a time, and the share of the distance between
    /// them.
    fn piece(&self, time: f64) -> Option<(usize, usize, f64)> {
        let time = if time.is_nan() { 0.0 } else { time };
        let last = self.points.len().checked_sub(1)?;
        let next = self
            .times
            .partition_point(|t| *t <= time)
            .clamp(1, last.max(1));
        let (from, to) = (next - 1, next.min(last));
        let lasts = self.times[to] - self.times[from];
        let share = if lasts > 0.0 {
            ((time - self.times[from]) / lasts).clamp(0.0, 1.0)
        } else if time >= self.times[to] {
            1.0
        } else {
            0.0
        };
        Some((from, to, share))
    }

    /// Clamped to the start and the end.
    #[must_use]
    pub fn pose(&self, time: f64) -> Option<Pose> {
        let time = if time.is_nan() { 0.0 } else { time };
        let (from, to, share) = self.piece(time)?;
        let lasts = self.times[to] - self.times[from];
        let moved = self.along[to] - self.along[from];
        let is_under_way = time >= 0.0 && time < self.duration();
        let action = if is_under_way {
            self.actions[to]
        } else {
            Action::Walk
        };
        let mut point = self.points[from].lerp(self.points[to], share);
        if action == Action::Jump {
            point.z += jump_rise(moved, share);
        }
        Some(Pose {
            point,
            action,
            heading: self.heading(from, to),
            speed: if lasts > 0.0 && is_under_way {
                moved / lasts
            } else {
                0.0
            },
            along: self.along[from] + moved * share,
        })
    }

    /// The direction of a piece; if it has none, that of the previous piece.
    fn heading(&self, from: usize, to: usize) -> f64 {
        let direction = |a: usize, b: usize| {
            let along = (self.points[b] - self.points[a]).truncate();
            (along.length_squared() > 0.0).then(|| along.to_angle())
        };
        direction(from, to)
            .or_else(|| (1..=from).rev().find_map(|i| direction(i - 1, i)))
            .or_else(|| (to..self.points.len().saturating_sub(1)).find_map(|i| direction(i, i + 1)))
            .unwrap_or(0.0)
    }

    /// The current leg at a time; the last one after arrival.
    #[must_use]
    pub fn leg_at(&self, time: f64) -> LegTime {
        let after = self.legs.partition_point(|leg| leg.starts_at <= time);
        let leg = after.saturating_sub(1);
        let starts_at = self.legs.get(leg).map_or(0.0, |leg| leg.starts_at);
        LegTime {
            leg,
            secs: (time.min(self.duration()) - starts_at).max(0.0),
        }
    }

    /// The forces on the agent at a time; `None` if its planner leaves no trace.
    #[must_use]
    pub fn trace_at(&self, time: f64) -> Option<(&Trace, &TraceStep)> {
        let LegTime { leg, secs } = self.leg_at(time);
        let trace = self.legs.get(leg)?.trace.as_deref()?;
        Some((trace, trace.step_at(secs)?))
    }

    /// Events with their times since the start of the trajectory.
    pub fn events(&self) -> impl Iterator<Item = (f64, &Event)> {
        self.legs.iter().flat_map(|leg| {
            let events = leg.trace.iter().flat_map(|trace| &trace.events);
            events.map(|event| (leg.starts_at + event.time, event))
        })
    }

    /// Curvature at each inner point, over the length. Units: metres, 1/m.
    #[must_use]
    pub fn curvatures(&self) -> Vec<[f64; 2]> {
        let plan = |i: usize| self.points[i].truncate();
        (1..self.points.len().saturating_sub(1))
            .map(|i| {
                let bend = metrics::curvature(plan(i - 1), plan(i), plan(i + 1));
                [self.along[i], bend]
            })
            .filter(|[_, bend]| bend.is_finite())
            .collect()
    }

    /// A value at `count` + 1 evenly spaced points, over the length.
    #[must_use]
    pub fn sampled(&self, count: usize, value: impl Fn(DVec2) -> f64) -> Vec<[f64; 2]> {
        let Some(first) = self.points.first().filter(|_| count > 0) else {
            return Vec::new();
        };
        let mut next = 0;
        let mut samples = Vec::with_capacity(count + 1);
        for i in 0..=count {
            let along = self.length() * i as f64 / count as f64;
            while next + 1 < self.along.len() && self.along[next + 1] < along {
                next += 1;
            }
            let here = self.points.get(next).unwrap_or(first);
            let there = self.points.get(next + 1).unwrap_or(here);
            let step = self
                .along
                .get(next + 1)
                .map_or(0.0, |to| to - self.along[next]);
            let share = if step > 0.0 {
                ((along - self.along[next]) / step).clamp(0.0, 1.0)
            } else {
                0.0
            };
            let value = value(here.lerp(*there, share).truncate());
            if value.is_finite() {
                samples.push([along, value]);
            }
        }
        samples
    }

    /// # Panics
    /// The trajectory is malformed.
    #[cfg(test)]
    pub(super) fn check_invariants(&self) {
        let count = self.points.len();
        assert_eq!(self.times.len(), count);
        assert_eq!(self.along.len(), count);
        assert_eq!(self.actions.len(), count);
        assert!(self.points.iter().all(|p| p.is_finite()));
        assert!(self.times.is_sorted() && self.duration().is_finite());
        assert!(self.along.is_sorted() && self.length().is_finite());
        assert!(self.legs.is_sorted_by_key(|leg| leg.starts_at));
    }
}

/// Whether a path has one time per point, in non-decreasing order.
fn is_timed(path: &Path) -> bool {
    path.times.len() == path.points.len()
        && path.times.iter().all(|t| t.is_finite() && *t >= 0.0)
        && path.times.is_sorted()
        && path.times.last().is_some_and(|last| *last > 0.0)
}

#[cfg(test)]
#[path = "trajectory_tests.rs"]
mod tests;

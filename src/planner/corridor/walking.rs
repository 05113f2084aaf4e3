//! A character's walk through a corridor, step by step, with fallbacks where forces lead nowhere.

use super::motion::Paused;
use super::{ControlPath, Corridor, Motion, MotionState, Obstructed, Settings, Status};
use crate::nav::corridor::CorridorMap;
use crate::planner::trace::{Event, EventKind, Forces, Trace, TraceStep};
use glam::DVec2;
use std::collections::VecDeque;
use std::sync::Arc;

/// The speed at which all walks are computed: the paper gives none, and its forces yield a
/// different path for each. Times are scaled to the profile's speed, so that the path does not
/// depend on it. Unit: m/s.
const SPEED: f64 = 1.4;

/// Result of one walk.
#[derive(Clone, Debug, Default)]
pub(super) struct Walked {
    pub points: Vec<DVec2>,
    /// Unit: seconds at [`SPEED`].
    pub times: Vec<f64>,
    pub trace: Trace,
}

/// A control path and the motion settings along it.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub control: ControlPath,
    pub settings: Settings,
}

/// A walk in progress.
#[derive(Clone, Debug)]
pub(super) struct Walking {
    corridor: Corridor,
    /// Attempts in order; the first is in progress.
    attempts: VecDeque<Attempt>,
    /// The fallback if no attempt arrives: wide enough everywhere.
    axis: ControlPath,
    paused: Option<Paused>,
    states: Vec<MotionState>,
}

/// Where forces left a character stuck.
#[derive(Clone, Copy, Debug)]
struct GaveUp {
    at: DVec2,
    why: Obstructed,
}

impl Walking {
    pub fn new(
        corridor: Corridor,
        axis: ControlPath,
        attempts: impl IntoIterator<Item = Attempt>,
    ) -> Self {
        Self {
            corridor,
            axis,
            attempts: attempts.into_iter().collect(),
            paused: None,
            states: Vec::new(),
        }
    }

    /// Takes up to `budget` steps; `None` while there are more.
    pub fn run(&mut self, map: &CorridorMap, budget: usize) -> Option<Walked> {
        let mut left = budget;
        while let Some(attempt) = self.attempts.front() {
            let Attempt { control, settings } = attempt;
            let mut motion = match self.paused.take() {
                Some(paused) => Motion::resume(map, &self.corridor, control, paused),
                None => Motion::new(map, &self.corridor, control, &[], *settings),
            };
            if self.states.is_empty() {
                self.states.push(*motion.state());
            }
            let status = loop {
                if left == 0 {
                    self.paused = Some(motion.pause());
                    return None;
                }
                left -= 1;
                let status = motion.step();
                if self.states.last() != Some(motion.state()) {
                    self.states.push(*motion.state());
                }
                if status != Status::Moving {
                    break status;
                }
            };
            let Status::Stuck(why) = status else {
                let walked = walked(control, settings, &mut self.states);
                self.attempts.clear();
                return Some(self.within(walked));
            };
            // Forces balance somewhere; on the centre line they hardly ever do.
            let at = motion.state().position;
            self.states.clear();
            self.attempts.pop_front();
            if self.attempts.is_empty() {
                let walked = on_line(&self.axis, GaveUp { at, why });
                return Some(self.within(walked));
            }
        }
        None
    }

    /// Keeps the corridor in the trace, for overlays.
    fn within(&self, mut walked: Walked) -> Walked {
        walked.trace.corridor = Some(Arc::new(self.corridor.clone()));
        walked
    }
}

/// A walk that has arrived, from its recorded steps.
fn walked(control: &ControlPath, settings: &Settings, states: &mut [MotionState]) -> Walked {
    // The attraction point of the first step is known after it.
    if let [first, second, ..] = states {
        first.attraction_point = second.attraction_point;
        first.closest = second.closest;
    }
    let mut walk = Walked::default();
    walk.trace.control = control.line().points().to_vec();
    for state in states {
        let time = f64::from(state.tick) * settings.step_secs;
        // The last stretch to the goal itself is walked, too.
        let time = match (walk.points.last(), walk.times.last()) {
            (Some(&last), Some(&before)) => {
                time.max(before + state.position.distance(last) / SPEED)
            }
            _ => time,
        };
        if walk.points.last() == Some(&state.position) {
            continue;
        }
        walk.points.push(state.position);
        walk.times.push(time);
        walk.trace.steps.push(TraceStep {
            time,
            position: state.position,
            velocity: state.velocity,
            attraction: state.attraction_point,
            reference: control.line().point_at(state.reference),
            forces: Forces {
                steering: state.steering,
                boundary: state.boundary,
                others: state.avoidance,
            },
        });
    }
    walk
}

/// Follows the line itself, which is wide enough throughout, where forces lead nowhere: in gaps
/// barely wider than the character they balance.
fn on_line(control: &ControlPath, GaveUp { at, why }: GaveUp) -> Walked {
    let line = control.line();
    let points = line.points().to_vec();
    let mut times = Vec::with_capacity(points.len());
    let mut steps = Vec::with_capacity(points.len());
    let mut time = 0.0;
    for (i, &position) in points.iter().enumerate() {
        let next = points.get(i + 1).copied().unwrap_or(position);
        times.push(time);
        steps.push(TraceStep {
            time,
            position,
            velocity: (next - position).normalize_or_zero() * SPEED,
            attraction: next,
            reference: Some(position),
            ..TraceStep::default()
        });
        time += position.distance(next) / SPEED;
    }
    let event = Event {
        time: 0.0,
        at,
        kind: EventKind::Noted,
        text: format!("It keeps to the middle line: {why}."),
    };
    Walked {
        trace: Trace {
            steps,
            recall: None,
            events: vec![event],
            control: points.clone(),
            corridor: None,
        },
        points,
        times,
    }
}

impl Walked {
    /// Scales to another speed: times, velocities and forces change, positions do not.
    pub fn at_speed(&self, speed: f64) -> Self {
        let faster = speed / SPEED;
        let mut walk = self.clone();
        for time in &mut walk.times {
            *time /= faster;
        }
        for step in &mut walk.trace.steps {
            step.time /= faster;
            step.velocity *= faster;
            for force in [
                &mut step.forces.steering,
                &mut step.forces.boundary,
                &mut step.forces.others,
            ] {
                *force *= faster * faster;
            }
        }
        walk
    }
}

//! Times of day along the paths of agents whose constraints depend on the clock.

use super::request_of;
use crate::base::EntityId;
use crate::document::{Clock, Level};
use crate::planner::missions::AgentPlan;
use crate::preview::label::{Label, Placement, Rank};
use crate::preview::primitive::{Extent, Ink, Plane, Primitive, Shape, Sink, Stroke};
use crate::preview::style::{self, Palette};
use crate::sim::Trajectory;

/// Times between two labels, one of which leaves room. Unit: seconds of the level's clock.
const STEPS: [f64; 11] = [
    1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 600.0, 1_800.0, 3_600.0, 7_200.0, 21_600.0,
];

/// So many labels on a path at most, besides its ends.
const MOST: f64 = 6.0;

/// A time of day, to the second where that is asked for.
#[must_use]
pub fn time_text(hour: f64, with_seconds: bool) -> String {
    let secs = (hour.rem_euclid(24.0) * 3_600.0).round() as u64 % 86_400;
    let (h, m, s) = (secs / 3_600, secs / 60 % 60, secs % 60);
    if with_seconds {
        format!("{h:02}:{m:02}:{s:02}")
    } else {
        format!("{h:02}:{m:02}")
    }
}

/// When along a walk of so many seconds labels stand, each with its text.
#[must_use]
pub fn times(start: f64, clock: Clock, secs: f64) -> Vec<(f64, String)> {
    let speed = clock.speed.max(1e-9);
    let passes = secs * speed;
    if !(passes.is_finite() && passes >= 0.0) {
        return Vec::new();
    }
    let step = STEPS.into_iter().find(|step| passes / step <= MOST);
    let step = step.unwrap_or(passes / MOST);
    let with_seconds = step < 60.0;
    let first = start * 3_600.0;
    let text = |at: f64| time_text((first + at) / 3_600.0, with_seconds);
    let mut times = vec![(0.0, text(0.0))];
    let mut at = ((first / step).floor() + 1.0) * step - first;
    // What would stand on one of the ends is left out.
    while at < passes - step * 0.4 {
        if at > step * 0.4 {
            times.push((at / speed, text(at)));
        }
        at += step;
    }
    times.push((secs, text(passes)));
    times
}

/// Labels the paths of one agent.
pub fn draw_hours(
    level: &Level,
    agent: EntityId,
    plan: &AgentPlan,
    palette: &Palette,
    sink: &mut dyn Sink,
) {
    let Some(request) = request_of(plan) else {
        return;
    };
    let Some(hour) = request.constraints.hour else {
        return;
    };
    let speed = request.profile.pace.speed;
    let Some(trajectory) = Trajectory::of_legs(&plan.legs, speed) else {
        return;
    };
    let clock = level.settings().clock;
    let mut add = |plane, primitive| {
        sink.add(Shape {
            plane,
            entity: Some(agent),
            min_scale: 0.0,
            primitive,
        });
    };
    for (secs, text) in times(hour, clock, trajectory.duration()) {
        let Some(at) = trajectory.place(secs) else {
            continue;
        };
        add(
            Plane::Paths,
            Primitive::Disc {
                centre: at.truncate(),
                radius: Extent::pixels(2.6),
                fill: Ink::solid(palette.text),
                outline: Some(Stroke::pixels(palette.halo, 1.2)),
            },
        );
        add(
            Plane::Labels,
            Primitive::Text(Label {
                at: at.truncate(),
                text,
                size: style::SMALL_LABEL_SIZE,
                ink: Ink::solid(palette.text),
                halo: palette.halo,
                placement: Placement::Beside {
                    gap: Extent::pixels(6.0),
                },
                rank: Rank::Note,
            }),
        );
    }
}

//! Pulls the string: straight lines instead of steps, wherever that does not raise the cost.

use crate::nav::constraint::Field;
use glam::DVec3;

/// Rounding of costs that are equal. Relative.
const ROUNDING: f64 = 1e-9;

/// Most rounds of pulling, and most points in one.
const ROUNDS: i32 = 6;
const MOST_POINTS: usize = 4_000;

/// Points of a path with fewer corners and no greater cost. `is_free` says whether a straight line
/// can be walked.
///
/// Between states alone a string stays slack: each further round may also bend it between them, and
/// counts if that is cheaper.
#[must_use]
pub fn pulled(
    points: &[DVec3],
    field: &Field,
    step: f64,
    is_free: impl Fn(DVec3, DVec3) -> bool,
) -> Vec<DVec3> {
    let mut best = shortcut(points, field, step, &is_free);
    let mut cost = cost_of(&best, field, step);
    let mut idle = 0;
    for round in 1..ROUNDS {
        // From the other end each time: a shortcut is only as good as where it begins.
        let mut line = divided(&best, step / f64::from(1 << round));
        let is_backwards = round % 2 == 1;
        if is_backwards {
            line.reverse();
        }
        let mut next = shortcut(&line, field, step, &is_free);
        if is_backwards {
            next.reverse();
        }
        let next_cost = cost_of(&next, field, step);
        if next_cost < cost * (1.0 - ROUNDING) {
            (best, cost, idle) = (next, next_cost, 0);
        } else if idle == 1 {
            break;
        } else {
            idle += 1;
        }
    }
    best
}

/// With further points on the lines, this far apart at most.
fn divided(points: &[DVec3], apart: f64) -> Vec<DVec3> {
    let length: f64 = points.windows(2).map(|p| p[0].distance(p[1])).sum();
    let piece = apart.max(length / MOST_POINTS as f64).max(1e-3);
    let mut all: Vec<DVec3> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        // The cast saturates; lengths are bounded by the level.
        let pieces = (pair[0].distance(pair[1]) / piece).ceil().max(1.0) as usize;
        all.extend((1..=pieces).map(|i| pair[0].lerp(pair[1], i as f64 / pieces as f64)));
    }
    all
}

/// From each point straight to the farthest one that is no dearer to go to.
fn shortcut(
    points: &[DVec3],
    field: &Field,
    step: f64,
    is_free: &impl Fn(DVec3, DVec3) -> bool,
) -> Vec<DVec3> {
    let mut sums = Vec::with_capacity(points.len());
    let mut sum = 0.0;
    for (i, p) in points.iter().enumerate() {
        if i > 0 {
            sum += field.cost(points[i - 1], *p, step);
        }
        sums.push(sum);
    }
    let mut kept: Vec<DVec3> = points.first().copied().into_iter().collect();
    let mut at = 0;
    while at + 1 < points.len() {
        let holds = |to: usize| {
            is_free(points[at], points[to])
                && field.cost(points[at], points[to], step)
                    <= (sums[to] - sums[at]) * (1.0 + ROUNDING)
        };
        // The farthest that holds: looked for in growing leaps, then between the last two.
        let (mut good, mut leap) = (at + 1, 2);
        let mut bad = points.len();
        while at + leap < points.len() {
            if holds(at + leap) {
                good = at + leap;
                leap *= 2;
            } else {
                bad = at + leap;
                break;
            }
        }
        while good + 1 < bad {
            let middle = usize::midpoint(good, bad);
            if holds(middle) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        kept.push(points[good]);
        at = good;
    }
    kept
}

/// Cost of a line with corners.
#[must_use]
pub fn cost_of(points: &[DVec3], field: &Field, step: f64) -> f64 {
    let pairs = points.windows(2);
    pairs.map(|pair| field.cost(pair[0], pair[1], step)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Random;
    use crate::geometry::{Polygon, Rect};
    use crate::nav::constraint::{FieldRule, Region, Term};
    use glam::DVec2;
    use std::sync::Arc;

    #[test]
    fn pulling_never_raises_the_cost_and_keeps_the_ends() {
        let mut random = Random::new(5);
        for case in 0..200 {
            let terms = (0..3)
                .map(|key| {
                    let centre = random.point(DVec2::ZERO, DVec2::splat(20.0));
                    let half = random.point(DVec2::ONE, DVec2::splat(5.0));
                    let area = Polygon::rect(Rect::around(centre, half));
                    Term {
                        key,
                        name: "".into(),
                        rule: [FieldRule::Near, FieldRule::In][key as usize % 2],
                        weight: random.range(-6.0, 4.0),
                        region: Arc::new(Region::of_polygons(&[area])),
                    }
                })
                .collect();
            let field = Field::new(terms, 8.0);
            let points: Vec<DVec3> = (0..random.below(40))
                .map(|i| DVec3::new(i as f64 * 0.5, random.range(0.0, 3.0), 0.0))
                .collect();
            let pulled = pulled(&points, &field, 1.0, |_, _| true);
            assert_eq!(pulled.first(), points.first());
            assert_eq!(pulled.last(), points.last());
            let [before, after] = [&points, &pulled].map(|line| cost_of(line, &field, 1.0));
            assert!(
                after <= before * (1.0 + 1e-8),
                "case {case}: {after} > {before}"
            );
        }
    }

    #[test]
    fn a_string_between_states_is_pulled_tight_around_a_corner() {
        // A staircase around a block whose corner is at 10, 10.
        let field = Field::new(Vec::new(), 0.0);
        let mut points: Vec<DVec3> = (0..=11)
            .map(|y| DVec3::new(0.0, f64::from(y), 0.0))
            .collect();
        points.extend((1..=20).map(|x| DVec3::new(f64::from(x), 11.0, 0.0)));
        let inside = |p: DVec3| p.x > 5.0 && p.y < 10.0;
        let is_free =
            |a: DVec3, b: DVec3| !(0..=200).any(|i| inside(a.lerp(b, f64::from(i) / 200.0)));
        let pulled = pulled(&points, &field, 1.0, is_free);
        let corner = DVec3::new(5.0, 10.0, 0.0);
        let best = corner.length() + corner.distance(DVec3::new(20.0, 11.0, 0.0));
        let length = cost_of(&pulled, &field, 1.0);
        assert!(
            length >= best - 0.1 && length < best * 1.01,
            "{length} against {best}"
        );
    }
}

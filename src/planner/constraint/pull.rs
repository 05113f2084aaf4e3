//! Pulls the string: straight lines instead of steps, wherever that does not raise the cost.

use crate::nav::constraint::Field;
use glam::DVec3;

/// Points of a path with fewer corners and no greater cost. `is_free` says whether a straight line
/// can be walked.
#[must_use]
pub fn pulled(
    points: &[DVec3],
    field: &Field,
    step: f64,
    is_free: impl Fn(DVec3, DVec3) -> bool,
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
                && field.cost(points[at], points[to], step) <= sums[to] - sums[at]
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
                after <= before * (1.0 + 1e-12),
                "case {case}: {after} > {before}"
            );
            assert!(pulled.len() <= points.len());
        }
    }
}

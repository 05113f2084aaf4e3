//! Pulls the string: straight lines instead of steps, wherever that does not raise the cost.

use crate::geometry::Rect;
use crate::nav::constraint::field::PARTS;
use crate::nav::constraint::{Field, Term};
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
                && field
                    .cost_within(points[at], points[to], step, sums[to] - sums[at])
                    .is_some()
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

/// Most places at which [`tightened`] reads the field, so that long paths stay cheap to finish.
const MOST_READS: f64 = 6_000.0;

/// Most rounds over the corners, each from both ends.
const ROUNDS: usize = 3;

/// How exactly a corner is placed in each of them, in steps: roughly first, while all of them move.
const EXACT: [f64; ROUNDS] = [0.25, 0.05, 0.02];

/// Pulls corners off the states that they are on: each slides along one of its lines as far as the
/// corner on the other side sees it at no greater cost. From both ends in turn this draws a string
/// tight around what it is bent by. The cost never rises, nor does the number of corners.
#[must_use]
pub fn tightened(
    points: Vec<DVec3>,
    field: &Field,
    step: f64,
    is_free: impl Fn(DVec3, DVec3) -> bool,
) -> Vec<DVec3> {
    let mut string = Pulled {
        costs: costs_of(&points, field, step),
        line: points,
        field,
        step,
        reads: 0.0,
    };
    for exact in EXACT {
        for _ in 0..2 {
            string.slide(exact * step, &is_free);
            string.line.reverse();
            string.costs.reverse();
        }
        if string.reads >= MOST_READS {
            break;
        }
    }
    string.line
}

fn costs_of(points: &[DVec3], field: &Field, step: f64) -> Vec<f64> {
    let pairs = points.windows(2);
    pairs
        .map(|pair| field.cost(pair[0], pair[1], step))
        .collect()
}

/// A line with the costs of its parts, while it is pulled.
struct Pulled<'a> {
    line: Vec<DVec3>,
    /// From each point to the next.
    costs: Vec<f64>,
    field: &'a Field,
    step: f64,
    /// Places at which the field was read.
    reads: f64,
}

impl Pulled<'_> {
    fn cost_within(&mut self, from: DVec3, to: DVec3, limit: f64) -> Option<f64> {
        let around = Rect::spanning(from.truncate(), to.truncate());
        let acts = |term: &Term| term.influence().overlaps(&around);
        // Where no constraint acts, a line is read at once.
        self.reads += if self.field.terms().iter().any(acts) {
            (from.distance(to) / self.step).ceil().max(1.0) * PARTS as f64
        } else {
            1.0
        };
        self.field.cost_within(from, to, self.step, limit)
    }

    /// Costs from the corner before to a place, and from there to the one after, if that is free and
    /// not more than the corner costs.
    fn costs_over(
        &mut self,
        at: usize,
        place: DVec3,
        is_free: &impl Fn(DVec3, DVec3) -> bool,
    ) -> Option<[f64; 2]> {
        let [before, after] = [self.line[at - 1], self.line[at + 1]];
        let whole = self.costs[at - 1] + self.costs[at];
        if !is_free(before, place) {
            return None;
        }
        let first = self.cost_within(before, place, whole)?;
        let second = self.cost_within(place, after, whole - first)?;
        Some([first, second])
    }

    /// One round from the first point on. Unit of `exact`: metres.
    fn slide(&mut self, exact: f64, is_free: &impl Fn(DVec3, DVec3) -> bool) {
        let mut at = 1;
        while at + 1 < self.line.len() && self.reads < MOST_READS {
            let [corner, after] = [self.line[at], self.line[at + 1]];
            if let Some([first, _]) = self.costs_over(at, after, is_free) {
                self.line.remove(at);
                self.costs.remove(at);
                self.costs[at - 1] = first;
                continue;
            }
            let (mut good, mut bad) = (0.0, 1.0);
            let mut best = None;
            let least = exact / corner.distance(after).max(exact);
            while bad - good > least {
                let middle = f64::midpoint(good, bad);
                match self.costs_over(at, corner.lerp(after, middle), is_free) {
                    Some(costs) => (good, best) = (middle, Some(costs)),
                    None => bad = middle,
                }
            }
            if let Some(costs) = best {
                self.line[at] = corner.lerp(after, good);
                self.costs[at - 1..=at].copy_from_slice(&costs);
            }
            at += 1;
        }
    }
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
    use crate::geometry::Polygon;
    use crate::nav::constraint::{FieldRule, Region};
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
            let (count, cost) = (pulled.len(), after);
            let tight = tightened(pulled, &field, 1.0, |_, _| true);
            assert_eq!(tight.first(), points.first());
            assert_eq!(tight.last(), points.last());
            let after = cost_of(&tight, &field, 1.0);
            assert!(
                after <= cost * (1.0 + 1e-12),
                "case {case}: {after} > {cost}"
            );
            assert!(tight.len() <= count);
        }
    }

    #[test]
    fn a_string_between_states_is_pulled_tight_around_a_corner() {
        // A staircase around a block whose corner is at 5, 10.
        let field = Field::new(Vec::new(), 0.0);
        let mut points: Vec<DVec3> = (0..=11)
            .map(|y| DVec3::new(0.0, f64::from(y), 0.0))
            .collect();
        points.extend((1..=20).map(|x| DVec3::new(f64::from(x), 11.0, 0.0)));
        let inside = |p: DVec3| p.x > 5.0 && p.y < 10.0;
        let is_free =
            |a: DVec3, b: DVec3| !(0..=1000).any(|i| inside(a.lerp(b, f64::from(i) / 1000.0)));
        let line = pulled(&points, &field, 1.0, is_free);
        let line = tightened(line, &field, 1.0, is_free);
        let corner = DVec3::new(5.0, 10.0, 0.0);
        let best = corner.length() + corner.distance(DVec3::new(20.0, 11.0, 0.0));
        let length = cost_of(&line, &field, 1.0);
        assert!(
            length >= best - 0.02 && length < best + 0.02,
            "{length} against {best}: {line:?}"
        );
    }
}

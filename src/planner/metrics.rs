//! Metrics by which the paths of all planners are compared.
//!
//! Overmars et al. 2008 §7: length, curvature by the circle through three successive points,
//! smallest and mean clearance.

use crate::nav::FreeSpace;
use crate::nav::free_space::excess;
use glam::{DVec2, DVec3};

/// Number of points at which a path's clearance is measured, at least one per edge.
const CLEARANCE_SAMPLES: f64 = 256.0;

/// Unit: metres.
#[must_use]
pub fn length(points: &[DVec3]) -> f64 {
    points
        .windows(2)
        .map(|pair| pair[0].distance(pair[1]))
        .sum()
}

/// In plan. Unit: metres.
#[must_use]
pub fn length_in_plan(points: &[DVec2]) -> f64 {
    points
        .windows(2)
        .map(|pair| pair[0].distance(pair[1]))
        .sum()
}

/// 1 / radius of the circle through three points; 0 where they are on a line or coincide, unless
/// the path turns on the spot: then twice over the step. Unit: 1/m.
#[must_use]
pub fn curvature(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let (ab, bc, ca) = (a.distance(b), b.distance(c), c.distance(a));
    let product = ab * bc * ca;
    if product > 0.0 {
        2.0 * (b - a).perp_dot(c - b).abs() / product
    } else if ca == 0.0 && ab > 0.0 {
        2.0 / ab
    } else {
        0.0
    }
}

/// Mean of the curvature at each inner point; 0 for straight lines. Unit: 1/m.
#[must_use]
pub fn mean_curvature(points: &[DVec2]) -> f64 {
    if points.len() < 3 {
        return 0.0;
    }
    let sum: f64 = points.windows(3).map(|p| curvature(p[0], p[1], p[2])).sum();
    sum / (points.len() - 2) as f64
}

/// Smallest and mean distance to obstacles. Unit: metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    pub min: f64,
    pub mean: f64,
}

impl Clearance {
    /// As if there were no obstacles.
    pub const UNKNOWN: Self = Self {
        min: f64::INFINITY,
        mean: f64::INFINITY,
    };
}

/// How much a line turns altogether, to either side. Unit: radians.
#[must_use]
pub fn turning(points: &[DVec2]) -> f64 {
    let mut before: Option<DVec2> = None;
    let mut sum = 0.0;
    for pair in points.windows(2) {
        let along = pair[1] - pair[0];
        if along.length_squared() == 0.0 {
            continue;
        }
        sum += before.map_or(0.0, |before| before.angle_to(along).abs());
        before = Some(along);
    }
    sum
}

/// Clearance along a path. `at` returns it for a point and must be 1-Lipschitz.
///
/// The mean is taken over evenly spread samples. The smallest value is refined between samples
/// until no place can be lower by more than a thousandth of a metre.
#[must_use]
pub fn clearance(points: &[DVec2], at: impl Fn(DVec2) -> f64) -> Clearance {
    let anywhere = Known {
        floor: f64::NEG_INFINITY,
        tolerance: 1e-3,
    };
    clearance_above(points, anywhere, at)
}

/// What is known about the smallest value, and the required accuracy.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// Lower bound of all values.
    floor: f64,
    /// Unit: metres.
    tolerance: f64,
}

fn clearance_above(points: &[DVec2], known: Known, at: impl Fn(DVec2) -> f64) -> Clearance {
    let total = length_in_plan(points);
    let Some(&first) = points.first() else {
        return Clearance {
            min: 0.0,
            mean: 0.0,
        };
    };
    let mut before = at(first);
    let mut min = before;
    let mut integral = 0.0;
    let mut rest = points;
    while rest.len() > 1 {
        let (bends, length) = first_stretch(rest, total / CLEARANCE_SAMPLES);
        let (stretch, pair) = (&rest[..=bends], [rest[0], rest[bends]]);
        rest = &rest[bends..];
        if bends > 1 {
            let here = at(pair[1]);
            integral += (before + here) * 0.5 * length;
            lowest_along(stretch, length, [before, here], known, &at, &mut min);
            before = here;
            continue;
        }
        let count = (length / total * CLEARANCE_SAMPLES).ceil().max(1.0) as usize;
        let place = |i: usize| pair[0].lerp(pair[1], i as f64 / count as f64);
        for i in 1..=count {
            let here = at(place(i));
            integral += (before + here) * 0.5 * length / count as f64;
            lowest(place(i - 1), place(i), before, here, known, &at, &mut min);
            before = here;
        }
    }
    Clearance {
        min,
        mean: if total > 0.0 { integral / total } else { min },
    }
}

/// Number of pieces of a given length on a line, at least one, and their actual length.
fn first_stretch(line: &[DVec2], within: f64) -> (usize, f64) {
    let mut length = line[0].distance(line[1]);
    let mut bends = 1;
    for pair in line[1..].windows(2) {
        let longer = length + pair[0].distance(pair[1]);
        if longer > within {
            break;
        }
        (bends, length) = (bends + 1, longer);
    }
    (bends, length)
}

/// Lowers `min` to the smallest value along a line of this length, given the values at its ends.
fn lowest_along(
    line: &[DVec2],
    length: f64,
    [first, last]: [f64; 2],
    known: Known,
    at: &impl Fn(DVec2) -> f64,
    min: &mut f64,
) {
    *min = min.min(first).min(last);
    let bound = ((first + last - length) * 0.5).max(known.floor);
    if bound > *min - known.tolerance {
        return;
    }
    if let [a, b] = line {
        lowest(*a, *b, first, last, known, at, min);
        return;
    }
    let (near, far) = (&line[..=line.len() / 2], &line[line.len() / 2..]);
    let middle = at(far[0]);
    for (part, values) in [(near, [first, middle]), (far, [middle, last])] {
        lowest_along(part, length_in_plan(part), values, known, at, min);
    }
}

/// Lowers `min` to the smallest value between two points.
fn lowest(
    a: DVec2,
    b: DVec2,
    at_a: f64,
    at_b: f64,
    known: Known,
    at: &impl Fn(DVec2) -> f64,
    min: &mut f64,
) {
    *min = min.min(at_a).min(at_b);
    let length = a.distance(b);
    // Lower bound in between, as the value falls by at most a metre per metre.
    let bound = ((at_a + at_b - length) * 0.5).max(known.floor);
    if bound > *min - known.tolerance || length < 1e-3 {
        return;
    }
    let middle = a.midpoint(b);
    let at_middle = at(middle);
    lowest(a, middle, at_a, at_middle, known, at, min);
    lowest(middle, b, at_middle, at_b, known, at, min);
}

/// Clearance from obstacles and bounds as drawn, so that it is at least the agent's radius.
#[must_use]
pub fn clearance_in(points: &[DVec2], free: &FreeSpace) -> Clearance {
    // Free space is no closer to walls than the radius, and its border at most the excess further:
    // paths along walls need no closer look.
    let known = Known {
        floor: free.radius,
        tolerance: excess(free.radius),
    };
    clearance_above(points, known, |p| free.clearance(p))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn a_circle_has_the_curvature_of_its_radius() {
        let circle: Vec<DVec2> = (0..100)
            .map(|i| 4.0 * DVec2::from_angle(f64::from(i) / 100.0 * TAU))
            .collect();
        assert!((mean_curvature(&circle) - 0.25).abs() < 1e-12);
        let line = [DVec2::ZERO, DVec2::X, DVec2::X * 3.0];
        assert_eq!(mean_curvature(&line), 0.0);
        assert_eq!(mean_curvature(&[DVec2::ONE; 4]), 0.0);
        assert_eq!(curvature(DVec2::ZERO, DVec2::X * 2.0, DVec2::ZERO), 1.0);
        assert_eq!(mean_curvature(&[]), 0.0);
    }

    #[test]
    fn length_is_in_space() {
        let path = [
            DVec3::ZERO,
            DVec3::new(3.0, 0.0, 4.0),
            DVec3::new(3.0, 2.0, 4.0),
        ];
        assert_eq!(length(&path), 7.0);
        assert_eq!(length_in_plan(&path.map(DVec3::truncate)), 5.0);
    }

    #[test]
    fn clearance_finds_the_narrow_place_between_samples() {
        // A pole beside a long path: the distance is smallest at one point only.
        let pole = DVec2::new(777.123, 0.5);
        let path = [DVec2::ZERO, DVec2::new(10_000.0, 0.0)];
        let found = clearance(&path, |p| p.distance(pole));
        assert!((found.min - 0.5).abs() < 2e-3, "{found:?}");
        let straight = clearance(&path, |_| 3.0);
        assert_eq!(straight.min, 3.0);
        assert!((straight.mean - 3.0).abs() < 1e-12);
        assert_eq!(clearance(&[pole], |_| 2.0).mean, 2.0);
        assert_eq!(clearance(&[], |_| 2.0).min, 0.0);
    }

    #[test]
    fn mean_clearance_is_that_of_the_whole_way() {
        let path = [DVec2::ZERO, DVec2::X, DVec2::X * 100.0];
        let found = clearance(&path, |p| p.x);
        assert!((found.mean - 50.0).abs() < 1e-9 && found.min == 0.0);
    }
}

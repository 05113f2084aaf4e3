//! What a turning point sees through a portal.
//!
//! Borders of a cone are lines through two corners of the map, never through rounded crossings, so
//! all visibility decisions are exact.

use crate::geometry::predicates::{Side, side};
use glam::DVec2;

/// A directed line through two exact points: a border of a cone. Two equal points are no border at
/// all: the root is an end of the portal, and everything ahead is visible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Border {
    pub from: DVec2,
    pub to: DVec2,
}

/// Position of a point relative to a border of a cone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    Inside,
    On,
    Outside,
}

impl Border {
    #[must_use]
    pub const fn new(from: DVec2, to: DVec2) -> Self {
        Self { from, to }
    }

    fn sight(&self, p: DVec2, outside: Side) -> Sight {
        if self.from == self.to {
            return Sight::Inside;
        }
        match side(self.from, self.to, p) {
            Side::On => Sight::On,
            found if found == outside => Sight::Outside,
            _ => Sight::Inside,
        }
    }

    /// As the left border of a cone.
    #[must_use]
    pub fn as_left(&self, p: DVec2) -> Sight {
        self.sight(p, Side::Left)
    }

    /// As the right border of a cone.
    #[must_use]
    pub fn as_right(&self, p: DVec2) -> Sight {
        self.sight(p, Side::Right)
    }

    /// Where it meets the line from `a` to `b`, from 0 at `a` to 1 at `b`; rounded.
    #[must_use]
    pub fn meets(&self, a: DVec2, b: DVec2) -> f64 {
        let along = self.to - self.from;
        let (at_a, at_b) = (along.perp_dot(a - self.from), along.perp_dot(b - self.from));
        let share = at_a / (at_a - at_b);
        if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            0.0
        }
    }
}

/// Length of the shortest path from `from` to `to` that touches the segment `a`–`b`, from either
/// side; never more than the path through the portal, so it is an admissible bound for A*.
#[must_use]
pub fn touching_segment(from: DVec2, a: DVec2, b: DVec2, to: DVec2) -> (f64, DVec2) {
    let along = b - a;
    let length_squared = along.length_squared();
    if length_squared == 0.0 {
        return (from.distance(a) + a.distance(to), a);
    }
    // Projections and heights of both points over the segment's line. If both are on one side, one
    // is mirrored: heights count without their sign.
    let foot = |p: DVec2| (p - a).dot(along) / length_squared;
    let height = |p: DVec2| along.perp_dot(p - a).abs();
    let (foot_from, foot_to) = (foot(from), foot(to));
    let (high_from, high_to) = (height(from), height(to));
    let sum = high_from + high_to;
    let share = if sum > 0.0 {
        foot_from + (foot_to - foot_from) * (high_from / sum)
    } else {
        // All on one line: any point between both will do.
        foot_from
    };
    let at = a + along * share.clamp(0.0, 1.0);
    (from.distance(at) + at.distance(to), at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_way_by_a_segment_is_no_longer_than_by_any_of_its_points(
            v in prop::collection::vec(-9_i32..10, 8)
        ) {
            let p = |i: usize| DVec2::new(f64::from(v[i]), f64::from(v[i + 1]));
            let (from, a, b, to) = (p(0), p(2), p(4), p(6));
            let (length, at) = touching_segment(from, a, b, to);
            prop_assert!((from.distance(at) + at.distance(to) - length).abs() < 1e-12);
            for i in 0..=64 {
                let q = a.lerp(b, f64::from(i) / 64.0);
                prop_assert!(length <= from.distance(q) + q.distance(to) + 1e-9);
            }
        }
    }
}

//! Exact predicates on a few points: the sign of a result is never wrong.
//!
//! Orientation is Shewchuk's adaptive predicate (crate `robust`). Intersection points are rounded
//! to `f64`, but whether there is one is decided exactly. Coordinates that are not finite lie on no
//! side and meet nothing.

use super::Rect;
use glam::DVec2;
use std::cmp::Ordering;

/// Which side of a directed line a point is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
    /// On the line, or the line has no direction.
    On,
}

/// The side of the line from `a` to `b` on which `p` lies.
#[inline]
#[must_use]
pub fn side(a: DVec2, b: DVec2, p: DVec2) -> Side {
    let coord = |v: DVec2| robust::Coord { x: v.x, y: v.y };
    let area = robust::orient2d(coord(a), coord(b), coord(p));
    if area > 0.0 {
        Side::Left
    } else if area < 0.0 {
        Side::Right
    } else {
        Side::On
    }
}

/// Whether `p` lies on the segment `a`–`b`, ends included.
#[inline]
#[must_use]
pub fn on_segment(a: DVec2, b: DVec2, p: DVec2) -> bool {
    Rect::spanning(a, b).contains(p) && side(a, b, p) == Side::On
}

/// How two segments meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meeting {
    Apart,
    /// One point in common, which is an end of at least one of them.
    Touching(DVec2),
    /// One point in common, inside both.
    Crossing(DVec2),
    /// They share the piece from the first to the second point.
    Overlapping(DVec2, DVec2),
}

/// How the segments `a`–`b` and `c`–`d` meet; either may be a single point.
#[must_use]
pub fn meeting(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> Meeting {
    // Comparisons with NaN are false, so segments that are not finite end here.
    if !Rect::spanning(a, b).overlaps(&Rect::spanning(c, d))
        || ![a, b, c, d].iter().all(|p| p.is_finite())
    {
        return Meeting::Apart;
    }
    let of_c_and_d = (side(a, b, c), side(a, b, d));
    let of_a_and_b = (side(c, d, a), side(c, d, b));
    if of_c_and_d == (Side::On, Side::On) && of_a_and_b == (Side::On, Side::On) {
        return on_one_line(a, b, c, d);
    }
    let apart = |sides| matches!(sides, (Side::Left, Side::Right) | (Side::Right, Side::Left));
    if apart(of_c_and_d) && apart(of_a_and_b) {
        return Meeting::Crossing(crossing_point(a, b, c, d));
    }
    [(a, c, d), (b, c, d), (c, a, b), (d, a, b)]
        .into_iter()
        .find(|&(end, from, to)| on_segment(from, to, end))
        .map_or(Meeting::Apart, |(end, ..)| Meeting::Touching(end))
}

fn on_one_line(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> Meeting {
    // On one line, the lexicographic order of points is their order along it.
    let sorted = |p: DVec2, q: DVec2| match order(p, q) {
        Ordering::Greater => (q, p),
        _ => (p, q),
    };
    let ((a, b), (c, d)) = (sorted(a, b), sorted(c, d));
    let (_, from) = sorted(a, c);
    let (to, _) = sorted(b, d);
    match order(from, to) {
        Ordering::Less => Meeting::Overlapping(from, to),
        Ordering::Equal => Meeting::Touching(from),
        Ordering::Greater => Meeting::Apart,
    }
}

/// By x, then by y; −0 equals 0.
#[must_use]
pub fn order(p: DVec2, q: DVec2) -> Ordering {
    let by = |a: f64, b: f64| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
    by(p.x, q.x).then(by(p.y, q.y))
}

/// The intersection of two segments known to cross, clamped to both bounding boxes.
fn crossing_point(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> DVec2 {
    let (along, across) = (b - a, d - c);
    let share = (c - a).perp_dot(across) / along.perp_dot(across);
    // Nearly parallel segments may have a product of 0 although they cross.
    let share = if share.is_finite() { share } else { 0.5 };
    let p = a + along * share.clamp(0.0, 1.0);
    Rect::spanning(c, d).clamp(Rect::spanning(a, b).clamp(p))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn p(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    #[test]
    fn every_kind_of_meeting_is_distinguished() {
        let (a, b) = (p(0.0, 0.0), p(4.0, 4.0));
        for (c, d, expected) in [
            (p(0.0, 4.0), p(4.0, 0.0), Meeting::Crossing(p(2.0, 2.0))),
            (p(2.0, 2.0), p(9.0, 0.0), Meeting::Touching(p(2.0, 2.0))),
            (p(4.0, 4.0), p(9.0, 0.0), Meeting::Touching(p(4.0, 4.0))),
            (p(4.0, 4.0), p(5.0, 5.0), Meeting::Touching(p(4.0, 4.0))),
            (
                p(9.0, 9.0),
                p(1.0, 1.0),
                Meeting::Overlapping(p(1.0, 1.0), b),
            ),
            (p(5.0, 5.0), p(6.0, 6.0), Meeting::Apart),
            (p(0.0, 1.0), p(3.0, 4.0), Meeting::Apart),
            (p(2.0, 2.0), p(2.0, 2.0), Meeting::Touching(p(2.0, 2.0))),
            (p(2.0, 2.1), p(2.0, 2.1), Meeting::Apart),
            (p(f64::NAN, 1.0), p(3.0, 4.0), Meeting::Apart),
            (p(0.0, f64::INFINITY), p(4.0, 0.0), Meeting::Apart),
        ] {
            assert_eq!(meeting(a, b, c, d), expected, "{c} {d}");
        }
    }

    #[test]
    fn a_point_a_rounding_step_beside_the_line_is_not_on_it() {
        let (a, b) = (p(-1e6, -1e6), p(1e6, 1e6));
        assert!(on_segment(a, b, p(0.1, 0.1)));
        let beside = p(0.1, 0.1_f64.next_up());
        assert!(!on_segment(a, b, beside));
        assert_eq!(side(a, b, beside), Side::Left);
        assert_eq!(side(a, b, p(f64::NAN, 0.0)), Side::On);
    }

    /// Coordinates that often coincide, and large ones.
    fn point() -> impl Strategy<Value = DVec2> {
        let coordinate = || {
            prop_oneof![
                (-3_i32..4).prop_map(f64::from),
                (-3_i32..4).prop_map(|v| f64::from(v) * 1e6 / 3.0),
                -1.0..1.0,
            ]
        };
        (coordinate(), coordinate()).prop_map(|(x, y)| p(x, y))
    }

    proptest! {
        #[test]
        fn meeting_does_not_depend_on_order_or_direction(
            a in point(), b in point(), c in point(), d in point()
        ) {
            let kind = |m: Meeting| match m {
                Meeting::Apart => 0,
                Meeting::Touching(_) => 1,
                Meeting::Crossing(_) => 2,
                Meeting::Overlapping(..) => 3,
            };
            let expected = kind(meeting(a, b, c, d));
            for other in [
                meeting(b, a, c, d),
                meeting(a, b, d, c),
                meeting(c, d, a, b),
                meeting(d, c, b, a),
            ] {
                prop_assert_eq!(kind(other), expected);
            }
        }

        #[test]
        fn the_place_of_meeting_lies_in_both_boxes(
            a in point(), b in point(), c in point(), d in point()
        ) {
            let places = match meeting(a, b, c, d) {
                Meeting::Apart => vec![],
                Meeting::Touching(at) | Meeting::Crossing(at) => vec![at],
                Meeting::Overlapping(from, to) => vec![from, to],
            };
            for at in places {
                prop_assert!(Rect::spanning(a, b).contains(at));
                prop_assert!(Rect::spanning(c, d).contains(at));
            }
        }
    }
}

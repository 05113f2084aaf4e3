//! Line simplification.

use super::{Ring, polygon::closest_on_segment};
use glam::DVec2;

/// Points closer than this to the line between their neighbours are dropped: a thousandth of the
/// lattice on which areas are combined. Unit: metres.
const STRAIGHT: f64 = 1e-6;

/// Douglas and Peucker 1973: keeps the ends and the points needed so that every dropped point is
/// within `tolerance` of the result. Points that are not finite are dropped.
#[must_use]
pub fn simplified(line: &[DVec2], tolerance: f64) -> Vec<DVec2> {
    let points: Vec<DVec2> = line.iter().copied().filter(|p| p.is_finite()).collect();
    if points.len() < 3 {
        return points;
    }
    let mut keep = vec![false; points.len()];
    keep[0] = true;
    keep[points.len() - 1] = true;
    // A stack instead of recursion: a hostile line must not exhaust the call stack.
    let mut spans = vec![(0, points.len() - 1)];
    while let Some((from, to)) = spans.pop() {
        let furthest = (from + 1..to)
            .map(|i| {
                let near = closest_on_segment(points[from], points[to], points[i]);
                (i, near.distance_squared(points[i]))
            })
            .fold(None, |best: Option<(usize, f64)>, next| match best {
                Some(best) if best.1 >= next.1 => Some(best),
                _ => Some(next),
            });
        if let Some((i, distance_squared)) = furthest
            && distance_squared > tolerance.max(0.0).powi(2)
        {
            keep[i] = true;
            spans.push((from, i));
            spans.push((i, to));
        }
    }
    let mut kept = keep.iter();
    let mut points = points;
    points.retain(|_| *kept.next().unwrap_or(&false));
    points
}

/// Simplifies a ring, keeping its first point and the point farthest from it. May make a ring cross
/// itself; see [`repaired`](super::boolean::repaired).
#[must_use]
pub fn simplified_ring(ring: &[DVec2], tolerance: f64) -> Ring {
    let ring = tidy(ring);
    let Some(&first) = ring.first() else {
        return ring;
    };
    let furthest = (0..ring.len())
        .max_by(|&a, &b| {
            first
                .distance_squared(ring[a])
                .total_cmp(&first.distance_squared(ring[b]))
        })
        .unwrap_or(0);
    let mut there = simplified(&ring[..=furthest], tolerance);
    let back: Ring = ring[furthest..].iter().copied().chain([first]).collect();
    let back = simplified(&back, tolerance);
    there.pop();
    there.extend(&back[..back.len().saturating_sub(1)]);
    tidy(&there)
}

/// A ring without corners that are within `tolerance` of the line between those that are kept, in linear
/// time whatever the ring: from each kept corner on, the directions that pass all dropped ones form a
/// wedge, and the ring is followed for as long as it stays in it (Sklansky and Gonzalez 1980).
#[must_use]
pub fn thinned_ring(ring: &[DVec2], tolerance: f64) -> Ring {
    let Some(&first) = ring.first() else {
        return Ring::new();
    };
    let mut kept = vec![first];
    let (mut anchor, mut last) = (first, first);
    let mut wedge: Option<[DVec2; 2]> = None;
    for &p in ring[1..].iter().chain([&first]) {
        let offset = p - anchor;
        let is_within = wedge.is_none_or(|[right, left]| {
            right.perp_dot(offset) >= 0.0 && offset.perp_dot(left) >= 0.0
        });
        if !(is_within && offset.length() >= last.distance(anchor)) {
            kept.push(last);
            anchor = last;
            wedge = None;
        }
        last = p;
        let offset = p - anchor;
        let far = offset.length();
        if far <= tolerance {
            continue;
        }
        let turn = DVec2::new((1.0 - (tolerance / far).powi(2)).sqrt(), tolerance / far);
        let [mut right, mut left] = [
            DVec2::new(turn.x, -turn.y).rotate(offset),
            turn.rotate(offset),
        ];
        if let Some([narrow_right, narrow_left]) = wedge {
            if right.perp_dot(narrow_right) > 0.0 {
                right = narrow_right;
            }
            if left.perp_dot(narrow_left) < 0.0 {
                left = narrow_left;
            }
        }
        wedge = Some([right, left]);
    }
    kept
}

/// Removes repeated points, points on straight edges, and spikes that fold back onto themselves;
/// empty if no area is left.
#[must_use]
pub fn tidy(ring: &[DVec2]) -> Ring {
    let mut kept: Ring = Vec::with_capacity(ring.len());
    for p in ring.iter().copied().filter(|p| p.is_finite()) {
        kept.push(p);
        drop_idle_tail(&mut kept);
    }
    // Points that become redundant across the seam between last and first, from both sides.
    let mut start = 0;
    while kept.len() - start >= 3 {
        let n = kept.len();
        if is_idle(kept[n - 2], kept[n - 1], kept[start]) {
            kept.pop();
        } else if is_idle(kept[n - 1], kept[start], kept[start + 1]) {
            start += 1;
        } else {
            break;
        }
    }
    kept.drain(..start);
    if kept.len() < 3 {
        kept.clear();
    }
    kept
}

/// Removes points before the last one while it makes them redundant.
fn drop_idle_tail(kept: &mut Ring) {
    loop {
        match kept[..] {
            [.., a, b] if a == b => {
                kept.pop();
            }
            [.., a, b, c] if is_idle(a, b, c) => {
                kept.truncate(kept.len() - 2);
                kept.push(c);
            }
            _ => return,
        }
    }
}

/// Whether the detour from `a` to `c` through `b` encloses no area.
fn is_idle(a: DVec2, b: DVec2, c: DVec2) -> bool {
    if a == b || b == c || a == c {
        return true;
    }
    let longest = a.distance(b).max(b.distance(c)).max(a.distance(c));
    (b - a).perp_dot(c - a).abs() <= STRAIGHT * longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{
        Polyline,
        hostile::{any_point, ring, small_point},
        polygon::signed_area,
    };
    use proptest::prelude::*;

    fn points(list: &[(f64, f64)]) -> Vec<DVec2> {
        list.iter().copied().map(DVec2::from).collect()
    }

    #[test]
    fn a_line_keeps_its_corners_only() {
        let line = points(&[(0.0, 0.0), (1.0, 0.1), (2.0, -0.1), (3.0, 0.0), (3.0, 5.0)]);
        let kept = points(&[(0.0, 0.0), (3.0, 0.0), (3.0, 5.0)]);
        assert_eq!(simplified(&line, 0.2), kept);
        assert_eq!(simplified(&line, 0.0), line);
        assert_eq!(simplified(&line[..1], 0.2), line[..1]);
        assert_eq!(simplified(&[DVec2::NAN], 0.2), []);
    }

    #[test]
    fn tidying_removes_redundant_points() {
        let ring = points(&[
            (2.0, 0.0),
            (4.0, 0.0),
            (4.0, 0.0),
            (4.0, 4.0),
            (4.0, 9.0),
            (4.0, 4.0),
            (0.0, 4.0),
            (0.0, 2.0),
            (0.0, 0.0),
            (2.0, 0.0),
        ]);
        assert_eq!(
            tidy(&ring),
            points(&[(4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0)])
        );
        for flat in [
            points(&[]),
            points(&[(1.0, 1.0); 4]),
            points(&[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (1.0, 1.0)]),
        ] {
            assert_eq!(tidy(&flat), []);
        }
    }

    #[test]
    fn a_dense_circle_is_not_tidied_away() {
        let circle = crate::geometry::Polygon::regular(DVec2::ZERO, 1.0, 20_000, 0.0).outer;
        let tidied = tidy(&circle);
        assert!((signed_area(&tidied) - std::f64::consts::PI).abs() < 1e-4);
        let coarse = simplified_ring(&circle, 0.01);
        assert!((8..64).contains(&coarse.len()), "{}", coarse.len());
    }

    #[test]
    fn very_many_corners_are_thinned_at_once() {
        let circle = crate::geometry::Polygon::regular(DVec2::ZERO, 15.0, 100_000, 0.0).outer;
        let thin = thinned_ring(&circle, 0.0005);
        assert!((200..1_000).contains(&thin.len()), "{}", thin.len());
        assert!((signed_area(&thin) - signed_area(&circle)).abs() < 0.0005 * 95.0);
        // Nothing to drop: a comb of a hundred thousand teeth, and back along its foot.
        let tooth = |i: u32| DVec2::new(f64::from(i) * 0.01, f64::from(i % 2));
        let comb: Ring = (0..100_000)
            .map(tooth)
            .chain([DVec2::new(0.0, -1.0)])
            .collect();
        assert_eq!(thinned_ring(&comb, 0.0005), comb);
        assert_eq!(thinned_ring(&[], 1.0), []);
    }

    proptest! {
        #[test]
        fn what_is_thinned_out_is_within_the_tolerance(
            ring in ring(any_point()), tolerance in 0.0..3.0
        ) {
            let mut thin = thinned_ring(&ring, tolerance);
            prop_assert!(thin.iter().all(|p| ring.contains(p)));
            thin.extend(thin.first().copied());
            let thin = Polyline::new(thin);
            for p in ring {
                let distance = thin.closest(p).map_or(0.0, |near| near.distance);
                prop_assert!(distance <= tolerance + 1e-6 * (1.0 + p.length()), "{p} {distance}");
            }
        }

        #[test]
        fn what_is_left_out_is_within_the_tolerance(
            line in prop::collection::vec(any_point(), 0..40), tolerance in 0.0..3.0
        ) {
            let kept = simplified(&line, tolerance);
            prop_assert_eq!(kept.first(), line.first());
            prop_assert_eq!(kept.last(), line.last());
            let kept = Polyline::new(kept);
            for p in line {
                let distance = kept.closest(p).expect("ends are kept").distance;
                prop_assert!(distance <= tolerance + 1e-6);
            }
        }

        #[test]
        fn tidying_twice_changes_nothing_and_keeps_the_area(ring in ring(small_point())) {
            let once = tidy(&ring);
            prop_assert_eq!(tidy(&once), once.clone());
            prop_assert!((signed_area(&once) - signed_area(&ring)).abs() < 1e-3);
            prop_assert!(simplified_ring(&ring, 0.5).len() <= once.len());
        }
    }
}

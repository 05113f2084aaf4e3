//! Splits segments where they meet, so that they meet only at their ends.
//!
//! Snap rounding (Hobby 1999; Guibas and Marimont 1998): every end and every crossing makes the
//! square around its nearest lattice point *hot*, and a segment is bent through the centres of all
//! hot squares it passes. That takes one pass, moves nothing by more than half a step along either
//! axis, and no two pieces cross.

use super::hot_pixel::{crossing, passes};
use super::segment_grid::SegmentGrid;
use crate::geometry::{
    Rect,
    predicates::{Side, side},
};
use glam::DVec2;

/// A segment between points with integer coordinates, the smaller point first.
pub(super) type Segment = [DVec2; 2];

/// Distance from a square's centre, along one axis, within which a segment passes through the
/// square. Unit: lattice steps.
const HALF: f64 = 0.5;

/// Relative error of a product of two differences, with room to spare.
const ROUNDING: f64 = 1e-15;

/// Splits segments between integer points wherever they meet, rounded to integer coordinates. Each
/// piece occurs once, in order.
pub(super) fn planar(segments: impl IntoIterator<Item = Segment>) -> Vec<Segment> {
    let mut segments: Vec<Segment> = segments.into_iter().filter_map(ordered).collect();
    unite(&mut segments);
    let grid = SegmentGrid::with_margin(&segments, HALF);
    let mut cuts = Cuts::default();
    for crowd in grid.crowds() {
        for (i, &first) in crowd.iter().enumerate() {
            for &second in &crowd[i + 1..] {
                let ends = [first, second].map(|index| segments[index as usize]);
                cuts.compare([first, second], ends);
            }
        }
    }
    cuts.spread_crossings(&segments, &grid);
    let mut pieces = cut(&segments, cuts.places);
    unite(&mut pieces);
    pieces
}

pub(super) fn key(p: DVec2) -> [i64; 2] {
    [p.x as i64, p.y as i64]
}

pub(super) fn ordered([a, b]: Segment) -> Option<Segment> {
    match key(a).cmp(&key(b)) {
        std::cmp::Ordering::Less => Some([a, b]),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some([b, a]),
    }
}

fn unite(segments: &mut Vec<Segment>) {
    segments.sort_unstable_by_key(|ends| ends.map(key));
    segments.dedup();
}

/// Which segment to split, and where.
#[derive(Default)]
struct Cuts {
    places: Vec<(u32, DVec2)>,
    crossings: Vec<DVec2>,
}

impl Cuts {
    /// Records ends of one segment inside whose squares the other passes, and crossings.
    fn compare(&mut self, [first, second]: [u32; 2], [p, q]: [Segment; 2]) {
        // The ends are ordered by x.
        if p[1].x + HALF < q[0].x || q[1].x + HALF < p[0].x {
            return;
        }
        let [of_p, of_q] = [p, q].map(|ends| Rect::spanning(ends[0], ends[1]).expanded(HALF));
        if !of_p.overlaps(&of_q) {
            return;
        }
        let mut is_near_an_end = false;
        let mut sides = [[0.0; 2]; 2];
        for (i, (index, ends, others, scope)) in [(first, p, q, of_p), (second, q, p, of_q)]
            .into_iter()
            .enumerate()
        {
            for (j, end) in others.into_iter().enumerate() {
                let (height, is_near) = height_above(ends, end);
                sides[i][j] = height;
                is_near_an_end |= is_near;
                if is_near && !ends.contains(&end) && scope.contains(end) && passes(ends, end) {
                    self.places.push((index, end));
                }
            }
        }
        let is_between = |[a, b]: [f64; 2]| (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0);
        let is_crossing = if is_near_an_end {
            crosses(p, q)
        } else {
            sides.into_iter().all(is_between)
        };
        if is_crossing {
            self.crossings.push(crossing(p, q));
        }
    }

    /// Splits every segment at the crossings whose squares it passes.
    fn spread_crossings(&mut self, segments: &[Segment], grid: &SegmentGrid) {
        self.crossings.sort_unstable_by_key(|at| key(*at));
        self.crossings.dedup();
        for &at in &self.crossings {
            for index in grid.near(Rect::new(at, at)) {
                let ends = segments[index as usize];
                let scope = Rect::spanning(ends[0], ends[1]).expanded(HALF);
                if scope.contains(at)
                    && !ends.contains(&at)
                    && height_above(ends, at).1
                    && passes(ends, at)
                {
                    self.places.push((index, at));
                }
            }
        }
    }
}

/// Signed distance of a point from a line, times the segment's length; and whether the line may
/// enter the point's square.
fn height_above([a, b]: Segment, point: DVec2) -> (f64, bool) {
    let (along, offset) = (b - a, point - a);
    let (one, other) = (along.x * offset.y, along.y * offset.x);
    let height = one - other;
    let reach = HALF * (along.x.abs() + along.y.abs());
    let rounding = ROUNDING * (one.abs() + other.abs());
    (height, height.abs() <= reach + rounding)
}

/// Whether the interiors of two segments cross.
fn crosses([a, b]: Segment, [c, d]: Segment) -> bool {
    let apart = |p, q| {
        matches!(
            (p, q),
            (Side::Left, Side::Right) | (Side::Right, Side::Left)
        )
    };
    apart(side(a, b, c), side(a, b, d)) && apart(side(c, d, a), side(c, d, b))
}

fn cut(segments: &[Segment], mut cuts: Vec<(u32, DVec2)>) -> Vec<Segment> {
    // The squares that a segment passes form a staircase: their order is that of the sum of steps
    // along both axes.
    let steps = |(index, at): &(u32, DVec2)| {
        let from = segments[*index as usize][0];
        let [x, y] = key(at - from);
        x.abs() + y.abs()
    };
    cuts.sort_unstable_by_key(|cut| (cut.0, steps(cut), key(cut.1)));
    cuts.dedup();
    let mut pieces = Vec::with_capacity(segments.len() + cuts.len());
    let mut cuts = cuts.into_iter().peekable();
    for (&[mut from, to], index) in segments.iter().zip(0_u32..) {
        while let Some((_, at)) = cuts.next_if(|(of, _)| *of == index) {
            pieces.extend(ordered([from, at]));
            from = at;
        }
        pieces.extend(ordered([from, to]));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::predicates::{Meeting, meeting};
    use proptest::prelude::*;

    fn is_planar(pieces: &[Segment]) -> bool {
        pieces.iter().enumerate().all(|(i, p)| {
            pieces[..i]
                .iter()
                .all(|q| match meeting(p[0], p[1], q[0], q[1]) {
                    Meeting::Apart => true,
                    Meeting::Touching(at) => p.contains(&at) && q.contains(&at),
                    _ => false,
                })
        })
    }

    /// Small numbers, many of them equal; large ones; and slivers between both.
    fn point() -> impl Strategy<Value = DVec2> {
        const FAR: i32 = 1_000_000_000;
        let coordinate = || {
            prop_oneof![
                4 => -6_i32..7,
                2 => -40_i32..=40,
                1 => -FAR..=FAR,
                1 => (FAR - 3)..=FAR,
                1 => -FAR..=(3 - FAR),
            ]
        };
        (coordinate(), coordinate()).prop_map(|(x, y)| DVec2::new(f64::from(x), f64::from(y)))
    }

    /// Nearly parallel to its neighbours, and across the whole plane.
    fn sliver() -> impl Strategy<Value = Segment> {
        let height = || -4_i32..=4;
        (height(), height(), prop::bool::ANY, 0..3_usize).prop_map(|(low, high, is_steep, size)| {
            let far = [60.0, 1e6, 1e9][size];
            let ends = [
                DVec2::new(-far, f64::from(low)),
                DVec2::new(far, f64::from(high)),
            ];
            if is_steep {
                ends.map(DVec2::perp)
            } else {
                ends
            }
        })
    }

    fn segment() -> impl Strategy<Value = Segment> {
        prop_oneof![3 => [point(), point()], 2 => sliver()]
    }

    fn cases() -> ProptestConfig {
        let wanted = std::env::var("WAYLOOM_CASES").ok();
        ProptestConfig::with_cases(wanted.and_then(|n| n.parse().ok()).unwrap_or(256))
    }

    proptest! {
        #![proptest_config(cases())]

        #[test]
        fn pieces_meet_only_at_their_ends_and_lie_along_what_was_cut(
            segments in prop::collection::vec(segment(), 0..24)
        ) {
            let pieces = planar(segments.iter().copied());
            prop_assert!(is_planar(&pieces));
            for [a, b] in segments {
                if a != b {
                    for end in [a, b] {
                        prop_assert!(pieces.iter().flatten().any(|p| *p == end));
                    }
                    prop_assert!(is_followed(a, b, &pieces), "{a} {b}");
                }
            }
        }

        #[test]
        fn cutting_again_changes_nothing_but_what_came_near(
            segments in prop::collection::vec([point(), point()], 0..12)
        ) {
            let pieces = planar(segments);
            let again = planar(pieces.iter().copied());
            prop_assert!(is_planar(&again));
            let known: std::collections::BTreeSet<_> = pieces.iter().flatten().map(|p| key(*p)).collect();
            prop_assert!(again.iter().flatten().all(|p| known.contains(&key(*p))));
        }
    }

    /// Whether a chain of pieces connects both ends of a segment and stays within half a step along
    /// either axis.
    fn is_followed(from: DVec2, to: DVec2, pieces: &[Segment]) -> bool {
        let is_near = |p: DVec2| passes([from, to], p);
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(&here) = reached.get(next) {
            next += 1;
            for [a, b] in pieces {
                for (one, other) in [(a, b), (b, a)] {
                    if *one == here && is_near(*other) && !reached.contains(other) {
                        reached.push(*other);
                    }
                }
            }
        }
        reached.contains(&to)
    }

    #[test]
    fn a_cross_becomes_four_pieces_and_a_repetition_one() {
        let p = |x: i32, y: i32| DVec2::new(f64::from(x), f64::from(y));
        let cross = [[p(0, 0), p(4, 4)], [p(4, 0), p(0, 4)], [p(4, 4), p(0, 0)]];
        let pieces = planar(cross);
        assert_eq!(pieces.len(), 4);
        assert!(pieces.iter().all(|ends| ends.contains(&p(2, 2))));
        assert!(planar([[p(1, 1), p(1, 1)]]).is_empty());
    }
}

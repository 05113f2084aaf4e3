//! Any segments cut where they meet, so that they meet only at their ends.

use super::segment_grid::SegmentGrid;
use crate::geometry::{
    Rect,
    predicates::{Meeting, meeting},
};
use glam::DVec2;

/// Cutting moves the pieces onto the lattice, where they may meet others anew; a few rounds end
/// that in any drawing. What is left after this many is left out by the triangulation.
const MAX_ROUNDS: usize = 24;

/// A segment between points with whole coordinates, the smaller point first.
pub(super) type Segment = [DVec2; 2];

struct Piece {
    ends: Segment,
    /// Not compared with all others yet.
    is_new: bool,
}

/// Cuts segments between points with whole coordinates at all places where they meet, rounded to
/// whole coordinates. Each piece comes once.
pub(super) fn planar(segments: impl IntoIterator<Item = Segment>) -> Vec<Segment> {
    let mut pieces: Vec<Piece> = segments
        .into_iter()
        .filter_map(ordered)
        .map(|ends| Piece { ends, is_new: true })
        .collect();
    unite(&mut pieces);
    for _ in 0..MAX_ROUNDS {
        let cuts = cuts(&pieces);
        if cuts.is_empty() {
            break;
        }
        pieces = cut(&pieces, cuts);
        unite(&mut pieces);
    }
    pieces.into_iter().map(|piece| piece.ends).collect()
}

fn key(p: DVec2) -> [i64; 2] {
    [p.x as i64, p.y as i64]
}

fn ordered([a, b]: Segment) -> Option<Segment> {
    match key(a).cmp(&key(b)) {
        std::cmp::Ordering::Less => Some([a, b]),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some([b, a]),
    }
}

/// Each piece once; one that is not new stays so.
fn unite(pieces: &mut Vec<Piece>) {
    pieces.sort_unstable_by_key(|piece| (piece.ends.map(key), piece.is_new));
    pieces.dedup_by(|next, kept| next.ends == kept.ends);
}

/// Which piece is to be cut, and where.
fn cuts(pieces: &[Piece]) -> Vec<(u32, DVec2)> {
    let ends: Vec<Segment> = pieces.iter().map(|piece| piece.ends).collect();
    let grid = SegmentGrid::new(&ends);
    let mut cuts = Vec::new();
    for crowd in grid.crowds() {
        for (i, &first) in crowd.iter().enumerate() {
            for &second in &crowd[i + 1..] {
                let (p, q) = (&pieces[first as usize], &pieces[second as usize]);
                if p.is_new || q.is_new {
                    compare((first, p.ends), (second, q.ends), &mut cuts);
                }
            }
        }
    }
    cuts
}

fn compare((first, p): (u32, Segment), (second, q): (u32, Segment), cuts: &mut Vec<(u32, DVec2)>) {
    // The ends are in order of x.
    if p[1].x < q[0].x || q[1].x < p[0].x {
        return;
    }
    if !Rect::spanning(p[0], p[1]).overlaps(&Rect::spanning(q[0], q[1])) {
        return;
    }
    let mut add = |at: DVec2| {
        let at = at.round();
        for (index, ends) in [(first, p), (second, q)] {
            if !ends.contains(&at) {
                cuts.push((index, at));
            }
        }
    };
    match meeting(p[0], p[1], q[0], q[1]) {
        Meeting::Apart => {}
        Meeting::Touching(at) | Meeting::Crossing(at) => add(at),
        Meeting::Overlapping(from, to) => {
            add(from);
            add(to);
        }
    }
}

fn cut(pieces: &[Piece], mut cuts: Vec<(u32, DVec2)>) -> Vec<Piece> {
    let share = |index: u32, at: DVec2| {
        let [a, b] = pieces[index as usize].ends;
        (at - a).dot(b - a)
    };
    cuts.sort_unstable_by(|a, b| {
        a.0.cmp(&b.0)
            .then_with(|| share(a.0, a.1).total_cmp(&share(b.0, b.1)))
            .then_with(|| key(a.1).cmp(&key(b.1)))
    });
    cuts.dedup();
    let mut out = Vec::with_capacity(pieces.len() + cuts.len());
    let mut cuts = cuts.into_iter().peekable();
    for (piece, index) in pieces.iter().zip(0_u32..) {
        let [mut from, to] = piece.ends;
        let mut is_cut = false;
        while let Some((_, at)) = cuts.next_if(|(of, _)| *of == index) {
            is_cut = true;
            out.extend(ordered([from, at]).map(|ends| Piece { ends, is_new: true }));
            from = at;
        }
        out.extend(ordered([from, to]).map(|ends| Piece {
            ends,
            is_new: is_cut,
        }));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
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

    /// Close together: long slivers, only steps apart over metres, may take more rounds
    /// than there are.
    fn point() -> impl Strategy<Value = DVec2> {
        let coordinate = || prop_oneof![3 => -6_i32..7, 1 => -40_i32..=40];
        (coordinate(), coordinate()).prop_map(|(x, y)| DVec2::new(f64::from(x), f64::from(y)))
    }

    proptest! {
        #[test]
        fn pieces_meet_only_at_their_ends_and_cover_the_ends_of_what_was_cut(
            segments in prop::collection::vec([point(), point()], 0..24)
        ) {
            let pieces = planar(segments.iter().copied());
            prop_assert!(is_planar(&pieces));
            for [a, b] in segments {
                if a != b {
                    for end in [a, b] {
                        prop_assert!(pieces.iter().flatten().any(|p| *p == end));
                    }
                }
            }
        }
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

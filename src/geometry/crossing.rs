//! Where outlines meet themselves, each other, and lines.
//!
//! Candidates come from an R-tree over edges, decisions from exact [predicates](super::predicates):
//! 10⁵ edges take well under a second in an optimised build. Contacts within one polygon are judged
//! on the 1 mm [lattice](super::lattice), so the output of [`repaired`](super::boolean::repaired)
//! never counts as crossing because of rounding.

use super::{
    Polygon, Rect, lattice,
    polygon::ring_edges,
    predicates::{Meeting, meeting},
};
use glam::DVec2;
use i_overlay::core::{overlay::ShapeType, relate::PredicateOverlay};
use rstar::{
    AABB, RTree,
    primitives::{GeomWithData, Rectangle},
};

/// One edge of a polygon. Ring 0 is the outer one, holes follow; edge `i` starts at point `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeIndex {
    pub ring: usize,
    pub edge: usize,
}

/// A point where two non-adjacent edges of one polygon meet, or an edge folds back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    pub at: DVec2,
    pub kind: ContactKind,
    pub edges: [EdgeIndex; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContactKind {
    /// A corner of one lies on the other. The area is still well defined.
    Touching,
    /// They pass through each other.
    Crossing,
    /// They run along each other for a stretch.
    Overlapping,
}

impl ContactKind {
    /// Crossing or overlapping: the outline must be repaired before it can be used.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        !matches!(self, Self::Touching)
    }
}

/// The first edge, in drawing order, that crosses or overlaps another.
#[must_use]
pub fn first_crossing(polygon: &Polygon) -> Option<Contact> {
    Edges::of(polygon).contacts().find(|c| c.kind.is_fault())
}

/// Contacts of a polygon with itself in edge order, at most `limit`.
#[must_use]
pub fn contacts(polygon: &Polygon, limit: usize) -> Vec<Contact> {
    Edges::of(polygon).contacts().take(limit).collect()
}

type TreeEntry = GeomWithData<Rectangle<[f64; 2]>, usize>;

/// End points. Unit: millimetres.
struct Edge {
    index: EdgeIndex,
    from: DVec2,
    to: DVec2,
    /// Index in `Edges::list` of the next edge of its ring.
    next: usize,
}

struct Edges {
    list: Vec<Edge>,
    tree: RTree<TreeEntry>,
}

impl Edges {
    /// Skips zero-length edges; a polygon that is not finite has none.
    fn of(polygon: &Polygon) -> Self {
        let mut list: Vec<Edge> = Vec::new();
        if polygon.points().all(|p| p.is_finite()) {
            for (ring, points) in polygon.rings().enumerate() {
                let first = list.len();
                for (edge, (from, to)) in ring_edges(points).enumerate() {
                    // Whole millimetres are exact in `f64`, thousandths of metres are not.
                    let [from, to] = [from, to].map(|p| (p * lattice::PER_METRE).round());
                    if from != to {
                        let next = list.len() + 1;
                        list.push(Edge {
                            index: EdgeIndex { ring, edge },
                            from,
                            to,
                            next,
                        });
                    }
                }
                if let Some(last) = list[first..].last_mut() {
                    last.next = first;
                }
            }
        }
        let entries = list
            .iter()
            .enumerate()
            .map(|(i, edge)| {
                let corners = Rectangle::from_corners(edge.from.to_array(), edge.to.to_array());
                GeomWithData::new(corners, i)
            })
            .collect();
        Self {
            list,
            tree: RTree::bulk_load(entries),
        }
    }

    fn contacts(&self) -> impl Iterator<Item = Contact> + '_ {
        (0..self.list.len()).flat_map(move |i| {
            let edge = &self.list[i];
            let bounds = AABB::from_corners(edge.from.to_array(), edge.to.to_array());
            let mut others: Vec<usize> = self
                .tree
                .locate_in_envelope_intersecting(bounds)
                .map(|entry| entry.data)
                .filter(|&j| j > i)
                .collect();
            others.sort_unstable();
            others.into_iter().filter_map(move |j| self.contact(i, j))
        })
    }

    fn contact(&self, i: usize, j: usize) -> Option<Contact> {
        let (first, second) = (&self.list[i], &self.list[j]);
        let (at, kind) = match meeting(first.from, first.to, second.from, second.to) {
            Meeting::Apart => return None,
            Meeting::Crossing(at) => (at, ContactKind::Crossing),
            Meeting::Overlapping(from, to) => ((from + to) * 0.5, ContactKind::Overlapping),
            Meeting::Touching(at) => {
                // Neighbours share the corner between them; that is not a contact.
                let shared = (first.next == j && at == second.from)
                    || (second.next == i && at == first.from);
                if shared {
                    return None;
                }
                (at, ContactKind::Touching)
            }
        };
        Some(Contact {
            at: at / lattice::PER_METRE,
            kind,
            edges: [first.index, second.index],
        })
    }
}

/// Number of edge pairs that meet other than at the corner neighbours share. `None` above `limit`,
/// or when too many edges lie close together to count quickly.
///
/// The time and memory of [booleans](super::boolean) grow with this number, and a hostile drawing
/// of 10⁵ edges can have 10¹⁰ of them: check it before combining untrusted input. Zero means that
/// no outline touches itself or another.
#[must_use]
pub fn count_meetings(polygons: &[Polygon], limit: usize) -> Option<usize> {
    let edges: Vec<(DVec2, DVec2)> = polygons
        .iter()
        .flat_map(Polygon::edges)
        .filter(|(a, b)| a.is_finite() && b.is_finite() && a != b)
        .collect();
    let entry = |(i, (a, b)): (usize, &(DVec2, DVec2))| {
        GeomWithData::new(Rectangle::from_corners(a.to_array(), b.to_array()), i)
    };
    let tree: RTree<TreeEntry> = RTree::bulk_load(edges.iter().enumerate().map(entry).collect());
    let most = limit.saturating_add(edges.len());
    let mut looks_left = most.saturating_mul(20);
    let mut found = 0;
    for (i, &(a, b)) in edges.iter().enumerate() {
        let bounds = AABB::from_corners(a.to_array(), b.to_array());
        for near in tree.locate_in_envelope_intersecting(bounds) {
            looks_left = looks_left.checked_sub(1)?;
            if near.data <= i {
                continue;
            }
            let (c, d) = edges[near.data];
            found += match meeting(a, b, c, d) {
                Meeting::Apart => 0,
                Meeting::Touching(_) | Meeting::Crossing(_) => 1,
                // Even between neighbours this is more than the corner they share.
                Meeting::Overlapping(..) => 2,
            };
            if found > most {
                return None;
            }
        }
    }
    // Each edge meets the one after it.
    Some(found.saturating_sub(edges.len()))
}

/// How two areas relate. Contact closer than the 1 mm lattice counts as touching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    Apart,
    /// Their outlines meet, their insides do not.
    Touching,
    /// Their interiors intersect.
    Overlapping,
}

/// Uses the even–odd rule. An area that is not finite is apart from everything.
#[must_use]
pub fn overlap(first: &Polygon, second: &Polygon) -> Overlap {
    let bounds = |polygon: &Polygon| Rect::of_points(polygon.points());
    if !bounds(first)
        .expanded(lattice::LATTICE)
        .overlaps(&bounds(second))
    {
        return Overlap::Apart;
    }
    let (Some(a), Some(b)) = (
        lattice::nodes(first.rings()),
        lattice::nodes(second.rings()),
    ) else {
        return Overlap::Apart;
    };
    // The predicates consume the segments passed to them, hence one engine per query.
    let ask = || {
        let mut engine = PredicateOverlay::<i64>::new(first.vertex_count() + second.vertex_count());
        engine.add_source(&a, ShapeType::Subject);
        engine.add_source(&b, ShapeType::Clip);
        engine
    };
    if ask().interiors_intersect() {
        Overlap::Overlapping
    } else if ask().intersects() {
        Overlap::Touching
    } else {
        Overlap::Apart
    }
}

/// The pieces of segment `a`–`b` inside `polygon`, in order from `a`, as fractions of its length
/// from 0 to 1. Running along an edge does not count as inside.
#[must_use]
pub fn inside_shares(polygon: &Polygon, a: DVec2, b: DVec2) -> Vec<(f64, f64)> {
    let along = b - a;
    let length_squared = along.length_squared();
    if !(length_squared > 0.0 && length_squared.is_finite()) {
        return Vec::new();
    }
    let share = |p: DVec2| ((p - a).dot(along) / length_squared).clamp(0.0, 1.0);
    let bounds = Rect::spanning(a, b);
    let mut cuts = vec![0.0, 1.0];
    let mut glides: Vec<(f64, f64)> = Vec::new();
    for (from, to) in polygon.edges() {
        if !bounds.overlaps(&Rect::spanning(from, to)) {
            continue;
        }
        match meeting(a, b, from, to) {
            Meeting::Apart => {}
            Meeting::Touching(at) | Meeting::Crossing(at) => cuts.push(share(at)),
            Meeting::Overlapping(from, to) => {
                let (from, to) = (share(from), share(to));
                cuts.extend([from, to]);
                glides.push((from.min(to), from.max(to)));
            }
        }
    }
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let mut pieces: Vec<(f64, f64)> = Vec::new();
    for pair in cuts.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let middle = (from + to) * 0.5;
        let glides_here = glides.iter().any(|g| g.0 <= middle && middle <= g.1);
        if glides_here || !polygon.contains(a + along * middle) {
            continue;
        }
        match pieces.last_mut() {
            Some(last) if last.1 == from => last.1 = to,
            _ => pieces.push((from, to)),
        }
    }
    pieces
}

/// Whether `line` passes through the interior of `polygon`. Touching it or running along an edge
/// does not count, nor do stretches shorter than the lattice.
#[must_use]
pub fn passes_through(polygon: &Polygon, line: &[DVec2]) -> bool {
    let bounds = polygon.bounds();
    line.windows(2).any(|pair| {
        bounds.overlaps(&Rect::spanning(pair[0], pair[1]))
            && inside_shares(polygon, pair[0], pair[1])
                .iter()
                .any(|(from, to)| (to - from) * pair[0].distance(pair[1]) > lattice::LATTICE)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{
        Ring, boolean,
        hostile::{any_polygon, small_point, small_polygon},
    };
    use proptest::prelude::*;

    fn polygon(points: &[(f64, f64)]) -> Polygon {
        Polygon::new(points.iter().copied().map(DVec2::from).collect())
    }

    fn square(min: f64, max: f64) -> Polygon {
        Polygon::rect(Rect::new(DVec2::splat(min), DVec2::splat(max)))
    }

    #[test]
    fn contacts_are_classified_and_located() {
        let tie = polygon(&[(0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0)]);
        let found = contacts(&tie, 9);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].kind, ContactKind::Crossing);
        assert_eq!(found[0].at, DVec2::splat(2.0));
        assert_eq!(found[0].edges.map(|e| e.edge), [0, 2]);

        let touch = polygon(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 0.0), (0.0, 4.0)]);
        assert!(
            contacts(&touch, 9)
                .iter()
                .all(|c| c.kind == ContactKind::Touching)
        );
        assert_eq!(contacts(&touch, 9)[0].at, DVec2::new(2.0, 0.0));
        assert_eq!(first_crossing(&touch), None);

        let spike = polygon(&[(0.0, 0.0), (4.0, 0.0), (9.0, 0.0), (4.0, 0.0), (4.0, 4.0)]);
        assert_eq!(
            first_crossing(&spike).map(|c| c.kind),
            Some(ContactKind::Overlapping)
        );

        let mut holed = square(0.0, 4.0);
        holed.holes.push(square(3.0, 5.0).outer);
        let found = first_crossing(&holed).expect("the hole leaves its ring");
        assert_eq!(found.edges.map(|e| e.ring), [0, 1]);
    }

    #[test]
    fn simple_rings_with_repeated_points_have_no_contact() {
        for ring in [
            vec![],
            vec![(1.0, 1.0)],
            vec![(1.0, 1.0); 5],
            vec![
                (0.0, 0.0),
                (0.0, 0.0),
                (4.0, 0.0),
                (2.0, 3.0),
                (2.0, 3.0),
                (0.0, 0.0),
            ],
            vec![(0.0, 0.0), (f64::NAN, 0.0), (4.0, 4.0), (4.0, 0.0)],
        ] {
            assert_eq!(contacts(&polygon(&ring), 9), []);
        }
        assert_eq!(contacts(&polygon(&[(0.0, 0.0), (1.0, 0.0)]), 9).len(), 1);
    }

    #[test]
    fn thousands_of_edges_are_searched() {
        let ring: Ring = (0..20_000)
            .map(|i| {
                let angle = f64::from(i) * std::f64::consts::TAU / 20_000.0;
                (1000.0 + f64::from(i % 7)) * DVec2::from_angle(angle)
            })
            .collect();
        let mut comb = Polygon::new(ring);
        assert_eq!(first_crossing(&comb), None);
        comb.outer.swap(7_000, 7_003);
        let found = first_crossing(&comb).expect("swapped points cross");
        assert!((6_998..7_004).contains(&found.edges[0].edge));
    }

    #[test]
    fn a_tangle_is_noticed_before_it_costs() {
        let steps = |n: u32| (0..n).map(f64::from);
        let round = Polygon::regular(DVec2::ZERO, 100.0, 2_000, 0.0);
        assert_eq!(count_meetings(std::slice::from_ref(&round), 0), Some(0));
        assert_eq!(count_meetings(&[Polygon::default()], 0), Some(0));
        let zigzag = Polygon::new(
            steps(4_000)
                .map(|i| DVec2::new(i * 1e-3 + (i % 2.0) * 100.0, (i % 2.0) * 100.0))
                .collect(),
        );
        assert_eq!(count_meetings(&[round.clone(), zigzag], 10_000), None);
        let twice = [round.clone(), round];
        assert_eq!(count_meetings(&twice, 2_000), None);
        // Every edge lies on its twin and touches that one's two neighbours.
        assert_eq!(count_meetings(&twice, 10_000), Some(8_000));
        let tie = polygon(&[(0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0)]);
        assert_eq!(count_meetings(&[tie], 9), Some(1));
    }

    #[test]
    fn overlap_is_about_insides() {
        assert_eq!(
            overlap(&square(0.0, 2.0), &square(3.0, 4.0)),
            Overlap::Apart
        );
        assert_eq!(
            overlap(&square(0.0, 2.0), &square(2.0, 4.0)),
            Overlap::Touching
        );
        assert_eq!(
            overlap(&square(0.0, 2.0), &square(1.0, 4.0)),
            Overlap::Overlapping
        );
        assert_eq!(
            overlap(&square(0.0, 9.0), &square(1.0, 4.0)),
            Overlap::Overlapping
        );
        let mut frame = square(0.0, 9.0);
        frame.holes.push(square(1.0, 4.0).outer);
        assert_eq!(overlap(&frame, &square(1.0, 4.0)), Overlap::Touching);
        assert_eq!(overlap(&frame, &square(2.0, 3.0)), Overlap::Apart);
        assert_eq!(overlap(&Polygon::default(), &frame), Overlap::Apart);
        let nan = polygon(&[(0.0, 0.0), (f64::NAN, 0.0), (0.0, 1.0)]);
        assert_eq!(overlap(&nan, &frame), Overlap::Apart);
    }

    #[test]
    fn gliding_along_an_edge_is_no_passage() {
        let block = square(0.0, 4.0);
        let passes = |line: &[(f64, f64)]| {
            passes_through(
                &block,
                &line.iter().copied().map(DVec2::from).collect::<Vec<_>>(),
            )
        };
        assert!(!passes(&[(-1.0, 0.0), (9.0, 0.0)]));
        assert!(!passes(&[(-1.0, 1.0), (1.0, -1.0)]));
        assert!(!passes(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)]));
        assert!(passes(&[(0.0, 0.0), (4.0, 4.0)]));
        assert!(passes(&[(1.0, 1.0), (2.0, 1.0)]));
        assert!(!passes(&[(1.0, 1.0)]) && !passes(&[]));
        let shares = inside_shares(&block, DVec2::new(-4.0, 2.0), DVec2::new(12.0, 2.0));
        assert_eq!(shares, [(0.25, 0.5)]);
    }

    proptest! {
        #[test]
        fn the_tree_finds_what_trying_every_pair_finds(polygon in small_polygon()) {
            let edges = Edges::of(&polygon);
            let n = edges.list.len();
            let all: Vec<Contact> = (0..n)
                .flat_map(|i| (i + 1..n).map(move |j| (i, j)))
                .filter_map(|(i, j)| edges.contact(i, j))
                .collect();
            prop_assert_eq!(contacts(&polygon, usize::MAX), all);
        }

        #[test]
        fn overlap_agrees_with_the_intersection(a in small_polygon(), b in small_polygon()) {
            let shared = boolean::intersection(std::slice::from_ref(&a), std::slice::from_ref(&b));
            // Rounding a crossing to the lattice may lose a sliver on either side.
            let area: f64 = shared.iter().map(Polygon::area).sum();
            if area > 0.01 {
                prop_assert_eq!(overlap(&a, &b), Overlap::Overlapping);
            }
            if overlap(&a, &b) != Overlap::Overlapping {
                prop_assert!(area < 0.01);
            }
        }

        #[test]
        fn pieces_inside_are_inside(polygon in any_polygon(), a in small_point(), b in small_point()) {
            for (from, to) in inside_shares(&polygon, a, b) {
                prop_assert!(from < to && (0.0..=1.0).contains(&from) && to <= 1.0);
            }
        }
    }
}

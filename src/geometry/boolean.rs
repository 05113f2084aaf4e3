//! Union, difference, intersection and exclusive-or of areas; repair; cutting along a line.
//!
//! Any input is accepted. Rings that cross or overlap count by the even–odd rule within one
//! polygon; polygons of one list count as their union. Output is always valid: outer rings
//! counter-clockwise, each with its own holes clockwise; rings never touch themselves and touch
//! others at single points only; corners lie on the 1 mm [lattice](super::lattice). Anything
//! smaller than the lattice vanishes. Polygons with a coordinate that is not finite or far out of
//! range enclose nothing.

use super::{
    Polygon,
    lattice::{self, Collinear, Shape},
};
use glam::DVec2;
use i_overlay::{
    core::{fill_rule::FillRule, overlay::ShapeType, overlay_rule::OverlayRule},
    string::slice::IntSlice,
};

/// How two areas are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// In either.
    Union,
    /// In the first but not in the second.
    Difference,
    /// In both.
    Intersection,
    /// In exactly one.
    Xor,
}

#[must_use]
pub fn union(polygons: &[Polygon]) -> Vec<Polygon> {
    combine(Combine::Union, polygons, &[], Collinear::Drop)
}

#[must_use]
pub fn difference(from: &[Polygon], taken: &[Polygon]) -> Vec<Polygon> {
    combine(Combine::Difference, from, taken, Collinear::Drop)
}

#[must_use]
pub fn intersection(first: &[Polygon], second: &[Polygon]) -> Vec<Polygon> {
    combine(Combine::Intersection, first, second, Collinear::Drop)
}

#[must_use]
pub fn xor(first: &[Polygon], second: &[Polygon]) -> Vec<Polygon> {
    combine(Combine::Xor, first, second, Collinear::Drop)
}

/// Combines two areas and chooses whether points on straight edges are kept.
#[must_use]
pub fn combine(
    how: Combine,
    first: &[Polygon],
    second: &[Polygon],
    collinear: Collinear,
) -> Vec<Polygon> {
    let rule = match how {
        Combine::Union => OverlayRule::Union,
        Combine::Difference => OverlayRule::Difference,
        Combine::Intersection => OverlayRule::Intersect,
        Combine::Xor => OverlayRule::Xor,
    };
    let first = lattice::shapes(first, collinear);
    let second = lattice::shapes(second, collinear);
    lattice::polygons(&overlaid(rule, &first, &second, collinear))
}

/// Overlay of valid shapes. Shapes that overlap on one side count once.
pub(super) fn overlaid(
    rule: OverlayRule,
    first: &[Shape],
    second: &[Shape],
    collinear: Collinear,
) -> Vec<Shape> {
    let mut engine = lattice::engine(collinear);
    engine.add_source(first, ShapeType::Subject);
    engine.add_source(second, ShapeType::Clip);
    engine.overlay(rule, FillRule::NonZero)
}

/// An equivalent area made of polygons that do not cross themselves: any number of them, possibly
/// none.
#[must_use]
pub fn repaired(polygon: &Polygon) -> Vec<Polygon> {
    lattice::polygons(&lattice::shapes(
        std::slice::from_ref(polygon),
        Collinear::Drop,
    ))
}

/// Cuts `polygon` along `line`. Yields one piece where the line does not cut through.
#[must_use]
pub fn split(polygon: &Polygon, line: &[DVec2]) -> Vec<Polygon> {
    let shapes = lattice::shapes(std::slice::from_ref(polygon), Collinear::Drop);
    let Some(knife) = lattice::nodes([&line.to_vec()]) else {
        return lattice::polygons(&shapes);
    };
    let cut = shapes.slice_by_paths(&knife, FillRule::NonZero);
    // A cut that ends inside leaves a slit, an edge traversed in both directions; even–odd closes
    // it.
    let mut engine = lattice::engine(Collinear::Drop);
    let pieces: Vec<Shape> = cut
        .iter()
        .flat_map(|piece| lattice::even_odd(&mut engine, piece))
        .collect();
    lattice::polygons(&pieces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Random;
    use crate::geometry::{
        Rect,
        crossing::first_crossing,
        hostile::{any_point, any_polygon, small_polygon},
        polygon::{ring_contains, signed_area},
        trace::{CellGrid, traced},
    };
    use proptest::prelude::*;

    fn square(min: f64, max: f64) -> Polygon {
        Polygon::rect(Rect::new(DVec2::splat(min), DVec2::splat(max)))
    }

    fn area(polygons: &[Polygon]) -> f64 {
        polygons.iter().map(Polygon::area).sum()
    }

    #[test]
    fn a_bow_tie_is_repaired_to_two_triangles() {
        let tie = [(0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0)].map(DVec2::from);
        let repaired = repaired(&Polygon::new(tie.to_vec()));
        assert_eq!(repaired.len(), 2);
        assert_eq!(area(&repaired), 8.0);
        assert!(repaired.iter().all(|p| first_crossing(p).is_none()));
    }

    #[test]
    fn a_hole_in_the_wrong_place_is_cut_where_it_overlaps() {
        let polygon = Polygon {
            outer: square(0.0, 4.0).outer,
            holes: vec![square(1.0, 2.0).outer],
        };
        let union = union(&[polygon, square(10.0, 11.0)]);
        assert_eq!(union.len(), 2);
        assert_eq!(union[0].holes.len(), 1);
        assert!(signed_area(&union[0].outer) > 0.0 && signed_area(&union[0].holes[0]) < 0.0);
        assert_eq!(area(&union), 16.0);
    }

    #[test]
    fn the_four_operations_have_the_areas_they_should() {
        let (a, b) = ([square(0.0, 4.0)], [square(2.0, 6.0)]);
        assert_eq!(area(&union(&[a[0].clone(), b[0].clone()])), 28.0);
        assert_eq!(
            area(&combine(Combine::Union, &a, &b, Collinear::Keep)),
            28.0
        );
        assert_eq!(area(&difference(&a, &b)), 12.0);
        assert_eq!(area(&intersection(&a, &b)), 4.0);
        assert_eq!(area(&xor(&a, &b)), 24.0);
    }

    #[test]
    fn kept_collinear_points_leave_no_corner_in_the_middle_of_an_edge() {
        let wall = Polygon::rect(Rect::new(DVec2::ZERO, DVec2::new(10.0, 1.0)));
        let roof = Polygon::new(
            [(4.0, 3.0), (6.0, 3.0), (5.0, 1.0)]
                .map(DVec2::from)
                .to_vec(),
        );
        let parts = combine(Combine::Union, &[wall, roof], &[], Collinear::Keep);
        let touch = DVec2::new(5.0, 1.0);
        assert_eq!(parts.len(), 2);
        assert!(parts.iter().all(|p| p.outer.contains(&touch)), "{parts:?}");
    }

    #[test]
    fn the_knife_cuts_through_or_leaves_one_piece() {
        let block = square(0.0, 4.0);
        let cut = |line: &[(f64, f64)]| {
            split(
                &block,
                &line.iter().copied().map(DVec2::from).collect::<Vec<_>>(),
            )
        };
        let halves = cut(&[(-1.0, 1.0), (2.0, 1.0), (2.0, 5.0)]);
        assert_eq!(halves.len(), 2);
        assert_eq!(area(&halves), 16.0);
        for idle in [
            &[(-1.0, 1.0), (2.0, 1.0)][..],
            &[(9.0, 9.0), (8.0, 0.0)],
            &[],
            &[(1.0, 1.0)],
        ] {
            let whole = cut(idle);
            assert_eq!(whole.len(), 1, "{idle:?}");
            assert_eq!(whole[0].outer.len(), 4);
            assert_eq!(area(&whole), 16.0);
        }
        assert_eq!(cut(&[(f64::NAN, 1.0), (5.0, 1.0)]).len(), 1);
    }

    #[test]
    fn every_hole_lies_in_its_own_polygon_where_rings_touch_at_corners() {
        let mut random = Random::new(2);
        let grid = CellGrid {
            origin: DVec2::ZERO,
            cell: 0.125,
            columns: 80,
            rows: 80,
        };
        let blocked: Vec<bool> = (0..6400).map(|_| random.chance(0.4)).collect();
        let cells = traced(&grid, |x, y| blocked[y * 80 + x]);
        let free = combine(
            Combine::Difference,
            &[square(0.0, 10.0)],
            &cells,
            Collinear::Keep,
        );
        assert!(free.len() > 100);
        for polygon in &free {
            for hole in &polygon.holes {
                let middle = (hole[0] + hole[1]) * 0.5;
                assert!(ring_contains(&polygon.outer, middle), "{middle}");
            }
        }
    }

    #[test]
    fn polygons_that_are_not_finite_enclose_nothing() {
        let mut bad = square(0.0, 4.0);
        bad.outer[0].x = f64::NAN;
        assert!(union(&[bad.clone()]).is_empty());
        assert_eq!(area(&union(&[bad, square(0.0, 1.0)])), 1.0);
        assert!(repaired(&Polygon::default()).is_empty());
    }

    /// A star that goes round seven times with all corners in different places: its edges cross
    /// thousands of times. `points` is no multiple of 7.
    fn star(points: u32) -> Polygon {
        let corner = |i: u32| {
            let radius = if i.is_multiple_of(2) { 900.0 } else { 1000.0 };
            let turns = 7.0 * f64::from(i) / f64::from(points);
            radius * DVec2::from_angle(turns * std::f64::consts::TAU)
        };
        Polygon::new((0..points).map(corner).collect())
    }

    #[test]
    fn a_star_with_thousands_of_crossings_is_repaired_by_the_even_odd_rule() {
        let star = star(6_001);
        let repaired = repaired(&star);
        assert!(repaired.iter().map(|p| 1 + p.holes.len()).sum::<usize>() > 100);
        let (mut inside, mut outside) = (0, 0);
        for i in 0..400 {
            let p = DVec2::from_angle(f64::from(i) * 2.399_963) * (850.0 + f64::from(i % 80) * 2.0);
            if star.distance_to_edge(p) < 0.002 {
                continue;
            }
            let expected = star.contains(p);
            assert_eq!(
                repaired.iter().any(|area| area.contains(p)),
                expected,
                "{p}"
            );
            *(if expected { &mut inside } else { &mut outside }) += 1;
        }
        assert!(
            inside > 50 && outside > 50,
            "{inside} inside, {outside} outside"
        );
    }

    proptest! {
        #[test]
        fn the_result_agrees_with_the_question_at_every_cell(
            a in small_polygon(), b in small_polygon()
        ) {
            let (a, b) = ([a], [b]);
            let results = [
                (combine(Combine::Union, &a, &b, Collinear::Keep), 0b1110),
                (difference(&a, &b), 0b0010),
                (intersection(&a, &b), 0b1000),
                (xor(&a, &b), 0b0110),
            ];
            let contains = |polygons: &[Polygon], p| polygons.iter().any(|q| q.contains(p));
            // Crossings are rounded to the lattice, which shifts edges by less than 1 mm.
            for i in 0..64 {
                let p = DVec2::new(f64::from(i % 8) - 3.537, f64::from(i / 8) - 3.619);
                let edges = a[0].distance_to_edge(p).min(b[0].distance_to_edge(p));
                if edges < 0.001 {
                    continue;
                }
                let case = usize::from(contains(&a, p)) + 2 * usize::from(contains(&b, p));
                for (result, expected) in &results {
                    prop_assert_eq!(contains(result, p), expected >> case & 1 == 1);
                }
            }
        }

        #[test]
        fn output_is_in_order_whatever_the_input(
            a in any_polygon(), b in any_polygon(), knife in prop::collection::vec(any_point(), 0..5)
        ) {
            let both = [a.clone(), b.clone()];
            for result in [
                union(&both),
                difference(&both[..1], &both[1..]),
                xor(&both[..1], &both[1..]),
                repaired(&a),
                split(&b, &knife),
            ] {
                for polygon in result {
                    prop_assert!(signed_area(&polygon.outer) > 0.0);
                    prop_assert!(polygon.holes.iter().all(|h| signed_area(h) < 0.0));
                    prop_assert!(polygon.points().all(|p| p.is_finite()));
                    prop_assert_eq!(first_crossing(&polygon), None);
                }
            }
        }
    }
}

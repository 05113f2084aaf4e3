//! Growing and shrinking of areas, and stroking of lines.
//!
//! Growing is the union with the stroked outline, shrinking the difference: correct for any
//! polygon, including where rings merge, holes close and necks separate. Distances are rounded to
//! whole millimetres, and anything at most 1 mm wide vanishes, as everywhere on the lattice.

use super::{
    MAX_COORDINATE, Polygon, Rect,
    boolean::overlaid,
    lattice::{self, Collinear, Shape},
};
use glam::DVec2;
use i_overlay::{
    core::overlay_rule::OverlayRule,
    i_float::int::angle::Angle,
    mesh::int::{
        arc::ArcOptions,
        stroke::offset::IntStrokeOffset,
        style::{IntLineCap, IntLineJoin, IntStrokeStyle},
    },
};
use std::f64::consts::TAU;

/// How the outer side of a corner is closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Join {
    /// An arc whose chords deviate from the circle by at most `sag`; very large circles are limited
    /// to 1024 chords. Unit: metres.
    Round { sag: f64 },
    /// Edges extended until they meet; cut off where the tip would be farther from the corner than
    /// `limit` times the distance. At least 1.
    Miter { limit: f64 },
}

/// Whether a stroked line is a loop, and the shape of its ends if not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Half circles for round joins; for mitred ones, squares that extend by the radius.
    Covered,
    /// Cut off at the first and the last point.
    Flat,
    /// The last point is joined to the first.
    Closed,
}

/// The union of the areas, grown by `distance` or shrunk where it is negative.
#[must_use]
pub fn grow(polygons: &[Polygon], distance: f64, join: Join) -> Vec<Polygon> {
    let shapes = lattice::shapes(polygons, Collinear::Drop);
    // Stroke united outlines only: inside an overlap there are no edges.
    let united = overlaid(OverlayRule::Subject, &shapes, &[], Collinear::Drop);
    let rims: Vec<Shape> = united
        .iter()
        .flat_map(|shape| stroked(shape, distance.abs(), join, Ends::Closed))
        .collect();
    let rule = if distance < 0.0 {
        OverlayRule::Difference
    } else {
        OverlayRule::Union
    };
    lattice::polygons(&overlaid(rule, &united, &rims, Collinear::Drop))
}

/// Everything within `radius` of a line (for round joins; mitred corners extend further).
///
/// A single point gives a disc or a square.
#[must_use]
pub fn stroke(line: &[DVec2], radius: f64, join: Join, ends: Ends) -> Vec<Polygon> {
    let Some(path) = lattice::nodes([&line.to_vec()]) else {
        return Vec::new();
    };
    let is_point = path[0].windows(2).all(|pair| pair[0] == pair[1]);
    if let (Some(&at), true) = (line.first(), is_point) {
        return lattice::polygons(&lattice::shapes(&[dot(at, radius, join)], Collinear::Drop));
    }
    lattice::polygons(&stroked(&path, radius, join, ends))
}

fn stroked(paths: &Shape, radius: f64, join: Join, ends: Ends) -> Vec<Shape> {
    let radius = if radius.is_finite() { radius } else { 0.0 };
    let radius = (radius.clamp(0.0, MAX_COORDINATE) * lattice::PER_METRE).round();
    let (corner, cap) = match join {
        Join::Round { sag } => {
            let arc = arc_options(radius / lattice::PER_METRE, sag);
            (IntLineJoin::Round(arc), IntLineCap::Round(arc))
        }
        Join::Miter { limit } => {
            let narrowest = 2.0 * (1.0 / limit.max(1.0)).min(1.0).asin();
            (IntLineJoin::Miter(angle(narrowest)), IntLineCap::Square)
        }
    };
    let cap = if ends == Ends::Flat {
        IntLineCap::Butt
    } else {
        cap
    };
    let style = IntStrokeStyle::new(2 * radius as i64)
        .line_join(corner)
        .start_cap(cap.clone())
        .end_cap(cap);
    paths
        .stroke_custom(
            &style,
            ends == Ends::Closed,
            lattice::engine(Collinear::Drop).options,
        )
        .unwrap_or_default()
}

fn angle(radians: f64) -> Angle {
    Angle::from_radians(radians).unwrap_or(ArcOptions::MAX_STEP)
}

fn arc_options(radius: f64, sag: f64) -> ArcOptions {
    ArcOptions {
        max_step: angle(arc_step(radius, sag)),
        // Full precision: coarser rotation matrices deviate from the circle by more than the sag.
        rotation_precision: 32,
    }
}

/// Angle between points on a circle whose chords deviate by `sag`, from a 1024th to an eighth of
/// the circle. Unit: radians.
#[must_use]
pub fn arc_step(radius: f64, sag: f64) -> f64 {
    let share = if radius > 0.0 { sag / radius } else { 1.0 };
    (2.0 * (1.0 - share).clamp(-1.0, 1.0).acos()).clamp(TAU / 1024.0, TAU / 8.0)
}

fn dot(at: DVec2, radius: f64, join: Join) -> Polygon {
    match join {
        Join::Round { sag } => {
            let sides = (TAU / arc_step(radius, sag)).ceil() as usize;
            Polygon::regular(at, radius, sides, 0.0)
        }
        Join::Miter { .. } => Polygon::rect(Rect::around(at, DVec2::splat(radius))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{
        Polyline,
        hostile::{any_polygon, small_point, small_polygon},
        polygon::ring_edges,
    };
    use proptest::prelude::*;

    const ROUND: Join = Join::Round { sag: 0.005 };
    const MITER: Join = Join::Miter { limit: 4.0 };

    fn square(min: f64, max: f64) -> Polygon {
        Polygon::rect(Rect::new(DVec2::splat(min), DVec2::splat(max)))
    }

    fn area(polygons: &[Polygon]) -> f64 {
        polygons.iter().map(Polygon::area).sum()
    }

    #[test]
    fn a_square_grows_and_shrinks_by_the_distance() {
        let block = [square(0.0, 4.0)];
        assert!((area(&grow(&block, 1.0, MITER)) - 36.0).abs() < 0.01);
        let round = 16.0 + 16.0 + std::f64::consts::PI;
        assert!((area(&grow(&block, 1.0, ROUND)) - round).abs() < 0.05);
        for join in [ROUND, MITER] {
            assert!((area(&grow(&block, -1.0, join)) - 4.0).abs() < 0.01);
            assert!(grow(&block, -2.5, join).is_empty());
            assert_eq!(area(&grow(&block, 0.0, join)), 16.0);
            assert_eq!(area(&grow(&block, f64::NAN, join)), 16.0);
        }
    }

    #[test]
    fn holes_close_and_necks_part() {
        let mut ring = square(0.0, 9.0);
        ring.holes.push(square(4.0, 5.0).outer);
        assert!(grow(&[ring.clone()], 0.6, ROUND)[0].holes.is_empty());
        assert_eq!(grow(&[ring], 0.4, ROUND)[0].holes.len(), 1);
        let bell = [
            square(0.0, 4.0),
            Polygon::rect(Rect::new(DVec2::new(4.0, 1.5), DVec2::new(8.0, 2.5))),
            Polygon::rect(Rect::new(DVec2::new(8.0, 0.0), DVec2::new(12.0, 4.0))),
        ];
        assert_eq!(grow(&bell, 0.1, ROUND).len(), 1);
        assert_eq!(grow(&bell, -0.6, ROUND).len(), 2);
    }

    #[test]
    fn a_sharp_miter_is_cut_off() {
        let needle = [(0.0, 0.0), (10.0, 0.1), (10.0, -0.1)].map(DVec2::from);
        let grown = grow(&[Polygon::new(needle.to_vec())], 1.0, MITER);
        let reach = Rect::of_points(&grown[0].outer).min.x;
        assert!((-4.1..-0.9).contains(&reach), "{reach}");
    }

    #[test]
    fn strokes_have_the_requested_ends_and_a_single_point_is_a_dot() {
        let line = [DVec2::ZERO, DVec2::new(10.0, 0.0)];
        let width = |ends, join| {
            Rect::of_points(&stroke(&line, 1.0, join, ends)[0].outer)
                .size()
                .x
        };
        assert_eq!(width(Ends::Flat, ROUND), 10.0);
        assert!((width(Ends::Covered, ROUND) - 12.0).abs() < 0.02);
        assert_eq!(width(Ends::Covered, MITER), 12.0);
        let dot = stroke(&[DVec2::ONE; 3], 1.0, ROUND, Ends::Covered);
        assert!((area(&dot) - std::f64::consts::PI).abs() < 0.05);
        assert!(stroke(&[], 1.0, ROUND, Ends::Covered).is_empty());
        assert!(stroke(&[DVec2::NAN; 2], 1.0, ROUND, Ends::Covered).is_empty());
        assert!(stroke(&line, f64::NAN, ROUND, Ends::Covered).is_empty());
        let ring = stroke(&square(0.0, 10.0).outer, 1.0, MITER, Ends::Closed);
        assert_eq!(ring[0].holes.len(), 1);
        assert!((area(&ring) - 80.0).abs() < 0.01);
    }

    proptest! {
        #[test]
        fn a_round_stroke_is_what_lies_within_the_radius(
            line in prop::collection::vec(small_point(), 1..8),
            radius in 0.1..2.0,
            probes in prop::collection::vec((-6.0..6.0, -6.0..6.0), 20),
        ) {
            let area = stroke(&line, radius, ROUND, Ends::Covered);
            let line = Polyline::new(line);
            for p in probes.into_iter().map(DVec2::from) {
                let distance = line.closest(p).expect("the line has a point").distance;
                let covered = area.iter().any(|a| a.contains(p));
                if distance < radius - 0.012 || distance > radius + 0.004 {
                    prop_assert_eq!(covered, distance < radius, "{} {} {}", p, distance, radius);
                }
            }
        }

        #[test]
        fn growing_moves_the_border_by_the_distance(
            polygon in small_polygon(),
            distance in -1.5..1.5,
            probes in prop::collection::vec((-6.0..6.0, -6.0..6.0), 20),
        ) {
            let united = crate::geometry::boolean::repaired(&polygon);
            let grown = grow(&[polygon], distance, ROUND);
            for p in probes.into_iter().map(DVec2::from) {
                let depth = united
                    .iter()
                    .flat_map(Polygon::rings)
                    .flat_map(|ring| ring_edges(ring))
                    .map(|(a, b)| crate::geometry::polygon::closest_on_segment(a, b, p).distance(p))
                    .fold(f64::INFINITY, f64::min);
                let inside = united.iter().any(|a| a.contains(p));
                let signed = if inside { -depth } else { depth };
                if (signed - distance).abs() > 0.012 {
                    let expected = signed < distance;
                    prop_assert_eq!(grown.iter().any(|a| a.contains(p)), expected);
                }
            }
        }


        #[test]
        fn any_input_is_accepted(
            polygon in any_polygon(), distance in -1e6..1e6, share in 0.01..0.3, limit in -1.0..9.0
        ) {
            let sag = f64::abs(distance) * share;
            for join in [Join::Round { sag }, Join::Miter { limit }] {
                for grown in grow(std::slice::from_ref(&polygon), distance, join) {
                    prop_assert!(grown.points().all(|p| p.is_finite()));
                }
            }
        }
    }

    #[test]
    fn an_unreasonable_sag_is_clamped() {
        for sag in [0.0, -1.0, 1e9, f64::NAN] {
            let dot = stroke(&[DVec2::ZERO], 2.0, Join::Round { sag }, Ends::Covered);
            assert!((3..=1024).contains(&dot[0].outer.len()), "{sag}");
            let grown = grow(&[square(0.0, 4.0)], 2.0, Join::Round { sag });
            assert!((4..=1028).contains(&grown[0].outer.len()), "{sag}");
        }
    }
}

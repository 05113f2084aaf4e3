//! The sweep seen in all eight orientations: one diagram, with left on the left.

use super::{Diagram, Edge, Snapped, Symmetry, outlines};
use crate::geometry::Polygon;
use crate::geometry::hostile::small_polygon;
use glam::DVec2;
use proptest::prelude::*;

/// Whether going from the first end to the second, the first site is on the left and the other on
/// the right. `None` where there is too little of the edge to tell.
fn has_left_on_the_left(diagram: &Diagram, edge: &Edge) -> Option<bool> {
    let [from, to] = edge.ends.map(|end| Some(diagram.vertices[end? as usize]));
    let (from, to) = (from?, to?);
    let middle = from.midpoint(to);
    let [left, right] = edge.sites.map(|site| diagram.closest(site, middle));
    let turn = (to - from).perp_dot(left - right);
    (from.distance(to) > 1e-3 && left.distance(right) > 1e-3).then_some(turn > 0.0)
}

/// An edge by its places: ends in the order that puts the lower first, then what lies left of it
/// and what lies right of it.
fn by_places(diagram: &Diagram, edge: &Edge) -> Option<[DVec2; 4]> {
    let [a, b] = edge.ends.map(|end| Some(diagram.vertices[end? as usize]));
    let (a, b) = (a?, b?);
    let [left, right] = edge.sites.map(|site| diagram.closest(site, a.midpoint(b)));
    let is_in_order = (a.x, a.y) <= (b.x, b.y);
    Some(if is_in_order {
        [a, b, left, right]
    } else {
        [b, a, right, left]
    })
}

fn is_same(a: &[DVec2; 4], b: &[DVec2; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.distance(*b) < 1e-6)
}

fn check(areas: &[Polygon]) -> Result<usize, TestCaseError> {
    let Ok(input) = Snapped::of(&outlines(areas)) else {
        return Ok(0);
    };
    let mut told = 0;
    let mut first: Option<Vec<[DVec2; 4]>> = None;
    for number in 0..8 {
        let Some(diagram) = Symmetry::numbered(number).build(&input) else {
            continue;
        };
        let primary = || diagram.edges.iter().filter(|edge| !edge.is_secondary);
        for edge in primary() {
            if let Some(is_left) = has_left_on_the_left(&diagram, edge) {
                prop_assert!(is_left, "symmetry {}: {:?}", number, edge);
                told += 1;
            }
        }
        // Long edges, which rounding cannot turn round or merge.
        let edges: Vec<[DVec2; 4]> = primary()
            .filter_map(|edge| by_places(&diagram, edge))
            .filter(|places| (places[1].x - places[0].x).abs() > 1e-3)
            .collect();
        if let Some(first) = &first {
            prop_assert_eq!(first.len(), edges.len(), "symmetry {}", number);
            for edge in &edges {
                prop_assert!(
                    first.iter().any(|other| is_same(edge, other)),
                    "symmetry {}: {:?} is not in the diagram",
                    number,
                    edge
                );
            }
        } else {
            first = Some(edges);
        }
    }
    Ok(told)
}

#[test]
fn every_symmetry_has_left_on_the_left() {
    let blocks = [
        Polygon::regular(DVec2::ZERO, 3.0, 5, 0.1),
        Polygon::regular(DVec2::new(8.0, 1.0), 2.0, 7, 0.4),
        Polygon::regular(DVec2::new(3.0, 9.0), 2.5, 3, 1.0),
    ];
    let told = check(&blocks).unwrap_or_else(|error| panic!("{error}"));
    assert!(told > 100, "only {told} edges were looked at");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn symmetries_agree_whatever_is_drawn(a in small_polygon(), b in small_polygon()) {
        let apart = b.map(|p| p + DVec2::new(12.3, 0.7));
        check(&[a, apart])?;
    }
}

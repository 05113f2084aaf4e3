//! The area that a mesh covers, from its edges.
//!
//! An edge between two polygons is passed once each way, so the edges that are passed one way alone
//! are the outline. That takes no boolean, and does not move a corner.

use crate::geometry::polygon::{ring_contains, signed_area};
use crate::geometry::{Polygon, Rect, Ring};
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

/// Areas with holes that the faces cover together; corners are indices into `places`. `None` if
/// faces overlap, so that edges do not tell.
pub(super) fn outlines(places: &[DVec2], faces: &[Vec<usize>]) -> Option<Vec<Polygon>> {
    let same = same_places(places);
    let mut open = BTreeSet::new();
    for face in faces {
        let mut corners: Vec<usize> = face.iter().map(|corner| same[*corner]).collect();
        corners.dedup();
        let area = signed_area(&corners.iter().map(|i| places[*i]).collect::<Vec<_>>());
        if area == 0.0 {
            continue;
        }
        if area < 0.0 {
            corners.reverse();
        }
        for (i, &from) in corners.iter().enumerate() {
            let to = corners[(i + 1) % corners.len()];
            if from != to && !open.remove(&(to, from)) && !open.insert((from, to)) {
                return None;
            }
        }
    }
    Some(nested(rings(places, open)))
}

/// For each place the first one with the same coordinates.
fn same_places(places: &[DVec2]) -> Vec<usize> {
    let mut known = BTreeMap::new();
    let key = |p: &DVec2| [p.x + 0.0, p.y + 0.0].map(f64::to_bits);
    (places.iter().enumerate())
        .map(|(i, p)| *known.entry(key(p)).or_insert(i))
        .collect()
}

/// Joins edges with the area on their left. Where more than one goes on from a corner, it is the
/// one that bounds the same area, so rings touch themselves nowhere.
fn rings(places: &[DVec2], edges: BTreeSet<(usize, usize)>) -> Vec<Ring> {
    let mut onward: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (from, to) in edges {
        onward.entry(from).or_default().push(to);
    }
    let mut rings = Vec::new();
    while let Some((&first, _)) = onward.first_key_value() {
        let mut ring = Vec::new();
        let (mut came_from, mut at) = (None, first);
        while let Some(choices) = onward.get_mut(&at) {
            ring.push(places[at]);
            let next = choices.swap_remove(came_from.map_or(0, |from| {
                next_clockwise(places, places[at], places[from], choices)
            }));
            if choices.is_empty() {
                onward.remove(&at);
            }
            (came_from, at) = (Some(at), next);
            if at == first {
                break;
            }
        }
        rings.push(ring);
    }
    rings
}

/// Which of the corners to go to is the first one clockwise from where one came from.
fn next_clockwise(places: &[DVec2], at: DVec2, from: DVec2, choices: &[usize]) -> usize {
    let back = (from - at).to_angle();
    let turn = |to: &usize| match (back - (places[*to] - at).to_angle()).rem_euclid(TAU) {
        0.0 => TAU,
        turn => turn,
    };
    let turns = choices.iter().map(turn).enumerate();
    turns
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map_or(0, |(i, _)| i)
}

/// Clockwise rings are holes of the smallest area around them.
fn nested(rings: Vec<Ring>) -> Vec<Polygon> {
    let (outer, holes): (Vec<Ring>, Vec<Ring>) = rings
        .into_iter()
        .filter(|ring| ring.len() > 2)
        .partition(|ring| signed_area(ring) > 0.0);
    let mut areas: Vec<(f64, Rect, Polygon)> = outer
        .into_iter()
        .map(|ring| {
            let bounds = Rect::of_points(&ring);
            (signed_area(&ring), bounds, Polygon::new(ring))
        })
        .collect();
    areas.sort_by(|a, b| a.0.total_cmp(&b.0));
    for hole in holes {
        let bounds = Rect::of_points(&hole);
        // Rings meet at corners alone.
        let middle = hole[0].midpoint(hole[1]);
        let around = areas.iter_mut().find(|(_, around, polygon)| {
            around.contains_rect(&bounds) && ring_contains(&polygon.outer, middle)
        });
        if let Some((.., polygon)) = around {
            polygon.holes.push(hole);
        }
    }
    areas.into_iter().map(|(.., polygon)| polygon).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares of a grid, by their lower left corners; every square has corners of its own.
    fn squares(at: &[(i32, i32)]) -> (Vec<DVec2>, Vec<Vec<usize>>) {
        let mut places = Vec::new();
        let faces = at.iter().map(|&(x, y)| {
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)];
            places.extend(corners.map(|(dx, dy)| DVec2::new(f64::from(x + dx), f64::from(y + dy))));
            (places.len() - 4..places.len()).collect()
        });
        let faces = faces.collect();
        (places, faces)
    }

    fn areas(at: &[(i32, i32)]) -> Vec<(f64, usize)> {
        let (places, faces) = squares(at);
        let polygons = outlines(&places, &faces).expect("nothing overlaps");
        polygons.iter().map(|p| (p.area(), p.holes.len())).collect()
    }

    #[test]
    fn a_ring_of_squares_has_a_hole_and_what_is_in_it_is_an_area_of_its_own() {
        let mut ring: Vec<(i32, i32)> = (0..5)
            .flat_map(|i| [(i, 0), (i, 4), (0, i), (4, i)])
            .collect();
        ring.sort_unstable();
        ring.dedup();
        assert_eq!(areas(&ring), [(16.0, 1)]);
        ring.push((2, 2));
        assert_eq!(areas(&ring), [(1.0, 0), (16.0, 1)]);
    }

    #[test]
    fn squares_that_touch_at_a_corner_are_two_areas() {
        assert_eq!(areas(&[(0, 0), (1, 1)]), [(1.0, 0), (1.0, 0)]);
        assert_eq!(areas(&[(0, 0), (1, 0), (2, 1)]), [(1.0, 0), (2.0, 0)]);
    }

    #[test]
    fn either_direction_will_do_and_overlaps_are_told() {
        let (places, mut faces) = squares(&[(0, 0), (1, 0)]);
        faces[1].reverse();
        let polygons = outlines(&places, &faces).expect("nothing overlaps");
        assert_eq!(polygons.len(), 1);
        assert_eq!(polygons[0].area(), 2.0);
        let (places, faces) = squares(&[(0, 0), (0, 0)]);
        assert_eq!(outlines(&places, &faces), None);
    }
}

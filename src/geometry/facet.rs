//! Triangulation of flat polygonal faces.

use super::triangulation::Triangulation;
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;

/// Appends the triangles of a face, keeping its winding. Convex faces become fans; others are
/// triangulated in their plane. Faces that cross themselves or have no plane become fans too.
pub fn triangles_of(vertices: &[DVec3], corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    if let [a, b, c] = *corners {
        triangles.push([a, b, c]);
        return;
    }
    let place = |i: u32| vertices.get(i as usize).copied().unwrap_or_default();
    let normal = newell(corners.iter().map(|i| place(*i)));
    let (u, v) = normal.any_orthonormal_pair();
    let (u, v) = if u.cross(v).dot(normal) < 0.0 {
        (v, u)
    } else {
        (u, v)
    };
    let flat: Vec<DVec2> = corners
        .iter()
        .map(|i| place(*i))
        .map(|p| DVec2::new(p.dot(u), p.dot(v)))
        .collect();
    if !is_convex(&flat)
        && let Some(found) = triangulated(&flat, corners)
    {
        triangles.extend(found);
        return;
    }
    let fan = corners.windows(2).skip(1);
    triangles.extend(fan.map(|pair| [corners[0], pair[0], pair[1]]));
}

/// Twice the face's area along its normal (Newell); an arbitrary direction for a face without area.
fn newell(corners: impl Iterator<Item = DVec3> + Clone) -> DVec3 {
    let Some(origin) = corners.clone().next() else {
        return DVec3::Z;
    };
    let next = corners.clone().skip(1).chain([origin]);
    let area: DVec3 = corners
        .zip(next)
        .map(|(a, b)| (a - origin).cross(b - origin))
        .sum();
    area.try_normalize().unwrap_or(DVec3::Z)
}

fn is_convex(ring: &[DVec2]) -> bool {
    let count = ring.len();
    let turns = |i: usize| {
        let (a, b, c) = (ring[i], ring[(i + 1) % count], ring[(i + 2) % count]);
        (b - a).perp_dot(c - b)
    };
    // A star polygon also turns in one direction only, but more than once around.
    let around: f64 = (0..count)
        .map(|i| {
            let (a, b, c) = (ring[i], ring[(i + 1) % count], ring[(i + 2) % count]);
            (b - a).angle_to(c - b)
        })
        .filter(|angle| angle.is_finite())
        .sum();
    (0..count).all(|i| turns(i) >= 0.0) && around < 1.5 * std::f64::consts::TAU
}

/// Triangles between the given corners only that cover the ring; `None` if there are none.
fn triangulated(flat: &[DVec2], corners: &[u32]) -> Option<Vec<[u32; 3]>> {
    let key = |p: DVec2| (p + DVec2::ZERO).to_array().map(f64::to_bits);
    let index: BTreeMap<[u64; 2], u32> = flat
        .iter()
        .zip(corners)
        .map(|(p, corner)| (key(*p), *corner))
        .collect();
    let found = Triangulation::of_rings(&[flat.to_vec()]);
    let area: f64 = (0..flat.len())
        .map(|i| {
            let (a, b) = (flat[i] - flat[0], flat[(i + 1) % flat.len()] - flat[0]);
            a.perp_dot(b) * 0.5
        })
        .sum();
    // Parts of a self-crossing face may cancel and leave nothing.
    if found.triangles.is_empty() || (found.area() - area).abs() > 1e-9 * area.abs() {
        return None;
    }
    found
        .triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|i| index.get(&key(found.points[i as usize])).copied());
            Some([a?, b?, c?])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(vertices: &[DVec3], triangles: &[[u32; 3]]) -> DVec3 {
        triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| vertices[i as usize]);
                (b - a).cross(c - a) * 0.5
            })
            .sum()
    }

    fn faced(outline: &[(f64, f64)]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        // A tilted plane, far from the origin.
        let vertices: Vec<DVec3> = outline
            .iter()
            .map(|(x, y)| DVec3::new(500.0 + x, 700.0 - y, 3.0 * x + 10.0))
            .collect();
        let corners: Vec<u32> = (0..vertices.len() as u32).collect();
        let mut triangles = Vec::new();
        triangles_of(&vertices, &corners, &mut triangles);
        (vertices, triangles)
    }

    #[test]
    fn convex_and_concave_faces_keep_their_area_and_their_side() {
        let square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)];
        // The reflex corner makes any fan from the first corner leave the face.
        let arrow = [(0.0, 0.0), (1.0, 3.0), (2.0, 0.0), (1.0, 1.0)];
        let comb = [
            (0.0, 0.0),
            (5.0, 0.0),
            (5.0, 3.0),
            (4.0, 3.0),
            (4.0, 1.0),
            (3.0, 1.0),
            (3.0, 3.0),
            (0.0, 3.0),
        ];
        for (outline, expected) in [(&square[..], 4.0), (&arrow[..], -2.0), (&comb[..], 13.0)] {
            for reversed in [false, true] {
                let mut outline = outline.to_vec();
                let mut expected: f64 = expected;
                if reversed {
                    outline.reverse();
                    expected = -expected;
                }
                let (vertices, triangles) = faced(&outline);
                assert_eq!(triangles.len(), outline.len() - 2);
                let side = DVec3::new(3.0, 0.0, -1.0);
                let each: f64 = triangles
                    .iter()
                    .map(|t| area(&vertices, &[*t]).length())
                    .sum();
                let whole = area(&vertices, &triangles);
                assert!(
                    (each - expected.abs() * 10.0_f64.sqrt()).abs() < 1e-6,
                    "{each}"
                );
                assert!(
                    (whole - side * expected).length() < 1e-6,
                    "{whole} {expected}"
                );
            }
        }
    }

    #[test]
    fn faces_that_make_no_sense_are_still_triangles() {
        for outline in [
            vec![(0.0, 0.0); 5],
            vec![(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)],
            vec![(0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (0.0, 2.0)],
        ] {
            let (_, triangles) = faced(&outline);
            assert_eq!(triangles.len(), outline.len() - 2);
        }
    }
}

//! Flat outlines extruded into closed solids.

use super::{TriMesh, triangulation::Triangulation};
use glam::{DVec2, DVec3};

/// The solid between two copies of a flat outline, placed in space by `bottom` and `top`. Closed;
/// faces point outwards if `top` lies on the side from which the outline is counter-clockwise.
#[must_use]
pub fn extrude(
    flat: &Triangulation,
    bottom: impl Fn(DVec2) -> DVec3,
    top: impl Fn(DVec2) -> DVec3,
) -> TriMesh {
    let count = flat.points.len() as u32;
    let mut mesh = TriMesh {
        vertices: flat
            .points
            .iter()
            .map(|p| bottom(*p))
            .chain(flat.points.iter().map(|p| top(*p)))
            .collect(),
        triangles: Vec::with_capacity(2 * (flat.triangles.len() + flat.outline.len())),
    };
    for &[a, b, c] in &flat.triangles {
        mesh.triangles.push([a, c, b]);
        mesh.triangles.push([a + count, b + count, c + count]);
    }
    for &[a, b] in &flat.outline {
        mesh.add_quad([a, b, b + count, a + count]);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::hostile;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_prism_is_closed_and_as_large_as_its_floor_says(polygon in hostile::small_polygon()) {
            let flat = Triangulation::of_polygon(&polygon);
            let mesh = extrude(&flat, |p| p.extend(-1.0), |p| p.extend(2.0));
            prop_assert_eq!(mesh.is_closed(), !flat.triangles.is_empty());
            prop_assert!((mesh.volume() - 3.0 * flat.area()).abs() < 1e-6);
        }
    }
}

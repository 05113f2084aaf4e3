//! Triangle meshes in space: indexed triangles, counter-clockwise seen from outside.

use super::Aabb;
use glam::{DAffine3, DVec3};
use std::collections::HashMap;

/// Corners welded between two checks for cancellation.
const AT_ONCE: usize = 1 << 14;

/// Triangles share corners by index. The surface is connected where two triangles use the same
/// corners; one that is connected everywhere is [closed](TriMesh::is_closed).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriMesh {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl TriMesh {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The corners of every triangle; triangles with invalid indices are skipped.
    pub fn corners(&self) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        (0..self.triangles.len()).filter_map(|i| self.triangle(i))
    }

    #[must_use]
    pub fn triangle(&self, index: usize) -> Option<[DVec3; 3]> {
        let [a, b, c] = *self.triangles.get(index)?;
        let at = |i: u32| self.vertices.get(i as usize).copied();
        Some([at(a)?, at(b)?, at(c)?])
    }

    #[must_use]
    pub fn bounds(&self) -> Aabb {
        Aabb::of_points(self.vertices.iter().copied())
    }

    /// Adds a flat quadrilateral, corners in order, as two triangles.
    pub fn add_quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }

    /// Appends another mesh without merging vertices.
    pub fn append(&mut self, other: &Self) {
        let offset = self.vertices.len() as u32;
        self.vertices.extend_from_slice(&other.vertices);
        self.triangles
            .extend(other.triangles.iter().map(|t| t.map(|i| i + offset)));
    }

    /// Maps every vertex. Winding is flipped if the map mirrors, so faces still point outwards.
    #[must_use]
    pub fn transformed(&self, map: &DAffine3) -> Self {
        let vertices = self
            .vertices
            .iter()
            .map(|v| map.transform_point3(*v))
            .collect();
        let mirrored = map.matrix3.determinant() < 0.0;
        let triangles = self
            .triangles
            .iter()
            .map(|&[a, b, c]| if mirrored { [a, c, b] } else { [a, b, c] });
        Self {
            vertices,
            triangles: triangles.collect(),
        }
    }

    /// Merges vertices at identical positions and drops the triangles that degenerate.
    #[must_use]
    pub fn welded(&self) -> Self {
        let welded = self.welded_while(|| Ok::<(), std::convert::Infallible>(()));
        match welded {
            Ok(welded) => welded,
            Err(never) => match never {},
        }
    }

    /// [`Self::welded`], calling `go_on` at intervals and stopping at its first error.
    ///
    /// # Errors
    /// The error of `go_on`.
    pub fn welded_while<E>(&self, mut go_on: impl FnMut() -> Result<(), E>) -> Result<Self, E> {
        let mut index = HashMap::with_capacity(self.vertices.len());
        let mut vertices = Vec::new();
        let mut renumbered: Vec<u32> = Vec::with_capacity(self.vertices.len());
        for some in self.vertices.chunks(AT_ONCE) {
            go_on()?;
            renumbered.extend(some.iter().map(|v| {
                // Adding zero turns −0 into 0.
                let key = (*v + DVec3::ZERO).to_array().map(f64::to_bits);
                *index.entry(key).or_insert_with(|| {
                    vertices.push(*v);
                    vertices.len() as u32 - 1
                })
            }));
        }
        go_on()?;
        let triangles = self.triangles.iter().filter_map(|t| {
            let [a, b, c] = [
                *renumbered.get(t[0] as usize)?,
                *renumbered.get(t[1] as usize)?,
                *renumbered.get(t[2] as usize)?,
            ];
            (a != b && b != c && c != a).then_some([a, b, c])
        });
        let triangles = triangles.collect();
        go_on()?;
        Ok(Self {
            vertices,
            triangles,
        })
    }

    /// Whether every edge is used equally often in both directions, so that the mesh bounds a
    /// volume. Compares indices; [weld](Self::welded) imported meshes first.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let mut edges: Vec<(u32, u32, i32)> = self
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
            .map(|(a, b)| if a < b { (a, b, 1) } else { (b, a, -1) })
            .collect();
        edges.sort_unstable_by_key(|&(a, b, _)| (a, b));
        !edges.is_empty()
            && edges
                .chunk_by(|x, y| (x.0, x.1) == (y.0, y.1))
                .all(|same| same.iter().map(|e| e.2).sum::<i32>() == 0)
    }

    /// Volume of a closed mesh; negative if it is inside out. Unit: m³.
    #[must_use]
    pub fn volume(&self) -> f64 {
        // Relative to a vertex of the mesh: far from the origin the products would cancel.
        let origin = self.vertices.first().copied().unwrap_or_default();
        self.corners()
            .map(|[a, b, c]| (a - origin).dot((b - origin).cross(c - origin)) / 6.0)
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tetrahedron() -> TriMesh {
        TriMesh {
            vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
            triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
        }
    }

    #[test]
    fn a_tetrahedron_is_closed_until_a_face_is_missing() {
        let mut mesh = tetrahedron();
        assert!(mesh.is_closed());
        assert!((mesh.volume() - 1.0 / 6.0).abs() < 1e-12);
        mesh.triangles.pop();
        assert!(!mesh.is_closed());
        assert!(!TriMesh::default().is_closed());
    }

    #[test]
    fn a_mirrored_mesh_keeps_its_outside() {
        let mirror = DAffine3::from_scale(DVec3::new(-1.0, 2.0, 1.0));
        let mirrored = tetrahedron().transformed(&mirror);
        assert!((mirrored.volume() - 2.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn welding_stops_when_cancelled() {
        let mesh = TriMesh {
            vertices: (0..100_000).map(|i| DVec3::X * f64::from(i)).collect(),
            triangles: Vec::new(),
        };
        let mut asked = 0;
        let given_up = mesh.welded_while(|| {
            asked += 1;
            if asked < 3 { Ok(()) } else { Err("enough") }
        });
        assert_eq!(given_up, Err("enough"));
        assert_eq!(asked, 3);
        assert_eq!(mesh.welded_while(|| Ok::<(), ()>(())), Ok(mesh.welded()));
    }

    #[test]
    fn loose_triangles_are_closed_once_welded() {
        let whole = tetrahedron();
        let loose = TriMesh {
            vertices: whole.corners().flatten().collect(),
            triangles: (0..4).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
        };
        assert!(!loose.is_closed());
        assert!(loose.welded().is_closed());
        assert_eq!(loose.welded().vertices.len(), 4);
    }

    #[test]
    fn wrong_indices_are_passed_over() {
        let mesh = TriMesh {
            vertices: vec![DVec3::ZERO],
            triangles: vec![[0, 1, 9]],
        };
        assert_eq!(mesh.corners().count(), 0);
        assert!(mesh.welded().triangles.is_empty());
        assert_eq!(mesh.volume(), 0.0);
    }
}

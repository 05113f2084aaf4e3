//! Feature edges of a mesh.

use super::TriMesh;
use glam::DVec3;

/// Boundary edges and edges whose dihedral angle has a cosine below `cosine`. Sorted.
#[must_use]
pub fn feature_edges(mesh: &TriMesh, cosine: f64) -> Vec<[u32; 2]> {
    let normals: Vec<DVec3> = (0..mesh.triangles.len())
        .map(|i| {
            let [a, b, c] = mesh.triangle(i).unwrap_or_default();
            (b - a).cross(c - a).normalize_or_zero()
        })
        .collect();
    let mut edges: Vec<(u32, u32, u32)> = mesh
        .triangles
        .iter()
        .zip(0..)
        .flat_map(|(&[a, b, c], i)| [(a, b), (b, c), (c, a)].map(|(a, b)| (a.min(b), a.max(b), i)))
        .collect();
    edges.sort_unstable();
    edges
        .chunk_by(|x, y| (x.0, x.1) == (y.0, y.1))
        .filter(|same| match same {
            [first, second] => {
                let bend = normals[first.2 as usize].dot(normals[second.2 as usize]);
                bend < cosine
            }
            _ => true,
        })
        .map(|same| [same[0].0, same[0].1])
        .filter(|[a, b]| mesh.vertices.len() > (*a).max(*b) as usize)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_square_has_four_edges_and_no_diagonal() {
        let mut mesh = TriMesh {
            vertices: vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y],
            triangles: Vec::new(),
        };
        mesh.add_quad([0, 1, 2, 3]);
        assert_eq!(feature_edges(&mesh, 0.9), [[0, 1], [0, 3], [1, 2], [2, 3]]);
        mesh.vertices[3].z = 5.0;
        assert_eq!(
            feature_edges(&mesh, 0.9).len(),
            5,
            "bent, the diagonal shows"
        );
    }
}

//! A bounding volume hierarchy over the triangles of a mesh, for ray casts.

use super::{Aabb, Ray, TriMesh};
use glam::DVec3;

/// Maximum triangles per leaf.
const LEAF: usize = 4;

/// The first triangle hit by a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshHit {
    /// Distance along the ray, in lengths of its direction.
    pub t: f64,
    pub triangle: usize,
}

#[derive(Clone, Debug)]
struct Node {
    min: [f32; 3],
    max: [f32; 3],
    /// First triangle of a leaf, or index of the right child; the left child follows its parent.
    at: u32,
    /// Number of triangles in a leaf; 0 for an inner node.
    count: u32,
}

/// Does not own its mesh: query it with the mesh it was built from.
#[derive(Clone, Debug, Default)]
pub struct MeshTree {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl MeshTree {
    /// Splits at the median of the longest axis: O(n log n) for any mesh.
    #[must_use]
    pub fn new(mesh: &TriMesh) -> Self {
        let boxes: Vec<([f32; 3], [f32; 3])> = (0..mesh.triangles.len())
            .map(|i| {
                let [a, b, c] = mesh.triangle(i).unwrap_or_default();
                let bounds = Aabb::of_points([a, b, c]);
                (rounded_down(bounds.min), rounded_up(bounds.max))
            })
            .collect();
        let mut tree = Self {
            nodes: Vec::with_capacity(mesh.triangles.len()),
            order: (0..mesh.triangles.len() as u32).collect(),
        };
        if !tree.order.is_empty() {
            let count = tree.order.len();
            tree.split(&boxes, 0, count);
        }
        tree
    }

    fn split(&mut self, boxes: &[([f32; 3], [f32; 3])], from: usize, until: usize) {
        let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for i in &self.order[from..until] {
            let (low, high) = boxes[*i as usize];
            for axis in 0..3 {
                min[axis] = min[axis].min(low[axis]);
                max[axis] = max[axis].max(high[axis]);
            }
        }
        let node = self.nodes.len();
        self.nodes.push(Node {
            min,
            max,
            at: from as u32,
            count: (until - from) as u32,
        });
        if until - from <= LEAF {
            return;
        }
        let axis = (0..3)
            .max_by(|a, b| (max[*a] - min[*a]).total_cmp(&(max[*b] - min[*b])))
            .unwrap_or(0);
        let middle = from.midpoint(until);
        self.order[from..until].select_nth_unstable_by(middle - from, |a, b| {
            let centre = |i: u32| boxes[i as usize].0[axis] + boxes[i as usize].1[axis];
            centre(*a).total_cmp(&centre(*b)).then(a.cmp(b))
        });
        self.split(boxes, from, middle);
        self.nodes[node].count = 0;
        self.nodes[node].at = self.nodes.len() as u32;
        self.split(boxes, middle, until);
    }

    /// The first triangle within `limit`; among equals, the lowest index.
    #[must_use]
    pub fn first_hit(&self, mesh: &TriMesh, ray: &Ray, limit: f64) -> Option<MeshHit> {
        let mut best: Option<MeshHit> = None;
        let mut reach = limit;
        let mut stack = vec![0_usize];
        while let Some(index) = stack.pop() {
            let Some(node) = self.nodes.get(index) else {
                continue;
            };
            if ray.enters(&node.bounds(), reach).is_none() {
                continue;
            }
            if node.count == 0 {
                stack.push(node.at as usize);
                stack.push(index + 1);
                continue;
            }
            let from = node.at as usize;
            for i in &self.order[from..from + node.count as usize] {
                let triangle = *i as usize;
                let Some(t) = mesh.triangle(triangle).and_then(|t| ray.crosses(t)) else {
                    continue;
                };
                let nearer = best.is_none_or(|b| t < b.t || t == b.t && triangle < b.triangle);
                if t <= reach && nearer {
                    reach = t;
                    best = Some(MeshHit { t, triangle });
                }
            }
        }
        best
    }
}

impl Node {
    fn bounds(&self) -> Aabb {
        let wide = |p: [f32; 3]| DVec3::from_array(p.map(f64::from));
        Aabb::new(wide(self.min), wide(self.max))
    }
}

/// Boxes are stored in single precision, rounded outwards so they still contain their triangles.
fn rounded_down(p: DVec3) -> [f32; 3] {
    p.to_array().map(|x| {
        let near = x as f32;
        if f64::from(near) > x {
            near.next_down()
        } else {
            near
        }
    })
}

fn rounded_up(p: DVec3) -> [f32; 3] {
    p.to_array().map(|x| {
        let near = x as f32;
        if f64::from(near) < x {
            near.next_up()
        } else {
            near
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn brute_force(mesh: &TriMesh, ray: &Ray, limit: f64) -> Option<MeshHit> {
        (0..mesh.triangles.len())
            .filter_map(|triangle| {
                let t = ray.crosses(mesh.triangle(triangle)?)?;
                (t <= limit).then_some(MeshHit { t, triangle })
            })
            .min_by(|a, b| a.t.total_cmp(&b.t).then(a.triangle.cmp(&b.triangle)))
    }

    fn soup() -> impl Strategy<Value = TriMesh> {
        let whole = (-6i32..6, -6i32..6, -6i32..6)
            .prop_map(|(x, y, z)| DVec3::new(f64::from(x), f64::from(y), f64::from(z)));
        let fine = prop::array::uniform3(-6.0f64..6.0).prop_map(DVec3::from_array);
        prop::collection::vec(prop_oneof![whole, fine], 3..90).prop_map(|vertices| TriMesh {
            triangles: (0..vertices.len() as u32 / 3)
                .map(|i| [3 * i, 3 * i + 1, 3 * i + 2])
                .collect(),
            vertices,
        })
    }

    proptest! {
        #[test]
        fn the_tree_finds_what_looking_at_every_triangle_finds(
            mesh in soup(),
            origin in prop::array::uniform3(-9.0f64..9.0),
            direction in prop::array::uniform3(-1.0f64..1.0),
            limit in prop_oneof![Just(f64::INFINITY), 0.0f64..20.0],
        ) {
            let ray = Ray::new(DVec3::from_array(origin), DVec3::from_array(direction));
            let tree = MeshTree::new(&mesh);
            prop_assert_eq!(tree.first_hit(&mesh, &ray, limit), brute_force(&mesh, &ray, limit));
        }
    }

    #[test]
    fn an_empty_mesh_has_no_hits() {
        let ray = Ray::new(DVec3::ZERO, DVec3::Z);
        let empty = TriMesh::default();
        assert_eq!(MeshTree::new(&empty).first_hit(&empty, &ray, 1e9), None);
    }
}

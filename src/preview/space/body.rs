//! Bodies of a scene, prepared for drawing and picking.

use super::layer::{Manner, Rgba, SpaceLayer, SpaceLine, SpaceVertex, opaque};
use crate::base::Colour;
use crate::document::{MeshModel, SceneObject};
use crate::geometry::{Aabb, MeshTree, Ray, mesh_edges::feature_edges};
use glam::DVec3;
use std::sync::{Arc, OnceLock};

/// Edges that bend less than this are not drawn: cosine of 30°.
const EDGE_COSINE: f64 = 0.866;
/// A mesh with more edges than this is drawn without them: they would be a blot.
const MAX_EDGES: usize = 60_000;

/// Derived data of a body. Large parts are shared: a body that only moved keeps them.
#[derive(Clone, Debug)]
pub struct Body {
    pub object: SceneObject,
    /// World-space bounds.
    pub bounds: Aabb,
    derived: Arc<Derived>,
}

#[derive(Debug, Default)]
struct Derived {
    tree: OnceLock<MeshTree>,
    edges: OnceLock<Vec<[u32; 2]>>,
}

impl Body {
    #[must_use]
    pub fn new(object: SceneObject) -> Self {
        Self {
            bounds: object.bounds(),
            object,
            derived: Arc::default(),
        }
    }

    /// Reuses the derived data of another body with the same mesh.
    #[must_use]
    pub fn sharing(object: SceneObject, other: &Self) -> Self {
        let derived = if Arc::ptr_eq(&object.mesh, &other.object.mesh) {
            Arc::clone(&other.derived)
        } else {
            Arc::default()
        };
        Self {
            bounds: object.bounds(),
            object,
            derived,
        }
    }

    #[must_use]
    pub fn edges(&self) -> &[[u32; 2]] {
        self.derived.edges.get_or_init(|| {
            if self.object.mesh.triangles.len() > 3 * MAX_EDGES {
                return Vec::new();
            }
            feature_edges(&self.object.mesh, EDGE_COSINE)
        })
    }

    /// Builds the picking structure, on the calling thread.
    pub fn prepare(&self) {
        let _ = self.tree();
        let _ = self.edges();
    }

    fn tree(&self) -> &MeshTree {
        self.derived
            .tree
            .get_or_init(|| MeshTree::new(&self.object.mesh))
    }

    /// The first intersection with a ray, within `limit`.
    #[must_use]
    pub fn first_hit(&self, ray: &Ray, limit: f64) -> Option<f64> {
        ray.enters(&self.bounds, limit)?;
        let determinant = self.object.placement.matrix3.determinant();
        if determinant == 0.0 || !determinant.is_finite() {
            return None;
        }
        let local = ray.transformed(&self.object.placement.inverse());
        let hit = self.tree().first_hit(&self.object.mesh, &local, limit)?;
        Some(hit.t)
    }

    /// Adds its triangles to a layer, in world space relative to `origin`.
    pub fn add_to(&self, layer: &mut SpaceLayer, colour: Colour, origin: DVec3) {
        let first = layer.vertices.len() as u32;
        let mesh = &self.object.mesh;
        let place = |p: &DVec3| {
            (self.object.placement.transform_point3(*p) - origin)
                .as_vec3()
                .to_array()
        };
        let mirrored = self.object.placement.matrix3.determinant() < 0.0;
        layer
            .vertices
            .extend(mesh.vertices.iter().map(|p| SpaceVertex {
                position: place(p),
                colour: opaque(colour),
            }));
        layer
            .indices
            .extend(mesh.triangles.iter().flat_map(|&[a, b, c]| {
                let (b, c) = if mirrored { (c, b) } else { (b, c) };
                [a + first, b + first, c + first]
            }));
    }

    /// Adds its edges as lines, in world space relative to `origin`.
    pub fn add_edges_to(&self, layer: &mut SpaceLayer, colour: Rgba, width: f32, origin: DVec3) {
        let place = |i: u32| {
            let p = self.object.mesh.vertices[i as usize];
            (self.object.placement.transform_point3(p) - origin)
                .as_vec3()
                .to_array()
        };
        layer
            .lines
            .extend(self.edges().iter().map(|[a, b]| SpaceLine {
                from: place(*a),
                to: place(*b),
                colour,
                width,
            }));
    }

    /// Adds its edges as an outline, or its box if there are too many.
    pub fn add_outline_to(&self, layer: &mut SpaceLayer, colour: Rgba, width: f32, origin: DVec3) {
        if !self.edges().is_empty() {
            self.add_edges_to(layer, colour, width, origin);
            return;
        }
        let corners = self.object.mesh.bounds().corners();
        let corners = corners.map(|c| self.object.placement.transform_point3(c) - origin);
        for (i, corner) in corners.iter().enumerate() {
            for bit in [1, 2, 4] {
                if i & bit == 0 {
                    layer.polyline(&[*corner, corners[i | bit]], colour, width);
                }
            }
        }
    }
}

/// A mesh file's triangles in its own frame, in the colours of its materials or `fallback`. All
/// colours are mixed with `tint` by a fraction.
#[must_use]
pub fn model_layer(
    model: &MeshModel,
    fallback: Colour,
    tint: Option<(Colour, f64)>,
    edge: Rgba,
) -> SpaceLayer {
    let tinted = |own: Colour| opaque(tint.map_or(own, |(tint, share)| own.mix(tint, share)));
    let manner = if model.closed {
        Manner::Closed
    } else {
        Manner::Surface
    };
    let mut layer = SpaceLayer::new(manner);
    let mesh = &model.mesh;
    if model.colours.len() == mesh.triangles.len() {
        // A corner with several colours becomes several vertices.
        let mut known: std::collections::HashMap<(u32, Rgba), u32> =
            std::collections::HashMap::with_capacity(mesh.vertices.len());
        for (triangle, colour) in mesh.triangles.iter().zip(model.colours.iter()) {
            let colour = tinted(*colour);
            for corner in triangle {
                let at = *known.entry((*corner, colour)).or_insert_with(|| {
                    layer.vertices.push(SpaceVertex {
                        position: mesh.vertices[*corner as usize].as_vec3().to_array(),
                        colour,
                    });
                    layer.vertices.len() as u32 - 1
                });
                layer.indices.push(at);
            }
        }
    } else {
        layer.vertices = mesh
            .vertices
            .iter()
            .map(|p| SpaceVertex {
                position: p.as_vec3().to_array(),
                colour: tinted(fallback),
            })
            .collect();
        layer.indices = mesh.triangles.as_flattened().to_vec();
    }
    let object = SceneObject::of_model(model);
    Body::new(object).add_edges_to(&mut layer, edge, 1.0, DVec3::ZERO);
    layer
}

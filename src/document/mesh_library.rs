//! The meshes that solids refer to, read by whoever knows how and kept for all to share.

use crate::base::Colour;
use crate::geometry::TriMesh;
use glam::{DAffine3, DVec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A mesh as it stands in a level: z up, the middle of its box's underside at the origin.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshModel {
    pub mesh: Arc<TriMesh>,
    /// One for each triangle, from its material; empty where the file has no materials.
    pub colours: Arc<[Colour]>,
    /// Of its box. Unit: metres.
    pub extent: DVec3,
    /// Whether it bounds a volume.
    pub closed: bool,
}

impl MeshModel {
    /// Welds the mesh, moves it to its place and looks whether it is closed. Triangles without
    /// area by their corners go, and so do their colours.
    #[must_use]
    pub fn new(mesh: &TriMesh, colours: &[Colour]) -> Self {
        let bounds = mesh.bounds();
        let foot = if bounds.is_empty() {
            DVec3::ZERO
        } else {
            bounds.centre().with_z(bounds.min.z)
        };
        let mut welded = mesh.welded();
        let mut kept = Vec::new();
        if colours.len() == mesh.triangles.len() && welded.triangles.len() < colours.len() {
            // Which ones went is found again by welding one triangle at a time.
            kept = mesh
                .triangles
                .iter()
                .zip(colours)
                .filter(|(t, _)| {
                    let at = |i: usize| mesh.vertices.get(t[i] as usize);
                    match (at(0), at(1), at(2)) {
                        (Some(a), Some(b), Some(c)) => a != b && b != c && c != a,
                        _ => false,
                    }
                })
                .map(|(_, colour)| *colour)
                .collect();
        } else if colours.len() == welded.triangles.len() {
            kept = colours.to_vec();
        }
        for vertex in &mut welded.vertices {
            *vertex -= foot;
        }
        Self {
            closed: welded.is_closed(),
            extent: bounds.size(),
            colours: kept.into(),
            mesh: Arc::new(welded),
        }
    }

    /// The stretch that gives the mesh's box this size; an axis without extent stays as it is.
    #[must_use]
    pub fn stretch_to(&self, size: DVec3) -> DAffine3 {
        let share = |size: f64, extent: f64| if extent > 0.0 { size / extent } else { 1.0 };
        DAffine3::from_scale(DVec3::new(
            share(size.x, self.extent.x),
            share(size.y, self.extent.y),
            share(size.z, self.extent.z),
        ))
    }
}

/// Models by the name that solids use for them; or a sentence why there is none.
#[derive(Clone, Debug, Default)]
pub struct MeshLibrary {
    models: BTreeMap<String, Result<Arc<MeshModel>, Arc<str>>>,
}

impl MeshLibrary {
    /// Nobody has asked for the file yet: `None`.
    #[must_use]
    pub fn get(&self, file: &str) -> Option<&Result<Arc<MeshModel>, Arc<str>>> {
        self.models.get(file)
    }

    #[must_use]
    pub fn model(&self, file: &str) -> Option<&Arc<MeshModel>> {
        self.get(file)?.as_ref().ok()
    }

    pub fn insert(&mut self, file: impl Into<String>, model: Result<Arc<MeshModel>, Arc<str>>) {
        self.models.insert(file.into(), model);
    }

    pub fn forget(&mut self, file: &str) {
        self.models.remove(file);
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.models.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Result<Arc<MeshModel>, Arc<str>>)> {
        self.models
            .iter()
            .map(|(file, model)| (file.as_str(), model))
    }
}

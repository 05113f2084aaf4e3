//! The meshes that solids refer to, loaded elsewhere and shared from here.

use super::model::{MeshSource, UpAxis};
use crate::base::{Colour, ContentHash};
use crate::geometry::mesh_plan::MeshPlan;
use crate::geometry::{Aabb, TriMesh};
use glam::{DAffine3, DVec3};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

/// Extents below this cannot be scaled to a size. Unit: the file's own.
const LEAST_EXTENT: f64 = 1e-9;

/// A mesh in level axes: z up, the centre of its box's underside at the origin.
#[derive(Clone, Debug)]
pub struct MeshModel {
    pub mesh: Arc<TriMesh>,
    /// One per triangle, from its material; empty if the file has no materials.
    pub colours: Arc<[Colour]>,
    /// Bounds in the file's own position, z up. Unit: the file's own.
    pub bounds: Aabb,
    /// Whether it bounds a volume.
    pub closed: bool,
    plan: Arc<OnceLock<MeshPlan>>,
}

impl PartialEq for MeshModel {
    /// Everything else is derived from the mesh.
    fn eq(&self, other: &Self) -> bool {
        self.bounds == other.bounds && self.colours == other.colours && self.mesh == other.mesh
    }
}

impl MeshModel {
    /// Welds the mesh, moves it to the origin and checks whether it is closed. Drops degenerate
    /// triangles and their colours.
    #[must_use]
    pub fn new(mesh: &TriMesh, colours: &[Colour]) -> Self {
        match Self::build(mesh, colours, || Ok::<(), Infallible>(())) {
            Ok(model) => model,
            Err(never) => match never {},
        }
    }

    /// [`Self::new`], calling `go_on` at intervals and stopping at its first error.
    ///
    /// # Errors
    /// The error of `go_on`.
    pub fn build<E>(
        mesh: &TriMesh,
        colours: &[Colour],
        mut go_on: impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let bounds = mesh.bounds();
        let mut welded = mesh.welded_while(&mut go_on)?;
        let mut kept = Vec::new();
        if colours.len() == mesh.triangles.len() && welded.triangles.len() < colours.len() {
            // Weld one triangle at a time to find which ones were dropped.
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
        let foot = foot(&bounds);
        for vertex in &mut welded.vertices {
            *vertex -= foot;
        }
        go_on()?;
        Ok(Self {
            closed: welded.is_closed(),
            bounds,
            colours: kept.into(),
            mesh: Arc::new(welded),
            plan: Arc::default(),
        })
    }

    /// Seen from above, in its own frame. Computed on first use.
    #[must_use]
    pub fn plan(&self) -> &MeshPlan {
        self.plan.get_or_init(|| MeshPlan::of(&self.mesh))
    }

    /// From the model's frame to that of a solid of this size, whose box corresponds to `frame` of
    /// the file, or to all of it. An axis without extent is not scaled.
    #[must_use]
    pub fn fit(&self, size: DVec3, frame: Option<&Aabb>) -> DAffine3 {
        let frame = frame.unwrap_or(&self.bounds);
        let extent = frame.size();
        let share = |size: f64, extent: f64| {
            if extent > LEAST_EXTENT {
                size / extent
            } else {
                1.0
            }
        };
        let scale = DVec3::new(
            share(size.x, extent.x),
            share(size.y, extent.y),
            share(size.z, extent.z),
        );
        let shift = foot(&self.bounds) - foot(frame);
        DAffine3::from_scale(scale) * DAffine3::from_translation(shift)
    }
}

/// The centre of a box's underside.
fn foot(bounds: &Aabb) -> DVec3 {
    if bounds.is_empty() {
        DVec3::ZERO
    } else {
        bounds.centre().with_z(bounds.min.z)
    }
}

/// A model, or a message saying why it could not be loaded.
pub type MeshResult = Result<Arc<MeshModel>, Arc<str>>;

#[derive(Clone, Debug)]
struct CachedMesh {
    model: MeshResult,
    stamp: Option<ContentHash>,
}

/// Models keyed by file and up axis.
#[derive(Clone, Debug, Default)]
pub struct MeshLibrary {
    models: BTreeMap<UpAxis, BTreeMap<String, CachedMesh>>,
}

/// For levels whose meshes have not been loaded.
pub static NO_MESHES: MeshLibrary = MeshLibrary {
    models: BTreeMap::new(),
};

impl MeshLibrary {
    fn entry(&self, source: &MeshSource) -> Option<&CachedMesh> {
        self.models.get(&source.up)?.get(&source.file)
    }

    /// `None` if the file was never requested.
    #[must_use]
    pub fn get(&self, source: &MeshSource) -> Option<&MeshResult> {
        Some(&self.entry(source)?.model)
    }

    #[must_use]
    pub fn model(&self, source: &MeshSource) -> Option<&Arc<MeshModel>> {
        self.get(source)?.as_ref().ok()
    }

    /// A fingerprint of the files' metadata at the time they were read.
    #[must_use]
    pub fn stamp(&self, source: &MeshSource) -> Option<ContentHash> {
        self.entry(source)?.stamp
    }

    /// If the model equals the stored one, keeps its pointer, so that comparison by pointer sees no
    /// change.
    pub fn insert(&mut self, source: &MeshSource, model: MeshResult, stamp: Option<ContentHash>) {
        let model = match (self.get(source), model) {
            (Some(Ok(old)), Ok(new)) if *old == new => Ok(Arc::clone(old)),
            (_, model) => model,
        };
        self.models
            .entry(source.up)
            .or_default()
            .insert(source.file.clone(), CachedMesh { model, stamp });
    }

    /// Every file and axis that was requested.
    pub fn sources(&self) -> impl Iterator<Item = MeshSource> {
        self.models.iter().flat_map(|(up, files)| {
            files.keys().map(|file| MeshSource {
                up: *up,
                ..MeshSource::new(file)
            })
        })
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.models.values().all(BTreeMap::is_empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(height: f64) -> MeshResult {
        let mesh = TriMesh {
            vertices: vec![DVec3::ZERO, DVec3::X, DVec3::new(0.0, 1.0, height)],
            triangles: vec![[0, 1, 2]],
        };
        Ok(Arc::new(MeshModel::new(&mesh, &[])))
    }

    #[test]
    fn rereading_an_unchanged_file_keeps_the_model() {
        let source = MeshSource::new("a.obj");
        let mut library = MeshLibrary::default();
        library.insert(&source, model(1.0), None);
        let first = Arc::clone(library.model(&source).expect("there"));
        let stamp = Some(ContentHash::of(b"later"));
        library.insert(&source, model(1.0), stamp);
        assert!(Arc::ptr_eq(&first, library.model(&source).expect("there")));
        assert_eq!(library.stamp(&source), stamp);
        library.insert(&source, model(2.0), None);
        assert!(!Arc::ptr_eq(&first, library.model(&source).expect("there")));
        let lying = MeshSource {
            up: UpAxis::Z,
            ..source
        };
        assert!(library.get(&lying).is_none(), "another axis, another model");
    }
}

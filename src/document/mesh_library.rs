//! The meshes that solids refer to, read by whoever knows how and kept for all to share.

use super::model::{MeshSource, UpAxis};
use crate::base::{Colour, ContentHash};
use crate::geometry::mesh_plan::MeshPlan;
use crate::geometry::{Aabb, TriMesh};
use glam::{DAffine3, DVec3};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

/// Less is no extent that anything could be stretched by. Unit: the file's own.
const LEAST_EXTENT: f64 = 1e-9;

/// A mesh as it stands in a level: z up, the middle of its box's underside at the origin.
#[derive(Clone, Debug)]
pub struct MeshModel {
    pub mesh: Arc<TriMesh>,
    /// One for each triangle, from its material; empty where the file has no materials.
    pub colours: Arc<[Colour]>,
    /// Its box where the file has it, z up. Unit: the file's own.
    pub bounds: Aabb,
    /// Whether it bounds a volume.
    pub closed: bool,
    plan: Arc<OnceLock<MeshPlan>>,
}

impl PartialEq for MeshModel {
    /// What follows from the mesh is the same if the mesh is.
    fn eq(&self, other: &Self) -> bool {
        self.bounds == other.bounds && self.colours == other.colours && self.mesh == other.mesh
    }
}

impl MeshModel {
    /// Welds the mesh, moves it to its place and looks whether it is closed. Triangles without
    /// area by their corners go, and so do their colours.
    #[must_use]
    pub fn new(mesh: &TriMesh, colours: &[Colour]) -> Self {
        match Self::build(mesh, colours, || Ok::<(), Infallible>(())) {
            Ok(model) => model,
            Err(never) => match never {},
        }
    }

    /// The same, given up as soon as `go_on` says so; it is asked again and again.
    ///
    /// # Errors
    /// What `go_on` says.
    pub fn build<E>(
        mesh: &TriMesh,
        colours: &[Colour],
        mut go_on: impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let bounds = mesh.bounds();
        let mut welded = mesh.welded_while(&mut go_on)?;
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

    /// Seen from above, in its own frame. Worked out when first asked for.
    #[must_use]
    pub fn plan(&self) -> &MeshPlan {
        self.plan.get_or_init(|| MeshPlan::of(&self.mesh))
    }

    /// From the model's frame to that of a solid of this size, whose box stands for `frame` of the
    /// file; for all of it without one. An axis without extent stays as it is.
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

/// The middle of a box's underside.
fn foot(bounds: &Aabb) -> DVec3 {
    if bounds.is_empty() {
        DVec3::ZERO
    } else {
        bounds.centre().with_z(bounds.min.z)
    }
}

/// A model, or a sentence why there is none.
pub type MeshResult = Result<Arc<MeshModel>, Arc<str>>;

#[derive(Clone, Debug)]
struct Entry {
    model: MeshResult,
    stamp: Option<ContentHash>,
}

/// Models by the file and the axis that solids name for them.
#[derive(Clone, Debug, Default)]
pub struct MeshLibrary {
    models: BTreeMap<UpAxis, BTreeMap<String, Entry>>,
}

/// For levels whose meshes nobody has read.
pub static NO_MESHES: MeshLibrary = MeshLibrary {
    models: BTreeMap::new(),
};

impl MeshLibrary {
    fn entry(&self, source: &MeshSource) -> Option<&Entry> {
        self.models.get(&source.up)?.get(&source.file)
    }

    /// Nobody has asked for the file yet: `None`.
    #[must_use]
    pub fn get(&self, source: &MeshSource) -> Option<&MeshResult> {
        Some(&self.entry(source)?.model)
    }

    #[must_use]
    pub fn model(&self, source: &MeshSource) -> Option<&Arc<MeshModel>> {
        self.get(source)?.as_ref().ok()
    }

    /// What the files looked like from outside when they were read.
    #[must_use]
    pub fn stamp(&self, source: &MeshSource) -> Option<ContentHash> {
        self.entry(source)?.stamp
    }

    /// A model that is the same as the one before takes its place without being another one to
    /// those who compare by pointer.
    pub fn insert(&mut self, source: &MeshSource, model: MeshResult, stamp: Option<ContentHash>) {
        let model = match (self.get(source), model) {
            (Some(Ok(old)), Ok(new)) if *old == new => Ok(Arc::clone(old)),
            (_, model) => model,
        };
        self.models
            .entry(source.up)
            .or_default()
            .insert(source.file.clone(), Entry { model, stamp });
    }

    /// Every file and axis that somebody has asked for.
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
    fn the_same_file_read_again_is_the_same_model() {
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

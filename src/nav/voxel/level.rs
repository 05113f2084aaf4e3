//! A level in voxels: its bodies as a scene, the frame around it, and the footing of every body that
//! asks.

use super::body::{BodyCells, Conduct};
use super::discretizer::Discretizer;
use super::footing::Footing;
use super::scene::{VoxelObject, VoxelScene};
use super::surface::SurfaceCells;
use super::voxels::{Sampling, Voxels};
use crate::base::EntityId;
use crate::document::mesh_library::{MeshLibrary, MeshModel};
use crate::document::scene::{self, SceneObject};
use crate::document::{CellSize, Entity, Kind, Level, Profile, SolidShape, tag};
use crate::geometry::voxel_frame::FrameError;
use crate::geometry::{HeightField, Rect, VoxelFrame};
use crate::jobs::{Cancelled, JobContext};
use glam::DVec3;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Sides of the cells, where nobody chooses others. In plan about the distance between the feet of
/// somebody who stands (§3.3). Unit: metres.
pub const CELL: f64 = 0.25;
pub const LAYER: f64 = 0.125;

/// Larger levels get larger cells, so that no more columns come of them.
const MOST_COLUMNS: f64 = 2_000_000.0;

/// What rises higher above the lowest ground is cut off; what the ground itself needs is not.
const MOST_LAYERS: f64 = 1_024.0;

/// Heights of a frame are whole multiples of so many layers: things that move do not change it.
const STEPS: f64 = 16.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// Unit: metres.
    pub cell: f64,
    pub layer: f64,
}

/// What a designer chooses about voxels.
#[derive(Clone, Debug, Default)]
pub struct VoxelOptions {
    /// Other cells than the level says.
    pub cells: Option<CellSize>,
    pub sampling: Sampling,
    pub conduct: Conduct,
    /// The meshes that solids refer to.
    pub meshes: Arc<MeshLibrary>,
}

impl VoxelOptions {
    /// In exactly so many columns along x and y and layers, as in the paper's Table 1.
    #[must_use]
    pub fn in_grid(size: [u32; 3]) -> Self {
        Self {
            cells: Some(CellSize::Count(size)),
            ..Self::default()
        }
    }

    /// The cells that a level is cut into.
    #[must_use]
    pub fn cells(&self, level: &Level) -> CellSize {
        self.cells.unwrap_or(level.settings().cells)
    }

    /// Whether the same voxels come of both for any level.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        let same_meshes = Arc::ptr_eq(&self.meshes, &other.meshes)
            || self.meshes.is_empty() && other.meshes.is_empty();
        same_meshes
            && self.cells == other.cells
            && self.sampling == other.sampling
            && self.conduct == other.conduct
    }
}

#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum VoxelError {
    #[error(transparent)]
    Frame(#[from] FrameError),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A body of the level as it was when it was turned into triangles.
#[derive(Clone, Debug)]
struct Part {
    id: EntityId,
    entity: Arc<Entity>,
    model: Option<Arc<MeshModel>>,
}

impl Part {
    fn is_same(&self, other: &Self) -> bool {
        let same_model = match (&self.model, &other.model) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        self.id == other.id
            && same_model
            && (Arc::ptr_eq(&self.entity, &other.entity)
                || self.entity.kind == other.entity.kind
                    && self.entity.has_tag(tag::FORBIDDEN) == other.entity.has_tag(tag::FORBIDDEN))
    }
}

/// All that a level's voxels are made from.
#[derive(Clone, Debug)]
pub struct VoxelKey {
    bounds: Rect,
    has_ground: bool,
    ground: Option<Arc<HeightField>>,
    parts: Vec<Part>,
    cells: CellSize,
    sampling: Sampling,
    conduct: Conduct,
}

impl VoxelKey {
    #[must_use]
    pub fn of(level: &Level, options: &VoxelOptions) -> Self {
        let parts = level.iter().filter_map(|(id, entity)| {
            let model = match &entity.kind {
                Kind::Obstacle(_) => None,
                Kind::Solid(solid) => match &solid.shape {
                    SolidShape::Mesh(source) => options.meshes.model(source).cloned(),
                    _ => None,
                },
                _ => return None,
            };
            let entity = Arc::clone(entity);
            Some(Part { id, entity, model })
        });
        Self {
            bounds: level.settings().bounds,
            has_ground: level.settings().has_ground,
            ground: level.ground().cloned(),
            parts: parts.collect(),
            cells: options.cells(level),
            sampling: options.sampling,
            conduct: options.conduct,
        }
    }

    fn has_same_ground(&self, other: &Self) -> bool {
        let same_field = match (&self.ground, &other.ground) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        };
        self.bounds == other.bounds && self.has_ground == other.has_ground && same_field
    }

    /// Whether the same voxels come of both.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.has_same_ground(other)
            && self.cells == other.cells
            && self.sampling == other.sampling
            && self.conduct == other.conduct
            && self.parts.len() == other.parts.len()
            && self
                .parts
                .iter()
                .zip(&other.parts)
                .all(|(a, b)| a.is_same(b))
    }
}

/// The voxels of one state of a level.
#[derive(Debug)]
pub struct LevelVoxels {
    key: VoxelKey,
    pub voxels: Voxels,
    footings: Mutex<Vec<Arc<Footing>>>,
    /// What they were updated from, for bodies that nobody has asked for since.
    before: Option<(Arc<SurfaceCells>, Vec<Arc<Footing>>)>,
}

impl LevelVoxels {
    /// Only what differs from `before` is discretised, where the frame is the same.
    ///
    /// # Errors
    /// The level is too large for the cells asked for, or the job was cancelled.
    pub fn build(
        level: &Level,
        options: &VoxelOptions,
        before: Option<&Self>,
        ctx: &JobContext,
    ) -> Result<Self, VoxelError> {
        let key = VoxelKey::of(level, options);
        let scene = Arc::new(scene_of(level, &options.meshes, &key, before));
        let frame = frame_of(level, &scene, options)?;
        let before = before.filter(|before| {
            *before.voxels.frame() == frame && before.key.sampling == key.sampling
        });
        Ok(match before {
            Some(before) => Self {
                voxels: before.voxels.updated(scene, ctx)?,
                footings: Mutex::default(),
                before: (before.key.conduct == key.conduct)
                    .then(|| (Arc::clone(&before.voxels.surfaces), before.known_footings())),
                key,
            },
            None => Self {
                voxels: Voxels::build(frame, scene, options.sampling, ctx)?,
                footings: Mutex::default(),
                before: None,
                key,
            },
        })
    }

    /// The same by whoever is asked, from nothing.
    ///
    /// # Errors
    /// As [`Self::build`].
    pub fn build_by(
        by: &mut Discretizer,
        level: &Level,
        options: &VoxelOptions,
        ctx: &JobContext,
    ) -> Result<Self, VoxelError> {
        let key = VoxelKey::of(level, options);
        let scene = Arc::new(scene_of(level, &options.meshes, &key, None));
        let frame = frame_of(level, &scene, options)?;
        Ok(Self {
            voxels: by.voxels(frame, scene, options.sampling, ctx)?,
            footings: Mutex::default(),
            before: None,
            key,
        })
    }

    /// Whether there is ground beneath everything.
    #[must_use]
    pub const fn has_ground(&self) -> bool {
        self.key.has_ground
    }

    #[must_use]
    pub fn surfaces(&self) -> &Arc<SurfaceCells> {
        &self.voxels.surfaces
    }

    /// What stands elsewhere than in `before`, is new there, looks otherwise, or is gone; each with the box
    /// that it takes now.
    #[must_use]
    pub fn moved_since(&self, before: &Self) -> Vec<(EntityId, Option<(DVec3, DVec3)>)> {
        let by_id = |voxels: &Self| -> BTreeMap<EntityId, Arc<VoxelObject>> {
            let objects = voxels.voxels.scene.objects.iter();
            objects
                .filter_map(|object| Some((object.id?, Arc::clone(object))))
                .collect()
        };
        let (old, new) = (by_id(before), by_id(self));
        let differs = |id: &EntityId, object: &Arc<VoxelObject>| {
            old.get(id)
                .is_none_or(|old| !Arc::ptr_eq(old, object) && old != object)
        };
        let moved = new.iter().filter(|(id, object)| differs(id, object));
        let mut moved: Vec<_> = moved.map(|(id, object)| (*id, object.bounds())).collect();
        let gone = old.keys().filter(|id| !new.contains_key(id));
        moved.extend(gone.map(|id| (*id, None)));
        moved
    }

    fn known_footings(&self) -> Vec<Arc<Footing>> {
        let footings = self.footings.lock();
        footings.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where a body can stand; found once for each kind of body.
    #[must_use]
    pub fn footing(&self, profile: &Profile) -> Arc<Footing> {
        let body = BodyCells::new(
            &profile.body,
            &profile.action_priority,
            self.key.conduct,
            self.voxels.frame(),
        );
        let same = |footing: &&Arc<Footing>| footing.body == body;
        if let Some(known) = self.known_footings().iter().find(same) {
            return Arc::clone(known);
        }
        let old = self
            .before
            .as_ref()
            .and_then(|(surfaces, footings)| Some((surfaces, footings.iter().find(same)?)));
        let footing = Arc::new(match old {
            Some((surfaces, footing)) => footing.updated(surfaces, &self.voxels),
            None => Footing::build(body, &self.voxels.surfaces),
        });
        let mut footings = self.footings.lock().unwrap_or_else(PoisonError::into_inner);
        footings.push(Arc::clone(&footing));
        footing
    }
}

/// The level's bodies as triangles; those of `before` that still hold are shared.
fn scene_of(
    level: &Level,
    meshes: &MeshLibrary,
    key: &VoxelKey,
    before: Option<&LevelVoxels>,
) -> VoxelScene {
    let before = before.filter(|before| before.key.has_same_ground(key));
    let object = |object: &SceneObject| {
        let triangles = object.triangles().collect();
        Arc::new(VoxelObject::new(
            object.id,
            triangles,
            object.closed,
            object.forbidden,
        ))
    };
    // The ground comes first, then the parts in their order; parts without a body have no triangles.
    let ground = match before {
        Some(before) => Arc::clone(&before.voxels.scene.objects[0]),
        None => object(&scene::ground(level)),
    };
    let old: BTreeMap<EntityId, usize> = before
        .map(|before| {
            before
                .key
                .parts
                .iter()
                .enumerate()
                .map(|(i, part)| (part.id, i))
                .collect()
        })
        .unwrap_or_default();
    let parts = key.parts.iter().map(|part| {
        if let (Some(before), Some(index)) = (before, old.get(&part.id))
            && before.key.parts[*index].is_same(part)
        {
            return Arc::clone(&before.voxels.scene.objects[1 + index]);
        }
        scene::object(level, meshes, part.id, &part.entity).map_or_else(
            || Arc::new(VoxelObject::new(Some(part.id), Vec::new(), false, false)),
            |body| object(&body),
        )
    });
    VoxelScene {
        objects: std::iter::once(ground).chain(parts).collect(),
    }
}

/// The cells that cover a level: its bounds in plan, all bodies within them in height.
fn frame_of(
    level: &Level,
    scene: &VoxelScene,
    options: &VoxelOptions,
) -> Result<VoxelFrame, FrameError> {
    let bounds = level.settings().bounds;
    let Resolution { cell, layer } = match options.cells(level) {
        CellSize::Count(size) => return frame_of_size(level, scene, size),
        CellSize::Sides { cell, layer } => Resolution { cell, layer },
        CellSize::Suiting => resolution_for(bounds),
    };
    let near = scene
        .objects
        .iter()
        .filter_map(|object| object.bounds())
        .filter(|(low, high)| Rect::new(low.truncate(), high.truncate()).overlaps(&bounds));
    let (low, high) = near
        .map(|(low, high)| (low.z, high.z))
        .reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)))
        .unwrap_or_default();
    let ground = match level.ground() {
        _ if !level.settings().has_ground => (low, low),
        Some(field) => field.range(),
        None => (0.0, 0.0),
    };
    let (low, high) = (low.min(ground.0), high.max(ground.1));
    let step = STEPS * layer;
    // Cellars deeper than towers are high are no more looked at than those.
    let low = low.max(ground.0 - MOST_LAYERS * layer * 0.25);
    let low = (low / step).floor() * step;
    let most = (MOST_LAYERS * layer).max(ground.1 - low + MOST_LAYERS * layer * 0.25);
    let high = ((high + layer) / step).ceil() * step;
    VoxelFrame::covering(
        bounds.min.extend(low),
        bounds.max.extend(high.min(low + most)),
        cell,
        layer,
    )
}

/// The usual cells, or larger ones for large levels.
#[must_use]
pub fn resolution_for(bounds: Rect) -> Resolution {
    let size = bounds.size();
    let least = (size.x * size.y / MOST_COLUMNS).sqrt();
    // Round figures are easier to talk about.
    let cell = if least <= CELL {
        CELL
    } else {
        (least * 20.0).ceil() / 20.0
    };
    Resolution { cell, layer: LAYER }
}

/// The frame of a given number of cells around a level: the grids of the paper's Table 1.
///
/// # Errors
/// No cells, or too many.
pub fn frame_of_size(
    level: &Level,
    scene: &VoxelScene,
    size: [u32; 3],
) -> Result<VoxelFrame, FrameError> {
    let bounds = level.settings().bounds;
    let (low, high) = scene.bounds().unwrap_or((DVec3::ZERO, DVec3::ZERO));
    VoxelFrame::of_size(
        bounds.min.extend(low.z),
        bounds.max.extend(high.z.max(low.z + 0.1)),
        size,
    )
}

/// A level's bodies as a scene, from nothing.
#[must_use]
pub fn scene_of_level(level: &Level, meshes: &MeshLibrary) -> VoxelScene {
    let options = VoxelOptions {
        ..VoxelOptions::default()
    };
    scene_of(level, meshes, &VoxelKey::of(level, &options), None)
}

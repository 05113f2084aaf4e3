//! A level in voxels: its bodies as a scene, the frame around it, and the footing of each body.

use super::body::{BodyCells, Conduct};
use super::discretizer::Discretizer;
use super::footing::Footing;
use super::reach::Borders;
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
use crate::nav::bake::BakeOptions;
use crate::nav::constraint::Lattice;
use crate::nav::delta::Changed;
use crate::nav::entity_list::{self, LevelStep, OfEntity, Patched};
use glam::DVec3;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Default cell size. In plan about the distance between the feet of a standing person (§3.3).
/// Unit: metres.
pub const CELL: f64 = 0.25;
pub const LAYER: f64 = 0.125;

/// Sub-columns along a side of a cell where support matters and nothing else is said.
const SAMPLES: u32 = 4;

/// Larger levels get larger cells, to stay below this many columns.
const MOST_COLUMNS: f64 = 2_000_000.0;

/// What rises higher above the lowest ground is cut off, except for the ground itself.
const MOST_LAYERS: f64 = 1_024.0;

/// The frame's heights are multiples of this many layers, so that moving objects do not change it.
const STEPS: f64 = 16.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// Unit: metres.
    pub cell: f64,
    pub layer: f64,
}

/// Designer's options for voxels.
#[derive(Clone, Debug, Default)]
pub struct VoxelOptions {
    /// Overrides the level's cell size.
    pub cells: Option<CellSize>,
    /// Overrides the number of sub-columns that the rules need.
    pub sampling: Sampling,
    /// Overrides the level's rules.
    pub conduct: Option<Conduct>,
    /// The meshes that solids refer to.
    pub meshes: Arc<MeshLibrary>,
}

impl VoxelOptions {
    /// With exactly this many columns along x and y, and layers, as in the paper's Table 1.
    #[must_use]
    pub fn in_grid(size: [u32; 3]) -> Self {
        Self {
            cells: Some(CellSize::Count(size)),
            ..Self::default()
        }
    }

    /// The cell size for a level.
    #[must_use]
    pub fn cells(&self, level: &Level) -> CellSize {
        self.cells.unwrap_or(level.settings().cells)
    }

    /// The rules by which bodies use the cells of a level.
    #[must_use]
    pub fn conduct(&self, level: &Level) -> Conduct {
        self.conduct.unwrap_or(level.settings().cell_rules)
    }

    /// Where support matters, it is counted.
    #[must_use]
    pub fn sampling(&self, level: &Level) -> Sampling {
        let is_needed = self.conduct(level).threshold > 0.0 && self.sampling.by < 2;
        Sampling {
            by: if is_needed { SAMPLES } else { self.sampling.by },
        }
    }

    /// Whether both give identical voxels for any level.
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

/// A body of the level at the time it was triangulated.
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

/// Everything that a level's voxels depend on.
#[derive(Clone, Debug)]
pub(in crate::nav) struct VoxelKey {
    bounds: Rect,
    has_ground: bool,
    ground: Option<Arc<HeightField>>,
    parts: Vec<Part>,
    cells: CellSize,
    sampling: Sampling,
    conduct: Conduct,
    meshes: Arc<MeshLibrary>,
}

impl Patched<Part> {
    /// In plan.
    fn boxes(&self) -> Changed {
        let parts = || {
            let pairs = self.differing.iter();
            pairs.flat_map(|(old, new)| old.iter().chain(new))
        };
        if parts().any(|part| part.model.is_some()) {
            // How far a mesh reaches is known once it is placed.
            return Changed::Everything;
        }
        Changed::within(parts().filter_map(|part| part.entity.bounds()).collect())
    }
}

impl OfEntity for Part {
    fn id(&self) -> EntityId {
        self.id
    }
}

/// Obstacles, solids, and doors that are not open.
fn part(meshes: &MeshLibrary) -> impl Fn(EntityId, &Arc<Entity>) -> Option<Part> {
    |id, entity| {
        let model = match &entity.kind {
            Kind::Obstacle(_) => None,
            Kind::Door(door) if !door.state.is_open() => None,
            Kind::Solid(solid) => match &solid.shape {
                SolidShape::Mesh(source) => meshes.model(source).cloned(),
                _ => None,
            },
            _ => return None,
        };
        let entity = Arc::clone(entity);
        Some(Part { id, entity, model })
    }
}

impl VoxelKey {
    /// Collected from the whole level.
    pub(in crate::nav) fn of(level: &Level, options: &VoxelOptions) -> Self {
        Self::with(
            entity_list::collect(level, part(&options.meshes)),
            level,
            options,
        )
    }

    fn with(parts: Vec<Part>, level: &Level, options: &VoxelOptions) -> Self {
        Self {
            bounds: level.settings().bounds,
            has_ground: level.settings().has_ground,
            ground: level.ground().cloned(),
            parts,
            cells: options.cells(level),
            sampling: options.sampling(level),
            conduct: options.conduct(level),
            meshes: Arc::clone(&options.meshes),
        }
    }

    /// After a change, with where bodies differ; `None` where the same voxels come of it.
    pub(in crate::nav) fn updated(
        &self,
        step: LevelStep<'_>,
        options: &VoxelOptions,
    ) -> Option<(Self, Changed)> {
        let same_meshes = Arc::ptr_eq(&self.meshes, &options.meshes)
            || self.meshes.is_empty() && options.meshes.is_empty();
        if !same_meshes {
            let key = Self::of(step.after, options);
            return (!self.agrees_with(&key)).then_some((key, Changed::Everything));
        }
        let patched = step.patch(&self.parts, part(&options.meshes), Part::is_same);
        let mut key = Self::with(Vec::new(), step.after, options);
        let same_rest = self.has_same_ground(&key)
            && self.cells == key.cells
            && self.sampling == key.sampling
            && self.conduct == key.conduct;
        let changed = match &patched {
            None if same_rest => return None,
            Some(patched) if same_rest => patched.boxes(),
            _ => Changed::Everything,
        };
        key.parts = patched.map_or_else(|| self.parts.clone(), |patched| patched.list);
        Some((key, changed))
    }

    fn has_same_ground(&self, other: &Self) -> bool {
        let same_field = match (&self.ground, &other.ground) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        };
        self.bounds == other.bounds && self.has_ground == other.has_ground && same_field
    }

    /// Whether both give identical voxels.
    fn agrees_with(&self, other: &Self) -> bool {
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

/// The graphics card or the processor, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeBy {
    pub name: String,
    /// Why it was not what was asked for.
    pub report: Option<String>,
}

/// Dense states, with the footing, the spacing and the treatment of borders that they are for.
type FootingLattice = (Arc<Footing>, f64, Borders, Arc<Lattice>);

/// Lattices that are kept: one for each body and spacing in use.
const MOST_LATTICES: usize = 4;

/// The voxels of a level snapshot.
#[derive(Debug)]
pub struct LevelVoxels {
    key: Arc<VoxelKey>,
    pub voxels: Voxels,
    made_by: MadeBy,
    footings: Mutex<Vec<Arc<Footing>>>,
    /// Dense states with the footing that they are for.
    lattices: Mutex<Vec<FootingLattice>>,
    /// The previous state, for bodies whose footing was not requested since.
    before: Option<(Arc<SurfaceCells>, Vec<Arc<Footing>>)>,
}

impl LevelVoxels {
    /// Only discretises what differs from `before` if the frame is unchanged.
    pub(in crate::nav) fn build(
        level: &Level,
        options: &BakeOptions,
        key: Arc<VoxelKey>,
        before: Option<&Self>,
        ctx: &JobContext,
    ) -> Result<Self, VoxelError> {
        let BakeOptions { voxels, backend } = options;
        let scene = Arc::new(scene_of(level, &voxels.meshes, &key, before));
        let frame = frame_of(level, &scene, voxels)?;
        let before = before.filter(|before| {
            *before.voxels.frame() == frame && before.key.sampling == key.sampling
        });
        Ok(match before {
            Some(before) => Self {
                voxels: before.voxels.updated(scene, ctx)?,
                made_by: before.made_by.clone(),
                footings: Mutex::default(),
                lattices: Mutex::default(),
                before: (before.key.conduct == key.conduct)
                    .then(|| (Arc::clone(&before.voxels.surfaces), before.known_footings())),
                key,
            },
            None => {
                let mut by = Discretizer::new(*backend);
                Self {
                    voxels: by.voxels(frame, scene, key.sampling, ctx)?,
                    made_by: MadeBy {
                        name: by.by().to_owned(),
                        report: by.report().map(str::to_owned),
                    },
                    footings: Mutex::default(),
                    lattices: Mutex::default(),
                    before: None,
                    key,
                }
            }
        })
    }

    /// What cut the whole of space into cells; later changes are the processor's.
    #[must_use]
    pub const fn made_by(&self) -> &MadeBy {
        &self.made_by
    }

    /// Whether there is ground beneath everything.
    #[must_use]
    pub fn has_ground(&self) -> bool {
        self.key.has_ground
    }

    /// Boxes of the tiles that differ from `before`, if these were made from it.
    pub(in crate::nav) fn changed_since(&self, before: &Self) -> Option<Changed> {
        let frame = self.voxels.frame();
        let (surfaces, _) = self.before.as_ref()?;
        if *before.voxels.frame() != *frame || !Arc::ptr_eq(surfaces, before.surfaces()) {
            return None;
        }
        let boxes = self
            .voxels
            .touched
            .iter()
            .map(|tile| frame.tile_bounds(*tile));
        Some(Changed::within(boxes.collect()))
    }

    /// Dense states on the surfaces that a body can stand on, about this far apart. Unit: metres.
    #[must_use]
    pub fn lattice(&self, profile: &Profile, spacing: f64, borders: Borders) -> Arc<Lattice> {
        let footing = self.footing(profile);
        let mut known = self.lattices.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |(of, apart, near, _): &&FootingLattice| {
            Arc::ptr_eq(of, &footing) && *apart == spacing && *near == borders
        };
        if let Some((_, _, _, lattice)) = known.iter().find(is_it) {
            return Arc::clone(lattice);
        }
        // A job that is known here alone is never cancelled.
        let ctx = JobContext::default();
        let built = Lattice::storeys(self.surfaces(), &footing, spacing, borders, &ctx);
        let lattice = Arc::new(built.unwrap_or_default());
        if known.len() >= MOST_LATTICES {
            known.remove(0);
        }
        known.push((footing, spacing, borders, Arc::clone(&lattice)));
        lattice
    }

    #[must_use]
    pub fn surfaces(&self) -> &Arc<SurfaceCells> {
        &self.voxels.surfaces
    }

    /// Entities that were moved, added, changed or removed since `before`, with their current
    /// bounds.
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

    /// Where a body can stand; computed once per kind of body.
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

/// The level's bodies as triangles; shares unchanged ones with `before`.
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
    // The ground first, then the parts in order; parts without a body have no triangles.
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

/// The cells that cover a level: its bounds in plan, and the height of all bodies within.
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
    // Depth is limited as well as height.
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

/// The default cell size, or a larger one for large levels.
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

/// The frame with a given number of cells around a level: the grids of the paper's Table 1.
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

/// A level's bodies as a scene, from scratch.
#[must_use]
pub fn scene_of_level(level: &Level, meshes: &MeshLibrary) -> VoxelScene {
    let options = VoxelOptions {
        ..VoxelOptions::default()
    };
    scene_of(level, meshes, &VoxelKey::of(level, &options), None)
}

//! What is baked once for agents of every radius.
//!
//! Each part is built when it is first read: a level whose agents need no corridors
//! never pays for them. A part is kept from bake to bake while what it reads stays the same.

use super::bake::BakeOptions;
use super::corridor::{self, CorridorError, CorridorMap, DeadEnds};
use super::delta::NavDelta;
use super::free_space::Input;
use super::inputs::StageInputs;
use super::links::NavLink;
use super::needs::Needs;
use super::quality::BakeQuality;
use super::slot::Slot;
use super::stages::{CORRIDORS, StageTime, TERRAIN, VOXELS, Work};
use super::terrain::{TerrainInput, TerrainMap, TerrainTriangulation};
use super::voxel::{LevelVoxels, VoxelError};
use crate::base::EntityId;
use crate::document::door_states;
use crate::document::{Kind, Level};
use crate::geometry::{HeightField, Polygon};
use crate::jobs::{Cancelled, JobContext};
use std::sync::{Arc, OnceLock};

/// The medial axis of the free space of a point; what is too narrow for a body is cut when asked.
#[derive(Clone, Debug)]
pub struct Corridors {
    pub map: CorridorMap,
    /// The owners of the map's blockers.
    pub blockers: Vec<EntityId>,
}

impl Corridors {
    /// What still holds is taken over from those of an earlier state.
    fn build(
        input: &Input,
        before: Option<&Self>,
        ctx: &JobContext,
    ) -> Result<Self, CorridorError> {
        let areas: Vec<Polygon> = (input.distinct())
            .map(|b| Polygon::clone(&b.area))
            .collect();
        let before = before.map(|before| &before.map);
        Ok(Self {
            map: corridor::rebuild_between(input.bounds, &areas, DeadEnds::Keep, before, ctx)?,
            blockers: input.distinct().map(|b| b.id).collect(),
        })
    }
}

/// Everything that does not depend on a radius, for one state of a level.
#[derive(Debug)]
pub struct SharedNav {
    inputs: StageInputs,
    options: BakeOptions,
    quality: BakeQuality,
    corridors: Slot<Result<Corridors, CorridorError>>,
    /// The last ones that were built, for an update of them.
    corridors_before: Option<Slot<Result<Corridors, CorridorError>>>,
    mesh: Slot<TerrainTriangulation>,
    /// The last one that was built, for an update of it; none where it is to be made from scratch.
    mesh_before: Option<Slot<TerrainTriangulation>>,
    terrain: OnceLock<TerrainMap>,
    voxels: Slot<Result<Arc<LevelVoxels>, VoxelError>>,
    /// The last voxels that were built, for an update of them.
    voxels_before: Option<Arc<LevelVoxels>>,
}

impl SharedNav {
    /// For the state of a level that is asked for; parts of `before` that still hold are shared.
    pub(super) fn new(
        inputs: StageInputs,
        options: &BakeOptions,
        quality: BakeQuality,
        before: Option<&Self>,
    ) -> Self {
        let sharing = |is_shared: fn(&StageInputs, &StageInputs) -> bool| {
            before.filter(|before| is_shared(&before.inputs, &inputs))
        };
        let same_obstacles = sharing(|a, b| Arc::ptr_eq(&a.obstacles, &b.obstacles));
        let same_bodies = sharing(|a, b| Arc::ptr_eq(&a.bodies, &b.bodies));
        let same_drawing = sharing(|a, b| Arc::ptr_eq(&a.drawing, &b.drawing));
        let same_mesh = same_drawing.filter(|same| match same.mesh.get() {
            Some(mesh) => quality == BakeQuality::Preview || mesh.is_from_scratch(),
            None => same.quality >= quality,
        });
        Self {
            mesh: same_mesh.map_or_else(Slot::default, |same| same.mesh.shared()),
            mesh_before: before
                .filter(|_| quality == BakeQuality::Preview)
                .and_then(|before| {
                    let built = before.mesh.get().map(|_| &before.mesh);
                    let last = built.or(before.mesh_before.as_ref());
                    last.map(Slot::shared)
                }),
            terrain: OnceLock::new(),
            quality,
            corridors: same_obstacles.map_or_else(Slot::default, |same| same.corridors.shared()),
            corridors_before: before.and_then(|before| {
                let built = before.built_corridors().map(|_| &before.corridors);
                let last = built.or(before.corridors_before.as_ref());
                last.map(Slot::shared)
            }),
            options: options.clone(),
            voxels: same_bodies.map_or_else(Slot::default, |same| same.voxels.shared()),
            voxels_before: before.and_then(|before| {
                let built = before.built_voxels().cloned();
                built.or_else(|| before.voxels_before.clone())
            }),
            inputs,
        }
    }

    /// The state of the level that it is for.
    #[must_use]
    pub const fn level(&self) -> &Arc<Level> {
        &self.inputs.level
    }

    /// What it was baked for.
    #[must_use]
    pub const fn quality(&self) -> BakeQuality {
        self.quality
    }

    /// The height field.
    #[must_use]
    pub fn ground(&self) -> Option<&Arc<HeightField>> {
        self.level().ground()
    }

    /// What a thing of the level is called; of a door that blocks, also that it is shut.
    #[must_use]
    pub fn label(&self, id: EntityId) -> String {
        let level = self.level();
        let label = level.label(id);
        match level.get(id).map(|entity| &entity.kind) {
            Some(Kind::Door(door)) => {
                let state = door_states::state_at_start(level, door);
                format!("{label} ({} door)", state.name().to_lowercase())
            }
            _ => label,
        }
    }

    /// Links in the level's order. While none changes, bundles share the list.
    #[must_use]
    pub const fn links(&self) -> &Arc<[NavLink]> {
        &self.inputs.links
    }

    #[must_use]
    pub const fn options(&self) -> &BakeOptions {
        &self.options
    }

    /// What free space and corridors are made from.
    #[must_use]
    pub const fn obstacles(&self) -> &Arc<Input> {
        &self.inputs.obstacles
    }

    /// What the terrain is made from.
    #[must_use]
    pub const fn drawing(&self) -> &Arc<TerrainInput> {
        &self.inputs.drawing
    }

    pub(super) const fn inputs(&self) -> &StageInputs {
        &self.inputs
    }

    /// Whether the terrain is triangulated, or will be, as it was in an earlier state.
    pub(super) fn has_same_mesh(&self, other: &Self) -> bool {
        self.mesh.is_shared_with(&other.mesh)
    }

    /// What changed since a state that this one was not baked from: nothing in parts that both share,
    /// everything in others.
    pub(super) fn compared(&self, before: &Self) -> NavDelta {
        NavDelta {
            terrain_remade: !self.has_same_mesh(before),
            ..self.inputs.compared(&before.inputs)
        }
    }

    /// Whether these parts are the very same here and there.
    #[must_use]
    pub fn same_parts(&self, other: &Self, parts: Needs) -> bool {
        (!parts.contains(Needs::CORRIDORS) || self.corridors.is_shared_with(&other.corridors))
            && (!parts.contains(Needs::TERRAIN)
                || self.mesh.is_shared_with(&other.mesh)
                    && self.inputs.paint.kinds == other.inputs.paint.kinds)
            && (!parts.contains(Needs::VOXELS) || self.voxels.is_shared_with(&other.voxels))
    }

    /// Builds parts now, with progress, and notes the time of each; once for each list of times.
    ///
    /// # Errors
    /// The job was cancelled.
    pub(super) fn prepare(
        &self,
        parts: Needs,
        ctx: &JobContext,
        times: &mut Vec<StageTime>,
    ) -> Result<(), Cancelled> {
        if parts.contains(Needs::CORRIDORS) {
            self.prepare_corridors(ctx, times)?;
        }
        if parts.contains(Needs::TERRAIN) {
            self.prepare_terrain(ctx, times)?;
        }
        if parts.contains(Needs::VOXELS) {
            self.prepare_voxels(ctx, times)?;
        }
        Ok(())
    }

    fn prepare_corridors(
        &self,
        ctx: &JobContext,
        times: &mut Vec<StageTime>,
    ) -> Result<(), Cancelled> {
        let build = || match self.build_corridors(ctx) {
            Err(CorridorError::Cancelled(cancelled)) => Err(cancelled),
            built => Ok(built),
        };
        self.corridors
            .stage(CORRIDORS, ctx, times, build, |built| match built {
                Ok(built) => (
                    format!("{} edges", built.map.edges().len()),
                    built.map.work(),
                ),
                Err(error) => (error.to_string(), Work::default()),
            })
    }

    fn build_corridors(&self, ctx: &JobContext) -> Result<Corridors, CorridorError> {
        let before = self.corridors_before.as_ref();
        let before = before.and_then(|slot| slot.get()?.as_ref().ok());
        Corridors::build(&self.inputs.obstacles, before, ctx)
    }

    fn prepare_terrain(
        &self,
        ctx: &JobContext,
        times: &mut Vec<StageTime>,
    ) -> Result<(), Cancelled> {
        let build = || self.build_mesh(ctx);
        self.mesh.stage(TERRAIN, ctx, times, build, |ground| {
            let count = ground.mesh().len();
            (format!("{count} triangles"), ground.work())
        })
    }

    fn build_mesh(&self, ctx: &JobContext) -> Result<TerrainTriangulation, Cancelled> {
        let input = Arc::clone(&self.inputs.drawing);
        match self.mesh_before.as_ref().and_then(|slot| slot.get()) {
            Some(before) => before.updated(input, ctx),
            None => TerrainTriangulation::build(input, ctx),
        }
    }

    /// The terrain with its obstacles; triangulated now, unless that is done.
    #[must_use]
    pub fn terrain(&self) -> &TerrainMap {
        self.terrain.get_or_init(|| {
            // A job that is known here alone is never cancelled.
            let build = || self.build_mesh(&JobContext::default());
            let built = self.mesh.get_or_try_build(build);
            let mesh = built.map_or_else(|_| Arc::default(), |ground| Arc::clone(ground.mesh()));
            TerrainMap::of_mesh(self.inputs.paint.kinds.clone(), mesh)
        })
    }

    fn prepare_voxels(
        &self,
        ctx: &JobContext,
        times: &mut Vec<StageTime>,
    ) -> Result<(), Cancelled> {
        let build = || match self.build_voxels(ctx) {
            Err(VoxelError::Cancelled(cancelled)) => Err(cancelled),
            built => Ok(built),
        };
        self.voxels
            .stage(VOXELS, ctx, times, build, |built| match built {
                Ok(built) => {
                    let [x, y, z] = built.voxels.frame().size;
                    let surfaces = built.surfaces().len();
                    let result = format!("{x} × {y} × {z} cells, {surfaces} to stand on");
                    let work = Work {
                        made: built.voxels.touched.len(),
                        of: built.voxels.frame().tiles().iter().product(),
                    };
                    (result, work)
                }
                Err(error) => (error.to_string(), Work::default()),
            })
    }

    fn build_voxels(&self, ctx: &JobContext) -> Result<Arc<LevelVoxels>, VoxelError> {
        let before = self.voxels_before.as_deref();
        let key = Arc::clone(&self.inputs.bodies);
        LevelVoxels::build(self.level(), &self.options, key, before, ctx).map(Arc::new)
    }

    /// The voxels; built now, unless that is done.
    ///
    /// # Errors
    /// The level is too large for the cells asked for.
    pub fn voxels(&self) -> Result<&Arc<LevelVoxels>, &VoxelError> {
        let build = || self.build_voxels(&JobContext::default());
        self.voxels.get_or_build(build).as_ref()
    }

    /// The voxels, if they were built.
    #[must_use]
    pub fn built_voxels(&self) -> Option<&Arc<LevelVoxels>> {
        self.voxels.get()?.as_ref().ok()
    }

    /// The terrain, if it was built.
    #[must_use]
    pub fn built_terrain(&self) -> Option<&TerrainMap> {
        self.mesh.get().map(|_| self.terrain())
    }

    /// The corridor map; built now, unless that is done.
    ///
    /// # Errors
    /// The level is too large for its lattice.
    pub fn corridors(&self) -> Result<&Corridors, &CorridorError> {
        let build = || self.build_corridors(&JobContext::default());
        self.corridors.get_or_build(build).as_ref()
    }

    /// The corridor map, if it was built.
    #[must_use]
    pub fn built_corridors(&self) -> Option<&Corridors> {
        self.corridors.get()?.as_ref().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::template::{Options, Template};
    use crate::document::{Entity, Kind};
    use crate::nav::{BakeRequest, NavBundle};

    fn level() -> Level {
        let template = Template::by_name("mckenna").expect("a sample");
        template.build(&Options::default()).expect("valid")
    }

    fn bake(level: &Level, before: Option<&NavBundle>, quality: BakeQuality) -> NavBundle {
        let request = BakeRequest {
            before,
            quality,
            ..BakeRequest::of(Arc::new(level.clone()))
        };
        NavBundle::bake(request, &JobContext::default()).expect("not cancelled")
    }

    #[test]
    fn a_part_is_built_once_and_shared_while_what_it_reads_is_the_same() {
        let level = level();
        let bake = |level: &Level, before| bake(level, before, BakeQuality::Full);
        let first = bake(&level, None);
        assert!(first.built_corridors().is_none());
        let second = bake(&level, Some(&first));
        let built: *const Corridors = second.corridors().expect("small enough");
        assert!(std::ptr::eq(built, first.corridors().expect("built")));
        let same = |a: &NavBundle, b: &NavBundle, parts| a.shared().same_parts(b.shared(), parts);
        assert!(same(&second, &first, Needs::EVERYTHING));
        assert!(second.delta().is_empty());

        let wall = level.obstacles().next().expect("there are some").0;
        let edits = [crate::document::Edit::Delete { id: wall }];
        let fewer = crate::document::ops::apply(&level, &edits).expect("valid");
        let third = bake(&fewer, Some(&second));
        assert!(third.built_corridors().is_none());
        assert!(!same(&third, &second, Needs::CORRIDORS));
        assert!(same(&third, &second, Needs::NOTHING));
        assert!(!third.delta().obstacles.is_nothing() && third.delta().terrain.is_nothing());
    }

    #[test]
    fn terrain_is_patched_while_something_is_painted_and_made_anew_once_that_ends() {
        use crate::document::{Edit, Region, ops};
        let template = Template::by_name("mckenna_road").expect("a sample");
        let level = template.build(&Options::default()).expect("valid");
        let terrain = level.terrains().next().expect("there are some").0;
        let painted = |x: f64| {
            let area = Polygon::regular(glam::DVec2::new(x, 60.0), 3.0, 8, 0.0);
            let region = Entity::new("", Kind::Region(Region { area, terrain }));
            let id = level.largest_id().next();
            ops::apply(&level, &[Edit::create(id, region)]).expect("valid")
        };
        let with = |level: &Level, quality, before: &NavBundle| {
            let bundle = bake(level, Some(before), quality);
            let _ = bundle.terrain();
            bundle
        };
        let is_from_scratch = |bundle: &NavBundle| {
            let mesh = bundle.shared().mesh.get();
            mesh.map(TerrainTriangulation::is_from_scratch)
        };
        let first = bake(&level, None, BakeQuality::Full);
        let _ = first.terrain();
        let second = with(&painted(20.0), BakeQuality::Preview, &first);
        let third = with(&painted(21.0), BakeQuality::Preview, &second);
        assert_eq!([&second, &third].map(is_from_scratch), [Some(false); 2]);
        // To be kept, it is made from scratch; what was is good enough for a preview.
        let last = with(&painted(21.0), BakeQuality::Full, &third);
        assert_eq!(is_from_scratch(&last), Some(true));
        let same = |a: &NavBundle, b: &NavBundle| a.shared().same_parts(b.shared(), Needs::TERRAIN);
        assert!(!same(&last, &third));
        let again = with(&painted(21.0), BakeQuality::Preview, &last);
        assert!(same(&again, &last));
    }

    #[test]
    fn preparing_reports_its_time_once_and_can_be_cancelled() {
        let bundle = bake(&level(), None, BakeQuality::Full);
        let shared = bundle.shared();
        let ctx = JobContext::default();
        let mut times = Vec::new();
        for _ in 0..2 {
            shared
                .prepare(Needs::CORRIDORS, &ctx, &mut times)
                .expect("runs");
        }
        assert_eq!(times.len(), 1);
        assert!(times[0].took.is_some());
        let mut again = Vec::new();
        shared
            .prepare(Needs::CORRIDORS, &ctx, &mut again)
            .expect("runs");
        assert!(again[0].took.is_none());
        ctx.cancel();
        let other = bake(&level(), None, BakeQuality::Full);
        assert!(other.prepare(Needs::CORRIDORS, &ctx).is_err());
        assert!(other.built_corridors().is_none());
    }
}

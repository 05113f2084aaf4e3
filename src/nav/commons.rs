//! What is baked once for agents of every radius.
//!
//! Each part is built when somebody first asks for it: a level whose agents need no corridors
//! never pays for them. A part is kept from bake to bake while what it reads stays the same.

use super::corridor::{self, CorridorError, CorridorMap, DeadEnds};
use super::free_space::Input;
use super::slot::Slot;
use super::stages::{ObstacleKey, StageTime};
use super::terrain::{Groundwork, TerrainInput, TerrainKind, TerrainMap};
use super::trapezoid::Effort;
use super::voxel::{LevelVoxels, VoxelError, VoxelKey, VoxelOptions};
use crate::base::EntityId;
use crate::document::{Entity, Kind, Level, PlannerKind};
use crate::geometry::Polygon;
use crate::jobs::{Cancelled, JobContext};
use std::sync::{Arc, OnceLock};

/// The medial axis of the free space of a point; what is too narrow for a body is cut when asked.
#[derive(Clone, Debug)]
pub struct Corridors {
    pub map: CorridorMap,
    /// Whose walls the map's blockers are.
    pub blockers: Vec<EntityId>,
}

impl Corridors {
    /// # Errors
    /// The level is too large for its lattice, or the job was cancelled.
    pub fn of_level(level: &Level, ctx: &JobContext) -> Result<Self, CorridorError> {
        Self::updated(level, None, ctx)
    }

    /// The same, taking over what still holds from those of an earlier state.
    ///
    /// # Errors
    /// The level is too large for its lattice, or the job was cancelled.
    pub fn updated(
        level: &Level,
        before: Option<&Self>,
        ctx: &JobContext,
    ) -> Result<Self, CorridorError> {
        let input = Input::of_level(level);
        let areas: Vec<Polygon> = input.blockers.iter().map(|b| b.area.clone()).collect();
        let before = before.map(|before| &before.map);
        Ok(Self {
            map: corridor::rebuild_between(input.bounds, &areas, DeadEnds::Keep, before, ctx)?,
            blockers: input.blockers.iter().map(|b| b.id).collect(),
        })
    }
}

/// What the triangulation of the terrain is made from besides the obstacles.
#[derive(Clone, Debug)]
struct PaintKey {
    regions: Vec<Arc<Entity>>,
    /// Numbers of terrain types are their places in this list.
    terrains: Vec<Option<EntityId>>,
}

impl PaintKey {
    fn of(level: &Level, kinds: &[TerrainKind]) -> Self {
        let is_region = |entity: &Arc<Entity>| matches!(entity.kind, Kind::Region(_));
        Self {
            regions: level
                .iter()
                .map(|(_, entity)| entity)
                .filter(|entity| is_region(entity))
                .cloned()
                .collect(),
            terrains: kinds.iter().map(|kind| kind.id).collect(),
        }
    }

    /// Whether the same triangles come of both; see [`ObstacleKey::agrees_with`].
    fn agrees_with(&self, other: &Self) -> bool {
        let pairs = || self.regions.iter().zip(&other.regions);
        self.terrains == other.terrains
            && self.regions.len() == other.regions.len()
            && pairs().all(|(a, b)| Arc::ptr_eq(a, b) || a.kind == b.kind)
    }
}

/// Everything that does not depend on a radius, for one state of a level.
#[derive(Debug)]
pub struct Commons {
    level: Level,
    effort: Effort,
    obstacles: Arc<ObstacleKey>,
    corridors: Slot<Result<Corridors, CorridorError>>,
    /// The last ones that were built, for an update of them.
    corridors_before: Option<Slot<Result<Corridors, CorridorError>>>,
    paint: Arc<PaintKey>,
    kinds: Vec<TerrainKind>,
    ground: Slot<Groundwork>,
    /// The last one that was built, for an update of it; none where it is to be made from scratch.
    ground_before: Option<Slot<Groundwork>>,
    terrain: OnceLock<TerrainMap>,
    voxel_options: Arc<VoxelOptions>,
    voxel_key: Arc<VoxelKey>,
    voxels: Slot<Result<Arc<LevelVoxels>, VoxelError>>,
    /// The last voxels that were built, for an update of them.
    voxels_before: Option<Arc<LevelVoxels>>,
}

impl Commons {
    /// For a state of a level; parts of `before` that still hold are shared.
    #[must_use]
    pub fn of(level: &Level, before: Option<&Self>) -> Self {
        let options = before.map(|before| Arc::clone(&before.voxel_options));
        Self::with_voxels(level, options.unwrap_or_default(), before)
    }

    /// The same with other choices about voxels, which are kept from then on.
    #[must_use]
    pub fn with_voxels(
        level: &Level,
        voxel_options: Arc<VoxelOptions>,
        before: Option<&Self>,
    ) -> Self {
        Self::with_effort(level, voxel_options, Effort::Final, before)
    }

    /// The same with less effort while something is dragged: then terrain is triangulated anew
    /// near the change alone.
    #[must_use]
    pub fn with_effort(
        level: &Level,
        voxel_options: Arc<VoxelOptions>,
        effort: Effort,
        before: Option<&Self>,
    ) -> Self {
        let voxel_key = VoxelKey::of(level, &voxel_options);
        let same_voxels = before.filter(|before| before.voxel_key.agrees_with(&voxel_key));
        let key = ObstacleKey::of(level);
        let same = before.filter(|before| before.obstacles.agrees_with(&key));
        let kinds = TerrainKind::all_of(level);
        let paint = PaintKey::of(level, &kinds);
        let same_paint = same.filter(|same| same.paint.agrees_with(&paint));
        let same_ground = same_paint.filter(|same| match same.ground.get() {
            Some(ground) => effort == Effort::Live || ground.is_whole(),
            None => same.effort >= effort,
        });
        Self {
            paint: same_paint.map_or_else(|| Arc::new(paint), |same| Arc::clone(&same.paint)),
            ground: same_ground.map_or_else(Slot::default, |same| same.ground.shared()),
            ground_before: before
                .filter(|_| effort == Effort::Live)
                .and_then(|before| {
                    let built = before.ground.get().map(|_| &before.ground);
                    let last = built.or(before.ground_before.as_ref());
                    last.map(Slot::shared)
                }),
            kinds,
            terrain: OnceLock::new(),
            level: level.clone(),
            effort,
            obstacles: same.map_or_else(|| Arc::new(key), |same| Arc::clone(&same.obstacles)),
            corridors: same.map_or_else(Slot::default, |same| same.corridors.shared()),
            corridors_before: before.and_then(|before| {
                let built = before.built_corridors().map(|_| &before.corridors);
                let last = built.or(before.corridors_before.as_ref());
                last.map(Slot::shared)
            }),
            voxel_options,
            voxel_key: same_voxels
                .map_or_else(|| Arc::new(voxel_key), |same| Arc::clone(&same.voxel_key)),
            voxels: same_voxels.map_or_else(Slot::default, |same| same.voxels.shared()),
            voxels_before: before.and_then(|before| {
                let built = before.built_voxels().cloned();
                built.or_else(|| before.voxels_before.clone())
            }),
        }
    }

    /// The state of the level that it is for.
    #[must_use]
    pub const fn level(&self) -> &Level {
        &self.level
    }

    /// What a thing of the level is called.
    #[must_use]
    pub fn label(&self, id: EntityId) -> String {
        self.level.label(id)
    }

    #[must_use]
    pub const fn voxel_options(&self) -> &Arc<VoxelOptions> {
        &self.voxel_options
    }

    /// Whether both have the same obstacles within the same bounds.
    #[must_use]
    pub fn has_same_obstacles(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.obstacles, &other.obstacles)
            || self.obstacles.agrees_with(&other.obstacles)
    }

    /// Whether a planner finds the same here and there, as far as it reads what is common to all
    /// radii.
    #[must_use]
    pub fn reads_same(&self, other: &Self, planner: PlannerKind) -> bool {
        match planner {
            PlannerKind::CorridorOriginal | PlannerKind::Corridor => {
                self.corridors.is_shared_with(&other.corridors)
            }
            // Corridors follow from the obstacles, which the mesh reads as well.
            PlannerKind::Irm | PlannerKind::Miran => {
                self.ground.is_shared_with(&other.ground) && self.kinds == other.kinds
            }
            PlannerKind::Portal | PlannerKind::Optimal | PlannerKind::Constraint => true,
            PlannerKind::Human => self.voxels.is_shared_with(&other.voxels),
        }
    }

    /// Builds now, with progress, what the planners of this kind read.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn prepare(
        &self,
        planner: PlannerKind,
        ctx: &JobContext,
        times: &mut Vec<StageTime>,
    ) -> Result<(), Cancelled> {
        match planner {
            PlannerKind::CorridorOriginal | PlannerKind::Corridor => {
                self.prepare_corridors(ctx, times)
            }
            PlannerKind::Irm => {
                self.prepare_corridors(ctx, times)?;
                self.prepare_terrain(ctx, times)
            }
            PlannerKind::Miran => self.prepare_terrain(ctx, times),
            PlannerKind::Portal | PlannerKind::Optimal | PlannerKind::Constraint => Ok(()),
            PlannerKind::Human => self.prepare_voxels(ctx, times),
        }
    }

    /// # Errors
    /// The job was cancelled.
    pub fn prepare_corridors(
        &self,
        ctx: &JobContext,
        times: &mut Vec<StageTime>,
    ) -> Result<(), Cancelled> {
        let build = || match self.build_corridors(ctx) {
            Err(CorridorError::Cancelled(cancelled)) => Err(cancelled),
            built => Ok(built),
        };
        self.corridors
            .stage("Corridor map", ctx, times, build, |built| match built {
                Ok(built) => format!("{} edges", built.map.edges().len()),
                Err(error) => error.to_string(),
            })
    }

    fn build_corridors(&self, ctx: &JobContext) -> Result<Corridors, CorridorError> {
        let before = self.corridors_before.as_ref();
        let before = before.and_then(|slot| slot.get()?.as_ref().ok());
        Corridors::updated(&self.level, before, ctx)
    }

    /// # Errors
    /// The job was cancelled.
    pub fn prepare_terrain(
        &self,
        ctx: &JobContext,
        times: &mut Vec<StageTime>,
    ) -> Result<(), Cancelled> {
        let build = || self.build_ground(ctx);
        self.ground.stage("Terrain", ctx, times, build, |ground| {
            format!("{} triangles", ground.mesh().len())
        })
    }

    fn build_ground(&self, ctx: &JobContext) -> Result<Groundwork, Cancelled> {
        let input = TerrainInput::of_level(&self.level);
        match self.ground_before.as_ref().and_then(|slot| slot.get()) {
            Some(before) => before.updated(input, ctx),
            None => Groundwork::build(input, ctx),
        }
    }

    /// The terrain with its obstacles; triangulated now, if nobody has asked for it yet.
    #[must_use]
    pub fn terrain(&self) -> &TerrainMap {
        self.terrain.get_or_init(|| {
            // Nobody cancels a job that is known here alone.
            let build = || self.build_ground(&JobContext::default());
            let built = self.ground.get_or_try_build(build);
            let mesh = built.map_or_else(|_| Arc::default(), |ground| Arc::clone(ground.mesh()));
            TerrainMap::of_mesh(self.kinds.clone(), mesh)
        })
    }

    /// # Errors
    /// The job was cancelled.
    pub fn prepare_voxels(
        &self,
        ctx: &JobContext,
        times: &mut Vec<StageTime>,
    ) -> Result<(), Cancelled> {
        let build = || match self.build_voxels(ctx) {
            Err(VoxelError::Cancelled(cancelled)) => Err(cancelled),
            built => Ok(built),
        };
        self.voxels
            .stage("Voxels", ctx, times, build, |built| match built {
                Ok(built) => {
                    let [x, y, z] = built.voxels.frame().size;
                    let surfaces = built.surfaces().len();
                    format!("{x} × {y} × {z} cells, {surfaces} to stand on")
                }
                Err(error) => error.to_string(),
            })
    }

    fn build_voxels(&self, ctx: &JobContext) -> Result<Arc<LevelVoxels>, VoxelError> {
        let before = self.voxels_before.as_deref();
        LevelVoxels::build(&self.level, &self.voxel_options, before, ctx).map(Arc::new)
    }

    /// The voxels; built now, if nobody has asked for them yet.
    ///
    /// # Errors
    /// The level is too large for the cells asked for.
    pub fn voxels(&self) -> Result<&Arc<LevelVoxels>, &VoxelError> {
        let build = || self.build_voxels(&JobContext::default());
        self.voxels.get_or_build(build).as_ref()
    }

    /// The voxels, if somebody has asked for them already.
    #[must_use]
    pub fn built_voxels(&self) -> Option<&Arc<LevelVoxels>> {
        self.voxels.get()?.as_ref().ok()
    }

    /// The terrain, if somebody has asked for it already.
    #[must_use]
    pub fn built_terrain(&self) -> Option<&TerrainMap> {
        self.ground.get().map(|_| self.terrain())
    }

    /// The corridor map; built now, if nobody has asked for it yet.
    ///
    /// # Errors
    /// The level is too large for its lattice.
    pub fn corridors(&self) -> Result<&Corridors, &CorridorError> {
        let build = || self.build_corridors(&JobContext::default());
        self.corridors.get_or_build(build).as_ref()
    }

    /// The corridor map, if somebody has asked for it already.
    #[must_use]
    pub fn built_corridors(&self) -> Option<&Corridors> {
        self.corridors.get()?.as_ref().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::template::{Options, Template};

    fn level() -> Level {
        let template = Template::by_name("mckenna").expect("a sample");
        template.build(&Options::default()).expect("valid")
    }

    #[test]
    fn a_part_is_built_once_and_shared_while_what_it_reads_is_the_same() {
        let level = level();
        let first = Commons::of(&level, None);
        assert!(first.built_corridors().is_none());
        let second = Commons::of(&level, Some(&first));
        let built: *const Corridors = second.corridors().expect("small enough");
        assert!(std::ptr::eq(built, first.corridors().expect("built")));
        assert!(second.reads_same(&first, PlannerKind::Corridor));
        assert!(second.has_same_obstacles(&first));

        let wall = level.obstacles().next().expect("there are some").0;
        let edits = [crate::document::Edit::Delete { id: wall }];
        let fewer = crate::document::ops::apply(&level, &edits).expect("valid");
        let third = Commons::of(&fewer, Some(&second));
        assert!(third.built_corridors().is_none());
        assert!(!third.reads_same(&second, PlannerKind::Corridor));
        assert!(third.reads_same(&second, PlannerKind::Portal));
    }

    #[test]
    fn ground_is_patched_while_something_is_painted_and_made_anew_once_it_is_let_go() {
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
        let with = |level: &Level, effort, before: &Commons| {
            let commons = Commons::with_effort(level, Arc::default(), effort, Some(before));
            let _ = commons.terrain();
            commons
        };
        let is_whole = |commons: &Commons| commons.ground.get().map(Groundwork::is_whole);
        let first = Commons::of(&level, None);
        let _ = first.terrain();
        let second = with(&painted(20.0), Effort::Live, &first);
        let third = with(&painted(21.0), Effort::Live, &second);
        assert_eq!([&second, &third].map(is_whole), [Some(false); 2]);
        // The same drawing with all effort is another ground; with little effort it is not.
        let last = with(&painted(21.0), Effort::Final, &third);
        assert_eq!(is_whole(&last), Some(true));
        assert!(!last.reads_same(&third, PlannerKind::Miran));
        let again = with(&painted(21.0), Effort::Live, &last);
        assert!(again.reads_same(&last, PlannerKind::Miran));
    }

    #[test]
    fn preparing_reports_its_time_once_and_can_be_cancelled() {
        let commons = Commons::of(&level(), None);
        let ctx = JobContext::default();
        let mut times = Vec::new();
        for planner in [PlannerKind::Corridor, PlannerKind::CorridorOriginal] {
            commons.prepare(planner, &ctx, &mut times).expect("runs");
        }
        assert_eq!(times.len(), 1);
        assert!(times[0].took.is_some());
        let mut again = Vec::new();
        commons
            .prepare(PlannerKind::Corridor, &ctx, &mut again)
            .expect("runs");
        assert!(again[0].took.is_none());
        ctx.cancel();
        let other = Commons::of(&level(), None);
        assert!(
            other
                .prepare(PlannerKind::Corridor, &ctx, &mut Vec::new())
                .is_err()
        );
        assert!(other.built_corridors().is_none());
    }
}

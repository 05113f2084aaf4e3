//! Everything that was baked from one state of a level, to be shared and drawn.

use super::corridor::CorridorError;
use super::delta::NavDelta;
use super::free_space::radius_key;
use super::lineage::Lineage;
use super::needs::Needs;
use super::quality::BakeQuality;
use super::shared_nav::{Corridors, SharedNav};
use super::stages::{self, NavSpace, StageTime, Work};
use super::terrain::TerrainMap;
use super::voxel::{LevelVoxels, VoxelError};
use crate::base::EntityId;
use crate::document::Level;
use crate::document::validate::{Code, Problem, Severity, Subject};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::NavData;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Published whole: readers of one see a consistent state, however old. Cheap to clone.
#[derive(Clone, Debug)]
pub struct NavBundle(Arc<Contents>);

#[derive(Debug)]
struct Contents {
    lineage: Lineage,
    shared: Arc<SharedNav>,
    spaces: BTreeMap<u32, Arc<NavSpace>>,
    /// For profiles that find doors locked which are open to others.
    variants: BTreeMap<EntityId, NavBundle>,
    quality: BakeQuality,
    times: Vec<StageTime>,
    took: Duration,
}

/// Smaller levels have no terrain. Unit: metres.
const LEAST_SIZE: f64 = 0.01;

impl NavBundle {
    pub(super) fn new(
        shared: Arc<SharedNav>,
        spaces: BTreeMap<u32, Arc<NavSpace>>,
        variants: BTreeMap<EntityId, Self>,
        quality: BakeQuality,
        lineage: Lineage,
        times: Vec<StageTime>,
        took: Duration,
    ) -> Self {
        Self(Arc::new(Contents {
            lineage,
            shared,
            spaces,
            variants,
            quality,
            times,
            took,
        }))
    }

    /// The state of the level that was baked.
    #[must_use]
    pub fn level(&self) -> &Arc<Level> {
        self.0.shared.level()
    }

    /// Another one for every bake of this process, larger for later ones.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.0.lineage.revision()
    }

    /// What it was asked to be baked with; parts may be of a better quality.
    #[must_use]
    pub fn quality(&self) -> BakeQuality {
        self.0.quality
    }

    /// What changed since the bundle that it was baked from; everything, if there was none.
    #[must_use]
    pub fn delta(&self) -> &NavDelta {
        static EVERYTHING: NavDelta = NavDelta::everything();
        self.0.lineage.delta().unwrap_or(&EVERYTHING)
    }

    pub(super) fn lineage(&self) -> &Lineage {
        &self.0.lineage
    }

    /// What changed since another bundle. Where this one was not baked from that one, nor from one
    /// that was: nothing in parts that both share, everything in others.
    #[must_use]
    pub fn delta_since(&self, other: &Self) -> NavDelta {
        let known = self.0.lineage.since(&other.0.lineage);
        known.unwrap_or_else(|| self.0.shared.compared(&other.0.shared))
    }

    /// All that planners stand on for a body; `None` for a radius that was not asked for.
    #[must_use]
    pub fn nav(&self, radius: f64) -> Option<NavData> {
        let space = Arc::clone(self.space(radius)?);
        let (shared, lineage) = (Arc::clone(&self.0.shared), self.0.lineage.clone());
        Some(NavData::new(space, shared, lineage))
    }

    /// All that planners stand on for agents of a profile, for whom doors may be locked that are
    /// open to others.
    #[must_use]
    pub fn nav_for(&self, profile: EntityId, radius: f64) -> Option<NavData> {
        self.variant(profile).unwrap_or(self).nav(radius)
    }

    /// What agents of a profile find, if it differs from what others find.
    #[must_use]
    pub fn variant(&self, profile: EntityId) -> Option<&Self> {
        self.0.variants.get(&profile)
    }

    /// Free space and cells of a radius; `None` for one that was not asked for.
    #[must_use]
    pub fn space(&self, radius: f64) -> Option<&Arc<NavSpace>> {
        self.0.spaces.get(&radius_key(radius))
    }

    /// Smallest radius first.
    pub fn spaces(&self) -> impl ExactSizeIterator<Item = &Arc<NavSpace>> + Clone {
        self.0.spaces.values()
    }

    /// What is baked once for all radii.
    #[must_use]
    pub fn shared(&self) -> &Arc<SharedNav> {
        &self.0.shared
    }

    /// See [`SharedNav::corridors`].
    ///
    /// # Errors
    /// The level is too large for its lattice.
    pub fn corridors(&self) -> Result<&Corridors, &CorridorError> {
        self.0.shared.corridors()
    }

    /// See [`SharedNav::terrain`].
    #[must_use]
    pub fn terrain(&self) -> &TerrainMap {
        self.0.shared.terrain()
    }

    /// See [`SharedNav::voxels`].
    ///
    /// # Errors
    /// The level is too large for the cells asked for.
    pub fn voxels(&self) -> Result<&Arc<LevelVoxels>, &VoxelError> {
        self.0.shared.voxels()
    }

    #[must_use]
    pub fn built_corridors(&self) -> Option<&Corridors> {
        self.0.shared.built_corridors()
    }

    #[must_use]
    pub fn built_terrain(&self) -> Option<&TerrainMap> {
        self.0.shared.built_terrain()
    }

    #[must_use]
    pub fn built_voxels(&self) -> Option<&Arc<LevelVoxels>> {
        self.0.shared.built_voxels()
    }

    /// Builds shared parts now, with progress, unless that is done.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn prepare(&self, needs: Needs, ctx: &JobContext) -> Result<(), Cancelled> {
        self.0.shared.prepare(needs, ctx, &mut Vec::new())
    }

    /// Every stage of the bake, in order.
    #[must_use]
    pub fn times(&self) -> &[StageTime] {
        &self.0.times
    }

    /// How much of a stage was made by this bake, in all radii; `None` for one that it did not
    /// come to.
    #[must_use]
    pub fn work(&self, stage: &str) -> Option<Work> {
        let works = self.times().iter().filter(|time| time.stage == stage);
        works.map(|time| time.work).reduce(|a, b| Work {
            made: a.made + b.made,
            of: a.of + b.of,
        })
    }

    /// How many inputs of stages were collected from the whole level, instead of being patched.
    #[must_use]
    pub fn collected_inputs(&self) -> usize {
        self.0.shared.inputs().collected
    }

    /// How long the bake took.
    #[must_use]
    pub fn took(&self) -> Duration {
        self.0.took
    }

    /// Whether no stage had to be built.
    #[must_use]
    pub fn was_reused(&self) -> bool {
        self.times().iter().all(|time| time.took.is_none())
    }

    /// Bodies that the level has no room for.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let level = self.level();
        let size = level.settings().bounds.size();
        // Regions alone: that of obstacles is told for each body.
        let terrain = self.shared().built_terrain();
        let is_refused = terrain.is_some_and(|terrain| terrain.mesh().is_empty())
            && size.min_element() > LEAST_SIZE
            && self.0.spaces.values().all(|s| s.free.refusal().is_none());
        let regions = is_refused.then(|| Problem {
            severity: Severity::Error,
            code: Code::TooComplex,
            subject: Subject::Level,
            message:
                "regions of terrain cross each other so often that no paths can be planned by \
                      terrain; unite or remove some of them"
                    .to_owned(),
            at: None,
            fix: None,
        });
        self.0
            .spaces
            .iter()
            .filter(|(_, space)| space.free.areas.is_empty())
            .map(|(key, space)| {
                if let Some(refusal) = space.free.refusal() {
                    return Problem {
                        severity: Severity::Error,
                        code: Code::TooComplex,
                        subject: Subject::Entity(refusal.obstacle()),
                        message: refusal.sentence().to_owned(),
                        at: None,
                        fix: None,
                    };
                }
                let bodies = match &stages::profiles_of(level, *key)[..] {
                    [] => String::new(),
                    names => format!(" for {}", names.join(", ")),
                };
                let narrow = size.min_element();
                let radius = space.radius;
                let message = if narrow <= 2.0 * radius {
                    format!(
                        "the level is {narrow} m wide, the radius{bodies} {radius} m: nothing is \
                         left to walk on; enlarge the bounds or choose a smaller radius"
                    )
                } else {
                    format!(
                        "obstacles leave no room for a radius of {radius} m{bodies}; nothing is \
                         left to walk on"
                    )
                };
                Problem {
                    severity: Severity::Error,
                    code: Code::NothingLeft,
                    subject: Subject::Level,
                    message,
                    at: None,
                    fix: None,
                }
            })
            .chain(regions)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{
        Agent, Edit, Entity, Heading, Kind, Mission, Note, Obstacle, Profile, ops,
    };
    use crate::geometry::{Polygon, Rect};
    use crate::nav::BakeRequest;
    use glam::{DVec2, DVec3};

    const WALL: EntityId = EntityId::new(1);
    const ADULT: EntityId = EntityId::new(2);
    const CHILD: EntityId = EntityId::new(3);
    const GUARD: EntityId = EntityId::new(4);

    fn profile(radius: f64) -> Entity {
        let mut profile = Profile::default();
        profile.body.radius = radius;
        Entity::new("", Kind::Profile(profile))
    }

    fn wall(x: f64) -> Entity {
        let area = Polygon::rect(Rect::around(DVec2::new(x, 50.0), DVec2::new(2.0, 20.0)));
        Entity::new("Wall", Kind::Obstacle(Obstacle::new(area)))
    }

    fn agent(x: f64, profile: EntityId) -> Entity {
        let kind = Kind::Agent(Agent {
            start: DVec3::new(x, 10.0, 0.0),
            heading: Heading::default(),
            mission: Mission::new(profile),
        });
        Entity::new("Guard", kind)
    }

    fn level() -> Level {
        let edits = [
            Edit::create(WALL, wall(50.0)),
            Edit::create(ADULT, profile(0.5)),
            Edit::create(CHILD, profile(0.25)),
            Edit::create(GUARD, agent(10.0, ADULT)),
        ];
        ops::apply(&Level::default(), &edits).expect("valid")
    }

    fn bake_with(level: &Level, before: Option<&NavBundle>, quality: BakeQuality) -> NavBundle {
        let request = BakeRequest {
            before,
            quality,
            ..BakeRequest::of(Arc::new(level.clone()))
        };
        NavBundle::bake(request, &JobContext::default()).expect("not cancelled")
    }

    fn bake(level: &Level, before: Option<&NavBundle>) -> NavBundle {
        bake_with(level, before, BakeQuality::Full)
    }

    fn after(level: &Level, edit: Edit) -> Level {
        ops::apply(level, &[edit]).expect("valid")
    }

    #[test]
    fn only_what_a_change_touches_is_built_again() {
        let level = level();
        let first = bake(&level, None);
        assert_eq!(first.spaces().len(), 1, "no agent is a child");
        assert!(!first.was_reused());

        let moved = after(&level, Edit::replace(GUARD, agent(20.0, ADULT)));
        let second = bake(&moved, Some(&first));
        assert!(second.was_reused());
        let note = Entity::new(
            "",
            Kind::Note(Note {
                at: DVec2::ZERO,
                text: "x".to_owned(),
            }),
        );
        let noted = after(&moved, Edit::create(EntityId::new(9), note));
        assert!(bake(&noted, Some(&second)).was_reused());
        let mut renamed = wall(50.0);
        renamed.name = "Old wall".to_owned();
        let renamed = after(&level, Edit::replace(WALL, renamed));
        assert!(bake(&renamed, Some(&second)).was_reused());

        let child = after(&level, Edit::create(EntityId::new(8), agent(30.0, CHILD)));
        let both = bake(&child, Some(&second));
        assert_eq!(both.spaces().len(), 2);
        assert!(Arc::ptr_eq(
            both.space(0.5).expect("kept"),
            second.space(0.5).expect("built")
        ));
    }

    #[test]
    fn a_moved_obstacle_gives_what_a_bake_from_scratch_gives() {
        let level = level();
        let mut bundle = bake(&level, None);
        for x in [51.0, 60.0, 99.0, 150.0, 50.0] {
            let moved = after(&level, Edit::replace(WALL, wall(x)));
            bundle = bake(&moved, Some(&bundle));
            let fresh = bake(&moved, None);
            let (a, b) = (
                bundle.space(0.5).expect("built"),
                fresh.space(0.5).expect("built"),
            );
            assert_eq!(a.free.areas, b.free.areas);
            assert_eq!(a.plain, b.plain);
            assert_eq!(a.merged, b.merged);
        }
    }

    #[test]
    fn a_preview_has_the_same_cells_and_is_not_kept_for_a_full_bake() {
        let level = level();
        let first = bake(&level, None);
        let live = |level: &Level, before: &NavBundle| {
            bake_with(level, Some(before), BakeQuality::Preview)
        };
        assert!(live(&level, &first).was_reused());
        let moved = after(&level, Edit::replace(WALL, wall(60.0)));
        let dragged = live(&moved, &first);
        assert!(live(&moved, &dragged).was_reused());
        let dropped = bake(&moved, Some(&dragged));
        assert!(!dropped.was_reused());
        let [a, b] = [&dragged, &dropped].map(|bundle| bundle.space(0.5).expect("built"));
        assert_eq!(
            (a.quality, b.quality),
            (BakeQuality::Preview, BakeQuality::Full)
        );
        assert!(a.plain.has_same_cells(&b.plain) && a.merged.has_same_cells(&b.merged));
        assert_eq!(
            b.merged,
            bake(&moved, None).space(0.5).expect("built").merged
        );
    }

    #[test]
    fn a_level_too_narrow_for_a_body_is_a_problem_in_plain_words() {
        let mut settings = (**level().settings()).clone();
        settings.bounds = Rect::new(DVec2::ZERO, DVec2::new(30.0, 1.0));
        let narrow = after(&level(), Edit::Settings(Arc::new(settings)));
        let problems = bake(&narrow, None).problems();
        assert_eq!(problems.len(), 1);
        assert!(
            problems[0].message.contains("1 m wide"),
            "{}",
            problems[0].message
        );
        assert!(bake(&level(), None).problems().is_empty());
    }

    #[test]
    fn a_cancelled_bake_stops() {
        let ctx = JobContext::default();
        ctx.cancel();
        assert!(NavBundle::bake(BakeRequest::of(Arc::new(level())), &ctx).is_err());
    }
}

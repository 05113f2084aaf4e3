//! Everything that was baked from one state of a level, to be shared and drawn.

use super::commons::Commons;
use super::free_space::{Input, radius_key};
use super::stages::{self, NavSpace, StageTime};
use super::trapezoid::Effort;
use super::voxel::VoxelOptions;
use crate::document::Level;
use crate::document::validate::{Code, Problem, Severity, Subject};
use crate::jobs::{Cancelled, JobContext};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Published whole: whoever holds one sees a consistent state, however old.
#[derive(Clone, Debug)]
pub struct NavBundle {
    commons: Arc<Commons>,
    spaces: BTreeMap<u32, Arc<NavSpace>>,
    /// In the order in which they were built.
    pub times: Vec<StageTime>,
}

impl NavBundle {
    /// Bakes a level; what `before` holds and still fits is taken over.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn bake(level: &Level, before: Option<&Self>, ctx: &JobContext) -> Result<Self, Cancelled> {
        Self::bake_with(level, before, Effort::Final, ctx)
    }

    /// The same with less effort while something is dragged: the same cells in a fraction of the
    /// time, and points found a little slower. What was baked with more is taken over, not what was
    /// baked with less.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn bake_with(
        level: &Level,
        before: Option<&Self>,
        effort: Effort,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let voxels = before.map(|before| Arc::clone(before.commons.voxel_options()));
        Self::bake_for(level, before, effort, voxels.unwrap_or_default(), ctx)
    }

    /// The same with other choices about voxels.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn bake_for(
        level: &Level,
        before: Option<&Self>,
        effort: Effort,
        voxels: Arc<VoxelOptions>,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let old = before.map(|before| &*before.commons);
        let commons = Commons::with_effort(level, voxels, effort, old);
        Self::bake_on(Arc::new(commons), before, effort, ctx)
    }

    /// The same on what is common to all radii, which others may be building parts of already.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn bake_on(
        commons: Arc<Commons>,
        before: Option<&Self>,
        effort: Effort,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let level = commons.level();
        let same = before.filter(|before| before.commons.has_same_obstacles(&commons));
        let radii = stages::radii(level);
        let mut times = Vec::new();
        let mut spaces = BTreeMap::new();
        let total = radii.len() as f32;
        for (done, (radius_key, radius)) in radii.into_iter().enumerate() {
            ctx.checkpoint()?;
            ctx.report(done as f32 / total);
            let old = before.and_then(|before| before.spaces.get(&radius_key));
            let space = match old {
                Some(space) if same.is_some() && space.effort >= effort => {
                    stages::taken_over(space, &mut times);
                    Arc::clone(space)
                }
                _ => {
                    let input = Input::of_level(level);
                    let old = old.map(|space| &**space);
                    Arc::new(stages::build_space(
                        input, radius, old, effort, ctx, &mut times,
                    )?)
                }
            };
            spaces.insert(radius_key, space);
        }
        Ok(Self {
            commons,
            spaces,
            times,
        })
    }

    /// What was built for a radius; `None` for one that nobody had when it was baked.
    #[must_use]
    pub fn space(&self, radius: f64) -> Option<&Arc<NavSpace>> {
        self.spaces.get(&radius_key(radius))
    }

    /// What is baked once for all radii.
    #[must_use]
    pub const fn commons(&self) -> &Arc<Commons> {
        &self.commons
    }

    /// Smallest radius first.
    pub fn spaces(&self) -> impl ExactSizeIterator<Item = &Arc<NavSpace>> + Clone {
        self.spaces.values()
    }

    /// Whether no stage had to be built.
    #[must_use]
    pub fn was_taken_over(&self) -> bool {
        self.times.iter().all(|time| time.took.is_none())
    }

    /// What is wrong with the level for those who walk in it.
    #[must_use]
    pub fn problems(&self, level: &Level) -> Vec<Problem> {
        let size = level.settings().bounds.size();
        self.spaces
            .iter()
            .filter(|(_, space)| space.free.areas.is_empty())
            .map(|(key, space)| {
                let who = match &stages::profiles_of(level, *key)[..] {
                    [] => String::new(),
                    names => format!(" for {}", names.join(", ")),
                };
                let narrow = size.min_element();
                let radius = space.radius;
                let message = if narrow <= 2.0 * radius {
                    format!(
                        "the level is {narrow} m wide, the radius{who} {radius} m: nothing is \
                         left to walk on; enlarge the bounds or choose a smaller radius"
                    )
                } else {
                    format!(
                        "obstacles leave no room for a radius of {radius} m{who}; nothing is \
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
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::EntityId;
    use crate::document::{
        Agent, Edit, Entity, Heading, Kind, Mission, Note, Obstacle, Profile, ops,
    };
    use crate::geometry::{Polygon, Rect};
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

    fn bake(level: &Level, before: Option<&NavBundle>) -> NavBundle {
        NavBundle::bake(level, before, &JobContext::default()).expect("not cancelled")
    }

    fn after(level: &Level, edit: Edit) -> Level {
        ops::apply(level, &[edit]).expect("valid")
    }

    #[test]
    fn only_what_a_change_touches_is_built_again() {
        let level = level();
        let first = bake(&level, None);
        assert_eq!(first.spaces().len(), 1, "nobody walks as a child");
        assert!(!first.was_taken_over());

        let moved = after(&level, Edit::replace(GUARD, agent(20.0, ADULT)));
        let second = bake(&moved, Some(&first));
        assert!(second.was_taken_over());
        let note = Entity::new(
            "",
            Kind::Note(Note {
                at: DVec2::ZERO,
                text: "x".to_owned(),
            }),
        );
        let noted = after(&moved, Edit::create(EntityId::new(9), note));
        assert!(bake(&noted, Some(&second)).was_taken_over());
        let mut renamed = wall(50.0);
        renamed.name = "Old wall".to_owned();
        let renamed = after(&level, Edit::replace(WALL, renamed));
        assert!(bake(&renamed, Some(&second)).was_taken_over());

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
    fn a_live_bake_gives_the_same_cells_and_is_not_kept_for_a_final_one() {
        let level = level();
        let first = bake(&level, None);
        let live = |level: &Level, before: &NavBundle| {
            NavBundle::bake_with(level, Some(before), Effort::Live, &JobContext::default())
                .expect("not cancelled")
        };
        assert!(live(&level, &first).was_taken_over());
        let moved = after(&level, Edit::replace(WALL, wall(60.0)));
        let dragged = live(&moved, &first);
        assert!(live(&moved, &dragged).was_taken_over());
        let dropped = bake(&moved, Some(&dragged));
        assert!(!dropped.was_taken_over());
        let [a, b] = [&dragged, &dropped].map(|bundle| bundle.space(0.5).expect("built"));
        assert_eq!((a.effort, b.effort), (Effort::Live, Effort::Final));
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
        let problems = bake(&narrow, None).problems(&narrow);
        assert_eq!(problems.len(), 1);
        assert!(
            problems[0].message.contains("1 m wide"),
            "{}",
            problems[0].message
        );
        assert!(bake(&level(), None).problems(&level()).is_empty());
    }

    #[test]
    fn a_cancelled_bake_stops() {
        let ctx = JobContext::default();
        ctx.cancel();
        assert!(NavBundle::bake(&level(), None, &ctx).is_err());
    }
}

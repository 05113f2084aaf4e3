//! What the stages of a bake read, carried from bake to bake.
//!
//! An input is collected from the level once, then patched by what changed. It is the key of its
//! stage: while the very same input is shared, so is what was made from it.

use super::bake::{BakeRequest, ProfileSet};
use super::delta::{Changed, NavDelta};
use super::entity_list::LevelStep;
use super::free_space::Input;
use super::links::{self, NavLink};
use super::terrain::{Paint, TerrainInput};
use super::voxel::VoxelKey;
use crate::base::EntityId;
use crate::document::door_states;
use crate::document::{ChangeSet, Entity, Kind, Level, Query};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The inputs of all stages, for one state of a level.
#[derive(Clone, Debug)]
pub(super) struct StageInputs {
    pub level: Arc<Level>,
    /// With the doors as they are at the start of the level's clock.
    resolved: Arc<Level>,
    pub links: Arc<[NavLink]>,
    /// Of free space and corridors.
    pub obstacles: Arc<Input>,
    pub paint: Arc<Paint>,
    /// What is triangulated: obstacles and what is painted. Terrain types in it may have older
    /// names and weights than those of `paint`.
    pub drawing: Arc<TerrainInput>,
    pub bodies: Arc<VoxelKey>,
    profiles: ProfileSet,
    /// By their keys. Unit: metres.
    pub radii: Arc<BTreeMap<u32, f64>>,
    /// How many inputs were collected from the whole level.
    pub collected: usize,
}

impl StageInputs {
    /// Collected from the whole level.
    fn collect(request: &BakeRequest<'_>) -> Self {
        let resolved = door_states::at_start(&request.level);
        let level = &resolved;
        let obstacles = Arc::new(Input::of_level(level));
        let paint = Arc::new(Paint::of_level(level));
        Self {
            level: Arc::clone(&request.level),
            links: links::collect(level),
            drawing: Arc::new(TerrainInput::new(&obstacles, &paint)),
            obstacles,
            paint,
            bodies: Arc::new(VoxelKey::of(level, &request.options.voxels)),
            radii: Arc::new(request.profiles.radii(level)),
            profiles: request.profiles.clone(),
            collected: 4,
            resolved,
        }
    }

    /// For a request, from the inputs of an earlier state where there are some, with what changed.
    pub fn of(request: &BakeRequest<'_>, before: Option<&Self>) -> (Self, NavDelta) {
        match before {
            Some(before) => before.patched(request),
            None => (Self::collect(request), NavDelta::everything()),
        }
    }

    fn patched(&self, request: &BakeRequest<'_>) -> (Self, NavDelta) {
        let resolved = door_states::at_start(&request.level);
        let level = &resolved;
        let change = ChangeSet::between(&self.resolved, level);
        let step = LevelStep {
            before: &self.resolved,
            after: level,
            change: &change,
        };
        let mut next = Self {
            level: Arc::clone(&request.level),
            resolved: Arc::clone(level),
            collected: 0,
            ..self.clone()
        };
        let mut delta = NavDelta {
            ground: change.ground,
            ..NavDelta::default()
        };
        if let Some((obstacles, changed)) = self.obstacles.updated(step) {
            next.obstacles = Arc::new(obstacles);
            delta.obstacles = changed;
        }
        if let Some(links) = links::updated(&self.links, step) {
            next.links = links;
        }
        if let Some((paint, changed)) = self.paint.updated(step) {
            delta.terrain_kinds = paint.kinds != self.paint.kinds;
            delta.terrain = changed;
            next.paint = Arc::new(paint);
        }
        let same_obstacles = Arc::ptr_eq(&self.obstacles, &next.obstacles);
        if !same_obstacles || !delta.terrain.is_nothing() {
            next.drawing = Arc::new(TerrainInput::new(&next.obstacles, &next.paint));
        }
        if let Some((bodies, changed)) = self.bodies.updated(step, &request.options.voxels) {
            next.bodies = Arc::new(bodies);
            delta.voxels = changed;
        }
        if self.profiles != request.profiles || changes_radii(step) {
            let radii = request.profiles.radii(level);
            next.collected += 1;
            next.profiles = request.profiles.clone();
            if radii != *self.radii {
                next.radii = Arc::new(radii);
            }
        }
        (next, delta)
    }

    /// What changed between states neither of which was baked from the other.
    pub fn compared(&self, before: &Self) -> NavDelta {
        fn changed<T>(a: &Arc<T>, b: &Arc<T>) -> Changed {
            if Arc::ptr_eq(a, b) {
                Changed::Nothing
            } else {
                Changed::Everything
            }
        }
        let field = |inputs: &Self| inputs.level.ground().map(Arc::as_ptr);
        NavDelta {
            obstacles: changed(&self.obstacles, &before.obstacles),
            terrain: changed(&self.paint, &before.paint),
            voxels: changed(&self.bodies, &before.bodies),
            terrain_kinds: self.paint.kinds != before.paint.kinds,
            ground: field(self) != field(before),
            ..NavDelta::default()
        }
    }
}

/// Whether other bodies may be in use, or bodies may have become larger or smaller.
fn changes_radii(step: LevelStep<'_>) -> bool {
    step.change.touched().any(|id| {
        let [old, new] = [step.before, step.after].map(|level| level.get(id));
        used_profile(old) != used_profile(new) || radius(old) != radius(new)
    })
}

fn used_profile(entity: Option<&Arc<Entity>>) -> Option<EntityId> {
    match &entity?.kind {
        Kind::Agent(agent) => Some(agent.mission.profile),
        Kind::Crowd(crowd) => Some(crowd.mission.profile),
        Kind::Test(test) => match test.query {
            Query::Between { profile, .. } => Some(profile),
            Query::Agent(_) | Query::Run => None,
        },
        _ => None,
    }
}

fn radius(entity: Option<&Arc<Entity>>) -> Option<f64> {
    match &entity?.kind {
        Kind::Profile(profile) => Some(profile.body.radius),
        _ => None,
    }
}

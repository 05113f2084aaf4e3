//! The bake: the only entry point from a level to navigation data.
//!
//! Editor, command line, exporters, benchmarks and tests all fill in a [`BakeRequest`]. Parts of
//! the bundle `before` that are still valid are shared with the new one.

use super::bundle::NavBundle;
use super::free_space::radius_key;
use super::inputs::StageInputs;
use super::lineage::Lineage;
use super::needs::Needs;
use super::quality::BakeQuality;
use super::shared_nav::SharedNav;
use super::stages;
use super::voxel::VoxelOptions;
use crate::base::{Backend, EntityId};
use crate::document::{Kind, KindName, Level, Query, door_states, limits};
use crate::jobs::{Cancelled, JobContext, assert_off_window_thread};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

/// The input of a bake, and the bodies it is for.
#[derive(Clone, Debug)]
pub struct BakeRequest<'a> {
    pub level: Arc<Level>,
    pub profiles: ProfileSet,
    pub options: BakeOptions,
    pub quality: BakeQuality,
    /// What is built at once; other shared parts are built when they are first read.
    pub needs: Needs,
    /// Reused as far as it is still valid.
    pub before: Option<&'a NavBundle>,
}

impl BakeRequest<'_> {
    /// For the profiles in use, to be kept, with nothing to reuse.
    #[must_use]
    pub fn of(level: Arc<Level>) -> Self {
        Self {
            level,
            profiles: ProfileSet::InUse,
            options: BakeOptions::default(),
            quality: BakeQuality::Full,
            needs: Needs::NOTHING,
            before: None,
        }
    }

    /// For one body instead of those in use. Unit: metres.
    #[must_use]
    pub fn for_radius(level: Arc<Level>, radius: f64) -> Self {
        Self {
            profiles: ProfileSet::Radii(vec![radius]),
            ..Self::of(level)
        }
    }
}

/// The bodies for which free space and cells are built.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ProfileSet {
    /// Those of agents, crowds and tests; every profile of the level where there are none of these.
    #[default]
    InUse,
    /// Those of these profiles.
    These(BTreeSet<EntityId>),
    /// Of these radii, whether a profile has them or not. Unit: metres.
    Radii(Vec<f64>),
}

impl ProfileSet {
    /// Smallest first, by the key that they are kept under. Unit: metres.
    #[must_use]
    pub fn radii(&self, level: &Level) -> BTreeMap<u32, f64> {
        let keyed = |radius: f64| (radius_key(radius), radius);
        let radius_of = |profile: EntityId| match &level.get(profile)?.kind {
            Kind::Profile(profile) => Some(keyed(profile.body.radius)),
            _ => None,
        };
        match self {
            Self::InUse => in_use(level, radius_of),
            Self::These(profiles) => profiles.iter().copied().filter_map(radius_of).collect(),
            Self::Radii(radii) => radii.iter().copied().map(keyed).collect(),
        }
    }
}

fn in_use(level: &Level, radius_of: impl Fn(EntityId) -> Option<(u32, f64)>) -> BTreeMap<u32, f64> {
    let users = [KindName::Agent, KindName::Crowd, KindName::Test];
    let users = users.into_iter().flat_map(|kind| level.of_kind(kind));
    let used = users.filter_map(|(_, entity)| match &entity.kind {
        Kind::Agent(agent) => Some(agent.mission.profile),
        Kind::Crowd(crowd) => Some(crowd.mission.profile),
        Kind::Test(test) => match test.query {
            Query::Between { profile, .. } => Some(profile),
            Query::Agent(_) | Query::Run => None,
        },
        _ => None,
    });
    let mut found: BTreeMap<u32, f64> = used.filter_map(&radius_of).collect();
    if found.is_empty() {
        found = level
            .profiles()
            .filter_map(|(id, ..)| radius_of(id))
            .collect();
    }
    if found.is_empty() {
        let radius = limits::RADIUS.default;
        found.insert(radius_key(radius), radius);
    }
    found
}

/// A designer's options for a bake.
#[derive(Clone, Debug)]
pub struct BakeOptions {
    /// Size and rules of cells in space, and the meshes that solids refer to.
    pub voxels: Arc<VoxelOptions>,
    /// The backend that voxelizes from scratch.
    pub backend: Backend,
}

impl Default for BakeOptions {
    fn default() -> Self {
        Self {
            voxels: Arc::default(),
            // Identical to the bit on every machine.
            backend: Backend::Cpu,
        }
    }
}

impl From<Arc<VoxelOptions>> for BakeOptions {
    fn from(voxels: Arc<VoxelOptions>) -> Self {
        Self {
            voxels,
            ..Self::default()
        }
    }
}

impl BakeOptions {
    /// Whether both give identical data for any level.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.backend == other.backend && self.voxels.agrees_with(&other.voxels)
    }
}

impl NavBundle {
    /// Bakes a level for the requested bodies.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn bake(request: BakeRequest<'_>, ctx: &JobContext) -> Result<Self, Cancelled> {
        assert_off_window_thread("a bake");
        ctx.checkpoint()?;
        let started = Instant::now();
        let before = request.before;
        let earlier = before.map(|before| &**before.shared());
        let (inputs, mut delta) = StageInputs::of(&request, earlier.map(SharedNav::inputs));
        let (quality, options) = (request.quality, &request.options);
        let shared = Arc::new(SharedNav::new(inputs, options, quality, earlier));
        let inputs = shared.inputs();
        let is_same = |before: &&Self| Arc::ptr_eq(before.shared().obstacles(), &inputs.obstacles);
        let same = before.filter(is_same);
        let (mut times, mut shared_times) = (Vec::new(), Vec::new());
        let mut spaces = || {
            let mut spaces = BTreeMap::new();
            let total = inputs.radii.len() as f32;
            for (done, (key, radius)) in inputs.radii.iter().enumerate() {
                ctx.checkpoint()?;
                ctx.report(done as f32 / total);
                let old = before.and_then(|before| before.space(*radius));
                let space = match old {
                    Some(space) if same.is_some() && space.quality >= quality => {
                        stages::mark_reused(space, &mut times);
                        Arc::clone(space)
                    }
                    _ => {
                        let (input, radius) = (&inputs.obstacles, *radius);
                        let old = old.map(|space| &**space);
                        let built =
                            stages::build_space(input, radius, old, quality, ctx, &mut times)?;
                        Arc::new(built)
                    }
                };
                spaces.insert(*key, space);
            }
            Ok::<_, Cancelled>(spaces)
        };
        let parts = || shared.prepare(request.needs, ctx, &mut shared_times);
        let (spaces, parts) = if request.needs.is_empty() {
            (spaces(), Ok(()))
        } else {
            // Neither reads the other's output.
            rayon::join(spaces, parts)
        };
        let spaces = spaces?;
        parts?;
        times.append(&mut shared_times);
        if let Some(earlier) = earlier {
            delta.terrain_remade =
                delta.terrain.is_nothing() && same.is_some() && !shared.has_same_mesh(earlier);
            let voxels = shared.built_voxels().zip(earlier.built_voxels());
            if let Some((voxels, earlier)) = voxels.filter(|_| !delta.voxels.is_nothing())
                && let Some(tiles) = voxels.changed_since(earlier)
            {
                delta.voxels = tiles;
            }
        }
        let variants = variants(&request, ctx)?;
        Ok(Self::new(
            shared,
            spaces,
            variants,
            quality,
            Lineage::new(before.map(Self::lineage), delta),
            times,
            started.elapsed(),
        ))
    }
}

/// Another bake for each profile that finds a door locked which is open to others.
fn variants(
    request: &BakeRequest<'_>,
    ctx: &JobContext,
) -> Result<BTreeMap<EntityId, NavBundle>, Cancelled> {
    let level = &request.level;
    let profiles: BTreeSet<EntityId> = level
        .doors()
        .flat_map(|(.., door)| door.locked_for.iter().copied())
        .collect();
    let mut variants = BTreeMap::new();
    for profile in profiles {
        if let Some(level) = door_states::for_profile(level, profile) {
            let request = BakeRequest {
                level: Arc::new(level),
                profiles: request.profiles.clone(),
                options: request.options.clone(),
                quality: request.quality,
                needs: request.needs,
                before: request.before.and_then(|before| before.variant(profile)),
            };
            variants.insert(profile, NavBundle::bake(request, ctx)?);
        }
    }
    Ok(variants)
}

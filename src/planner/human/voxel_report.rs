//! Everything that is shown about a level's voxels for one body.

use super::against_exact::AgainstExact;
use super::reachability::Reachability;
use crate::base::EntityId;
use crate::document::{Kind, Level, PlannerId, Profile};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::voxel::{Storey, VoxelError, storeys};
use crate::nav::{NavBundle, Needs};
use glam::DVec3;
use std::sync::Arc;

/// The body's owner, and where it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    pub agent: Option<EntityId>,
    pub profile_id: Option<EntityId>,
    pub profile: Profile,
    pub start: Option<DVec3>,
}

impl Subject {
    /// The first of these entities that has a body; otherwise the first agent that plans in 3D,
    /// then any agent, then any profile.
    #[must_use]
    pub fn of(level: &Level, chosen: impl IntoIterator<Item = EntityId>) -> Self {
        let chosen = chosen.into_iter().find_map(|id| Self::of_one(level, id));
        chosen.unwrap_or_else(|| {
            let agents = || level.agents().filter(|(id, ..)| level.is_visible(*id));
            let first = agents().next().map(|(id, ..)| id);
            let human = agents()
                .find(|(_, _, agent)| agent.mission.planner == PlannerId::HUMAN)
                .map(|(id, ..)| id);
            let profile = || {
                let profiles = level
                    .iter()
                    .filter(|(_, e)| matches!(e.kind, Kind::Profile(_)));
                profiles.map(|(id, _)| id).next()
            };
            human
                .or(first)
                .or_else(profile)
                .and_then(|id| Self::of_one(level, id))
                .unwrap_or_else(|| Self {
                    agent: None,
                    profile_id: None,
                    profile: Profile::default(),
                    start: None,
                })
        })
    }

    fn of_one(level: &Level, id: EntityId) -> Option<Self> {
        let (agent, profile_id, start) = match &level.get(id)?.kind {
            Kind::Agent(agent) => (Some(id), agent.mission.profile, Some(agent.start)),
            Kind::Crowd(crowd) => {
                let middle = crowd.area.centroid();
                let ground = level.ground().map_or(0.0, |field| field.height(middle));
                (None, crowd.mission.profile, Some(middle.extend(ground)))
            }
            Kind::Profile(_) => {
                let mut agents = level.agents();
                let first = agents.find(|(_, _, agent)| agent.mission.profile == id);
                let start = first.map(|(_, _, agent)| agent.start);
                (first.map(|(id, ..)| id), id, start)
            }
            _ => return None,
        };
        let entity = level.get(profile_id);
        Some(Self {
            agent,
            profile_id: entity.is_some().then_some(profile_id),
            profile: match entity.map(|entity| &entity.kind) {
                Some(Kind::Profile(profile)) => profile.clone(),
                _ => Profile::default(),
            },
            start,
        })
    }

    /// Whether both use one grid frame.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.profile.body == other.profile.body
            && self.profile.action_priority == other.profile.action_priority
            && self.start == other.start
    }
}

#[derive(Clone, Debug)]
pub struct VoxelReport {
    pub subject: Subject,
    pub reachability: Arc<Reachability>,
    /// Storeys from the bottom up.
    pub storeys: Arc<Vec<Storey>>,
    /// Differences from the exact free space, if requested.
    pub against: Option<Arc<AgainstExact>>,
}

impl VoxelReport {
    /// # Errors
    /// The job was cancelled.
    pub fn of(
        bundle: &NavBundle,
        subject: Subject,
        ctx: &JobContext,
    ) -> Result<Result<Self, VoxelError>, Cancelled> {
        bundle.prepare(Needs::VOXELS, ctx)?;
        let voxels = match bundle.voxels() {
            Ok(voxels) => Arc::clone(voxels),
            Err(error) => return Ok(Err(*error)),
        };
        let reachability = Reachability::of(voxels, &subject.profile, subject.start, ctx)?;
        let storeys = Arc::new(storeys(reachability.surfaces(), &reachability.footing));
        Ok(Ok(Self {
            subject,
            reachability: Arc::new(reachability),
            storeys,
            against: None,
        }))
    }

    /// Adds the differences from the exact free space.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn with_exact(mut self, bundle: &NavBundle, ctx: &JobContext) -> Result<Self, Cancelled> {
        bundle.prepare(Needs::CORRIDORS, ctx)?;
        let level = bundle.level();
        let radius = self.subject.profile.body.radius;
        let against = match bundle.space(radius) {
            Some(space) => AgainstExact::of(
                &self.reachability,
                level,
                space,
                bundle.built_corridors(),
                ctx,
            )?,
            None => AgainstExact::default(),
        };
        self.against = Some(Arc::new(against));
        Ok(self)
    }

    /// One storey by its number from the bottom; all storeys if there is no such number.
    #[must_use]
    pub fn storey(&self, number: Option<usize>) -> Storey {
        let one = number.and_then(|number| self.storeys.get(number).copied());
        one.unwrap_or_else(|| Storey {
            floor: self.storeys.first().map_or(0.0, |storey| storey.floor),
            ..Storey::ALL
        })
    }
}

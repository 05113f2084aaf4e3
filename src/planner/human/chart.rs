//! Everything there is to show of a level's voxels for one body.

use super::against_exact::AgainstExact;
use super::survey::Survey;
use crate::base::EntityId;
use crate::document::{Kind, Level, PlannerKind, Profile};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::voxel::{Storey, VoxelError, storeys};
use crate::nav::{Commons, NavBundle};
use glam::DVec3;
use std::sync::Arc;

/// Whose body it is, and where it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    pub agent: Option<EntityId>,
    pub profile_id: Option<EntityId>,
    pub profile: Profile,
    pub start: Option<DVec3>,
}

impl Subject {
    /// The first of some things that has a body; else the first agent that plans in space, else any agent,
    /// else any profile.
    #[must_use]
    pub fn of(level: &Level, chosen: impl IntoIterator<Item = EntityId>) -> Self {
        let chosen = chosen.into_iter().find_map(|id| Self::of_one(level, id));
        chosen.unwrap_or_else(|| {
            let agents = || level.agents().filter(|(id, ..)| level.is_visible(*id));
            let first = agents().next().map(|(id, ..)| id);
            let human = agents()
                .find(|(_, _, agent)| agent.mission.planner == PlannerKind::Human)
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

    /// Whether cells mean the same to both.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.profile.body == other.profile.body
            && self.profile.action_priority == other.profile.action_priority
            && self.start == other.start
    }
}

#[derive(Clone, Debug)]
pub struct Chart {
    pub subject: Subject,
    pub survey: Arc<Survey>,
    /// From the bottom up.
    pub storeys: Arc<Vec<Storey>>,
    /// What the exact free space says otherwise, where that was asked for.
    pub against: Option<Arc<AgainstExact>>,
}

impl Chart {
    /// # Errors
    /// The job was cancelled.
    pub fn of(
        commons: &Commons,
        subject: Subject,
        ctx: &JobContext,
    ) -> Result<Result<Self, VoxelError>, Cancelled> {
        commons.prepare_voxels(ctx, &mut Vec::new())?;
        let voxels = match commons.voxels() {
            Ok(voxels) => Arc::clone(voxels),
            Err(error) => return Ok(Err(*error)),
        };
        let survey = Survey::of(voxels, &subject.profile, subject.start, ctx)?;
        let storeys = Arc::new(storeys(survey.surfaces(), &survey.footing));
        Ok(Ok(Self {
            subject,
            survey: Arc::new(survey),
            storeys,
            against: None,
        }))
    }

    /// The same with what free space says otherwise.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn with_exact(mut self, bundle: &NavBundle, ctx: &JobContext) -> Result<Self, Cancelled> {
        let commons = bundle.commons();
        commons.prepare_corridors(ctx, &mut Vec::new())?;
        let level = commons.level();
        let radius = self.subject.profile.body.radius;
        let against = match bundle.space(radius) {
            Some(space) => {
                AgainstExact::of(&self.survey, level, space, commons.built_corridors(), ctx)?
            }
            None => AgainstExact::default(),
        };
        self.against = Some(Arc::new(against));
        Ok(self)
    }

    /// One storey by its number from the bottom; all of them, if there is none of that number.
    #[must_use]
    pub fn storey(&self, number: Option<usize>) -> Storey {
        let one = number.and_then(|number| self.storeys.get(number).copied());
        one.unwrap_or_else(|| Storey {
            floor: self.storeys.first().map_or(0.0, |storey| storey.floor),
            ..Storey::ALL
        })
    }
}

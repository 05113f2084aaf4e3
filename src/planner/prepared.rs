//! What planners stand on, kept from question to question and from bake to bake.

use super::choice::PlannerChoice;
use super::nav_data::{self, NavData};
use super::path::{Answer, NoPath};
use super::planners::{PlanError, Planners};
use super::request::{Guide, PathRequest, SlopeLimits, Slopes};
use crate::base::EntityId;
use crate::document::{Kind, Level, PlannerKind, Profile, WalkOptions};
use crate::geometry::{HeightField, Polygon};
use crate::nav::free_space::Input;
use crate::nav::{Commons, NavSpace};
use glam::DVec3;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Clone, Debug)]
struct Entry {
    space: Arc<NavSpace>,
    ground: Option<Arc<HeightField>>,
    commons: Arc<Commons>,
    data: Arc<NavData>,
}

impl Entry {
    fn is_about(&self, ground: Option<&Arc<HeightField>>, commons: &Arc<Commons>) -> bool {
        self.ground.as_ref().map(Arc::as_ptr) == ground.map(Arc::as_ptr)
            && Arc::ptr_eq(&self.commons, commons)
    }
}

/// One for each space that was asked about.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    entries: Vec<Entry>,
}

impl Prepared {
    /// What was prepared for a space; `None` if nobody has asked about it.
    #[must_use]
    pub fn get(&self, space: &Arc<NavSpace>) -> Option<&Arc<NavData>> {
        let known = |entry: &&Entry| Arc::ptr_eq(&entry.space, space);
        self.entries.iter().find(known).map(|entry| &entry.data)
    }

    /// Prepares a space of this level, if that is not done.
    pub fn prepare(
        &mut self,
        level: &Level,
        space: &Arc<NavSpace>,
        commons: &Arc<Commons>,
    ) -> Arc<NavData> {
        let ground = level.ground();
        let known = |entry: &&mut Entry| Arc::ptr_eq(&entry.space, space);
        if let Some(entry) = self.entries.iter_mut().find(known) {
            if !entry.is_about(ground, commons) {
                let data = entry.data.with(ground.cloned(), Arc::clone(commons));
                entry.data = Arc::new(data);
                entry.ground = ground.cloned();
                entry.commons = Arc::clone(commons);
            }
            return Arc::clone(&entry.data);
        }
        let data = Arc::new(NavData::new(
            Arc::clone(&space.free),
            Arc::clone(&space.merged),
            nav_data::named(level, &Input::of_level(level)),
            ground.cloned(),
            Arc::clone(commons),
        ));
        self.entries.push(Entry {
            space: Arc::clone(space),
            ground: ground.cloned(),
            commons: Arc::clone(commons),
            data: Arc::clone(&data),
        });
        data
    }

    /// Forgets spaces that are not among these.
    pub fn keep<'a>(&mut self, spaces: impl Iterator<Item = &'a Arc<NavSpace>> + Clone) {
        self.entries
            .retain(|entry| spaces.clone().any(|space| Arc::ptr_eq(space, &entry.space)));
    }
}

const fn asked_for(kind: PlannerKind) -> PlannerChoice {
    match kind {
        PlannerKind::Portal => PlannerChoice::Portal,
        PlannerKind::Optimal => PlannerChoice::Optimal,
        PlannerKind::CorridorOriginal => PlannerChoice::CorridorOriginal,
        PlannerKind::Corridor => PlannerChoice::Corridor,
        PlannerKind::Irm => PlannerChoice::Irm,
        PlannerKind::Miran => PlannerChoice::Miran,
        PlannerKind::Constraint => PlannerChoice::Constraint,
        PlannerKind::Human => PlannerChoice::Human,
    }
}

/// Whether an agent's planner can be asked already.
#[must_use]
pub const fn is_there(kind: PlannerKind) -> bool {
    asked_for(kind).is_ready()
}

/// The planner that answers for an agent's: itself, or the usual one while it is not there yet.
#[must_use]
pub const fn choice_of(kind: PlannerKind) -> PlannerChoice {
    if is_there(kind) {
        asked_for(kind)
    } else {
        PlannerChoice::Portal
    }
}

/// A profile as requests carry it; the usual one where it is missing.
#[must_use]
pub fn profile_of(level: &Level, id: EntityId) -> Arc<Profile> {
    match level.get(id).map(|entity| &entity.kind) {
        Some(Kind::Profile(profile)) => Arc::new(profile.clone()),
        _ => Arc::default(),
    }
}

/// A route as requests carry it.
#[must_use]
pub fn guide_of(level: &Level, id: Option<EntityId>) -> Option<Guide> {
    match &level.get(id?)?.kind {
        Kind::Route(route) => Some(Guide::of(route)),
        _ => None,
    }
}

/// One question about a space.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    pub space: &'a Arc<NavSpace>,
    pub commons: &'a Arc<Commons>,
    pub planner: PlannerKind,
    pub profile: EntityId,
    /// The indicative route to follow.
    pub route: Option<EntityId>,
    /// How to walk in a corridor.
    pub walk: WalkOptions,
    pub from: DVec3,
    pub to: DVec3,
    /// Anywhere inside will do; see [`PathRequest::goal_area`].
    pub area: Option<Arc<[Polygon]>>,
}

/// Answers with all planners, for one state of a level; many threads may ask at once.
#[derive(Debug)]
pub struct Answers<'a> {
    pub level: &'a Level,
    prepared: Mutex<Prepared>,
    /// Planners whom nobody is asking just now, with their memory.
    idle: Mutex<Vec<Planners>>,
    slope: Option<SlopeLimits>,
}

impl<'a> Answers<'a> {
    #[must_use]
    pub fn new(level: &'a Level, prepared: Prepared, slopes: Slopes) -> Self {
        Self {
            level,
            prepared: Mutex::new(prepared),
            idle: Mutex::default(),
            slope: slopes.on(level.ground().map(|ground| &**ground)),
        }
    }

    /// How paths are bent; plans that were made with another one are made anew.
    #[must_use]
    pub const fn slope(&self) -> Option<SlopeLimits> {
        self.slope
    }

    /// What was prepared for the questions so far.
    #[must_use]
    pub fn into_prepared(self) -> Prepared {
        self.prepared
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// What planners stand on in a space of the level.
    pub fn data(&self, space: &Arc<NavSpace>, commons: &Arc<Commons>) -> Arc<NavData> {
        locked(&self.prepared).prepare(self.level, space, commons)
    }

    /// Asks one planner.
    ///
    /// # Errors
    /// As [`Planners::plan`].
    pub fn ask(
        &self,
        choice: PlannerChoice,
        data: &NavData,
        request: &PathRequest,
    ) -> Result<Answer, PlanError> {
        let mut planners = locked(&self.idle).pop().unwrap_or_default();
        let answer = planners.plan(choice, data, request);
        locked(&self.idle).push(planners);
        answer
    }

    /// Asks an agent's planner, or the one that stands in for it.
    pub fn answer(&self, question: &Question<'_>) -> Answer {
        let data = self.data(question.space, question.commons);
        let request = PathRequest {
            slope: self.slope,
            profile: profile_of(self.level, question.profile),
            guide: guide_of(self.level, question.route),
            goal_area: question.area.clone(),
            walk: question.walk,
            ..PathRequest::in_space(question.from, question.to)
        };
        self.ask(choice_of(question.planner), &data, &request)
            .unwrap_or_else(|error| {
                Answer::NotFound(NoPath {
                    reason: error.to_string(),
                    blocker: None,
                    gap: None,
                })
            })
    }
}

/// What a lock guards is whole even after a panic elsewhere: it is only ever added to.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

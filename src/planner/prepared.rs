//! What planners stand on, kept from question to question and from bake to bake.

use super::choice::PlannerChoice;
use super::missions::{Answering, Question};
use super::nav_data::{self, NavData};
use super::path::{Answer, NoPath};
use super::planners::Planners;
use super::request::{PathRequest, SlopeLimits, Slopes};
use crate::document::{Level, PlannerKind};
use crate::geometry::HeightField;
use crate::nav::NavSpace;
use crate::nav::free_space::Input;
use std::sync::Arc;

#[derive(Clone, Debug)]
struct Entry {
    space: Arc<NavSpace>,
    ground: Option<Arc<HeightField>>,
    data: Arc<NavData>,
}

fn is_same(a: Option<&Arc<HeightField>>, b: Option<&Arc<HeightField>>) -> bool {
    a.map(Arc::as_ptr) == b.map(Arc::as_ptr)
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
    pub fn prepare(&mut self, level: &Level, space: &Arc<NavSpace>) -> Arc<NavData> {
        let ground = level.ground();
        self.entries.retain(|entry| {
            !Arc::ptr_eq(&entry.space, space) || is_same(entry.ground.as_ref(), ground)
        });
        if let Some(data) = self.get(space) {
            return Arc::clone(data);
        }
        let data = Arc::new(NavData::new(
            Arc::clone(&space.free),
            Arc::clone(&space.merged),
            nav_data::named(level, &Input::of_level(level)),
            ground.cloned(),
        ));
        self.entries.push(Entry {
            space: Arc::clone(space),
            ground: ground.cloned(),
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

/// Answers with all planners, for one state of a level.
#[derive(Debug)]
pub struct Answers<'a> {
    pub level: &'a Level,
    pub prepared: &'a mut Prepared,
    pub planners: Planners,
    slope: Option<SlopeLimits>,
}

impl<'a> Answers<'a> {
    #[must_use]
    pub fn new(level: &'a Level, prepared: &'a mut Prepared, slopes: Slopes) -> Self {
        Self {
            level,
            prepared,
            planners: Planners::default(),
            slope: slopes.on(level.ground().map(|ground| &**ground)),
        }
    }
}

impl Answering for Answers<'_> {
    fn slope(&self) -> Option<SlopeLimits> {
        self.slope
    }

    fn answer(&mut self, question: &Question<'_>) -> Answer {
        let data = self.prepared.prepare(self.level, question.space);
        let request = PathRequest {
            slope: self.slope,
            ..PathRequest::new(question.from, question.to)
        };
        self.planners
            .plan(choice_of(question.planner), &data, &request)
            .unwrap_or_else(|error| {
                Answer::NotFound(NoPath {
                    reason: error.to_string(),
                    blocker: None,
                    gap: None,
                })
            })
    }
}

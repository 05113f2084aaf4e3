//! Constraints while one draws: field, regions, states and the path without one of them, all of what
//! the last bake planned with. Made in the background, never part of history.

use super::Editor;
use super::navigation::Navigation;
use crate::base::{ByAddress, EntityId};
use crate::document::Selection;
use crate::geometry::Rect;
use crate::jobs::{Display, JobRunner, Memo, Stopped, Superseded};
use crate::nav::constraint::{Field, Term};
use crate::planner::constraint::{WhatIf, what_if};
use crate::planner::missions::{AgentPlan, Plans};
use crate::preview::constraint::{self, FieldMap, Focus, StateMap};
use crate::preview::overlays::{Inputs, OverlayScene};
use std::cell::Cell;
use std::sync::Arc;

/// Posts of the field along the longer side of a level, at rest and while something is dragged.
const POSTS: usize = 224;
const POSTS_DRAGGED: usize = 96;

/// A constraint of an agent, by the key of its term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picked {
    pub agent: EntityId,
    pub key: u64,
}

/// What a map of a field is made from.
#[derive(Clone, Debug, PartialEq)]
struct FieldKey {
    field: ByAddress<Field>,
    /// This constraint alone.
    term: Option<u64>,
    area: Rect,
    posts: usize,
    z: f64,
}

/// The regions of some plans.
#[derive(Debug)]
struct Regions {
    plans: ByAddress<Plans>,
    agents: Vec<EntityId>,
    terms: Arc<Vec<Term>>,
}

#[derive(Debug)]
pub struct ConstraintView {
    /// The constraint under the pointer in a panel, said in every frame.
    pub hovered: Cell<Option<Picked>>,
    /// The constraint that is switched off for a moment.
    pub without: Option<Picked>,
    /// Whose field and states are shown.
    subject: Option<EntityId>,
    focus: Option<(Picked, Arc<Term>)>,
    regions: Option<Regions>,
    field: Memo<FieldKey, Arc<FieldMap>>,
    alone: Memo<FieldKey, Arc<FieldMap>>,
    states: Memo<ByAddress<AgentPlan>, Arc<StateMap>>,
    what_if: Memo<(ByAddress<AgentPlan>, u64), Option<Arc<WhatIf>>>,
}

impl Default for ConstraintView {
    fn default() -> Self {
        // Under a drag every state is gone in a moment.
        let finish = Superseded::FINISH;
        Self {
            hovered: Cell::new(None),
            without: None,
            subject: None,
            focus: None,
            regions: None,
            field: Memo::new("Constraint field", Display::Quiet, finish),
            alone: Memo::new("Field of one constraint", Display::Quiet, finish),
            states: Memo::new("Search states", Display::Quiet, finish),
            what_if: Memo::new("Planning without a constraint", Display::Shown, finish),
        }
    }
}

impl ConstraintView {
    /// The agent whose field and search are shown: the selected one, or the last that was.
    #[must_use]
    pub const fn subject(&self) -> Option<EntityId> {
        self.subject
    }

    #[must_use]
    pub fn field(&self) -> Option<&Arc<FieldMap>> {
        self.field.value()
    }

    #[must_use]
    pub fn states(&self) -> Option<&Arc<StateMap>> {
        self.states.value()
    }

    /// What the constraint that is switched off does; `None` until that is known.
    #[must_use]
    pub fn what_if(&self) -> Option<&Arc<WhatIf>> {
        self.what_if
            .value()
            .filter(|_| self.without.is_some())?
            .as_ref()
    }

    #[must_use]
    pub const fn is_planning_without(&self) -> bool {
        self.what_if.is_running()
    }

    /// What overlays read of it.
    pub(super) fn fill(&self, scene: &mut OverlayScene) {
        scene.field = self.field().cloned();
        scene.constraints = self
            .regions
            .as_ref()
            .map(|regions| Arc::clone(&regions.terms));
        scene.states = self.states().cloned();
        let focus = Focus {
            term: self.focus.as_ref().map(|(_, term)| Arc::clone(term)),
            field: self.alone.value().cloned(),
            what_if: self.what_if().cloned(),
        };
        scene.focus = (!focus.is_empty()).then_some(focus);
    }

    fn keep_subject(&mut self, plans: &Plans, selection: &Selection) {
        let acts = |id: &EntityId| plans.get(id).is_some_and(is_constrained);
        let selected = selection.iter().find(acts);
        let last = self.subject.filter(acts);
        self.subject = selected
            .or(last)
            .or_else(|| plans.keys().copied().find(acts));
    }

    fn keep_regions(&mut self, plans: &Arc<Plans>, selection: &Selection, is_wanted: bool) {
        if !is_wanted {
            self.regions = None;
            return;
        }
        let acts = |id: &EntityId| plans.get(id).is_some_and(is_constrained);
        let selected: Vec<EntityId> = selection.iter().filter(acts).collect();
        let agents: Vec<EntityId> = if selected.is_empty() {
            plans.keys().copied().filter(acts).collect()
        } else {
            selected
        };
        let is_known = self
            .regions
            .as_ref()
            .is_some_and(|known| known.agents == agents && Arc::ptr_eq(&known.plans, plans));
        if !is_known {
            let terms = constraint::acting(agents.iter().filter_map(|id| plans.get(id)));
            self.regions = Some(Regions {
                plans: ByAddress::of(plans),
                agents,
                terms: Arc::new(terms),
            });
        }
    }

    /// Void for another level.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

fn is_constrained(plan: &Arc<AgentPlan>) -> bool {
    constraint::field_of(plan).is_some()
}

/// Makes the map of a field, or lets go of it.
fn want_field(
    memo: &mut Memo<FieldKey, Arc<FieldMap>>,
    key: Option<FieldKey>,
    whose: impl FnOnce() -> String,
    jobs: &JobRunner,
) {
    let Some(key) = key else {
        memo.forget();
        return;
    };
    let (asked, whose) = (key.clone(), whose());
    memo.want(jobs, key, move |job| {
        let alone = asked.term.map(|key| {
            let of_key = |term: &&Term| term.key == key;
            let terms = asked.field.terms().iter().filter(of_key).cloned();
            Field::new(terms.collect(), asked.field.base())
        });
        let field = alone.as_ref().unwrap_or(&asked.field);
        let map = FieldMap::of(field, whose, asked.area, asked.posts, asked.z, job)?;
        Ok::<_, Stopped>(Arc::new(map))
    });
}

impl Navigation {
    /// The plan that the field, the states and the replans are shown of.
    #[must_use]
    pub fn constrained_plan(&self) -> Option<(EntityId, &Arc<AgentPlan>)> {
        let agent = self.constraints.subject()?;
        Some((agent, self.plan_of(agent)?))
    }
}

impl Editor {
    /// Keeps what is shown of constraints that of the last bake.
    pub(super) fn keep_constraints_current(&mut self, ctx: &egui::Context) {
        let document = self.state.document();
        let posts = if document.in_transaction() {
            POSTS_DRAGGED
        } else {
            POSTS
        };
        let selection = document.selection().clone();
        let navigation = &mut self.state.navigation;
        let shown = navigation.shown_overlays().clone();
        let Some(baked) = navigation.baked().cloned() else {
            navigation.constraints.forget();
            return;
        };
        let plans = Arc::clone(navigation.plans_of(&baked));
        let view = &mut navigation.constraints;
        view.keep_subject(&plans, &selection);
        view.keep_regions(&plans, &selection, shown.read(Inputs::CONSTRAINTS));
        let jobs = self.work.jobs();
        let field_key = |agent: EntityId, term: Option<u64>| {
            let request = constraint::request_of(plans.get(&agent)?)?;
            Some(FieldKey {
                field: ByAddress::of(&request.constraints.field),
                term,
                area: baked.level.settings().bounds,
                posts,
                z: request.start.z,
            })
        };
        let key = view.subject.filter(|_| shown.read(Inputs::FIELD));
        let whose = || {
            let agent = view.subject;
            agent.map_or_else(String::new, |agent| baked.level.label(agent))
        };
        let key = key.and_then(|agent| field_key(agent, None));
        want_field(&mut view.field, key, whose, jobs);
        match view.subject.filter(|_| shown.read(Inputs::STATES)) {
            Some(agent) => {
                let plan = Arc::clone(&plans[&agent]);
                let key = ByAddress::of(&plan);
                view.states
                    .want(jobs, key, move |_| Ok(Arc::new(StateMap::of_plan(&plan))));
            }
            None => view.states.forget(),
        }
        view.without
            .take_if(|picked| !selection.contains(picked.agent));
        match view.without.and_then(|p| Some((p, plans.get(&p.agent)?))) {
            Some((picked, plan)) => {
                let plan = Arc::clone(plan);
                let key = (ByAddress::of(&plan), picked.key);
                view.what_if.want(jobs, key, move |job| {
                    Ok(what_if::without(&plan, picked.key, job)?.map(Arc::new))
                });
            }
            None => view.what_if.forget(),
        }
        let hovered = view.hovered.take();
        let before = view.focus.as_ref().map(|(picked, _)| *picked);
        let picked = hovered.or(view.without);
        let term = picked.and_then(|picked| {
            let term = constraint::term_of(plans.get(&picked.agent)?, picked.key)?;
            Some((picked, Arc::new(term.clone())))
        });
        view.focus = term;
        let key = view.focus.as_ref().filter(|_| hovered.is_some());
        let key = key.and_then(|(picked, _)| field_key(picked.agent, Some(picked.key)));
        want_field(&mut view.alone, key, String::new, jobs);
        if picked != before {
            ctx.request_repaint();
        }
    }
}

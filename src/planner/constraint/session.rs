//! Constraint-aware planning as a session that keeps what it learnt while the world changes.
//!
//! The memory of AD* is handed from one session to the next: a fork shares the place where it is
//! kept, takes it when it begins, and puts it back when it is released or dropped. A memory knows
//! the field, the lattice and the start that it is for, and is consistent between any two
//! expansions. So whoever takes it next compares it with the query at hand and repairs the
//! difference, whether the session before came to its end or its job was cancelled.

use super::finished::{Finish, finished};
use super::grounds::{ends_of, ground_of, has_storeys};
use super::memory::{Memory, Search};
use super::no_path;
use super::replan::{Replan, ReplanKind};
use crate::document::ConstraintSearch;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::constraint::Field;
use crate::nav::{BakeQuality, NavChange, NavData};
use crate::planner::session::{Progress, SearchView, Session, Step, Task, Updated};
use crate::planner::{NoPath, Path, PathRequest};
use glam::DVec3;
use std::sync::{Arc, Mutex, PoisonError};

/// By how much ε falls from one search to the next, as a share of what it began with above 1.
const FALL: f64 = 1.0 / 3.0;

/// Expansions after which a path within any bound will do while something is dragged: it is improved
/// once that is let go.
const PREVIEWED: usize = 1_000;

/// Most records of plans that a session keeps.
const MOST_REPLANS: usize = 200;

/// The place that forks of a session share.
type Shelf = Arc<Mutex<Option<Memory>>>;

#[derive(Debug)]
pub struct ConstraintSession {
    task: Task,
    memory: Option<Memory>,
    shelf: Shelf,
    expanded: usize,
    /// Expansions of a repair that was given up.
    given_up: usize,
    replans: Arc<Vec<Replan>>,
    /// The record of the plan under way.
    replan: Option<Replan>,
}

impl ConstraintSession {
    #[must_use]
    pub fn new(nav: &NavData, request: &PathRequest) -> Self {
        // Data that is built once per map does not count as planning time.
        let _ = ground_of(nav, request);
        let mut session = Self {
            task: Task::new(nav, request),
            memory: None,
            shelf: Shelf::default(),
            expanded: 0,
            given_up: 0,
            replans: Arc::default(),
            replan: None,
        };
        session.begin();
        session
    }

    /// The field that it plans in.
    #[must_use]
    pub const fn field(&self) -> &Arc<Field> {
        &self.task.request.constraints.field
    }

    /// Bytes of search memory, and states that it has touched.
    #[must_use]
    pub fn memory_use(&self) -> Option<(usize, usize)> {
        let memory = self.memory.as_ref()?;
        let (bytes, touched) = match &memory.search {
            Search::AStar(search) => (search.bytes(), search.touched()),
            Search::Anytime(search) => (search.bytes(), search.touched()),
        };
        Some((bytes + memory.domain.bytes(), touched))
    }

    /// How well the path that is known now is bounded; `None` before there is one.
    #[must_use]
    pub fn epsilon(&self) -> Option<f64> {
        match &self.memory.as_ref()?.search {
            Search::AStar(_) => None,
            Search::Anytime(search) => Some(search.epsilon()),
        }
    }

    /// What is known of the path while none is found.
    #[must_use]
    pub fn partial(&self) -> Vec<DVec3> {
        let Some(memory) = &self.memory else {
            return Vec::new();
        };
        let nodes = match &memory.search {
            Search::AStar(search) => search.partial(),
            Search::Anytime(search) => search.partial(&memory.domain),
        };
        memory.domain.points(&nodes)
    }

    fn take(&mut self) -> Option<Memory> {
        let own = self.memory.take();
        own.or_else(|| {
            let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
            shelf.take()
        })
    }

    fn put_back(&mut self) {
        if let Some(memory) = self.memory.take()
            && memory.options.search == ConstraintSearch::AdStar
        {
            let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
            *shelf = Some(memory);
        }
    }

    /// Begins the query with what is known.
    fn begin(&mut self) -> Updated {
        let known = self.take();
        (self.expanded, self.given_up) = (0, 0);
        let (memory, replan) = self.task.timed(|nav, request| {
            let Some((ground, lattice)) = ground_of(nav, request) else {
                return (None, None);
            };
            let ends = ends_of(nav, request);
            let is_placed = |end: &DVec3| nav.is_placed(end.truncate());
            if !has_storeys(nav.level()) && !ends.iter().all(is_placed) {
                return (None, None);
            }
            let known = known.filter(|known| {
                known.options == request.constraints.options
                    && known.options.search == ConstraintSearch::AdStar
                    && known.ends[1] == ends[1]
            });
            match known {
                Some(mut known) => {
                    let replan = known.repair(ground, lattice, request, ends);
                    (Some(known), Some(replan))
                }
                None => {
                    let memory = Memory::new(ground, lattice, request, ends);
                    (Some(memory), Some(Replan::from_scratch()))
                }
            }
        });
        self.memory = memory;
        let is_repair = replan
            .as_ref()
            .is_some_and(|replan| replan.kind == ReplanKind::Repaired);
        self.replan = replan;
        if is_repair {
            Updated::Repairing
        } else {
            Updated::Restarted
        }
    }

    /// The path that is known now. It is drawn tight once it stays: not while it is improved, nor
    /// while something is dragged.
    fn path(&self, is_last: bool) -> Option<Path> {
        let memory = self.memory.as_ref()?;
        let points = memory.path()?;
        let Task { nav, request, .. } = &self.task;
        let finish = if is_last && nav.shared().quality() == BakeQuality::Full {
            Finish::Tight
        } else {
            Finish::Pulled
        };
        let lattice = &memory.lattice;
        Some(finished(
            &points,
            lattice,
            nav,
            request,
            self.expanded,
            finish,
        ))
    }

    fn note(&mut self, bound: f64, cost: f64) {
        let expanded = self.expanded;
        if let Some(replan) = &mut self.replan {
            replan.steps.push((expanded, bound, cost));
        }
    }

    /// Closes the record of this plan.
    fn finish(&mut self, path: Option<Path>) -> Step {
        let cost = path.as_ref().map_or(f64::INFINITY, |path| path.cost);
        let end = self.task.finish(path);
        if let Some(memory) = &mut self.memory
            && memory.bound() <= 1.0
            && self
                .replan
                .as_ref()
                .is_some_and(|replan| replan.kind == ReplanKind::FromScratch)
        {
            memory.from_scratch = self.expanded - self.given_up;
        }
        if let Some(mut replan) = self.replan.take() {
            replan.expanded = self.expanded;
            replan.cost = cost;
            replan.touched = self.memory.as_ref().map_or(0, Memory::changed);
            replan.micros = self.task.micros();
            if replan.kind == ReplanKind::FromScratch {
                replan.expanded_from_scratch = self.expanded - self.given_up;
            }
            let replans = Arc::make_mut(&mut self.replans);
            if replans.len() >= MOST_REPLANS {
                replans.remove(0);
            }
            replans.push(replan);
        }
        end
    }
}

impl Session for ConstraintSession {
    fn step(&mut self, budget: usize) -> Step {
        if let Some(end) = self.task.end() {
            return end.clone();
        }
        if self.memory.is_none() {
            self.begin();
        }
        let Self {
            task,
            memory,
            replan,
            given_up,
            ..
        } = self;
        let Some(memory) = memory else {
            return self.finish(None);
        };
        let is_repair = |replan: &Replan| replan.kind == ReplanKind::Repaired;
        let limit = match replan {
            Some(replan) if is_repair(replan) => memory.worth_repairing(),
            _ => usize::MAX,
        };
        let budget = budget.min(limit.saturating_sub(memory.expanded()).max(1));
        let Memory { domain, search, .. } = memory;
        let (progress, bound) = task.timed(|_, _| match search {
            Search::AStar(search) => (search.run(domain, budget), 1.0),
            Search::Anytime(search) => (search.run(domain, budget), search.epsilon()),
        });
        self.expanded = *given_up + memory.expanded();
        match progress {
            Progress::Running if memory.expanded() >= limit => {
                // The bound is raised, and a first path found soon.
                *given_up = self.expanded;
                memory.begin_anew();
                if let Some(replan) = replan {
                    replan.kind = ReplanKind::FromScratch;
                }
                Step::Running
            }
            Progress::Running => Step::Running,
            Progress::Exhausted => self.finish(None),
            Progress::Found => {
                let Some(path) = self.path(bound <= 1.0) else {
                    return self.finish(None);
                };
                self.note(bound, path.cost);
                let is_preview = self.task.nav.shared().quality() == BakeQuality::Preview;
                if bound <= 1.0 || (is_preview && self.expanded >= PREVIEWED) {
                    return self.finish(Some(path));
                }
                if let Some(Memory {
                    domain,
                    search: Search::Anytime(search),
                    options,
                    ..
                }) = &mut self.memory
                {
                    let next = bound - (options.epsilon - 1.0) * FALL;
                    // Rounding must not leave a last search that gains nothing.
                    search.next_search(domain, if next < 1.0 + 1e-6 { 1.0 } else { next });
                }
                Step::Improved { path, bound }
            }
        }
    }

    fn update(&mut self, change: &NavChange, request: &PathRequest) -> Updated {
        let nav = change.nav();
        let _ = ground_of(nav, request);
        self.task.restart(nav, request);
        self.begin()
    }

    fn task(&self) -> &Task {
        &self.task
    }

    fn expanded(&self) -> usize {
        self.expanded
    }

    fn replans(&self) -> &[Replan] {
        &self.replans
    }

    /// Once released, what AD* keeps for the next repair.
    fn view(&self) -> SearchView {
        if let Some(memory) = &self.memory {
            return memory.view();
        }
        let shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf
            .as_ref()
            .map_or_else(SearchView::default, Memory::view)
    }

    fn explain(&self, ctx: &JobContext) -> Result<NoPath, Cancelled> {
        no_path::explained(&self.task.nav, &self.task.request, ctx)
    }

    fn release(&mut self) {
        self.put_back();
    }

    fn fork(&self) -> Box<dyn Session> {
        Box::new(Self {
            task: self.task.clone(),
            memory: None,
            shelf: Arc::clone(&self.shelf),
            expanded: self.expanded,
            given_up: self.given_up,
            replans: Arc::clone(&self.replans),
            replan: None,
        })
    }
}

impl Drop for ConstraintSession {
    /// A cancelled job leaves what it learnt for the next one.
    fn drop(&mut self) {
        self.put_back();
    }
}

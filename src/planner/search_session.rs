//! Sessions of planners that keep nothing from one query to the next.
//!
//! A [`Search`] says how one of them begins, runs and ends; [`SearchSession`] adds what they have in
//! common: memory that is lent while it runs, the time it took, its answer, and a restart after
//! every change.

use super::explain::explain;
use super::path::{NoPath, Path};
use super::pool::{Pool, Pooled};
use super::request::PathRequest;
use super::session::{Progress, SearchView, Session, Step, Task, Updated};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::NavData;
use std::fmt;

/// One planner's search, with the state that outlives its memory.
pub trait Search: fmt::Debug + Clone + Send + Sync + 'static {
    /// Arrays as long as the planner's graph.
    type Memory: fmt::Debug + Default + Send + Sync + 'static;

    /// Where idle memory waits for the next search.
    fn pool() -> &'static Pool<Self::Memory>;

    /// Builds what is built once per map, so that it does not count as planning time.
    fn prepare(&self, nav: &NavData);

    fn begin(&mut self, memory: &mut Self::Memory, nav: &NavData, request: &PathRequest);

    /// Performs up to `budget` expansions.
    fn run(
        &mut self,
        memory: &mut Self::Memory,
        nav: &NavData,
        request: &PathRequest,
        budget: usize,
    ) -> Progress;

    /// The path of a search that found one; asked for once.
    fn path(&mut self, memory: &Self::Memory, nav: &NavData, request: &PathRequest) -> Path;

    /// Expanded nodes so far.
    fn expanded(&self) -> usize;

    /// For animation; without memory if that was released.
    fn view(&self, memory: Option<&Self::Memory>, nav: &NavData) -> SearchView;

    /// Why it found no path.
    ///
    /// # Errors
    /// The job was cancelled.
    fn explain(&self, task: &Task, ctx: &JobContext) -> Result<NoPath, Cancelled> {
        explain(&task.nav, &task.request, ctx)
    }
}

/// A query answered by a [`Search`].
#[derive(Debug)]
pub struct SearchSession<S: Search> {
    task: Task,
    search: S,
    memory: Option<Pooled<S::Memory>>,
}

impl<S: Search> SearchSession<S> {
    #[must_use]
    pub fn new(search: S, nav: &NavData, request: &PathRequest) -> Self {
        search.prepare(nav);
        let mut session = Self {
            task: Task::new(nav, request),
            search,
            memory: None,
        };
        session.begin();
        session
    }

    fn begin(&mut self) {
        let memory = self.memory.get_or_insert_with(|| S::pool().take());
        let search = &mut self.search;
        self.task
            .timed(|nav, request| search.begin(memory, nav, request));
    }

    /// Searches without building the path.
    pub fn search(&mut self, budget: usize) -> Progress {
        if self.memory.is_none() {
            self.begin();
        }
        let Some(memory) = &mut self.memory else {
            return Progress::Exhausted;
        };
        let search = &mut self.search;
        self.task
            .timed(|nav, request| search.run(memory, nav, request, budget))
    }

    /// The search itself.
    #[must_use]
    pub const fn state(&self) -> &S {
        &self.search
    }
}

impl<S: Search> Session for SearchSession<S> {
    fn step(&mut self, budget: usize) -> Step {
        if let Some(end) = self.task.end() {
            return end.clone();
        }
        let path = match (self.search(budget), &self.memory) {
            (Progress::Running, _) => return Step::Running,
            (Progress::Found, Some(memory)) => {
                let Task { nav, request, .. } = &self.task;
                Some(self.search.path(memory, nav, request))
            }
            (Progress::Found | Progress::Exhausted, _) => None,
        };
        self.task.finish(path)
    }

    fn update(&mut self, nav: &NavData, request: &PathRequest) -> Updated {
        self.task.restart(nav, request);
        self.begin();
        Updated::Restarted
    }

    fn task(&self) -> &Task {
        &self.task
    }

    fn view(&self) -> SearchView {
        self.search.view(self.memory.as_deref(), &self.task.nav)
    }

    fn expanded(&self) -> usize {
        self.search.expanded()
    }

    fn explain(&self, ctx: &JobContext) -> Result<NoPath, Cancelled> {
        self.search.explain(&self.task, ctx)
    }

    fn release(&mut self) {
        self.memory = None;
    }

    fn fork(&self) -> Box<dyn Session> {
        Box::new(Self {
            task: self.task.clone(),
            search: self.search.clone(),
            memory: None,
        })
    }
}

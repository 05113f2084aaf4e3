//! Sessions of planners that repair nothing.
//!
//! A [`Search`] says how one of them begins, runs and ends; [`SearchSession`] adds what they have in
//! common: memory that is lent while it runs, the time it took, its answer, and a restart after
//! every change that may touch what it read.

use super::explain::explain;
use super::extent::Extent;
use super::metrics;
use super::path::{NoPath, Path};
use super::pool::{Pool, Pooled};
use super::request::{Figures, PathRequest};
use super::session::{Progress, SearchView, Session, Step, Task, Updated};
use crate::geometry::lattice::LATTICE;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::{NavChange, NavData};
use glam::DVec2;
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

    /// Length of the longest path that it considered, if it is led by the distance to the goal and
    /// reads cells alone; infinite otherwise. Unit: metres.
    fn longest_considered(&self) -> f64 {
        f64::INFINITY
    }

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

    /// Searches from scratch.
    pub fn restart(&mut self) {
        let Task { nav, request, .. } = self.task.clone();
        self.task.restart(&nav, &request);
        self.begin();
    }

    /// Whether a query is that of the answer, and what was read for it is as it was.
    fn is_kept(&self, change: &NavChange, request: &PathRequest) -> bool {
        let Some(Step::Done(path)) = self.task.end() else {
            return false;
        };
        let [before, after] = [change.before(), change.nav()];
        let longest = self.search.longest_considered();
        // Ends are moved by so much to be in free space.
        let mut length = longest + 8.0 * LATTICE;
        if let (Some(slope), Some(_)) = (request.slope, after.ground()) {
            // Bending looks a step ahead.
            let bent: Vec<DVec2> = path.points.iter().map(|p| p.truncate()).collect();
            length = longest.max(metrics::length_in_plan(&bent)) + 2.0 * slope.step;
        }
        let extent = Extent {
            start: request.start.truncate(),
            goal: request.goal.truncate(),
            length,
        };
        length.is_finite()
            && *request == self.task.request
            && before.bounds() == after.bounds()
            && !change.delta().ground
            && !extent.is_touched_by(&change.cells())
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

    fn update(&mut self, change: &NavChange, request: &PathRequest) -> Updated {
        if self.is_kept(change, request) {
            self.memory = None;
            self.task.keep(change.nav());
            if !change.delta().obstacles.is_nothing() && request.figures == Figures::All {
                self.task.measure_clearance();
            }
            return Updated::Kept;
        }
        self.task.restart(change.nav(), request);
        self.search.prepare(change.nav());
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

//! Planner sessions: a query that is searched step by step, continues when the level changes, and
//! explains why there is no path.
//!
//! Budgets are counted in expansions, never in time, so that a query takes identical steps on every
//! machine; a step of a simulated walk counts as one. A session lives as long as its agent: every
//! bake continues from a [`fork`](Session::fork) of the session in the previous plan, so that a
//! cancelled bake leaves that one unchanged.

use super::constraint::Replan;
use super::explain::explain;
use super::finish::measure_clearance;
use super::human::Change;
use super::kept::moved_ends;
use super::path::{Answer, NoPath, Path};
use super::request::PathRequest;
use super::trace::Trace;
use crate::jobs::{Cancelled, JobContext, assert_off_window_thread};
use crate::nav::{NavChange, NavData};
use glam::{DVec2, DVec3};
use std::sync::Arc;
use std::time::Instant;

/// Expansions between two checks for cancellation.
pub const CANCEL_INTERVAL: usize = 5_000;

/// State of a search after some steps.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Running,
    /// A usable path; better ones are searched for.
    Improved {
        path: Path,
        /// Upper bound of its cost relative to the best; infinite if unknown.
        bound: f64,
    },
    Done(Path),
    /// [`Session::explain`] says why.
    NoPath,
}

/// How a session reacted to a changed level or query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Updated {
    /// Nothing that it read has changed: its answer stands.
    Kept,
    /// It searches from scratch.
    Restarted,
    /// It repairs the kept path first, reported as [`Step::Improved`], then searches for a better
    /// one.
    Repairing,
}

/// One query, and what is known about it.
pub trait Session: std::fmt::Debug + Send + Sync {
    /// Performs up to `budget` expansions. Once finished, returns its last result again.
    fn step(&mut self, budget: usize) -> Step;

    /// Continues in another state of the level or with another query: keeps the answer if the change
    /// cannot touch it, repairs what it holds, or searches from scratch. The change is one since
    /// the state of its [task](Self::task).
    fn update(&mut self, change: &NavChange, request: &PathRequest) -> Updated;

    /// The query and how it ended.
    fn task(&self) -> &Task;

    /// The state of the search for animation; once its memory was [released](Self::release), what
    /// it keeps for repairs, which is nothing for most planners.
    fn view(&self) -> SearchView;

    /// Forces and choices of the path, if it was simulated.
    fn trace(&self) -> Option<Arc<Trace>> {
        match self.task().end() {
            Some(Step::Done(path)) => path.trace.clone(),
            _ => None,
        }
    }

    /// Expanded nodes so far.
    fn expanded(&self) -> usize;

    /// Why there is no path, from existing structures: costs no more than the search did.
    ///
    /// # Errors
    /// The job was cancelled.
    fn explain(&self, ctx: &JobContext) -> Result<NoPath, Cancelled> {
        let task = self.task();
        explain(&task.nav, &task.request, ctx)
    }

    /// What the last update did to the kept path.
    fn change(&self) -> Change {
        Change::None
    }

    /// Keeps the latest path as the one that updates repair.
    fn hold(&mut self) {}

    /// The latest path as points, as densely as it was planned.
    fn places(&self) -> Vec<DVec3> {
        match self.task().end() {
            Some(Step::Done(path)) => path.points.clone(),
            _ => Vec::new(),
        }
    }

    /// What the latest plans and repairs cost, oldest first; empty for planners without repairs.
    fn replans(&self) -> &[Replan] {
        &[]
    }

    /// Releases the search's memory; the answer and what is kept for repairs stay. An unfinished
    /// search restarts when it is stepped.
    fn release(&mut self) {}

    /// An independent session with equal state and answers, without the search's memory.
    fn fork(&self) -> Box<dyn Session>;
}

/// Continues a session in another state of the level or with another query.
pub fn update(session: &mut dyn Session, nav: &NavData, request: &PathRequest) -> Updated {
    let change = NavChange::between(&session.task().nav, nav);
    session.update(&change, request)
}

/// Searches to the end.
///
/// # Errors
/// The job was cancelled; that takes effect within [`CANCEL_INTERVAL`] expansions.
pub fn run(session: &mut dyn Session, ctx: &JobContext) -> Result<Answer, Cancelled> {
    loop {
        ctx.checkpoint()?;
        match session.step(CANCEL_INTERVAL) {
            Step::Running | Step::Improved { .. } => {}
            Step::Done(path) => return Ok(Answer::Found(path)),
            Step::NoPath => return Ok(Answer::NotFound(session.explain(ctx)?)),
        }
    }
}

/// State of the bare search, before its path gets its metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    Running,
    Found,
    Exhausted,
}

/// State common to all sessions.
#[derive(Clone, Debug)]
pub struct Task {
    pub nav: NavData,
    pub request: PathRequest,
    /// Time spent on searching. Unit: microseconds.
    micros: f64,
    end: Option<Step>,
}

impl Task {
    #[must_use]
    pub fn new(nav: &NavData, request: &PathRequest) -> Self {
        Self {
            nav: nav.clone(),
            request: request.clone(),
            micros: 0.0,
            end: None,
        }
    }

    /// Starts another query.
    pub fn restart(&mut self, nav: &NavData, request: &PathRequest) {
        self.nav.clone_from(nav);
        self.request.clone_from(request);
        self.micros = 0.0;
        self.end = None;
    }

    /// Keeps the answer in another state of the level.
    pub fn keep(&mut self, nav: &NavData) {
        self.nav.clone_from(nav);
    }

    /// Measures the clearance of the path that was found in its state of the level.
    pub fn measure_clearance(&mut self) {
        if let Some(Step::Done(path)) = &mut self.end {
            measure_clearance(path, &self.nav);
        }
    }

    /// The result, once there is one.
    #[must_use]
    pub const fn end(&self) -> Option<&Step> {
        self.end.as_ref()
    }

    /// Time spent on searching. Unit: microseconds.
    #[must_use]
    pub const fn micros(&self) -> f64 {
        self.micros
    }

    /// Runs a part of the search and adds its time.
    pub fn timed<T>(&mut self, work: impl FnOnce(&NavData, &PathRequest) -> T) -> T {
        assert_off_window_thread("a search");
        let clock = Instant::now();
        let done = work(&self.nav, &self.request);
        self.micros += clock.elapsed().as_secs_f64() * 1e6;
        done
    }

    /// Finishes with a path or without one. The path's own time is that of its post-processing.
    pub fn finish(&mut self, path: Option<Path>) -> Step {
        let end = match path {
            Some(mut path) => {
                path.plan_micros += self.micros;
                path.remarks.extend(moved_ends(&path, &self.request));
                Step::Done(path)
            }
            None => Step::NoPath,
        };
        self.end = Some(end.clone());
        end
    }
}

/// The state of a search in drawable form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchView {
    pub nodes: Vec<NodeView>,
    /// Index into `nodes` of the node expanded last.
    pub current: Option<usize>,
    /// The bound ε that is searched for, by searches that improve their path.
    pub bound: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeView {
    /// The node's current point.
    pub point: DVec2,
    /// The segment it may move on, or the interval it represents.
    pub segment: [DVec2; 2],
    /// Index into the view's nodes.
    pub parent: Option<usize>,
    /// Start of the link from the parent.
    pub from: DVec2,
    pub is_closed: bool,
    /// Changed since it was expanded; for searches that repair.
    pub is_inconsistent: bool,
    /// Cost so far, and including the estimate of the remaining cost. Unit: metres.
    pub g: f64,
    pub f: f64,
}

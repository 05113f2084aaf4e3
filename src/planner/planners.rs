//! The one door to all planners, for the command line and the editor alike.

use super::choice::PlannerChoice;
use super::engine::{self, Engine};
use super::nav_data::NavData;
use super::path::{Answer, Path};
use super::request::{BadRequest, PathRequest};
use super::search::{Progress, Search, SearchView, Step};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// What is wrong with the question itself.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    #[error(transparent)]
    BadRequest(#[from] BadRequest),
    #[error("the planner `{}` is not there yet; choose one of {}", .0.name(), ready())]
    NotThere(PlannerChoice),
}

fn ready() -> String {
    let names: Vec<&str> = PlannerChoice::ALL
        .into_iter()
        .filter(|choice| choice.is_ready())
        .map(PlannerChoice::name)
        .collect();
    names.join(", ")
}

fn engine(choice: PlannerChoice) -> Result<Box<dyn Engine>, PlanError> {
    engine::of(choice).ok_or(PlanError::NotThere(choice))
}

/// All planners with their memory. Keep one per thread: the second question is faster.
#[derive(Debug, Default)]
pub struct Planners {
    engines: BTreeMap<PlannerChoice, Box<dyn Engine>>,
}

impl Planners {
    /// Answers a question at once.
    ///
    /// # Errors
    /// The question makes no sense, or nobody can answer it yet. No path is not an error.
    pub fn plan(
        &mut self,
        choice: PlannerChoice,
        nav: &NavData,
        request: &PathRequest,
    ) -> Result<Answer, PlanError> {
        request.check()?;
        let engine = match self.engines.entry(choice) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                let engine = entry.insert(engine(choice)?);
                engine.prepare(nav, request);
                engine
            }
        };
        let clock = Instant::now();
        engine.begin(nav, request);
        let progress = engine.run(nav, usize::MAX);
        let micros = clock.elapsed().as_secs_f64() * 1e6;
        Ok(match progress {
            Progress::Found => Answer::Found(found(&**engine, nav, request, micros)),
            Progress::Running | Progress::Exhausted => {
                Answer::NotFound(engine.no_path(nav, request))
            }
        })
    }

    /// Starts a search to be taken step by step.
    ///
    /// # Errors
    /// As [`Self::plan`].
    pub fn search(
        choice: PlannerChoice,
        nav: Arc<NavData>,
        request: PathRequest,
    ) -> Result<Box<dyn Search>, PlanError> {
        request.check()?;
        let mut engine = engine(choice)?;
        engine.begin(&nav, &request);
        Ok(Box::new(SteppedSearch {
            nav,
            request,
            engine,
            micros: 0.0,
            end: None,
        }))
    }
}

/// The way that an engine found after a search of so many microseconds.
fn found(engine: &dyn Engine, nav: &NavData, request: &PathRequest, micros: f64) -> Path {
    let mut path = engine.path(nav, request);
    path.plan_micros += micros;
    path
}

#[derive(Debug)]
struct SteppedSearch {
    nav: Arc<NavData>,
    request: PathRequest,
    engine: Box<dyn Engine>,
    micros: f64,
    end: Option<Step>,
}

impl Search for SteppedSearch {
    fn step(&mut self, budget: usize) -> Step {
        if let Some(end) = &self.end {
            return end.clone();
        }
        let clock = Instant::now();
        let progress = self.engine.run(&self.nav, budget);
        self.micros += clock.elapsed().as_secs_f64() * 1e6;
        let end = match progress {
            Progress::Running => return Step::Running,
            Progress::Found => {
                Step::Done(found(&*self.engine, &self.nav, &self.request, self.micros))
            }
            Progress::Exhausted => Step::NoPath(self.engine.no_path(&self.nav, &self.request)),
        };
        self.end = Some(end.clone());
        end
    }

    fn view(&self) -> SearchView {
        self.engine.view(&self.nav)
    }

    fn expanded(&self) -> usize {
        self.engine.expanded()
    }
}

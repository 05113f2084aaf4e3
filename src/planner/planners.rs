//! The one door to all planners, for the command line and the editor alike.

use super::choice::PlannerChoice;
use super::explain::{End, explain};
use super::nav_data::NavData;
use super::optimal::OptimalEngine;
use super::path::{Answer, Path};
use super::portal::{Placing, PortalEngine, PortalGraph};
use super::request::{BadRequest, PathRequest};
use super::search::{Progress, Search, SearchView, Step};
use super::{metrics, slope};
use crate::document::Action;
use crate::geometry::lattice::LATTICE;
use glam::DVec2;
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

/// A bare search of any kind.
#[derive(Clone, Debug)]
enum Engine {
    Portal(Box<PortalEngine>, PlannerChoice),
    Optimal(Box<OptimalEngine>),
}

fn graph(nav: &NavData, choice: PlannerChoice) -> &PortalGraph {
    match choice {
        PlannerChoice::PortalThird => nav.third_portals(),
        PlannerChoice::PortalTenth => nav.tenth_portals(),
        _ => nav.whole_portals(),
    }
}

impl Engine {
    fn new(choice: PlannerChoice) -> Result<Self, PlanError> {
        let placing = match choice {
            PlannerChoice::Portal => Placing::Movable,
            PlannerChoice::PortalCentre
            | PlannerChoice::PortalThird
            | PlannerChoice::PortalTenth => Placing::Centre,
            PlannerChoice::Optimal => return Ok(Self::Optimal(Box::default())),
            _ => return Err(PlanError::NotThere(choice)),
        };
        Ok(Self::Portal(PortalEngine::new(placing).into(), choice))
    }

    fn begin(&mut self, nav: &NavData, start: DVec2, goal: DVec2) {
        let (map, pinches) = (nav.cells(), nav.pinches());
        match self {
            Self::Portal(engine, choice) => {
                engine.begin(map, pinches, graph(nav, *choice), start, goal);
            }
            Self::Optimal(engine) => engine.begin(map, pinches, nav.corners(), start, goal),
        }
    }

    fn run(&mut self, nav: &NavData, budget: usize) -> Progress {
        match self {
            Self::Portal(engine, choice) => engine.run(nav.cells(), graph(nav, *choice), budget),
            Self::Optimal(engine) => engine.run(nav.cells(), nav.corners(), budget),
        }
    }

    fn path(&self) -> &[DVec2] {
        match self {
            Self::Portal(engine, _) => engine.path(),
            Self::Optimal(engine) => engine.path(),
        }
    }

    fn expanded(&self) -> usize {
        match self {
            Self::Portal(engine, _) => engine.expanded(),
            Self::Optimal(engine) => engine.expanded(),
        }
    }

    fn view(&self, nav: &NavData) -> SearchView {
        match self {
            Self::Portal(engine, choice) => engine.view(graph(nav, *choice)),
            Self::Optimal(engine) => engine.view(nav.cells()),
        }
    }
}

/// All planners with their memory. Keep one per thread: the second question is faster.
#[derive(Debug, Default)]
pub struct Planners {
    engines: BTreeMap<PlannerChoice, Engine>,
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
                let engine = entry.insert(Engine::new(choice)?);
                // What is derived from the map once should not count as planning time.
                engine.begin(nav, request.start, request.goal);
                engine
            }
        };
        let clock = Instant::now();
        let (start, goal) = (placed(nav, request.start), placed(nav, request.goal));
        engine.begin(nav, start, goal);
        Ok(match engine.run(nav, usize::MAX) {
            Progress::Found => {
                let micros = clock.elapsed().as_secs_f64() * 1e6;
                Answer::Found(dressed(nav, engine, request, micros))
            }
            Progress::Running | Progress::Exhausted => Answer::NotFound(explain(nav, request)),
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
        let mut engine = Engine::new(choice)?;
        let (start, goal) = (placed(&nav, request.start), placed(&nav, request.goal));
        engine.begin(&nav, start, goal);
        Ok(Box::new(SteppedSearch {
            nav,
            request,
            engine,
            micros: 0.0,
            end: None,
        }))
    }
}

/// Places this near to free space count as in it: its corners are rounded to the lattice.
const NEAR: [f64; 2] = [LATTICE, 2.0 * LATTICE];

/// The place, or one in free space next to it.
fn placed(nav: &NavData, p: DVec2) -> DVec2 {
    if nav.cells().locate(p).is_some() {
        return p;
    }
    NEAR.into_iter()
        .flat_map(|distance| {
            (0..8).map(move |i| {
                p + distance * DVec2::from_angle(f64::from(i) * std::f64::consts::FRAC_PI_4)
            })
        })
        .find(|q| nav.cells().locate(*q).is_some())
        .unwrap_or(p)
}

/// Whether an end of the request is in free space, or next to it.
#[must_use]
pub fn is_placed(nav: &NavData, request: &PathRequest, end: End) -> bool {
    let p = placed(nav, end.of(request));
    nav.cells().locate(p).is_some()
}

fn dressed(nav: &NavData, engine: &Engine, request: &PathRequest, plan_micros: f64) -> Path {
    let clock = Instant::now();
    let bent = match (request.slope, nav.ground()) {
        (Some(limits), Some(ground)) => {
            Some(slope::bent(engine.path(), ground, nav.cells(), &limits))
        }
        _ => None,
    };
    let plan_micros = plan_micros + clock.elapsed().as_secs_f64() * 1e6;
    let plan = bent.as_deref().unwrap_or(engine.path());
    let points: Vec<_> = plan
        .iter()
        .map(|p| nav.ground().map_or(p.extend(0.0), |ground| ground.lift(*p)))
        .collect();
    let straight = match &bent {
        Some(bent) if bent.len() != engine.path().len() => engine.path().to_vec(),
        _ => Vec::new(),
    };
    let clearance = metrics::clearance_in(plan, nav.free());
    let length = metrics::length(&points);
    Path {
        straight,
        actions: vec![Action::Walk; points.len()],
        length,
        cost: length,
        cost_by: BTreeMap::new(),
        min_clearance: clearance.min,
        mean_clearance: clearance.mean,
        mean_curvature: metrics::mean_curvature(plan),
        expanded: engine.expanded(),
        plan_micros,
        points,
    }
}

#[derive(Debug)]
struct SteppedSearch {
    nav: Arc<NavData>,
    request: PathRequest,
    engine: Engine,
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
                Step::Done(dressed(&self.nav, &self.engine, &self.request, self.micros))
            }
            Progress::Exhausted => Step::NoPath(explain(&self.nav, &self.request)),
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

//! What every planner does, so that one door leads to all of them.

use super::choice::PlannerChoice;
use super::corridor::{CorridorEngine, Method};
use super::explain::explain;
use super::human::HumanEngine;
use super::metrics;
use super::miran::{IrmEngine, MiranEngine};
use super::nav_data::NavData;
use super::optimal::OptimalEngine;
use super::path::{NoPath, Path};
use super::portal::{Placing, PortalEngine, PortalGraph};
use super::request::PathRequest;
use super::search::{Progress, SearchView};
use super::slope;
use crate::document::Action;
use glam::DVec2;
use std::collections::BTreeMap;
use std::time::Instant;

/// A bare search of any kind, with memory that it keeps from question to question.
pub trait Engine: std::fmt::Debug + Send + Sync {
    /// Derives from the map what is kept from question to question, before a first one: that
    /// should not count as planning time.
    fn prepare(&mut self, nav: &NavData, request: &PathRequest) {
        self.begin(nav, request);
    }

    /// Takes up a question.
    fn begin(&mut self, nav: &NavData, request: &PathRequest);

    /// Takes up to `budget` nodes from the open list.
    fn run(&mut self, nav: &NavData, budget: usize) -> Progress;

    /// The way that was found, with its figures. Its time is that of bending and the like; whoever
    /// asked adds that of the search.
    fn path(&self, nav: &NavData, request: &PathRequest) -> Path;

    /// Why none was found.
    fn no_path(&self, nav: &NavData, request: &PathRequest) -> NoPath {
        explain(nav, request)
    }

    /// Nodes taken from the open list.
    fn expanded(&self) -> usize;

    /// What an animation shows now.
    fn view(&self, nav: &NavData) -> SearchView;
}

/// The engine of a planner; `None` for one that is not there yet.
#[must_use]
pub fn of(choice: PlannerChoice) -> Option<Box<dyn Engine>> {
    Some(match choice {
        PlannerChoice::Portal => Portals::boxed(Placing::Movable, choice),
        PlannerChoice::PortalCentre | PlannerChoice::PortalThird | PlannerChoice::PortalTenth => {
            Portals::boxed(Placing::Centre, choice)
        }
        PlannerChoice::Optimal => Box::<OptimalEngine>::default(),
        PlannerChoice::CorridorOriginal => Box::new(CorridorEngine::new(Method::Original)),
        PlannerChoice::Corridor => Box::new(CorridorEngine::new(Method::Improved)),
        PlannerChoice::Irm => Box::<IrmEngine>::default(),
        PlannerChoice::Miran => Box::<MiranEngine>::default(),
        PlannerChoice::Human => Box::<HumanEngine>::default(),
        PlannerChoice::Constraint => return None,
    })
}

/// A way in plan with all its figures: bent on slopes if that was asked for, and laid on the
/// ground.
#[must_use]
pub fn dressed(plan: &[DVec2], nav: &NavData, request: &PathRequest, expanded: usize) -> Path {
    let clock = Instant::now();
    let bent = match (request.slope, nav.ground()) {
        (Some(limits), Some(ground)) => Some(slope::bent(plan, ground, nav.cells(), &limits)),
        _ => None,
    };
    let plan_micros = clock.elapsed().as_secs_f64() * 1e6;
    let walked = bent.as_deref().unwrap_or(plan);
    let points: Vec<_> = walked
        .iter()
        .map(|p| nav.ground().map_or(p.extend(0.0), |ground| ground.lift(*p)))
        .collect();
    let straight = match &bent {
        Some(bent) if bent.len() != plan.len() => plan.to_vec(),
        _ => Vec::new(),
    };
    let clearance = metrics::clearance_in(walked, nav.free());
    let length = metrics::length(&points);
    Path {
        straight,
        actions: vec![Action::Walk; points.len()],
        length,
        cost: length,
        cost_by: BTreeMap::new(),
        min_clearance: clearance.min,
        mean_clearance: clearance.mean,
        mean_curvature: metrics::mean_curvature(walked),
        expanded,
        plan_micros,
        points,
        times: Vec::new(),
        trace: None,
    }
}

/// Both ends of a request in free space, or next to it.
fn ends(nav: &NavData, request: &PathRequest) -> [DVec2; 2] {
    [request.start, request.goal].map(|p| nav.placed(p.truncate()))
}

/// The movable-node search and its baselines, each on its own graph.
#[derive(Debug)]
struct Portals {
    engine: PortalEngine,
    choice: PlannerChoice,
}

impl Portals {
    fn boxed(placing: Placing, choice: PlannerChoice) -> Box<dyn Engine> {
        Box::new(Self {
            engine: PortalEngine::new(placing),
            choice,
        })
    }

    fn graph<'a>(&self, nav: &'a NavData) -> &'a PortalGraph {
        match self.choice {
            PlannerChoice::PortalThird => nav.third_portals(),
            PlannerChoice::PortalTenth => nav.tenth_portals(),
            _ => nav.whole_portals(),
        }
    }
}

impl Engine for Portals {
    fn begin(&mut self, nav: &NavData, request: &PathRequest) {
        let [start, goal] = ends(nav, request);
        let graph = self.graph(nav);
        self.engine
            .begin(nav.cells(), nav.pinches(), graph, start, goal);
    }

    fn run(&mut self, nav: &NavData, budget: usize) -> Progress {
        let graph = self.graph(nav);
        self.engine.run(nav.cells(), graph, budget)
    }

    fn path(&self, nav: &NavData, request: &PathRequest) -> Path {
        dressed(self.engine.path(), nav, request, self.engine.expanded())
    }

    fn expanded(&self) -> usize {
        self.engine.expanded()
    }

    fn view(&self, nav: &NavData) -> SearchView {
        self.engine.view(self.graph(nav))
    }
}

impl Engine for OptimalEngine {
    fn begin(&mut self, nav: &NavData, request: &PathRequest) {
        let [start, goal] = ends(nav, request);
        Self::begin(self, nav.cells(), nav.pinches(), nav.corners(), start, goal);
    }

    fn run(&mut self, nav: &NavData, budget: usize) -> Progress {
        Self::run(self, nav.cells(), nav.corners(), budget)
    }

    fn path(&self, nav: &NavData, request: &PathRequest) -> Path {
        dressed(Self::path(self), nav, request, Self::expanded(self))
    }

    fn expanded(&self) -> usize {
        Self::expanded(self)
    }

    fn view(&self, nav: &NavData) -> SearchView {
        Self::view(self, nav.cells())
    }
}

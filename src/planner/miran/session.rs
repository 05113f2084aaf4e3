//! MIRAN and IRM as planner sessions.

use super::candidates::{Chooser, Leader};
use super::ground::{ExactGround, Ground};
use super::irm::DiscLeader;
use super::remembered::Remembered;
use super::route::{IndicativeRoute, RouteFault};
use super::settings::Settings;
use super::sources::{NoRoute, RouteSource, Router};
use super::walk::{Phase, Walk};
use super::walker::{Walked, Walker};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::NavData;
use crate::nav::corridor::Touched;
use crate::nav::terrain::{TerrainMap, WeightFault, Weights};
use crate::planner::explain::explain;
use crate::planner::finish::finish_path;
use crate::planner::path::{NoPath, Path};
use crate::planner::pool::Pool;
use crate::planner::request::PathRequest;
use crate::planner::search_session::{Search, SearchSession};
use crate::planner::session::{NodeView, Progress, SearchView, Task};
use crate::planner::trace::{Event, EventKind, Recall, Trace, TraceStep};
use glam::DVec2;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Largest number of steps of one walk: on very long routes they become longer.
const MAX_STEPS: f64 = 50_000.0;

/// Ratio of the longest step to the shortest.
const LONGEST_STEP: f64 = 14.0;

/// Memory of both methods between queries.
#[derive(Debug, Default)]
pub struct Memory {
    router: Router,
    chooser: Chooser,
}

static MEMORY: Pool<Memory> = Pool::new();

/// State common to both methods: a route, a walk along it, and the result.
#[derive(Clone, Debug, Default)]
struct Follower {
    walk: Option<Walk>,
    faults: Vec<RouteFault>,
    weight_faults: Vec<WeightFault>,
    /// No route leads to the goal, or the character does not fit at its start.
    is_lost: bool,
    /// Nodes expanded to compute routes.
    searched: usize,
}

impl Follower {
    /// Computes the route, then walks along it.
    fn run<L: Leader>(
        &mut self,
        nav: &NavData,
        request: &PathRequest,
        router: &mut Router,
        leader: &mut L,
        budget: usize,
    ) -> Progress {
        let mut left = budget;
        if self.walk.is_none() && !self.is_lost {
            router.set_budget(left);
            let is_made = self.make_route(nav, request, router);
            self.searched = router.expanded();
            if !is_made {
                return Progress::Running;
            }
            left = left.min(router.budget());
        }
        let progress = self.walk.as_mut().map_or(Progress::Exhausted, |walk| {
            walk.run(nav, nav.shared().terrain(), router, leader, left)
        });
        self.searched = router.expanded();
        progress
    }

    /// False while the budget does not suffice.
    fn make_route(&mut self, nav: &NavData, request: &PathRequest, router: &mut Router) -> bool {
        let terrain = nav.shared().terrain();
        let [start, goal] = request.placed_ends(nav);
        // Forces would lead to the nearest place with room, which is not what was asked for.
        if ![start, goal].into_iter().all(|end| nav.is_placed(end)) {
            self.is_lost = true;
            return true;
        }
        let (weights, faults) = terrain.weights(&request.profile);
        self.weight_faults = faults;
        let guide = request.guide.as_ref();
        let source = RouteSource::Dual;
        let made = router.indicative(nav, terrain, &weights, guide, source, [start, goal]);
        let (route, faults) = match made {
            Ok(made) => made,
            Err(NoRoute::OutOfBudget) => return false,
            Err(NoRoute::Unreachable) => {
                self.is_lost = true;
                return true;
            }
        };
        self.faults = faults;
        let mut settings = Settings::of(&request.profile, nav.free().radius);
        let secs = route.length() / settings.speed;
        settings.step_secs = settings.step_secs.max(secs / MAX_STEPS);
        let longest = if request.choosing.strides {
            LONGEST_STEP
        } else {
            1.0
        };
        settings.longest_step_secs = longest * settings.step_secs;
        let eye = ExactGround::new(terrain, &weights, Some(nav.cells())).eye(start);
        let Some(eye) = eye else {
            self.is_lost = true;
            return true;
        };
        self.walk = Some(Walk {
            goal,
            weights,
            walker: Walker::new(settings, eye),
            log: Walked {
                events: self.remarks(start, goal),
                ..Walked::default()
            },
            phases: vec![Phase {
                first_step: 0,
                route,
            }],
            is_recovering: false,
            end: None,
        });
        true
    }

    /// Faults of the query as events where they occur, or at the start if they have no location.
    fn remarks(&self, start: DVec2, goal: DVec2) -> Vec<Event> {
        let of_route = self.faults.iter().map(|fault| match fault {
            RouteFault::Blocked { at, .. } => (*at, fault.to_string()),
            RouteFault::OffRoute { end: "goal", .. } => (goal, fault.to_string()),
            _ => (start, fault.to_string()),
        });
        let of_weights = self
            .weight_faults
            .iter()
            .map(|fault| (start, fault.to_string()));
        of_route
            .chain(of_weights)
            .map(|(at, text)| Event {
                time: 0.0,
                at,
                kind: EventKind::Noted,
                text,
            })
            .collect()
    }

    fn path(
        &self,
        nav: &NavData,
        request: &PathRequest,
        recall: impl Fn(&Walk, &[(usize, TraceStep, [f64; 2])]) -> Option<Arc<dyn Recall>>,
    ) -> Path {
        let Some(walk) = &self.walk else {
            return Path::default();
        };
        let terrain = nav.shared().terrain();
        let mut times: Vec<f64> = Vec::with_capacity(walk.log.steps.len() + 1);
        let mut points: Vec<DVec2> = Vec::with_capacity(walk.log.steps.len() + 1);
        let places = walk.log.steps.iter().map(|step| (step.time, step.position));
        for (time, place) in places.chain([(walk.walker.time(), walk.walker.position())]) {
            if points.last() != Some(&place) {
                points.push(place);
                times.push(time);
            }
        }
        let level = PathRequest {
            slope: None,
            ..request.clone()
        };
        let mut path = finish_path(&points, nav, &level, self.expanded());
        if path.points.len() == times.len() {
            path.times = times;
        }
        (path.cost, path.cost_by) = costs(terrain, &walk.weights, &points);
        let moments = walk.moments();
        let trace = Trace {
            steps: moments.iter().map(|(_, step, _)| *step).collect(),
            events: walk.log.events.clone(),
            control: walk.control(),
            recall: recall(walk, &moments),
            corridor: None,
        };
        path.trace = Some(Arc::new(trace));
        path
    }

    fn explain(&self, task: &Task, ctx: &JobContext) -> Result<NoPath, Cancelled> {
        match self.walk.as_ref().and_then(|walk| walk.end.as_ref()) {
            Some(Err(reason)) => Ok(NoPath::because(reason)),
            _ => explain(&task.nav, &task.request, ctx),
        }
    }

    fn expanded(&self) -> usize {
        self.searched + self.walk.as_ref().map_or(0, |walk| walk.log.steps.len())
    }

    fn view(&self) -> SearchView {
        let steps = self.walk.as_ref().map_or(&[][..], |walk| &walk.log.steps);
        let before = |index: usize| &steps[index.saturating_sub(1)];
        let mut walked = 0.0;
        let nodes = steps.iter().enumerate().map(|(index, step)| {
            let from = before(index).position;
            walked += from.distance(step.position);
            NodeView {
                point: step.position,
                segment: [step.position, step.attraction],
                parent: index.checked_sub(1),
                from,
                is_closed: true,
                is_inconsistent: false,
                g: walked,
                f: walked + step.position.distance(step.attraction),
            }
        });
        SearchView {
            nodes: nodes.collect(),
            current: steps.len().checked_sub(1),
            bound: None,
        }
    }
}

/// Terrain cost of a path, in total and by name.
#[must_use]
pub fn costs(
    terrain: &TerrainMap,
    weights: &Weights,
    line: &[DVec2],
) -> (f64, BTreeMap<String, f64>) {
    let lengths = terrain.lengths_along(line);
    let mut by = BTreeMap::new();
    let mut whole = 0.0;
    for ((kind, length), index) in terrain.kinds().iter().zip(lengths).zip(0_u16..) {
        if length > 0.0 {
            let cost = weights.get(crate::nav::terrain::KindId(index)) * length;
            whole += cost;
            *by.entry(format!("terrain:{}", kind.name)).or_default() += cost;
        }
    }
    (whole, by)
}

/// Modified Indicative Routes and Navigation.
#[derive(Clone, Debug, Default)]
pub struct Miran {
    follower: Follower,
}

pub type MiranSession = SearchSession<Miran>;

impl Miran {
    /// The followed route, once it is computed.
    #[must_use]
    pub fn route(&self) -> Option<&IndicativeRoute> {
        self.follower.walk.as_ref().map(Walk::route)
    }

    /// The walk so far.
    #[must_use]
    pub fn walked(&self) -> Option<&Walked> {
        self.follower.walk.as_ref().map(|walk| &walk.log)
    }
}

impl Search for Miran {
    type Memory = Memory;

    fn pool() -> &'static Pool<Memory> {
        &MEMORY
    }

    fn prepare(&self, nav: &NavData) {
        let _ = nav.shared().terrain();
    }

    fn begin(&mut self, memory: &mut Memory, _: &NavData, _: &PathRequest) {
        *self = Self::default();
        memory.router.reset();
    }

    fn run(
        &mut self,
        Memory { router, chooser }: &mut Memory,
        nav: &NavData,
        request: &PathRequest,
        budget: usize,
    ) -> Progress {
        chooser.as_printed = !request.choosing.fixed_samples;
        self.follower.run(nav, request, router, chooser, budget)
    }

    fn path(&mut self, _: &Memory, nav: &NavData, request: &PathRequest) -> Path {
        self.follower.path(nav, request, |walk, moments| {
            Some(Arc::new(Remembered::of(nav, walk, moments)))
        })
    }

    fn expanded(&self) -> usize {
        self.follower.expanded()
    }

    fn view(&self, _: Option<&Memory>, _: &NavData) -> SearchView {
        self.follower.view()
    }

    fn explain(&self, task: &Task, ctx: &JobContext) -> Result<NoPath, Cancelled> {
        self.follower.explain(task, ctx)
    }
}

/// The Indicative Route Method, with MIRAN's routes and forces.
#[derive(Clone, Debug, Default)]
pub struct Irm {
    follower: Follower,
    /// The last contact of the walker's disc.
    touched: Touched,
}

pub type IrmSession = SearchSession<Irm>;

impl Irm {
    /// The followed route, once it is computed.
    #[must_use]
    pub fn route(&self) -> Option<&IndicativeRoute> {
        self.follower.walk.as_ref().map(Walk::route)
    }

    /// The walk so far.
    #[must_use]
    pub fn walked(&self) -> Option<&Walked> {
        self.follower.walk.as_ref().map(|walk| &walk.log)
    }
}

impl Search for Irm {
    type Memory = Memory;

    fn pool() -> &'static Pool<Memory> {
        &MEMORY
    }

    fn prepare(&self, nav: &NavData) {
        let _ = (nav.shared().terrain(), nav.shared().corridors());
    }

    fn begin(&mut self, memory: &mut Memory, _: &NavData, _: &PathRequest) {
        *self = Self::default();
        memory.router.reset();
    }

    fn run(
        &mut self,
        memory: &mut Memory,
        nav: &NavData,
        request: &PathRequest,
        budget: usize,
    ) -> Progress {
        let Ok(corridors) = nav.shared().corridors() else {
            return Progress::Exhausted;
        };
        let radius = nav.free().radius;
        let mut leader = DiscLeader::resume(&corridors.map, radius, self.touched);
        let router = &mut memory.router;
        let progress = self.follower.run(nav, request, router, &mut leader, budget);
        self.touched = leader.touched();
        progress
    }

    fn path(&mut self, _: &Memory, nav: &NavData, request: &PathRequest) -> Path {
        self.follower.path(nav, request, |_, _| None)
    }

    fn expanded(&self) -> usize {
        self.follower.expanded()
    }

    fn view(&self, _: Option<&Memory>, _: &NavData) -> SearchView {
        self.follower.view()
    }

    fn explain(&self, task: &Task, ctx: &JobContext) -> Result<NoPath, Cancelled> {
        match task.nav.shared().corridors() {
            Ok(_) => self.follower.explain(task, ctx),
            Err(too_large) => Ok(NoPath::because(too_large.to_string())),
        }
    }
}

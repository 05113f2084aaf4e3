//! MIRAN and IRM as planners among planners.

use super::candidates::Chooser;
use super::ground::{ExactGround, Ground};
use super::irm::DiscLeader;
use super::remembered::Remembered;
use super::route::{IndicativeRoute, RouteFault};
use super::settings::Settings;
use super::sources::{RouteSource, Router};
use super::walk::{Phase, Walk};
use super::walker::{Walked, Walker};
use crate::nav::terrain::{TerrainMap, WeightFault, Weights};
use crate::planner::engine::{Engine, dressed};
use crate::planner::explain::explain;
use crate::planner::nav_data::NavData;
use crate::planner::path::{NoPath, Path};
use crate::planner::request::PathRequest;
use crate::planner::search::{NodeView, Progress, SearchView};
use crate::planner::trace::{Event, EventKind, Recall, Trace, TraceStep};
use glam::DVec2;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Steps of one way, at most: on very long routes they become longer.
const MAX_STEPS: f64 = 50_000.0;

/// How many times as long as the shortest step the longest one is.
const LONGEST_STEP: f64 = 14.0;

/// What both methods have in common: a route, a walk along it, and what comes of that.
#[derive(Debug, Default)]
struct Follower {
    router: Router,
    walk: Option<Walk>,
    faults: Vec<RouteFault>,
    weight_faults: Vec<WeightFault>,
    source: RouteSource,
}

impl Follower {
    fn begin(&mut self, nav: &NavData, request: &PathRequest) {
        self.walk = None;
        self.faults.clear();
        self.weight_faults.clear();
        self.router.reset();
        let terrain = nav.commons().terrain();
        let [start, goal] = [request.start, request.goal].map(|p| nav.placed(p.truncate()));
        let (weights, faults) = terrain.weights(&request.profile);
        self.weight_faults = faults;
        let guide = request.guide.as_ref();
        let made =
            self.router
                .indicative(nav, terrain, &weights, guide, self.source, [start, goal]);
        let Ok((route, faults)) = made else { return };
        self.faults = faults;
        let mut settings = Settings::of(&request.profile, nav.free().radius);
        let secs = route.length() / settings.speed;
        settings.step_secs = settings.step_secs.max(secs / MAX_STEPS);
        settings.longest_step_secs = LONGEST_STEP * settings.step_secs;
        let eye = ExactGround::new(terrain, &weights, Some(nav.cells())).eye(start);
        let Some(eye) = eye else { return };
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
            end: None,
        });
    }

    /// What was wrong with the question, as events where it shows; at the start, where it has no
    /// place.
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
        let terrain = nav.commons().terrain();
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
        let mut path = dressed(&points, nav, &level, self.expanded());
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
        };
        path.trace = Some(Arc::new(trace));
        path
    }

    fn no_path(&self, nav: &NavData, request: &PathRequest) -> NoPath {
        match self.walk.as_ref().and_then(|walk| walk.end.as_ref()) {
            Some(Err(reason)) => NoPath {
                reason: reason.clone(),
                blocker: None,
                gap: None,
            },
            _ => explain(nav, request),
        }
    }

    fn expanded(&self) -> usize {
        self.router.expanded() + self.walk.as_ref().map_or(0, |walk| walk.log.steps.len())
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
                g: walked,
                f: walked + step.position.distance(step.attraction),
            }
        });
        SearchView {
            nodes: nodes.collect(),
            current: steps.len().checked_sub(1),
        }
    }
}

/// What a way costs by its terrain, in all and by name.
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
#[derive(Debug, Default)]
pub struct MiranEngine {
    follower: Follower,
    chooser: Chooser,
}

impl MiranEngine {
    /// What was wrong with the route of the last question.
    #[must_use]
    pub fn faults(&self) -> &[RouteFault] {
        &self.follower.faults
    }

    /// The route that the last question was answered along.
    #[must_use]
    pub fn route(&self) -> Option<&IndicativeRoute> {
        self.follower.walk.as_ref().map(Walk::route)
    }

    /// What became of the last walk.
    #[must_use]
    pub fn walked(&self) -> Option<&Walked> {
        self.follower.walk.as_ref().map(|walk| &walk.log)
    }

    /// How routes are computed from now on, where none is drawn.
    pub const fn set_source(&mut self, source: RouteSource) {
        self.follower.source = source;
    }
}

impl Engine for MiranEngine {
    fn prepare(&mut self, nav: &NavData, _request: &PathRequest) {
        let _ = nav.commons().terrain();
    }

    fn begin(&mut self, nav: &NavData, request: &PathRequest) {
        self.follower.begin(nav, request);
    }

    fn run(&mut self, nav: &NavData, budget: usize) -> Progress {
        let Follower { router, walk, .. } = &mut self.follower;
        let terrain = nav.commons().terrain();
        walk.as_mut().map_or(Progress::Exhausted, |walk| {
            walk.run(nav, terrain, router, &mut self.chooser, budget)
        })
    }

    fn path(&self, nav: &NavData, request: &PathRequest) -> Path {
        self.follower.path(nav, request, |walk, moments| {
            Some(Arc::new(Remembered::of(nav, walk, moments)))
        })
    }

    fn no_path(&self, nav: &NavData, request: &PathRequest) -> NoPath {
        self.follower.no_path(nav, request)
    }

    fn expanded(&self) -> usize {
        self.follower.expanded()
    }

    fn view(&self, _nav: &NavData) -> SearchView {
        self.follower.view()
    }
}

/// The Indicative Route Method, on the same routes and with the same forces.
#[derive(Debug, Default)]
pub struct IrmEngine {
    follower: Follower,
    too_large: Option<String>,
}

impl IrmEngine {
    /// What became of the last walk.
    #[must_use]
    pub fn walked(&self) -> Option<&Walked> {
        self.follower.walk.as_ref().map(|walk| &walk.log)
    }
}

impl Engine for IrmEngine {
    fn prepare(&mut self, nav: &NavData, _request: &PathRequest) {
        let _ = (nav.commons().terrain(), nav.commons().corridors());
    }

    fn begin(&mut self, nav: &NavData, request: &PathRequest) {
        self.too_large = nav.commons().corridors().err().map(ToString::to_string);
        self.follower.begin(nav, request);
    }

    fn run(&mut self, nav: &NavData, budget: usize) -> Progress {
        let Follower { router, walk, .. } = &mut self.follower;
        let terrain = nav.commons().terrain();
        let (Some(walk), Ok(corridors)) = (walk, nav.commons().corridors()) else {
            return Progress::Exhausted;
        };
        let mut leader = DiscLeader::new(&corridors.map, nav.free().radius);
        walk.run(nav, terrain, router, &mut leader, budget)
    }

    fn path(&self, nav: &NavData, request: &PathRequest) -> Path {
        self.follower.path(nav, request, |_, _| None)
    }

    fn no_path(&self, nav: &NavData, request: &PathRequest) -> NoPath {
        match &self.too_large {
            Some(reason) => NoPath {
                reason: reason.clone(),
                blocker: None,
                gap: None,
            },
            None => self.follower.no_path(nav, request),
        }
    }

    fn expanded(&self) -> usize {
        self.follower.expanded()
    }

    fn view(&self, _nav: &NavData) -> SearchView {
        self.follower.view()
    }
}

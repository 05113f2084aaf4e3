//! MIRAN and IRM as planners among planners.

use super::candidates::{Chooser, Leader};
use super::ground::{ExactGround, Eye, Ground};
use super::irm::DiscLeader;
use super::route::{IndicativeRoute, PartKind, RouteFault};
use super::sources::{RouteSource, Router};
use super::walker::{Settings, Status, Walked, Walker};
use crate::nav::terrain::{TerrainMap, WeightFault, Weights};
use crate::planner::engine::{Engine, dressed};
use crate::planner::explain::explain;
use crate::planner::nav_data::NavData;
use crate::planner::path::{NoPath, Path};
use crate::planner::request::PathRequest;
use crate::planner::search::{NodeView, Progress, SearchView};
use crate::planner::trace::{Candidate, Event, EventKind, Recall, Trace};
use glam::DVec2;
use std::collections::BTreeMap;
use std::sync::Arc;

/// New stretches of route on one way, at most, before the line itself is kept to.
const MAX_RECOVERIES: usize = 8;

/// The same for stretches of it that were kept to; then all of the rest is.
const MAX_RESORTS: usize = 32;

/// How much of a line is kept to before sight and forces lead again, besides some diameters of the
/// character. Unit: metres.
const KEPT: f64 = 1.0;

/// Steps of one way, at most, before all of the rest is kept to.
const MAX_WALK: usize = 200_000;

/// Steps of one way, at most: on very long routes they become longer.
const MAX_STEPS: f64 = 50_000.0;

/// How many times as long as the shortest step the longest one is.
const LONGEST_STEP: f64 = 8.0;

/// A route and from which step on it was followed.
#[derive(Clone, Debug)]
struct Phase {
    first_step: usize,
    route: IndicativeRoute,
}

/// One walk with all that came up on its way.
#[derive(Clone, Debug)]
struct Walk {
    goal: DVec2,
    weights: Weights,
    phases: Vec<Phase>,
    walker: Walker,
    log: Walked,
    end: Option<Result<(), String>>,
}

impl Walk {
    fn route(&self) -> &IndicativeRoute {
        &self.phases[self.phases.len() - 1].route
    }

    /// Steps until something ends; how many were made.
    fn run<L: Leader>(
        &mut self,
        nav: &NavData,
        terrain: &TerrainMap,
        router: &mut Router,
        leader: &mut L,
        budget: usize,
    ) -> Progress {
        for _ in 0..budget {
            match &self.end {
                Some(Ok(())) => return Progress::Found,
                Some(Err(_)) => return Progress::Exhausted,
                None => {}
            }
            let ground = ExactGround::new(terrain, &self.weights, Some(nav.cells()));
            let Self {
                phases,
                walker,
                log,
                ..
            } = self;
            let route = &phases[phases.len() - 1].route;
            match walker.step(&ground, route, leader, &[], log) {
                Status::Walking if self.log.steps.len() - self.first_step() <= MAX_WALK => {}
                Status::Arrived => self.end = Some(Ok(())),
                Status::Walking | Status::Lost | Status::Stuck => {
                    self.recover(nav, terrain, router);
                }
            }
        }
        match &self.end {
            Some(Ok(())) => Progress::Found,
            Some(Err(_)) => Progress::Exhausted,
            None => Progress::Running,
        }
    }

    /// A new stretch of route from where the character is to its goal (paper, §3.5). Where that
    /// is lost at once, too, or again and again, the character keeps to the line of it.
    fn recover(&mut self, nav: &NavData, terrain: &TerrainMap, router: &mut Router) {
        let at = self.walker.position();
        let why = match self.walker.status() {
            Status::Lost => "no part of the route is in sight",
            Status::Stuck => "there is no getting on along the route",
            Status::Walking | Status::Arrived => "the walk takes too long",
        };
        let place = format!("at {:.1}, {:.1}", at.x, at.y);
        let ends = [at, self.goal];
        let way = router.way(nav, terrain, &self.weights, RouteSource::Dual, ends);
        let Ok(way) = way else {
            let text = format!("{why} {place}, and no new one leads on; draw the route elsewhere");
            self.note(EventKind::Stuck, text.clone());
            self.end = Some(Err(text));
            return;
        };
        let (look_ahead, sample_step) = (self.route().look_ahead(), self.route().sample_step());
        let (route, _) = IndicativeRoute::new(way, look_ahead, sample_step, PartKind::Recovery);
        let eye = ExactGround::new(terrain, &self.weights, Some(nav.cells())).eye(at);
        let steps = self.log.steps.len();
        let recoveries = self.phases.len() - 1;
        let is_lost_at_once = recoveries > 0 && steps <= self.first_step() + 1;
        let kept = if steps > MAX_WALK || recoveries > MAX_RESORTS {
            route.length()
        } else if eye.is_none() || is_lost_at_once || recoveries >= MAX_RECOVERIES {
            KEPT + 4.0 * nav.free().radius
        } else {
            0.0
        };
        let text = if kept == 0.0 {
            format!("{why} {place}: a new stretch of it leads to the goal")
        } else {
            let kept = kept.min(route.length());
            format!("{why} {place}: it keeps to the line of a new one for {kept:.1} m")
        };
        self.note(EventKind::Recovered, text);
        self.walker.take_up(eye.unwrap_or(Eye::at(at)));
        self.walker.keep_to_line(kept);
        self.phases.push(Phase {
            first_step: steps,
            route,
        });
    }

    fn first_step(&self) -> usize {
        self.phases[self.phases.len() - 1].first_step
    }

    /// Something worth a mark on the time line, here and now.
    fn note(&mut self, kind: EventKind, text: String) {
        self.log.events.push(Event {
            time: self.walker.time(),
            at: self.walker.position(),
            kind,
            text,
        });
    }

    /// Everything that led the character, as one line: each route as far as it came on it.
    fn control(&self) -> Vec<DVec2> {
        let mut line = Vec::new();
        for (i, phase) in self.phases.iter().enumerate() {
            match self.phases.get(i + 1) {
                Some(next) => {
                    let last = next.first_step.checked_sub(1);
                    let left = last.and_then(|step| self.log.along.get(step));
                    line.extend(phase.route.stretch(0.0, left.map_or(0.0, |[r, _]| *r)));
                }
                None => line.extend_from_slice(phase.route.points()),
            }
        }
        line.dedup();
        line
    }
}

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
        recall: impl Fn(&Walk) -> Option<Arc<dyn Recall>>,
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
        let trace = Trace {
            steps: walk.log.steps.clone(),
            events: walk.log.events.clone(),
            control: walk.control(),
            recall: recall(walk),
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
        self.follower.path(nav, request, |walk| {
            Some(Arc::new(Remembered::of(nav, walk)))
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

/// A walk that is over, to weigh its candidates again: the walk itself leaves out who cannot win.
#[derive(Debug)]
struct Remembered {
    nav: NavData,
    weights: Weights,
    phases: Vec<Phase>,
    positions: Vec<DVec2>,
    along: Vec<[f64; 2]>,
}

impl Remembered {
    fn of(nav: &NavData, walk: &Walk) -> Self {
        Self {
            nav: nav.clone(),
            weights: walk.weights.clone(),
            phases: walk.phases.clone(),
            positions: walk.log.steps.iter().map(|step| step.position).collect(),
            along: walk.log.along.clone(),
        }
    }
}

impl Recall for Remembered {
    fn candidates(&self, step: usize) -> Vec<Candidate> {
        let mut found = Vec::new();
        let terrain = self.nav.commons().terrain();
        let ground = ExactGround::new(terrain, &self.weights, Some(self.nav.cells()));
        let phase = self
            .phases
            .partition_point(|phase| phase.first_step <= step)
            .checked_sub(1)
            .map(|phase| &self.phases[phase]);
        let eye = self.positions.get(step).and_then(|at| ground.eye(*at));
        if let (Some(phase), Some(eye), Some([reference, _])) = (phase, eye, self.along.get(step)) {
            let last = if step == phase.first_step {
                0.0
            } else {
                self.along[step - 1][1]
            };
            let mut chooser = Chooser::default();
            chooser.candidates(&ground, &phase.route, &eye, *reference, last, &mut found);
        }
        found
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
        self.follower.path(nav, request, |_| None)
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

//! Corridors as planner sessions: both methods of the paper.

use super::{
    Control, ControlPath, CorridorRequest, Method, NoCorridor, Settings,
    backbone::{around, ends, need},
    route::{Following, Guided},
    search::AxisSearch,
    shortcut,
    walking::{Attempt, Walked, Walking},
};
use crate::geometry::lattice::LATTICE;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::corridor::CorridorMap;
use crate::nav::{Corridors, NavData};
use crate::planner::explain::explain;
use crate::planner::finish::finish_path;
use crate::planner::pool::{Pool, Pooled};
use crate::planner::session::{Progress, SearchView, Session, Step, Task, Updated};
use crate::planner::{NoPath, Path, PathRequest};
use glam::DVec2;
use std::sync::Arc;

static MEMORY: Pool<AxisSearch> = Pool::new();

#[derive(Debug)]
pub struct CorridorSession {
    task: Task,
    method: Method,
    search: Option<Pooled<AxisSearch>>,
    expanded: usize,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    /// For the shortest backbone.
    Searching(CorridorRequest),
    /// For the corridor along a route.
    Following(CorridorRequest, Box<Following>),
    Walking(Box<Walking>),
    Failed(Failure),
    Over,
}

/// Why there is no path.
#[derive(Clone, Debug)]
enum Failure {
    /// The map could not be built.
    NoMap(String),
    NoCorridor(NoCorridor),
}

impl CorridorSession {
    #[must_use]
    pub fn new(method: Method, nav: &NavData, request: &PathRequest) -> Self {
        // Data that is built once per map does not count as planning time.
        let _ = nav.shared().corridors();
        let mut session = Self {
            task: Task::new(nav, request),
            method,
            search: None,
            expanded: 0,
            phase: Phase::Over,
        };
        session.begin();
        session
    }

    fn begin(&mut self) {
        let method = self.method;
        let search = self.search.get_or_insert_with(|| MEMORY.take());
        self.expanded = 0;
        self.phase = self.task.timed(|nav, request| {
            let begun = begin(method, nav, request, search);
            begun.unwrap_or_else(Phase::Failed)
        });
    }
}

/// Decides at once if the ends allow it, otherwise starts a search.
fn begin(
    method: Method,
    nav: &NavData,
    request: &PathRequest,
    search: &mut AxisSearch,
) -> Result<Phase, Failure> {
    let [start, goal] = request.placed_ends(nav);
    let radius = fitting(nav, [start, goal]);
    let asked = CorridorRequest {
        start,
        goal,
        radius,
        safe_distance: match method {
            // As in the paper's experiments: d_safe = r.
            Method::Original => radius,
            Method::Improved => request.walk.safe_distance.unwrap_or(radius),
        },
    };
    let map = &corridors(nav)?.map;
    let (from, to) = ends(map, &asked).map_err(Failure::NoCorridor)?;
    match &request.guide {
        Some(guide) if guide.line.len() > 1 => {
            let following = Following::begin(map, &asked, &guide.line);
            let following = following.map_err(Failure::NoCorridor)?;
            Ok(Phase::Following(asked, Box::new(following)))
        }
        _ => {
            search.begin(map, &from, &to, need(&asked));
            Ok(Phase::Searching(asked))
        }
    }
}

fn corridors(nav: &NavData) -> Result<&Corridors, Failure> {
    let built = nav.shared().corridors();
    built.map_err(|error| Failure::NoMap(error.to_string()))
}

/// The planned radius, minus a tiny margin if both ends require it: walls and the borders of free
/// space are on a lattice.
fn fitting(nav: &NavData, ends: [DVec2; 2]) -> f64 {
    let radius = nav.free().radius;
    let Ok(corridors) = corridors(nav) else {
        return radius;
    };
    let clearances = ends.map(|p| corridors.map.walls().clearance(p));
    let least = clearances.into_iter().flatten().fold(radius, f64::min);
    if least >= radius - 2.0 * LATTICE {
        least
    } else {
        radius
    }
}

/// The walk through the corridor of the shortest backbone.
fn through_backbone(
    method: Method,
    map: &CorridorMap,
    asked: &CorridorRequest,
    request: &PathRequest,
    search: &AxisSearch,
) -> Option<Walking> {
    let backbone = around(map, search.path()?);
    let samples = backbone.corridor.samples();
    let axis = ControlPath::of_backbone(map, asked.start, samples, asked.goal);
    let attempts = match method {
        Method::Original => vec![Attempt {
            control: axis.clone(),
            settings: Settings::new(method, asked.radius),
        }],
        Method::Improved => {
            let wanted = asked.radius + asked.safe_distance;
            let control = match request.walk.control {
                Control::Axis => axis.clone(),
                Control::Shortcuts => shortcut(map, &axis, wanted),
            };
            improved(control, &axis, asked.radius, request)
        }
    };
    Some(Walking::new(backbone.corridor, axis, attempts))
}

/// The walk through the corridor along a route.
fn through_route(
    method: Method,
    map: &CorridorMap,
    asked: &CorridorRequest,
    request: &PathRequest,
    guided: Guided,
) -> Walking {
    let corridor = guided.backbone.corridor;
    let axis = ControlPath::of_backbone(map, asked.start, corridor.samples(), asked.goal);
    let attempts = match method {
        // The original method has no other control path than the backbone.
        Method::Original => vec![Attempt {
            control: axis.clone(),
            settings: Settings::new(method, asked.radius),
        }],
        Method::Improved => improved(guided.control, &axis, asked.radius, request),
    };
    Walking::new(corridor, axis, attempts)
}

/// As chosen; then with the paper's own forces on the centre line.
fn improved(
    control: ControlPath,
    axis: &ControlPath,
    radius: f64,
    request: &PathRequest,
) -> Vec<Attempt> {
    vec![
        Attempt {
            control,
            settings: request.walk.settings(radius),
        },
        Attempt {
            control: axis.clone(),
            settings: Settings::new(Method::Improved, radius),
        },
    ]
}

fn path_of(walked: &Walked, nav: &NavData, request: &PathRequest, expanded: usize) -> Path {
    let walked = walked.at_speed(request.profile.pace.speed);
    // Bending would leave the simulated path.
    let level = PathRequest {
        slope: None,
        ..request.clone()
    };
    Path {
        times: walked.times,
        trace: Some(Arc::new(walked.trace)),
        ..finish_path(&walked.points, nav, &level, expanded)
    }
}

impl Session for CorridorSession {
    fn step(&mut self, budget: usize) -> Step {
        if let Some(end) = self.task.end() {
            return end.clone();
        }
        if self.search.is_none() {
            self.begin();
        }
        let Self {
            task,
            method,
            search,
            expanded,
            phase,
        } = self;
        let (nav, request) = (task.nav.clone(), task.request.clone());
        let (Ok(corridors), Some(search)) = (corridors(&nav), search) else {
            return task.finish(None);
        };
        let map = &corridors.map;
        let mut left = budget;
        while left > 0 {
            match phase {
                Phase::Searching(asked) => {
                    let before = search.expanded();
                    let progress = task.timed(|_, _| search.run(map, left));
                    *expanded = search.expanded();
                    left = left.saturating_sub(*expanded - before);
                    match progress {
                        Progress::Running => return Step::Running,
                        Progress::Exhausted => {
                            *phase = Phase::Failed(Failure::NoCorridor(NoCorridor::Separated));
                        }
                        Progress::Found => {
                            let walking = task.timed(|_, _| {
                                through_backbone(*method, map, asked, &request, search)
                            });
                            *phase = walking
                                .map_or(Phase::Over, |walking| Phase::Walking(Box::new(walking)));
                        }
                    }
                }
                Phase::Following(asked, following) => {
                    let guided = task.timed(|_, _| following.run(map, search, &mut left));
                    *expanded = following.expanded();
                    match guided {
                        Ok(None) => return Step::Running,
                        Ok(Some(guided)) => {
                            *expanded = guided.backbone.expanded;
                            let walking = task
                                .timed(|_, _| through_route(*method, map, asked, &request, guided));
                            *phase = Phase::Walking(Box::new(walking));
                        }
                        Err(failure) => *phase = Phase::Failed(Failure::NoCorridor(failure)),
                    }
                }
                Phase::Walking(walking) => {
                    let Some(walked) = task.timed(|_, _| walking.run(map, left)) else {
                        return Step::Running;
                    };
                    *phase = Phase::Over;
                    return task.finish(Some(path_of(&walked, &nav, &request, *expanded)));
                }
                Phase::Failed(_) | Phase::Over => return task.finish(None),
            }
        }
        Step::Running
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
        match (corridors(&self.task.nav), &self.search) {
            (Ok(corridors), Some(search)) => search.view(&corridors.map),
            _ => SearchView::default(),
        }
    }

    fn expanded(&self) -> usize {
        self.expanded
    }

    fn explain(&self, ctx: &JobContext) -> Result<NoPath, Cancelled> {
        match &self.phase {
            Phase::Failed(Failure::NoMap(reason)) => Ok(NoPath::because(reason)),
            Phase::Failed(Failure::NoCorridor(reason @ NoCorridor::RouteBlocked)) => {
                Ok(NoPath::because(reason.to_string()))
            }
            _ => explain(&self.task.nav, &self.task.request, ctx),
        }
    }

    fn release(&mut self) {
        self.search = None;
    }

    fn fork(&self) -> Box<dyn Session> {
        Box::new(Self {
            task: self.task.clone(),
            method: self.method,
            search: None,
            expanded: self.expanded,
            phase: self.phase.clone(),
        })
    }
}

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
use crate::planner::pool::Pool;
use crate::planner::search_session::Search;
use crate::planner::session::{Progress, SearchView, Task};
use crate::planner::{NoPath, Path, PathRequest};
use glam::DVec2;
use std::sync::Arc;

static MEMORY: Pool<AxisSearch> = Pool::new();

/// The search for a corridor, and the walk through it.
#[derive(Clone, Debug)]
pub struct ThroughCorridor {
    method: Method,
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
    Walked(Box<Walked>),
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

impl ThroughCorridor {
    #[must_use]
    pub const fn new(method: Method) -> Self {
        Self {
            method,
            expanded: 0,
            phase: Phase::Over,
        }
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
            settings: Settings::of(request.walk, radius),
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

impl Search for ThroughCorridor {
    type Memory = AxisSearch;

    fn pool() -> &'static Pool<AxisSearch> {
        &MEMORY
    }

    fn prepare(&self, nav: &NavData) {
        let _ = nav.shared().corridors();
    }

    fn begin(&mut self, search: &mut AxisSearch, nav: &NavData, request: &PathRequest) {
        self.expanded = 0;
        self.phase = begin(self.method, nav, request, search).unwrap_or_else(Phase::Failed);
    }

    fn run(
        &mut self,
        search: &mut AxisSearch,
        nav: &NavData,
        request: &PathRequest,
        budget: usize,
    ) -> Progress {
        let Self {
            method,
            expanded,
            phase,
        } = self;
        let Ok(corridors) = corridors(nav) else {
            return Progress::Exhausted;
        };
        let map = &corridors.map;
        let mut left = budget;
        while left > 0 {
            match phase {
                Phase::Searching(asked) => {
                    let before = search.expanded();
                    let progress = search.run(map, left);
                    *expanded = search.expanded();
                    left = left.saturating_sub(*expanded - before);
                    *phase = match progress {
                        Progress::Running => return Progress::Running,
                        Progress::Exhausted => {
                            Phase::Failed(Failure::NoCorridor(NoCorridor::Separated))
                        }
                        Progress::Found => through_backbone(*method, map, asked, request, search)
                            .map_or(Phase::Over, |walking| Phase::Walking(Box::new(walking))),
                    };
                }
                Phase::Following(asked, following) => {
                    let guided = following.run(map, search, &mut left);
                    *expanded = following.expanded();
                    *phase = match guided {
                        Ok(None) => return Progress::Running,
                        Ok(Some(guided)) => {
                            *expanded = guided.backbone.expanded;
                            let walking = through_route(*method, map, asked, request, guided);
                            Phase::Walking(Box::new(walking))
                        }
                        Err(failure) => Phase::Failed(Failure::NoCorridor(failure)),
                    };
                }
                Phase::Walking(walking) => {
                    let Some(walked) = walking.run(map, left) else {
                        return Progress::Running;
                    };
                    *phase = Phase::Walked(Box::new(walked));
                }
                Phase::Walked(_) => return Progress::Found,
                Phase::Failed(_) | Phase::Over => return Progress::Exhausted,
            }
        }
        Progress::Running
    }

    fn path(&mut self, _: &AxisSearch, nav: &NavData, request: &PathRequest) -> Path {
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Walked(walked) => path_of(&walked, nav, request, self.expanded),
            _ => Path::default(),
        }
    }

    fn expanded(&self) -> usize {
        self.expanded
    }

    fn view(&self, search: Option<&AxisSearch>, nav: &NavData) -> SearchView {
        match (corridors(nav), search) {
            (Ok(corridors), Some(search)) => search.view(&corridors.map),
            _ => SearchView::default(),
        }
    }

    fn explain(&self, task: &Task, ctx: &JobContext) -> Result<NoPath, Cancelled> {
        match &self.phase {
            Phase::Failed(Failure::NoMap(reason)) => Ok(NoPath::because(reason)),
            Phase::Failed(Failure::NoCorridor(reason @ NoCorridor::RouteBlocked)) => {
                Ok(NoPath::because(reason.to_string()))
            }
            _ => explain(&task.nav, &task.request, ctx),
        }
    }
}

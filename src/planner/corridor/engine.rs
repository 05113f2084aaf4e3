//! The corridor planners behind the common door.

use super::{
    Control, ControlPath, Corridor, CorridorRequest, Method, Motion, MotionState, NoCorridor,
    Obstructed, Settings, Status, WalkOptions, along_route,
    backbone::{around, ends, need, reason},
    search::AxisSearch,
    shortcut,
};
use crate::geometry::lattice::LATTICE;
use crate::nav::commons::Corridors;
use crate::nav::corridor::{CorridorMap, Sample};
use crate::planner::engine::{Engine, dressed};
use crate::planner::explain::{explain, too_narrow};
use crate::planner::trace::{Event, EventKind, Forces, Trace, TraceStep};
use crate::planner::{Gap, NavData, NoPath, Path, PathRequest, Progress, SearchView};
use glam::DVec2;
use std::sync::Arc;

/// The pace that all walks are computed at: the paper gives none, and its forces make a path of
/// their own for each. Times are stretched to the profile's pace, so that the way does not depend
/// on it. Unit: m/s.
const PACE: f64 = 1.4;

/// How one walk went.
#[derive(Clone, Debug, Default)]
struct Walk {
    points: Vec<DVec2>,
    /// Unit: seconds at [`PACE`].
    times: Vec<f64>,
    trace: Trace,
}

/// Both methods of the paper as planners.
#[derive(Debug)]
pub struct CorridorEngine {
    method: Method,
    request: Option<CorridorRequest>,
    guide: Option<Arc<[DVec2]>>,
    options: WalkOptions,
    search: AxisSearch,
    expanded: usize,
    end: Option<Result<Walk, Failure>>,
}

/// Why there is no walk.
#[derive(Clone, Debug)]
enum Failure {
    /// The map itself could not be made.
    NoMap(String),
    NoCorridor(NoCorridor),
}

/// Where forces left a walker standing.
#[derive(Clone, Copy, Debug)]
struct GaveUp {
    at: DVec2,
    why: Obstructed,
}

impl CorridorEngine {
    #[must_use]
    pub fn new(method: Method) -> Self {
        Self {
            method,
            request: None,
            guide: None,
            options: WalkOptions::default(),
            search: AxisSearch::default(),
            expanded: 0,
            end: None,
        }
    }

    /// What is known of the ends decides at once, or the search begins.
    fn take_up(&mut self, nav: &NavData) -> Result<(), Failure> {
        let map = &corridors(nav)?.map;
        let Some(request) = &self.request else {
            return Ok(());
        };
        let (start, goal) = ends(map, request).map_err(Failure::NoCorridor)?;
        self.search.begin(map, &start, &goal, need(request));
        Ok(())
    }

    fn walk(&self, map: &CorridorMap, request: &CorridorRequest) -> Result<Walk, Failure> {
        let way = self.search.way().ok_or_else(|| no_way(map, request))?;
        let backbone = around(map, way);
        let samples = backbone.corridor.samples();
        let axis = ControlPath::of_backbone(map, request.start, samples, request.goal);
        if self.method == Method::Original {
            let settings = Settings::new(Method::Original, request.radius);
            let walk = walked(map, &backbone.corridor, &axis, settings);
            return Ok(walk.unwrap_or_else(|gave_up| on_line(&axis, gave_up)));
        }
        let wanted = request.radius + request.safe_distance;
        let control = match self.options.control {
            Control::Axis => axis.clone(),
            Control::Shortcuts => shortcut(map, &axis, wanted),
        };
        let settings = self.options.settings(request.radius);
        let walk = walked(map, &backbone.corridor, &control, settings).or_else(|_| {
            // Forces balance somewhere; on the middle line they hardly ever do.
            let settings = Settings::new(Method::Improved, request.radius);
            walked(map, &backbone.corridor, &axis, settings)
        });
        Ok(walk.unwrap_or_else(|gave_up| on_line(&axis, gave_up)))
    }

    fn guided(
        &mut self,
        map: &CorridorMap,
        request: &CorridorRequest,
        route: &[DVec2],
    ) -> Result<Walk, Failure> {
        let guided = along_route(map, request, route).map_err(Failure::NoCorridor)?;
        self.expanded = guided.backbone.expanded;
        let corridor = &guided.backbone.corridor;
        let axis = || {
            let samples = corridor.samples();
            ControlPath::of_backbone(map, request.start, samples, request.goal)
        };
        let walk = match self.method {
            // The original knows no other control path than the backbone.
            Method::Original => {
                let settings = Settings::new(Method::Original, request.radius);
                walked(map, corridor, &axis(), settings)
            }
            Method::Improved => {
                let settings = self.options.settings(request.radius);
                walked(map, corridor, &guided.control, settings).or_else(|_| {
                    let settings = Settings::new(Method::Improved, request.radius);
                    walked(map, corridor, &axis(), settings)
                })
            }
        };
        Ok(walk.unwrap_or_else(|gave_up| on_line(&axis(), gave_up)))
    }
}

fn corridors(nav: &NavData) -> Result<&Corridors, Failure> {
    let built = nav.commons().corridors();
    built.map_err(|error| Failure::NoMap(error.to_string()))
}

/// The radius that is planned for, less a trace if it takes that to stand at both ends: walls are
/// on a lattice, and the borders of free space as well.
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

fn no_way(map: &CorridorMap, request: &CorridorRequest) -> Failure {
    Failure::NoCorridor(match ends(map, request) {
        Ok((start, goal)) => reason(map, &start, &goal),
        Err(reason) => reason,
    })
}

/// Walks to the end of a control path and keeps what it thought.
fn walked(
    map: &CorridorMap,
    corridor: &Corridor,
    control: &ControlPath,
    settings: Settings,
) -> Result<Walk, GaveUp> {
    let mut motion = Motion::new(map, corridor, control, &[], settings);
    let mut states: Vec<MotionState> = vec![*motion.state()];
    let status = loop {
        let status = motion.step();
        if states.last() != Some(motion.state()) {
            states.push(*motion.state());
        }
        if status != Status::Moving {
            break status;
        }
    };
    if let Status::Stuck(why) = status {
        let at = motion.state().position;
        return Err(GaveUp { at, why });
    }
    // What led the first step is known after it.
    if let [first, second, ..] = &mut states[..] {
        first.attraction_point = second.attraction_point;
        first.closest = second.closest;
    }
    let mut walk = Walk::default();
    walk.trace.control = control.line().points().to_vec();
    for state in &states {
        let time = f64::from(state.tick) * settings.step_secs;
        // The last stretch up to the goal itself is walked, too.
        let time = match (walk.points.last(), walk.times.last()) {
            (Some(&last), Some(&before)) => time.max(before + state.position.distance(last) / PACE),
            _ => time,
        };
        if walk.points.last() == Some(&state.position) {
            continue;
        }
        walk.points.push(state.position);
        walk.times.push(time);
        walk.trace.steps.push(TraceStep {
            time,
            position: state.position,
            velocity: state.velocity,
            attraction: state.attraction_point,
            reference: control.line().point_at(state.reference),
            forces: Forces {
                steering: state.steering,
                boundary: state.boundary,
                others: state.avoidance,
            },
        });
    }
    Ok(walk)
}

/// Along the line itself, which is wide enough all the way, where forces lead nowhere: in gaps
/// hardly wider than the walker they balance.
fn on_line(control: &ControlPath, GaveUp { at, why }: GaveUp) -> Walk {
    let line = control.line();
    let points = line.points().to_vec();
    let mut times = Vec::with_capacity(points.len());
    let mut steps = Vec::with_capacity(points.len());
    let mut time = 0.0;
    for (i, &position) in points.iter().enumerate() {
        let next = points.get(i + 1).copied().unwrap_or(position);
        times.push(time);
        steps.push(TraceStep {
            time,
            position,
            velocity: (next - position).normalize_or_zero() * PACE,
            attraction: next,
            reference: Some(position),
            ..TraceStep::default()
        });
        time += position.distance(next) / PACE;
    }
    let event = Event {
        time: 0.0,
        at,
        kind: EventKind::Noted,
        text: format!("It keeps to the middle line: {why}."),
    };
    Walk {
        trace: Trace {
            steps,
            recall: None,
            events: vec![event],
            control: points.clone(),
        },
        points,
        times,
    }
}

impl Walk {
    /// The same walk at another pace: times, speeds and forces change, places do not.
    fn at_pace(&self, speed: f64) -> Self {
        let faster = speed / PACE;
        let mut walk = self.clone();
        for time in &mut walk.times {
            *time /= faster;
        }
        for step in &mut walk.trace.steps {
            step.time /= faster;
            step.velocity *= faster;
            for force in [
                &mut step.forces.steering,
                &mut step.forces.boundary,
                &mut step.forces.others,
            ] {
                *force *= faster * faster;
            }
        }
        walk
    }
}

impl Engine for CorridorEngine {
    fn begin(&mut self, nav: &NavData, request: &PathRequest) {
        let [start, goal] = [request.start, request.goal].map(|p| nav.placed(p.truncate()));
        let radius = fitting(nav, [start, goal]);
        self.request = Some(CorridorRequest {
            start,
            goal,
            radius,
            safe_distance: match self.method {
                // As in the paper's experiments: d_safe = r.
                Method::Original => radius,
                Method::Improved => request.walk.safe_distance.unwrap_or(radius),
            },
        });
        self.options = request.walk;
        self.guide = request.guide.as_ref().map(|guide| Arc::clone(&guide.line));
        self.search = AxisSearch::default();
        self.expanded = 0;
        self.end = self.take_up(nav).err().map(Err);
    }

    fn run(&mut self, nav: &NavData, budget: usize) -> Progress {
        if let Some(end) = &self.end {
            return match end {
                Ok(_) => Progress::Found,
                Err(_) => Progress::Exhausted,
            };
        }
        let (Ok(corridors), Some(request)) = (corridors(nav), self.request) else {
            return Progress::Exhausted;
        };
        let map = &corridors.map;
        let end = match self.guide.clone() {
            Some(route) if route.len() > 1 => self.guided(map, &request, &route),
            _ => {
                let progress = self.search.run(map, budget);
                self.expanded = self.search.expanded();
                match progress {
                    Progress::Running => return Progress::Running,
                    Progress::Exhausted => Err(no_way(map, &request)),
                    Progress::Found => self.walk(map, &request),
                }
            }
        };
        let progress = match &end {
            Ok(_) => Progress::Found,
            Err(_) => Progress::Exhausted,
        };
        self.end = Some(end);
        progress
    }

    fn path(&self, nav: &NavData, request: &PathRequest) -> Path {
        let Some(Ok(walk)) = &self.end else {
            return Path::default();
        };
        let walk = walk.at_pace(request.profile.pace.speed);
        // Bending would leave what was walked.
        let level = PathRequest {
            slope: None,
            ..request.clone()
        };
        Path {
            times: walk.times,
            trace: Some(Arc::new(walk.trace)),
            ..dressed(&walk.points, nav, &level, self.expanded)
        }
    }

    fn no_path(&self, nav: &NavData, request: &PathRequest) -> NoPath {
        let plain = |reason: String| NoPath {
            reason,
            blocker: None,
            gap: None,
        };
        match &self.end {
            Some(Err(Failure::NoMap(reason))) => plain(reason.clone()),
            Some(Err(Failure::NoCorridor(NoCorridor::TooNarrow { narrowest, .. }))) => {
                too_narrow(nav, gap_at(nav, narrowest))
            }
            Some(Err(Failure::NoCorridor(reason @ NoCorridor::RouteBlocked))) => {
                plain(reason.to_string())
            }
            _ => explain(nav, request),
        }
    }

    fn expanded(&self) -> usize {
        self.expanded
    }

    fn view(&self, nav: &NavData) -> SearchView {
        corridors(nav).map_or_else(
            |_| SearchView::default(),
            |corridors| self.search.view(&corridors.map),
        )
    }
}

fn entity(nav: &NavData, blocker: Option<u32>) -> Option<crate::base::EntityId> {
    let blockers = &corridors(nav).ok()?.blockers;
    blockers.get(blocker? as usize).copied()
}

/// The narrow place around a sample of the axis.
fn gap_at(nav: &NavData, narrowest: &Sample) -> Gap {
    let mut sides = [
        (entity(nav, narrowest.left_blocker), narrowest.left),
        (entity(nav, narrowest.right_blocker), narrowest.right),
    ];
    sides.sort_by_key(|(blocker, _)| *blocker);
    Gap {
        at: narrowest.point,
        ends: sides.map(|(_, end)| end),
        width: 2.0 * narrowest.clearance,
        between: sides.map(|(blocker, _)| blocker),
    }
}

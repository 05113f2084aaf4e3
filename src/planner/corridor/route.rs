//! Following a designer's route (paper, §6).

use super::{
    backbone::{Backbone, CorridorRequest, NoCorridor, around, ends, need, reason},
    control::ControlPath,
    search::{self, AxisPath, AxisSearch, Stretch},
};
use crate::geometry::Polyline;
use crate::nav::corridor::{AxisPoint, CorridorMap};
use crate::planner::session::Progress;
use glam::DVec2;

/// Distance between the samples of a route that are retracted. Unit: metres.
const ROUTE_STEP: f64 = 0.25;

/// Largest number of samples of a route; long routes get longer steps.
const MAX_ROUTE_PLACES: f64 = 20_000.0;

/// A corridor along a route.
#[derive(Clone, Debug)]
pub struct Guided {
    /// The corridor that the route runs through.
    pub backbone: Backbone,
    /// The route where the character fits on it, the middle of the corridor elsewhere.
    pub control: ControlPath,
}

/// The corridor along a route, from the request's start to its goal: that of its samples retracted
/// onto the axis (paper, §6). Where the route runs through obstacles, the shortest backbone joins
/// its free parts.
///
/// Only the part of the route between the points nearest to start and goal is followed: backwards
/// if necessary, or onwards around a closed one.
///
/// # Errors
/// The reason why there is none.
pub fn along_route(
    map: &CorridorMap,
    request: &CorridorRequest,
    route: &[DVec2],
) -> Result<Guided, NoCorridor> {
    let mut following = Following::begin(map, request, route)?;
    let mut search = AxisSearch::default();
    loop {
        if let Some(guided) = following.run(map, &mut search, &mut { usize::MAX })? {
            return Ok(guided);
        }
    }
}

/// A point in plan and on the axis.
type Place = (DVec2, AxisPoint);

/// A search for the corridor along a route, sample by sample.
#[derive(Clone, Debug)]
pub(super) struct Following {
    request: CorridorRequest,
    goal: AxisPoint,
    /// Samples of the route, and the index of the next.
    places: Vec<DVec2>,
    next: usize,
    /// All samples so far were blocked.
    is_blocked: bool,
    here: Place,
    /// A search from `here` to this sample.
    towards: Option<Place>,
    whole: AxisPath,
    control: Vec<DVec2>,
}

impl Following {
    pub fn begin(
        map: &CorridorMap,
        request: &CorridorRequest,
        route: &[DVec2],
    ) -> Result<Self, NoCorridor> {
        let (start, goal) = ends(map, request)?;
        Ok(Self {
            request: *request,
            goal,
            places: places(route, request.start, request.goal),
            next: 0,
            is_blocked: true,
            here: (request.start, start),
            towards: None,
            whole: AxisPath::default(),
            control: vec![request.start],
        })
    }

    /// Nodes expanded so far.
    pub const fn expanded(&self) -> usize {
        self.whole.expanded
    }

    /// Processes samples and expansions within the budget; `None` while there are more.
    pub fn run(
        &mut self,
        map: &CorridorMap,
        search: &mut AxisSearch,
        left: &mut usize,
    ) -> Result<Option<Guided>, NoCorridor> {
        while *left > 0 {
            if let Some(next) = self.towards {
                let before = search.expanded();
                let progress = search.run(map, *left);
                *left = left.saturating_sub(search.expanded() - before);
                match progress {
                    Progress::Running => return Ok(None),
                    Progress::Exhausted => return Err(reason(map, &self.here.1, &next.1)),
                    Progress::Found => self.towards = None,
                }
                let path = search.path();
                self.go(map, next, path.ok_or(NoCorridor::Separated)?);
                continue;
            }
            *left -= 1;
            if self.next > self.places.len() {
                return Ok(Some(Guided {
                    backbone: around(map, std::mem::take(&mut self.whole)),
                    control: ControlPath::new(map, std::mem::take(&mut self.control)),
                }));
            }
            let Some(next) = self.next_place(map)? else {
                continue;
            };
            match self.beside(map, &next.1) {
                Some(path) => self.go(map, next, path),
                None => {
                    search.begin(map, &self.here.1, &next.1, need(&self.request));
                    self.towards = Some(next);
                }
            }
        }
        Ok(None)
    }

    /// The next sample where the character fits; after the last one, the goal.
    fn next_place(&mut self, map: &CorridorMap) -> Result<Option<Place>, NoCorridor> {
        let index = self.next;
        self.next += 1;
        let Some(&p) = self.places.get(index) else {
            return if self.is_blocked {
                Err(NoCorridor::RouteBlocked)
            } else {
                Ok(Some((self.request.goal, self.goal)))
            };
        };
        let clearance = map.walls().clearance(p);
        let place = clearance
            .filter(|clearance| *clearance >= self.request.radius)
            .and_then(|_| Some((p, map.retract(p)?)));
        self.is_blocked &= place.is_none();
        Ok(place)
    }

    /// Along the current edge, if the other point is on it and it is wide enough.
    fn beside(&self, map: &CorridorMap, to: &AxisPoint) -> Option<AxisPath> {
        let from = &self.here.1;
        if from.edge != to.edge {
            return None;
        }
        let stretch = Stretch {
            edge: from.edge,
            from: map.along(from),
            to: map.along(to),
        };
        let clearance = map.narrowest(from.edge, stretch.from, stretch.to).clearance;
        (clearance >= self.request.radius).then(|| AxisPath {
            stretches: vec![stretch],
            is_tight: clearance < need(&self.request).wanted,
            expanded: 0,
        })
    }

    fn go(&mut self, map: &CorridorMap, next: Place, path: AxisPath) {
        let radius = self.request.radius;
        if !map.walls().is_clear(self.here.0, next.0, radius) {
            let middle = search::samples(map, &search::without_turns_back(path.stretches.clone()));
            self.control
                .extend(middle.iter().map(|sample| sample.point));
        }
        self.control.push(next.0);
        self.whole.is_tight |= path.is_tight;
        self.whole.expanded += path.expanded;
        self.whole.stretches.extend(path.stretches);
        self.here = next;
    }
}

/// Samples along the part of a route between the points nearest to start and goal.
fn places(route: &[DVec2], start: DVec2, goal: DVec2) -> Vec<DVec2> {
    let line = Polyline::new(route.iter().copied());
    let (Some(from), Some(to)) = (line.closest(start), line.closest(goal)) else {
        return Vec::new();
    };
    let (from, to) = (from.along, to.along);
    let length = line.length();
    let is_closed = line.points().len() > 2 && line.points().first() == line.points().last();
    let stretches = if from > to && is_closed {
        vec![[from, length], [0.0, to]]
    } else {
        vec![[from, to]]
    };
    let step = ROUTE_STEP.max(length / MAX_ROUTE_PLACES);
    let mut places: Vec<DVec2> = stretches
        .into_iter()
        .flat_map(|[from, to]| {
            let count = ((to - from).abs() / step).ceil().max(1.0) as usize;
            (0..=count).map(move |i| from + (to - from) * (i as f64 / count as f64))
        })
        .filter_map(|along| line.point_at(along))
        .collect();
    places.dedup();
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_between_start_and_goal_is_followed_in_either_direction_or_around() {
        let line = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)].map(DVec2::from);
        let along = |route: &[DVec2], start: (f64, f64), goal: (f64, f64)| {
            Polyline::new(places(route, start.into(), goal.into())).length()
        };
        assert_eq!(along(&line, (2.0, 1.0), (11.0, 6.0)), 14.0);
        assert_eq!(along(&line, (11.0, 6.0), (2.0, 1.0)), 14.0);
        let closed: Vec<DVec2> = line.iter().chain(&line[..1]).copied().collect();
        assert_eq!(along(&closed, (2.0, -1.0), (11.0, 6.0)), 14.0);
        assert_eq!(along(&closed, (11.0, 6.0), (2.0, -1.0)), 26.0);
        assert!(places(&[], DVec2::ZERO, DVec2::ONE).is_empty());
        assert_eq!(places(&[DVec2::ONE], DVec2::ZERO, DVec2::ZERO).len(), 1);
    }
}

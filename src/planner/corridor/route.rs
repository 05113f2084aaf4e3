//! Following a route that somebody drew (paper, §6).

use super::{
    backbone::{Backbone, CorridorRequest, NoCorridor, around, ends, need, reason},
    control::ControlPath,
    search::{self, Stretch, Way},
};
use crate::geometry::Polyline;
use crate::nav::corridor::{AxisPoint, CorridorMap};
use glam::DVec2;

/// Distance between the places of a route that are retracted. Unit: metres.
const ROUTE_STEP: f64 = 0.25;

/// Places of a route that are retracted at most; long routes get longer steps.
const MAX_ROUTE_PLACES: f64 = 20_000.0;

/// The way beside a route.
#[derive(Clone, Debug)]
pub struct Guided {
    /// The corridor that the route runs through.
    pub backbone: Backbone,
    /// The route where the character fits on it, the middle of the corridor elsewhere.
    pub control: ControlPath,
}

/// The way next to a route, from the request's start to its goal: the corridor is that of its
/// places retracted onto the axis (paper, §6). Where the route runs through obstacles the
/// shortest way joins what is in the open.
///
/// Of the route, only the part between the places nearest to start and goal is followed:
/// backwards if need be, or on around a closed one.
///
/// # Errors
/// The reason why there is no way.
pub fn along_route(
    map: &CorridorMap,
    request: &CorridorRequest,
    route: &[DVec2],
) -> Result<Guided, NoCorridor> {
    let (start, goal) = ends(map, request)?;
    let open: Vec<(DVec2, AxisPoint)> = places(route, request.start, request.goal)
        .into_iter()
        .filter(|&p| {
            map.walls()
                .clearance(p)
                .is_some_and(|c| c >= request.radius)
        })
        .filter_map(|p| Some((p, map.retract(p)?)))
        .collect();
    if open.is_empty() {
        return Err(NoCorridor::RouteBlocked);
    }
    let mut whole = Way::default();
    let mut control = vec![request.start];
    let mut here = (request.start, start);
    for next in open.into_iter().chain([(request.goal, goal)]) {
        let way = step_between(map, request, &here.1, &next.1)?;
        if !map.walls().is_clear(here.0, next.0, request.radius) {
            let middle = search::samples(map, &search::without_turns_back(way.stretches.clone()));
            control.extend(middle.iter().map(|sample| sample.point));
        }
        control.push(next.0);
        whole.is_tight |= way.is_tight;
        whole.expanded += way.expanded;
        whole.stretches.extend(way.stretches);
        here = next;
    }
    Ok(Guided {
        backbone: around(map, whole),
        control: ControlPath::new(map, control),
    })
}

/// From one place of the axis to another, mostly near by.
fn step_between(
    map: &CorridorMap,
    request: &CorridorRequest,
    from: &AxisPoint,
    to: &AxisPoint,
) -> Result<Way, NoCorridor> {
    if from.edge == to.edge {
        let stretch = Stretch {
            edge: from.edge,
            from: map.along(from),
            to: map.along(to),
        };
        let clearance = map.narrowest(from.edge, stretch.from, stretch.to).clearance;
        if clearance >= request.radius {
            return Ok(Way {
                stretches: vec![stretch],
                is_tight: clearance < need(request).wanted,
                expanded: 0,
            });
        }
    }
    let way = search::shortest(map, from, to, need(request));
    way.ok_or_else(|| reason(map, from, to))
}

/// Places along the part of a route between those nearest to start and goal.
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

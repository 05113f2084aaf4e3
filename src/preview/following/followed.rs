//! What a path skipped of its route, and what was added: constant along a leg.

use super::follows_route;
use crate::geometry::curve::Polyline;
use crate::geometry::polygon::closest_on_segment;
use crate::planner::Path;
use crate::planner::trace::{Event, EventKind, Trace};
use glam::DVec2;

/// A reference point that advances by this many of the agent's own steps has leapt.
const LEAP: f64 = 2.0;
/// Shorter parts are not marked. Unit: metres.
const SHORTEST_SKIP: f64 = 0.5;
/// A control line this close to the drawn route is the route itself. Unit: metres.
pub(super) const ON_ROUTE: f64 = 0.02;

/// What is constant along one leg.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Followed {
    /// Parts of the control line that the designer did not draw: from a start off the route to it,
    /// around obstacles, from its end to the goal.
    pub connections: Vec<Vec<DVec2>>,
    /// The first connection leads from a start off the route to it.
    pub starts_beside: bool,
    /// The whole control line, if the designer drew none.
    pub computed: Vec<DVec2>,
    /// Parts of the route that were skipped.
    pub skipped: Vec<Vec<DVec2>>,
    /// Their lengths. Unit: metres.
    pub skipped_lengths: Vec<f64>,
    /// The longest single leap: a skipped part may consist of several. Unit: metres.
    pub longest_leap: f64,
    /// Where the route was lost and found again, or the planner gave up.
    pub events: Vec<Event>,
}

impl Followed {
    /// `None` for a path that follows no route. `route` is the designer's, if there is one.
    #[must_use]
    pub fn of(path: &Path, route: Option<&Polyline>) -> Option<Self> {
        let trace = path.trace.as_deref().filter(|_| follows_route(path))?;
        let control = Polyline::new(trace.control.iter().copied());
        let (leaps, longest_leap) = skipped(trace, &control);
        let mut connections = route.map_or_else(Vec::new, |route| off_route(&control, route));
        // The control line may begin with the route while the agent starts elsewhere.
        if let (Some(start), Some(first)) = (path.points.first(), control.points().first()) {
            let start = start.truncate();
            if start.distance(*first) > ON_ROUTE {
                connections.insert(0, vec![start, *first]);
            }
        }
        let start = path.points.first().map(|start| start.truncate());
        let starts_beside = connections.first().is_some_and(|first| {
            let from = first.first().copied();
            from.zip(start)
                .is_some_and(|(from, start)| from.distance(start) <= ON_ROUTE)
        });
        let is_shown = |event: &&Event| event.kind != EventKind::Skipped;
        Some(Self {
            starts_beside,
            connections,
            computed: match route {
                Some(_) => Vec::new(),
                None => control.points().to_vec(),
            },
            skipped: leaps
                .iter()
                .map(|[from, to]| control.part(*from, *to))
                .collect(),
            skipped_lengths: leaps.iter().map(|[from, to]| to - from).collect(),
            longest_leap,
            events: trace.events.iter().filter(is_shown).cloned().collect(),
        })
    }
}

/// Parts of the control line that are not on the route, in order.
fn off_route(control: &Polyline, route: &Polyline) -> Vec<Vec<DVec2>> {
    let is_on = |p: DVec2| {
        let near = route.closest(p);
        near.is_some_and(|near| near.distance <= ON_ROUTE)
    };
    let mut parts: Vec<Vec<DVec2>> = Vec::new();
    let mut begun = false;
    for pair in control.points().windows(2) {
        let [from, to] = [pair[0], pair[1]];
        if is_on(from) && is_on(to) && is_on(from.midpoint(to)) {
            begun = false;
            continue;
        }
        match parts.last_mut().filter(|_| begun) {
            Some(part) => part.push(to),
            None => parts.push(vec![from, to]),
        }
        begun = true;
    }
    parts
}

/// Stretches of the control line that reference points leapt over, as arc lengths; and the longest
/// leap.
fn skipped(trace: &Trace, control: &Polyline) -> (Vec<[f64; 2]>, f64) {
    let mut skipped: Vec<[f64; 2]> = Vec::new();
    let mut longest = 0.0_f64;
    let mut last: Option<(DVec2, f64)> = None;
    for step in &trace.steps {
        let Some(reference) = step.reference else {
            continue;
        };
        let from = last.map_or(0.0, |(_, along)| along);
        let along = along_from(control, reference, from);
        if let Some((position, before)) = last {
            let moved = position.distance(step.position);
            if along - before > LEAP * moved + SHORTEST_SKIP {
                longest = longest.max(along - before);
                match skipped.last_mut() {
                    Some([_, end]) if before - *end < SHORTEST_SKIP => *end = along,
                    _ => skipped.push([before, along]),
                }
            }
        }
        last = Some((step.position, along));
    }
    (skipped, longest)
}

/// Arc length of the first point of a line at `p`, not before `from`; the nearest if there is none.
fn along_from(line: &Polyline, p: DVec2, from: f64) -> f64 {
    let mut start = 0.0;
    let mut best = (f64::INFINITY, from);
    for pair in line.points().windows(2) {
        let end = start + pair[0].distance(pair[1]);
        if end >= from {
            let near = closest_on_segment(pair[0], pair[1], p);
            let along = (start + pair[0].distance(near)).max(from);
            let distance = near.distance(p);
            if distance < best.0 {
                best = (distance, along);
            }
            if distance <= 1e-6 && start + pair[0].distance(near) >= from - 1e-6 {
                return along;
            }
        }
        start = end;
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::super::test_walk::{detour, p};
    use super::*;
    use crate::planner::trace::TraceStep;
    use std::sync::Arc;

    #[test]
    fn what_the_reference_point_leaps_over_is_skipped() {
        let (path, route) = detour();
        let followed = Followed::of(&path, Some(&route)).expect("follows a route");
        assert_eq!(followed.skipped.len(), 1);
        let skipped = Polyline::new(followed.skipped[0].iter().copied());
        assert!(
            (skipped.length() - 24.0).abs() < 1e-6,
            "{}",
            skipped.length()
        );
        assert!((followed.longest_leap - 24.0).abs() < 1e-6);
        assert!(followed.connections.is_empty() && followed.computed.is_empty());
        assert_eq!(followed.events.len(), 1);
    }

    #[test]
    fn several_leaps_over_one_part_are_as_long_as_each_of_them() {
        let (mut path, route) = detour();
        let mut trace = Trace::clone(path.trace.as_ref().expect("walked"));
        let step = |along: f64, i: u32| TraceStep {
            position: p(f64::from(i), 0.0),
            reference: route.point_at(along),
            ..TraceStep::default()
        };
        let places = [0.0, 1.0, 9.0, 21.0, 22.0];
        trace.steps = places
            .into_iter()
            .zip(0..)
            .map(|(along, i)| step(along, i))
            .collect();
        path.trace = Some(Arc::new(trace));
        let followed = Followed::of(&path, Some(&route)).expect("follows a route");
        let [length] = followed.skipped_lengths[..] else {
            panic!("{followed:?}")
        };
        assert!((length - 20.0).abs() < 1e-6 && (followed.longest_leap - 12.0).abs() < 1e-6);
    }

    #[test]
    fn an_agent_on_its_route_skips_nothing() {
        let (mut path, route) = detour();
        let mut trace = Trace::clone(path.trace.as_ref().expect("walked"));
        trace.steps = (0..=80)
            .map(|i| {
                let at = route.point_at(f64::from(i) * 0.5).expect("has points");
                TraceStep {
                    position: at,
                    reference: Some(at),
                    ..TraceStep::default()
                }
            })
            .collect();
        path.trace = Some(Arc::new(trace));
        let followed = Followed::of(&path, Some(&route)).expect("follows a route");
        assert!(followed.skipped.is_empty());
    }

    #[test]
    fn what_is_not_the_designers_is_a_connection() {
        let (mut path, route) = detour();
        let mut trace = Trace::clone(path.trace.as_ref().expect("walked"));
        trace.control.insert(0, p(0.0, -5.0));
        trace.control.push(p(25.0, 3.0));
        path.points.insert(0, p(0.0, -5.0).extend(0.0));
        path.trace = Some(Arc::new(trace.clone()));
        let followed = Followed::of(&path, Some(&route)).expect("follows a route");
        assert_eq!(
            followed.connections,
            [
                vec![p(0.0, -5.0), p(0.0, 0.0)],
                vec![p(20.0, 0.0), p(25.0, 3.0)]
            ]
        );
        // A start off a control line that begins with the route.
        trace.control.remove(0);
        trace.control.pop();
        path.trace = Some(Arc::new(trace));
        let followed = Followed::of(&path, Some(&route)).expect("follows a route");
        assert_eq!(followed.connections, [vec![p(0.0, -5.0), p(0.0, 0.0)]]);
        // Without a designer's route, all of it was computed.
        let followed = Followed::of(&path, None).expect("follows a route");
        assert_eq!(followed.computed, route.points());
    }
}

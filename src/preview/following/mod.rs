//! How an agent follows its indicative route: what it skipped, and at one moment what it sees of
//! it, which candidates it considers and what attracts it.
//!
//! Figures 2 to 4 of Jaklin et al. 2013, for a recorded trace.

mod draw;
mod followed;
mod moment;
#[cfg(test)]
mod test_walk;

pub use draw::{draw_candidates, draw_followed, draw_points, draw_sight, weight_text};
pub use followed::Followed;
pub use moment::Moment;

use crate::base::EntityId;
use crate::document::{Kind, Level, Route, limits, route_line};
use crate::geometry::polygon::closest_on_segment;
use crate::nav::terrain::sight::look;
use crate::planner::missions::AgentPlan;
use crate::planner::trace::Trace;
use crate::planner::{Path, PlannedLevel};
use crate::sim::LegTime;
use glam::DVec2;

/// Whether a path followed a route: its trace has reference points.
#[must_use]
pub fn follows_route(path: &Path) -> bool {
    let has_reference = |trace: &Trace| trace.steps.iter().any(|step| step.reference.is_some());
    path.trace.as_deref().is_some_and(has_reference)
}

/// The point of a path nearest to `p`, as seconds since its start and the distance. Paths without
/// times count as one metre per second.
#[must_use]
pub fn nearest_time(path: &Path, p: DVec2) -> Option<(f64, f64)> {
    let mut walked = 0.0;
    let mut best: Option<(f64, f64)> = None;
    for (i, pair) in path.points.windows(2).enumerate() {
        let [a, b] = [pair[0].truncate(), pair[1].truncate()];
        let near = closest_on_segment(a, b, p);
        let (length, distance) = (a.distance(b), near.distance(p));
        let share = if length > 0.0 {
            a.distance(near) / length
        } else {
            0.0
        };
        let seconds = match (path.times.get(i), path.times.get(i + 1)) {
            (Some(from), Some(to)) => from + (to - from) * share,
            _ => walked + length * share,
        };
        if best.is_none_or(|(_, nearest)| distance < nearest) {
            best = Some((seconds, distance));
        }
        walked += length;
    }
    best
}

/// The route an agent is assigned to.
fn route_of(level: &Level, agent: EntityId) -> Option<&Route> {
    let route = level.get(agent)?.mission()?.route?;
    match &level.get(route)?.kind {
        Kind::Route(route) => Some(route),
        _ => None,
    }
}

/// What an agent skipped of its route, leg by leg.
#[must_use]
pub fn followed(level: &Level, agent: EntityId, plan: &AgentPlan) -> Vec<Followed> {
    let route = route_of(level, agent).map(route_line);
    plan.paths()
        .filter_map(|path| Followed::of(path, route.as_ref()))
        .collect()
}

/// What an agent knows at a time within a leg.
#[must_use]
pub fn moment(
    baked: &PlannedLevel,
    agent: EntityId,
    plan: &AgentPlan,
    at: LegTime,
) -> Option<Moment> {
    let level = &*baked.level;
    let spacing = route_of(level, agent).map_or(limits::SAMPLE_STEP.default, |r| r.sample_step);
    let path = plan.legs.get(at.leg)?.answer.path()?;
    let space = baked.space_of(level.get(agent)?.mission()?.profile);
    Moment::of(path, at.secs, spacing, |from, to| {
        space.is_none_or(|space| look(&space.merged, from, to, None).is_clear())
    })
}

#[cfg(test)]
mod tests {
    use super::test_walk::{detour, p};
    use super::*;

    #[test]
    fn the_pointer_finds_its_time_on_a_path() {
        let (mut path, _) = detour();
        let (seconds, distance) = nearest_time(&path, p(7.2, 3.0)).expect("has points");
        assert!((seconds - 7.2).abs() < 1e-9 && (distance - 3.0).abs() < 1e-9);
        path.times.clear();
        let (seconds, _) = nearest_time(&path, p(7.2, 3.0)).expect("has points");
        assert!((seconds - 7.2).abs() < 1e-9);
        assert_eq!(nearest_time(&Path::default(), DVec2::ZERO), None);
    }
}

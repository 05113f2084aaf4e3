//! How a walker follows its indicative route: what it left out of it, and at one moment what it
//! sees of it, what it considers and where it is drawn to.
//!
//! Figures 2 to 4 of Jaklin et al. 2013, for the walk that a planner recorded.

mod draw;
mod followed;
mod moment;
#[cfg(test)]
mod test_walk;

pub use draw::{draw_followed, draw_moment, weight_text};
pub use followed::Followed;
pub use moment::Moment;

use super::layer::{Layer, Layers};
use super::nav::colour_of;
use super::primitive::Sink;
use super::style::Palette;
use crate::base::EntityId;
use crate::document::{Kind, Level, Route, limits, route_line};
use crate::geometry::polygon::closest_on_segment;
use crate::nav::terrain::sight::look;
use crate::planner::missions::AgentPlan;
use crate::planner::trace::Trace;
use crate::planner::{Baked, Path};
use glam::DVec2;

/// Whether a walk followed a route at all: one with reference points.
#[must_use]
pub fn follows_route(path: &Path) -> bool {
    let has_reference = |trace: &Trace| trace.steps.iter().any(|step| step.reference.is_some());
    path.trace.as_deref().is_some_and(has_reference)
}

/// The place of a way that is nearest to a point, as seconds since its beginning and the distance
/// from it. Where nobody walked it, at one metre a second.
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

/// The route that an agent was told to follow.
fn route_of(level: &Level, agent: EntityId) -> Option<&Route> {
    let route = level.get(agent)?.mission()?.route?;
    match &level.get(route)?.kind {
        Kind::Route(route) => Some(route),
        _ => None,
    }
}

/// What an agent left out of its route, leg by leg.
#[must_use]
pub fn followed(level: &Level, agent: EntityId, plan: &AgentPlan) -> Vec<Followed> {
    let route = route_of(level, agent).map(route_line);
    plan.paths()
        .filter_map(|path| Followed::of(path, route.as_ref()))
        .collect()
}

/// What an agent knows at a time of a leg.
#[must_use]
pub fn moment(
    baked: &Baked,
    agent: EntityId,
    plan: &AgentPlan,
    leg: usize,
    seconds: f64,
) -> Option<Moment> {
    let level = &*baked.level;
    let spacing = route_of(level, agent).map_or(limits::SAMPLE_STEP.default, |r| r.sample_step);
    let path = plan.legs.get(leg)?.answer.path()?;
    let space = baked.space_of(level.get(agent)?.mission()?.profile);
    Moment::of(path, seconds, spacing, |from, to| {
        space.is_none_or(|space| look(&space.merged, from, to, None).is_clear())
    })
}

/// Everything that `layers` shows of how an agent follows its route, so many seconds after it set
/// out.
pub fn draw_agent(
    baked: &Baked,
    agent: EntityId,
    plan: &AgentPlan,
    seconds: f64,
    layers: Layers,
    palette: &Palette,
    sink: &mut dyn Sink,
) {
    let level = &*baked.level;
    if layers.contains(Layer::Skipped) {
        for followed in followed(level, agent, plan) {
            draw_followed(&followed, palette, sink);
        }
    }
    let (leg, seconds) = leg_at(plan, seconds);
    if let Some(moment) = moment(baked, agent, plan, leg, seconds) {
        let colour = colour_of(level, agent, palette);
        draw_moment(&moment, colour, layers, palette, sink);
    }
}

/// How long a leg takes; at a metre a second where nobody walked it. Unit: seconds.
fn duration(path: &Path) -> f64 {
    path.times.last().copied().unwrap_or(path.length)
}

/// The leg under way so many seconds after the start, and the time on it.
#[must_use]
pub fn leg_at(plan: &AgentPlan, seconds: f64) -> (usize, f64) {
    let mut left = seconds.max(0.0);
    for (leg, path) in plan.paths().enumerate() {
        let took = duration(path);
        if left <= took {
            return (leg, left);
        }
        left -= took;
    }
    let last = plan.paths().count().saturating_sub(1);
    (last, plan.paths().last().map_or(0.0, duration))
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

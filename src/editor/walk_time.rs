//! Which moment of its way an agent is shown at.

use super::navigation::Navigation;
use crate::base::EntityId;
use crate::document::Selection;
use crate::planner::missions::AgentPlan;
use crate::preview::following::{follows_route, leg_at, nearest_time};
use glam::DVec2;

/// A time on an agent's way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkTime {
    pub agent: EntityId,
    pub leg: usize,
    /// Since the start of the leg.
    pub seconds: f64,
}

/// The leg and the time on it where the way is nearest to a place, if that is within reach.
fn at_place(plan: &AgentPlan, place: DVec2, reach: f64) -> Option<(usize, f64)> {
    plan.paths()
        .enumerate()
        .filter_map(|(leg, path)| {
            let (seconds, distance) = nearest_time(path, place)?;
            (distance <= reach).then_some((leg, seconds, distance))
        })
        .min_by(|a, b| a.2.total_cmp(&b.2))
        .map(|(leg, seconds, _)| (leg, seconds))
}

impl Navigation {
    /// The time at which overlays show the selected agent that follows a route: that of the
    /// player, or of the place nearest to the pointer, or else its start. `reach` is how near to
    /// its way the pointer must be. Unit: metres.
    #[must_use]
    pub fn walk_time(
        &self,
        selection: &Selection,
        pointer: Option<DVec2>,
        reach: f64,
    ) -> Option<WalkTime> {
        let plans = &self.baked.as_ref()?.plans;
        let (agent, plan) = selection
            .iter()
            .filter_map(|id| Some((id, plans.get(&id)?)))
            .find(|(_, plan)| plan.paths().any(follows_route))?;
        let (leg, seconds) = match self.played {
            Some(seconds) => leg_at(plan, seconds),
            None => pointer
                .and_then(|place| at_place(plan, place, reach))
                .unwrap_or((0, 0.0)),
        };
        Some(WalkTime {
            agent,
            leg,
            seconds,
        })
    }
}

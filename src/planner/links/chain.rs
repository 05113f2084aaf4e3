//! The graph of walks and links, and the cheapest chain through it.

use glam::DVec3;

/// One direction of a link that may be used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hop {
    /// Index into the baked links.
    pub link: usize,
    pub from: DVec3,
    pub to: DVec3,
    pub is_reversed: bool,
    pub cost: f64,
}

/// From the start or the end of a hop to the goal or the beginning of a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Walk {
    /// The hop that it comes from; `None` for the start.
    pub after: Option<usize>,
    /// The hop that it leads to; `None` for the goal.
    pub before: Option<usize>,
}

/// What is known of a walk's cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cost {
    /// It costs so much at least.
    Bound(f64),
    Known(f64),
    /// It is not possible.
    None,
}

/// The walks of the cheapest chain by what is known; `None` if there is none.
///
/// Dijkstra over hops, in their order where costs are equal.
pub(super) fn cheapest(hops: &[Hop], cost: impl Fn(Walk) -> Cost) -> Option<Vec<Walk>> {
    let price = |walk| match cost(walk) {
        Cost::Bound(cost) | Cost::Known(cost) => cost,
        Cost::None => f64::INFINITY,
    };
    let walk = |after, before| Walk { after, before };
    // Cost at the end of each hop, and the hop before it.
    let mut best: Vec<(f64, Option<usize>)> = (0..hops.len())
        .map(|hop| (price(walk(None, Some(hop))) + hops[hop].cost, None))
        .collect();
    let mut is_done = vec![false; hops.len()];
    let mut goal = (price(walk(None, None)), None);
    loop {
        let next = (0..hops.len())
            .filter(|hop| !is_done[*hop] && best[*hop].0 < goal.0)
            .min_by(|a, b| best[*a].0.total_cmp(&best[*b].0));
        let Some(hop) = next else { break };
        is_done[hop] = true;
        let so_far = best[hop].0;
        let through = so_far + price(walk(Some(hop), None));
        if through < goal.0 {
            goal = (through, Some(hop));
        }
        for other in 0..hops.len() {
            if is_done[other] || hops[other].link == hops[hop].link {
                continue;
            }
            let through = so_far + price(walk(Some(hop), Some(other))) + hops[other].cost;
            if through < best[other].0 {
                best[other] = (through, Some(hop));
            }
        }
    }
    if !goal.0.is_finite() {
        return None;
    }
    let mut walks = vec![walk(goal.1, None)];
    let mut at = goal.1;
    while let Some(hop) = at {
        at = best[hop].1;
        walks.push(walk(at, Some(hop)));
    }
    walks.reverse();
    Some(walks)
}

//! Walks and links joined into one path.

use super::chain::{Hop, Walk};
use super::{LinkUse, bodily};
use crate::nav::NavLink;
use crate::planner::path::Path;
use crate::planner::request::PathRequest;

/// The path of a chain; `walked` has the path of each walk, in order.
pub(super) fn join(
    chain: &[Walk],
    walked: Vec<Path>,
    hops: &[Hop],
    links: &[NavLink],
    name: impl Fn(&NavLink) -> String,
    request: &PathRequest,
) -> Path {
    let is_bent = walked.iter().any(|path| !path.straight.is_empty());
    let mut whole = Path {
        min_clearance: f64::INFINITY,
        ..Path::default()
    };
    let (mut clearance, mut curvature, mut on_foot) = (0.0, 0.0, 0.0);
    for (walk, path) in chain.iter().zip(walked) {
        if is_bent {
            whole.straight.extend(path.corners());
        }
        let first = whole.points.len();
        let weight = path.length.max(1e-9);
        on_foot += weight;
        clearance += path.mean_clearance * weight;
        curvature += path.mean_curvature * weight;
        whole.length += path.length;
        whole.cost += path.cost;
        for (what, cost) in path.cost_by {
            *whole.cost_by.entry(what).or_default() += cost;
        }
        whole.min_clearance = whole.min_clearance.min(path.min_clearance);
        whole.plan_micros += path.plan_micros;
        whole.remarks.extend(path.remarks);
        whole.points.extend(path.points);
        whole.actions.extend(path.actions);
        if let Some(hop) = walk.after.map(|hop| hops[hop]) {
            let link = &links[hop.link];
            if let Some(action) = whole.actions.get_mut(first) {
                *action = bodily(link.link.action, hop.to.z - hop.from.z);
            }
            whole.length += hop.from.distance(hop.to);
            whole.cost += hop.cost;
            *whole.cost_by.entry(name(link)).or_default() += hop.cost;
            whole.links.push(LinkUse {
                point: first,
                link: link.id,
                action: link.link.action,
                is_reversed: hop.is_reversed,
                seconds: link.link.seconds(request.profile.pace.speed),
            });
        }
    }
    whole.mean_clearance = clearance / on_foot;
    whole.mean_curvature = curvature / on_foot;
    whole
}

//! What a path keeps of what was asked: one rule for all planners.
//!
//! A query is answered as it was asked, refused with a reason, or changed and said so: by how much
//! an end was moved, and where the body's radius is not kept.

use super::path::Path;
use super::request::PathRequest;
use super::trace::{Event, EventKind};
use crate::document::Action;
use crate::nav::NavData;
use glam::{DVec2, DVec3};

/// Differences below this are rounding. Unit: metres.
const NEAR: f64 = 0.01;

/// Distance between the places at which clearance is looked at. Unit: metres.
const SAMPLE: f64 = 0.05;

/// Above the ground by more than this, a body stands on something. Unit: metres.
const ON_GROUND: f64 = 0.05;

/// A remark at a place.
pub(super) fn noted(at: DVec2, text: String) -> Event {
    Event {
        time: 0.0,
        at,
        kind: EventKind::Noted,
        text,
    }
}

/// Remarks on ends that were moved.
#[must_use]
pub fn moved_ends(path: &Path, request: &PathRequest) -> Vec<Event> {
    let plan = |p: &DVec3| p.truncate();
    let (Some(first), Some(last)) = (path.points.first().map(plan), path.points.last().map(plan))
    else {
        return Vec::new();
    };
    let mut remarks = Vec::new();
    let off = first.distance(plan(&request.start));
    if off > NEAR {
        let text = format!("the path begins {off:.2} m beside the start, where the body has room");
        remarks.push(noted(first, text));
    }
    let off = request.goal_area.as_ref().map_or_else(
        || last.distance(plan(&request.goal)),
        |areas| {
            let off = |area: &crate::geometry::Polygon| {
                if area.contains(last) {
                    0.0
                } else {
                    area.distance_to_edge(last)
                }
            };
            areas.iter().map(off).fold(f64::INFINITY, f64::min)
        },
    );
    if off > NEAR {
        let text = format!("the path ends {off:.2} m beside the goal, where the body has room");
        remarks.push(noted(last, text));
    }
    remarks
}

/// Remarks on a path of a planner that does not compute with the exact free space: where, on the
/// ground, it is closer to obstacles or bounds than the body's radius.
#[must_use]
pub fn radius_lost(path: &Path, nav: &NavData) -> Option<Event> {
    let radius = nav.free().radius;
    let is_on_ground = |p: &DVec3| {
        let ground = nav
            .ground()
            .map_or(0.0, |ground| ground.lift(p.truncate()).z);
        (p.z - ground).abs() <= ON_GROUND
    };
    let mut worst: Option<(f64, DVec2)> = None;
    for (pair, actions) in path.points.windows(2).zip(path.actions.windows(2)) {
        let walks = actions[1] == Action::Walk || actions[1] == Action::Bend;
        if !walks || !pair.iter().all(is_on_ground) {
            continue;
        }
        let [a, b] = [pair[0], pair[1]].map(DVec3::truncate);
        let count = (a.distance(b) / SAMPLE).ceil().clamp(1.0, 1e4) as usize;
        for i in 0..=count {
            let p = a.lerp(b, i as f64 / count as f64);
            let clearance = nav.free().clearance(p);
            if worst.is_none_or(|(least, _)| clearance < least) {
                worst = Some((clearance, p));
            }
        }
    }
    // A body without extent keeps its radius everywhere but inside.
    let (clearance, at) = worst.filter(|(clearance, at)| {
        clearance + NEAR < radius || (*clearance == 0.0 && !nav.is_placed(*at))
    })?;
    Some(noted(
        at,
        format!(
            "the path passes obstacles at {clearance:.2} m, closer than the body's radius of {radius:.2} m"
        ),
    ))
}

/// Remarks on what human motion does not look at.
#[must_use]
pub fn ignored_by_human(nav: &NavData, request: &PathRequest) -> Vec<Event> {
    let at = request.start.truncate();
    let mut remarks = Vec::new();
    if request.guide.is_some() {
        let text = "human motion follows no route: it takes the path of fewest steps".to_owned();
        remarks.push(noted(at, text));
    }
    let level = nav.level();
    let weight_of = |id, own: f64| {
        request
            .profile
            .terrain_weights
            .get(&id)
            .copied()
            .unwrap_or(own)
    };
    let mut weights = level
        .terrains()
        .map(|(id, _, terrain)| weight_of(id, terrain.weight));
    let first = weights.next();
    if first.is_some_and(|first| weights.any(|weight| weight != first)) {
        let text = "human motion does not weigh terrain: all ground costs it the same".to_owned();
        remarks.push(noted(at, text));
    }
    remarks
}

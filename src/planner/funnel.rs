//! The cone of sight: the shortest path through a sequence of gates, with the fewest waypoints.
//!
//! Niederberger et al. 2004, §7.1. A cone looks from the last waypoint through all gates so far;
//! where a gate lies wholly beside it, the cone's border on that side becomes the next waypoint
//! and the cone restarts from there. Which side of the cone a gate lies on is decided by exact
//! predicates, so gates may share ends, lie on one line, or shrink to a point.

use crate::geometry::polygon::closest_on_segment;
use crate::geometry::predicates::{Side, side};
use glam::DVec2;

/// A gate; `left` and `right` are its ends in walking direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    pub left: DVec2,
    pub right: DVec2,
}

/// A waypoint this close to the line between its neighbours is not a turn, relative to the size of
/// the coordinates: portal ends on walls are rounded and may stand out of the wall by some units in
/// the last place. Unit: metres per metre.
const STRAIGHT: f64 = 1e-12;

/// One border of the cone: a point, and the gate it belongs to.
#[derive(Clone, Copy)]
struct Border {
    at: DVec2,
    gate: usize,
}

/// Writes the shortest path from `start` through `gates`, in order, to `goal` into `path`.
pub fn shortest(start: DVec2, goal: DVec2, gates: &[Gate], path: &mut Vec<DVec2>) {
    path.clear();
    path.push(start);
    let mut apex = start;
    let at_apex = |gate| Border { at: apex, gate };
    let (mut left, mut right) = (at_apex(0), at_apex(0));
    let last = Gate {
        left: goal,
        right: goal,
    };
    let mut next = 0;
    while next <= gates.len() {
        let gate = gates.get(next).copied().unwrap_or(last);
        let mut turn = None;
        if side(apex, right.at, gate.right) != Side::Right {
            if right.at != apex && is_past(apex, left.at, gate.right, Side::Left) {
                turn = Some(left);
            } else {
                right = Border {
                    at: gate.right,
                    gate: next,
                };
            }
        }
        if turn.is_none() && side(apex, left.at, gate.left) != Side::Left {
            if left.at != apex && is_past(apex, right.at, gate.left, Side::Right) {
                turn = Some(right);
            } else {
                left = Border {
                    at: gate.left,
                    gate: next,
                };
            }
        }
        match turn {
            Some(corner) => {
                path.push(corner.at);
                apex = corner.at;
                left = corner;
                right = corner;
                next = corner.gate + 1;
            }
            None => next += 1,
        }
    }
    path.push(goal);
    straighten(path);
}

/// Whether `p` is on the cone's border through `border` or past it, on `outside`.
fn is_past(apex: DVec2, border: DVec2, p: DVec2, outside: Side) -> bool {
    match side(apex, border, p) {
        // Behind the apex, as for a cone as wide as half a turn, is not past; nor is what lies
        // before the border's point, as where the apex and `p` stand on the gate itself.
        Side::On => (border - apex).dot(p - border) >= 0.0 && border != apex,
        other => other == outside,
    }
}

/// Drops points that repeat, and points in the middle of straight lines.
pub fn straighten(path: &mut Vec<DVec2>) {
    let mut kept = 0;
    for i in 0..path.len() {
        let p = path[i];
        if kept > 0 && path[kept - 1] == p {
            continue;
        }
        if kept > 1 && is_straight(path[kept - 2], path[kept - 1], p) {
            kept -= 1;
        }
        path[kept] = p;
        kept += 1;
    }
    // A path that stands still has two points, too.
    if kept == 1 && path.len() > 1 {
        kept = 2;
    }
    path.truncate(kept);
}

fn is_straight(a: DVec2, b: DVec2, c: DVec2) -> bool {
    let tolerance = STRAIGHT * (1.0 + b.abs().max_element());
    closest_on_segment(a, c, b).distance(b) <= tolerance
}

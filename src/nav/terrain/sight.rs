//! Line of sight for discs: straight through the convex cells of the free space of a radius.
//!
//! Jaklin et al. 2013 leave characters with a radius as an open question (§6). A disc can move
//! straight to a point exactly if its centre sees it in the free space of its radius.

use super::walk::{Stop, side_of};
use crate::nav::{CellId, CellMap, PortalId};
use glam::DVec2;

/// Result of tracing a straight line through cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellSight {
    /// Nothing is in the way; with the cell of the end point.
    Clear(CellId),
    Blocked(Stop),
}

impl CellSight {
    #[must_use]
    pub const fn is_clear(&self) -> bool {
        matches!(self, Self::Clear(_))
    }
}

/// Traces a straight line. The hint is used if it contains the start.
#[must_use]
pub fn look(cells: &CellMap, from: DVec2, to: DVec2, hint: Option<CellId>) -> CellSight {
    let known = hint.filter(|cell| cells.covers(*cell, from));
    match known.or_else(|| cells.locate(from)) {
        Some(cell) => look_from(cells, cell, from, to),
        None => CellSight::Blocked(Stop::at_once(from)),
    }
}

/// Traces a straight line from a point in a cell.
#[must_use]
pub fn look_from(cells: &CellMap, cell: CellId, from: DVec2, to: DVec2) -> CellSight {
    let mut here = cell;
    if !to.is_finite() {
        return CellSight::Blocked(Stop::at_once(from));
    }
    let along = to - from;
    let mut exit = exit_of(cells, here, from, to);
    if exit.is_none() {
        if cells.covers(here, to) {
            return CellSight::Clear(here);
        }
        let length = from.distance(to);
        // The line only touches this cell: it continues in the one that contains a point just
        // ahead.
        let mut ahead = along / length * 1e-3;
        for _ in 0..12 {
            if let Some(next) = cells
                .locate(from + ahead)
                .filter(|c| cells.covers(*c, from))
            {
                if cells.covers(next, to) {
                    return CellSight::Clear(next);
                }
                exit = exit_of(cells, next, from, to);
                if exit.is_some() {
                    here = next;
                    break;
                }
            }
            ahead *= 0.25;
        }
        // Along a border, rounding finds no point just ahead.
        if exit.is_none()
            && let Some(at) = corner_ahead(cells, here, from, to)
        {
            match past_corner(cells, here, at, Some((here, at)), from, to) {
                Some((cell, Some(next))) => (here, exit) = (cell, Some(next)),
                Some((cell, None)) => return CellSight::Clear(cell),
                None => {}
            }
        }
    }
    // A line enters each convex cell at most once.
    for _ in 0..=cells.len() {
        let Some((side, [right, left], of_ends)) = exit else {
            break;
        };
        if side_of(right, left, to) >= 0.0 {
            return CellSight::Clear(here);
        }
        let Some(portal) = cells.sides(here)[side] else {
            // A corner that is only touched on the left hides nothing.
            if of_ends[0] == 0.0 {
                match past_corner(cells, here, side, None, from, to) {
                    Some((cell, Some(next))) => {
                        (here, exit) = (cell, Some(next));
                        continue;
                    }
                    Some((cell, None)) => return CellSight::Clear(cell),
                    None => {}
                }
            }
            let crossing = right + (left - right) * (-of_ends[0] / (of_ends[1] - of_ends[0]));
            let share = (crossing - from).dot(along) / along.length_squared();
            let share = share.clamp(0.0, 1.0);
            return CellSight::Blocked(Stop {
                at: from + along * share,
                distance: along.length() * share,
                wall: [right, left],
                side: Some((here, side)),
            });
        };
        here = cells.portal(portal).beyond(here);
        exit = exit_behind(cells, here, portal, (right, of_ends[0]), from, to);
    }
    CellSight::Blocked(Stop::at_once(from))
}

/// Whether a wall, if it belongs to these cells, blocks the straight line between two points.
#[must_use]
pub fn is_between(cells: &CellMap, stop: &Stop, from: DVec2, to: DVec2) -> bool {
    let Some((cell, side)) = stop.side else {
        return false;
    };
    let [right, left] = stop.wall;
    side_of(from, to, right) < 0.0
        && side_of(from, to, left) > 0.0
        && side_of(right, left, to) < 0.0
        && side_of(right, left, from) > 0.0
        && cell.index() < cells.len()
        && cells.sides(cell).get(side) == Some(&None)
        && cells.corners(cell)[side] == right
        && cells.corners(cell)[(side + 1) % cells.corners(cell).len()] == left
}

/// Maximum cells around a corner.
const MAX_AROUND: usize = 64;

/// The wall that begins where a side ends, and its other end.
pub(super) fn wall_after(
    cells: &CellMap,
    side: (CellId, usize),
) -> Option<((CellId, usize), DVec2)> {
    let (mut cell, mut at) = side;
    for _ in 0..MAX_AROUND {
        let count = cells.sides(cell).len();
        at = (at + 1) % count;
        let Some(portal) = cells.sides(cell)[at] else {
            return Some(((cell, at), cells.corners(cell)[(at + 1) % count]));
        };
        cell = cells.portal(portal).beyond(cell);
        at = side_of_portal(cells, cell, portal)?;
    }
    None
}

fn side_of_portal(cells: &CellMap, cell: CellId, portal: PortalId) -> Option<usize> {
    let mut sides = cells.sides(cell).iter();
    sides.position(|side| *side == Some(portal))
}

/// The side through which a line leaves a cell that it entered through a portal whose right end is
/// known: from there on, the first corner left of the line ends it.
#[inline]
fn exit_behind(
    cells: &CellMap,
    cell: CellId,
    portal: PortalId,
    (right, of_right): (DVec2, f64),
    from: DVec2,
    to: DVec2,
) -> Option<Exit> {
    let corners = cells.corners(cell);
    let entry = side_of_portal(cells, cell, portal)?;
    let count = corners.len();
    let mut side = if entry + 1 == count { 0 } else { entry + 1 };
    let (mut before, mut of_before) = (right, of_right);
    for _ in 1..count {
        let next = if side + 1 == count { 0 } else { side + 1 };
        let corner = corners[next];
        let of_corner = side_of(from, to, corner);
        if of_corner > 0.0 {
            return Some((side, [before, corner], [of_before, of_corner]));
        }
        (side, before, of_before) = (next, corner, of_corner);
    }
    None
}

type Exit = (usize, [DVec2; 2], [f64; 2]);

/// The farthest corner of a cell that is exactly on a line, not behind its start.
fn corner_ahead(cells: &CellMap, cell: CellId, from: DVec2, to: DVec2) -> Option<usize> {
    let ahead = |p: DVec2| (p - from).dot(to - from);
    let corners = cells.corners(cell);
    (0..corners.len())
        .filter(|&i| side_of(from, to, corners[i]) == 0.0 && ahead(corners[i]) >= 0.0)
        .max_by(|&i, &j| ahead(corners[i]).total_cmp(&ahead(corners[j])))
}

/// Continues past a corner that is exactly on the line, when what is to its left is blocked: the
/// cell on its right in which the line continues and its exit, or `None` if the line ends there.
/// `None` if the corner itself blocks. `came` is the side, of the cell on its right, along which
/// the line reaches the corner, if any.
fn past_corner(
    cells: &CellMap,
    cell: CellId,
    at: usize,
    came: Option<(CellId, usize)>,
    from: DVec2,
    to: DVec2,
) -> Option<(CellId, Option<Exit>)> {
    let along = to - from;
    let (mut cell, mut at, mut came) = (cell, at, came);
    // Along borders from corner to corner, and around corners from cell to cell.
    for _ in 0..=cells.len() + cells.sides(cell).len() {
        let corners = cells.corners(cell);
        let corner = corners[at];
        let before = (at + corners.len() - 1) % corners.len();
        let end = corners[before];
        let of_end = side_of(from, to, end);
        if of_end > 0.0 {
            return exit_of(cells, cell, from, to).map(|exit| (cell, Some(exit)));
        }
        if of_end == 0.0 && (end - corner).dot(along) > 0.0 {
            if (end - from).dot(along) >= along.length_squared() {
                return Some((cell, None));
            }
            came = Some((cell, before));
            at = before;
        } else if let Some(portal) = cells.sides(cell)[before] {
            cell = cells.portal(portal).beyond(cell);
            at = cells.corners(cell).iter().position(|p| *p == corner)?;
        } else {
            // There is a wall on the right; the line came along a border and may continue in the
            // cell on its left.
            let (right, side) = came?;
            let left = cells.portal(cells.sides(right)[side]?).beyond(right);
            return left_along(cells, left, corner, from, to);
        }
    }
    None
}

/// [`past_corner`] for a line along the border of a cell on its left.
fn left_along(
    cells: &CellMap,
    cell: CellId,
    corner: DVec2,
    from: DVec2,
    to: DVec2,
) -> Option<(CellId, Option<Exit>)> {
    let corners = cells.corners(cell);
    let mut at = corners.iter().position(|p| *p == corner)?;
    for _ in 0..corners.len() {
        let next = (at + 1) % corners.len();
        let of_next = side_of(from, to, corners[next]);
        if of_next > 0.0 {
            let exit = (at, [corners[at], corners[next]], [0.0, of_next]);
            return Some((cell, Some(exit)));
        }
        if (corners[next] - from).dot(to - from) >= from.distance_squared(to) {
            return Some((cell, None));
        }
        at = next;
    }
    None
}

/// The side through which a line leaves a cell: its first end is right of the line or on it, its
/// second end left.
#[inline]
fn exit_of(cells: &CellMap, cell: CellId, from: DVec2, to: DVec2) -> Option<Exit> {
    let corners = cells.corners(cell);
    let mut before = *corners.last()?;
    let mut of_before = side_of(from, to, before);
    for (i, &corner) in corners.iter().enumerate() {
        let of_corner = side_of(from, to, corner);
        if of_before <= 0.0 && of_corner > 0.0 {
            let side = if i == 0 { corners.len() - 1 } else { i - 1 };
            return Some((side, [before, corner], [of_before, of_corner]));
        }
        (before, of_before) = (corner, of_corner);
    }
    None
}

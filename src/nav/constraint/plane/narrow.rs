//! Middle lines of narrow passages: where states have to be, if they are to lead through.
//!
//! A passage that is hardly wider than the body is a chain of cells with narrow portals between
//! them. Straight lines from one portal's middle to the next stay inside, as cells are convex. On
//! both sides they are prolonged into the open, so that the last state of a passage is not aside of
//! its mouth.

use crate::nav::{CellId, CellMap};
use glam::DVec2;

/// A piece of a passage's middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    pub ends: [DVec2; 2],
    /// Whether it leads out of a passage, rather than through one.
    pub is_mouth: bool,
    /// The first of several claims on a state is kept.
    rank: f64,
}

/// How far mouths are prolonged, in spacings.
const PROLONGED: f64 = 1.6;

/// The middle lines of all passages narrower than a spacing. `is_free` says whether a straight line
/// can be walked.
pub(super) fn axes(
    cells: &CellMap,
    spacing: f64,
    is_free: impl Fn(DVec2, DVec2) -> bool,
) -> Vec<Axis> {
    let mut found = Vec::new();
    let middle_of = |ends: [DVec2; 2]| ends[0].midpoint(ends[1]);
    let mut mouths: Vec<(DVec2, DVec2, f64)> = Vec::new();
    for cell in cells.cells() {
        let mut portals: Vec<(DVec2, f64)> = narrow_portals(cells, cell, spacing)
            .map(|ends| (middle_of(ends), ends[0].distance(ends[1])))
            .collect();
        if portals.len() < 2 {
            continue;
        }
        // Along the cell, from one to the next.
        let bounds = cells.bounds(cell).size();
        let along = |p: DVec2| if bounds.x >= bounds.y { p.x } else { p.y };
        portals.sort_by(|a, b| along(a.0).total_cmp(&along(b.0)));
        for pair in portals.windows(2) {
            let [(a, first), (b, second)] = [pair[0], pair[1]];
            let Some(direction) = (b - a).try_normalize() else {
                continue;
            };
            if extent(cells.corners(cell), direction.perp()) >= 2.0 * spacing {
                continue;
            }
            found.push(Axis {
                ends: [a, b],
                is_mouth: false,
                // The narrowest first: wider ones have other states, too.
                rank: first.min(second),
            });
            let length = a.distance(b);
            mouths.push((a, -direction, length));
            mouths.push((b, direction, length));
        }
    }
    // A door in a thin wall may be one portal.
    for portal in cells.portals() {
        let [a, b] = portal.ends;
        if a.distance(b) < spacing
            && let Some(across) = (b - a).perp().try_normalize()
        {
            let middle = a.midpoint(b);
            mouths.push((middle, across, 0.0));
            mouths.push((middle, -across, 0.0));
        }
    }
    for (from, direction, length) in mouths {
        // As far as there is room.
        let to = [1.0, 0.7, 0.4]
            .map(|part| from + direction * (PROLONGED * part * spacing))
            .into_iter()
            .find(|to| is_free(from, *to));
        found.extend(to.map(|to| Axis {
            ends: [from, to],
            is_mouth: true,
            // Slivers of cells next to a mouth point anywhere; the longest piece points out of it.
            rank: -length,
        }));
    }
    found.sort_by(|a, b| {
        let by_kind = a.is_mouth.cmp(&b.is_mouth);
        by_kind.then(a.rank.total_cmp(&b.rank))
    });
    found
}

/// Ends of the cell's portals that are narrower than a spacing.
fn narrow_portals(cells: &CellMap, cell: CellId, spacing: f64) -> impl Iterator<Item = [DVec2; 2]> {
    let sides = cells.sides(cell).iter().flatten();
    let ends = sides.map(|portal| cells.portal(*portal).ends);
    ends.filter(move |[a, b]| a.distance(*b) < spacing)
}

/// How wide something is in a direction.
fn extent(corners: &[DVec2], direction: DVec2) -> f64 {
    let (low, high) = corners
        .iter()
        .map(|p| p.dot(direction))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| {
            (low.min(at), high.max(at))
        });
    high - low
}

impl Axis {
    /// Visits where it crosses the columns of a lattice, or its rows where it is steep, in columns
    /// and rows: crossings that follow each other are at most one step apart.
    pub fn crossings(&self, origin: DVec2, spacing: f64, mut visit: impl FnMut(DVec2)) {
        let [a, b] = self.ends.map(|p| (p - origin) / spacing);
        let by = b - a;
        let is_steep = by.y.abs() > by.x.abs();
        let (from, to) = if is_steep { (a.y, b.y) } else { (a.x, b.x) };
        if !(from.is_finite() && to.is_finite()) {
            return;
        }
        let (first, last) = (from.min(to).ceil(), from.max(to).floor());
        let mut line = first;
        while line <= last {
            let t = if from == to {
                0.5
            } else {
                (line - from) / (to - from)
            };
            let p = a.lerp(b, t);
            visit(if is_steep {
                DVec2::new(p.x, line)
            } else {
                DVec2::new(line, p.y)
            });
            line += 1.0;
        }
    }
}

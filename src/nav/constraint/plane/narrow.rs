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
    /// The least of several claims on a state is kept: width by length of the piece that it belongs
    /// to. A slit and what prolongs it straight come before the bends of its mouth, which have room,
    /// and before slivers of cells, which point anywhere.
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
    // From where, in which direction, how far at most, and with which rank.
    let mut mouths: Vec<(DVec2, DVec2, f64, f64)> = Vec::new();
    let prolonged = PROLONGED * spacing;
    for cell in cells.cells() {
        let thickness = thickness(cells.corners(cell));
        let mut portals: Vec<(DVec2, f64)> = narrow_portals(cells, cell, thickness, spacing)
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
            // Long portals are of slits that are cut askew, or of slabs of open space.
            let aside = direction.perp() * (0.5 * spacing);
            let is_open = |p: DVec2| is_free(p - aside, p + aside);
            if first.max(second) >= spacing && (is_open(a) || is_open(b)) {
                continue;
            }
            let rank = first.min(second).min(thickness) / a.distance(b);
            found.push(Axis {
                ends: [a, b],
                is_mouth: false,
                rank,
            });
            // A portal that cuts a slit askew is long: the slit goes on for half of it.
            mouths.push((a, -direction, prolonged + 0.5 * first, rank));
            mouths.push((b, direction, prolonged + 0.5 * second, rank));
        }
    }
    // A door in a thin wall may be one portal.
    for portal in cells.portals() {
        let [a, b] = portal.ends;
        if a.distance(b) < spacing
            && let Some(across) = (b - a).perp().try_normalize()
        {
            let middle = a.midpoint(b);
            mouths.push((middle, across, prolonged, f64::INFINITY));
            mouths.push((middle, -across, prolonged, f64::INFINITY));
        }
    }
    for (from, direction, most, rank) in mouths {
        // As far as there is room.
        let to = [1.0, 0.7, 0.4]
            .map(|part| from + direction * (part * most))
            .into_iter()
            .find(|to| is_free(from, *to));
        found.extend(to.map(|to| Axis {
            ends: [from, to],
            is_mouth: true,
            rank,
        }));
    }
    // Pieces stay before what prolongs them.
    found.sort_by(|a, b| a.rank.total_cmp(&b.rank));
    found
}

/// Ends of the cell's portals that are narrower than a spacing; all of them if the cell itself is.
fn narrow_portals(
    cells: &CellMap,
    cell: CellId,
    thickness: f64,
    spacing: f64,
) -> impl Iterator<Item = [DVec2; 2]> {
    let sides = cells.sides(cell).iter().flatten();
    let ends = sides.map(|portal| cells.portal(*portal).ends);
    ends.filter(move |[a, b]| thickness < spacing || a.distance(*b) < spacing)
}

/// The least width of a convex cell, which is across one of its sides.
fn thickness(corners: &[DVec2]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let sides = corners.iter().zip(next).map(|(a, b)| *b - *a);
    let across = sides.filter_map(|side| side.perp().try_normalize());
    let widths = across.map(|direction| extent(corners, direction));
    widths.fold(f64::INFINITY, f64::min)
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

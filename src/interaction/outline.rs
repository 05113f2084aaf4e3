//! The lines that an entity shows in plan.

use super::vertices::{self, EdgeShape};
use crate::base::EntityId;
use crate::document::{Entity, Kind, Route, RouteShape};
use crate::geometry::{Polygon, Rect, polygon::ring_edges, simplify};
use glam::DVec2;

/// The route as agents are to follow it: curves as chords that leave them by `tolerance` at most,
/// freehand strokes simplified. Closed routes end where they begin.
#[must_use]
pub fn route_line(route: &Route, tolerance: f64) -> Vec<DVec2> {
    let mut line = match &route.shape {
        RouteShape::Polyline(points) => points.clone(),
        RouteShape::Freehand {
            stroke,
            tolerance: smoothing,
        } => simplify::simplified(stroke, *smoothing),
        RouteShape::Bezier(knots) => {
            let mut line: Vec<DVec2> = knots.first().map(|k| k.point).into_iter().collect();
            for pair in knots.windows(2) {
                vertices::piece(&pair[0], &pair[1]).flatten_into(tolerance, &mut line);
            }
            if let ([first, .., last], true) = (&knots[..], route.closed) {
                vertices::piece(last, first).flatten_into(tolerance, &mut line);
            }
            return line;
        }
    };
    if let (true, [first, _, ..]) = (route.closed, &line[..]) {
        line.push(*first);
    }
    line
}

/// Calls `visit` with every straight piece of what the entity shows: outlines, footprints, routes.
/// Curves become chords that leave them by `tolerance` at most.
pub fn visit_segments(entity: &Entity, tolerance: f64, mut visit: impl FnMut(DVec2, DVec2)) {
    if let Some(area) = vertices::area(entity) {
        for (a, b) in area.edges() {
            visit(a, b);
        }
    }
    match &entity.kind {
        Kind::Solid(solid) => {
            for (a, b) in ring_edges(&solid.footprint()) {
                visit(a, b);
            }
        }
        Kind::Route(route) => {
            for pair in route_line(route, tolerance).windows(2) {
                visit(pair[0], pair[1]);
            }
        }
        _ => {}
    }
}

/// The points of an entity that others snap to: corners, anchors, starts and goals.
pub fn visit_points(id: EntityId, entity: &Entity, mut visit: impl FnMut(DVec2)) {
    match &entity.kind {
        Kind::Solid(solid) => solid.footprint().into_iter().for_each(visit),
        Kind::Note(note) => visit(note.at),
        _ if vertices::area(entity).is_some() => {
            for p in vertices::area(entity).into_iter().flat_map(Polygon::points) {
                visit(*p);
            }
        }
        _ => {
            for (vertex, at) in vertices::vertices(id, entity) {
                if !vertex.part.is_handle() {
                    visit(at);
                }
            }
        }
    }
}

/// Whether a rectangle and a segment have a point in common.
#[must_use]
pub fn rect_meets_segment(rect: &Rect, a: DVec2, b: DVec2) -> bool {
    // Liang and Barsky 1984: the share of the segment that lies between each pair of sides.
    let along = b - a;
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let (low, high) = (rect.min[axis] - a[axis], rect.max[axis] - a[axis]);
        if along[axis] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
        } else {
            let (s, t) = (low / along[axis], high / along[axis]);
            from = from.max(s.min(t));
            to = to.min(s.max(t));
        }
    }
    from <= to
}

/// The exact place of an edge, as a pair of points where it is straight.
#[must_use]
pub const fn straight(shape: &EdgeShape) -> Option<(DVec2, DVec2)> {
    match shape {
        EdgeShape::Straight(a, b) => Some((*a, *b)),
        EdgeShape::Curved(_) => None,
    }
}

//! The lines that an entity shows in plan.

use super::vertices;
use crate::base::EntityId;
use crate::document::{Entity, Kind, route_line};
use crate::geometry::{Polygon, Rect, polygon::ring_edges};
use glam::DVec2;

/// Visits every straight segment that the entity shows: outlines, footprints, routes.
pub fn visit_segments(entity: &Entity, mut visit: impl FnMut(DVec2, DVec2)) {
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
            for pair in route_line(route).points().windows(2) {
                visit(pair[0], pair[1]);
            }
        }
        _ => {
            for pair in vertices::line(entity).unwrap_or_default().windows(2) {
                visit(pair[0], pair[1]);
            }
        }
    }
}

/// Visits the points of an entity that others snap to: corners, anchors, starts and goals.
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
    // Liang and Barsky 1984: clip the segment against each pair of sides.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_rectangle_meets_a_segment_where_a_sample_of_it_lies_inside(
            a in (-4..5_i32, -4..5_i32), b in (-4..5_i32, -4..5_i32),
            low in (-3..1_i32, -3..1_i32), size in (0..4_i32, 0..4_i32),
        ) {
            let point = |(x, y): (i32, i32)| DVec2::new(f64::from(x), f64::from(y));
            let (a, b, low) = (point(a), point(b), point(low));
            let rect = Rect::new(low, low + point(size));
            // 840 is divisible by every difference of these coordinates: samples hit all crossings.
            let sampled = (0..=840).any(|i| {
                let p = a + (b - a) * (f64::from(i) / 840.0);
                rect.expanded(1e-9).contains(p)
            });
            prop_assert_eq!(rect_meets_segment(&rect, a, b), sampled);
        }
    }
}

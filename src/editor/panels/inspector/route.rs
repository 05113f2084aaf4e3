//! Indicative routes.

use super::geometry::value_ui;
use crate::base::Unit;
use crate::document::route_line::route_line;
use crate::document::{Entity, Kind, Knot, Route, RouteShape, limits};
use crate::editor::panels::field::quantity_text::format_with_unit;
use crate::editor::panels::field::section;
use crate::editor::panels::form::{Field, Form, field, lens};
use crate::geometry::curve::smooth_handles;
use egui::Ui;

const SHAPE: Field = field(
    "Shape",
    "Straight segments, a freehand line, or smooth curves.",
);
const TOLERANCE: Field = field(
    "Tolerance",
    "How far simplification may deviate from the drawn line.",
);
const CLOSED: Field = field("Closed", "Returns to its start.");
const LOOK_AHEAD: Field = field(
    "Look-ahead σ",
    "How much of the route an agent may skip at once.",
);
const SAMPLE_STEP: Field = field(
    "Sampling d",
    "Distance between candidate points on the route.",
);

const SHAPES: [&str; 3] = ["Polyline", "Freehand", "Bézier"];

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    if !form.all(|entity| matches!(entity.kind, Kind::Route(_))) {
        return;
    }
    section(ui, "Route", |ui| {
        let current = |entity: &Entity| match &entity.kind {
            Kind::Route(route) => SHAPES.iter().position(|name| *name == route.shape.name()),
            _ => None,
        };
        form.variant(ui, SHAPE, &SHAPES, current, |entity, index| {
            if let Kind::Route(route) = &mut entity.kind {
                route.shape = reshaped(route, index);
            }
        });
        let tolerance = lens!(
            Kind::Route(Route { shape: RouteShape::Freehand { tolerance, .. }, .. }) => *tolerance
        );
        form.number(ui, TOLERANCE, &limits::SMOOTHING, tolerance);
        form.toggle(ui, CLOSED, lens!(Kind::Route(r) => r.closed));
        let look_ahead = lens!(Kind::Route(r) => r.look_ahead);
        form.number(ui, LOOK_AHEAD, &limits::LOOK_AHEAD, look_ahead);
        let sample_step = lens!(Kind::Route(r) => r.sample_step);
        form.number(ui, SAMPLE_STEP, &limits::SAMPLE_STEP, sample_step);
        let length: f64 = form
            .subjects()
            .filter_map(|(_, entity)| match &entity.kind {
                Kind::Route(route) => Some(route_line(route).length()),
                _ => None,
            })
            .sum();
        value_ui(ui, "Length", &format_with_unit(Unit::Metre, length));
    });
}

/// Converts the points to another shape; corners become smooth curves.
fn reshaped(route: &Route, index: usize) -> RouteShape {
    let anchors = route.shape.anchors();
    match index {
        0 => RouteShape::Polyline(anchors),
        1 => RouteShape::Freehand {
            stroke: anchors,
            tolerance: limits::SMOOTHING.default,
        },
        _ => {
            let handles = smooth_handles(&anchors, route.closed);
            let knots = anchors.into_iter().zip(handles);
            RouteShape::Bezier(
                knots
                    .map(|(point, handles)| Knot {
                        point,
                        handle_in: handles.before,
                        handle_out: handles.after,
                    })
                    .collect(),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec2;

    #[test]
    fn another_shape_passes_the_same_points() {
        let points: Vec<DVec2> = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)]
            .map(DVec2::from)
            .to_vec();
        let route = Route::new(RouteShape::Polyline(points.clone()));
        for (index, name) in SHAPES.iter().enumerate() {
            let shape = reshaped(&route, index);
            assert_eq!(shape.name(), *name);
            assert_eq!(shape.anchors(), points);
        }
    }
}

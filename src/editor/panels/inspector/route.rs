//! Indicative routes.

use super::geometry::value_ui;
use crate::base::Unit;
use crate::document::{Entity, Kind, Knot, Route, RouteShape, limits};
use crate::editor::panels::field::quantity_text::format_with_unit;
use crate::editor::panels::field::section;
use crate::editor::panels::form::{Field, Form, field, lens};
use egui::Ui;
use glam::DVec2;

const SHAPE: Field = field("Shape", "Straight pieces, a drawn line, or smooth curves.");
const TOLERANCE: Field = field(
    "Tolerance",
    "How far the followed line may leave the hand's line when it is simplified.",
);
const CLOSED: Field = field("Closed", "Leads back to its beginning.");
const LOOK_AHEAD: Field = field(
    "Look-ahead σ",
    "How much of the route a walker may skip at once.",
);
const SAMPLE_STEP: Field = field(
    "Sampling d",
    "Distance between the points of the route that a walker considers.",
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
                Kind::Route(route) => Some(length(route)),
                _ => None,
            })
            .sum();
        value_ui(ui, "Length", &format_with_unit(Unit::Metre, length));
    });
}

/// The same points in another shape; corners become smooth where curves are asked for.
fn reshaped(route: &Route, index: usize) -> RouteShape {
    let anchors = route.shape.anchors();
    match index {
        0 => RouteShape::Polyline(anchors),
        1 => RouteShape::Freehand {
            stroke: anchors,
            tolerance: limits::SMOOTHING.default,
        },
        _ => RouteShape::Bezier(smooth_knots(&anchors, route.closed)),
    }
}

/// Handles along the chord of the two neighbours, a sixth of it long: the Catmull–Rom curve
/// through the points.
fn smooth_knots(points: &[DVec2], closed: bool) -> Vec<Knot> {
    let count = points.len();
    let neighbour = |at: usize, ahead: bool| match (ahead, closed) {
        (true, _) if at + 1 < count => points[at + 1],
        (false, _) if at > 0 => points[at - 1],
        (true, true) => points[0],
        (false, true) => points[count - 1],
        (_, false) => points[at],
    };
    (0..count)
        .map(|at| {
            let chord = neighbour(at, true) - neighbour(at, false);
            Knot {
                point: points[at],
                handle_in: -chord / 6.0,
                handle_out: chord / 6.0,
            }
        })
        .collect()
}

/// Length of the route as drawn; of a curve, by chords fine enough for three digits.
fn length(route: &Route) -> f64 {
    const CHORDS: u32 = 32;
    let polyline = |points: &[DVec2]| -> f64 {
        let open: f64 = points.windows(2).map(|w| w[0].distance(w[1])).sum();
        match points {
            [first, .., last] if route.closed => open + last.distance(*first),
            _ => open,
        }
    };
    match &route.shape {
        RouteShape::Polyline(points) | RouteShape::Freehand { stroke: points, .. } => {
            polyline(points)
        }
        RouteShape::Bezier(knots) => {
            let pieces = if route.closed {
                knots.len()
            } else {
                knots.len().saturating_sub(1)
            };
            let at = |from: &Knot, to: &Knot, t: f64| {
                let s = 1.0 - t;
                from.point * (s * s * s)
                    + (from.point + from.handle_out) * (3.0 * s * s * t)
                    + (to.point + to.handle_in) * (3.0 * s * t * t)
                    + to.point * (t * t * t)
            };
            (0..pieces)
                .map(|i| {
                    let (from, to) = (&knots[i], &knots[(i + 1) % knots.len()]);
                    let step = |k: u32| at(from, to, f64::from(k) / f64::from(CHORDS));
                    (0..CHORDS)
                        .map(|k| step(k).distance(step(k + 1)))
                        .sum::<f64>()
                })
                .sum()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Vec<DVec2> {
        [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]
            .map(DVec2::from)
            .to_vec()
    }

    #[test]
    fn a_closed_route_includes_its_way_back() {
        let mut route = Route::new(RouteShape::Polyline(square()));
        assert_eq!(length(&route), 12.0);
        route.closed = true;
        assert_eq!(length(&route), 16.0);
    }

    #[test]
    fn straight_curves_are_as_long_as_lines_and_smooth_ones_pass_their_points() {
        let corners = square().into_iter().map(Knot::corner).collect();
        let route = Route::new(RouteShape::Bezier(corners));
        assert!((length(&route) - 12.0).abs() < 1e-9);
        let smooth = reshaped(&Route::new(RouteShape::Polyline(square())), 2);
        assert_eq!(smooth.anchors(), square());
        assert!(length(&Route::new(smooth)) > 12.0);
        assert!(smooth_knots(&[], true).is_empty());
    }
}

//! The polyline of a route: curves flattened, freehand strokes simplified.

use super::model::{Route, RouteShape};
use crate::geometry::{
    curve::{Cubic, Polyline},
    simplify::simplified,
};

/// Largest distance between a Bézier route and the line followed. Unit: metres.
pub const ROUTE_SAG: f64 = 0.005;

/// The line that agents follow; ends at its first point if the route is closed.
#[must_use]
pub fn route_line(route: &Route) -> Polyline {
    let points = match &route.shape {
        RouteShape::Polyline(points) => points.clone(),
        RouteShape::Freehand { stroke, tolerance } => simplified(stroke, *tolerance),
        RouteShape::Bezier(knots) => {
            let mut points: Vec<_> = knots.first().map(|k| k.point).into_iter().collect();
            let closing = knots.first().filter(|_| route.closed);
            for (a, b) in knots.iter().zip(knots.iter().skip(1).chain(closing)) {
                Cubic {
                    from: a.point,
                    from_control: a.point + a.handle_out,
                    to_control: b.point + b.handle_in,
                    to: b.point,
                }
                .flatten_into(ROUTE_SAG, &mut points);
            }
            points
        }
    };
    if route.closed {
        Polyline::closed(&points)
    } else {
        Polyline::new(points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Knot;
    use glam::DVec2;

    fn knot(x: f64, y: f64, handle: DVec2) -> Knot {
        Knot {
            point: DVec2::new(x, y),
            handle_in: -handle,
            handle_out: handle,
        }
    }

    #[test]
    fn a_bezier_route_is_followed_within_the_sag() {
        // Four cubics that stay within 0.03 % of a circle.
        let k = 5.522_847_5;
        let mut route = Route::new(RouteShape::Bezier(vec![
            knot(10.0, 0.0, DVec2::new(0.0, k)),
            knot(0.0, 10.0, DVec2::new(-k, 0.0)),
            knot(-10.0, 0.0, DVec2::new(0.0, -k)),
            knot(0.0, -10.0, DVec2::new(k, 0.0)),
        ]));
        route.closed = true;
        let line = route_line(&route);
        assert!((line.length() - std::f64::consts::TAU * 10.0).abs() < 0.1);
        assert_eq!(line.points().first(), line.points().last());
        for pair in line.points().windows(2) {
            assert!((pair[0].midpoint(pair[1]).length() - 10.0).abs() < ROUTE_SAG + 0.003);
        }
        route.closed = false;
        assert!(route_line(&route).length() < 48.0);
    }

    #[test]
    fn a_hand_drawn_stroke_loses_its_tremble_and_short_routes_have_answers() {
        let stroke = (0..100)
            .map(|i| DVec2::new(f64::from(i), 0.1 * f64::from(i % 2)))
            .collect();
        let route = Route::new(RouteShape::Freehand {
            stroke,
            tolerance: 0.25,
        });
        assert_eq!(route_line(&route).points().len(), 2);
        for shape in [
            RouteShape::Polyline(vec![]),
            RouteShape::Bezier(vec![]),
            RouteShape::Bezier(vec![Knot::corner(DVec2::ONE)]),
        ] {
            let mut route = Route::new(shape);
            route.closed = true;
            assert_eq!(route_line(&route).length(), 0.0);
        }
    }
}

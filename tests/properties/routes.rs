//! Bézier routes: a knot put on any edge leaves the curve as it was, closing edges included.

use crate::cases;
use glam::DVec2;
use wayloom::base::{EntityId, Random};
use wayloom::document::{Entity, Kind, Knot, Route, RouteShape, route_line};
use wayloom::geometry::Polyline;
use wayloom::geometry::curve::Cubic;
use wayloom::interaction::vertex_edits;
use wayloom::interaction::vertices::{self, EdgeShape};

const ID: EntityId = EntityId::new(1);

fn smooth(random: &mut Random, knots: usize, closed: bool) -> Route {
    let around =
        |random: &mut Random, reach: f64| random.point(DVec2::splat(-reach), DVec2::splat(reach));
    let knots = (0..knots)
        .map(|_| Knot {
            point: around(random, 50.0),
            handle_in: around(random, 20.0),
            handle_out: around(random, 20.0),
        })
        .collect();
    Route {
        closed,
        ..Route::new(RouteShape::Bezier(knots))
    }
}

fn pieces(entity: &Entity) -> Vec<Cubic> {
    vertices::edges(ID, entity)
        .iter()
        .map(|edge| match edge.shape {
            EdgeShape::Curved(cubic) => cubic,
            EdgeShape::Straight(..) => panic!("a Bézier route has curved edges"),
        })
        .collect()
}

/// The curve in chords so short that they hardly leave it.
fn chords(pieces: &[Cubic]) -> Polyline {
    let mut points = vec![pieces[0].from];
    for piece in pieces {
        piece.flatten_into(1e-3, &mut points);
    }
    Polyline::new(points)
}

/// Handles are kept to a fraction of a millimetre by hand.
const ROUNDING: f64 = 0.01;

#[test]
fn a_knot_on_any_edge_leaves_the_curve_as_it_was() {
    for seed in 0..cases(60) {
        let mut random = Random::new(seed);
        let closed = random.chance(0.5);
        let count = 2 + random.below(3);
        let before = Entity::new("", Kind::Route(smooth(&mut random, count, closed)));
        let old = pieces(&before);
        assert_eq!(old.len(), if closed { count } else { count - 1 });
        for edge in vertices::edges(ID, &before) {
            let EdgeShape::Curved(cubic) = edge.shape else {
                panic!("a curve");
            };
            let at = cubic.point(random.range(0.1, 0.9));
            let mut after = before.clone();
            let vertex = vertex_edits::insert(&mut after, &edge, at).expect("an edge of it");
            let placed = vertices::position(&after, vertex).expect("the knot");
            assert!(placed.distance(at) < ROUNDING, "seed {seed}: {placed} {at}");
            let new = pieces(&after);
            assert_eq!(new.len(), old.len() + 1, "seed {seed}");
            for (name, curve, other) in [("old", &old, &new), ("new", &new, &old)] {
                let other = chords(other);
                for piece in curve {
                    for i in 0..=8 {
                        let p = piece.point(f64::from(i) / 8.0);
                        let strayed = other.closest(p).expect("has points").distance;
                        assert!(
                            strayed < ROUNDING,
                            "seed {seed}: {p} of the {name} curve is {strayed} m off, edge {}",
                            edge.insert_at
                        );
                    }
                }
            }
            let (Kind::Route(was), Kind::Route(is)) = (&before.kind, &after.kind) else {
                panic!("routes");
            };
            let lengths = [was, is].map(|route| route_line(route).length());
            assert!(
                (lengths[0] - lengths[1]).abs() < 0.1,
                "seed {seed}: {lengths:?}"
            );
        }
    }
}

/// The ends that an edge tells are those of its shape, the closing edge's too.
#[test]
fn the_ends_of_an_edge_are_where_its_shape_ends() {
    for seed in 0..cases(60) {
        let mut random = Random::new(seed);
        let count = 2 + random.below(4);
        let route = smooth(&mut random, count, seed % 2 == 0);
        let entity = Entity::new("", Kind::Route(route));
        for edge in vertices::edges(ID, &entity) {
            let EdgeShape::Curved(cubic) = edge.shape else {
                panic!("a curve");
            };
            let ends = vertices::ends(&entity, &edge).map(|end| vertices::position(&entity, end));
            assert_eq!(ends, [Some(cubic.from), Some(cubic.to)], "seed {seed}");
        }
    }
}

/// Where it leads, and its bounds: the line as followed stays within them and reaches them.
#[test]
fn the_line_of_a_route_fills_its_bounds() {
    for seed in 0..cases(60) {
        let mut random = Random::new(seed);
        let count = 2 + random.below(4);
        let route = smooth(&mut random, count, seed % 2 == 0);
        let bounds = route.drawn_bounds();
        let line = route_line(&route);
        let reached = wayloom::geometry::Rect::of_points(line.points());
        assert!(bounds.expanded(1e-9).contains_rect(&reached), "seed {seed}");
        assert!(reached.expanded(0.02).contains_rect(&bounds), "seed {seed}");
        let RouteShape::Bezier(knots) = &route.shape else {
            panic!("a Bézier route");
        };
        for knot in knots {
            let near = line.closest(knot.point).expect("has points");
            assert!(near.distance < 1e-9, "seed {seed}");
        }
        let ends = [line.points()[0], line.points()[line.points().len() - 1]];
        let last = if route.closed { 0 } else { knots.len() - 1 };
        assert_eq!(ends, [knots[0].point, knots[last].point], "seed {seed}");
    }
}

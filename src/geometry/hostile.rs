//! Polygons that a designer would not draw, for property tests.

use super::{MAX_COORDINATE, Polygon, Ring};
use glam::DVec2;
use proptest::prelude::*;

/// Small integer coordinates, which often coincide, align and overlap.
pub fn small_point() -> impl Strategy<Value = DVec2> {
    (-4_i32..5, -4_i32..5).prop_map(|(x, y)| DVec2::new(f64::from(x), f64::from(y)))
}

pub fn any_point() -> impl Strategy<Value = DVec2> {
    let coordinate = || {
        prop_oneof![
            -10.0..10.0,
            -1e-3..1e-3,
            -MAX_COORDINATE..MAX_COORDINATE,
            Just(MAX_COORDINATE),
            Just(-MAX_COORDINATE),
        ]
    };
    prop_oneof![
        3 => small_point(),
        1 => (coordinate(), coordinate()).prop_map(|(x, y)| DVec2::new(x, y)),
    ]
}

pub fn ring(point: impl Strategy<Value = DVec2>) -> impl Strategy<Value = Ring> {
    prop::collection::vec(point, 0..10)
}

/// Collinear, repeated, crossing, inside out, without area.
pub fn small_polygon() -> impl Strategy<Value = Polygon> {
    (
        ring(small_point()),
        prop::collection::vec(ring(small_point()), 0..3),
    )
        .prop_map(|(outer, holes)| Polygon { outer, holes })
}

pub fn any_polygon() -> impl Strategy<Value = Polygon> {
    (
        ring(any_point()),
        prop::collection::vec(ring(any_point()), 0..3),
    )
        .prop_map(|(outer, holes)| Polygon { outer, holes })
}

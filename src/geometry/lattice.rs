//! The 1 mm lattice on which areas are combined.
//!
//! Booleans on floating-point coordinates are never quite right; on integers they are exact.
//! Everything that goes through `i_overlay` is snapped to whole millimetres on its way in, with
//! 64-bit coordinates, so that ±10⁶ m and anything grown from it is far from the engine's limit.

use super::{
    MAX_COORDINATE, Polygon, Rect, Ring,
    polygon::{ring_contains, signed_area},
};
use glam::DVec2;
use i_overlay::{
    core::{
        fill_rule::FillRule,
        overlay::{IntOverlayOptions, Overlay, ShapeType},
        overlay_rule::OverlayRule,
    },
    i_float::int::point::IntPoint,
};

/// Lattice points per metre.
pub const PER_METRE: f64 = 1000.0;

/// Distance between lattice points: what booleans may move a corner by, at most. Unit: metres.
pub const LATTICE: f64 = 1.0 / PER_METRE;

pub(super) type Node = IntPoint<i64>;
pub(super) type Shape = Vec<Vec<Node>>;
pub(super) type Engine = Overlay<i64>;

/// Whether points in the middle of straight edges stay in the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Collinear {
    #[default]
    Drop,
    /// Where a corner touches another edge, that edge gets a point too: no T-touches remain,
    /// which triangulation and Voronoi diagrams ask for.
    Keep,
}

pub(super) fn node(p: DVec2) -> Node {
    let scaled = (p * PER_METRE).round();
    IntPoint::new(scaled.x as i64, scaled.y as i64)
}

pub(super) fn point(node: &Node) -> DVec2 {
    DVec2::new(node.x as f64, node.y as f64) / PER_METRE
}

/// Far beyond the limit of coordinates: what was grown from points within it is still accepted.
pub(super) fn is_in_range(p: DVec2) -> bool {
    p.is_finite() && p.abs().max_element() <= 100.0 * MAX_COORDINATE
}

/// The rings on the lattice; `None` if a coordinate is not finite or out of range.
pub(super) fn nodes<'a>(rings: impl IntoIterator<Item = &'a Ring>) -> Option<Shape> {
    rings
        .into_iter()
        .map(|ring| {
            ring.iter()
                .map(|p| is_in_range(*p).then(|| node(*p)))
                .collect()
        })
        .collect()
}

pub(super) fn polygons(shapes: &[Shape]) -> Vec<Polygon> {
    let mut polygons: Vec<Polygon> = shapes
        .iter()
        .filter_map(|shape| {
            let mut rings = shape.iter().map(|ring| ring.iter().map(point).collect());
            Some(Polygon {
                outer: rings.next()?,
                holes: rings.collect(),
            })
        })
        .collect();
    bring_holes_home(&mut polygons);
    polygons
}

/// Where rings touch at corners, the engine at times gives a hole to a polygon that is not around
/// it: it goes to the one that is, the smallest of several.
fn bring_holes_home(polygons: &mut [Polygon]) {
    if polygons.len() < 2 || polygons.iter().all(|polygon| polygon.holes.is_empty()) {
        return;
    }
    // Rings meet at corners alone, so the middle of an edge is clearly inside or outside.
    let middle = |hole: &Ring| hole.first().map(|a| (*a + hole[1 % hole.len()]) * 0.5);
    let mut strays = Vec::new();
    for polygon in polygons.iter_mut() {
        let outer = &polygon.outer;
        strays.extend(polygon.holes.extract_if(.., |hole| {
            middle(hole).is_some_and(|p| !ring_contains(outer, p))
        }));
    }
    for hole in strays {
        let home = middle(&hole).and_then(|p| {
            let bounds = Rect::of_points(&hole);
            let around = |polygon: &&mut Polygon| {
                polygon.bounds().contains_rect(&bounds) && ring_contains(&polygon.outer, p)
            };
            let area = |polygon: &&mut Polygon| signed_area(&polygon.outer);
            polygons
                .iter_mut()
                .filter(around)
                .min_by(|a, b| area(a).total_cmp(&area(b)))
        });
        if let Some(home) = home {
            home.holes.push(hole);
        }
    }
}

pub(super) fn engine(collinear: Collinear) -> Engine {
    let options = IntOverlayOptions {
        preserve_input_collinear: collinear == Collinear::Keep,
        preserve_output_collinear: collinear == Collinear::Keep,
        ogc: true,
        ..IntOverlayOptions::default()
    };
    Overlay::new_custom(0, options, Default::default())
}

/// What the rings enclose by the even–odd rule, as shapes whose rings neither cross nor overlap.
pub(super) fn even_odd(engine: &mut Engine, shape: &Shape) -> Vec<Shape> {
    engine.clear();
    engine.add_source(shape, ShapeType::Subject);
    engine.overlay(OverlayRule::Subject, FillRule::EvenOdd)
}

/// Every polygon as even–odd shapes; those that are not finite are left out.
pub(super) fn shapes(polygons: &[Polygon], collinear: Collinear) -> Vec<Shape> {
    let mut engine = engine(collinear);
    polygons
        .iter()
        .filter_map(|polygon| nodes(polygon.rings()))
        .flat_map(|shape| even_odd(&mut engine, &shape))
        .collect()
}

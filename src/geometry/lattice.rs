//! The 1 mm lattice on which areas are combined.
//!
//! Booleans on floating-point coordinates are never quite right; on integers they are exact.
//! Everything passed to `i_overlay` is snapped to whole millimetres in 64-bit coordinates, so ±10⁶
//! m and anything grown from it stay far below the engine's limit.

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

/// Distance between lattice points: the most a boolean may move a corner. Unit: metres.
pub const LATTICE: f64 = 1.0 / PER_METRE;

/// What is narrower than this may vanish when its corners are rounded. Unit: metres.
const LEAST_WIDTH: f64 = 1.5 * LATTICE;

/// Whether an area is so narrow, all of it, that it may vanish on the lattice. Areas that cross
/// themselves or have none are not meant.
#[must_use]
pub fn may_vanish(polygon: &Polygon) -> bool {
    let area = polygon.area().abs();
    let edges = polygon.edges().map(|(a, b)| a.distance(b));
    let around: f64 = edges.sum();
    let is_narrow = |area: f64| 2.0 * area < LEAST_WIDTH * around;
    if area < 1e-9 || !is_narrow(area) {
        return false;
    }
    let left = super::boolean::repaired(polygon);
    is_narrow(left.iter().map(Polygon::area).sum())
}

pub(super) type Node = IntPoint<i64>;
pub(super) type Shape = Vec<Vec<Node>>;
pub(super) type Engine = Overlay<i64>;

/// Whether points in the middle of straight edges are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Collinear {
    #[default]
    Drop,
    /// An edge also gets a point where another corner touches it. No T-junctions remain, as
    /// triangulation and Voronoi diagrams require.
    Keep,
}

pub(super) fn node(p: DVec2) -> Node {
    let scaled = (p * PER_METRE).round();
    IntPoint::new(scaled.x as i64, scaled.y as i64)
}

pub(super) fn point(node: &Node) -> DVec2 {
    DVec2::new(node.x as f64, node.y as f64) / PER_METRE
}

/// Well beyond the coordinate limit, so shapes grown from valid points are still accepted.
pub(super) fn is_in_range(p: DVec2) -> bool {
    p.is_finite() && p.abs().max_element() <= 100.0 * MAX_COORDINATE
}

/// The rings snapped to the lattice; `None` if a coordinate is not finite or out of range.
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

/// Where rings touch at corners, the engine sometimes assigns a hole to a polygon that does not
/// contain it. Moves each hole to the smallest polygon that does.
fn bring_holes_home(polygons: &mut [Polygon]) {
    if polygons.len() < 2 || polygons.iter().all(|polygon| polygon.holes.is_empty()) {
        return;
    }
    // Rings meet only at corners, so the midpoint of an edge is clearly inside or outside.
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

/// The area enclosed by the even–odd rule, as shapes whose rings neither cross nor overlap.
pub(super) fn even_odd(engine: &mut Engine, shape: &Shape) -> Vec<Shape> {
    engine.clear();
    engine.add_source(shape, ShapeType::Subject);
    engine.overlay(OverlayRule::Subject, FillRule::EvenOdd)
}

/// Every polygon as even–odd shapes; polygons that are not finite are skipped.
pub(super) fn shapes(polygons: &[Polygon], collinear: Collinear) -> Vec<Shape> {
    let mut engine = engine(collinear);
    polygons
        .iter()
        .filter_map(|polygon| nodes(polygon.rings()))
        .flat_map(|shape| even_odd(&mut engine, &shape))
        .collect()
}

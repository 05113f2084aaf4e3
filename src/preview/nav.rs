//! Free space, its cells and portals, and a search, as shapes.

use super::primitive::{Dash, Extent, Fill, FillRule, Ink, Plane, Primitive, Shape, Sink, Stroke};
use super::style::Palette;
use crate::base::Colour;
use crate::nav::{CellMap, FreeSpace};
use crate::planner::SearchView;
use glam::DVec2;

pub use super::paths::{
    BlockedView, Course, PathView, SERIES, Weight, colour_of, draw_blocked, draw_path,
    method_colour, path_views,
};

/// Cells narrower than this on the screen are not outlined. Unit: pixels.
const SMALLEST_CELL: f64 = 3.0;

pub fn draw_free_space(free: &FreeSpace, palette: &Palette, sink: &mut dyn Sink) {
    for area in &free.areas {
        add(
            sink,
            Plane::FreeSpace,
            Primitive::Area {
                rings: area.rings().cloned().collect(),
                rule: FillRule::EvenOdd,
                fill: Fill::plain(Ink::new(palette.free_space, 0.13)),
                outline: Some(Stroke::pixels(Ink::new(palette.free_space, 0.75), 1.2)),
            },
        );
    }
}

/// The outlines of cells. Sides that two cells share are drawn once.
pub fn draw_cells(map: &CellMap, plane: Plane, palette: &Palette, sink: &mut dyn Sink) {
    let ink = Ink::new(palette.cell, if plane == Plane::Cells { 0.7 } else { 0.38 });
    let stroke = Stroke::pixels(ink, if plane == Plane::Cells { 1.2 } else { 0.9 });
    for cell in map.cells() {
        let corners = map.corners(cell);
        let count = corners.len();
        let size = map.bounds(cell).size();
        let min_scale = SMALLEST_CELL / size.max_element().max(1e-9);
        for (i, portal) in map.sides(cell).iter().enumerate() {
            let other = portal.map(|portal| map.portal(portal).beyond(cell));
            if other.is_some_and(|other| other < cell) {
                continue;
            }
            sink.add(Shape {
                plane,
                entity: None,
                min_scale,
                primitive: Primitive::Line {
                    points: vec![corners[i], corners[(i + 1) % count]],
                    closed: false,
                    stroke,
                },
            });
        }
    }
}

pub fn draw_portals(map: &CellMap, palette: &Palette, sink: &mut dyn Sink) {
    for portal in map.portals() {
        let [left, right] = portal.ends;
        let min_scale = SMALLEST_CELL / left.distance(right).max(1e-9);
        sink.add(Shape {
            plane: Plane::Portals,
            entity: None,
            min_scale,
            primitive: Primitive::Line {
                points: vec![left, right],
                closed: false,
                stroke: Stroke::pixels(Ink::new(palette.portal, 0.6), 1.1).dashed(Dash::Dashed),
            },
        });
    }
}

/// The tree of a search: what is done faint, what is open bright, the node of the moment on top.
pub fn draw_search(search: &SearchView, palette: &Palette, sink: &mut dyn Sink) {
    for node in &search.nodes {
        let colour = if node.is_inconsistent {
            palette.current
        } else if node.is_closed {
            palette.closed
        } else {
            palette.open
        };
        let strength = if node.is_closed { 0.75 } else { 0.95 };
        add(
            sink,
            Plane::Search,
            Primitive::Line {
                points: vec![node.from, node.point],
                closed: false,
                stroke: Stroke::pixels(Ink::new(colour, strength), 1.3),
            },
        );
        add(
            sink,
            Plane::Search,
            Primitive::Line {
                points: node.segment.to_vec(),
                closed: false,
                stroke: Stroke::pixels(Ink::new(colour, 0.4), 2.4),
            },
        );
        add(sink, Plane::Search, dot(node.point, 2.4, colour, palette));
    }
    if let Some(node) = search.current.and_then(|at| search.nodes.get(at)) {
        add(
            sink,
            Plane::Search,
            dot(node.point, 5.0, palette.current, palette),
        );
    }
}

pub(super) fn dot(at: DVec2, radius: f64, colour: Colour, palette: &Palette) -> Primitive {
    Primitive::Disc {
        centre: at,
        radius: Extent::pixels(radius),
        fill: Ink::solid(colour),
        outline: Some(Stroke::pixels(palette.halo, 1.0)),
    }
}

pub(super) fn add(sink: &mut dyn Sink, plane: Plane, primitive: Primitive) {
    sink.add(Shape {
        plane,
        entity: None,
        min_scale: 0.0,
        primitive,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preview::Look;

    fn square(x: f64, y: f64) -> Vec<DVec2> {
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
            .map(|(dx, dy)| DVec2::new(x + dx, y + dy))
            .to_vec()
    }

    #[test]
    fn a_side_that_two_cells_share_is_drawn_once() {
        let map = CellMap::from_polygons(&[square(0.0, 0.0), square(1.0, 0.0)]);
        let mut shapes: Vec<Shape> = Vec::new();
        draw_cells(&map, Plane::Cells, Look::Dark.palette(), &mut shapes);
        assert_eq!(shapes.len(), 7);
        shapes.clear();
        draw_portals(&map, Look::Dark.palette(), &mut shapes);
        assert_eq!(shapes.len(), 1);
    }
}

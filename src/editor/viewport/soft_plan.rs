//! Draws the plan view's triangles through egui's own shapes: where there is no OpenGL of ours.
//!
//! What the shader does for every pixel is left out: textures, dashes, soft edges.

use super::gl_plan::Projection;
use crate::preview::Plane;
use crate::preview::cache::PlanCache;
use crate::preview::layer::Layers;
use crate::preview::mesh::{DIRECTION_UNIT, Mesh, Vertex, VertexKind};
use egui::epaint::{self, WHITE_UV};
use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2};
use glam::DVec2;

/// Where the vertices of one frame go.
#[derive(Clone, Copy, Debug)]
struct Place {
    middle: Pos2,
    /// Of the mesh, from the middle of the view. Unit: metres.
    origin: Vec2,
    /// Unit: points per metre.
    scale: f32,
}

/// Paints the cache, the grid between its planes, and the highlights on top.
pub fn paint(
    painter: &Painter,
    rect: Rect,
    cache: &PlanCache,
    layers: Layers,
    projection: &Projection,
    [grid, highlights]: [&Mesh; 2],
    under_grid: Option<Shape>,
) {
    let from_centre: DVec2 = cache.origin() - projection.centre;
    let place = Place {
        middle: rect.center(),
        origin: egui::vec2(from_centre.x as f32, from_centre.y as f32),
        scale: projection.points_per_metre as f32,
    };
    let seen =
        |chunk: &&crate::preview::cache::Chunk| layers.shows(chunk.plane) && projection.sees(chunk);
    let (below, above) = cache
        .chunks()
        .split_at(cache.chunks().partition_point(|c| c.plane < Plane::Grid));
    for chunk in below.iter().filter(seen) {
        paint_mesh(painter, &chunk.mesh(), place);
    }
    if let Some(shape) = under_grid {
        painter.add(shape);
    }
    paint_mesh(painter, grid, place);
    for chunk in above.iter().filter(seen) {
        paint_mesh(painter, &chunk.mesh(), place);
    }
    paint_mesh(painter, highlights, place);
}

fn paint_mesh(painter: &Painter, mesh: &Mesh, place: Place) {
    let mut out = epaint::Mesh::default();
    let flush = |out: &mut epaint::Mesh| {
        if !out.is_empty() {
            painter.add(Shape::mesh(std::mem::take(out)));
        }
    };
    let mut triangles = mesh.indices.chunks_exact(3);
    while let Some(triangle) = triangles.next() {
        let corners = [0, 1, 2].map(|i| mesh.vertices[triangle[i] as usize]);
        let first = corners[0];
        let round = [VertexKind::Disc, VertexKind::Ring]
            .into_iter()
            .find(|kind| *kind as u8 == first.kind);
        if place.scale < first.min_scale {
            continue;
        }
        if let Some(kind) = round {
            // A square is two triangles; the circle needs its centre alone.
            triangles.next();
            flush(&mut out);
            painter.add(place.circle(&first, kind));
        } else if first.kind != VertexKind::Rim as u8 {
            let base = out.vertices.len() as u32;
            for vertex in corners {
                out.vertices.push(epaint::Vertex {
                    pos: place.vertex(&vertex),
                    uv: WHITE_UV,
                    color: colour(&vertex),
                });
            }
            out.indices.extend([base, base + 1, base + 2]);
        }
    }
    flush(&mut out);
}

impl Place {
    fn centre(&self, vertex: &Vertex) -> Pos2 {
        let metres = Vec2::from(vertex.position) + self.origin;
        self.middle + egui::vec2(metres.x, -metres.y) * self.scale
    }

    fn vertex(&self, vertex: &Vertex) -> Pos2 {
        let moved = unit(vertex.offset) * self.points(vertex.size)
            + unit(vertex.normal) * self.points(vertex.width);
        self.centre(vertex) + egui::vec2(moved.x, -moved.y)
    }

    fn points(&self, [metres, points]: [f32; 2]) -> f32 {
        (metres * self.scale).max(points)
    }

    fn circle(&self, vertex: &Vertex, kind: VertexKind) -> Shape {
        let (centre, radius) = (self.centre(vertex), self.points(vertex.size));
        if kind == VertexKind::Disc {
            Shape::circle_filled(centre, radius, colour(vertex))
        } else {
            let width = 2.0 * self.points(vertex.width);
            Shape::circle_stroke(centre, radius, Stroke::new(width, colour(vertex)))
        }
    }
}

fn unit([x, y]: [i16; 2]) -> Vec2 {
    egui::vec2(f32::from(x), f32::from(y)) * DIRECTION_UNIT
}

fn colour(vertex: &Vertex) -> Color32 {
    let [r, g, b, a] = vertex.ink;
    Color32::from_rgba_unmultiplied(r, g, b, a)
}

//! Tessellation of shapes, with lyon's sweep for fills and its stroker for lines.

use super::{DIRECTION_UNIT, Mesh, Vertex, VertexKind, bytes, dash_code, texture_code};
use crate::geometry::{Rect, Ring, polygon::signed_area};
use crate::preview::primitive::{Extent, Fill, FillRule, Glyph, Ink, Primitive, Shape, Stroke};
use crate::preview::texture;
use glam::{DVec2, Vec2};
use lyon::math::{Point, point};
use lyon::path::Path;
use lyon::tessellation::{
    self, BuffersBuilder, FillOptions, FillTessellator, FillVertex, LineJoin, Side, StrokeOptions,
    StrokeTessellator, StrokeVertex, VertexBuffers,
};

/// Nominal line width passed to lyon; only its directions are used. Unit: metres.
const NOMINAL_WIDTH: f32 = 1e-4;
/// Corners sharper than this are cut off, as multiples of half the width.
const MITER_LIMIT: f32 = 3.0;
/// Nothing here is curved, but the tessellator requires a tolerance. Unit: metres.
const TOLERANCE: f32 = 0.01;

/// Turns shapes into triangles; keeps its buffers between calls.
pub struct Tessellator {
    fill: FillTessellator,
    stroke: StrokeTessellator,
    /// Positions are relative to this, so that 32 bits suffice. Unit: metres.
    origin: DVec2,
}

impl std::fmt::Debug for Tessellator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tessellator")
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

impl Tessellator {
    #[must_use]
    pub fn new(origin: DVec2) -> Self {
        Self {
            fill: FillTessellator::new(),
            stroke: StrokeTessellator::new(),
            origin,
        }
    }

    /// Adds the shape's triangles on top of a mesh. Texts have none.
    pub fn add(&mut self, shape: &Shape, mesh: &mut Mesh) {
        let first = mesh.vertices.len();
        match &shape.primitive {
            Primitive::Area {
                rings,
                rule,
                fill,
                outline,
            } => self.area(rings, *rule, fill, outline.as_ref(), mesh),
            Primitive::Line {
                points,
                closed,
                stroke,
            } => self.line(points, *closed, stroke, mesh),
            Primitive::Disc {
                centre,
                radius,
                fill,
                outline,
            } => self.disc(*centre, *radius, *fill, outline.as_ref(), mesh),
            Primitive::Mark {
                at,
                turn,
                glyph,
                size,
                fill,
                outline,
            } => self.mark(*at, *turn, *glyph, *size, *fill, outline.as_ref(), mesh),
            Primitive::Cells { rects, fill } => self.cells(rects, fill, mesh),
            Primitive::Text(_) => {}
        }
        for vertex in &mut mesh.vertices[first..] {
            vertex.min_scale = shape.min_scale as f32;
        }
    }

    fn area(
        &mut self,
        rings: &[Ring],
        rule: FillRule,
        fill: &Fill,
        outline: Option<&Stroke>,
        mesh: &mut Mesh,
    ) {
        let textured = texture::tile(fill.texture).is_some();
        if fill.ink.alpha > 0.0 || textured {
            let path = closed_path(rings.iter().map(|ring| self.local(ring)));
            let paint = Vertex {
                ink: bytes(fill.ink),
                texture_ink: bytes(fill.texture_ink),
                texture: texture_code(fill.texture),
                ..Vertex::BLANK
            };
            self.filled(&path, rule, mesh, |vertex: FillVertex<'_>| Vertex {
                position: vertex.position().to_array(),
                ..paint
            });
        }
        match outline {
            Some(stroke) => {
                for ring in rings {
                    self.line(ring, true, stroke, mesh);
                }
            }
            None => {
                for ring in rings {
                    self.rim(ring, fill.ink, mesh);
                }
            }
        }
    }

    /// Two triangles each, without a rim: adjacent cells must not show seams.
    fn cells(&self, rects: &[Rect], fill: &Fill, mesh: &mut Mesh) {
        let paint = Vertex {
            ink: bytes(fill.ink),
            texture_ink: bytes(fill.texture_ink),
            texture: texture_code(fill.texture),
            ..Vertex::BLANK
        };
        mesh.vertices.reserve(4 * rects.len());
        mesh.indices.reserve(6 * rects.len());
        for rect in rects {
            let (low, high) = (self.local_point(rect.min), self.local_point(rect.max));
            if !(low.is_finite() && high.is_finite()) {
                continue;
            }
            let base = mesh.vertices.len() as u32;
            let corners = [
                [low.x, low.y],
                [high.x, low.y],
                [high.x, high.y],
                [low.x, high.y],
            ];
            mesh.vertices
                .extend(corners.map(|position| Vertex { position, ..paint }));
            mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|i| base + i));
        }
    }

    fn line(&mut self, points: &[DVec2], closed: bool, stroke: &Stroke, mesh: &mut Mesh) {
        if stroke.ink.alpha <= 0.0 {
            return;
        }
        let paint = stroke_paint(stroke);
        let points = self.local(points);
        self.stroked(&points, closed, mesh, |vertex: StrokeVertex<'_, '_>| {
            let (position, normal, across) = edge(&vertex);
            Vertex {
                position,
                normal,
                across,
                along: vertex.advancement(),
                ..paint
            }
        });
    }

    /// A soft edge around a fill that has no outline: one pixel outwards.
    fn rim(&mut self, ring: &Ring, ink: Ink, mesh: &mut Mesh) {
        if ink.alpha <= 0.0 {
            return;
        }
        // The outside is to the right of a counter-clockwise ring.
        let outside = if signed_area(ring) > 0.0 {
            Side::Negative
        } else {
            Side::Positive
        };
        let paint = Vertex {
            ink: bytes(ink),
            kind: VertexKind::Rim as u8,
            width: [0.0, 0.5],
            ..Vertex::BLANK
        };
        let points = self.local(ring);
        self.stroked(&points, true, mesh, |vertex: StrokeVertex<'_, '_>| {
            let (position, normal, _) = edge(&vertex);
            let out = vertex.side() == outside;
            Vertex {
                position,
                normal: if out { normal } else { [0; 2] },
                across: i8::from(out),
                ..paint
            }
        });
    }

    fn disc(
        &self,
        centre: DVec2,
        radius: Extent,
        fill: Ink,
        outline: Option<&Stroke>,
        mesh: &mut Mesh,
    ) {
        let paint = Vertex {
            position: self.local_point(centre).to_array(),
            size: extent(radius),
            ..Vertex::BLANK
        };
        if fill.alpha > 0.0 {
            let paint = Vertex {
                ink: bytes(fill),
                kind: VertexKind::Disc as u8,
                ..paint
            };
            square(mesh, paint);
        }
        if let Some(stroke) = outline {
            let paint = Vertex {
                ink: bytes(stroke.ink),
                kind: VertexKind::Ring as u8,
                width: half(stroke.width),
                ..paint
            };
            square(mesh, paint);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of one primitive")]
    fn mark(
        &mut self,
        at: DVec2,
        turn: f64,
        glyph: Glyph,
        size: Extent,
        fill: Ink,
        outline: Option<&Stroke>,
        mesh: &mut Mesh,
    ) {
        let rotation = Vec2::from_angle(turn as f32);
        let corners: Vec<Vec2> = glyph
            .outline()
            .iter()
            .map(|corner| rotation.rotate(DVec2::from(*corner).as_vec2()))
            .collect();
        let anchor = Vertex {
            position: self.local_point(at).to_array(),
            size: extent(size),
            ..Vertex::BLANK
        };
        // The outline is below, like a halo.
        if let Some(stroke) = outline {
            let paint = Vertex {
                ink: bytes(stroke.ink),
                kind: VertexKind::Stroke as u8,
                width: half(stroke.width),
                ..anchor
            };
            self.stroked(&corners, true, mesh, |vertex: StrokeVertex<'_, '_>| {
                let (corner, normal, across) = edge(&vertex);
                Vertex {
                    offset: direction(corner.into()),
                    normal,
                    across,
                    ..paint
                }
            });
        }
        let path = closed_path([corners.clone()]);
        let paint = Vertex {
            ink: bytes(fill),
            ..anchor
        };
        self.filled(&path, FillRule::EvenOdd, mesh, |vertex: FillVertex<'_>| {
            Vertex {
                offset: direction(vertex.position().to_array().into()),
                ..paint
            }
        });
        if outline.is_none() {
            let paint = Vertex {
                kind: VertexKind::Stroke as u8,
                width: [0.0, 0.25],
                ..paint
            };
            self.stroked(&corners, true, mesh, |vertex: StrokeVertex<'_, '_>| {
                let (corner, normal, across) = edge(&vertex);
                Vertex {
                    offset: direction(corner.into()),
                    normal,
                    across,
                    ..paint
                }
            });
        }
    }

    fn filled(
        &mut self,
        path: &Path,
        rule: FillRule,
        mesh: &mut Mesh,
        vertex: impl Fn(FillVertex<'_>) -> Vertex,
    ) {
        let rule = match rule {
            FillRule::EvenOdd => tessellation::FillRule::EvenOdd,
            FillRule::NonZero => tessellation::FillRule::NonZero,
        };
        let options = FillOptions::tolerance(TOLERANCE).with_fill_rule(rule);
        let mut buffers: VertexBuffers<Vertex, u32> = VertexBuffers::new();
        // If tessellation fails (numbers beyond 32 bits), the shape stays unfilled; its outline
        // still shows.
        let result = self.fill.tessellate_path(
            path,
            &options,
            &mut BuffersBuilder::new(&mut buffers, vertex),
        );
        if result.is_ok() {
            append(mesh, buffers);
        }
    }

    fn stroked(
        &mut self,
        points: &[Vec2],
        closed: bool,
        mesh: &mut Mesh,
        vertex: impl Fn(StrokeVertex<'_, '_>) -> Vertex,
    ) {
        let options = StrokeOptions::tolerance(TOLERANCE)
            .with_line_width(NOMINAL_WIDTH)
            .with_line_join(LineJoin::Miter)
            .with_miter_limit(MITER_LIMIT);
        let path = if closed {
            closed_path([points.to_vec()])
        } else {
            open_path(points)
        };
        let mut buffers: VertexBuffers<Vertex, u32> = VertexBuffers::new();
        let result = self.stroke.tessellate_path(
            &path,
            &options,
            &mut BuffersBuilder::new(&mut buffers, vertex),
        );
        if result.is_ok() {
            append(mesh, buffers);
        }
    }

    fn local_point(&self, p: DVec2) -> Vec2 {
        (p - self.origin).as_vec2()
    }

    /// Points as 32-bit offsets from the origin, without repetitions.
    fn local(&self, points: &[DVec2]) -> Vec<Vec2> {
        let mut local: Vec<Vec2> = points
            .iter()
            .map(|p| self.local_point(*p))
            .filter(|p| p.is_finite())
            .collect();
        local.dedup();
        local
    }
}

fn stroke_paint(stroke: &Stroke) -> Vertex {
    Vertex {
        ink: bytes(stroke.ink),
        kind: VertexKind::Stroke as u8,
        dash: dash_code(stroke.dash),
        width: half(stroke.width),
        ..Vertex::BLANK
    }
}

/// Point on the line, normal, and −1 or 1 for the side.
fn edge(vertex: &StrokeVertex<'_, '_>) -> ([f32; 2], [i16; 2], i8) {
    let normal = vertex.normal().to_array();
    let across = match vertex.side() {
        Side::Positive => 1,
        Side::Negative => -1,
    };
    (
        vertex.position_on_path().to_array(),
        direction(normal.into()),
        across,
    )
}

fn direction(v: Vec2) -> [i16; 2] {
    (v / DIRECTION_UNIT)
        .round()
        .to_array()
        .map(|lane| lane as i16)
}

fn extent(extent: Extent) -> [f32; 2] {
    [extent.metres as f32, extent.pixels as f32]
}

fn half(width: Extent) -> [f32; 2] {
    extent(width).map(|lane| lane * 0.5)
}

/// Two triangles from −1 to 1 in both directions; `normal` repeats the corner for the soft edge.
fn square(mesh: &mut Mesh, paint: Vertex) {
    let base = mesh.vertices.len() as u32;
    for corner in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        let corner = direction(corner.into());
        mesh.vertices.push(Vertex {
            offset: corner,
            normal: corner,
            ..paint
        });
    }
    mesh.indices
        .extend([0, 1, 2, 0, 2, 3].map(|corner| base + corner));
}

fn append(mesh: &mut Mesh, buffers: VertexBuffers<Vertex, u32>) {
    mesh.append(&Mesh {
        vertices: buffers.vertices,
        indices: buffers.indices,
    });
}

fn closed_path(rings: impl IntoIterator<Item = Vec<Vec2>>) -> Path {
    let mut builder = Path::builder();
    for ring in rings {
        add_points(&mut builder, &ring, true);
    }
    builder.build()
}

fn open_path(points: &[Vec2]) -> Path {
    let mut builder = Path::builder();
    add_points(&mut builder, points, false);
    builder.build()
}

fn add_points(builder: &mut lyon::path::path::Builder, points: &[Vec2], close: bool) {
    let to_point = |p: &Vec2| -> Point { point(p.x, p.y) };
    if let [first, rest @ ..] = points {
        builder.begin(to_point(first));
        for p in rest {
            builder.line_to(to_point(p));
        }
        builder.end(close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Colour;
    use crate::document::Pattern;
    use crate::geometry::hostile;
    use crate::geometry::{Polygon, Rect};
    use crate::preview::primitive::Dash;
    use crate::preview::{Look, Plane, Scene, Sink, showcase};
    use proptest::prelude::*;

    fn ink() -> Ink {
        Ink::solid(Colour::hex(0x336699))
    }

    fn mesh_of(primitive: Primitive) -> Mesh {
        let mut mesh = Mesh::default();
        Tessellator::new(DVec2::ZERO).add(
            &Shape {
                plane: Plane::Obstacles,
                entity: None,
                min_scale: 0.5,
                primitive,
            },
            &mut mesh,
        );
        mesh
    }

    fn area(rings: Vec<Ring>, rule: FillRule, outline: Option<Stroke>) -> Primitive {
        Primitive::Area {
            rings,
            rule,
            fill: Fill {
                texture: Pattern::Waves,
                ..Fill::plain(ink())
            },
            outline,
        }
    }

    fn filled_area(mesh: &Mesh) -> f64 {
        mesh.indices
            .chunks_exact(3)
            .map(|t| [0, 1, 2].map(|i| mesh.vertices[t[i] as usize]))
            .filter(|t| t[0].kind == VertexKind::Fill as u8)
            .map(|t| {
                let [a, b, c] = t.map(|v| Vec2::from(v.position).as_dvec2());
                (b - a).perp_dot(c - a).abs() * 0.5
            })
            .sum()
    }

    fn check(mesh: &Mesh) {
        assert_eq!(mesh.indices.len() % 3, 0);
        for index in &mesh.indices {
            let vertex = mesh.vertices[*index as usize];
            assert!(vertex.position.iter().all(|p| p.is_finite()));
            assert!(vertex.along.is_finite());
        }
    }

    #[test]
    fn a_hole_is_not_filled_and_the_outline_goes_around_it() {
        let square = |min: f64, max: f64| {
            Polygon::rect(Rect::new(DVec2::splat(min), DVec2::splat(max))).outer
        };
        let outline = Stroke::pixels(ink(), 2.0);
        let mesh = mesh_of(area(
            vec![square(0.0, 10.0), square(4.0, 6.0)],
            FillRule::EvenOdd,
            Some(outline),
        ));
        check(&mesh);
        assert!((filled_area(&mesh) - 96.0).abs() < 1e-3);
        let strokes: Vec<&Vertex> = mesh
            .vertices
            .iter()
            .filter(|v| v.kind == VertexKind::Stroke as u8)
            .collect();
        assert!(strokes.iter().all(|v| v.width == [0.0, 1.0]));
        assert!(strokes.iter().any(|v| v.position == [4.0, 4.0]));
        assert!(mesh.vertices.iter().all(|v| v.min_scale == 0.5));
    }

    #[test]
    fn normals_at_a_square_corner_reach_the_miter() {
        let ring = Polygon::rect(Rect::new(DVec2::ZERO, DVec2::ONE)).outer;
        let mesh = mesh_of(Primitive::Line {
            points: ring,
            closed: true,
            stroke: Stroke::pixels(ink(), 1.0),
        });
        check(&mesh);
        for vertex in &mesh.vertices {
            let normal = Vec2::new(vertex.normal[0].into(), vertex.normal[1].into());
            let length = (normal * DIRECTION_UNIT).length();
            assert!((length - std::f32::consts::SQRT_2).abs() < 0.01, "{length}");
        }
        let longest = mesh.vertices.iter().map(|v| v.along).fold(0.0, f32::max);
        assert!((longest - 4.0).abs() < 1e-3, "{longest}");
    }

    #[test]
    fn the_rim_of_a_fill_lies_outside() {
        let ring = Polygon::rect(Rect::new(DVec2::ZERO, DVec2::ONE)).outer;
        for ring in [ring.clone(), ring.into_iter().rev().collect()] {
            let mesh = mesh_of(area(vec![ring], FillRule::NonZero, None));
            check(&mesh);
            let rim: Vec<&Vertex> = mesh
                .vertices
                .iter()
                .filter(|v| v.kind == VertexKind::Rim as u8)
                .collect();
            assert!(rim.iter().any(|v| v.across == 1));
            for v in rim {
                let place = Vec2::from(v.position) - 0.5;
                let normal = Vec2::new(v.normal[0].into(), v.normal[1].into());
                assert_eq!(v.across == 1, place.dot(normal) > 0.0);
            }
        }
    }

    #[test]
    fn far_from_the_world_origin_nothing_is_lost() {
        let far = DVec2::new(999_000.0, -999_000.0);
        let ring = Polygon::rect(Rect::around(far, DVec2::splat(0.01))).outer;
        let mut mesh = Mesh::default();
        let shape = Shape {
            plane: Plane::Obstacles,
            entity: None,
            min_scale: 0.0,
            primitive: area(vec![ring], FillRule::EvenOdd, None),
        };
        Tessellator::new(far).add(&shape, &mut mesh);
        assert!((filled_area(&mesh) - 0.0004).abs() < 1e-6);
    }

    #[test]
    fn every_kind_of_entity_has_triangles() {
        let level = showcase::hilly();
        let mut shapes: Vec<Shape> = Vec::new();
        let scene = Scene {
            level: &level,
            palette: Look::Dark.palette(),
            meshes: &crate::document::mesh_library::NO_MESHES,
        };
        scene.draw(crate::preview::Layers::ALL, &mut shapes);
        let mut tessellator = Tessellator::new(DVec2::ZERO);
        for shape in &shapes {
            let mut mesh = Mesh::default();
            tessellator.add(shape, &mut mesh);
            check(&mesh);
            let text = matches!(shape.primitive, Primitive::Text(_));
            assert_eq!(mesh.is_empty(), text, "{shape:?}");
        }
    }

    proptest! {
        #[test]
        fn any_polygon_becomes_triangles_or_nothing(polygon in hostile::any_polygon()) {
            let rings: Vec<Ring> = polygon.rings().cloned().collect();
            let dashed = Stroke::pixels(ink(), 1.0).dashed(Dash::Dashed);
            for rule in [FillRule::EvenOdd, FillRule::NonZero] {
                check(&mesh_of(area(rings.clone(), rule, Some(dashed))));
                check(&mesh_of(area(rings.clone(), rule, None)));
            }
            let mut shapes: Vec<Shape> = Vec::new();
            shapes.add(Shape { plane: Plane::Routes, entity: None, min_scale: 0.0,
                primitive: Primitive::Line { points: polygon.outer, closed: false, stroke: dashed } });
            let mut mesh = Mesh::default();
            Tessellator::new(DVec2::ZERO).add(&shapes[0], &mut mesh);
            check(&mesh);
        }
    }
}

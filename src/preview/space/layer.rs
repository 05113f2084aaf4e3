//! One layer of a 3D image: triangles, lines, boxes and labels that belong together.

use super::figure::SpaceFigure;
use crate::base::Colour;
use crate::geometry::Aabb;
use crate::preview::primitive::Ink;
use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// GPU colours: red, green, blue, opacity; not premultiplied.
pub type Rgba = [u8; 4];

#[must_use]
pub const fn opaque(colour: Colour) -> Rgba {
    [colour.r, colour.g, colour.b, 255]
}

#[must_use]
pub fn rgba(ink: Ink) -> Rgba {
    let alpha = (ink.alpha.clamp(0.0, 1.0) * 255.0).round() as u8;
    [ink.colour.r, ink.colour.g, ink.colour.b, alpha]
}

#[derive(Clone, Copy, Debug, Pod, PartialEq, Zeroable)]
#[repr(C)]
pub struct SpaceVertex {
    pub position: [f32; 3],
    pub colour: Rgba,
}

/// Constant screen width at any distance.
#[derive(Clone, Copy, Debug, Pod, PartialEq, Zeroable)]
#[repr(C)]
pub struct SpaceLine {
    pub from: [f32; 3],
    pub to: [f32; 3],
    pub colour: Rgba,
    /// Unit: points.
    pub width: f32,
}

/// An axis-aligned box, shaded like a body.
#[derive(Clone, Copy, Debug, Pod, PartialEq, Zeroable)]
#[repr(C)]
pub struct SpaceBox {
    pub centre: [f32; 3],
    pub half: [f32; 3],
    pub colour: Rgba,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SpaceLabel {
    /// World position. Unit: metres.
    pub at: DVec3,
    pub text: String,
    pub colour: Colour,
}

/// How the triangles of a layer are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Manner {
    /// Two-sided.
    #[default]
    Surface,
    /// Bounds a volume: where it is cut open, its inside is drawn solid.
    Closed,
    /// The ground, with the terrain texture.
    Ground,
    /// Over everything, regardless of depth: handles and selections.
    OnTop,
}

/// Contents never change: a different image is a different layer, with a new id.
#[derive(Clone, Debug)]
pub struct SpaceLayer {
    id: u64,
    pub manner: Manner,
    pub vertices: Vec<SpaceVertex>,
    /// Three per triangle, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
    pub lines: Vec<SpaceLine>,
    pub boxes: Vec<SpaceBox>,
    pub figures: Vec<SpaceFigure>,
    pub labels: Vec<SpaceLabel>,
    bounds: OnceLock<Aabb>,
}

impl Default for SpaceLayer {
    fn default() -> Self {
        Self::new(Manner::Surface)
    }
}

impl SpaceLayer {
    #[must_use]
    pub fn new(manner: Manner) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            manner,
            vertices: Vec::new(),
            indices: Vec::new(),
            lines: Vec::new(),
            boxes: Vec::new(),
            figures: Vec::new(),
            labels: Vec::new(),
            bounds: OnceLock::new(),
        }
    }

    /// Bounds of everything drawn, in its own frame; call once it is filled.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let place = |p: [f32; 3]| DVec3::from_array(p.map(f64::from));
        *self.bounds.get_or_init(|| {
            let corners = self.vertices.iter().map(|vertex| place(vertex.position));
            let ends = self.lines.iter().flat_map(|line| [line.from, line.to]);
            let boxes = self.boxes.iter().flat_map(|cell| {
                let (centre, half) = (place(cell.centre), place(cell.half));
                [centre - half, centre + half]
            });
            let figures = self.figures.iter().flat_map(SpaceFigure::extent);
            Aabb::of_points(corners.chain(ends.map(place)).chain(boxes).chain(figures))
        })
    }

    /// Never reused for another layer.
    #[must_use]
    pub const fn id(&self) -> u64 {
        self.id
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
            && self.lines.is_empty()
            && self.boxes.is_empty()
            && self.figures.is_empty()
            && self.labels.is_empty()
    }

    /// A polyline in the layer's frame.
    pub fn polyline(&mut self, points: &[DVec3], colour: Rgba, width: f32) {
        self.lines.extend(points.windows(2).map(|pair| SpaceLine {
            from: pair[0].as_vec3().to_array(),
            to: pair[1].as_vec3().to_array(),
            colour,
            width,
        }));
    }

    /// A flat convex outline, counter-clockwise seen from the side it faces.
    pub fn fan(&mut self, points: &[DVec3], colour: Rgba) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(points.iter().map(|p| SpaceVertex {
            position: p.as_vec3().to_array(),
            colour,
        }));
        self.indices
            .extend((2..points.len() as u32).flat_map(|i| [first, first + i - 1, first + i]));
    }
}

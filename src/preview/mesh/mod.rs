//! Shapes as triangles, independent of zoom: widths, sizes, dashes and textures are evaluated at
//! draw time from vertex attributes.
//!
//! The screen position of a vertex, in pixels, is that of its `position`, moved along its `offset`
//! by its `size` and along its `normal` by its `width` plus half a pixel for the soft edge; sizes
//! and widths are the larger of their metres at the scale and their pixels. Fills have no normal.

mod tessellate;

pub use tessellate::Tessellator;

use super::primitive::{Dash, Ink};
use crate::document::Pattern;

/// What the colour inside a triangle depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum VertexKind {
    /// Ink, with a texture over it.
    Fill = 0,
    /// A line: `across` runs from −1 to 1 over its width, `along` in metres over its length.
    Stroke = 1,
    /// The soft rim around a fill: opaque where `across` is 0, transparent where it is 1.
    Rim = 2,
    /// A square that represents its inscribed circle; its radius is the `size`.
    Disc = 3,
    /// Like [`Disc`](Self::Disc), but only a band of `width` to either side of the circle.
    Ring = 4,
}

/// Normals and offsets are stored in these units: up to eight lengths, at a resolution of 1/4096.
pub const DIRECTION_UNIT: f32 = 1.0 / 4096.0;

/// Packed for the GPU.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::NoUninit)]
#[repr(C)]
pub struct Vertex {
    /// From the mesh's origin. Unit: metres.
    pub position: [f32; 2],
    /// Metres and pixels that scale `offset`.
    pub size: [f32; 2],
    /// Metres and pixels that scale `normal`: half a line's width.
    pub width: [f32; 2],
    /// Arc length of the line before this point. Unit: metres.
    pub along: f32,
    /// Not drawn below this scale. Unit: pixels per metre.
    pub min_scale: f32,
    /// Unit: [`DIRECTION_UNIT`].
    pub offset: [i16; 2],
    /// Unit: [`DIRECTION_UNIT`].
    pub normal: [i16; 2],
    /// Red, green, blue, opacity.
    pub ink: [u8; 4],
    pub texture_ink: [u8; 4],
    /// [`VertexKind`].
    pub kind: u8,
    /// Index into [`Pattern::ALL`].
    pub texture: u8,
    /// 0 solid, 1 dashed, 2 dotted.
    pub dash: u8,
    /// −1, 0 or 1.
    pub across: i8,
}

impl Vertex {
    pub const BLANK: Self = Self {
        position: [0.0; 2],
        size: [0.0; 2],
        width: [0.0; 2],
        along: 0.0,
        min_scale: 0.0,
        offset: [0; 2],
        normal: [0; 2],
        ink: [0; 4],
        texture_ink: [0; 4],
        kind: VertexKind::Fill as u8,
        texture: 0,
        dash: 0,
        across: 0,
    };
}

/// Triangles in painting order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    pub vertices: Vec<Vertex>,
    pub indices: Vec<u32>,
}

impl Mesh {
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// Adds another mesh on top.
    pub fn append(&mut self, other: &Self) {
        let base = self.vertices.len() as u32;
        self.vertices.extend_from_slice(&other.vertices);
        self.indices.extend(other.indices.iter().map(|i| i + base));
    }
}

pub(super) fn bytes(ink: Ink) -> [u8; 4] {
    let alpha = (ink.alpha.clamp(0.0, 1.0) * 255.0).round() as u8;
    [ink.colour.r, ink.colour.g, ink.colour.b, alpha]
}

pub(super) const fn dash_code(dash: Dash) -> u8 {
    match dash {
        Dash::Solid => 0,
        Dash::Dashed => 1,
        Dash::Dotted => 2,
    }
}

pub(super) fn texture_code(pattern: Pattern) -> u8 {
    Pattern::ALL.iter().position(|p| *p == pattern).unwrap_or(0) as u8
}

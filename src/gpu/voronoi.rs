//! The nearest obstacle per pixel by rendering: colour is the obstacle, depth the distance.
//!
//! Hoff et al. 1999, as used by Overmars et al. 2008, §2: every outline segment is drawn as its
//! distance mesh, seen from straight above — a tent along the segment and a cone around each end —
//! and the depth test keeps the lowest.
//!
//! Deviations: a mesh is drawn only in the blocks of the image where it can win ([`Blocks`]), since
//! full cones would cover everything once per corner; and its height is computed per pixel instead
//! of interpolated over triangles, so that cones are round. The inside of an obstacle is drawn at
//! depth 0.

pub mod overlay;

use super::{Attribute, AttributeType, DistanceTarget, GpuError, MeshBuffer, Program};
use crate::geometry::Polygon;
use crate::geometry::proximity::{Blocks, PixelGrid};
use bytemuck::{Pod, Zeroable};
use glam::{DVec2, UVec2, Vec2};
use glow::HasContext as _;
use lyon::math::point;
use lyon::path::Path;
use lyon::tessellation::{
    BuffersBuilder, FillOptions, FillRule, FillTessellator, FillVertex, VertexBuffers,
};
use std::mem::offset_of;

/// Side of the blocks that share a list of candidates. Smaller blocks have less overdraw, but there
/// are more of them.
const BLOCK: u32 = 16;

/// Longest side of a tile drawn at once, even if the GPU would allow more: a tile's textures take 8
/// bytes per pixel.
const LONGEST_TILE: u32 = 4096;

/// Outline segments with the colour of their obstacle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sites {
    segments: Vec<[DVec2; 2]>,
    colours: Vec<u32>,
    insides: Vec<(Polygon, u32)>,
}

impl Sites {
    /// Adds all edges of a polygon; skips those that are not finite.
    pub fn add_outline(&mut self, polygon: &Polygon, colour: u32) {
        for (a, b) in polygon.edges() {
            if a.is_finite() && b.is_finite() {
                self.segments.push([a, b]);
                self.colours.push(colour);
            }
        }
    }

    /// Adds outline and inside, by the even–odd rule.
    pub fn add_area(&mut self, polygon: &Polygon, colour: u32) {
        self.add_outline(polygon, colour);
        if polygon.points().all(|p| p.is_finite()) {
            self.insides.push((polygon.clone(), colour));
        }
    }

    #[must_use]
    pub fn segments(&self) -> &[[DVec2; 2]] {
        &self.segments
    }

    #[must_use]
    pub fn colours(&self) -> &[u32] {
        &self.colours
    }
}

/// One corner of a block in which a site is drawn. Unit: pixels.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct SiteVertex {
    corner: [f32; 2],
    offset: [f32; 2],
    /// Relative to the block, where small numbers are exact.
    segment: [f32; 4],
    colour: [u8; 4],
}

/// What to draw into one window of an image.
#[derive(Debug, Default)]
pub struct NearestMesh {
    vertices: Vec<SiteVertex>,
    indices: Vec<u32>,
    inside_vertices: Vec<SiteVertex>,
    inside_indices: Vec<u32>,
    size: UVec2,
    /// Distance at depth 1. Unit: pixels.
    reach: f64,
}

impl NearestMesh {
    /// The parts of all distance meshes that are visible in a window of the grid.
    #[must_use]
    pub fn of(sites: &Sites, grid: &PixelGrid, [low, high]: [UVec2; 2]) -> Self {
        let blocks = Blocks::of(&sites.segments, grid, [low, high], BLOCK);
        let farthest = blocks.farthest() / grid.pixel;
        let mut mesh = Self {
            size: high - low,
            reach: if farthest.is_finite() {
                (farthest * 1.001).max(1.0)
            } else {
                1.0
            },
            ..Self::default()
        };
        for (block, near) in blocks.iter() {
            let from = grid.corner(block.low);
            let corner = (block.low - low).as_vec2().to_array();
            let span = (block.high - block.low).as_vec2();
            for &site in near {
                let [a, b] =
                    sites.segments[site as usize].map(|end| ((end - from) / grid.pixel).as_vec2());
                let first = mesh.vertices.len() as u32;
                let vertex = |x, y| SiteVertex {
                    corner,
                    offset: (span * Vec2::new(x, y)).to_array(),
                    segment: [a.x, a.y, b.x, b.y],
                    colour: sites.colours[site as usize].to_le_bytes(),
                };
                mesh.vertices.extend([
                    vertex(0.0, 0.0),
                    vertex(1.0, 0.0),
                    vertex(1.0, 1.0),
                    vertex(0.0, 1.0),
                ]);
                mesh.indices
                    .extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
            }
        }
        mesh.add_insides(sites, grid, [low, high]);
        mesh
    }

    fn add_insides(&mut self, sites: &Sites, grid: &PixelGrid, [low, high]: [UVec2; 2]) {
        let from = grid.corner(low);
        let seen = crate::geometry::Rect::new(from, grid.corner(high));
        let mut tessellator = FillTessellator::new();
        // Nothing is curved, but the tessellator requires a tolerance.
        let options = FillOptions::tolerance(0.1).with_fill_rule(FillRule::EvenOdd);
        for (polygon, colour) in &sites.insides {
            if !polygon.bounds().overlaps(&seen) {
                continue;
            }
            let mut path = Path::builder();
            for ring in polygon.rings().filter(|ring| ring.len() >= 3) {
                let at = |p: &DVec2| {
                    let p = ((*p - from) / grid.pixel).as_vec2();
                    point(p.x, p.y)
                };
                path.begin(at(&ring[0]));
                for p in &ring[1..] {
                    path.line_to(at(p));
                }
                path.end(true);
            }
            let vertex = |vertex: FillVertex<'_>| SiteVertex {
                corner: vertex.position().to_array(),
                offset: [0.0; 2],
                segment: [0.0; 4],
                colour: colour.to_le_bytes(),
            };
            let mut buffers: VertexBuffers<SiteVertex, u32> = VertexBuffers::new();
            let outcome = tessellator.tessellate_path(
                &path.build(),
                &options,
                &mut BuffersBuilder::new(&mut buffers, vertex),
            );
            // If tessellation fails, the inside shows distances, still in the right colour.
            if outcome.is_ok() {
                let first = self.inside_vertices.len() as u32;
                self.inside_vertices.extend(buffers.vertices);
                self.inside_indices
                    .extend(buffers.indices.into_iter().map(|i| first + i));
            }
        }
    }

    /// Distance at depth 1. Unit: pixels.
    #[must_use]
    pub const fn reach(&self) -> f64 {
        self.reach
    }

    /// Number of blocks drawn, each counted once per site that can win in it.
    #[must_use]
    pub const fn quads(&self) -> usize {
        self.vertices.len() / 4
    }
}

/// GPU objects of the pass.
#[derive(Debug)]
pub struct NearestPass {
    program: Program,
    outside: MeshBuffer,
    inside: MeshBuffer,
}

const ATTRIBUTES: [Attribute; 4] = {
    const fn attribute(lanes: u8, of: AttributeType, offset: usize) -> Attribute {
        Attribute {
            lanes,
            of,
            offset: offset as u16,
        }
    }
    [
        attribute(2, AttributeType::Float, offset_of!(SiteVertex, corner)),
        attribute(2, AttributeType::Float, offset_of!(SiteVertex, offset)),
        attribute(4, AttributeType::Float, offset_of!(SiteVertex, segment)),
        attribute(4, AttributeType::UnitByte, offset_of!(SiteVertex, colour)),
    ]
};

impl NearestPass {
    /// # Errors
    /// The context is too old, or the driver reported an error.
    pub fn new(gl: &glow::Context) -> Result<Self, GpuError> {
        let program = Program::new(
            gl,
            include_str!("../../assets/shaders/voronoi/nearest.vert"),
            include_str!("../../assets/shaders/voronoi/nearest.frag"),
        )?;
        let buffer = || MeshBuffer::new(gl, &ATTRIBUTES, size_of::<SiteVertex>());
        let buffers = buffer().and_then(|outside| match buffer() {
            Ok(inside) => Ok((outside, inside)),
            Err(error) => {
                outside.delete(gl);
                Err(error)
            }
        });
        match buffers {
            Ok((outside, inside)) => Ok(Self {
                program,
                outside,
                inside,
            }),
            Err(error) => {
                program.delete(gl);
                Err(error)
            }
        }
    }

    /// Draws a window into the lower left of a target, which stays bound. Turns the depth test off
    /// afterwards.
    pub fn draw(&mut self, gl: &glow::Context, mesh: &NearestMesh, target: &DistanceTarget) {
        target.begin(gl, mesh.size.to_array());
        self.outside
            .fill(gl, bytemuck::cast_slice(&mesh.vertices), &mesh.indices);
        self.inside.fill(
            gl,
            bytemuck::cast_slice(&mesh.inside_vertices),
            &mesh.inside_indices,
        );
        let program = &self.program;
        program.bind(gl);
        program.set_vec2(gl, "window", mesh.size.as_vec2().to_array());
        program.set_float(gl, "reach", mesh.reach as f32);
        program.set_float(gl, "is_outside", 1.0);
        // SAFETY: state changes only. Ties go to the first site; where insides overlap, to the
        // last.
        unsafe { gl.depth_func(glow::LESS) };
        self.outside.draw(gl);
        program.set_float(gl, "is_outside", 0.0);
        // SAFETY: as above.
        unsafe { gl.depth_func(glow::LEQUAL) };
        self.inside.draw(gl);
        // SAFETY: as above.
        unsafe { gl.disable(glow::DEPTH_TEST) };
    }

    /// The whole image, drawn in tiles if it exceeds the GPU's limit (or `longest_tile`): for each
    /// pixel from the lower left the colour and the distance in metres.
    ///
    /// # Errors
    /// The driver reported an error, or the context is lost.
    pub fn picture(
        &mut self,
        gl: &glow::Context,
        sites: &Sites,
        grid: &PixelGrid,
        longest_tile: Option<u32>,
    ) -> Result<(Vec<u32>, Vec<f64>), GpuError> {
        let limit = longest_tile
            .unwrap_or(LONGEST_TILE)
            .clamp(1, DistanceTarget::limit(gl).max(1));
        let tile = grid.size.min(UVec2::splat(limit));
        let target = DistanceTarget::new(gl, tile.to_array())?;
        let columns = grid.size.x as usize;
        let mut colours = vec![u32::MAX; columns * grid.size.y as usize];
        let mut distances = vec![f64::INFINITY; colours.len()];
        for y in (0..grid.size.y).step_by(tile.y as usize) {
            for x in (0..grid.size.x).step_by(tile.x as usize) {
                let low = UVec2::new(x, y);
                let high = (low + tile).min(grid.size);
                let mesh = NearestMesh::of(sites, grid, [low, high]);
                self.draw(gl, &mesh, &target);
                let size = high - low;
                let (inks, depths) = target.read(gl, size.to_array());
                let metres = mesh.reach * grid.pixel;
                for row in 0..size.y as usize {
                    let from = row * size.x as usize..(row + 1) * size.x as usize;
                    let to = (y as usize + row) * columns + x as usize;
                    let to = to..to + size.x as usize;
                    colours[to.clone()].copy_from_slice(&inks[from.clone()]);
                    for (distance, depth) in distances[to].iter_mut().zip(&depths[from]) {
                        *distance = f64::from(*depth) * metres;
                    }
                }
            }
        }
        for (colour, distance) in colours.iter().zip(&mut distances) {
            if *colour == u32::MAX {
                *distance = f64::INFINITY;
            }
        }
        target.delete(gl);
        super::check(gl, "drawing distances")?;
        Ok((colours, distances))
    }

    pub fn delete(self, gl: &glow::Context) {
        self.program.delete(gl);
        self.outside.delete(gl);
        self.inside.delete(gl);
    }
}

//! Draws the plan view's triangles with OpenGL: one program, one buffer per chunk.

use super::regions_layer::RegionsFrame;
use crate::document::Pattern;
use crate::gpu::voronoi::overlay::RegionsOverlay;
use crate::gpu::{self, Attribute, AttributeType, GpuError, MeshBuffer, Program, TextureArray};
use crate::preview::cache::{Chunk, PlanCache};
use crate::preview::mesh::{Mesh, Vertex};
use crate::preview::{Layers, Plane, texture, tile_mask};
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;

/// Side of a pattern's tile as a texture: sharp up to tiles of twice their usual size.
const TILE_TEXELS: u32 = 64;
/// Buffers kept for chunks to come, so that dragging makes none anew.
const SPARE_BUFFERS: usize = 8;
/// Marks and lines reach beyond the places that a chunk's bounds know of. Unit: points.
const SIGN_REACH: f64 = 48.0;

/// Which part of the world goes where, in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// World point in the middle of the viewport. Unit: metres.
    pub centre: DVec2,
    /// Unit: points per metre.
    pub points_per_metre: f64,
    /// Unit: pixels.
    pub viewport: DVec2,
    pub pixels_per_point: f64,
}

impl Projection {
    /// Something of the chunk may be in sight.
    #[must_use]
    pub fn sees(&self, chunk: &Chunk) -> bool {
        let half = self.viewport * 0.5 / self.pixels_per_point + SIGN_REACH;
        let seen = crate::geometry::Rect::around(self.centre, half / self.points_per_metre);
        chunk.bounds.is_empty() || seen.overlaps(&chunk.bounds)
    }
}

/// What is new for the graphics card, and what to draw with what it has: made while the window
/// is laid out, drawn when it is painted.
#[derive(Debug, Default)]
pub struct PlanFrame {
    /// Everything the level consists of, from the bottom to the top.
    chunks: Vec<ChunkFrame>,
    /// The grid, which lies within the level.
    pub grid: Mesh,
    /// Selection and hover, on top.
    pub highlights: Mesh,
    pub origin: DVec2,
    /// Voronoi regions and distances, under the grid.
    pub regions: Option<RegionsFrame>,
}

#[derive(Debug)]
struct ChunkFrame {
    plane: Plane,
    revision: u64,
    is_seen: bool,
    /// Given where the graphics card does not have it yet.
    mesh: Option<Mesh>,
}

impl PlanFrame {
    /// What of a cache is seen, with the triangles that the graphics card does not have yet.
    #[must_use]
    pub fn new(
        cache: &PlanCache,
        layers: Layers,
        projection: &Projection,
        has: impl Fn(u64) -> bool,
    ) -> Self {
        let chunks = cache
            .chunks()
            .iter()
            .map(|chunk| ChunkFrame {
                plane: chunk.plane,
                revision: chunk.revision,
                is_seen: layers.shows(chunk.plane) && projection.sees(chunk),
                mesh: (!has(chunk.revision)).then(|| chunk.mesh()),
            })
            .collect();
        Self {
            chunks,
            origin: cache.origin(),
            ..Self::default()
        }
    }

    /// Puts triangles that are not the level's own in their place among the others.
    pub fn insert(&mut self, plane: Plane, revision: u64, mesh: Option<Mesh>) {
        let at = self.chunks.partition_point(|chunk| chunk.plane <= plane);
        self.chunks.insert(
            at,
            ChunkFrame {
                plane,
                revision,
                is_seen: true,
                mesh,
            },
        );
    }
}

/// The plan view's objects on the graphics card.
#[derive(Debug)]
pub struct GlPlan {
    program: Program,
    patterns: TextureArray,
    chunks: BTreeMap<u64, MeshBuffer>,
    spare: Vec<MeshBuffer>,
    grid: MeshBuffer,
    highlights: MeshBuffer,
    /// Made when somebody first wants to see them.
    regions: Option<RegionsOverlay>,
    is_software: bool,
}

impl GlPlan {
    /// # Errors
    /// The context is too old, or the driver refuses.
    pub fn new(gl: &glow::Context) -> Result<Self, GpuError> {
        let program = Program::new(gl, include_str!("plan.vert"), include_str!("plan.frag"))?;
        let tiles: Vec<Vec<u8>> = Pattern::ALL
            .into_iter()
            .map(|pattern| tile_mask(pattern, TILE_TEXELS))
            .collect();
        Ok(Self {
            program,
            patterns: TextureArray::new(gl, TILE_TEXELS, &tiles)?,
            chunks: BTreeMap::new(),
            spare: Vec::new(),
            grid: buffer(gl)?,
            highlights: buffer(gl)?,
            regions: None,
            is_software: gpu::is_software(gl),
        })
    }

    /// The graphics card has the triangles of this revision already.
    #[must_use]
    pub fn has(&self, revision: u64) -> bool {
        self.chunks.contains_key(&revision)
    }

    /// The same for the picture of Voronoi regions.
    #[must_use]
    pub fn has_regions(&self, revision: u64) -> bool {
        self.regions
            .as_ref()
            .is_some_and(|regions| regions.has(revision))
    }

    /// OpenGL without a graphics card.
    #[must_use]
    pub const fn is_software(&self) -> bool {
        self.is_software
    }

    /// Draws a frame over what is there. The context is current.
    ///
    /// # Errors
    /// The driver refuses something, or the context is lost.
    pub fn draw(
        &mut self,
        gl: &glow::Context,
        frame: &PlanFrame,
        projection: &Projection,
    ) -> Result<(), GpuError> {
        self.take_in(gl, frame)?;
        self.take_regions(gl, frame.regions.as_ref())?;
        gpu::blend_over(gl);
        self.set_uniforms(gl, frame.origin, projection);
        let above_grid = frame
            .chunks
            .partition_point(|chunk| chunk.plane < Plane::Grid);
        let (below, above) = frame.chunks.split_at(above_grid);
        self.draw_chunks(gl, below);
        if let (Some(regions), Some(frame)) = (&self.regions, &frame.regions) {
            regions.show(gl, &frame.look);
        }
        self.set_uniforms(gl, frame.origin, projection);
        self.grid.draw(gl);
        self.draw_chunks(gl, above);
        self.highlights.draw(gl);
        gpu::check(gl, "drawing the plan view")
    }

    fn draw_chunks(&self, gl: &glow::Context, chunks: &[ChunkFrame]) {
        for chunk in chunks.iter().filter(|chunk| chunk.is_seen) {
            if let Some(buffer) = self.chunks.get(&chunk.revision) {
                buffer.draw(gl);
            }
        }
    }

    fn take_regions(
        &mut self,
        gl: &glow::Context,
        frame: Option<&RegionsFrame>,
    ) -> Result<(), GpuError> {
        let Some(frame) = frame else {
            // Its textures are as large as the window.
            if let Some(regions) = self.regions.take() {
                regions.delete(gl);
            }
            return Ok(());
        };
        let mut regions = match self.regions.take() {
            Some(regions) => regions,
            None => RegionsOverlay::new(gl)?,
        };
        let outcome = match &frame.mesh {
            Some(mesh) => regions.take(gl, frame.revision, mesh),
            None => Ok(()),
        };
        self.regions = Some(regions);
        outcome
    }

    /// Gives the graphics card what is new and takes back what is out of date.
    fn take_in(&mut self, gl: &glow::Context, frame: &PlanFrame) -> Result<(), GpuError> {
        let current: BTreeSet<u64> = frame.chunks.iter().map(|chunk| chunk.revision).collect();
        let outdated: Vec<u64> = self
            .chunks
            .keys()
            .copied()
            .filter(|revision| !current.contains(revision))
            .collect();
        self.spare.extend(
            outdated
                .iter()
                .filter_map(|revision| self.chunks.remove(revision)),
        );
        for chunk in &frame.chunks {
            if let Some(mesh) = &chunk.mesh
                && !self.chunks.contains_key(&chunk.revision)
            {
                let mut buffer = match self.spare.pop() {
                    Some(buffer) => buffer,
                    None => buffer(gl)?,
                };
                fill(&mut buffer, gl, mesh);
                self.chunks.insert(chunk.revision, buffer);
            }
        }
        while self.spare.len() > SPARE_BUFFERS
            && let Some(buffer) = self.spare.pop()
        {
            buffer.delete(gl);
        }
        fill(&mut self.grid, gl, &frame.grid);
        fill(&mut self.highlights, gl, &frame.highlights);
        Ok(())
    }

    fn set_uniforms(&self, gl: &glow::Context, origin: DVec2, projection: &Projection) {
        let program = &self.program;
        let scale = projection.points_per_metre * projection.pixels_per_point;
        let from_centre = origin - projection.centre;
        program.bind(gl);
        self.patterns.bind(gl, 0);
        program.set_int(gl, "patterns", 0);
        program.set_vec2(gl, "origin", from_centre.as_vec2().to_array());
        let half = projection.viewport * 0.5;
        program.set_vec2(gl, "half_viewport", half.as_vec2().to_array());
        program.set_float(gl, "scale", scale as f32);
        program.set_float(gl, "point", projection.pixels_per_point as f32);
        let Tiles {
            metres,
            phases,
            second,
        } = Tiles::at(projection.points_per_metre, origin);
        program.set_vec2(gl, "tile", metres.map(|m| m as f32));
        program.set_vec2(gl, "phase_first", phases[0].as_vec2().to_array());
        program.set_vec2(gl, "phase_second", phases[1].as_vec2().to_array());
        program.set_float(gl, "second", second as f32);
    }

    pub fn delete(self, gl: &glow::Context) {
        self.program.delete(gl);
        self.patterns.delete(gl);
        if let Some(regions) = self.regions {
            regions.delete(gl);
        }
        for buffer in self
            .chunks
            .into_values()
            .chain(self.spare)
            .chain([self.grid, self.highlights])
        {
            buffer.delete(gl);
        }
    }
}

/// The two tile sizes nearest to the usual one, and how far the view is between them.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tiles {
    metres: [f64; 2],
    /// Where in its tile the mesh's origin lies, from 0 to 1.
    phases: [DVec2; 2],
    second: f64,
}

impl Tiles {
    fn at(points_per_metre: f64, origin: DVec2) -> Self {
        let exact = (texture::TILE / points_per_metre).log2();
        let metres = [exact.floor().exp2(), (exact.floor() + 1.0).exp2()];
        // Mostly one of them, with a short change between.
        let way = ((exact.fract().rem_euclid(1.0) - 0.35) / 0.3).clamp(0.0, 1.0);
        Self {
            metres,
            phases: metres.map(|tile| (origin / tile).rem_euclid(DVec2::ONE)),
            second: way * way * (3.0 - 2.0 * way),
        }
    }
}

const ATTRIBUTES: [Attribute; 9] = {
    use AttributeType::{Float, Short, SignedByte, UnitByte};
    const fn attribute(lanes: u8, of: AttributeType, offset: usize) -> Attribute {
        Attribute {
            lanes,
            of,
            offset: offset as u16,
        }
    }
    [
        attribute(2, Float, offset_of!(Vertex, position)),
        attribute(2, Float, offset_of!(Vertex, size)),
        attribute(2, Float, offset_of!(Vertex, width)),
        attribute(2, Float, offset_of!(Vertex, along)),
        attribute(2, Short, offset_of!(Vertex, offset)),
        attribute(2, Short, offset_of!(Vertex, normal)),
        attribute(4, UnitByte, offset_of!(Vertex, ink)),
        attribute(4, UnitByte, offset_of!(Vertex, texture_ink)),
        attribute(4, SignedByte, offset_of!(Vertex, kind)),
    ]
};

fn buffer(gl: &glow::Context) -> Result<MeshBuffer, GpuError> {
    MeshBuffer::new(gl, &ATTRIBUTES, size_of::<Vertex>())
}

fn fill(buffer: &mut MeshBuffer, gl: &glow::Context, mesh: &Mesh) {
    buffer.fill(gl, bytemuck::cast_slice(&mesh.vertices), &mesh.indices);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pattern_tiles_keep_their_size_and_place_while_zooming() {
        let origin = DVec2::new(123.4, -7.0);
        for scale in [0.01, 0.7, 3.0, 8.0, 90.0, 4000.0] {
            let tiles = Tiles::at(scale, origin);
            let shown = tiles.metres[usize::from(tiles.second > 0.5)] * scale;
            assert!((15.0..36.0).contains(&shown), "{scale} {shown}");
            assert_eq!(tiles.metres[1], 2.0 * tiles.metres[0]);
            for (tile, phase) in tiles.metres.into_iter().zip(tiles.phases) {
                let tiles_to_origin = origin / tile - phase;
                assert!((tiles_to_origin - tiles_to_origin.round()).length() < 1e-9);
            }
        }
    }
}

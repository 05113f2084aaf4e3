//! Draws the plan view's triangles with OpenGL: one buffer per chunk.

use super::plan_buffer::{Coating, PlanBuffer};
use super::plan_programs::PlanPrograms;
use super::regions_layer::RegionsFrame;
use crate::gpu::voronoi::overlay::RegionsOverlay;
use crate::gpu::{self, GpuError};
use crate::preview::cache::{Chunk, PlanCache};
use crate::preview::mesh::Mesh;
use crate::preview::{Layers, Plane};
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};

/// Buffers kept for chunks to come, so that dragging allocates none.
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
    programs: PlanPrograms,
    chunks: BTreeMap<u64, PlanBuffer>,
    spare: Vec<PlanBuffer>,
    grid: PlanBuffer,
    highlights: PlanBuffer,
    /// Created when they are first shown.
    regions: Option<RegionsOverlay>,
    is_software: bool,
}

impl GlPlan {
    /// # Errors
    /// The context is too old, or the driver refuses.
    pub fn new(gl: &glow::Context) -> Result<Self, GpuError> {
        Ok(Self {
            programs: PlanPrograms::new(gl)?,
            chunks: BTreeMap::new(),
            spare: Vec::new(),
            grid: PlanBuffer::new(gl)?,
            highlights: PlanBuffer::new(gl)?,
            regions: None,
            is_software: gpu::is_software(gl),
        })
    }

    /// The graphics card has the triangles of this revision already.
    #[must_use]
    pub fn has(&self, revision: u64) -> bool {
        self.chunks.contains_key(&revision)
    }

    /// The picture of Voronoi regions, likewise.
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
        self.programs.set_view(gl, frame.origin, projection);
        self.programs.begin(gl);
        let mut bound = Coating::Plain;
        let above_grid = frame
            .chunks
            .partition_point(|chunk| chunk.plane < Plane::Grid);
        let (below, above) = frame.chunks.split_at(above_grid);
        self.draw_chunks(gl, below, &mut bound);
        if let (Some(regions), Some(frame)) = (&self.regions, &frame.regions) {
            regions.show(gl, &frame.look);
            self.programs.begin(gl);
            bound = Coating::Plain;
        }
        self.grid.draw(gl, &self.programs, &mut bound);
        self.draw_chunks(gl, above, &mut bound);
        self.highlights.draw(gl, &self.programs, &mut bound);
        gpu::check(gl, "drawing the plan view")
    }

    fn draw_chunks(&self, gl: &glow::Context, chunks: &[ChunkFrame], bound: &mut Coating) {
        for chunk in chunks.iter().filter(|chunk| chunk.is_seen) {
            if let Some(buffer) = self.chunks.get(&chunk.revision) {
                buffer.draw(gl, &self.programs, bound);
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
                    None => PlanBuffer::new(gl)?,
                };
                buffer.fill(gl, mesh);
                self.chunks.insert(chunk.revision, buffer);
            }
        }
        while self.spare.len() > SPARE_BUFFERS
            && let Some(buffer) = self.spare.pop()
        {
            buffer.delete(gl);
        }
        self.grid.fill(gl, &frame.grid);
        self.highlights.fill(gl, &frame.highlights);
        Ok(())
    }

    pub fn delete(self, gl: &glow::Context) {
        self.programs.delete(gl);
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

//! Chooses what voxelises scenes: the GPU if requested, otherwise the CPU.

use super::scene::VoxelScene;
use super::voxels::{Sampling, Voxels};
use crate::base::Backend;
use crate::geometry::VoxelFrame;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::graphics::{Graphics, Twin};
use std::sync::Arc;

#[cfg(feature = "gl")]
type Pass = crate::gpu::discretize::Discretizer;
#[cfg(not(feature = "gl"))]
type Pass = ();

/// Works on the thread that created it. If OpenGL is lost, the CPU takes over and
/// [`Discretizer::report`] says so. Both mark the same cells, up to rounding.
#[derive(Debug)]
pub struct Discretizer(Graphics<Pass>);

impl Discretizer {
    /// Looks for headless OpenGL 3.3, unless `backend` rules it out. Software OpenGL is slower than
    /// the CPU path and only used on explicit request.
    #[must_use]
    pub fn new(backend: Backend) -> Self {
        Self(Graphics::open(
            backend,
            "voxels were made",
            Twin::Faster,
            #[cfg(feature = "gl")]
            Pass::new,
        ))
    }

    /// The renderer's name, or that it is the CPU.
    #[must_use]
    pub fn by(&self) -> &str {
        self.0.by()
    }

    /// Why the CPU works although the GPU was requested.
    #[must_use]
    pub fn report(&self) -> Option<&str> {
        self.0.report()
    }

    /// # Errors
    /// The job was cancelled.
    pub fn voxels(
        &mut self,
        frame: VoxelFrame,
        scene: Arc<VoxelScene>,
        sampling: Sampling,
        ctx: &JobContext,
    ) -> Result<Voxels, Cancelled> {
        #[cfg(feature = "gl")]
        {
            let drawn = self
                .0
                .draw(|gl, discretizer| drawn::Drawn::of(gl, discretizer, frame, &scene, sampling));
            if let Some(drawn) = drawn {
                return drawn.voxels(scene, sampling, ctx);
            }
        }
        Voxels::build(frame, scene, sampling, ctx)
    }
}

#[cfg(feature = "gl")]
mod drawn {
    use super::super::{SurfaceCell, VoxelGrid};
    use super::{Cancelled, JobContext, Sampling, VoxelFrame, VoxelScene, Voxels};
    use crate::geometry::BitColumns;
    use crate::gpu::GpuError;
    use crate::gpu::discretize::{Discretizer, Part, TriangleDrawing};
    use crate::gpu::discretize::{Drawing, Occupancy};
    use crate::nav::voxel::tile::support_layers;
    use crate::nav::voxel::voxels::MAX_SAMPLING;
    use std::sync::Arc;

    /// The cells and sub-columns read back.
    pub(super) struct Drawn {
        frame: VoxelFrame,
        cells: Occupancy,
        fine: Option<(VoxelFrame, BitColumns)>,
    }

    impl Drawn {
        pub(super) fn of(
            gl: &glow::Context,
            discretizer: &Discretizer,
            frame: VoxelFrame,
            scene: &VoxelScene,
            sampling: Sampling,
        ) -> Result<Self, GpuError> {
            let objects = scene.objects.iter().map(|object| {
                let triangles = &object.triangles[..];
                (triangles, object.closed, object.forbidden)
            });
            let drawing = TriangleDrawing::new(gl, frame.origin, objects)?;
            let outcome = Self::with(gl, discretizer, frame, &drawing, sampling);
            drawing.delete(gl);
            outcome
        }

        fn with(
            gl: &glow::Context,
            discretizer: &Discretizer,
            frame: VoxelFrame,
            drawing: &TriangleDrawing,
            sampling: Sampling,
        ) -> Result<Self, GpuError> {
            let by = sampling.by.min(MAX_SAMPLING);
            let [width, height, layers] = frame.size;
            let size = [width.saturating_mul(by), height.saturating_mul(by), layers];
            // With too many sub-columns to store at once, the CPU counts them.
            let fine = VoxelFrame::new(
                frame.origin,
                frame.cell / f64::from(by.max(1)),
                frame.layer,
                size,
            )
            .ok()
            .filter(|_| by > 1 && drawing.has(Part::Everything));
            let fine = match fine {
                Some(fine) => {
                    let found = discretizer.discretize(gl, &fine, drawing)?;
                    Some((fine, found.occupied))
                }
                None => None,
            };
            Ok(Self {
                cells: discretizer.discretize(gl, &frame, drawing)?,
                frame,
                fine,
            })
        }

        pub(super) fn voxels(
            self,
            scene: Arc<VoxelScene>,
            sampling: Sampling,
            ctx: &JobContext,
        ) -> Result<Voxels, Cancelled> {
            let Occupancy {
                occupied,
                forbidden,
            } = &self.cells;
            let grid = VoxelGrid::of_bits(self.frame, occupied, forbidden);
            let by = sampling.by.min(MAX_SAMPLING);
            let counted = self.fine.as_ref().map(|(fine, bits)| {
                move |cell: &SurfaceCell| {
                    let there = (0..by * by)
                        .filter(|sub| {
                            let x = u32::from(cell.x) * by + sub % by;
                            let y = u32::from(cell.y) * by + sub / by;
                            let layer = u32::from(cell.layer);
                            let low = layer.saturating_sub(support_layers(&self.frame));
                            (low..=layer).any(|layer| bits.get(fine.slot(x, y), layer))
                        })
                        .count() as u32;
                    (there * 255 / (by * by)) as u8
                }
            });
            let weight = counted
                .as_ref()
                .map(|weight| weight as &(dyn Fn(&SurfaceCell) -> u8 + Sync));
            Voxels::of_grid(grid, scene, sampling, weight, ctx)
        }
    }
}

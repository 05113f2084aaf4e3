//! Chooses the renderer of the image: the GPU if available, otherwise the CPU.

use super::{NearestRaster, RasterError};
use crate::base::Backend;
use crate::geometry::{Polygon, Rect};
use crate::nav::graphics::{Graphics, Twin};

#[cfg(feature = "gl")]
type Pass = crate::gpu::voronoi::NearestPass;
#[cfg(not(feature = "gl"))]
type Pass = ();

/// Renders on the thread that created it. If OpenGL is lost, the CPU takes over and
/// [`Drawer::report`] says so.
#[derive(Debug)]
pub struct Drawer(Graphics<Pass>);

impl Drawer {
    /// Looks for headless OpenGL 3.3, unless `backend` rules it out.
    #[must_use]
    pub fn new(backend: Backend) -> Self {
        Self(Graphics::open(
            backend,
            "Voronoi regions were computed",
            Twin::Slower,
            #[cfg(feature = "gl")]
            Pass::new,
        ))
    }

    /// The renderer's name, or that it is the CPU.
    #[must_use]
    pub fn by(&self) -> &str {
        self.0.by()
    }

    /// Why the CPU renders although the GPU was requested.
    #[must_use]
    pub fn report(&self) -> Option<&str> {
        self.0.report()
    }

    /// The nearest obstacle of each pixel within bounds.
    ///
    /// # Errors
    /// There are no pixels, or too many.
    pub fn picture(
        &mut self,
        bounds: Rect,
        obstacles: &[Polygon],
        pixel: f64,
    ) -> Result<NearestRaster, RasterError> {
        #[cfg(feature = "gl")]
        {
            let drawn = self.0.draw(|gl, pass| {
                match NearestRaster::drawn(gl, pass, bounds, obstacles, pixel, None) {
                    Err(DrawError::Gpu(error)) => Err(error),
                    Err(DrawError::Raster(error)) => Ok(Err(error)),
                    Ok(raster) => Ok(Ok(raster)),
                }
            });
            if let Some(drawn) = drawn {
                return drawn;
            }
        }
        NearestRaster::of(bounds, obstacles, pixel)
    }
}

/// Why the GPU produced no image.
#[cfg(feature = "gl")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    #[error(transparent)]
    Raster(#[from] RasterError),
    #[error(transparent)]
    Gpu(#[from] crate::gpu::GpuError),
}

#[cfg(feature = "gl")]
impl NearestRaster {
    /// The image rendered by the GPU; `gl` is current. Tiles have at most `longest_tile` pixels per
    /// side, or as many as the GPU allows.
    ///
    /// # Errors
    /// There are no pixels or too many, or the driver reported an error.
    pub fn drawn(
        gl: &glow::Context,
        pass: &mut crate::gpu::voronoi::NearestPass,
        bounds: Rect,
        obstacles: &[Polygon],
        pixel: f64,
        longest_tile: Option<u32>,
    ) -> Result<Self, DrawError> {
        let grid = super::grid_of(bounds, pixel)?;
        let mut sites = crate::gpu::voronoi::Sites::default();
        for (obstacle, colour) in obstacles.iter().zip(0..) {
            sites.add_area(obstacle, colour);
        }
        sites.add_outline(&Polygon::rect(bounds), obstacles.len() as u32);
        let (colours, distances) = pass.picture(gl, &sites, &grid, longest_tile)?;
        Ok(Self {
            origin: grid.origin,
            pixel,
            size: grid.size,
            colours,
            distances,
        })
    }
}

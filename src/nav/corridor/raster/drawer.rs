//! Who makes the picture: the graphics card where there is one, else the processor.

use super::{NearestRaster, RasterError};
use crate::base::Backend;
use crate::geometry::{Polygon, Rect};
use crate::nav::graphics::{Graphics, Twin};

#[cfg(feature = "gl")]
type Pass = crate::gpu::voronoi::NearestPass;
#[cfg(not(feature = "gl"))]
type Pass = ();

/// Makes pictures on the thread that made it. Losing OpenGL is no failure: the processor goes on,
/// and [`Drawer::report`] says so.
#[derive(Debug)]
pub struct Drawer(Graphics<Pass>);

impl Drawer {
    /// Looks for OpenGL 3.3 without a window, unless told not to.
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

    /// What draws, in words: the renderer's name, or that it is the processor.
    #[must_use]
    pub fn by(&self) -> &str {
        self.0.by()
    }

    /// Why the processor draws although the graphics card was asked for.
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

/// Why the graphics card made no picture.
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
    /// The picture drawn by the graphics card; `gl` is current. Parts are at most `longest_tile`
    /// pixels a side, or as large as the card allows.
    ///
    /// # Errors
    /// There are no pixels or too many, or the driver refuses something.
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

//! Who makes the picture: the graphics card where there is one, else the processor.

use super::{NearestRaster, RasterError};
use crate::geometry::{Polygon, Rect};
use std::{fmt, str::FromStr};

/// By what pictures shall be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// OpenGL where it can be had.
    #[default]
    Auto,
    Gl,
    Cpu,
}

impl FromStr for Backend {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "gl" => Ok(Self::Gl),
            "cpu" => Ok(Self::Cpu),
            _ => Err(format!("`{text}` is none of auto, gl, cpu")),
        }
    }
}

/// Makes pictures on the thread that made it. Losing OpenGL is no failure: the processor goes on,
/// and [`Drawer::report`] says so.
pub struct Drawer {
    #[cfg(feature = "gl")]
    gl: Option<(
        crate::gpu::HeadlessContext,
        crate::gpu::voronoi::NearestPass,
    )>,
    /// What draws, in words.
    by: String,
    trouble: Option<String>,
}

impl fmt::Debug for Drawer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drawer").field("by", &self.by).finish()
    }
}

const PROCESSOR: &str = "the processor";

impl Drawer {
    /// Looks for OpenGL 3.3 without a window, unless told not to.
    #[must_use]
    pub fn new(backend: Backend) -> Self {
        #[cfg(feature = "gl")]
        if backend != Backend::Cpu {
            let made = crate::gpu::HeadlessContext::new().and_then(|context| {
                let pass = crate::gpu::voronoi::NearestPass::new(context.gl())?;
                Ok((context, pass))
            });
            return match made {
                Ok((context, pass)) => Self {
                    by: context.description(),
                    gl: Some((context, pass)),
                    trouble: None,
                },
                Err(error) => Self {
                    gl: None,
                    by: PROCESSOR.to_owned(),
                    trouble: Some(without(&error)),
                },
            };
        }
        Self {
            #[cfg(feature = "gl")]
            gl: None,
            by: PROCESSOR.to_owned(),
            trouble: (backend == Backend::Gl).then(|| {
                "Voronoi regions were computed by the processor: this program was built without \
                 OpenGL."
                    .to_owned()
            }),
        }
    }

    /// What draws, in words: the renderer's name, or that it is the processor.
    #[must_use]
    pub fn by(&self) -> &str {
        &self.by
    }

    /// Why the processor draws although the graphics card was asked for.
    #[must_use]
    pub fn report(&self) -> Option<&str> {
        self.trouble.as_deref()
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
        if let Some((context, pass)) = &mut self.gl {
            let outcome = context
                .make_current()
                .map_err(DrawError::from)
                .and_then(|()| {
                    NearestRaster::drawn(context.gl(), pass, bounds, obstacles, pixel, None)
                });
            match outcome {
                Ok(raster) => return Ok(raster),
                Err(DrawError::Raster(error)) => return Err(error),
                Err(DrawError::Gpu(error)) => {
                    // A context that failed once is not asked again.
                    self.gl = None;
                    PROCESSOR.clone_into(&mut self.by);
                    self.trouble = Some(without(&error));
                }
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
fn without(error: &crate::gpu::GpuError) -> String {
    format!("Voronoi regions were computed by the processor: {error}.")
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

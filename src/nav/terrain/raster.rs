//! The terrain as an image: one kind per pixel.
//!
//! Jaklin et al. 2013, §5 take terrain and obstacles from the colour buffer. The image here is
//! rendered on the CPU, polygon by polygon in painting order, or on the GPU from the triangulation.
//! Lines are traced in [`super::fine_raster`].

use super::input::TerrainInput;
use super::map::KindId;
use super::mesh::BLOCKED;
use crate::geometry::{Polygon, Rect};
use glam::{DVec2, IVec2, UVec2};

/// Maximum pixels of one image.
const MAX_PIXELS: f64 = 67_108_864.0;

/// Row by row from the lower left.
#[derive(Clone, Debug, PartialEq)]
pub struct TerrainRaster {
    /// World position of the lower left corner.
    pub origin: DVec2,
    /// Side of a pixel. Unit: metres.
    pub pixel: f64,
    pub size: UVec2,
    /// [`BLOCKED`] inside obstacles.
    pub kinds: Vec<KindId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RasterError {
    #[error("the pixels must be larger than 0 and the bounds must have an area")]
    NoArea,
    #[error("more than 67 million pixels; choose larger ones")]
    TooLarge,
    #[cfg(feature = "gl")]
    #[error("the graphics card could not draw the terrain")]
    Gpu,
}

/// Number of pixels that cover the bounds.
fn pixels(bounds: Rect, pixel: f64) -> Result<UVec2, RasterError> {
    let extent = bounds.size();
    let has_area = extent.is_finite() && extent.min_element() > 0.0;
    if !(has_area && pixel.is_finite() && pixel > 0.0) {
        return Err(RasterError::NoArea);
    }
    let counts = (extent / pixel).ceil();
    if counts.x * counts.y > MAX_PIXELS {
        return Err(RasterError::TooLarge);
    }
    Ok(counts.as_uvec2().max(UVec2::ONE))
}

impl TerrainRaster {
    /// The image of what is painted, with obstacles as drawn.
    ///
    /// # Errors
    /// There are no pixels, or too many.
    pub fn of(input: &TerrainInput, pixel: f64) -> Result<Self, RasterError> {
        let mut raster = Self::painted(input, pixel)?;
        for area in &input.obstacles {
            raster.fill(area, |kind| *kind = BLOCKED);
        }
        Ok(raster)
    }

    /// The image for discs: blocked where their centre may not be.
    ///
    /// # Errors
    /// There are no pixels, or too many.
    pub fn within(input: &TerrainInput, free: &[Polygon], pixel: f64) -> Result<Self, RasterError> {
        let mut raster = Self::painted(input, pixel)?;
        let mut is_free = vec![false; raster.kinds.len()];
        for area in free {
            raster.spans(area, |pixels| is_free[pixels].fill(true));
        }
        for (kind, is_free) in raster.kinds.iter_mut().zip(is_free) {
            if !is_free {
                *kind = BLOCKED;
            }
        }
        Ok(raster)
    }

    fn painted(input: &TerrainInput, pixel: f64) -> Result<Self, RasterError> {
        let size = pixels(input.bounds, pixel)?;
        let mut raster = Self {
            origin: input.bounds.min,
            pixel,
            size,
            kinds: vec![KindId(0); size.x as usize * size.y as usize],
        };
        for patch in &input.patches {
            raster.fill(&patch.area, |kind| *kind = patch.kind);
        }
        raster.block_outside(input.bounds);
        Ok(raster)
    }

    /// The outermost pixels may have their centres outside the level.
    fn block_outside(&mut self, bounds: Rect) {
        let last = self.size - 1;
        let beyond = self.middle(last).cmpgt(bounds.max);
        let columns = self.size.x as usize;
        let end = self.kinds.len();
        if beyond.y {
            self.kinds[end - columns..].fill(BLOCKED);
        }
        if beyond.x {
            for row in self.kinds.chunks_exact_mut(columns) {
                row[columns - 1] = BLOCKED;
            }
        }
    }

    fn fill(&mut self, area: &Polygon, mut paint: impl FnMut(&mut KindId)) {
        let mut kinds = std::mem::take(&mut self.kinds);
        self.spans(area, |pixels| kinds[pixels].iter_mut().for_each(&mut paint));
        self.kinds = kinds;
    }

    /// Ranges of pixels whose centres are inside by the even–odd rule, row by row.
    fn spans(&self, area: &Polygon, mut visit: impl FnMut(std::ops::Range<usize>)) {
        let bounds = Rect::of_points(area.points());
        if bounds.is_empty() || !area.points().all(|p| p.is_finite()) {
            return;
        }
        let row = |y: f64| (y - self.origin.y) / self.pixel - 0.5;
        // Casts saturate.
        let from = row(bounds.min.y).floor().max(0.0) as u32;
        let to = (row(bounds.max.y) + 2.0).clamp(0.0, f64::from(self.size.y)) as u32;
        let mut crossings: Vec<f64> = Vec::new();
        for y in from..to {
            let level = self.middle(UVec2::new(0, y)).y;
            crossings.clear();
            crossings.extend(
                area.edges()
                    .filter(|(a, b)| (a.y <= level) != (b.y <= level))
                    .map(|(a, b)| a.x + (b.x - a.x) * ((level - a.y) / (b.y - a.y))),
            );
            crossings.sort_unstable_by(f64::total_cmp);
            for pair in crossings.chunks_exact(2) {
                let column = |x: f64| {
                    let column = ((x - self.origin.x) / self.pixel - 0.5).ceil();
                    column.clamp(0.0, f64::from(self.size.x)) as usize
                };
                let base = y as usize * self.size.x as usize;
                let (from, to) = (column(pair[0]), column(pair[1]));
                if from < to {
                    visit(base + from..base + to);
                }
            }
        }
    }

    #[must_use]
    pub fn middle(&self, pixel: UVec2) -> DVec2 {
        self.origin + (pixel.as_dvec2() + 0.5) * self.pixel
    }

    /// The pixel at a point; may be outside the image.
    #[must_use]
    pub fn pixel_at(&self, p: DVec2) -> IVec2 {
        ((p - self.origin) / self.pixel).floor().as_ivec2()
    }

    /// The kind of a pixel; [`BLOCKED`] outside the image.
    #[must_use]
    pub fn kind(&self, pixel: IVec2) -> KindId {
        if pixel.min_element() < 0 {
            return BLOCKED;
        }
        let pixel = pixel.as_uvec2();
        if pixel.x >= self.size.x || pixel.y >= self.size.y {
            return BLOCKED;
        }
        self.kinds[pixel.y as usize * self.size.x as usize + pixel.x as usize]
    }

    #[must_use]
    pub fn kind_at(&self, p: DVec2) -> Option<KindId> {
        let inside = p.is_finite().then(|| self.kind(self.pixel_at(p)))?;
        (inside != BLOCKED).then_some(inside)
    }
}

#[cfg(feature = "gl")]
mod drawn {
    use super::{KindId, RasterError, TerrainRaster, pixels};
    use crate::gpu::terrain::{Patch, draw};
    use crate::nav::terrain::TerrainMesh;

    impl TerrainRaster {
        /// The image rendered by the GPU. Pixels whose centres are within rounding of a border may
        /// be on either side.
        ///
        /// # Errors
        /// There are no pixels, too many, or the driver reported an error.
        pub fn drawn(
            gl: &glow::Context,
            mesh: &TerrainMesh,
            pixel: f64,
        ) -> Result<Self, RasterError> {
            let bounds = mesh.bounds();
            let size = pixels(bounds, pixel)?;
            let per_pixel = 1.0 / pixel;
            let patches: Vec<Patch> = mesh
                .triangles()
                .map(|(corners, kind)| Patch {
                    corners: corners.map(|p| ((p - bounds.min) * per_pixel).as_vec2()),
                    number: kind.0,
                })
                .collect();
            let numbers = draw(gl, size.to_array(), &patches).map_err(|_| RasterError::Gpu)?;
            Ok(Self {
                origin: bounds.min,
                pixel,
                size,
                kinds: numbers.into_iter().map(KindId).collect(),
            })
        }
    }
}

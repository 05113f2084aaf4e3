//! The Voronoi diagram as an image: for each pixel the nearest obstacle and its distance.
//!
//! Overmars et al. 2008, §2 render this with graphics hardware: one distance mesh and one colour
//! per obstacle, depth is distance. This is the exact image computed on the CPU, and what the paper
//! extracts from it: the skeleton where colours meet, with clearance. Images from the GPU go
//! through the same extraction.

mod drawer;

#[cfg(feature = "gl")]
pub use drawer::DrawError;
pub use drawer::Drawer;

use crate::geometry::{
    Polygon, Rect,
    proximity::{self, PixelGrid},
};
use glam::{DVec2, UVec2};

/// Colour of pixels without a nearest obstacle, because there are none.
pub const NOTHING: u32 = u32::MAX;

/// Maximum pixels of one image.
const MAX_PIXELS: u64 = 1 << 26;

/// The nearest obstacle to the centre of each pixel; row by row from the lower left.
#[derive(Clone, Debug, PartialEq)]
pub struct NearestRaster {
    /// World position of the lower left corner.
    pub origin: DVec2,
    /// Side of a pixel. Unit: metres.
    pub pixel: f64,
    pub size: UVec2,
    /// Obstacle of each pixel: an index into the obstacles, their number for the border of the
    /// level, [`NOTHING`] if there is neither.
    pub colours: Vec<u32>,
    /// Distance to that obstacle; 0 inside. Unit: metres.
    pub distances: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RasterError {
    #[error("the pixels must be larger than 0 and the bounds must have an area")]
    NoArea,
    #[error("more than 67 million pixels; choose larger ones")]
    TooLarge,
    #[error("the lists do not hold one entry for each pixel")]
    WrongLength,
}

/// A point where pixels of different colours meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkeletonPoint {
    /// A corner shared by pixels.
    pub point: DVec2,
    /// Mean distance of the pixels around. Unit: metres.
    pub clearance: f64,
}

/// The skeleton along pixel edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    pub points: Vec<SkeletonPoint>,
    /// Indices into `points`, and the colours to the left and right of the link.
    pub links: Vec<([u32; 2], [u32; 2])>,
}

impl NearestRaster {
    /// The exact image of obstacles within bounds; what is outside has the border's colour.
    ///
    /// # Errors
    /// There are no pixels, or too many.
    pub fn of(bounds: Rect, obstacles: &[Polygon], pixel: f64) -> Result<Self, RasterError> {
        let grid = grid_of(bounds, pixel)?;
        let mut segments = Vec::new();
        let mut owners: Vec<u32> = Vec::new();
        let rim = Polygon::rect(bounds);
        let border = obstacles.len() as u32;
        for (polygon, colour) in obstacles.iter().zip(0..).chain([(&rim, border)]) {
            for (from, to) in polygon.edges() {
                if from.is_finite() && to.is_finite() {
                    segments.push([from, to]);
                    owners.push(colour);
                }
            }
        }
        let (sites, distances) = proximity::nearest(&segments, &grid);
        let owner = |site: u32| owners.get(site as usize).copied().unwrap_or(NOTHING);
        let mut raster = Self {
            origin: grid.origin,
            pixel,
            size: grid.size,
            colours: sites.into_iter().map(owner).collect(),
            distances,
        };
        for (obstacle, colour) in obstacles.iter().zip(0..) {
            raster.fill_inside(obstacle, colour);
        }
        Ok(raster)
    }

    /// An image computed elsewhere.
    ///
    /// # Errors
    /// The tables do not have one entry per pixel.
    pub fn from_parts(
        origin: DVec2,
        pixel: f64,
        size: UVec2,
        colours: Vec<u32>,
        distances: Vec<f64>,
    ) -> Result<Self, RasterError> {
        let count = size.x as usize * size.y as usize;
        if colours.len() != count || distances.len() != count {
            return Err(RasterError::WrongLength);
        }
        Ok(Self {
            origin,
            pixel,
            size,
            colours,
            distances,
        })
    }

    #[must_use]
    pub fn middle(&self, x: u32, y: u32) -> DVec2 {
        self.origin + (DVec2::new(f64::from(x), f64::from(y)) + 0.5) * self.pixel
    }

    const fn index(&self, x: u32, y: u32) -> usize {
        y as usize * self.size.x as usize + x as usize
    }

    /// Assigns the pixels inside an obstacle to it, by the even–odd rule, row by row.
    fn fill_inside(&mut self, obstacle: &Polygon, colour: u32) {
        let mut crossings: Vec<f64> = Vec::new();
        let bounds = obstacle.bounds();
        if !(bounds.min.is_finite() && bounds.max.is_finite()) {
            return;
        }
        let row = |y: f64| ((y - self.origin.y) / self.pixel - 0.5).clamp(0.0, 1e9) as u32;
        let rows = row(bounds.min.y)..(row(bounds.max.y) + 2).min(self.size.y);
        for y in rows {
            let level = self.middle(0, y).y;
            crossings.clear();
            crossings.extend(
                obstacle
                    .edges()
                    .filter(|(a, b)| (a.y <= level) != (b.y <= level))
                    .map(|(a, b)| a.x + (b.x - a.x) * ((level - a.y) / (b.y - a.y))),
            );
            crossings.sort_by(f64::total_cmp);
            for pair in crossings.chunks_exact(2) {
                let column = |x: f64| ((x - self.origin.x) / self.pixel - 0.5).ceil();
                let from = column(pair[0]).max(0.0) as u32;
                let to = column(pair[1]).clamp(0.0, f64::from(self.size.x)) as u32;
                for x in from..to {
                    let at = self.index(x, y);
                    self.distances[at] = 0.0;
                    self.colours[at] = colour;
                }
            }
        }
    }

    /// Where free pixels of different colours are adjacent.
    #[must_use]
    pub fn skeleton(&self) -> Skeleton {
        let mut skeleton = Skeleton::default();
        let columns = self.size.x as usize + 1;
        let mut point_at: Vec<u32> = vec![u32::MAX; columns * (self.size.y as usize + 1)];
        let mut link = |corners: [UVec2; 2], sides: [usize; 2]| {
            let colours = sides.map(|i| self.colours[i]);
            let is_free = sides.iter().all(|&i| self.distances[i] > 0.0);
            if colours[0] == colours[1] || !is_free {
                return;
            }
            let ends = corners.map(|corner| {
                let slot = &mut point_at[corner.y as usize * columns + corner.x as usize];
                if *slot == u32::MAX {
                    *slot = skeleton.points.len() as u32;
                    skeleton.points.push(SkeletonPoint {
                        point: self.origin + corner.as_dvec2() * self.pixel,
                        clearance: self.mean_distance(corner),
                    });
                }
                *slot
            });
            skeleton.links.push((ends, colours));
        };
        for y in 0..self.size.y {
            for x in 0..self.size.x {
                let here = self.index(x, y);
                if x + 1 < self.size.x {
                    // Going up, this pixel is on the left.
                    let corners = [UVec2::new(x + 1, y), UVec2::new(x + 1, y + 1)];
                    link(corners, [here, here + 1]);
                }
                if y + 1 < self.size.y {
                    // Going right, the pixel above is on the left.
                    let above = here + self.size.x as usize;
                    link(
                        [UVec2::new(x, y + 1), UVec2::new(x + 1, y + 1)],
                        [above, here],
                    );
                }
            }
        }
        skeleton
    }

    fn mean_distance(&self, corner: UVec2) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for y in corner.y.saturating_sub(1)..(corner.y + 1).min(self.size.y) {
            for x in corner.x.saturating_sub(1)..(corner.x + 1).min(self.size.x) {
                sum += self.distances[self.index(x, y)];
                count += 1.0;
            }
        }
        if count > 0.0 { sum / count } else { 0.0 }
    }
}

/// The pixels that cover bounds.
fn grid_of(bounds: Rect, pixel: f64) -> Result<PixelGrid, RasterError> {
    let extent = bounds.size();
    if !(pixel > 0.0 && pixel.is_finite() && extent.is_finite() && extent.min_element() > 0.0) {
        return Err(RasterError::NoArea);
    }
    let counts = (extent / pixel).ceil();
    if counts.x * counts.y > MAX_PIXELS as f64 {
        return Err(RasterError::TooLarge);
    }
    Ok(PixelGrid {
        origin: bounds.min,
        pixel,
        size: counts.as_uvec2().max(UVec2::ONE),
    })
}

//! Finds, for each block of an image, the segments that can be nearest to one of its pixels.
//!
//! Shared by all distance images, on the CPU and the GPU: a segment only matters in blocks where it
//! can be the nearest one.

use super::polygon::closest_on_segment;
use glam::{DVec2, UVec2};
use rayon::prelude::*;
use std::ops::Range;

/// A grid of square pixels in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PixelGrid {
    /// Lower left corner. Unit: metres.
    pub origin: DVec2,
    /// Side length of a pixel. Unit: metres.
    pub pixel: f64,
    pub size: UVec2,
}

impl PixelGrid {
    /// The lower left corner of a pixel; also valid one past the last.
    #[must_use]
    pub fn corner(&self, at: UVec2) -> DVec2 {
        self.origin + at.as_dvec2() * self.pixel
    }

    #[must_use]
    pub fn middle(&self, at: UVec2) -> DVec2 {
        self.origin + (at.as_dvec2() + 0.5) * self.pixel
    }
}

/// A block of pixels with the segments that can be nearest to one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub low: UVec2,
    /// Exclusive.
    pub high: UVec2,
    near: Range<usize>,
}

/// An image divided into blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blocks {
    list: Vec<Block>,
    near: Vec<u32>,
    farthest: f64,
}

/// Windows per side into which the image is split first, to use all cores.
const WINDOWS: u32 = 4;

impl Blocks {
    /// Divides the window from `low` to `high` into blocks of at most `side` pixels and finds, for
    /// each, the segments that can be nearest to a point in it. Segments must be finite.
    #[must_use]
    pub fn of(
        segments: &[[DVec2; 2]],
        grid: &PixelGrid,
        [low, high]: [UVec2; 2],
        side: u32,
    ) -> Self {
        let side = side.max(1);
        let step = (high.saturating_sub(low).max_element().div_ceil(WINDOWS))
            .next_multiple_of(side)
            .max(side);
        let mut windows = Vec::new();
        let mut y = low.y;
        while y < high.y {
            let mut x = low.x;
            while x < high.x {
                let corner = UVec2::new(x, y);
                windows.push([corner, (corner + step).min(high)]);
                x += step;
            }
            y += step;
        }
        let everyone: Vec<u32> = (0..segments.len() as u32).collect();
        let parts: Vec<Self> = windows
            .into_par_iter()
            .map(|window| {
                let mut blocks = Self::default();
                blocks.cut(segments, grid, window, side, &everyone);
                blocks
            })
            .collect();
        let mut all = Self::default();
        for part in parts {
            let shift = all.near.len();
            all.farthest = all.farthest.max(part.farthest);
            all.near.extend(part.near);
            all.list.extend(part.list.into_iter().map(|block| Block {
                near: block.near.start + shift..block.near.end + shift,
                ..block
            }));
        }
        all
    }

    fn cut(
        &mut self,
        segments: &[[DVec2; 2]],
        grid: &PixelGrid,
        [low, high]: [UVec2; 2],
        side: u32,
        among: &[u32],
    ) {
        let (from, to) = (grid.corner(low), grid.corner(high));
        let middle = from.midpoint(to);
        let away: Vec<f64> = among
            .iter()
            .map(|&i| {
                let [a, b] = segments[i as usize];
                closest_on_segment(a, b, middle).distance(middle)
            })
            .collect();
        let least = away.iter().copied().fold(f64::INFINITY, f64::min);
        // Within the block, distances differ by at most half its diagonal.
        let reach = (least + from.distance(to)) * (1.0 + 1e-9);
        let near = among
            .iter()
            .zip(&away)
            .filter(|&(_, &away)| away <= reach)
            .map(|(&i, _)| i);
        let span = high - low;
        if span.max_element() <= side {
            let start = self.near.len();
            self.near.extend(near);
            self.farthest = self.farthest.max(least + 0.5 * from.distance(to));
            self.list.push(Block {
                low,
                high,
                near: start..self.near.len(),
            });
            return;
        }
        let near: Vec<u32> = near.collect();
        let mut middle = high;
        let mut corner = low;
        // Halves are whole blocks, so all but those at the rim have one size.
        let half = |span: u32| (span / 2).next_multiple_of(side).min(span - 1).max(1);
        if span.x >= span.y {
            middle.x = low.x + half(span.x);
            corner.x = middle.x;
        } else {
            middle.y = low.y + half(span.y);
            corner.y = middle.y;
        }
        self.cut(segments, grid, [low, middle], side, &near);
        self.cut(segments, grid, [corner, high], side, &near);
    }

    /// Upper bound of the distance from any point to its nearest segment. Infinite without
    /// segments. Unit: metres.
    #[must_use]
    pub const fn farthest(&self) -> f64 {
        self.farthest
    }

    /// Each block with the indices of its segments, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (&Block, &[u32])> {
        self.list.iter().map(|block| (block, self.near_to(block)))
    }

    /// Parallel version of [`Self::iter`].
    pub fn par_iter(&self) -> impl IndexedParallelIterator<Item = (&Block, &[u32])> {
        self.list
            .par_iter()
            .map(|block| (block, self.near_to(block)))
    }

    fn near_to(&self, block: &Block) -> &[u32] {
        &self.near[block.near.clone()]
    }
}

/// Marks a pixel without a nearest segment, because there are no segments.
pub const NO_SITE: u32 = u32::MAX;

/// The nearest segment to each pixel centre and its distance, row by row from the lower left; ties
/// go to the lower index. Segments must be finite.
#[must_use]
pub fn nearest(segments: &[[DVec2; 2]], grid: &PixelGrid) -> (Vec<u32>, Vec<f64>) {
    let blocks = Blocks::of(segments, grid, [UVec2::ZERO, grid.size], BLOCK);
    let filled: Vec<(&Block, Vec<(f64, u32)>)> = blocks
        .par_iter()
        .map(|(block, near)| (block, nearest_in(block, near, segments, grid)))
        .collect();
    let columns = grid.size.x as usize;
    let mut indices = vec![NO_SITE; columns * grid.size.y as usize];
    let mut distances = vec![f64::INFINITY; indices.len()];
    for (block, pixels) in filled {
        let width = (block.high.x - block.low.x) as usize;
        for (row, y) in pixels.chunks_exact(width).zip(block.low.y as usize..) {
            let first = y * columns + block.low.x as usize;
            for (&(distance, index), at) in row.iter().zip(first..) {
                distances[at] = distance;
                indices[at] = index;
            }
        }
    }
    (indices, distances)
}

/// Side of the blocks in which pixels are filled. Unit: pixels.
const BLOCK: u32 = 16;

fn nearest_in(
    block: &Block,
    near: &[u32],
    segments: &[[DVec2; 2]],
    grid: &PixelGrid,
) -> Vec<(f64, u32)> {
    let mut pixels = Vec::with_capacity((BLOCK * BLOCK) as usize);
    for y in block.low.y..block.high.y {
        for x in block.low.x..block.high.x {
            let p = grid.middle(UVec2::new(x, y));
            let mut best = (f64::INFINITY, NO_SITE);
            for &index in near {
                let [from, to] = segments[index as usize];
                let squared = closest_on_segment(from, to, p).distance_squared(p);
                if squared < best.0 {
                    best = (squared, index);
                }
            }
            pixels.push((best.0.sqrt(), best.1));
        }
    }
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::hostile::small_point;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_pixel_is_in_one_block_with_its_nearest_segment(
            segments in prop::collection::vec((small_point(), small_point()), 0..12),
            size in (1_u32..40, 1_u32..40),
            side in 1_u32..9,
        ) {
            let segments: Vec<[DVec2; 2]> = segments.into_iter().map(|(a, b)| [a, b]).collect();
            let size = UVec2::from(size);
            let grid = PixelGrid { origin: DVec2::splat(-5.0), pixel: 0.25, size };
            let blocks = Blocks::of(&segments, &grid, [UVec2::ZERO, size], side);
            let mut seen = vec![0; (size.x * size.y) as usize];
            for (block, near) in blocks.iter() {
                prop_assert!((block.high - block.low).max_element() <= side);
                prop_assert!(near.is_sorted());
                for y in block.low.y..block.high.y {
                    for x in block.low.x..block.high.x {
                        seen[(y * size.x + x) as usize] += 1;
                        let p = grid.middle(UVec2::new(x, y));
                        let to = |i: u32| {
                            let [a, b] = segments[i as usize];
                            closest_on_segment(a, b, p).distance(p)
                        };
                        let least = |all: &mut dyn Iterator<Item = u32>| {
                            all.map(to).fold(f64::INFINITY, f64::min)
                        };
                        let found = least(&mut near.iter().copied());
                        let expected = least(&mut (0..segments.len() as u32));
                        prop_assert!((found - expected).abs() < 1e-9 || found == expected);
                    }
                }
            }
            prop_assert!(seen.iter().all(|&count| count == 1));
        }
    }
}

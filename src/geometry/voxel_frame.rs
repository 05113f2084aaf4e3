//! Placement of a voxel grid's cells in space.

use super::Rect;
use glam::{DVec2, DVec3};

/// Columns are stored in square tiles with this many cells per side, so that a change touches few
/// of them.
pub const TILE: usize = 32;

/// Columns per tile.
pub const TILE_COLUMNS: usize = TILE * TILE;

/// Maximum cells along x or y, and maximum layers: layers are stored in 16 bits.
pub const MAX_SIDE: u32 = 16_384;
pub const MAX_LAYERS: u32 = 8_192;

/// Maximum columns. A column takes up to 200 bytes until surfaces, borders and moves of a body are
/// known, so this stays at half a gigabyte.
pub const MAX_COLUMNS: u64 = 2_500_000;

/// Offset of a frame below what it covers, as a fraction of a cell. Designers draw on whole
/// numbers; cell borders must not lie there, or every wall would touch the cells on both sides, and
/// CPU and GPU, which round differently, would disagree.
pub const OFFSET: f64 = 0.37;

/// A box of equal cells: `size[0]` × `size[1]` columns of `size[2]` layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoxelFrame {
    /// Lowest corner of cell 0, 0, 0.
    pub origin: DVec3,
    /// Side of a cell in plan. Unit: metres.
    pub cell: f64,
    /// Height of a cell. Unit: metres.
    pub layer: f64,
    pub size: [u32; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FrameError {
    #[error("a cell must have a positive size in metres, not {cell} × {layer}")]
    Cell { cell: f64, layer: f64 },
    #[error("the space to discretise has no finite extent")]
    Extent,
    #[error(
        "{} × {} × {} cells are too many; at most {MAX_COLUMNS} columns are made — choose a larger cell",
        .size[0],
        .size[1],
        .size[2]
    )]
    TooLarge { size: [f64; 3] },
}

impl VoxelFrame {
    /// # Errors
    /// Cells without size, no cells, or more than the limits allow.
    pub fn new(origin: DVec3, cell: f64, layer: f64, size: [u32; 3]) -> Result<Self, FrameError> {
        let positive = |side: f64| side.is_finite() && side > 1e-6;
        if !(positive(cell) && positive(layer)) {
            return Err(FrameError::Cell { cell, layer });
        }
        if !origin.is_finite() || size.contains(&0) {
            return Err(FrameError::Extent);
        }
        let columns = u64::from(size[0]) * u64::from(size[1]);
        if size[0].max(size[1]) > MAX_SIDE || size[2] > MAX_LAYERS || columns > MAX_COLUMNS {
            let size = size.map(f64::from);
            return Err(FrameError::TooLarge { size });
        }
        Ok(Self {
            origin,
            cell,
            layer,
            size,
        })
    }

    /// The cells covering a box, which starts inside the first cell and not on its border.
    ///
    /// # Errors
    /// See [`Self::new`].
    pub fn covering(low: DVec3, high: DVec3, cell: f64, layer: f64) -> Result<Self, FrameError> {
        let steps = DVec3::new(cell, cell, layer);
        let size = ((high - low) / steps + OFFSET).floor() + 1.0;
        if !(low.is_finite() && high.is_finite() && size.is_finite() && size.min_element() > 0.0) {
            return Err(FrameError::Extent);
        }
        let largest = DVec3::new(
            f64::from(MAX_SIDE),
            f64::from(MAX_SIDE),
            f64::from(MAX_LAYERS),
        );
        if (size - largest).max_element() > 0.0 {
            let size = size.to_array();
            return Err(FrameError::TooLarge { size });
        }
        let size = size.to_array().map(|side| side as u32);
        Self::new(low - steps * OFFSET, cell, layer, size)
    }

    /// A frame of exactly this many cells, as large as needed, with the box in its centre.
    ///
    /// # Errors
    /// See [`Self::new`].
    pub fn of_size(low: DVec3, high: DVec3, size: [u32; 3]) -> Result<Self, FrameError> {
        let extent = high - low;
        // Reserves one cell, half on either side, so the frame is never too small. One layer above
        // the highest surface stays empty.
        let share = |axis: usize, kept: f64| extent[axis] / (f64::from(size[axis]) - kept).max(0.5);
        let cell = share(0, 1.0).max(share(1, 1.0));
        let layer = share(2, 2.0);
        let steps = DVec3::new(cell, cell, layer);
        let all = DVec3::from_array(size.map(f64::from)) * steps;
        // Align to the bottom: spare height goes above.
        let spare = (all - extent) * DVec3::new(0.5, 0.5, 0.0) + DVec3::Z * OFFSET * layer;
        Self::new(low - spare, cell, layer, size)
    }

    /// Cell size along x, y and z. Unit: metres.
    #[must_use]
    pub const fn steps(&self) -> DVec3 {
        DVec3::new(self.cell, self.cell, self.layer)
    }

    #[must_use]
    pub fn high(&self) -> DVec3 {
        self.origin + DVec3::from_array(self.size.map(f64::from)) * self.steps()
    }

    /// World position in cells from the origin.
    #[must_use]
    pub fn cells_from_world(&self, p: DVec3) -> DVec3 {
        (p - self.origin) / self.steps()
    }

    /// The column containing a position; `None` outside.
    #[must_use]
    pub fn column_at(&self, x: f64, y: f64) -> Option<[u32; 2]> {
        let along = |value: f64, origin: f64, count: u32| {
            let at = ((value - origin) / self.cell).floor();
            (at >= 0.0 && at < f64::from(count)).then_some(at as u32)
        };
        Some([
            along(x, self.origin.x, self.size[0])?,
            along(y, self.origin.y, self.size[1])?,
        ])
    }

    /// Centre of a cell.
    #[must_use]
    pub fn centre(&self, [x, y, z]: [u32; 3]) -> DVec3 {
        let at = DVec3::new(f64::from(x), f64::from(y), f64::from(z)) + 0.5;
        self.origin + at * self.steps()
    }

    #[must_use]
    pub const fn columns(&self) -> usize {
        self.size[0] as usize * self.size[1] as usize
    }

    /// Number of cells, occupied or not.
    #[must_use]
    pub fn cells(&self) -> u64 {
        self.size.iter().map(|side| u64::from(*side)).product()
    }

    /// Number of tiles along x and y.
    #[must_use]
    pub const fn tiles(&self) -> [usize; 2] {
        [
            (self.size[0] as usize).div_ceil(TILE),
            (self.size[1] as usize).div_ceil(TILE),
        ]
    }

    /// Storage index of a column: tile by tile, row by row within each. Border tiles are stored
    /// whole, so there are more slots than columns.
    #[must_use]
    pub const fn slot(&self, x: u32, y: u32) -> usize {
        let (x, y) = (x as usize, y as usize);
        let tile = (y / TILE) * self.tiles()[0] + x / TILE;
        tile * TILE_COLUMNS + (y % TILE) * TILE + x % TILE
    }

    #[must_use]
    pub const fn slots(&self) -> usize {
        self.tiles()[0] * self.tiles()[1] * TILE_COLUMNS
    }

    /// Columns of a tile as half-open ranges of x and y.
    #[must_use]
    pub fn tile_columns(&self, tile: usize) -> [std::ops::Range<u32>; 2] {
        let across = self.tiles()[0].max(1);
        let range = |at: usize, size: u32| {
            let low = (at * TILE) as u32;
            low..size.min(low + TILE as u32)
        };
        [
            range(tile % across, self.size[0]),
            range(tile / across, self.size[1]),
        ]
    }

    /// What the columns of a tile cover in plan. Unit: metres.
    #[must_use]
    pub fn tile_bounds(&self, tile: usize) -> Rect {
        let [x, y] = self.tile_columns(tile);
        let corner = |x: u32, y: u32| {
            self.origin.truncate() + self.cell * DVec2::new(f64::from(x), f64::from(y))
        };
        Rect::new(corner(x.start, y.start), corner(x.end, y.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_covers_its_box_and_no_whole_number_lies_on_a_wall() {
        let (low, high) = (DVec3::new(-3.0, 2.0, 0.0), DVec3::new(10.0, 7.5, 4.0));
        let frame = VoxelFrame::covering(low, high, 0.25, 0.125).expect("valid");
        assert!(frame.origin.cmplt(low).all() && frame.high().cmpgt(high).all());
        for whole in -3..=10 {
            let at = frame.cells_from_world(DVec3::splat(f64::from(whole)));
            let to_wall = (at - at.round()).abs().min_element();
            assert!(to_wall > 0.1, "{whole}: {at}");
        }
        assert_eq!(frame.column_at(-3.0, 2.0), Some([0, 0]));
        assert_eq!(frame.column_at(-4.0, 2.0), None);
        assert_eq!(frame.column_at(f64::NAN, 2.0), None);
    }

    #[test]
    fn a_frame_of_a_given_size_has_it_and_covers_its_box() {
        let (low, high) = (DVec3::new(-20.0, -20.0, 0.0), DVec3::new(20.0, 20.0, 3.0));
        let frame = VoxelFrame::of_size(low, high, [72, 93, 23]).expect("valid");
        assert_eq!(frame.size, [72, 93, 23]);
        assert!(frame.origin.cmplt(low).all() && frame.high().cmpgt(high).all());
        assert!(
            frame.cells_from_world(high).z < 22.0,
            "the top layer is free"
        );
    }

    #[test]
    fn every_column_has_a_slot_of_its_own_within_its_tile() {
        let frame = VoxelFrame::new(DVec3::ZERO, 1.0, 1.0, [70, 33, 2]).expect("valid");
        let mut seen = vec![false; frame.slots()];
        for tile in 0..frame.tiles()[0] * frame.tiles()[1] {
            let [xs, ys] = frame.tile_columns(tile);
            for y in ys {
                for x in xs.clone() {
                    let slot = frame.slot(x, y);
                    assert_eq!(slot / TILE_COLUMNS, tile);
                    assert!(!std::mem::replace(&mut seen[slot], true));
                }
            }
        }
        assert_eq!(seen.iter().filter(|seen| **seen).count(), frame.columns());
    }

    #[test]
    fn nonsense_is_refused_in_a_sentence() {
        let cover = |high: f64, cell: f64| {
            VoxelFrame::covering(DVec3::ZERO, DVec3::splat(high), cell, cell)
                .expect_err("refused")
                .to_string()
        };
        assert!(cover(1.0, 0.0).contains("extent") || cover(1.0, 0.0).contains("size"));
        assert!(cover(f64::NAN, 1.0).contains("extent"));
        assert!(cover(1e6, 0.1).contains("too many"));
        assert!(cover(-10.0, 1.0).contains("extent"));
    }
}

//! The occupied cells of a scene, as runs of layers in sorted columns.

use super::tile::TileBits;
use crate::geometry::bit_columns::runs;
use crate::geometry::voxel_frame::TILE_COLUMNS;
use crate::geometry::{BitColumns, VoxelFrame};
use std::sync::Arc;

/// Occupied layers of a column, inclusive. Forbidden cells form separate runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub bottom: u16,
    pub top: u16,
    pub forbidden: bool,
}

/// The runs of one tile's columns. Shared between grids with equal tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Column `i` has the spans `starts[i]` up to `starts[i + 1]`.
    starts: Vec<u32>,
    spans: Vec<Span>,
}

impl Tile {
    #[must_use]
    pub fn of_bits(bits: &TileBits) -> Self {
        let mut starts = Vec::with_capacity(TILE_COLUMNS + 1);
        let mut spans = Vec::new();
        starts.push(0);
        for column in 0..TILE_COLUMNS {
            let forbidden = bits.forbidden.column(column);
            let any_forbidden = forbidden.iter().any(|word| *word != 0);
            runs(bits.occupied.column(column), |low, high| {
                if any_forbidden {
                    split(&mut spans, &bits.forbidden, column, low, high);
                } else {
                    spans.push(Span {
                        bottom: low as u16,
                        top: high as u16,
                        forbidden: false,
                    });
                }
            });
            starts.push(spans.len() as u32);
        }
        Self { starts, spans }
    }

    /// No occupied cells.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            starts: vec![0; TILE_COLUMNS + 1],
            spans: Vec::new(),
        }
    }

    pub(super) fn column(&self, local: usize) -> &[Span] {
        &self.spans[self.starts[local] as usize..self.starts[local + 1] as usize]
    }
}

/// Splits a run into forbidden and allowed parts.
fn split(spans: &mut Vec<Span>, forbidden: &BitColumns, column: usize, low: u32, high: u32) {
    let mut begin = low;
    for layer in low..=high {
        let is = forbidden.get(column, layer);
        if layer == high || forbidden.get(column, layer + 1) != is {
            spans.push(Span {
                bottom: begin as u16,
                top: layer as u16,
                forbidden: is,
            });
            begin = layer + 1;
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct VoxelGrid {
    pub frame: VoxelFrame,
    tiles: Vec<Arc<Tile>>,
}

impl VoxelGrid {
    pub(super) const fn of_tiles(frame: VoxelFrame, tiles: Vec<Arc<Tile>>) -> Self {
        Self { frame, tiles }
    }

    pub(super) fn tiles(&self) -> &[Arc<Tile>] {
        &self.tiles
    }

    /// A grid from another discretisation. Forbidden cells that are not occupied are ignored.
    #[must_use]
    pub fn of_bits(frame: VoxelFrame, occupied: &BitColumns, forbidden: &BitColumns) -> Self {
        let tiles = (0..frame.tiles()[0] * frame.tiles()[1])
            .map(|tile| {
                let mut bits = TileBits::empty(frame.size[2]);
                for column in 0..TILE_COLUMNS {
                    let slot = tile * TILE_COLUMNS + column;
                    bits.occupied
                        .column_mut(column)
                        .copy_from_slice(occupied.column(slot));
                    bits.forbidden
                        .column_mut(column)
                        .copy_from_slice(forbidden.column(slot));
                }
                Arc::new(Tile::of_bits(&bits))
            })
            .collect();
        Self { frame, tiles }
    }

    /// All cells as bits, for comparison with another discretisation.
    #[must_use]
    pub fn bits(&self) -> (BitColumns, BitColumns) {
        let mut occupied = BitColumns::of_frame(&self.frame);
        let mut forbidden = occupied.clone();
        for slot in 0..self.frame.slots() {
            for span in self.slot(slot) {
                let (low, high) = (u32::from(span.bottom), u32::from(span.top));
                occupied.set_range(slot, low, high);
                if span.forbidden {
                    forbidden.set_range(slot, low, high);
                }
            }
        }
        (occupied, forbidden)
    }

    fn slot(&self, slot: usize) -> &[Span] {
        self.tiles
            .get(slot / TILE_COLUMNS)
            .map_or(&[], |tile| tile.column(slot % TILE_COLUMNS))
    }

    /// Runs of a column from the bottom up; none outside the frame.
    #[must_use]
    pub fn column(&self, x: u32, y: u32) -> &[Span] {
        if x < self.frame.size[0] && y < self.frame.size[1] {
            self.slot(self.frame.slot(x, y))
        } else {
            &[]
        }
    }

    /// The run containing a cell; `None` for an empty cell.
    #[must_use]
    pub fn span_at(&self, x: u32, y: u32, layer: u32) -> Option<Span> {
        self.column(x, y)
            .iter()
            .find(|span| (u32::from(span.bottom)..=u32::from(span.top)).contains(&layer))
            .copied()
    }

    #[must_use]
    pub fn is_occupied(&self, x: u32, y: u32, layer: u32) -> bool {
        self.span_at(x, y, layer).is_some()
    }

    #[must_use]
    pub fn occupied_cells(&self) -> u64 {
        self.tiles
            .iter()
            .flat_map(|tile| &tile.spans)
            .map(|span| u64::from(span.top - span.bottom) + 1)
            .sum()
    }

    #[must_use]
    pub fn span_count(&self) -> usize {
        self.tiles.iter().map(|tile| tile.spans.len()).sum()
    }

    /// Memory use. Unit: bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let spans = self.span_count() * size_of::<Span>();
        spans + self.tiles.len() * (TILE_COLUMNS + 1) * size_of::<u32>()
    }

    /// Checks the invariants of every grid.
    ///
    /// # Errors
    /// The first violation.
    pub fn check_invariants(&self) -> Result<(), String> {
        let [across, down] = self.frame.tiles();
        if self.tiles.len() != across * down {
            return Err(format!("{} tiles for {across} × {down}", self.tiles.len()));
        }
        for (index, tile) in self.tiles.iter().enumerate() {
            let [xs, ys] = self.frame.tile_columns(index);
            let (width, height) = (xs.len(), ys.len());
            if tile.starts.len() != TILE_COLUMNS + 1
                || tile.starts[TILE_COLUMNS] as usize != tile.spans.len()
                || !tile.starts.is_sorted()
            {
                return Err(format!("tile {index} has a broken index"));
            }
            for local in 0..TILE_COLUMNS {
                let side = crate::geometry::voxel_frame::TILE;
                let column = tile.column(local);
                let is_implemented = local % side < width && local / side < height;
                if !is_implemented && !column.is_empty() {
                    return Err(format!("tile {index}: cells outside the frame"));
                }
                let in_order = column.iter().all(|span| span.bottom <= span.top)
                    && column.windows(2).all(|pair| {
                        let apart = pair[0].top + 1 < pair[1].bottom;
                        let touch = pair[0].top + 1 == pair[1].bottom;
                        apart || touch && pair[0].forbidden != pair[1].forbidden
                    });
                let inside = column
                    .last()
                    .is_none_or(|span| u32::from(span.top) < self.frame.size[2]);
                if !in_order || !inside {
                    return Err(format!("tile {index}, column {local}: {column:?}"));
                }
            }
        }
        Ok(())
    }
}

//! Surface cells: occupied cells with an empty one above, where a foot can be placed (§3.5). The
//! topmost layer of a grid has none, since what is above it is unknown.

use super::grid::{Tile, VoxelGrid};
use crate::geometry::VoxelFrame;
use crate::geometry::voxel_frame::TILE_COLUMNS;
use glam::DVec3;

/// Clearance of a cell with nothing above it.
pub const OPEN: u16 = u16::MAX;

/// Weight of a cell that is occupied in all of its sub-columns, or was not super-sampled.
pub const FULL: u8 = u8::MAX;

/// Index into [`SurfaceCells::cells`]. Valid only for its surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SurfaceId(pub u32);

impl SurfaceId {
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Position of a surface cell; unlike an id it stays valid when others change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellPlace {
    pub x: u16,
    pub y: u16,
    pub layer: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceCell {
    pub x: u16,
    pub y: u16,
    pub layer: u16,
    /// Number of empty cells above it; [`OPEN`] if there is nothing.
    pub clearance: u16,
    /// Height of the surface within the cell, in 255ths of a layer.
    pub fraction: u8,
    /// How much of it can be stood on, in 255ths.
    pub weight: u8,
    pub forbidden: bool,
    /// Whether there is ground under its centre, at about its height. What only reaches into a cell
    /// is in the way of bodies, but carries none.
    pub carries: bool,
}

impl SurfaceCell {
    #[must_use]
    pub const fn place(&self) -> CellPlace {
        CellPlace {
            x: self.x,
            y: self.y,
            layer: self.layer,
        }
    }

    /// Height of its surface. Unit: 255ths of a layer.
    #[must_use]
    pub const fn height(&self) -> i32 {
        self.layer as i32 * 255 + self.fraction as i32
    }

    /// The layer of the ceiling's lowest cell; far above everything if there is none.
    #[must_use]
    pub const fn ceiling(&self) -> i32 {
        if self.clearance == OPEN {
            i32::MAX / 2
        } else {
            self.layer as i32 + self.clearance as i32 + 1
        }
    }
}

/// All surface cells, column by column in the order of the frame's slots; several per column where
/// there are storeys.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceCells {
    pub frame: VoxelFrame,
    /// Slot `i` has the cells `starts[i]..starts[i + 1]`, lowest first.
    starts: Vec<u32>,
    cells: Vec<SurfaceCell>,
    /// The lowest occupied layer of each slot; [`OPEN`] for an empty column.
    undersides: Vec<u16>,
}

/// The surface cells of one tile, before they are joined with the others.
#[derive(Clone, Debug, Default)]
pub struct TileSurfaces {
    pub starts: Vec<u32>,
    pub cells: Vec<SurfaceCell>,
    pub undersides: Vec<u16>,
}

impl TileSurfaces {
    #[must_use]
    pub fn of(frame: &VoxelFrame, index: usize, tile: &Tile) -> Self {
        let [xs, ys] = frame.tile_columns(index);
        let mut surfaces = Self {
            starts: Vec::with_capacity(TILE_COLUMNS + 1),
            cells: Vec::new(),
            undersides: vec![OPEN; TILE_COLUMNS],
        };
        let side = crate::geometry::voxel_frame::TILE as u32;
        surfaces.starts.push(0);
        for local in 0..TILE_COLUMNS {
            let (x, y) = (
                xs.start + local as u32 % side,
                ys.start + local as u32 / side,
            );
            let column = tile.column(local);
            for (index, span) in column.iter().enumerate() {
                let next = column.get(index + 1);
                let clearance = next.map_or(OPEN, |next| next.bottom - span.top - 1);
                // What the frame's top cuts off has its surface beyond it.
                let is_cut = u32::from(span.top) + 1 >= frame.size[2];
                if clearance > 0 && !is_cut {
                    surfaces.cells.push(SurfaceCell {
                        x: x as u16,
                        y: y as u16,
                        layer: span.top,
                        clearance,
                        fraction: 0,
                        weight: FULL,
                        forbidden: span.forbidden,
                        carries: true,
                    });
                }
            }
            if let Some(lowest) = column.first() {
                surfaces.undersides[local] = lowest.bottom;
            }
            surfaces.starts.push(surfaces.cells.len() as u32);
        }
        surfaces
    }
}

impl SurfaceCells {
    /// The surfaces of a grid, at the bottom of their cells and without weights.
    #[must_use]
    pub fn of_grid(grid: &VoxelGrid) -> Self {
        let tiles = grid.tiles().iter().enumerate();
        let tiles = tiles.map(|(index, tile)| Some(TileSurfaces::of(&grid.frame, index, tile)));
        Self::joined(grid.frame, None, tiles.collect())
    }

    /// Concatenates tiles; missing ones are copied from `before`.
    pub(super) fn joined(
        frame: VoxelFrame,
        before: Option<&Self>,
        tiles: Vec<Option<TileSurfaces>>,
    ) -> Self {
        let slots = tiles.len() * TILE_COLUMNS;
        let mut all = Self {
            frame,
            starts: Vec::with_capacity(slots + 1),
            cells: Vec::with_capacity(before.map_or(0, |before| before.cells.len())),
            undersides: Vec::with_capacity(slots),
        };
        all.starts.push(0);
        for (index, tile) in tiles.into_iter().enumerate() {
            let base = all.cells.len() as u32;
            match (tile, before) {
                (Some(tile), _) => {
                    all.starts
                        .extend(tile.starts[1..].iter().map(|start| base + start));
                    all.cells.extend(tile.cells);
                    all.undersides.extend(tile.undersides);
                }
                (None, Some(before)) => {
                    let slots = index * TILE_COLUMNS..(index + 1) * TILE_COLUMNS;
                    let old = &before.starts[slots.start..=slots.end];
                    let (first, last) = (old[0], old[TILE_COLUMNS]);
                    all.starts
                        .extend(old[1..].iter().map(|start| base + (start - first)));
                    all.cells
                        .extend_from_slice(&before.cells[first as usize..last as usize]);
                    all.undersides.extend_from_slice(&before.undersides[slots]);
                }
                (None, None) => {
                    all.starts.extend([base; TILE_COLUMNS]);
                    all.undersides.extend([OPEN; TILE_COLUMNS]);
                }
            }
        }
        all
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    #[must_use]
    pub fn cells(&self) -> &[SurfaceCell] {
        &self.cells
    }

    /// Cells whose columns are in one tile.
    #[must_use]
    pub fn tile_range(&self, tile: usize) -> std::ops::Range<usize> {
        self.starts[tile * TILE_COLUMNS] as usize..self.starts[(tile + 1) * TILE_COLUMNS] as usize
    }

    pub fn ids(&self) -> impl ExactSizeIterator<Item = SurfaceId> + use<> {
        (0..self.cells.len() as u32).map(SurfaceId)
    }

    #[must_use]
    pub fn get(&self, id: SurfaceId) -> Option<&SurfaceCell> {
        self.cells.get(id.index())
    }

    /// Cells of a column from the bottom up; none outside the frame.
    #[must_use]
    pub fn column(&self, x: i32, y: i32) -> std::ops::Range<u32> {
        match self.slot(x, y) {
            Some(slot) => self.starts[slot]..self.starts[slot + 1],
            None => 0..0,
        }
    }

    fn slot(&self, x: i32, y: i32) -> Option<usize> {
        let [width, height, _] = self.frame.size;
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        (x < width && y < height).then(|| self.frame.slot(x, y))
    }

    #[must_use]
    pub fn at(&self, place: CellPlace) -> Option<SurfaceId> {
        self.column(i32::from(place.x), i32::from(place.y))
            .map(SurfaceId)
            .find(|id| self.cells[id.index()].layer == place.layer)
    }

    /// The free room in a column above a layer: the surface beneath, if any, and the layer of the
    /// lowest occupied cell above. If the next cell above is occupied, that is the ceiling.
    #[must_use]
    pub fn room_above(&self, x: i32, y: i32, layer: i32) -> (Option<&SurfaceCell>, i32) {
        let Some(slot) = self.slot(x, y) else {
            return (None, i32::MAX / 2);
        };
        let column = &self.cells[self.starts[slot] as usize..self.starts[slot + 1] as usize];
        let beneath = column
            .iter()
            .rev()
            .find(|cell| i32::from(cell.layer) <= layer);
        let ceiling = match beneath {
            Some(cell) => cell.ceiling(),
            None => match self.undersides[slot] {
                OPEN => i32::MAX / 2,
                bottom => i32::from(bottom),
            },
        };
        (beneath, ceiling)
    }

    /// The surface under a point: in its column, the highest that is not above the point by more
    /// than `reach` metres, else the lowest.
    #[must_use]
    pub fn under(&self, p: DVec3, reach: f64) -> Option<SurfaceId> {
        let [x, y] = self.frame.column_at(p.x, p.y)?;
        let column = self.column(x as i32, y as i32);
        column
            .clone()
            .rev()
            .map(SurfaceId)
            .find(|id| self.point(*id).z <= p.z + reach)
            .or_else(|| column.clone().next().map(SurfaceId))
    }

    /// Centre of a cell, at its surface.
    #[must_use]
    pub fn point(&self, id: SurfaceId) -> DVec3 {
        self.cells.get(id.index()).map_or(DVec3::NAN, |cell| {
            let at = DVec3::new(
                f64::from(cell.x) + 0.5,
                f64::from(cell.y) + 0.5,
                f64::from(cell.height()) / 255.0,
            );
            self.frame.origin + at * self.frame.steps()
        })
    }

    /// Memory use. Unit: bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.starts.len() * size_of::<u32>()
            + self.cells.len() * size_of::<SurfaceCell>()
            + self.undersides.len() * size_of::<u16>()
    }

    /// Checks the invariants of a grid's surfaces.
    ///
    /// # Errors
    /// The first violation.
    pub fn check_invariants(&self, grid: &VoxelGrid) -> Result<(), String> {
        let mut found = 0;
        for slot in 0..self.frame.slots() {
            if self.starts[slot] > self.starts[slot + 1] {
                return Err(format!("slot {slot} ends before it begins"));
            }
        }
        for y in 0..self.frame.size[1] {
            for x in 0..self.frame.size[0] {
                let column = grid.column(x, y);
                let tops: Vec<u16> = column
                    .iter()
                    .filter(|span| {
                        let above = u32::from(span.top) + 1;
                        above < self.frame.size[2] && !grid.is_occupied(x, y, above)
                    })
                    .map(|span| span.top)
                    .collect();
                let cells = self.column(x as i32, y as i32);
                let cells = &self.cells[cells.start as usize..cells.end as usize];
                let layers: Vec<u16> = cells.iter().map(|cell| cell.layer).collect();
                if tops != layers {
                    return Err(format!("column {x}, {y}: {layers:?} instead of {tops:?}"));
                }
                for cell in cells {
                    let next = column.iter().find(|span| span.bottom > cell.layer);
                    let clearance = next.map_or(OPEN, |span| span.bottom - cell.layer - 1);
                    let span = grid.span_at(x, y, u32::from(cell.layer));
                    if cell.clearance != clearance
                        || (u32::from(cell.x), u32::from(cell.y)) != (x, y)
                        || span.is_none_or(|span| span.forbidden != cell.forbidden)
                    {
                        return Err(format!("{cell:?} does not fit its column"));
                    }
                }
                found += cells.len();
            }
        }
        if found == self.cells.len() {
            Ok(())
        } else {
            Err(format!("{} cells, {found} in columns", self.cells.len()))
        }
    }
}

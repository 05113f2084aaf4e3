//! Surface cells from one body's point of view: where it can stand, and where the border runs
//! (§7.3).

use super::body::{BodyCells, Neighbours, Stride};
use super::reach::step;
use super::surface::{SurfaceCell, SurfaceCells, SurfaceId};
use super::voxels::Voxels;
use crate::geometry::VoxelFrame;
use crate::geometry::voxel_frame::TILE;
use rayon::prelude::*;

const STANDABLE: u8 = 1;
const UPRIGHT: u8 = 2;
const FLAT_ROW: u8 = 4;
const FLAT: u8 = 8;
const BORDER_SHIFT: u8 = 4;

/// One byte per surface cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Footing {
    pub body: BodyCells,
    marks: Vec<u8>,
}

impl Footing {
    #[must_use]
    pub fn build(body: BodyCells, surfaces: &SurfaceCells) -> Self {
        let mut footing = Self {
            body,
            marks: vec![0; surfaces.len()],
        };
        let tiles = surfaces.frame.tiles();
        let all: Vec<usize> = (0..tiles[0] * tiles[1]).collect();
        footing.mark(surfaces, &all);
        footing
    }

    /// Updates the footing after some tiles of the grid have changed: only those and tiles within
    /// their influence are recomputed.
    #[must_use]
    pub fn updated(&self, before: &SurfaceCells, voxels: &Voxels) -> Self {
        let surfaces = &*voxels.surfaces;
        let tiles = surfaces.frame.tiles();
        if before.frame != surfaces.frame || self.marks.len() != before.len() {
            return Self::build(self.body.clone(), surfaces);
        }
        let near = self.near_tiles(&surfaces.frame, &voxels.touched);
        let mut marks = Vec::with_capacity(surfaces.len());
        for (tile, near) in near.iter().enumerate().take(tiles[0] * tiles[1]) {
            let new = surfaces.tile_range(tile);
            if *near {
                marks.resize(marks.len() + new.len(), 0);
            } else {
                marks.extend_from_slice(&self.marks[before.tile_range(tile)]);
            }
        }
        let mut footing = Self {
            body: self.body.clone(),
            marks,
        };
        let dirty: Vec<usize> = (0..near.len()).filter(|tile| near[*tile]).collect();
        footing.mark(surfaces, &dirty);
        footing
    }

    /// Tiles within reach of the changed ones.
    fn near_tiles(&self, frame: &VoxelFrame, touched: &[usize]) -> Vec<bool> {
        let [across, down] = frame.tiles();
        let cells =
            (usize::from(self.body.border_layers) + 2) * self.body.reach.unsigned_abs() as usize;
        let ring = cells.div_ceil(TILE);
        let mut near = vec![false; across * down];
        for tile in touched {
            let (x, y) = (tile % across, tile / across);
            let columns = x.saturating_sub(ring)..(x + ring + 1).min(across);
            for row in y.saturating_sub(ring)..(y + ring + 1).min(down) {
                near[row * across..][columns.clone()].fill(true);
            }
        }
        near
    }

    /// Marks the cells of some tiles, stage by stage; each stage reads what the previous one wrote.
    fn mark(&mut self, surfaces: &SurfaceCells, tiles: &[usize]) {
        self.stage(surfaces, tiles, |footing, cell, _| {
            footing.standing_mark(cell)
        });
        for layer in 1..=self.body.border_layers {
            let sides = self.sides();
            self.stage(surfaces, tiles, |footing, cell, mark| {
                let open = mark & STANDABLE == 0 || mark >> BORDER_SHIFT != 0;
                if open || footing.has_all_sides(surfaces, cell, &sides, layer) {
                    mark
                } else {
                    mark | layer << BORDER_SHIFT
                }
            });
        }
        // A head no higher than a step would find several cells of a column within reach.
        if self.body.height > self.body.step_layers {
            for (needed, found, along) in [(UPRIGHT, FLAT_ROW, [1, 0]), (FLAT_ROW, FLAT, [0, 1])] {
                self.stage(surfaces, tiles, |footing, cell, mark| {
                    if footing.is_even(surfaces, cell, mark, needed, along) {
                        mark | found
                    } else {
                        mark
                    }
                });
            }
        }
    }

    fn stage(
        &mut self,
        surfaces: &SurfaceCells,
        tiles: &[usize],
        mark: impl Fn(&Self, &SurfaceCell, u8) -> u8 + Sync,
    ) {
        let this = &*self;
        let found: Vec<(usize, Vec<u8>)> = tiles
            .par_iter()
            .map(|tile| {
                let range = surfaces.tile_range(*tile);
                let start = range.start;
                let marks = surfaces.cells()[range.clone()]
                    .iter()
                    .zip(&this.marks[range])
                    .map(|(cell, old)| mark(this, cell, *old))
                    .collect();
                (start, marks)
            })
            .collect();
        for (start, marks) in found {
            self.marks[start..start + marks.len()].copy_from_slice(&marks);
        }
    }

    fn standing_mark(&self, cell: &SurfaceCell) -> u8 {
        let clearance = i32::from(cell.clearance);
        if cell.forbidden || !cell.carries || clearance < self.body.bent {
            0
        } else if clearance < self.body.height {
            STANDABLE
        } else {
            STANDABLE | UPRIGHT
        }
    }

    /// Strides by the side they lead to, shortest first.
    fn sides(&self) -> Vec<Vec<Stride>> {
        let mut directions = vec![[1, 0], [-1, 0], [0, 1], [0, -1]];
        if self.body.conduct.border_neighbours == Neighbours::Eight {
            directions.extend([[1, 1], [-1, 1], [1, -1], [-1, -1]]);
        }
        directions
            .into_iter()
            .map(|[dx, dy]| {
                let along = |n: i32| self.body.stride(n * dx, n * dy).cloned();
                (1..=self.body.reach).filter_map(along).collect()
            })
            // Without diagonal moves a corner is not a side.
            .filter(|side: &Vec<Stride>| !side.is_empty())
            .collect()
    }

    /// Whether to each side some cell is immediately reachable *from here* that is not in a border
    /// layer found before. Reachability in the opposite direction does not count (Fig. 12).
    fn has_all_sides(
        &self,
        surfaces: &SurfaceCells,
        cell: &SurfaceCell,
        sides: &[Vec<Stride>],
        layer: u8,
    ) -> bool {
        sides.iter().all(|side| {
            side.iter().any(|stride| {
                let (x, y) = (i32::from(cell.x), i32::from(cell.y));
                surfaces.column(x + stride.dx, y + stride.dy).any(|id| {
                    let mark = self.marks[id as usize];
                    let border = mark >> BORDER_SHIFT;
                    let other = &surfaces.cells()[id as usize];
                    mark & STANDABLE != 0
                        && (border == 0 || border >= layer)
                        && step(surfaces, &self.body, cell, other, stride, false).is_ok()
                })
            })
        })
    }

    /// Whether all cells within reach along an axis are level with this one, marked `needed`, and
    /// off the border: then no long stride leads anywhere that walking does not.
    fn is_even(
        &self,
        surfaces: &SurfaceCells,
        cell: &SurfaceCell,
        mark: u8,
        needed: u8,
        [dx, dy]: [i32; 2],
    ) -> bool {
        let fits = |mark: u8| mark & needed != 0 && mark >> BORDER_SHIFT == 0;
        let (x, y) = (i32::from(cell.x), i32::from(cell.y));
        fits(mark)
            && (-self.body.reach..=self.body.reach).all(|n| {
                surfaces.column(x + n * dx, y + n * dy).any(|id| {
                    let other = &surfaces.cells()[id as usize];
                    other.layer == cell.layer
                        && 4 * (other.height() - cell.height()).abs() <= self.body.step
                        && fits(self.marks[id as usize])
                })
            })
    }

    fn mark_of(&self, id: SurfaceId) -> u8 {
        self.marks.get(id.index()).copied().unwrap_or(0)
    }

    /// Not forbidden, with ground under its centre and headroom for at least a bent body.
    #[must_use]
    pub fn is_standable(&self, id: SurfaceId) -> bool {
        self.mark_of(id) & STANDABLE != 0
    }

    #[must_use]
    pub fn is_upright(&self, id: SurfaceId) -> bool {
        self.mark_of(id) & UPRIGHT != 0
    }

    /// Level ground as far as a stride reaches.
    pub(super) fn is_flat(&self, id: SurfaceId) -> bool {
        self.mark_of(id) & FLAT != 0
    }

    /// 1 for the outermost layer of the border, 0 off it.
    #[must_use]
    pub fn border_layer(&self, id: SurfaceId) -> u8 {
        self.mark_of(id) >> BORDER_SHIFT
    }

    #[must_use]
    pub fn is_border(&self, id: SurfaceId) -> bool {
        self.border_layer(id) != 0
    }

    /// Whether something may end here: the outermost layer of the border. Bodies without a border
    /// have one wherever the ground is not level.
    pub(super) fn is_rim(&self, id: SurfaceId) -> bool {
        match self.body.border_layers {
            0 => !self.is_flat(id),
            _ => self.border_layer(id) == 1,
        }
    }

    /// Columns that a search looks at when it expands a cell.
    #[must_use]
    pub fn looks(&self, id: SurfaceId) -> usize {
        if self.is_flat(id) {
            let strides = self.body.strides.iter();
            strides.take_while(|stride| stride.is_contiguous()).count()
        } else {
            self.body.strides.len()
        }
    }

    #[must_use]
    pub fn standable_count(&self) -> usize {
        self.marks
            .iter()
            .filter(|mark| **mark & STANDABLE != 0)
            .count()
    }

    #[must_use]
    pub fn border_count(&self) -> usize {
        self.marks
            .iter()
            .filter(|mark| **mark >> BORDER_SHIFT != 0)
            .count()
    }

    /// Memory use. Unit: bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.marks.len()
    }

    /// Border cells are standable; flat ones are upright and off the border.
    ///
    /// # Errors
    /// The first violation.
    pub fn check_invariants(&self, surfaces: &SurfaceCells) -> Result<(), String> {
        if self.marks.len() != surfaces.len() {
            return Err(format!(
                "{} marks for {} cells",
                self.marks.len(),
                surfaces.len()
            ));
        }
        for id in surfaces.ids() {
            let (mark, cell) = (self.mark_of(id), surfaces.cells()[id.index()]);
            let standable = mark & STANDABLE != 0;
            let fits = standable == (self.standing_mark(&cell) != 0)
                && (standable || mark == 0)
                && self.border_layer(id) <= self.body.border_layers
                && (!self.is_flat(id) || self.is_upright(id) && !self.is_border(id));
            if !fits {
                return Err(format!("{cell:?} is marked {mark:#010b}"));
            }
        }
        Ok(())
    }
}

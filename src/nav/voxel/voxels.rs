//! A voxelised scene: built entirely, or only where something has changed.

use super::grid::{Tile, VoxelGrid};
use super::scene::{VoxelObject, VoxelScene};
use super::surface::{SurfaceCells, TileSurfaces};
use super::tile::{Share, TileBits, level_surfaces, weigh_surfaces};
use crate::geometry::VoxelFrame;
use crate::geometry::voxel_frame::TILE;
use crate::jobs::{Cancelled, JobContext};
use glam::DVec3;
use rayon::prelude::*;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Options of voxelisation, apart from the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sampling {
    /// Sub-columns along each side of a cell for its weight; 0 and 1 disable super-sampling.
    pub by: u32,
}

/// Maximum sub-columns along a side.
pub const MAX_SAMPLING: u32 = 8;

/// The cells of a scene, shared by all bodies.
#[derive(Clone, Debug)]
pub struct Voxels {
    pub scene: Arc<VoxelScene>,
    pub sampling: Sampling,
    pub grid: VoxelGrid,
    pub surfaces: Arc<SurfaceCells>,
    /// Tiles that differ from the previous grid; all of them if there was none.
    pub touched: Vec<usize>,
}

impl Voxels {
    /// # Errors
    /// The job was cancelled.
    pub fn build(
        frame: VoxelFrame,
        scene: Arc<VoxelScene>,
        sampling: Sampling,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let tiles = frame.tiles()[0] * frame.tiles()[1];
        Self::with_tiles(frame, scene, sampling, None, vec![true; tiles], ctx)
    }

    /// From another discretisation of a scene. `weight` tells how much of a cell is filled, in
    /// 255ths, if that was counted.
    ///
    /// # Errors
    /// The job was cancelled.
    #[cfg(feature = "gl")]
    pub(super) fn of_grid(
        grid: VoxelGrid,
        scene: Arc<VoxelScene>,
        sampling: Sampling,
        weight: Option<&(dyn Fn(&super::SurfaceCell) -> u8 + Sync)>,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let frame = grid.frame;
        let touched: Vec<usize> = (0..grid.tiles().len()).collect();
        let shares = shares_of(&frame, &scene, &vec![true; touched.len()]);
        let by = sampling.by.min(MAX_SAMPLING);
        let surfaces = touched
            .par_iter()
            .zip(shares)
            .map(|(tile, shares)| {
                ctx.checkpoint()?;
                let mut surfaces = TileSurfaces::of(&frame, *tile, &grid.tiles()[*tile]);
                let TileSurfaces { starts, cells, .. } = &mut surfaces;
                level_surfaces(&frame, *tile, &shares, starts, cells);
                match weight {
                    Some(weight) => cells.iter_mut().for_each(|cell| cell.weight = weight(cell)),
                    None if by > 1 => weigh_surfaces(&frame, *tile, &shares, by, starts, cells),
                    None => {}
                }
                Ok(Some(surfaces))
            })
            .collect::<Result<_, Cancelled>>()?;
        Ok(Self {
            scene,
            sampling,
            surfaces: Arc::new(SurfaceCells::joined(frame, None, surfaces)),
            grid,
            touched,
        })
    }

    /// Updates for a changed scene: only tiles that contain or contained a changed object are
    /// voxelised again (§8.3).
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn updated(&self, scene: Arc<VoxelScene>, ctx: &JobContext) -> Result<Self, Cancelled> {
        let frame = self.grid.frame;
        let across = frame.tiles()[0];
        let mut dirty = vec![false; frame.tiles()[0] * frame.tiles()[1]];
        for (low, high) in self.scene.changed_boxes(&scene) {
            if let Some((columns, rows)) = tiles_of(&frame, low, high) {
                for row in rows {
                    dirty[row * across..][columns.clone()].fill(true);
                }
            }
        }
        Self::with_tiles(frame, scene, self.sampling, Some(self), dirty, ctx)
    }

    fn with_tiles(
        frame: VoxelFrame,
        scene: Arc<VoxelScene>,
        sampling: Sampling,
        before: Option<&Self>,
        dirty: Vec<bool>,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let touched: Vec<usize> = (0..dirty.len()).filter(|tile| dirty[*tile]).collect();
        let shares = shares_of(&frame, &scene, &dirty);
        ctx.checkpoint()?;
        let by = sampling.by.min(MAX_SAMPLING);
        let built: Vec<(usize, Arc<Tile>, TileSurfaces)> = touched
            .par_iter()
            .zip(shares)
            .map(|(tile, shares)| {
                ctx.checkpoint()?;
                let made = Arc::new(Tile::of_bits(&TileBits::build(&frame, *tile, &shares)));
                let mut surfaces = TileSurfaces::of(&frame, *tile, &made);
                let TileSurfaces { starts, cells, .. } = &mut surfaces;
                level_surfaces(&frame, *tile, &shares, starts, cells);
                if by > 1 {
                    weigh_surfaces(&frame, *tile, &shares, by, starts, cells);
                }
                Ok((*tile, made, surfaces))
            })
            .collect::<Result<_, Cancelled>>()?;
        let empty = Arc::new(Tile::empty());
        let mut tiles: Vec<Arc<Tile>> = match before {
            Some(before) => before.grid.tiles().to_vec(),
            None => vec![empty; dirty.len()],
        };
        let mut surfaces: Vec<Option<TileSurfaces>> = dirty.iter().map(|_| None).collect();
        for (tile, made, found) in built {
            tiles[tile] = made;
            surfaces[tile] = Some(found);
        }
        let before = before.map(|before| &*before.surfaces);
        Ok(Self {
            scene,
            sampling,
            grid: VoxelGrid::of_tiles(frame, tiles),
            surfaces: Arc::new(SurfaceCells::joined(frame, before, surfaces)),
            touched,
        })
    }

    #[must_use]
    pub const fn frame(&self) -> &VoxelFrame {
        &self.grid.frame
    }

    /// Memory use of grid and surfaces. Unit: bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.grid.bytes() + self.surfaces.bytes()
    }

    /// The object that occupies a cell, forbidden ones first: for messages.
    #[must_use]
    pub fn object_in(&self, x: u32, y: u32, layer: u32) -> Option<&VoxelObject> {
        let frame = &self.grid.frame;
        let low = frame.centre([x, y, layer]) - frame.steps() * 0.5;
        let high = low + frame.steps();
        let reaches = |object: &&VoxelObject| {
            object
                .bounds()
                .is_some_and(|(a, b)| a.cmple(high).all() && b.cmpge(low).all())
        };
        let mut found = None;
        for object in self.scene.objects.iter().map(|object| &**object) {
            let better = object.forbidden || found.is_none();
            if better && reaches(&object) && marks(frame, object, [x, y, layer]) {
                found = Some(object);
                if object.forbidden {
                    break;
                }
            }
        }
        found
    }
}

/// Whether an object touches or encloses one cell.
fn marks(frame: &VoxelFrame, object: &VoxelObject, [x, y, layer]: [u32; 3]) -> bool {
    let mut touched = false;
    let mut winding = 0;
    for triangle in &object.triangles {
        let triangle = super::cell_triangle::CellTriangle::new(frame, triangle);
        triangle.columns(x..x + 1, y..y + 1, frame.size[2], |t| {
            touched |= (t.low..=t.high).contains(&layer);
        });
        if object.closed {
            triangle.crossings(x..x + 1, y..y + 1, |_, _, crossing| {
                if crossing.height > f64::from(layer) + 0.5 {
                    winding += if crossing.faces_down { 1 } else { -1 };
                }
            });
        }
    }
    touched || winding != 0
}

type Tiles = (RangeInclusive<usize>, RangeInclusive<usize>);

/// Columns and rows of tiles that a box touches, with a margin of one cell.
fn tiles_of(frame: &VoxelFrame, low: DVec3, high: DVec3) -> Option<Tiles> {
    let low = frame.cells_from_world(low) - 1.0;
    let high = frame.cells_from_world(high) + 1.0;
    let along = |axis: usize| {
        let last = f64::from(frame.size[axis]) - 1.0;
        let (low, high) = (low[axis].max(0.0), high[axis].min(last));
        (low <= high).then_some(low as usize / TILE..=high as usize / TILE)
    };
    Some((along(0)?, along(1)?))
}

/// The triangles relevant to each dirty tile, in the order of the dirty tiles.
fn shares_of<'a>(frame: &VoxelFrame, scene: &'a VoxelScene, dirty: &[bool]) -> Vec<Vec<Share<'a>>> {
    let across = frame.tiles()[0];
    let mut numbers = vec![usize::MAX; dirty.len()];
    let mut count = 0;
    for (number, _) in numbers.iter_mut().zip(dirty).filter(|(_, dirty)| **dirty) {
        *number = count;
        count += 1;
    }
    let mut shares: Vec<Vec<Share<'a>>> = vec![Vec::new(); count];
    for object in &scene.objects {
        let Some((columns, rows)) = object
            .bounds()
            .and_then(|(low, high)| tiles_of(frame, low, high))
        else {
            continue;
        };
        let needed = rows
            .into_iter()
            .any(|row| dirty[row * across..][columns.clone()].contains(&true));
        if !needed {
            continue;
        }
        for (index, [p, q, r]) in object.triangles.iter().enumerate() {
            let (low, high) = (p.min(*q).min(*r), p.max(*q).max(*r));
            let Some((columns, rows)) = tiles_of(frame, low, high) else {
                continue;
            };
            for row in rows {
                for column in columns.clone() {
                    let number = numbers[row * across + column];
                    if number == usize::MAX {
                        continue;
                    }
                    let share = &mut shares[number];
                    match share.last_mut() {
                        Some(last) if std::ptr::eq(last.object, &raw const **object) => {
                            last.triangles.push(index as u32);
                        }
                        _ => share.push(Share {
                            object,
                            triangles: vec![index as u32],
                        }),
                    }
                }
            }
        }
    }
    shares
}

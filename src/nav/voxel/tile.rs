//! The discretisation of one tile of columns.

use super::cell_triangle::{CellTriangle, Crossing, inside};
use super::scene::VoxelObject;
use super::surface::SurfaceCell;
use crate::geometry::voxel_frame::{TILE, TILE_COLUMNS};
use crate::geometry::{BitColumns, VoxelFrame};
use std::ops::Range;

/// Triangles of one object that may touch a tile.
#[derive(Clone, Debug)]
pub struct Share<'a> {
    pub object: &'a VoxelObject,
    pub triangles: Vec<u32>,
}

/// Occupied and forbidden cells of a tile while it is built.
#[derive(Clone, Debug)]
pub struct TileBits {
    pub occupied: BitColumns,
    pub forbidden: BitColumns,
}

/// A column's index within its tile.
pub const fn local(x: u32, y: u32) -> usize {
    (y as usize % TILE) * TILE + x as usize % TILE
}

impl TileBits {
    #[must_use]
    pub fn empty(layers: u32) -> Self {
        Self {
            occupied: BitColumns::new(TILE_COLUMNS, layers),
            forbidden: BitColumns::new(TILE_COLUMNS, layers),
        }
    }

    /// Marks every cell that a triangle touches, and the inside of closed bodies.
    #[must_use]
    pub fn build(frame: &VoxelFrame, tile: usize, shares: &[Share<'_>]) -> Self {
        let [xs, ys] = frame.tile_columns(tile);
        let mut bits = Self::empty(frame.size[2]);
        mark(
            frame,
            [&xs, &ys],
            shares,
            local,
            |object, column, low, high| {
                bits.occupied.set_range(column, low, high);
                if object.forbidden {
                    bits.forbidden.set_range(column, low, high);
                }
            },
        );
        bits
    }
}

/// Ranges of layers, inclusive, that objects occupy in columns: what their triangles touch, and the
/// inside of closed ones.
fn mark(
    frame: &VoxelFrame,
    [xs, ys]: [&Range<u32>; 2],
    shares: &[Share<'_>],
    column: impl Fn(u32, u32) -> usize,
    mut visit: impl FnMut(&VoxelObject, usize, u32, u32),
) {
    let mut crossings: Vec<(usize, Crossing)> = Vec::new();
    let mut line: Vec<Crossing> = Vec::new();
    for Share { object, triangles } in shares {
        crossings.clear();
        for index in triangles {
            let Some(triangle) = object.triangles.get(*index as usize) else {
                continue;
            };
            let triangle = CellTriangle::new(frame, triangle);
            triangle.columns(xs.clone(), ys.clone(), frame.size[2], |touched| {
                visit(
                    object,
                    column(touched.x, touched.y),
                    touched.low,
                    touched.high,
                );
            });
            if object.closed {
                triangle.crossings(xs.clone(), ys.clone(), |x, y, crossing| {
                    crossings.push((column(x, y), crossing));
                });
            }
        }
        crossings.sort_by_key(|(column, _)| *column);
        for same in crossings.chunk_by(|a, b| a.0 == b.0) {
            line.clear();
            line.extend(same.iter().map(|(_, crossing)| *crossing));
            inside(&mut line, frame.size[2], |low, high| {
                visit(object, same[0].0, low, high);
            });
        }
    }
}

/// Ground this far below a surface carries who steps on it: within a cell, ramps and stairs rise.
/// Unit: metres.
const DEEP: f64 = 0.3;

/// Heights of a tile's surfaces within their cells, and whether they carry, from the triangles.
pub fn level_surfaces(
    frame: &VoxelFrame,
    tile: usize,
    shares: &[Share<'_>],
    starts: &[u32],
    cells: &mut [SurfaceCell],
) {
    let [xs, ys] = frame.tile_columns(tile);
    let deep = DEEP / frame.layer;
    cells.iter_mut().for_each(|cell| cell.carries = false);
    for Share { object, triangles } in shares {
        for index in triangles {
            let Some(triangle) = object.triangles.get(*index as usize) else {
                continue;
            };
            let triangle = CellTriangle::new(frame, triangle);
            triangle.crossings(xs.clone(), ys.clone(), |x, y, crossing| {
                let column = local(x, y);
                for cell in &mut cells[starts[column] as usize..starts[column + 1] as usize] {
                    let depth = f64::from(cell.layer) + 1.0 - crossing.height;
                    cell.carries |= (-1e-6..=deep + 1.0).contains(&depth);
                }
            });
            triangle.columns(xs.clone(), ys.clone(), frame.size[2], |touched| {
                let column = local(touched.x, touched.y);
                let here = starts[column] as usize..starts[column + 1] as usize;
                for cell in &mut cells[here] {
                    let layer = u32::from(cell.layer);
                    if (touched.low..=touched.high).contains(&layer) {
                        let height = triangle.height_over(touched.x, touched.y);
                        let share = (height - f64::from(layer)).clamp(0.0, 1.0);
                        cell.fraction = cell.fraction.max((share * 255.0).round() as u8);
                    }
                }
            });
        }
    }
}

/// Layers below a surface that count as its support as well: within a cell, a ramp of 45° rises as
/// much as the cell is wide.
pub fn support_layers(frame: &VoxelFrame) -> u32 {
    (frame.cell / frame.layer).ceil().clamp(0.0, 64.0) as u32
}

/// How much of each surface cell can be stood on: the fraction of its `by` × `by` sub-columns that
/// are occupied in the cell or just below it. 255 is all of it.
pub fn weigh_surfaces(
    frame: &VoxelFrame,
    tile: usize,
    shares: &[Share<'_>],
    by: u32,
    starts: &[u32],
    cells: &mut [SurfaceCell],
) {
    let [xs, ys] = frame.tile_columns(tile);
    let fine = VoxelFrame {
        cell: frame.cell / f64::from(by),
        size: [frame.size[0] * by, frame.size[1] * by, frame.size[2]],
        ..*frame
    };
    let across = TILE * by as usize;
    let mut bits = BitColumns::new(across * across, frame.size[2]);
    let scaled = |range: &Range<u32>| range.start * by..range.end * by;
    let place =
        |x: u32, y: u32| (y - ys.start * by) as usize * across + (x - xs.start * by) as usize;
    let fine_columns = [&scaled(&xs), &scaled(&ys)];
    mark(
        &fine,
        fine_columns,
        shares,
        place,
        |_, column, low, high| {
            bits.set_range(column, low, high);
        },
    );
    for y in ys.clone() {
        for x in xs.clone() {
            let column = local(x, y);
            for cell in &mut cells[starts[column] as usize..starts[column + 1] as usize] {
                let mut there = 0;
                for sub in 0..by * by {
                    let at = place(x * by + sub % by, y * by + sub / by);
                    let layer = u32::from(cell.layer);
                    let low = layer.saturating_sub(support_layers(frame));
                    there += u32::from((low..=layer).any(|layer| bits.get(at, layer)));
                }
                cell.weight = (there * 255 / (by * by)) as u8;
            }
        }
    }
}

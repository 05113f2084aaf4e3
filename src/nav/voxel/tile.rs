//! The discretisation of one tile of columns.

use super::cell_triangle::CellTriangle;
use super::scene::VoxelObject;
use super::surface::SurfaceCell;
use crate::geometry::voxel_frame::{TILE, TILE_COLUMNS};
use crate::geometry::{BitColumns, VoxelFrame};

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

/// A column's place within its tile.
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

    /// Marks every cell that a triangle touches, and the inside of what is closed.
    #[must_use]
    pub fn build(frame: &VoxelFrame, tile: usize, shares: &[Share<'_>]) -> Self {
        let layers = frame.size[2];
        let [xs, ys] = frame.tile_columns(tile);
        let mut bits = Self::empty(layers);
        let mut inside: Option<BitColumns> = None;
        for Share { object, triangles } in shares {
            let prepared = || {
                triangles
                    .iter()
                    .filter_map(|index| object.triangles.get(*index as usize))
                    .map(|triangle| CellTriangle::new(frame, triangle))
            };
            for triangle in prepared() {
                triangle.columns(xs.clone(), ys.clone(), layers, |touched| {
                    let column = local(touched.x, touched.y);
                    bits.occupied.set_range(column, touched.low, touched.high);
                    if object.forbidden {
                        bits.forbidden.set_range(column, touched.low, touched.high);
                    }
                });
            }
            if object.closed {
                let inside = inside.get_or_insert_with(|| BitColumns::new(TILE_COLUMNS, layers));
                inside.clear();
                for triangle in prepared() {
                    triangle.crossings(xs.clone(), ys.clone(), |x, y, height| {
                        // Layers whose middle lies below.
                        let count = (height - 0.5).ceil().clamp(0.0, f64::from(layers));
                        inside.flip_below(local(x, y), count as u32);
                    });
                }
                bits.occupied.unite(inside);
                if object.forbidden {
                    bits.forbidden.unite(inside);
                }
            }
        }
        bits
    }
}

/// How high the surfaces of a tile's cells lie within them, where triangles say so.
pub fn level_surfaces(
    frame: &VoxelFrame,
    tile: usize,
    shares: &[Share<'_>],
    starts: &[u32],
    cells: &mut [SurfaceCell],
) {
    let [xs, ys] = frame.tile_columns(tile);
    for Share { object, triangles } in shares {
        for index in triangles {
            let Some(triangle) = object.triangles.get(*index as usize) else {
                continue;
            };
            let triangle = CellTriangle::new(frame, triangle);
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

/// How much of each surface cell is there to stand on: the share of its sub-columns, `by` × `by` of
/// them, in which the cell is occupied. 255 is all of it.
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
    let mut inside: Option<BitColumns> = None;
    let scaled = |range: &std::ops::Range<u32>| range.start * by..range.end * by;
    let place =
        |x: u32, y: u32| (y - ys.start * by) as usize * across + (x - xs.start * by) as usize;
    for Share { object, triangles } in shares {
        let prepared = || {
            triangles
                .iter()
                .filter_map(|index| object.triangles.get(*index as usize))
                .map(|triangle| CellTriangle::new(&fine, triangle))
        };
        for triangle in prepared() {
            triangle.columns(scaled(&xs), scaled(&ys), frame.size[2], |touched| {
                bits.set_range(place(touched.x, touched.y), touched.low, touched.high);
            });
        }
        if object.closed {
            let inside =
                inside.get_or_insert_with(|| BitColumns::new(across * across, frame.size[2]));
            inside.clear();
            for triangle in prepared() {
                triangle.crossings(scaled(&xs), scaled(&ys), |x, y, height| {
                    let count = (height - 0.5).ceil().clamp(0.0, f64::from(frame.size[2]));
                    inside.flip_below(place(x, y), count as u32);
                });
            }
            bits.unite(inside);
        }
    }
    for y in ys.clone() {
        for x in xs.clone() {
            let column = local(x, y);
            for cell in &mut cells[starts[column] as usize..starts[column + 1] as usize] {
                let mut there = 0;
                for sub in 0..by * by {
                    let at = place(x * by + sub % by, y * by + sub / by);
                    there += u32::from(bits.get(at, u32::from(cell.layer)));
                }
                cell.weight = (there * 255 / (by * by)) as u8;
            }
        }
    }
}

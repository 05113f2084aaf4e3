//! Cells over the plan.

use super::merge::{CellRect, Cells};
use super::{Band, CellLayer, CellView, HEIGHT_TINTS, fill_of};
use crate::geometry::{Rect, VoxelFrame};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::voxel::Span;
use crate::planner::human::{Door, Fate};
use crate::preview::mesh::{Mesh, Tessellator};
use crate::preview::primitive::{Extent, Glyph, Ink, Plane, Primitive, Shape, Sink, Stroke};
use crate::preview::style::{Look, Palette};
use glam::DVec2;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Above all revisions of other triangles of the plan.
const FIRST_REVISION: u64 = 7 << 60;

/// Obstacles higher than this above the floor are overhead. Unit: metres.
const HEAD: f64 = 2.0;
/// Height of the darkest tint. Unit: metres.
const TALL: f64 = 3.0;
/// Lines between cells are shown from this cell size on. Unit: pixels.
const SHOWN_CELL: f64 = 9.0;

/// Triangles of one layer, or of one band of the front.
#[derive(Clone, Debug)]
pub struct PlanPart {
    pub plane: Plane,
    pub band: Option<Band>,
    /// Never reused for other triangles.
    pub revision: u64,
    pub mesh: Arc<Mesh>,
}

impl PlanPart {
    fn new(plane: Plane, band: Option<Band>, shapes: &[Shape], origin: DVec2) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(FIRST_REVISION);
        let mut mesh = Mesh::default();
        let mut tessellator = Tessellator::new(origin);
        for shape in shapes {
            tessellator.add(shape, &mut mesh);
        }
        Self {
            plane,
            band,
            revision: NEXT.fetch_add(1, Ordering::Relaxed),
            mesh: Arc::new(mesh),
        }
    }
}

/// Everything that `layers` shows of the voxels, as triangles around an origin.
///
/// # Errors
/// The job was cancelled.
pub fn plan_parts(
    view: &CellView<'_>,
    layers: &[CellLayer],
    look: Look,
    origin: DVec2,
    ctx: &JobContext,
) -> Result<Vec<PlanPart>, Cancelled> {
    let palette = look.palette();
    let mut parts = Vec::new();
    for &layer in layers {
        let plane = layer.plane();
        ctx.checkpoint()?;
        let shapes = layer_shapes(view, layer, palette);
        if layer == CellLayer::Front {
            let bands: Vec<Band> = view.bands().collect();
            for (tint, shape) in shapes {
                let band = bands.get(usize::from(tint)).copied();
                parts.push(PlanPart::new(plane, band, &[shape], origin));
            }
        } else {
            let mut shapes: Vec<Shape> = shapes.into_iter().map(|(_, shape)| shape).collect();
            if layer == CellLayer::Surfaces {
                shapes.extend(grid(view, palette));
            }
            if layer == CellLayer::Lost {
                let doors = view.against.map_or(&[][..], |against| &against.doors);
                draw_doors(doors, palette, &mut shapes);
            }
            parts.push(PlanPart::new(plane, None, &shapes, origin));
        }
    }
    Ok(parts)
}

/// The cells of a range of front levels that is not a whole band: what playback adds between two
/// bands.
#[must_use]
pub fn front_part(
    view: &CellView<'_>,
    band: Band,
    up_to: u32,
    palette: &Palette,
    origin: DVec2,
) -> Option<PlanPart> {
    let front = view.reachability.front()?;
    let surfaces = view.reachability.surfaces();
    let mut cells = Cells::default();
    for level in band.low..band.high.min(up_to) {
        for id in front.cells_at(level as usize) {
            if view.storey.contains(surfaces.point(*id).z) {
                let cell = &surfaces.cells()[id.index()];
                let newest = u64::from(level + 1 == up_to);
                cells.push(newest, cell.x, cell.y);
            }
        }
    }
    let bands = view.bands().count();
    let mut shapes = Vec::new();
    for (newest, rects) in grouped(&cells.merged(), &surfaces.frame) {
        let mut fill = fill_of(CellLayer::Front, band.index, bands, palette);
        if newest == 1 {
            // The front itself.
            fill.ink = Ink::new(palette.text, 0.85);
        }
        shapes.push(cells_shape(Plane::FrontCells, rects, fill));
    }
    Some(PlanPart::new(
        Plane::FrontCells,
        Some(band),
        &shapes,
        origin,
    ))
}

/// One layer of cells, for a picture without a window.
pub fn draw_cells(view: &CellView<'_>, layer: CellLayer, palette: &Palette, sink: &mut dyn Sink) {
    for (_, shape) in layer_shapes(view, layer, palette) {
        sink.add(shape);
    }
    match layer {
        CellLayer::Surfaces => {
            for line in grid(view, palette) {
                sink.add(line);
            }
        }
        CellLayer::Lost => {
            let doors = view.against.map_or(&[][..], |against| &against.doors);
            draw_doors(doors, palette, sink);
        }
        _ => {}
    }
}

/// Doors that the cells lose: the line across, and a glyph in its middle.
pub fn draw_doors(doors: &[Door], palette: &Palette, sink: &mut dyn Sink) {
    for door in doors {
        let colour = match door.fate {
            Fate::Closed => palette.lost,
            Fate::Squeezed => palette.border,
        };
        let mut add = |primitive| {
            sink.add(Shape {
                plane: Plane::LostCells,
                entity: None,
                min_scale: 0.0,
                primitive,
            });
        };
        let line = |ink, width| Primitive::Line {
            points: door.ends.to_vec(),
            closed: false,
            stroke: Stroke::pixels(ink, width),
        };
        add(line(palette.halo, 7.0));
        add(line(Ink::solid(colour), 4.0));
        add(Primitive::Mark {
            at: door.at.truncate(),
            turn: 0.0,
            glyph: match door.fate {
                Fate::Closed => Glyph::Cross,
                Fate::Squeezed => Glyph::Diamond,
            },
            size: Extent::pixels(7.0),
            fill: Ink::solid(colour),
            outline: Some(Stroke::pixels(palette.halo, 2.0)),
        });
    }
}

/// The shapes of a layer by tint.
fn layer_shapes(view: &CellView<'_>, layer: CellLayer, palette: &Palette) -> Vec<(u8, Shape)> {
    let surfaces = view.reachability.surfaces();
    let mut cells = Cells::default();
    if layer == CellLayer::Occupied {
        occupied(view, &mut cells);
    } else {
        view.for_each(layer, |id, tint| {
            let cell = &surfaces.cells()[id.index()];
            // The highest cell of a column is visible; for the front, the one reached first.
            if layer == CellLayer::Front {
                cells.push(u64::from(tint), cell.x, cell.y);
            } else {
                cells.push_over(u64::from(tint), cell.x, cell.y);
            }
        });
    }
    let bands = view.bands().count();
    grouped(&cells.merged(), &surfaces.frame)
        .into_iter()
        .map(|(tint, rects)| {
            let fill = fill_of(layer, tint, bands, palette);
            (tint, cells_shape(layer.plane(), rects, fill))
        })
        .collect()
}

fn cells_shape(plane: Plane, rects: Vec<Rect>, fill: crate::preview::primitive::Fill) -> Shape {
    Shape {
        plane,
        entity: None,
        min_scale: 0.0,
        primitive: Primitive::Cells { rects, fill },
    }
}

/// Solid cells of the storey that rise above its floor, darker with height.
fn occupied(view: &CellView<'_>, cells: &mut Cells) {
    let grid = &view.reachability.voxels.voxels.grid;
    let frame = grid.frame;
    let height = |layer: u16| frame.origin.z + f64::from(layer) * frame.layer;
    let is_one = view.storey.high.is_finite() || view.storey.low.is_finite();
    let floor = view.storey.floor;
    for y in 0..frame.size[1] {
        for x in 0..frame.size[0] {
            let stands_out = |span: &&Span| {
                let (low, high) = (height(span.bottom), height(span.top) + frame.layer);
                let is_overhead = is_one && low > floor + HEAD;
                high > floor + 1.5 * frame.layer && low < view.storey.high && !is_overhead
            };
            let highest = grid.column(x, y).iter().rfind(stands_out);
            if let Some(span) = highest {
                let rise = (height(span.top) + frame.layer - floor) / TALL;
                let tint = (rise.clamp(0.0, 1.0) * f64::from(HEIGHT_TINTS - 1)).round() as u64;
                cells.push(tint, x as u16, y as u16);
            }
        }
    }
}

fn grouped(rects: &[CellRect], frame: &VoxelFrame) -> Vec<(u8, Vec<Rect>)> {
    let corner = |[x, y]: [u16; 2]| {
        frame.origin.truncate() + DVec2::new(f64::from(x), f64::from(y)) * frame.cell
    };
    rects
        .chunk_by(|a, b| a.key == b.key)
        .map(|alike| {
            let rects = alike
                .iter()
                .map(|rect| Rect::new(corner(rect.low), corner(rect.high)));
            (alike[0].key as u8, rects.collect())
        })
        .collect()
}

/// Lines between cells, if these are large enough to be distinguished.
fn grid(view: &CellView<'_>, palette: &Palette) -> Vec<Shape> {
    let frame = &view.reachability.surfaces().frame;
    let [width, height] = [frame.size[0], frame.size[1]].map(f64::from);
    let at = |x: f64, y: f64| frame.origin.truncate() + DVec2::new(x, y) * frame.cell;
    let line = |from: DVec2, to: DVec2| Shape {
        plane: Plane::SurfaceCells,
        entity: None,
        min_scale: SHOWN_CELL / frame.cell,
        primitive: Primitive::Line {
            points: vec![from, to],
            closed: false,
            stroke: Stroke::pixels(Ink::new(palette.surface, 0.3), 0.7),
        },
    };
    let across = (0..=frame.size[1]).map(|y| line(at(0.0, y.into()), at(width, y.into())));
    let down = (0..=frame.size[0]).map(|x| line(at(x.into(), 0.0), at(x.into(), height)));
    across.chain(down).collect()
}

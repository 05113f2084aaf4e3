//! Voxels in 3D: surfaces as faces slightly above them, solid cells as boxes.

use super::merge::Cells;
use super::{Band, CellLayer, CellView, fill_of};
use crate::jobs::{Cancelled, JobContext};
use crate::planner::human::Door;
use crate::preview::primitive::Ink;
use crate::preview::space::layer::{Manner, Rgba, SpaceBox, SpaceLayer, SpaceLine, rgba};
use crate::preview::style::Palette;
use glam::DVec3;
use std::sync::Arc;

/// Vertical offset of each layer from the previous one. Unit: metres.
const LIFT: f64 = 0.012;

/// Height of the posts of a lost door. Unit: metres.
const DOOR_HEIGHT: f64 = 2.0;

/// One layer, or one band of the front.
#[derive(Clone, Debug)]
pub struct SpacePart {
    pub of: CellLayer,
    pub band: Option<Band>,
    pub layer: Arc<SpaceLayer>,
}

/// Everything that `layers` shows of the voxels; positions relative to `origin`.
///
/// # Errors
/// The job was cancelled.
pub fn space_parts(
    view: &CellView<'_>,
    layers: &[CellLayer],
    palette: &Palette,
    origin: DVec3,
    ctx: &JobContext,
) -> Result<Vec<SpacePart>, Cancelled> {
    let mut parts = Vec::new();
    for &of in layers {
        ctx.checkpoint()?;
        if of == CellLayer::Front {
            parts.extend(view.bands().map(|band| SpacePart {
                of,
                band: Some(band),
                layer: Arc::new(front_layer(view, band, band.high, palette, origin)),
            }));
        } else {
            parts.push(SpacePart {
                of,
                band: None,
                layer: Arc::new(space_layer(view, of, palette, origin)),
            });
        }
    }
    Ok(parts)
}

/// A layer of cells in as many parts as it has colours that are drawn apart.
#[must_use]
pub fn space_layers(
    view: &CellView<'_>,
    of: CellLayer,
    palette: &Palette,
    origin: DVec3,
) -> Vec<SpaceLayer> {
    if of == CellLayer::Front {
        let band = |band: Band| front_layer(view, band, band.high, palette, origin);
        view.bands().map(band).collect()
    } else {
        vec![space_layer(view, of, palette, origin)]
    }
}

/// The cells of a band up to a level, which is drawn as the front itself.
#[must_use]
pub fn front_layer(
    view: &CellView<'_>,
    band: Band,
    up_to: u32,
    palette: &Palette,
    origin: DVec3,
) -> SpaceLayer {
    let mut layer = SpaceLayer::new(Manner::Surface);
    let Some(front) = view.reachability.front() else {
        return layer;
    };
    let surfaces = view.reachability.surfaces();
    let mut cells = Cells::default();
    for level in band.low..band.high.min(up_to) {
        for id in front.cells_at(level as usize) {
            if view.storey.contains(surfaces.point(*id).z) {
                let cell = &surfaces.cells()[id.index()];
                let newest = u64::from(level + 1 == up_to && up_to < band.high);
                cells.push(key(newest, cell.height()), cell.x, cell.y);
            }
        }
    }
    let usual = fill_of(CellLayer::Front, band.index, view.bands().count(), palette).ink;
    let newest = Ink::new(palette.text, 0.9);
    add_faces(&mut layer, view, CellLayer::Front, cells, origin, |tint| {
        if tint == 1 { newest } else { usual }
    });
    layer
}

/// The cells of a layer.
#[must_use]
pub fn space_layer(
    view: &CellView<'_>,
    of: CellLayer,
    palette: &Palette,
    origin: DVec3,
) -> SpaceLayer {
    let mut layer = SpaceLayer::new(Manner::Surface);
    if of == CellLayer::Occupied {
        add_boxes(&mut layer, view, palette, origin);
        return layer;
    }
    let surfaces = view.reachability.surfaces();
    let mut cells = Cells::default();
    view.for_each(of, |id, tint| {
        let cell = &surfaces.cells()[id.index()];
        cells.push(key(u64::from(tint), cell.height()), cell.x, cell.y);
    });
    let bands = view.bands().count();
    add_faces(&mut layer, view, of, cells, origin, |tint| {
        let ink = fill_of(of, tint, bands, palette).ink;
        // Without hatching and in shade: stronger than on the plan.
        Ink::new(ink.colour, (ink.alpha * 1.5).min(0.85))
    });
    if of == CellLayer::Lost
        && let Some(against) = view.against
    {
        for door in &against.doors {
            add_door(&mut layer, door, palette, origin);
        }
    }
    layer
}

/// Tint and height: cells with equal keys become one face.
fn key(tint: u64, height: i32) -> u64 {
    tint << 24 | (height.max(0) as u64).min((1 << 24) - 1)
}

fn add_faces(
    layer: &mut SpaceLayer,
    view: &CellView<'_>,
    of: CellLayer,
    cells: Cells,
    origin: DVec3,
    ink: impl Fn(u8) -> Ink,
) {
    let frame = &view.reachability.surfaces().frame;
    let lift = LIFT * f64::from(1 + of as u8);
    for rect in cells.merged() {
        let (tint, height) = ((rect.key >> 24) as u8, rect.key & ((1 << 24) - 1));
        let z = frame.origin.z + height as f64 / 255.0 * frame.layer + lift;
        let corner = |x: u16, y: u16| {
            let x = frame.origin.x + f64::from(x) * frame.cell;
            let y = frame.origin.y + f64::from(y) * frame.cell;
            DVec3::new(x, y, z) - origin
        };
        let ([x0, y0], [x1, y1]) = (rect.low, rect.high);
        let corners = [
            corner(x0, y0),
            corner(x1, y0),
            corner(x1, y1),
            corner(x0, y1),
        ];
        layer.fan(&corners, rgba(ink(tint)));
    }
}

/// Solid cells as few boxes as the runs allow, with their upper edges.
fn add_boxes(layer: &mut SpaceLayer, view: &CellView<'_>, palette: &Palette, origin: DVec3) {
    let grid = &view.reachability.voxels.voxels.grid;
    let frame = grid.frame;
    let height = |layer: u16| frame.origin.z + f64::from(layer) * frame.layer;
    let mut cells = Cells::default();
    for y in 0..frame.size[1] {
        for x in 0..frame.size[0] {
            for span in grid.column(x, y) {
                let is_seen = height(span.bottom) < view.storey.high
                    && height(span.top) + frame.layer > view.storey.low;
                if is_seen {
                    let key = u64::from(span.forbidden) << 26
                        | u64::from(span.bottom) << 13
                        | u64::from(span.top);
                    cells.push(key, x as u16, y as u16);
                }
            }
        }
    }
    let edge = rgba(Ink::new(palette.occupied.mix(palette.ground, 0.5), 0.8));
    for rect in cells.merged() {
        let (bottom, top) = ((rect.key >> 13 & 0x1fff) as u16, (rect.key & 0x1fff) as u16);
        let low = DVec3::new(
            f64::from(rect.low[0]),
            f64::from(rect.low[1]),
            f64::from(bottom),
        );
        let high = DVec3::new(
            f64::from(rect.high[0]),
            f64::from(rect.high[1]),
            f64::from(top) + 1.0,
        );
        let low = frame.origin + low * frame.steps() - origin;
        let high = frame.origin + high * frame.steps() - origin;
        let colour = if rect.key >> 26 == 1 {
            palette.forbidden
        } else {
            palette.occupied
        };
        layer.boxes.push(SpaceBox {
            centre: ((low + high) * 0.5).as_vec3().to_array(),
            half: ((high - low) * 0.5).as_vec3().to_array(),
            colour: rgba(Ink::new(colour, 1.0)),
        });
        let corners = [
            DVec3::new(low.x, low.y, high.z),
            DVec3::new(high.x, low.y, high.z),
            high,
            DVec3::new(low.x, high.y, high.z),
            DVec3::new(low.x, low.y, high.z),
        ];
        layer.polyline(&corners, edge, 0.8);
    }
}

/// A frame in the gap, crossed out.
fn add_door(layer: &mut SpaceLayer, door: &Door, palette: &Palette, origin: DVec3) {
    let colour: Rgba = rgba(Ink::new(palette.lost, 1.0));
    let foot = door.ends.map(|end| end.extend(door.at.z) - origin);
    let head = foot.map(|foot| foot + DVec3::Z * DOOR_HEIGHT);
    let line = |from: DVec3, to: DVec3| SpaceLine {
        from: from.as_vec3().to_array(),
        to: to.as_vec3().to_array(),
        colour,
        width: 3.0,
    };
    layer.lines.extend([
        line(foot[0], head[0]),
        line(head[0], head[1]),
        line(head[1], foot[1]),
        line(foot[0], head[1]),
        line(foot[1], head[0]),
    ]);
}

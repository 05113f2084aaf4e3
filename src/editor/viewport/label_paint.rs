//! Names in the plan view, where they have room; and the plates of tools.

use super::overlay_shapes::Plate;
use crate::geometry::Rect as Area;
use crate::interaction::{Camera, LabelPlace};
use crate::preview::cache::{PlanCache, Sign};
use crate::preview::label::{Canvas, Label, Rank, place};
use crate::preview::{Layer, Layers, Palette};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, vec2};
use glam::DVec2;

/// A halo is the text itself, shifted by so much towards four corners. Unit: points.
const HALO: f32 = 0.9;
/// Between a plate's text and what it speaks of. Unit: points.
const PLATE_GAP: f32 = 10.0;

/// Paints the labels of all that is shown and those `beside` it, as far as they have room within
/// `free`.
pub fn paint(
    painter: &Painter,
    rect: Rect,
    free: Rect,
    cache: &PlanCache,
    beside: &[&Label],
    layers: Layers,
    camera: &Camera,
) {
    let shows_names = layers.contains(Layer::Labels);
    if !shows_names && beside.is_empty() {
        return;
    }
    let viewport = DVec2::new(rect.width().into(), rect.height().into());
    let visible = camera.visible(viewport);
    let margin = camera.metres(200.0);
    let labels: Vec<&Label> = cache
        .labels()
        .filter(|_| shows_names)
        .map(|(_, label)| label)
        .chain(beside.iter().copied())
        .filter(|label| visible.expanded(margin).contains(label.at))
        .filter(|label| {
            label
                .rank
                .layer()
                .is_none_or(|layer| layers.contains(layer))
        })
        .collect();
    let signs = cache
        .signs()
        .filter(|sign| visible.contains(sign.at))
        .map(|sign| cover(sign, camera, viewport));
    let local = |p: Pos2| DVec2::new((p.x - rect.min.x).into(), (p.y - rect.min.y).into());
    let canvas = Canvas {
        area: Area::new(local(free.min), local(free.max)),
        pixels_per_metre: camera.pixels_per_metre,
        screen_from_world: &|p| camera.screen_from_world(p, viewport),
        measure: &|text, size| {
            let size = painter
                .layout_no_wrap(text.to_owned(), font(size), Color32::WHITE)
                .size();
            DVec2::new(size.x.into(), size.y.into())
        },
    };
    for placed in place(labels.iter().copied(), signs, &canvas) {
        let label = labels[placed.index];
        let centre = placed.area.centre();
        if label.rank == Rank::Tool {
            // Sentences and figures over whatever is drawn: a plate of their own.
            let corner = |p: DVec2| rect.min + vec2(p.x as f32, p.y as f32);
            let plate = Rect::from_min_max(corner(placed.area.min), corner(placed.area.max));
            let ground = super::colour(label.halo).to_opaque().gamma_multiply(0.85);
            painter.rect_filled(plate.expand2(vec2(4.0, 1.0)), 3.0, ground);
        }
        text_with_halo(
            painter,
            rect.min + vec2(centre.x as f32, centre.y as f32),
            Align2::CENTER_CENTER,
            label.text.clone(),
            font(label.size),
            super::colour(label.ink),
            super::colour(label.halo),
        );
    }
}

fn font(size: f64) -> FontId {
    FontId::proportional(size as f32)
}

/// What a sign covers on the screen. Unit: points, y down.
fn cover(sign: &Sign, camera: &Camera, viewport: DVec2) -> Area {
    let at = camera.screen_from_world(sign.at, viewport);
    let size = sign.size.in_pixels(camera.pixels_per_metre);
    let flip = |corner: DVec2| at + DVec2::new(corner.x, -corner.y) * size;
    Area::spanning(flip(sign.cover.min), flip(sign.cover.max))
}

/// Text that reads on any ground.
pub fn text_with_halo(
    painter: &Painter,
    at: Pos2,
    align: Align2,
    text: String,
    font: FontId,
    colour: Color32,
    halo: Color32,
) {
    let galley = painter.layout_no_wrap(text, font, Color32::PLACEHOLDER);
    let min = align.anchor_size(at, galley.size()).min;
    // The copies lie over each other in part: each one is fainter.
    let halo = halo.gamma_multiply(0.75);
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
        let shift = vec2(x, y) * HALO;
        painter.galley_with_override_text_color(min + shift, galley.clone(), halo);
    }
    painter.galley_with_override_text_color(min, galley, colour);
}

/// Plates that tools and others put on the plan.
pub fn paint_plates(
    painter: &Painter,
    rect: Rect,
    plates: &[Plate],
    camera: &Camera,
    palette: &Palette,
) {
    let viewport = DVec2::new(rect.width().into(), rect.height().into());
    for plate in plates {
        let at = camera.screen_from_world(plate.at, viewport);
        let at = rect.min + vec2(at.x as f32, at.y as f32);
        paint_plate(painter, at, plate, palette);
    }
}

/// One plate that speaks of a place on the screen.
pub fn paint_plate(painter: &Painter, at: Pos2, plate: &Plate, palette: &Palette) {
    let (at, align) = match plate.stands {
        LabelPlace::Above => (at - vec2(0.0, PLATE_GAP), Align2::CENTER_BOTTOM),
        LabelPlace::Beside => (at + vec2(PLATE_GAP + 4.0, 0.0), Align2::LEFT_CENTER),
        LabelPlace::Below => (at + vec2(0.0, PLATE_GAP), Align2::CENTER_TOP),
        LabelPlace::Left => (at - vec2(PLATE_GAP + 4.0, 0.0), Align2::RIGHT_CENTER),
        LabelPlace::Centred => (at, Align2::CENTER_CENTER),
    };
    let text = super::solid(palette.text.mix(plate.colour, 0.3));
    let galley = painter.layout_no_wrap(plate.text.clone(), font(12.0), text);
    let mut area = align.anchor_size(at, galley.size()).expand2(vec2(6.0, 3.0));
    // Near a border of the view it moves inside.
    let inside = painter.clip_rect().shrink(2.0);
    area = area.translate(vec2(
        (inside.min.x - area.min.x).max(0.0) - (area.max.x - inside.max.x).max(0.0),
        (inside.min.y - area.min.y).max(0.0) - (area.max.y - inside.max.y).max(0.0),
    ));
    let ground = super::solid(palette.surroundings).gamma_multiply(0.92);
    let edge = egui::Stroke::new(1.0, super::solid(plate.colour).gamma_multiply(0.6));
    painter.rect(area, 4.0, ground, edge, egui::StrokeKind::Inside);
    painter.galley(area.min + vec2(6.0, 3.0), galley, text);
}

//! A bar of a round length in the lower left corner of the plan view.

use crate::interaction::Camera;
use crate::preview::{Palette, step};
use egui::{Align2, FontId, Painter, Pos2, Rect, Stroke, pos2};

/// The bar is at most this long. Unit: points.
const LONGEST: f64 = 120.0;
const END: f32 = 4.0;

pub fn paint(painter: &Painter, rect: Rect, camera: &Camera, palette: &Palette) {
    let metres = step::round_down(camera.metres(LONGEST));
    let length = (metres * camera.pixels_per_metre) as f32;
    let from = pos2(rect.min.x, rect.max.y);
    for (width, colour) in [
        (4.0, super::colour(palette.halo)),
        (1.6, super::solid(palette.text)),
    ] {
        bar(painter, from, length, Stroke::new(width, colour));
    }
    super::label_paint::text_with_halo(
        painter,
        from + egui::vec2(length + 8.0, 0.0),
        Align2::LEFT_CENTER,
        step::length_text(metres),
        FontId::proportional(11.0),
        super::solid(palette.text),
        super::colour(palette.halo),
    );
}

fn bar(painter: &Painter, from: Pos2, length: f32, stroke: Stroke) {
    let overhang = if stroke.width > 2.0 { 1.0 } else { 0.0 };
    let (left, right) = (from.x, from.x + length);
    painter.hline(left..=right, from.y, stroke);
    for x in [left, right] {
        painter.vline(x, from.y - END - overhang..=from.y + END + overhang, stroke);
    }
}

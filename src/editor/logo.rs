//! The logo: three threads woven into a path.

use super::theme::Palette;
use egui::epaint::CubicBezierShape;
use egui::{Color32, Pos2, Rect, Sense, Stroke, Ui, vec2};

/// Draws the logo in a square of `size` points.
pub fn logo_ui(ui: &mut Ui, size: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(size, size), Sense::hover());
    paint(ui.painter(), rect, Palette::of(ui.visuals()));
}

fn paint(painter: &egui::Painter, rect: Rect, palette: &Palette) {
    let at = |x: f32, y: f32| -> Pos2 { rect.min + vec2(x, y) * rect.size() };
    let width = rect.width() * 0.085;
    let thread = |y0: f32, y1: f32, colour: Color32, width: f32| {
        CubicBezierShape::from_points_stroke(
            [at(0.06, y0), at(0.42, y0), at(0.58, y1), at(0.94, y1)],
            false,
            Color32::TRANSPARENT,
            Stroke::new(width, colour),
        )
    };
    // Each thread crosses the previous one with a gap around it, as in a weave.
    for (y0, y1, colour) in [
        (0.22, 0.78, palette.text_weak),
        (0.50, 0.22, palette.done),
        (0.78, 0.50, palette.accent),
    ] {
        painter.add(thread(y0, y1, palette.surface, width * 2.0));
        painter.add(thread(y0, y1, colour, width));
        painter.circle_filled(at(0.06, y0), width * 0.5, colour);
    }
    painter.circle_filled(at(0.94, 0.50), width * 0.95, palette.accent);
}

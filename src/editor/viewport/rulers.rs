//! Rulers along the upper and the left border of the plan view.

use crate::editor::theme::Palette;
use crate::interaction::Camera;
use crate::preview::step;
use egui::{Align2, Color32, FontId, Painter, Rect, Stroke, pos2, vec2};
use glam::DVec2;

/// Unit: points.
pub const THICKNESS: f32 = 18.0;
/// Numbers stand at least this far apart. Unit: points.
const NUMBER_SPACING: f64 = 64.0;
const FONT: f32 = 9.5;

/// Where on the screen the multiples of a round step lie, along one axis.
struct Ticks {
    step: f64,
    /// Small ticks between two numbers.
    parts: i64,
}

impl Ticks {
    fn at(pixels_per_metre: f64) -> Self {
        let step = step::round_up(NUMBER_SPACING / pixels_per_metre);
        let digit = step / 10_f64.powf(step.log10().floor() + 1e-9);
        let parts = if (digit - 2.0).abs() < 0.1 { 4 } else { 5 };
        Self { step, parts }
    }

    /// Every tick in a range: its place in metres, and its number if it has one.
    fn within(&self, from: f64, to: f64) -> impl Iterator<Item = (f64, Option<String>)> {
        let (small, parts) = (self.step / self.parts as f64, self.parts);
        let step = self.step;
        step::multiples(small, from, to, 10_000)
            .into_iter()
            .map(move |n| {
                let number = (n % parts == 0).then(|| number_text((n / parts) as f64 * step, step));
                (n as f64 * small, number)
            })
    }
}

/// As many decimals as the step needs.
fn number_text(value: f64, step: f64) -> String {
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    format!("{value:.decimals$}")
}

/// Paints both rulers over `rect`, with marks for the pointer.
pub fn paint(
    painter: &Painter,
    rect: Rect,
    camera: &Camera,
    pointer: Option<DVec2>,
    palette: &Palette,
) {
    let viewport = DVec2::new(rect.width().into(), rect.height().into());
    let visible = camera.visible(viewport);
    let to_screen = |p: DVec2| {
        let p = camera.screen_from_world(p, viewport);
        rect.min + vec2(p.x as f32, p.y as f32)
    };
    let top = Rect::from_min_size(rect.min, vec2(rect.width(), THICKNESS));
    let left = Rect::from_min_size(rect.min, vec2(THICKNESS, rect.height()));
    let ticks = Ticks::at(camera.pixels_per_metre);
    let line = Stroke::new(1.0, palette.line_strong);
    let ground = palette.surface.gamma_multiply(0.96);
    let font = FontId::proportional(FONT);
    let length = |number: bool| {
        if number {
            THICKNESS * 0.55
        } else {
            THICKNESS * 0.28
        }
    };

    painter.rect_filled(top, 0.0, ground);
    for (x, number) in ticks.within(visible.min.x, visible.max.x) {
        let at = to_screen(DVec2::new(x, 0.0)).x;
        painter.vline(at, top.max.y - length(number.is_some())..=top.max.y, line);
        if let Some(number) = number {
            let place = pos2(at + 3.0, top.min.y + 1.0);
            painter.text(
                place,
                Align2::LEFT_TOP,
                number,
                font.clone(),
                palette.text_weak,
            );
        }
    }
    painter.hline(top.x_range(), top.max.y, line);

    painter.rect_filled(left, 0.0, ground);
    for (y, number) in ticks.within(visible.min.y, visible.max.y) {
        let at = to_screen(DVec2::new(0.0, y)).y;
        painter.hline(left.max.x - length(number.is_some())..=left.max.x, at, line);
        if let Some(number) = number {
            upwards(
                painter,
                pos2(left.min.x + 1.0, at - 3.0),
                number,
                &font,
                palette.text_weak,
            );
        }
    }
    painter.vline(left.max.x, left.y_range(), line);

    if let Some(pointer) = pointer {
        let at = to_screen(pointer);
        let mark = Stroke::new(1.5, palette.accent);
        painter.with_clip_rect(top).vline(at.x, top.y_range(), mark);
        painter
            .with_clip_rect(left)
            .hline(left.x_range(), at.y, mark);
    }
    let corner = Rect::from_min_size(rect.min, vec2(THICKNESS, THICKNESS));
    painter.rect_filled(corner, 0.0, ground);
    painter.text(
        corner.center(),
        Align2::CENTER_CENTER,
        "m",
        font,
        palette.text_weak,
    );
    painter.hline(corner.x_range(), corner.max.y, line);
    painter.vline(corner.max.x, corner.y_range(), line);
}

/// Text that is read from the right, its end at `lower_left`.
fn upwards(
    painter: &Painter,
    lower_left: egui::Pos2,
    text: String,
    font: &FontId,
    colour: Color32,
) {
    let galley = painter.layout_no_wrap(text, font.clone(), colour);
    let shape = egui::epaint::TextShape::new(lower_left, galley, colour)
        .with_angle(-std::f32::consts::FRAC_PI_2);
    painter.add(shape);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_round_and_far_enough_apart() {
        for scale in [0.001, 0.3, 1.0, 8.0, 47.0, 3000.0] {
            let ticks = Ticks::at(scale);
            assert!(ticks.step * scale >= NUMBER_SPACING - 1e-6);
            assert!(ticks.step * scale < NUMBER_SPACING * 2.6);
        }
        let ticks = Ticks::at(64.0 / 2.0);
        assert_eq!((ticks.step, ticks.parts), (2.0, 4));
        let named: Vec<String> = ticks.within(-2.1, 4.2).filter_map(|(_, n)| n).collect();
        assert_eq!(named, ["-2", "0", "2", "4"]);
        assert_eq!(number_text(0.3, 0.1), "0.3");
        assert_eq!(number_text(1250.0, 50.0), "1250");
    }
}

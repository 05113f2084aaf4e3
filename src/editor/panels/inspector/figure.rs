//! A profile's body as a drawing to scale: upright, bent, its step and its leap.

use crate::base::Unit;
use crate::document::Profile;
use crate::editor::panels::field::colour::color32;
use crate::editor::panels::field::quantity_text::format_with_unit;
use crate::editor::theme::{Palette, panel};
use egui::{
    Align2, Color32, FontId, Painter, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
    vec2,
};

const HEIGHT: f32 = 96.0;

pub fn figure_ui(ui: &mut Ui, profile: &Profile) {
    let size = vec2(ui.available_width(), HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "The body to scale"));
    if ui.is_rect_visible(rect) {
        let palette = Palette::of(ui.visuals());
        ui.painter()
            .rect_filled(rect, panel::ROUNDING, palette.sunken);
        paint_figure(ui.painter(), rect.shrink2(vec2(8.0, 6.0)), profile, palette);
    }
    response.on_hover_text("Upright, bent, and its highest step; one square is a metre.");
}

/// Draws the body into a rectangle, standing on its lower edge.
fn paint_figure(painter: &Painter, rect: Rect, profile: &Profile, palette: &Palette) {
    let body = &profile.body;
    let tallest = body.height.max(body.bent_height).max(0.1);
    let wide = 2.0 * body.radius;
    // Upright and bent beside each other, the step, and room between them.
    let across = wide * 2.0 + body.step_height + tallest * 1.1;
    let scale = (f64::from(rect.height()) / (tallest * 1.08))
        .min(f64::from(rect.width()) / across.max(0.1)) as f32;
    let length = |metres: f64| metres as f32 * scale;
    let ground = rect.bottom() - 1.0;

    metre_grid(painter, rect, ground, scale, palette.line);
    painter.hline(
        rect.x_range(),
        ground,
        Stroke::new(1.0, palette.line_strong),
    );

    let colour = color32(profile.colour);
    let gap = length(tallest * 0.35);
    let mut left = rect.left() + length(tallest * 0.1);
    let small = FontId::proportional(10.0);
    for (height, alpha) in [(body.height, 0.9), (body.bent_height, 0.45)] {
        let shape = Rect::from_min_max(
            pos2(left, ground - length(height)),
            pos2(left + length(wide), ground),
        );
        paint_body(painter, shape, colour, alpha);
        let text = pos2(shape.right() + 3.0, shape.top() + 1.0);
        let words = format_with_unit(Unit::Metre, height);
        painter.text(
            text,
            Align2::LEFT_TOP,
            words,
            small.clone(),
            palette.text_weak,
        );
        left = shape.right() + gap.max(34.0);
    }
    if body.step_height > 0.0 {
        let step = Rect::from_min_max(
            pos2(left, ground - length(body.step_height)),
            pos2(rect.right(), ground),
        );
        if step.width() > 8.0 {
            painter.rect_filled(step, 0.0, palette.control);
            painter.text(
                step.left_top() + vec2(3.0, -1.0),
                Align2::LEFT_BOTTOM,
                format!("step {}", format_with_unit(Unit::Metre, body.step_height)),
                small,
                palette.text_weak,
            );
        }
    }
}

/// The upright body alone, standing on the lower edge of a rectangle that is `tallest` high.
pub fn paint_silhouette(painter: &Painter, rect: Rect, profile: &Profile, tallest: f64) {
    let scale = f64::from(rect.height()) / tallest.max(0.1);
    let body = &profile.body;
    let width = ((2.0 * body.radius * scale) as f32).clamp(2.0, rect.width());
    let height = ((body.height * scale) as f32).clamp(3.0, rect.height());
    let shape = Rect::from_min_max(
        pos2(rect.center().x - width / 2.0, rect.bottom() - height),
        pos2(rect.center().x + width / 2.0, rect.bottom()),
    );
    paint_body(painter, shape, color32(profile.colour), 0.9);
}

/// A torso with a head on top, filling the shape.
fn paint_body(painter: &Painter, shape: Rect, colour: Color32, alpha: f32) {
    let stroke = Stroke::new(1.0, colour);
    let fill = colour.gamma_multiply(alpha);
    let head = (shape.height() * 0.09).min(shape.width() * 0.45);
    let neck = pos2(shape.left(), shape.top() + 2.0 * head + 1.0);
    let torso = Rect::from_min_max(neck, shape.max);
    let rounding = torso.size().min_elem() * 0.45;
    painter.rect(torso, rounding, fill, stroke, StrokeKind::Inside);
    painter.circle(
        pos2(shape.center().x, shape.top() + head),
        head,
        fill,
        stroke,
    );
}

fn metre_grid(painter: &Painter, rect: Rect, ground: f32, scale: f32, colour: Color32) {
    // A giant's metres are too close to be told apart.
    if scale < 4.0 {
        return;
    }
    let stroke = Stroke::new(1.0, colour);
    let mut y = ground - scale;
    while y > rect.top() {
        painter.hline(rect.x_range(), y, stroke);
        y -= scale;
    }
    let mut x = rect.left() + scale;
    while x < rect.right() {
        painter.vline(x, rect.top()..=ground, stroke);
        x += scale;
    }
}

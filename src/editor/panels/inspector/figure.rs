//! A profile's body drawn to scale: upright with its longest stride, bent, its step and its jump.

use crate::base::Unit;
use crate::document::Profile;
use crate::editor::panels::field::colour::color32;
use crate::editor::panels::field::quantity_text::format_with_unit;
use crate::editor::theme::{Palette, panel};
use egui::{
    Align2, Color32, FontId, Painter, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
    vec2,
};

const HEIGHT: f32 = 118.0;

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
    response.on_hover_text("Upright in its longest stride, bent, its highest step and its widest jump; one square is a metre.");
}

/// Draws the body into a rectangle, standing on its lower edge: upright with its longest stride,
/// bent under a beam, in front of its highest step, and over its widest gap.
fn paint_figure(painter: &Painter, rect: Rect, profile: &Profile, palette: &Palette) {
    let body = &profile.body;
    let tallest = body.height.max(body.bent_height).max(0.1);
    let wide = 2.0 * body.radius;
    let stride = body.foot_span.max(wide);
    let tread = 0.3_f64.max(body.step_height);
    let gap = 0.16 * tallest;
    // The parts side by side, with space between and ground around the gap.
    let parts = [
        stride,
        wide.max(0.5 * tallest),
        2.0 * tread,
        body.jump + 2.0 * gap,
    ];
    let across = parts.iter().sum::<f64>() + 4.0 * gap;
    let scale = (f64::from(rect.height() - LABEL) / tallest)
        .min(f64::from(rect.width()) / across.max(0.1)) as f32;
    let length = |metres: f64| metres as f32 * scale;
    let ground = rect.bottom() - LABEL;
    metre_grid(painter, rect, ground, scale, palette.line);

    let pen = Pen {
        painter,
        palette,
        colour: color32(profile.colour),
        ground,
    };
    // Distribute the remaining space.
    let taken: f64 = parts.iter().sum();
    let between = ((rect.width() - length(taken)) / parts.len() as f32).max(0.0);
    let mut left = rect.left() + between * 0.5;
    let mut next = |part: f64| {
        let middle = left + length(part) * 0.5;
        left += length(part) + between;
        middle
    };
    let [upright, bent, steps, leap] = parts.map(&mut next);
    let pit = [
        leap - length(body.jump) * 0.5,
        leap + length(body.jump) * 0.5,
    ];
    let floor = Stroke::new(1.5, palette.line_strong);
    painter.hline(rect.left()..=pit[0], ground, floor);
    painter.hline(pit[1]..=rect.right(), ground, floor);

    pen.upright(
        upright,
        length(body.height),
        length(wide),
        length(body.foot_span),
    );
    pen.caption(upright, ground - length(body.height), body.height);
    pen.below(upright, "span", body.foot_span);
    pen.bent(bent, length(body.bent_height), length(wide));
    pen.below(bent, "bent", body.bent_height);
    pen.steps(steps, length(body.step_height), length(tread));
    pen.below(steps, "step", body.step_height);
    pen.leap(pit, length(0.15 + 0.15 * body.jump));
    pen.below(leap, "jump", body.jump);
}

/// Space below the ground for labels. Unit: points.
const LABEL: f32 = 13.0;

/// Draws the parts of the figure.
struct Pen<'a> {
    painter: &'a Painter,
    palette: &'a Palette,
    colour: Color32,
    ground: f32,
}

impl Pen<'_> {
    fn text(&self, at: egui::Pos2, align: Align2, words: String) {
        let small = FontId::proportional(10.0);
        self.painter
            .text(at, align, words, small, self.palette.text_weak);
    }

    /// Beside the head.
    fn caption(&self, x: f32, y: f32, metres: f64) {
        let words = format_with_unit(Unit::Metre, metres);
        self.text(pos2(x + 10.0, y), Align2::LEFT_TOP, words);
    }

    fn below(&self, x: f32, name: &str, metres: f64) {
        let words = format!("{name} {}", format_with_unit(Unit::Metre, metres));
        self.text(pos2(x, self.ground + 2.0), Align2::CENTER_TOP, words);
    }

    /// Upright, with its feet one step apart.
    fn upright(&self, x: f32, height: f32, wide: f32, stride: f32) {
        let top = self.ground - height;
        let hip = pos2(x, self.ground - height * 0.48);
        let legs = Stroke::new((height * 0.045).clamp(1.5, 6.0), self.colour);
        for side in [-0.5, 0.5] {
            let foot = pos2(x + stride * side, self.ground);
            self.painter.line_segment([hip, foot], legs);
        }
        let torso = Rect::from_min_max(
            pos2(x - wide * 0.5, top),
            pos2(x + wide * 0.5, hip.y + height * 0.02),
        );
        paint_body(self.painter, torso, self.colour, 0.9);
    }

    /// Under a beam, its back bent forwards.
    fn bent(&self, x: f32, height: f32, wide: f32) {
        let top = self.ground - height;
        let thick = Stroke::new(
            (wide * 0.55).clamp(3.0, 16.0),
            self.colour.gamma_multiply(0.75),
        );
        let hip = pos2(x - wide * 0.35, self.ground - height * 0.55);
        let neck = pos2(x + wide * 0.5, top + height * 0.22);
        self.painter.line_segment([hip, neck], thick);
        let legs = Stroke::new((height * 0.06).clamp(1.5, 6.0), self.colour);
        self.painter
            .line_segment([hip, pos2(hip.x, self.ground)], legs);
        let head = (height * 0.11).min(wide * 0.5).max(2.0);
        let centre = pos2(neck.x + head * 0.9, (top + head).max(neck.y - head));
        self.painter.circle_filled(centre, head, self.colour);
        let beam = Stroke::new(2.0, self.palette.text_weak);
        self.painter
            .hline(x - wide..=x + wide + 2.0 * head, top - 1.0, beam);
    }

    /// Two steps of maximum height.
    fn steps(&self, x: f32, rise: f32, tread: f32) {
        for (index, left) in [(1.0, x - tread), (2.0, x)] {
            let step = Rect::from_min_max(
                pos2(left, self.ground - rise * index),
                pos2(left + tread, self.ground),
            );
            self.painter.rect(
                step,
                0.0,
                self.palette.control,
                Stroke::new(1.0, self.palette.line_strong),
                StrokeKind::Inside,
            );
        }
        if rise > 3.0 {
            let at = x - tread - 3.0;
            let line = Stroke::new(1.5, self.colour);
            self.painter
                .vline(at, self.ground - rise..=self.ground, line);
        }
    }

    /// A pit, and the path of the feet over it.
    fn leap(&self, [from, to]: [f32; 2], rise: f32) {
        let edge = Stroke::new(1.5, self.palette.line_strong);
        for x in [from, to] {
            self.painter.vline(x, self.ground..=self.ground + 5.0, edge);
        }
        let bow: Vec<egui::Pos2> = (0..=16)
            .map(|i| {
                let share = i as f32 / 16.0;
                let x = (from - 4.0) + (to - from + 8.0) * share;
                pos2(x, self.ground - 4.0 * (rise + 4.0) * share * (1.0 - share))
            })
            .collect();
        self.painter.line(bow, Stroke::new(1.8, self.colour));
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
    // Metre marks of a giant would be too close together.
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

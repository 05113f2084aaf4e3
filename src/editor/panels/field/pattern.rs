//! Terrain patterns: a swatch in the terrain's colour, and a picker of them.

use super::Shared;
use super::colour::color32;
use crate::base::Colour;
use crate::document::Pattern;
use crate::editor::theme::panel;
use egui::{
    Color32, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};

/// Distance between the pattern's lines or dots. Unit: points.
const PITCH: f32 = 6.0;

/// Fills a rectangle like a region in the plan view, in miniature.
pub fn paint_swatch(painter: &Painter, rect: Rect, colour: Colour, pattern: Pattern) {
    let painter = painter.with_clip_rect(rect.intersect(painter.clip_rect()));
    painter.rect_filled(rect, panel::ROUNDING, color32(colour));
    let contrast = if colour.luma() > 0.5 {
        Colour::rgb(0, 0, 0)
    } else {
        Colour::rgb(255, 255, 255)
    };
    let ink = color32(colour.mix(contrast, 0.35));
    painter.extend(pattern_shapes(rect, pattern, ink));
}

fn pattern_shapes(rect: Rect, pattern: Pattern, ink: Color32) -> Vec<Shape> {
    let stroke = Stroke::new(1.0, ink);
    let line = |from: Pos2, to: Pos2| Shape::line_segment([from, to], stroke);
    let rows = (rect.height() / PITCH).ceil() as i32;
    let columns = (rect.width() / PITCH).ceil() as i32;
    let at = |column: i32, row: i32| {
        let shift = if row % 2 == 0 { 0.0 } else { PITCH / 2.0 };
        rect.min + vec2(column as f32 * PITCH + shift, (row as f32 + 0.5) * PITCH)
    };
    let cells = || (0..rows).flat_map(|row| (-1..=columns).map(move |column| (column, row)));
    let diagonals = |up: bool| {
        let height = rect.height();
        let count = ((rect.width() + height) / PITCH).ceil() as i32;
        (0..=count).map(move |i| {
            let x = rect.left() + i as f32 * PITCH;
            let (from, to) = (pos2(x, rect.top()), pos2(x - height, rect.bottom()));
            if up {
                line(from, to)
            } else {
                let mirror = |p: Pos2| pos2(rect.left() + rect.right() - p.x, p.y);
                line(mirror(from), mirror(to))
            }
        })
    };
    match pattern {
        Pattern::Plain => Vec::new(),
        Pattern::Dots => cells()
            .map(|(column, row)| Shape::circle_filled(at(column, row), 1.0, ink))
            .collect(),
        Pattern::Hatch => diagonals(true).collect(),
        Pattern::CrossHatch => diagonals(true).chain(diagonals(false)).collect(),
        Pattern::Waves => (0..rows)
            .map(|row| {
                let y = rect.top() + (row as f32 + 0.5) * PITCH;
                let points = (0..=(rect.width() as i32)).map(|x| {
                    let phase = x as f32 / PITCH * std::f32::consts::PI;
                    pos2(rect.left() + x as f32, y + 1.5 * phase.sin())
                });
                Shape::line(points.collect(), stroke)
            })
            .collect(),
        Pattern::Tufts => cells()
            .filter(|(column, row)| (column + row) % 2 == 0)
            .flat_map(|(column, row)| {
                let foot = at(column, row) + vec2(0.0, 2.0);
                [-2.0, 0.0, 2.0].map(|lean| line(foot, foot + vec2(lean, -4.0)))
            })
            .collect(),
        Pattern::Bricks => (0..=rows)
            .flat_map(|row| {
                let y = rect.top() + row as f32 * PITCH;
                let course = line(pos2(rect.left(), y), pos2(rect.right(), y));
                let joints = (0..=columns / 2).map(move |column| {
                    let shift = if row % 2 == 0 { 0.0 } else { PITCH };
                    let x = rect.left() + column as f32 * PITCH * 2.0 + shift;
                    line(pos2(x, y), pos2(x, y + PITCH))
                });
                std::iter::once(course).chain(joints)
            })
            .collect(),
    }
}

/// All patterns as swatches, the current one framed.
pub fn pattern_ui(ui: &mut Ui, colour: Colour, current: Shared<Pattern>) -> Option<Pattern> {
    let mut picked = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(4.0);
        for pattern in Pattern::ALL {
            let selected = current == Shared::Same(pattern);
            let (rect, response) = ui.allocate_exact_size(Vec2::splat(26.0), Sense::click());
            response.widget_info(|| {
                WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), selected, pattern.name())
            });
            paint_swatch(ui.painter(), rect.shrink(2.0), colour, pattern);
            let visuals = ui.visuals();
            let stroke = if selected {
                Stroke::new(2.0, visuals.selection.stroke.color)
            } else if response.hovered() || response.has_focus() {
                Stroke::new(1.0, visuals.strong_text_color())
            } else {
                Stroke::NONE
            };
            ui.painter()
                .rect_stroke(rect, panel::ROUNDING, stroke, StrokeKind::Inside);
            if response.on_hover_text(pattern.name()).clicked() && !selected {
                picked = Some(pattern);
            }
        }
    });
    picked
}

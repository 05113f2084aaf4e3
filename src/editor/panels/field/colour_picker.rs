//! The popup of a colour swatch: preset colours and a full picker.

use super::colour::color32;
use crate::base::Colour;
use crate::editor::theme::panel;
use egui::ecolor::HsvaGamma;
use egui::epaint::Mesh;
use egui::{
    Color32, Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
    vec2,
};

const WIDTH: f32 = 212.0;
const FIELD_HEIGHT: f32 = 130.0;
const BAR_HEIGHT: f32 = 16.0;

/// Steps of the painted gradients: fine enough to show no banding.
const STEPS: usize = 18;

/// The last state of the popup, since grey has no hue to restore.
#[derive(Clone, Copy)]
struct Spot {
    hsv: HsvaGamma,
    shown: Colour,
}

pub fn colour_picker_ui(ui: &mut Ui, current: Colour) -> Option<Colour> {
    ui.set_width(WIDTH);
    ui.spacing_mut().item_spacing = vec2(4.0, 6.0);
    let id = ui.scope_id().with("spot");
    let mut hsv = ui
        .data(|data| data.get_temp::<Spot>(id))
        .filter(|spot| spot.shown == current)
        .map_or_else(|| HsvaGamma::from(color32(current)), |spot| spot.hsv);
    let mut picked = ready_ui(ui, current);
    if let Some(at) = drag_ui(
        ui,
        FIELD_HEIGHT,
        "Saturation and brightness",
        |painter, rect| {
            painter.add(gradient(rect, STEPS, |x, y| colour_at(hsv.h, x, 1.0 - y)));
            let spot = pos2(
                egui::lerp(rect.x_range(), hsv.s),
                egui::lerp(rect.y_range(), 1.0 - hsv.v),
            );
            ring(painter, spot);
        },
    ) {
        (hsv.s, hsv.v) = (at.x, 1.0 - at.y);
        picked = Some(colour_of(hsv));
    }
    if let Some(at) = drag_ui(ui, BAR_HEIGHT, "Hue", |painter, rect| {
        painter.add(gradient(rect, 2 * STEPS, |x, _| colour_at(x, 1.0, 1.0)));
        ring(
            painter,
            pos2(egui::lerp(rect.x_range(), hsv.h), rect.center().y),
        );
    }) {
        hsv.h = at.x.min(0.999);
        picked = Some(colour_of(hsv));
    }
    let shown = picked.unwrap_or(current);
    ui.data_mut(|data| data.insert_temp(id, Spot { hsv, shown }));
    picked.filter(|picked| *picked != current)
}

fn ready_ui(ui: &mut Ui, current: Colour) -> Option<Colour> {
    let mut picked = None;
    ui.horizontal_wrapped(|ui| {
        for rgb in panel::READY_COLOURS {
            let colour = Colour::hex(rgb);
            let (rect, response) = ui.allocate_exact_size(vec2(22.0, 20.0), Sense::click());
            response.widget_info(|| {
                let name = colour.to_string();
                WidgetInfo::selected(Role::RadioButton, true, colour == current, name)
            });
            ui.painter()
                .rect_filled(rect, panel::ROUNDING, color32(colour));
            if colour == current || response.hovered() || response.has_focus() {
                let stroke = Stroke::new(2.0, ui.visuals().strong_text_color());
                ui.painter()
                    .rect_stroke(rect, panel::ROUNDING, stroke, StrokeKind::Inside);
            }
            if response.clicked() {
                picked = Some(colour);
            }
        }
    });
    picked
}

/// A painted area; returns where it was pressed or dragged to, as fractions of its size.
fn drag_ui(
    ui: &mut Ui,
    height: f32,
    name: &str,
    paint: impl FnOnce(&egui::Painter, Rect),
) -> Option<Pos2> {
    let (rect, response): (Rect, Response) =
        ui.allocate_exact_size(vec2(WIDTH, height), Sense::drag());
    response.widget_info(|| WidgetInfo::labeled(Role::ColorWell, true, name));
    paint(ui.painter(), rect);
    let pressed = response.is_pointer_button_down_on();
    let pointer = response.interact_pointer_pos().filter(|_| pressed)?;
    Some(pos2(
        egui::remap_clamp(pointer.x, rect.x_range(), 0.0..=1.0),
        egui::remap_clamp(pointer.y, rect.y_range(), 0.0..=1.0),
    ))
}

fn colour_at(h: f32, s: f32, v: f32) -> Color32 {
    Color32::from(HsvaGamma { h, s, v, a: 1.0 })
}

fn colour_of(hsv: HsvaGamma) -> Colour {
    let [r, g, b, _] = Color32::from(hsv).to_array();
    Colour::rgb(r, g, b)
}

fn ring(painter: &egui::Painter, at: Pos2) {
    painter.circle_stroke(at, 6.0, Stroke::new(3.0, Color32::BLACK));
    painter.circle_stroke(at, 6.0, Stroke::new(1.5, Color32::WHITE));
}

/// A rectangle of `steps` columns coloured by position, both fractions from the upper left.
fn gradient(rect: Rect, steps: usize, colour: impl Fn(f32, f32) -> Color32) -> Shape {
    let mut mesh = Mesh::default();
    let row = steps as u32 + 1;
    for y in 0..=steps {
        for x in 0..=steps {
            let (sx, sy) = (x as f32 / steps as f32, y as f32 / steps as f32);
            let at = rect.min + rect.size() * vec2(sx, sy);
            mesh.colored_vertex(at, colour(sx, sy));
        }
    }
    for y in 0..steps as u32 {
        for x in 0..steps as u32 {
            let corner = y * row + x;
            mesh.add_triangle(corner, corner + 1, corner + row);
            mesh.add_triangle(corner + 1, corner + row + 1, corner + row);
        }
    }
    Shape::mesh(mesh)
}

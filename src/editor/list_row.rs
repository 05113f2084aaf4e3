//! A row of a list that can be chosen by pointer and keyboard: in the palette and in dialogs.

use super::theme;
use egui::{Response, Sense, Ui, vec2};

/// How a row is drawn. Unit: points.
#[derive(Clone, Copy, Debug)]
pub struct ListRow {
    pub height: f32,
    pub margin: f32,
    pub is_chosen: bool,
}

impl ListRow {
    /// Draws the row across the list, and its contents from left to right if it is in sight.
    pub fn show(self, ui: &mut Ui, contents: impl FnOnce(&mut Ui)) -> Response {
        let palette = theme::Palette::of(ui.visuals());
        let size = vec2(ui.available_width(), self.height);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        if !ui.is_rect_visible(rect) {
            return response;
        }
        let fill = if self.is_chosen {
            palette.accent_fill
        } else if response.hovered() {
            palette.control
        } else {
            egui::Color32::TRANSPARENT
        };
        ui.painter().rect_filled(rect, theme::ROUNDING, fill);
        let mut inside = ui.new_child(
            egui::UiBuilder::new()
                .max_rect(rect.shrink2(vec2(self.margin, 0.0)))
                .layout(egui::Layout::left_to_right(egui::Align::Center)),
        );
        contents(&mut inside);
        response
    }
}

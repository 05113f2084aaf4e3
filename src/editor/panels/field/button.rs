//! Small labelled icon buttons.

use crate::editor::theme::panel;
use egui::{Button, Response, RichText, Ui, vec2};
use egui_material_icons::MaterialIcon;

/// A frameless button; `name` is its tooltip and accessible name.
pub fn icon_button(ui: &mut Ui, icon: MaterialIcon, name: &str) -> Response {
    icon_button_if(ui, true, icon, name)
}

pub fn icon_button_if(ui: &mut Ui, enabled: bool, icon: MaterialIcon, name: &str) -> Response {
    let icon = icon.rich_text().size(panel::ICON);
    let button = Button::new(icon)
        .frame_when_inactive(false)
        .min_size(vec2(panel::ICON_BUTTON, panel::FIELD_ROW));
    ui.scope(|ui| {
        ui.spacing_mut().button_padding = egui::Vec2::ZERO;
        ui.add_enabled(enabled, button)
    })
    .inner
    .on_hover_text(name)
    .on_disabled_hover_text(name)
    .accessible_name(name)
}

/// A button with an icon before its name.
pub fn named_button(ui: &mut Ui, icon: MaterialIcon, name: &str) -> Response {
    let icon = icon.rich_text().size(panel::ICON);
    ui.add(Button::new((icon, name)).gap(4.0))
        .accessible_name(name)
}

/// A faint icon in the size of a row's text.
#[must_use]
pub fn faint_icon(ui: &Ui, icon: MaterialIcon) -> RichText {
    icon.rich_text()
        .size(panel::ICON)
        .color(ui.visuals().weak_text_color())
}

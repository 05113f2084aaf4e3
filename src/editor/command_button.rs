//! A command as something to click: in menus, in the tool bar, anywhere.

use super::{Actions, Command, EditorState, theme};
use egui::accesskit::Role;
use egui::{Button, Response, RichText, Ui, WidgetInfo};

/// A row of a menu: icon, name, key. True when it was clicked.
pub fn menu_item(
    ui: &mut Ui,
    state: &EditorState,
    command: Command,
    actions: &mut Actions,
) -> bool {
    let entry = command.entry();
    let enabled = command.is_enabled(state);
    let on = command.is_on(state);
    let mut button = Button::new((theme::icon(entry.icon, theme::ICON_SMALL), entry.name))
        .selected(on == Some(true))
        .gap(8.0);
    if let Some(key) = state.keys().first_key(command) {
        button = button.shortcut_text(RichText::new(key.to_string()).weak());
    } else {
        button = button.right_text("");
    }
    let response = ui.add_enabled(enabled, button);
    describe(&response, command, enabled, on);
    // A tooltip would hide the rows below; only what cannot be used explains itself.
    let response = response.on_disabled_hover_text(entry.needs.reason());
    let clicked = response.clicked();
    if clicked {
        actions.command(command);
    }
    clicked
}

/// A square button with nothing but the icon; name, help and key are in its tooltip.
pub fn icon_button(
    ui: &mut Ui,
    state: &EditorState,
    command: Command,
    size: f32,
    actions: &mut Actions,
) -> Response {
    let enabled = command.is_enabled(state);
    let on = command.is_on(state);
    let icon_size = (size * 0.62).round();
    let button = Button::new(theme::icon(command.entry().icon, icon_size))
        .selected(on == Some(true))
        .frame_when_inactive(on == Some(true))
        .min_size(egui::Vec2::splat(size));
    let response = ui
        .scope(|ui| {
            ui.spacing_mut().button_padding = egui::Vec2::ZERO;
            ui.add_enabled(enabled, button)
        })
        .inner;
    describe(&response, command, enabled, on);
    let response = tooltip(response, state, command);
    if response.clicked() {
        actions.command(command);
    }
    response
}

/// What a screen reader says: the name, never the icon's code point.
fn describe(response: &Response, command: Command, enabled: bool, on: Option<bool>) {
    response.widget_info(|| match on {
        Some(on) => WidgetInfo::selected(Role::Button, enabled, on, command.name()),
        None => WidgetInfo::labeled(Role::Button, enabled, command.name()),
    });
}

/// Name, key and help; for a command that cannot be used now, why.
fn tooltip(response: Response, state: &EditorState, command: Command) -> Response {
    let entry = command.entry();
    let contents = |ui: &mut Ui| {
        ui.horizontal(|ui| {
            ui.strong(entry.name.trim_end_matches('…'));
            for key in state.keys().keys(command) {
                ui.add_space(4.0);
                key_cap(ui, &key.to_string());
            }
        });
        ui.label(format!("{}.", entry.help));
    };
    response.on_hover_ui(contents).on_disabled_hover_ui(|ui| {
        contents(ui);
        ui.colored_label(ui.visuals().warn_fg_color, entry.needs.reason());
    })
}

/// A key as it is printed on keyboards.
pub fn key_cap(ui: &mut Ui, text: &str) -> Response {
    let palette = theme::Palette::of(ui.visuals());
    egui::Frame::new()
        .fill(palette.control)
        .stroke(egui::Stroke::new(1.0, palette.line_strong))
        .corner_radius(4)
        .inner_margin(egui::Margin::symmetric(5, 0))
        .show(ui, |ui| {
            ui.label(RichText::new(text).small().color(palette.text));
        })
        .response
}

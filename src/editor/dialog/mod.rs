//! Dialogs over the level.
//!
//! A dialog reads the state and responds with actions, like any other part of the window. The one
//! opened last is on top; Esc closes only that one.

pub mod about;
pub mod changed_on_disk;
pub mod confirm;
pub mod convert;
pub mod export;
mod export_estimate;
pub mod file;
mod format_options;
pub mod heights;
pub mod import;
pub mod new_level;
pub mod operation;
pub mod recovery;
pub mod settings;
pub mod unsaved;

use super::panels::field::number::is_any_refused;
use super::{Actions, EditorState, theme};
use egui::accesskit::Role;
use egui::{Align, Button, Id, Layout, Response, RichText, Ui, WidgetInfo};
use egui_material_icons::icons as icon;
use std::any::TypeId;
use std::fmt::Debug;

/// Whether a dialog stays open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Stay,
    Close,
}

pub trait Dialog: Debug + 'static {
    /// At most one dialog of each kind is open.
    fn kind(&self) -> TypeId {
        TypeId::of::<Self>()
    }

    fn ui(&mut self, ctx: &egui::Context, state: &EditorState, actions: &mut Actions) -> Flow;
}

/// A modal window with a title; closed by Esc, a click outside or its close button.
pub fn modal(
    ctx: &egui::Context,
    title: &str,
    width: f32,
    contents: impl FnOnce(&mut Ui) -> Flow,
) -> Flow {
    let modal = egui::Modal::new(Id::unique(title));
    in_modal(ctx, modal, title, width, contents)
}

/// A modal window at the lower edge that does not dim the level, so that its effect is visible.
pub fn modal_below(
    ctx: &egui::Context,
    title: &str,
    width: f32,
    contents: impl FnOnce(&mut Ui) -> Flow,
) -> Flow {
    let id = Id::unique(title);
    let place = egui::vec2(0.0, -(theme::STATUS_BAR_HEIGHT + 24.0));
    let area = egui::Modal::default_area(id).anchor(egui::Align2::CENTER_BOTTOM, place);
    let modal = egui::Modal::new(id)
        .area(area)
        .backdrop_color(egui::Color32::TRANSPARENT);
    in_modal(ctx, modal, title, width, contents)
}

fn in_modal(
    ctx: &egui::Context,
    modal: egui::Modal,
    title: &str,
    width: f32,
    contents: impl FnOnce(&mut Ui) -> Flow,
) -> Flow {
    let room = ctx.content_rect().size() - egui::vec2(32.0, 32.0);
    let response = modal
        .frame(egui::Frame::window(&ctx.global_style()))
        .show(ctx, |ui| {
            ui.set_width(width.min(room.x - 28.0));
            ui.set_max_height(room.y - 28.0);
            let closed = title_ui(ui, title);
            ui.add_space(8.0);
            let flow = contents(ui);
            if closed { Flow::Close } else { flow }
        });
    if response.should_close() {
        Flow::Close
    } else {
        response.inner
    }
}

/// A movable window beside the work; stays open until closed.
pub fn window(
    ctx: &egui::Context,
    title: &str,
    size: egui::Vec2,
    open: &mut bool,
    contents: impl FnOnce(&mut Ui),
) {
    if !*open {
        return;
    }
    let screen = ctx.content_rect();
    let corner = screen.center_top() + egui::vec2(-size.x * 0.5, 60.0);
    egui::Window::new(title)
        .title_bar(false)
        .resizable(false)
        .default_pos(corner)
        .constrain_to(screen)
        .show(ctx, |ui| {
            ui.set_width(size.x.min(screen.width() - 60.0));
            ui.set_max_height(size.y.min(screen.height() - 120.0));
            if title_ui(ui, title) {
                *open = false;
            }
            ui.add_space(8.0);
            contents(ui);
        });
}

/// The title line; true if its close button was clicked.
fn title_ui(ui: &mut Ui, title: &str) -> bool {
    ui.horizontal(|ui| {
        ui.label(
            RichText::new(title)
                .heading()
                .color(theme::Palette::of(ui.visuals()).text_strong),
        );
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            close_button(ui).clicked()
        })
        .inner
    })
    .inner
}

pub fn close_button(ui: &mut Ui) -> Response {
    let response = ui
        .add(Button::new(theme::icon(icon::ICON_CLOSE, 18.0)).frame(false))
        .on_hover_text("Close (Esc)");
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Close"));
    response
}

/// Columns of a given height, with separators where the contents draw any.
pub fn side_by_side(ui: &mut Ui, height: f32, contents: impl FnOnce(&mut Ui)) {
    let size = egui::vec2(ui.available_width(), height);
    ui.allocate_ui(size, |ui| {
        ui.set_min_height(height);
        ui.horizontal_top(contents);
    });
}

/// The row of buttons at the end of a dialog, right-aligned; the first one is the default.
pub fn buttons_ui(ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    ui.add_space(10.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.spacing_mut().button_padding = egui::vec2(14.0, 5.0);
        ui.with_layout(Layout::right_to_left(Align::Center), contents);
    });
}

/// The default button.
pub fn primary_button(ui: &mut Ui, text: &str) -> Response {
    primary_button_enabled(ui, text, true)
}

pub fn primary_button_enabled(ui: &mut Ui, text: &str, enabled: bool) -> Response {
    let palette = theme::Palette::of(ui.visuals());
    ui.add_enabled(
        enabled && !is_any_refused(ui.ctx()),
        Button::new(RichText::new(text).color(palette.on_accent)).fill(palette.accent),
    )
}

/// Whether Enter was pressed, no other control uses it, and every number is valid.
pub fn confirmed(ctx: &egui::Context) -> bool {
    if is_any_refused(ctx) {
        return false;
    }
    let free = ctx.memory(|memory| memory.focused().is_none()) || ctx.text_edit_focused();
    free && ctx.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Enter))
}

//! A row of a form: label on the left, field on the right, and room for a reset button.

use super::button::icon_button;
use crate::editor::theme::panel;
use egui::{Align, AsIdSalt, Id, Label, Layout, Response, Ui, UiBuilder, vec2};
use egui_material_icons::icons;

#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    label: &'a str,
    help: &'a str,
    edge: Edge,
    shape: Shape,
}

/// Arrangement of label and field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Side by side, or stacked if it is narrow.
    Fitting,
    /// Always side by side: the field is small.
    Beside,
    /// Always stacked: the field needs the full width.
    Stacked,
}

/// The right edge of a row. Space for a small button is reserved everywhere, so that all fields of
/// a form end at the same line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Free,
    /// A button that restores the default.
    Reset,
    /// The field extends into it: it has its own button there, or needs the width.
    Field,
}

#[derive(Clone, Copy, Debug)]
pub struct RowOutput<R> {
    pub inner: R,
    /// The reset button was pressed.
    pub reset: bool,
}

impl<'a> Row<'a> {
    #[must_use]
    pub const fn new(label: &'a str) -> Self {
        Self {
            label,
            help: "",
            edge: Edge::Free,
            shape: Shape::Fitting,
        }
    }

    /// A tooltip on the label.
    #[must_use]
    pub const fn help(mut self, help: &'a str) -> Self {
        self.help = help;
        self
    }

    /// Offers to restore the default.
    #[must_use]
    pub const fn resettable(mut self, differs_from_default: bool) -> Self {
        self.edge = if differs_from_default {
            Edge::Reset
        } else {
            Edge::Free
        };
        self
    }

    /// Extends the field to the edge.
    #[must_use]
    pub const fn to_the_edge(mut self) -> Self {
        self.edge = Edge::Field;
        self
    }

    /// For a field small enough to fit beside its label.
    #[must_use]
    pub const fn small(mut self) -> Self {
        self.shape = Shape::Beside;
        self
    }

    /// For a field that needs the full width.
    #[must_use]
    pub const fn stacked(mut self) -> Self {
        self.shape = Shape::Stacked;
        self
    }

    /// Draws the row; `content` gets the value column and the label's id, for
    /// [`Response::labelled_by`].
    pub fn show<R>(self, ui: &mut Ui, content: impl FnOnce(&mut Ui, Id) -> R) -> RowOutput<R> {
        let width = ui.available_width();
        let stacked = match self.shape {
            Shape::Fitting => width < panel::STACK_WIDTH,
            Shape::Beside => false,
            Shape::Stacked => true,
        };
        stable_scope(ui, self.label, |ui| {
            if stacked {
                let label = self.label_ui(ui, width);
                ui.with_layout(Layout::left_to_right(Align::TOP), |ui| {
                    self.value_ui(ui, width, label.id, content)
                })
                .inner
            } else {
                let label_width = if width < panel::STACK_WIDTH {
                    width - panel::SMALL_FIELD
                } else {
                    panel::label_width(width)
                };
                ui.with_layout(Layout::left_to_right(Align::TOP), |ui| {
                    ui.spacing_mut().item_spacing.x = 0.0;
                    let label = self.label_ui(ui, label_width);
                    ui.add_space(panel::GAP);
                    self.value_ui(ui, width - label_width - panel::GAP, label.id, content)
                })
                .inner
            }
        })
    }

    fn value_ui<R>(
        self,
        ui: &mut Ui,
        width: f32,
        label: Id,
        content: impl FnOnce(&mut Ui, Id) -> R,
    ) -> RowOutput<R> {
        let edge = match self.edge {
            Edge::Field => 0.0,
            Edge::Free | Edge::Reset => panel::ICON_BUTTON,
        };
        let width = (width - edge).max(40.0);
        ui.spacing_mut().item_spacing.x = 0.0;
        let inner = ui
            .allocate_ui_with_layout(
                vec2(width, panel::FIELD_ROW),
                Layout::top_down(Align::LEFT),
                |ui| {
                    ui.set_width(width);
                    ui.spacing_mut().item_spacing = vec2(4.0, 3.0);
                    content(ui, label)
                },
            )
            .inner;
        let reset = self.edge == Edge::Reset && {
            let name = format!("Reset {}", self.label.to_lowercase());
            icon_button(ui, icons::ICON_RESTART_ALT, &name).clicked()
        };
        RowOutput { inner, reset }
    }

    fn label_ui(self, ui: &mut Ui, width: f32) -> Response {
        let response = ui
            .allocate_ui_with_layout(
                vec2(width, panel::FIELD_ROW),
                Layout::left_to_right(Align::Center),
                |ui| {
                    ui.set_min_size(vec2(width, panel::FIELD_ROW));
                    ui.set_max_width(width);
                    ui.add(Label::new(self.label).wrap().selectable(false))
                },
            )
            .inner;
        if self.help.is_empty() {
            response
        } else {
            response.on_hover_text(self.help)
        }
    }
}

/// An error message under its row.
pub fn refusal_ui(ui: &mut Ui, sentence: &str) {
    let colour = ui.visuals().error_fg_color;
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(
            icons::ICON_ERROR
                .rich_text()
                .size(panel::ICON)
                .color(colour),
        );
        ui.add(Label::new(egui::RichText::new(sentence).color(colour)).wrap());
    });
}

/// A part of a form whose widgets keep their ids regardless of what appears above it, such as an
/// error message. The salt must be unique within the parent.
pub fn stable_scope<R>(ui: &mut Ui, salt: impl AsIdSalt, content: impl FnOnce(&mut Ui) -> R) -> R {
    let id = ui.scope_id().with(salt);
    ui.scope_builder(UiBuilder::new().scope_id(id), content)
        .inner
}

//! The history: every step of the document, to go back and forward.

use crate::document::Document;
use crate::editor::theme::{Palette, panel};
use crate::editor::{Action, Actions, EditorState};
use egui::{
    Align, Align2, FontId, Layout, Margin, Rect, Role, ScrollArea, Sense, TextStyle, TextWrapMode,
    Ui, WidgetInfo, WidgetText, pos2, vec2,
};
use egui_material_icons::icons;

/// What the panel remembers between frames.
#[derive(Debug, Default)]
pub struct History {
    /// Number of steps in the last frame; scrolls when it changes.
    seen: Option<usize>,
}

impl History {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let document = state.document();
        let done = document.undo_labels().len();
        let total = done + document.redo_labels().len();
        summary_ui(ui, document, total);
        ui.spacing_mut().item_spacing.y = 0.0;
        let labels: Vec<&str> = std::iter::once("Level opened")
            .chain(document.undo_labels())
            .chain(document.redo_labels())
            .collect();
        let moved = self.seen.replace(done) != Some(done);
        ScrollArea::vertical()
            .auto_shrink(false)
            .id_salt("history")
            .show_viewport(ui, |ui, viewport| {
                let top_left = ui.max_rect().min;
                ui.set_height(labels.len() as f32 * panel::LIST_ROW);
                let row_rect = |index: usize| {
                    Rect::from_min_size(
                        top_left + vec2(0.0, index as f32 * panel::LIST_ROW),
                        vec2(viewport.width(), panel::LIST_ROW),
                    )
                };
                if moved {
                    ui.scroll_to_rect(row_rect(done), None);
                }
                let first = (viewport.min.y / panel::LIST_ROW).floor().max(0.0) as usize;
                let last = (viewport.max.y / panel::LIST_ROW).ceil() as usize;
                for (index, label) in labels.iter().enumerate().take(last).skip(first) {
                    let step = match index.cmp(&done) {
                        std::cmp::Ordering::Less => Step::Done,
                        std::cmp::Ordering::Equal => Step::Current,
                        std::cmp::Ordering::Greater => Step::Undone,
                    };
                    if row_ui(ui, row_rect(index), index, label, step) && step != Step::Current {
                        actions.push(Action::Travel { undo_steps: index });
                    }
                }
            });
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Done,
    /// The current state.
    Current,
    Undone,
}

fn summary_ui(ui: &mut Ui, document: &Document, total: usize) {
    egui::Frame::new()
        .inner_margin(Margin::symmetric(8, 4))
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                let steps = match total {
                    1 => "1 step".to_owned(),
                    _ => format!("{total} steps"),
                };
                ui.weak(steps);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.weak(memory(document.history_bytes()))
                        .on_hover_text("Approximate memory use of the history.");
                });
            });
        });
}

/// Bytes in readable form.
fn memory(bytes: usize) -> String {
    const KIB: f64 = 1024.0;
    let bytes = bytes as f64;
    if bytes < KIB {
        format!("{bytes} B")
    } else if bytes < KIB * KIB {
        format!("{:.0} KiB", bytes / KIB)
    } else {
        format!("{:.1} MiB", bytes / (KIB * KIB))
    }
}

/// True when it was clicked.
fn row_ui(ui: &mut Ui, rect: Rect, index: usize, label: &str, step: Step) -> bool {
    let id = ui.scope_id().with(("step", index));
    let response = ui.interact(rect, id, Sense::click());
    response
        .widget_info(|| WidgetInfo::selected(Role::ListItem, true, step == Step::Current, label));
    let palette = Palette::of(ui.visuals());
    let inner = rect.shrink2(vec2(2.0, 0.0));
    if step == Step::Current {
        ui.painter()
            .rect_filled(inner, panel::ROUNDING, palette.accent_fill);
    } else if response.hovered() || response.has_focus() {
        ui.painter()
            .rect_filled(inner, panel::ROUNDING, palette.control);
    }
    let (icon, colour) = match step {
        Step::Done => (icons::ICON_CIRCLE, palette.text),
        Step::Current => (icons::ICON_CHEVRON_RIGHT, palette.text_strong),
        Step::Undone => (icons::ICON_RADIO_BUTTON_UNCHECKED, palette.text_weak),
    };
    let icon_size = if step == Step::Current { 16.0 } else { 8.0 };
    ui.painter().text(
        pos2(rect.left() + 14.0, rect.center().y),
        Align2::CENTER_CENTER,
        icon.codepoint,
        FontId::new(icon_size, icon.font_family()),
        palette.text_weak,
    );
    let galley = WidgetText::from(label).into_galley(
        ui,
        Some(TextWrapMode::Truncate),
        rect.width() - 32.0,
        TextStyle::Body,
    );
    let at = pos2(rect.left() + 26.0, rect.center().y - galley.size().y / 2.0);
    ui.painter()
        .galley_with_override_text_color(at, galley, colour);
    let help = match step {
        Step::Done => "Go back to this state.",
        Step::Current => "Current state.",
        Step::Undone => "Go forward to this state.",
    };
    response.on_hover_text(format!("{label}\n{help}")).clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_said_in_the_unit_that_fits() {
        assert_eq!(memory(900), "900 B");
        assert_eq!(memory(20 << 10), "20 KiB");
        assert_eq!(memory(3 << 19), "1.5 MiB");
    }
}

//! Drop-downs and check boxes.

use super::{MIXED, Shared};
use crate::editor::theme::panel;
use egui::{Align2, ComboBox, FontId, Id, Rect, Ui};
use egui_material_icons::icons;

/// A drop-down of named options; returns the index picked.
pub fn choice_ui(
    ui: &mut Ui,
    label: Id,
    name: &str,
    current: Shared<usize>,
    options: &[&str],
) -> Option<usize> {
    let shown = match current {
        Shared::Same(index) => options.get(index).copied().unwrap_or(MIXED),
        Shared::Mixed => MIXED,
    };
    let mut picked = None;
    ComboBox::from_id_salt(name)
        .width(ui.available_width())
        .wrap()
        .icon(|ui, rect, _, _| paint_arrow(ui, rect))
        .selected_text(shown)
        .show_ui(ui, |ui| {
            for (index, option) in options.iter().enumerate() {
                let selected = current == Shared::Same(index);
                if ui.selectable_label(selected, *option).clicked() && !selected {
                    picked = Some(index);
                }
            }
        })
        .response
        .labelled_by(label);
    picked
}

/// The arrow of every drop-down.
fn paint_arrow(ui: &Ui, rect: Rect) {
    let icon = icons::ICON_ARROW_DROP_DOWN;
    ui.painter().text(
        rect.center(),
        Align2::CENTER_CENTER,
        icon.codepoint,
        FontId::new(panel::ICON, icon.font_family()),
        ui.visuals().weak_text_color(),
    );
}

/// A check box; clicking a mixed value sets it.
pub fn toggle_ui(ui: &mut Ui, label: Id, value: Shared<bool>) -> Option<bool> {
    let mut on = value.same().unwrap_or(false);
    let response = ui
        .add(egui::Checkbox::without_text(&mut on).indeterminate(value.is_mixed()))
        .labelled_by(label);
    response.changed().then_some(on)
}

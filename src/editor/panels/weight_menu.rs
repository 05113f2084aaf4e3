//! A menu that sets all terrain weights of profiles at once.

use super::field::button::faint_icon;
use crate::base::EntityId;
use crate::document::{Document, WeightPreset};
use crate::editor::theme::{self, panel};
use crate::editor::{Action, Actions, Notice};
use crate::interaction::operations::{OperationInput, weigh};
use egui::{Button, Popup, Response, Ui};
use egui_material_icons::icons;
use std::collections::BTreeSet;

/// The menu of a button; closed until it is clicked.
pub fn weight_menu(
    button: &Response,
    document: &Document,
    profiles: &BTreeSet<EntityId>,
    actions: &mut Actions,
) {
    Popup::menu(button).show(|ui| {
        ui.set_min_width(150.0);
        ui.weak("Weight preset…");
        for preset in WeightPreset::ALL {
            if item_ui(ui, preset.name(), preset.help()) {
                apply(document, profiles, preset, actions);
            }
        }
        ui.separator();
        let help = "Removes the profile's own weights";
        if item_ui(ui, "Reset to defaults", help) {
            let on = OperationInput::of(document);
            match weigh::unweigh_profiles(&on, profiles) {
                Ok(change) => actions.commit(change.label, change.edits),
                Err(refused) => actions.push(Action::Notify(Notice::info(format!(
                    "Terrain weights: {refused}."
                )))),
            }
        }
    });
}

fn item_ui(ui: &mut Ui, name: &str, help: &str) -> bool {
    let icon = faint_icon(ui, icons::ICON_BALANCE);
    let item = Button::new((icon, name)).gap(8.0).right_text("");
    let clicked = ui
        .add(item)
        .on_hover_text(help)
        .accessible_name(name)
        .clicked();
    if clicked {
        ui.close();
    }
    clicked
}

fn apply(
    document: &Document,
    profiles: &BTreeSet<EntityId>,
    preset: WeightPreset,
    actions: &mut Actions,
) {
    let on = OperationInput::of(document);
    match weigh::weigh_profiles(&on, profiles, preset) {
        Ok(change) => actions.commit(change.label, change.edits),
        Err(refused) => {
            let notice = format!("{}: {refused}.", preset.name());
            actions.push(Action::Notify(Notice::warning(notice)));
            return;
        }
    }
    let level = document.level();
    let kept = preset.apply(level, []).kept;
    if !kept.is_empty() {
        let names: Vec<String> = kept.iter().map(|id| level.label(*id)).collect();
        let notice = format!(
            "{} has no weights for {}: those are unchanged.",
            preset.name(),
            names.join(", ")
        );
        actions.push(Action::Notify(Notice::info(notice)));
    }
}

/// A small button for the menu, at the end of a row.
pub fn weight_menu_button(ui: &mut Ui, name: &str) -> Response {
    let icon = theme::icon(icons::ICON_BALANCE, panel::ICON);
    ui.add(Button::new(icon).frame_when_inactive(false))
        .on_hover_text("Set all weights: pedestrian, animal, vehicle, adult, child")
        .accessible_name(name)
}

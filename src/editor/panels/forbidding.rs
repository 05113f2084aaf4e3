//! The forbidding rules of a level, each with a button to remove it.

use super::field::button::icon_button;
use crate::document::Level;
use crate::editor::find::Replacement;
use crate::editor::intention::Request;
use crate::editor::{Action, Actions};
use crate::interaction::operations::bodies_named;
use egui::Ui;
use egui_material_icons::icons;

pub fn rules_ui(ui: &mut Ui, level: &Level, actions: &mut Actions) {
    let rules = &level.settings().forbidding;
    if rules.is_empty() {
        return;
    }
    ui.weak("Forbidden by rule:");
    for rule in rules {
        let found = bodies_named(level, rule).len();
        ui.label(rule).on_hover_text(format!(
            "{found} obstacles and solids, and future ones with a matching name"
        ));
        if icon_button(ui, icons::ICON_CLOSE, &format!("Remove the rule {rule}")).clicked() {
            let pattern = rule.clone();
            let replacement = Replacement::Forbidden {
                pattern,
                forbid: false,
            };
            actions.push(Action::Request(Request::Replace(replacement)));
        }
    }
}

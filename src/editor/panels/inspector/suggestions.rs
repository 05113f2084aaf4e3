//! Annotations proposed for the selection: accept or dismiss each.

use crate::editor::panels::field::button::icon_button;
use crate::editor::panels::field::{just_opened, section};
use crate::editor::suggestions::SuggestAsk;
use crate::editor::{Action, Actions, EditorState};
use egui::{Align, Label, Layout, Ui};
use egui_material_icons::icons;

pub fn ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    if !state.suggestions.are_open() {
        return;
    }
    // Asked for far below, they would come out of sight.
    if just_opened(ui, ui.scope_id().with("suggestions")) {
        ui.scroll_to_cursor(Some(Align::TOP));
    }
    section(ui, "Suggested areas", |ui| {
        let Some(open) = state.suggestions.open() else {
            ui.weak("Working them out…");
            return;
        };
        let mut hovered = None;
        for proposal in &open {
            let row = ui.horizontal(|ui| {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.spacing_mut().item_spacing.x = 0.0;
                    let dismiss = format!("Dismiss {}", proposal.name);
                    if icon_button(ui, icons::ICON_CLOSE, &dismiss).clicked() {
                        let asked = SuggestAsk::Dismiss(proposal.name.clone());
                        actions.push(Action::Suggest(asked));
                    }
                    let accept = format!("Accept {}", proposal.name);
                    if icon_button(ui, icons::ICON_CHECK, &accept).clicked() {
                        let asked = SuggestAsk::Accept(vec![proposal.name.clone()]);
                        actions.push(Action::Suggest(asked));
                    }
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        ui.add(Label::new(&proposal.name).truncate());
                    });
                });
            });
            if row.response.contains_pointer() {
                hovered = Some(proposal.name.clone());
            }
        }
        ui.horizontal_wrapped(|ui| {
            if ui.button("Accept all").clicked() {
                let names = open.iter().map(|proposal| proposal.name.clone()).collect();
                actions.push(Action::Suggest(SuggestAsk::Accept(names)));
            }
            if ui.button("Dismiss all").clicked() {
                actions.push(Action::Suggest(SuggestAsk::DismissAll));
            }
        });
        if hovered != state.suggestions.hovered {
            actions.push(Action::Suggest(SuggestAsk::Hover(hovered)));
        }
    });
}

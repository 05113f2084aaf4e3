//! Asks what to do with unsaved work before a level is closed.

use super::{Dialog, Flow, buttons_ui, confirmed, modal, primary_button};
use crate::editor::intention::{Intention, Request};
use crate::editor::{Action, Actions, EditorState};

#[derive(Debug)]
pub struct Unsaved {
    pub then: Intention,
}

impl Dialog for Unsaved {
    fn ui(&mut self, ctx: &egui::Context, state: &EditorState, actions: &mut Actions) -> Flow {
        let title = format!("Save “{}”?", state.title());
        let then = &self.then;
        modal(ctx, &title, 420.0, |ui| {
            ui.label(format!(
                "There are unsaved changes. Save them before {}?",
                then.gerund()
            ));
            let mut flow = Flow::Stay;
            buttons_ui(ui, |ui| {
                if primary_button(ui, "Save").clicked() || confirmed(ctx) {
                    actions.push(Action::Request(Request::Save {
                        then: Some(then.clone()),
                    }));
                    flow = Flow::Close;
                }
                if ui.button("Cancel").clicked() {
                    flow = Flow::Close;
                }
                if ui
                    .button("Don’t save")
                    .on_hover_text("The changes are discarded.")
                    .clicked()
                {
                    actions.push(Action::Request(Request::Discard(then.clone())));
                    flow = Flow::Close;
                }
            });
            flow
        })
    }
}

//! Confirmation of actions that cannot be undone.

use super::{Dialog, Flow, buttons_ui, confirmed, modal, primary_button};
use crate::editor::intention::Request;
use crate::editor::{Action, Actions, EditorState};

#[derive(Debug)]
pub struct Confirm {
    pub title: String,
    pub text: String,
    /// Label of the confirming button.
    pub go: String,
    pub request: Request,
}

impl Dialog for Confirm {
    fn ui(&mut self, ctx: &egui::Context, _: &EditorState, actions: &mut Actions) -> Flow {
        modal(ctx, &self.title, 420.0, |ui| {
            ui.label(&self.text);
            let mut flow = Flow::Stay;
            buttons_ui(ui, |ui| {
                if primary_button(ui, &self.go).clicked() || confirmed(ctx) {
                    actions.push(Action::Request(self.request.clone()));
                    flow = Flow::Close;
                }
                if ui.button("Cancel").clicked() {
                    flow = Flow::Close;
                }
            });
            flow
        })
    }
}

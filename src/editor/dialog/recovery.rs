//! An earlier session ended without saving: restore its work?

use super::{Dialog, Flow, buttons_ui, confirmed, modal, primary_button};
use crate::editor::intention::Request;
use crate::editor::{Action, Actions, EditorState};

#[derive(Debug)]
pub struct Recover {
    /// The level's name or file.
    pub name: String,
    pub summary: String,
    /// Whether there is a saved version to return to.
    pub has_file: bool,
}

impl Dialog for Recover {
    fn ui(&mut self, ctx: &egui::Context, _: &EditorState, actions: &mut Actions) -> Flow {
        // Closing keeps the work: nothing is discarded by accident.
        let mut chosen = None;
        let flow = modal(ctx, "Unsaved work found", 460.0, |ui| {
            ui.label(format!("“{}” has {}.", self.name, self.summary));
            ui.add_space(4.0);
            ui.label("Restore it?");
            buttons_ui(ui, |ui| {
                if primary_button(ui, "Recover").clicked() || confirmed(ctx) {
                    chosen = Some(Request::AcceptRecovery);
                }
                let other = if self.has_file {
                    "Open the saved version"
                } else {
                    "Discard"
                };
                if ui
                    .button(other)
                    .on_hover_text("The unsaved work is kept in a file ending in “~”.")
                    .clicked()
                {
                    chosen = Some(Request::DeclineRecovery);
                }
            });
            Flow::Stay
        });
        if flow == Flow::Close {
            chosen = Some(Request::AcceptRecovery);
        }
        match chosen {
            Some(request) => {
                actions.push(Action::Request(request));
                Flow::Close
            }
            None => Flow::Stay,
        }
    }
}

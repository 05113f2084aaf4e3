//! Another program has changed the level's file while there is unsaved work.

use super::{Dialog, Flow, buttons_ui, confirmed, modal, primary_button};
use crate::editor::intention::Request;
use crate::editor::{Action, Actions, Command, EditorState};

/// What triggered it; decides what the first button does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    Noticed,
    Saving,
}

#[derive(Debug)]
pub struct ChangedOnDisk {
    pub occasion: Occasion,
}

impl Dialog for ChangedOnDisk {
    fn ui(&mut self, ctx: &egui::Context, state: &EditorState, actions: &mut Actions) -> Flow {
        let file = state
            .path()
            .map(|path| path.display().to_string())
            .unwrap_or_default();
        modal(ctx, "The file has changed", 460.0, |ui| {
            ui.label(format!(
                "Another program has changed {file} since it was opened, and there is unsaved work here."
            ));
            let mut chosen = None;
            let mut flow = Flow::Stay;
            buttons_ui(ui, |ui| {
                if self.occasion == Occasion::Saving {
                    if primary_button(ui, "Save as…").clicked() || confirmed(ctx) {
                        actions.command(Command::SaveAs);
                        flow = Flow::Close;
                    }
                    if ui
                        .button("Overwrite")
                        .on_hover_text("The other program's version is kept as the backup.")
                        .clicked()
                    {
                        chosen = Some(Request::Overwrite);
                    }
                } else if primary_button(ui, "Keep my work").clicked() || confirmed(ctx) {
                    flow = Flow::Close;
                }
                if ui
                    .button("Load the file")
                    .on_hover_text("The unsaved work here is discarded.")
                    .clicked()
                {
                    chosen = Some(Request::Reload);
                }
            });
            if let Some(request) = chosen {
                actions.push(Action::Request(request));
                flow = Flow::Close;
            }
            flow
        })
    }
}

//! Values changed by a pressed pointer.

use crate::document::Edit;
use crate::editor::{Action, Actions};
use egui::{Key, Ui};

/// A widget drag in progress: previewed until the pointer is released, then one undo step; Esc
/// cancels.
#[derive(Debug, Default)]
pub struct LiveEdit {
    active: bool,
}

impl LiveEdit {
    pub(super) fn preview(&mut self, actions: &mut Actions, label: String, edits: Vec<Edit>) {
        if !self.active {
            self.active = true;
            actions.push(Action::Begin { label });
        }
        actions.push(Action::Preview { edits });
    }

    /// Ends the drag once the pointer is up. Call every frame after the fields, so that it also
    /// ends when its field disappears.
    pub fn settle(&mut self, ui: &Ui, actions: &mut Actions) {
        if !self.active {
            return;
        }
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            self.active = false;
            ui.ctx().stop_dragging();
            actions.push(Action::Cancel);
        } else if !ui.input(|input| input.pointer.primary_down()) {
            self.active = false;
            actions.push(Action::Finish);
        }
    }
}

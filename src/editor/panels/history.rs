//! The history panel.

use crate::editor::{Actions, EditorState};

/// What the panel remembers between frames.
#[derive(Debug, Default)]
pub struct History;

impl History {
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &EditorState, actions: &mut Actions) {
        let _ = (ui, state, actions);
    }
}

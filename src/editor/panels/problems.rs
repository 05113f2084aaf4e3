//! The problems panel.

use crate::editor::{Actions, EditorState};

/// What the panel remembers between frames.
#[derive(Debug, Default)]
pub struct Problems;

impl Problems {
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &EditorState, actions: &mut Actions) {
        let _ = (ui, state, actions);
    }
}

//! The outliner panel.

pub mod reorder;
pub mod search;
pub mod tree;

use crate::editor::{Actions, EditorState};

/// What the panel remembers between frames.
#[derive(Debug, Default)]
pub struct Outliner;

impl Outliner {
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &EditorState, actions: &mut Actions) {
        let _ = (ui, state, actions);
    }
}

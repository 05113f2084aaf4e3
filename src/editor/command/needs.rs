//! When a command can be used, and why not otherwise.

use crate::editor::EditorState;
use crate::editor::docking::Pane;

/// What must hold before a command can do anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    Level,
    /// The level has a file.
    File,
    /// Something was exported before.
    LastExport,
    Selection,
    OneSelected,
    TwoSelected,
    ThreeSelected,
    Undo,
    Redo,
    /// The level has a height field.
    Heights,
    /// The level has none.
    LevelGround,
    /// The 3D view is in sight.
    Space,
    /// A run is shown, or goes on.
    Run,
}

impl Needs {
    #[must_use]
    pub fn met(self, state: &EditorState) -> bool {
        if self != Self::Nothing && !state.level_is_open() {
            return false;
        }
        let document = state.document();
        match self {
            Self::Nothing | Self::Level => true,
            Self::File => state.path().is_some(),
            Self::LastExport => state.last_export.is_some(),
            Self::Selection => !document.selection().is_empty(),
            Self::OneSelected => document.selection().len() == 1,
            Self::TwoSelected => document.selection().len() >= 2,
            Self::ThreeSelected => document.selection().len() >= 3,
            Self::Undo => document.undo_labels().len() > 0,
            Self::Redo => document.redo_labels().len() > 0,
            Self::Heights => document.level().ground().is_some(),
            Self::LevelGround => document.level().ground().is_none(),
            Self::Space => state.open_panes.contains(&Pane::SPACE),
            Self::Run => {
                let simulation = &state.navigation.player.simulation;
                simulation.shown().is_some() || simulation.is_running()
            }
        }
    }

    /// Why a command is greyed out.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Level => "Open or create a level first.",
            Self::File => "The level has not been saved to a file yet.",
            Self::LastExport => "Nothing has been exported yet; choose Export first.",
            Self::Selection => "Select something first.",
            Self::OneSelected => "Select exactly one object first.",
            Self::TwoSelected => "Select at least two objects first.",
            Self::ThreeSelected => "Select at least three objects first.",
            Self::Undo => "Nothing to undo.",
            Self::Redo => "Nothing to redo.",
            Self::Heights => "The level has no height field.",
            Self::LevelGround => "The level already has a height field.",
            Self::Space => "Open the 3D view first (F8).",
            Self::Run => "Nothing has been simulated yet; press Space.",
        }
    }
}

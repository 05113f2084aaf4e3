//! Everything a person can ask the editor to do, in one list.
//!
//! Menus, tool bar, palette, key map, context menus and the help page are all read from here.

use super::EditorState;
use super::chord::Chord;
use egui::Key;
use egui_material_icons::{MaterialIcon, icons as icon};
use serde::{Deserialize, Serialize};

/// The menus of the menu bar, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Menu {
    File,
    Edit,
    Arrange,
    View,
    Tools,
    Help,
}

impl Menu {
    pub const ALL: [Self; 6] = [
        Self::File,
        Self::Edit,
        Self::Arrange,
        Self::View,
        Self::Tools,
        Self::Help,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::Arrange => "Arrange",
            Self::View => "View",
            Self::Tools => "Tools",
            Self::Help => "Help",
        }
    }
}

/// What must hold before a command can do anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    Level,
    /// The level has a file.
    File,
    Selection,
    Undo,
    Redo,
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
            Self::Selection => !document.selection().is_empty(),
            Self::Undo => document.undo_labels().len() > 0,
            Self::Redo => document.redo_labels().len() > 0,
        }
    }

    /// Why a command is greyed out.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Level => "Open or make a level first.",
            Self::File => "The level has not been saved to a file yet.",
            Self::Selection => "Select something first.",
            Self::Undo => "There is nothing to undo.",
            Self::Redo => "There is nothing to do again.",
        }
    }
}

/// What is said about a command everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub name: &'static str,
    /// One sentence, for tooltips and the help page.
    pub help: &'static str,
    pub icon: Option<MaterialIcon>,
    /// Its menu and the section within it.
    pub place: Option<(Menu, u8)>,
    pub needs: Needs,
    pub keys: &'static [Chord],
}

macro_rules! commands {
    ($($variant:ident: $name:literal, $help:literal, $icon:expr, $place:expr, $needs:ident, $keys:expr;)*) => {
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub enum Command {
            $($variant,)*
        }

        impl Command {
            /// In the order of the menus.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            #[must_use]
            pub const fn entry(self) -> Entry {
                match self {
                    $(Self::$variant => Entry {
                        name: $name,
                        help: $help,
                        icon: $icon,
                        place: $place,
                        needs: Needs::$needs,
                        keys: const { &$keys },
                    },)*
                }
            }
        }
    };
}

use Menu::{Arrange, Edit, File, Help, View};

#[rustfmt::skip]
commands! {
    NewLevel: "New level…", "Starts an empty level, or one from a template.", Some(icon::ICON_NOTE_ADD), Some((File, 0)), Nothing, [Chord::ctrl(Key::N)];
    Open: "Open…", "Opens a level from a file.", Some(icon::ICON_FOLDER_OPEN), Some((File, 0)), Nothing, [Chord::ctrl(Key::O)];
    Save: "Save", "Writes the level to its file; the version before is kept as a backup.", Some(icon::ICON_SAVE), Some((File, 1)), Level, [Chord::ctrl(Key::S)];
    SaveAs: "Save as…", "Writes the level to another file and goes on with that.", Some(icon::ICON_SAVE_AS), Some((File, 1)), Level, [Chord::ctrl_shift(Key::S)];
    Revert: "Revert to saved", "Drops every change since the last save; undo brings them back.", Some(icon::ICON_RESTORE_PAGE), Some((File, 1)), File, [];
    Quit: "Quit", "Closes the editor; asks first if there is unsaved work.", Some(icon::ICON_LOGOUT), Some((File, 9)), Nothing, [Chord::ctrl(Key::Q)];

    Undo: "Undo", "Takes back the last change.", Some(icon::ICON_UNDO), Some((Edit, 0)), Undo, [Chord::ctrl(Key::Z)];
    Redo: "Redo", "Does again what was taken back.", Some(icon::ICON_REDO), Some((Edit, 0)), Redo, [Chord::ctrl_shift(Key::Z), Chord::ctrl(Key::Y)];
    Delete: "Delete", "Removes what is selected.", Some(icon::ICON_DELETE), Some((Edit, 1)), Selection, [Chord::plain(Key::Delete)];
    SelectAll: "Select all", "Selects everything that can be seen and is not locked.", Some(icon::ICON_SELECT_ALL), Some((Edit, 2)), Level, [Chord::ctrl(Key::A)];
    SelectNone: "Select nothing", "Clears the selection.", Some(icon::ICON_DESELECT), Some((Edit, 2)), Selection, [Chord::ctrl_shift(Key::A)];

    Group: "Group", "Makes one group of what is selected.", Some(icon::ICON_FOLDER), Some((Arrange, 0)), Selection, [Chord::ctrl(Key::G)];

    FrameSelection: "Frame selection", "Shows all that is selected.", Some(icon::ICON_CENTER_FOCUS_STRONG), Some((View, 0)), Selection, [Chord::plain(Key::F)];
    FrameAll: "Frame all", "Shows the whole level.", Some(icon::ICON_FIT_SCREEN), Some((View, 0)), Level, [Chord::shift(Key::F)];
    ResetLayout: "Reset layout", "Puts every panel back to where it was at first.", Some(icon::ICON_DASHBOARD), Some((View, 5)), Nothing, [];

    About: "About Wayloom", "Version, licence, and what stands behind it.", Some(icon::ICON_INFO), Some((Help, 1)), Nothing, [];
}

impl Command {
    #[must_use]
    pub fn is_enabled(self, state: &EditorState) -> bool {
        self.entry().needs.met(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn no_two_commands_have_the_same_name_or_default_key() {
        let mut names = BTreeMap::new();
        let mut keys = BTreeMap::new();
        for command in Command::ALL {
            let entry = command.entry();
            assert_eq!(names.insert(entry.name, *command), None, "{}", entry.name);
            for key in entry.keys {
                assert_eq!(keys.insert(*key, *command), None, "{key}");
            }
            assert!(entry.help.ends_with('.'), "{}", entry.name);
        }
    }
}

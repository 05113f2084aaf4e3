//! The egui application.
//!
//! One frame: the parts of the window read [`EditorState`] and push [`Action`]s; when all are
//! drawn, the application applies them in order. Nothing drawn changes the level itself.
//!
//! [`Command`] is the one list of what a person can ask for; menus, tool bar, palette, key map
//! and help are derived from it.

pub mod action;
pub mod app;
pub mod chord;
pub mod command;
pub mod command_button;
pub mod command_palette;
pub mod docking;
pub mod fuzzy;
pub mod key_map;
pub mod keyboard;
pub mod menu_bar;
pub mod notice;
pub mod open_level;
pub mod panels;
pub mod preferences;
pub mod state;
pub mod status_bar;
pub mod store;
pub mod theme;
pub mod tool_bar;
pub mod validation;
pub mod viewport;
pub mod work;

pub use action::{Action, Actions};
pub use app::{Editor, run};
pub use command::Command;
pub use notice::Notice;
pub use state::EditorState;

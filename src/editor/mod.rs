//! The egui application.
//!
//! One frame: the parts of the window read [`EditorState`] and push [`Action`]s; when all are
//! drawn, the application applies them in order. Nothing drawn changes the level itself.
//!
//! [`Command`] is the one list of what a person can ask for; menus, tool bar, palette, key map
//! and help are derived from it.

pub mod action;
pub mod ago;
pub mod app;
mod apply;
mod choosing;
pub mod chord;
pub mod command;
pub mod command_button;
pub mod command_palette;
pub mod corridor_view;
pub mod dialog;
pub mod docking;
mod editing;
mod exchanging;
mod files;
pub mod find;
pub mod frame_bench;
pub mod fuzzy;
pub mod guide;
mod help;
pub mod intention;
pub mod key_map;
pub mod keyboard;
pub mod logo;
pub mod menu_bar;
pub mod meshes;
pub mod navigation;
pub mod notice;
pub mod open_level;
pub mod panels;
mod picture;
pub mod playback;
pub mod portal;
pub mod preferences;
pub mod recent;
mod shared_commons;
pub mod space;
pub mod space_bench;
pub mod state;
pub mod status_bar;
pub mod store;
pub mod theme;
pub mod thumbnails;
pub mod tool_bar;
pub mod tool_options;
pub mod validation;
pub mod viewport;
pub mod voxel_view;
pub mod walk_time;
pub mod watch;
pub mod welcome;
pub mod window;
pub mod work;

pub use action::{Action, Actions};
pub use app::Editor;
pub use command::Command;
pub use notice::Notice;
pub use state::EditorState;
pub use window::run;

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
pub mod baking;
pub mod bench_view;
mod choosing;
pub mod chord;
pub mod command;
pub mod command_button;
pub mod command_palette;
pub mod constraint_view;
pub mod corridor_view;
pub mod dialog;
pub mod docking;
mod editing;
mod exchanging;
mod files;
pub mod find;
pub mod first_level;
mod fixing;
#[cfg(feature = "lab")]
pub mod frame_bench;
pub mod fuzzy;
pub mod guide;
mod help;
pub mod intention;
pub mod key_map;
pub mod keyboard;
mod list_row;
pub mod logo;
pub mod menu_bar;
pub mod meshes;
pub mod navigation;
mod newest_bundle;
pub mod notice;
pub mod open_level;
pub mod overlay_scene;
pub mod panels;
mod picture;
pub mod play_strip;
pub mod playback;
pub mod player;
#[cfg(feature = "lab")]
mod playing_bench;
pub mod portal;
pub mod preferences;
pub mod recent;
pub mod recordings;
pub mod search_watch;
pub mod simulating;
pub mod situation;
pub mod space;
#[cfg(feature = "lab")]
pub mod space_bench;
pub mod state;
pub mod status_bar;
pub mod store;
pub mod suggestions;
pub mod theme;
pub mod thumbnails;
pub mod tool_bar;
pub mod tool_options;
pub mod validation;
pub mod viewport;
pub mod voxel_view;
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

/// Adds the benchmarks that need the window to those of the command line.
///
/// # Errors
/// The name of one is taken.
#[cfg(feature = "lab")]
pub fn register_benches() -> Result<(), crate::lab::registry::NameTaken> {
    for bench in [&space_bench::BENCH, &frame_bench::BENCH] {
        crate::lab::registry::register(bench)?;
    }
    Ok(())
}

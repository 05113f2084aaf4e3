//! The window through its accessible labels, without a window: the real editor, every part of
//! it, drawn by egui into nothing.
#![cfg(feature = "gui")]

mod background;
mod baking;
mod constraints;
mod editing;
mod files;
mod first_hour;
mod formats;
mod incremental;
mod keys;
mod menus;
mod meshes;
mod numbers;
mod palette;
mod playing;
mod settings;
mod simulating;
mod space;
mod stage;
mod suggesting;
mod toy_format;
mod voxels;
mod welcome;

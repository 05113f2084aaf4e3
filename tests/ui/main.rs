//! The window through its accessible labels, without a window: the real editor, every part of
//! it, drawn by egui into nothing.
#![cfg(feature = "gui")]

mod baking;
mod editing;
mod files;
mod keys;
mod menus;
mod meshes;
mod numbers;
mod palette;
mod playing;
mod settings;
mod space;
mod stage;
mod voxels;
mod welcome;

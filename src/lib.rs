//! Wayloom: a level editor that shows what agents will do while you draw.
//!
//! The crate is a house of rooms; data flows downwards and a room uses only rooms above it.
//! `tests/architecture.rs` holds them to it.

pub mod base;
pub mod cli;
pub mod document;
#[cfg(feature = "gui")]
pub mod editor;
pub mod exchange;
pub mod geometry;
#[cfg(feature = "gl")]
pub mod gpu;
pub mod interaction;
pub mod jobs;
#[cfg(feature = "lab")]
pub mod lab;
pub mod nav;
pub mod planner;
pub mod preview;
pub mod sim;

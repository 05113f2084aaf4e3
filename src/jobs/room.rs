//! The room `jobs`: background work that can be cancelled and shows its progress.
//!
//! Rooms above it have the names here that they have everywhere.

#[path = "mod.rs"]
pub mod jobs;

pub use wayloom_base::base;

//! The room `document`: the level: model, edits, history, validation, files.
//!
//! Rooms above it have the names here that they have everywhere.

#[path = "mod.rs"]
pub mod document;

pub use wayloom_base::base;
pub use wayloom_geometry::geometry;
pub use wayloom_jobs::jobs;

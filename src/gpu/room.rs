//! The room `gpu`: OpenGL passes that return plain grids, and a headless context.
//!
//! Rooms above it have the names here that they have everywhere.

#[path = "mod.rs"]
pub mod gpu;

pub use wayloom_base::base;
pub use wayloom_geometry::geometry;
pub use wayloom_jobs::jobs;

//! The room `planner`: questions and paths.
//!
//! Rooms above it have the names here that they have everywhere.

#[path = "mod.rs"]
pub mod planner;

pub use wayloom_base::base;
pub use wayloom_document::document;
pub use wayloom_geometry::geometry;
pub use wayloom_jobs::jobs;
pub use wayloom_nav::nav;

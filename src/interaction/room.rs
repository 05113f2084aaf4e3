//! The room `interaction`: tools and gestures without a window.
//!
//! Rooms above it have the names here that they have everywhere.

#[path = "mod.rs"]
pub mod interaction;

pub use wayloom_base::base;
pub use wayloom_document::document;
pub use wayloom_geometry::geometry;
pub use wayloom_jobs::jobs;
pub use wayloom_nav::nav;
pub use wayloom_planner::planner;
pub use wayloom_preview::preview;
pub use wayloom_sim::sim;

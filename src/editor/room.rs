//! The room `editor`: the egui application.
//!
//! Rooms above it have the names here that they have everywhere.

#[path = "mod.rs"]
pub mod editor;

pub use wayloom_base::base;
pub use wayloom_document::document;
pub use wayloom_exchange::exchange;
pub use wayloom_geometry::geometry;
pub use wayloom_gpu::gpu;
pub use wayloom_interaction::interaction;
pub use wayloom_jobs::jobs;
#[cfg(feature = "lab")]
pub use wayloom_lab::lab;
pub use wayloom_nav::nav;
pub use wayloom_planner::planner;
pub use wayloom_preview::preview;
pub use wayloom_sim::sim;

//! Wayloom: a level editor that shows what agents will do while you draw.
//!
//! The crate is a house of rooms; data flows downwards and a room uses only rooms above it.
//! `tests/architecture.rs` holds them to it.

pub use wayloom_base::base;
pub use wayloom_cli::cli;
pub use wayloom_document::document;
#[cfg(feature = "gui")]
pub use wayloom_editor::editor;
pub use wayloom_exchange::exchange;
pub use wayloom_geometry::geometry;
#[cfg(feature = "gl")]
pub use wayloom_gpu::gpu;
pub use wayloom_interaction::interaction;
pub use wayloom_jobs::jobs;
#[cfg(feature = "lab")]
pub use wayloom_lab::lab;
pub use wayloom_nav::nav;
pub use wayloom_planner::planner;
pub use wayloom_preview::preview;
pub use wayloom_sim::sim;

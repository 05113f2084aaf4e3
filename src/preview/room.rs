//! The room `preview`: every structure as primitives with semantic styles.
//!
//! Rooms above it have the names here that they have everywhere.

#[path = "mod.rs"]
pub mod preview;

pub use wayloom_base::base;
pub use wayloom_document::document;
pub use wayloom_geometry::geometry;
#[cfg(feature = "gl")]
pub use wayloom_gpu::gpu;
pub use wayloom_jobs::jobs;
pub use wayloom_nav::nav;
pub use wayloom_planner::planner;
pub use wayloom_sim::sim;

//! The room `nav`: what is baked from a level.
//!
//! Rooms above it have the names here that they have everywhere.

#[path = "mod.rs"]
pub mod nav;

pub use wayloom_base::base;
pub use wayloom_document::document;
pub use wayloom_geometry::geometry;
#[cfg(feature = "gl")]
pub use wayloom_gpu::gpu;
pub use wayloom_jobs::jobs;

//! The room `geometry`: predicates, polygons, booleans, triangulation, Voronoi diagrams, meshes, height fields.
//!
//! Rooms above it have the names here that they have everywhere.

#[path = "mod.rs"]
pub mod geometry;

pub use wayloom_base::base;
pub use wayloom_jobs::jobs;

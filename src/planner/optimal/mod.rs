//! The exact shortest path.

pub mod cone;
pub mod corners;
pub mod engine;

pub use corners::Corners;
pub use engine::OptimalEngine;

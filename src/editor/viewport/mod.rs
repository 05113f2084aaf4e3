//! The plan view: what it shows, and what the pointer does in it.

pub mod painter;

pub use painter::PlanPainter;

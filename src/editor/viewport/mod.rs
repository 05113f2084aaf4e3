//! The plan view: what it shows, and what the pointer does in it.

pub mod painter;
pub mod plan_view;

pub use painter::PlanPainter;
pub use plan_view::plan_view_ui;

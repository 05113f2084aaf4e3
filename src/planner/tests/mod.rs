//! What holds for every planner, on maps made by a method of their own.

mod figures;
pub mod slabs;

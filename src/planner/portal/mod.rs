//! Planning on portals with nodes that move.

pub mod engine;
pub mod graph;

pub use engine::{Placing, PortalEngine};
pub use graph::PortalGraph;

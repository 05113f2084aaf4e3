//! What is baked from a level, so that planners can answer at once.
//!
//! Every structure is a pure function of its input: `build(&input, &JobContext)`.

mod box_tree;
pub mod bundle;
pub mod cell_map;
pub mod commons;
pub mod corridor;
pub mod free_space;
mod graphics;
mod near_order;
mod slot;
pub mod stages;
pub mod terrain;
pub mod trapezoid;
pub mod voxel;

pub use bundle::NavBundle;
pub use cell_map::{CellId, CellMap, Portal, PortalId};
pub use commons::{Commons, Corridors};
pub use free_space::FreeSpace;
pub use stages::{NavSpace, StageTime};
pub use trapezoid::{Effort, Trapezoids};

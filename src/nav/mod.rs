//! Navigation data baked from a level, so that planners can answer at once.
//!
//! There is one entry point: a [`BakeRequest`] gives a [`NavBundle`]. Every structure in it is a
//! pure function of its input.

mod bake;
mod blocks;
mod box_tree;
mod bundle;
mod cell_changes;
pub mod cell_map;
pub mod constraint;
mod corners;
pub mod corridor;
mod delta;
mod entity_list;
pub mod free_space;
mod graphics;
#[cfg(test)]
mod incremental_tests;
mod inputs;
mod lineage;
mod links;
mod morton_order;
mod nav_change;
mod nav_data;
mod needs;
mod pinches;
mod portal_graph;
mod quality;
mod shared_nav;
mod slot;
pub mod stages;
pub mod terrain;
pub mod trapezoid;
pub mod voxel;

pub use bake::{BakeOptions, BakeRequest, ProfileSet};
pub use blocks::Blocks;
pub use bundle::NavBundle;
pub use cell_map::{CellId, CellMap, Portal, PortalId};
pub use corners::{Corners, Side};
pub use delta::{Changed, NavDelta};
pub use free_space::FreeSpace;
pub use links::{LinkPassage, NavLink};
pub use nav_change::NavChange;
pub use nav_data::NavData;
pub use needs::Needs;
pub use pinches::Pinches;
pub use portal_graph::{Node, PortalGraph};
pub use quality::BakeQuality;
pub use shared_nav::{Corridors, SharedNav};
pub use stages::{NavSpace, StageTime, Work};
pub use trapezoid::Trapezoids;

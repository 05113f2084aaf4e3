//! Terrain: every painted region and every obstacle in one constrained triangulation.
//!
//! Jaklin, Cook and Geraerts 2013, *Real-time path planning in heterogeneous environments*, §2 and
//! §3.2–3.3. A walk along a ray through the triangles tells in one pass whether one place sees
//! another and how much of each terrain lies between: the two questions that the method asks for
//! every candidate of every step.
//!
//! Deviations from the paper: it reads terrain and obstacles from the colours of a picture and
//! walks along pixels. [`raster`] has that picture, too, for comparison, and [`fine_raster`] reads
//! lines from it by distances to borders instead of colours; everything else here is exact up to
//! the 1 mm lattice. Its characters are points; for discs, [`sight`] looks along the free space of
//! their radius.
//!
//! Everything is triangulated from scratch once; while somebody paints or drags, a [`Groundwork`]
//! makes the triangles near the change anew.

mod arrangement;
mod build;
mod cavity;
mod change;
mod course;
pub mod fine_raster;
mod flip;
mod groundwork;
mod hot_pixel;
mod input;
mod locate;
mod map;
mod mesh;
mod paint;
pub mod raster;
pub(in crate::nav) mod segment_grid;
pub mod sight;
mod sight_walls;
mod splice;
#[cfg(test)]
mod splice_checks;
#[cfg(test)]
mod splice_tests;
#[cfg(test)]
mod tests;
mod walk;

pub use groundwork::Groundwork;
pub use input::{Patch, TerrainInput};
pub use map::{KindId, TerrainKind, TerrainMap, WeightFault, Weights};
pub use mesh::{BLOCKED, Fault, TerrainMesh, TriangleId, WallTouch};
pub use sight_walls::{LazySightWalls, SightWalls};
pub use walk::{Sight, Stop};

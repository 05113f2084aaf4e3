//! Terrain: all painted regions and obstacles in one constrained triangulation.
//!
//! Jaklin, Cook and Geraerts 2013, *Real-time path planning in heterogeneous environments*, §2 and
//! §3.2–3.3. Tracing a ray through the triangles tells in one pass whether one point sees another
//! and how much of each terrain lies between: the two queries that the method makes for every
//! candidate of every step.
//!
//! Deviations from the paper: it reads terrain and obstacles from the colours of an image and walks
//! along pixels. [`raster`] has that image for comparison, and [`fine_raster`] traces lines in it
//! by distances to borders instead of colours; everything else here is exact up to the 1 mm
//! lattice. The paper's characters are points; for discs, [`sight`] uses the free space of their
//! radius.
//!
//! Everything is triangulated from scratch once; during painting and dragging, a
//! [`TerrainTriangulation`] rebuilds only the triangles near the change.

mod arrangement;
mod build;
mod cavity;
mod change;
mod course;
pub mod fine_raster;
mod flip;
mod free_terrain;
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
mod triangulation;
mod walk;

pub use free_terrain::FreeTerrain;
pub(in crate::nav) use input::Paint;
pub use input::{Patch, TerrainInput};
pub use map::{KindId, TerrainKind, TerrainMap, WeightFault, Weights};
pub use mesh::{BLOCKED, Fault, TerrainMesh, TriangleId, WallTouch};
pub use sight_walls::{LazySightWalls, SightWalls};
pub use triangulation::TerrainTriangulation;
pub use walk::{Sight, Stop};

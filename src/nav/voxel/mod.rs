//! Voxels: a scene in cells, the cells that can be stepped on, and what a body can do with them.
//!
//! Bandi and Thalmann 2000, *Path finding for human motion in virtual environments*, §3
//! (discretisation, surface cells), §6 (body, reachability), §7.1–7.3 (extended neighbours,
//! borders), §8.1 (forbidden objects), §8.3 (local changes), §9.1 (super-sampling).
//!
//! Deviations: z is up. Cells come from an exact test of triangles against boxes
//! ([`cell_triangle`]); `gpu::discretize` is the paper's method, checked against this one by tests.
//! Closed bodies are solid. A surface knows its height within its cell, so that steps are measured
//! more finely than in whole layers. Reach in plan is Euclidean, and every cell within it is
//! considered, as the paper demands in §7.2. A move costs the cells it spans, so that strides never
//! pay off on level ground; the flank rule requires both flanks.

pub mod body;
pub mod cell_triangle;
pub mod discretizer;
pub mod footing;
pub mod grid;
mod impasse;
pub mod level;
pub mod reach;
pub mod scene;
pub mod storeys;
pub mod surface;
#[cfg(any(test, feature = "testing"))]
pub mod test_world;
#[cfg(test)]
mod tests;
mod tile;
pub mod voxels;
pub mod why_not;

pub use body::{BodyCells, Conduct, Metric, Neighbours, Stride};
pub use discretizer::Discretizer;
pub use footing::Footing;
pub use grid::{Span, VoxelGrid};
pub use impasse::{Exhausted, Explained, LEAST_LOOKS, Unexplained};
pub(in crate::nav) use level::VoxelKey;
pub use level::{LevelVoxels, MadeBy, Resolution, VoxelError, VoxelOptions};
pub use reach::{Borders, Hindrance, Move, Reach};
pub use scene::{VoxelObject, VoxelScene};
pub use storeys::{Storey, storeys};
pub use surface::{CellPlace, SurfaceCell, SurfaceCells, SurfaceId};
pub use voxels::{Sampling, Voxels};
pub use why_not::{Explainer, WhyNot};

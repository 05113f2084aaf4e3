//! Corridor maps: the medial axis of the free space, annotated with clearance and closest points.
//!
//! Overmars, Karamouzas and Geraerts 2008, *Flexible Path Planning Using Corridor Maps*, §2 and
//! §4.1. One map serves agents of every radius: parts that are too narrow are excluded at query
//! time.
//!
//! Deviations from the paper: the axis comes from an exact Voronoi diagram instead of an image
//! ([`raster`] has the image, too), so arcs are sampled to a stated [`MAX_SAG`] and closest points
//! are exact; borders between sides of one obstacle are ordinary edges of the map, because a
//! courtyard is free space as well ([`DeadEnds`] controls those that only lead into corners).

mod build;
mod components;
mod map;
mod medial_axis;
mod pinch;
pub mod raster;
mod retraction;
mod runs;
mod sampling;
#[cfg(test)]
mod tests;
mod tile;
mod tiling;
mod walls;

pub use build::{Blockers, CorridorError, DeadEnds, build, build_between, rebuild_between};
pub use components::Components;
pub use map::{AxisPoint, CorridorMap, Edge, EdgeId, Fault, Sample, Vertex, VertexId};
pub use pinch::Pinch;
pub use sampling::MAX_SAG;
pub use walls::{Blocker, Touch, Touched, Wall, Walls, segment_distance};

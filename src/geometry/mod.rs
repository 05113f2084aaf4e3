//! Shapes and geometric queries. Knows nothing of levels.
//!
//! Conventions for the whole crate: lengths are metres in `f64`; x points right, y up in plan, z up
//! in space; angles are radians, counter-clockwise from +x. An outer ring is counter-clockwise
//! (positive area) and a hole clockwise once normalised; rings do not repeat their first point at
//! the end.

pub mod aabb;
pub mod bit_columns;
pub mod boolean;
pub mod crossing;
pub mod curve;
pub mod extrusion;
pub mod facet;
pub mod heap;
pub mod height_field;
pub mod height_patch;
#[cfg(any(test, feature = "testing"))]
pub mod hostile;
pub mod hull;
pub mod lattice;
pub mod mesh;
pub mod mesh_edges;
pub mod mesh_plan;
pub mod mesh_tree;
pub mod offset;
pub mod polygon;
pub mod predicates;
pub mod proximity;
pub mod ray;
pub mod rect;
pub mod simplify;
pub mod trace;
pub mod triangulation;
pub mod visibility;
pub mod voronoi;
pub mod voxel_frame;

pub use aabb::Aabb;
pub use bit_columns::BitColumns;
pub use curve::Polyline;
pub use height_field::HeightField;
pub use height_patch::HeightPatch;
pub use hull::OrientedBox;
pub use mesh::TriMesh;
pub use mesh_tree::MeshTree;
pub use polygon::{Polygon, Ring};
pub use ray::Ray;
pub use rect::Rect;
pub use voxel_frame::VoxelFrame;

/// Coordinates beyond this are rejected everywhere. Unit: metres.
pub const MAX_COORDINATE: f64 = 1e6;

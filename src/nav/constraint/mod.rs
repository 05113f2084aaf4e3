//! What constraint-aware planning stands on (Ninomiya et al. 2014): regions with exact queries, the
//! field that constraints make of them, and the lattice of dense states.

pub mod field;
mod highways;
pub mod lattice;
pub mod plane;
pub mod region;
pub mod resolve;
pub mod situation;
mod storeys;
pub mod surroundings;
mod triangles;

pub use field::{Field, FieldRule, Term};
pub use highways::Highways;
pub use lattice::{DIRECTIONS, Lattice, OFFSETS};
pub use region::Region;
pub use resolve::{region_of, resolve};
pub use situation::{Placement, Situation};
pub use surroundings::Surroundings;
pub use triangles::Triangles;

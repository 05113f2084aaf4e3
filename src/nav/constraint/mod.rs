//! What constraint-aware planning stands on (Ninomiya et al. 2014): regions with exact queries, the
//! field that constraints make of them, and the lattice of dense states.

pub mod field;
pub mod lattice;
mod plane;
pub mod region;
mod storeys;

pub use field::{Field, FieldRule, Term};
pub use lattice::{DIRECTIONS, Lattice, OFFSETS};
pub use region::Region;

//! Human motion on surface cells: walking, stepping, bending and jumping through storeys.
//!
//! Bandi and Thalmann 2000, §4 and §5 (bushfire, many goals, A*, back-tracing), §7.1 (three dimensions), §7.4
//! (smoothing), §8.2 (actions), §8.3 (moving obstacles). Which cells can be stepped on, and from
//! where, is decided in [`crate::nav::voxel`].
//!
//! Deviations: a move costs as many cells as it spans, so levels of the front count cells, not
//! moves, and a stride is taken only where it is needed. Searches count length unless the level's
//! rules say cells, and paths are pulled tight ([`taut`]) unless they say otherwise. Start and goal may lie in the border,
//! which is left and entered by the shortest path. Among paths of equal length the designer's order
//! of actions decides, then orthogonal moves come before diagonal ones.

pub mod against_exact;
pub mod astar;
pub mod cell_leg;
pub mod cell_path;
pub mod detour;
pub mod figures;
pub mod front;
pub mod goals;
pub mod natural;
pub mod reachability;
pub mod repair;
pub mod reroute;
pub mod session;
pub mod smooth;
pub mod targets;
pub mod taut;
pub mod traversable_cells;
pub mod voxel_report;

pub use against_exact::{AgainstExact, Door, Fate};
pub use astar::{Astar, Outcome};
pub use cell_leg::CellLeg;
pub use cell_path::CellPath;
pub use detour::{Detour, Loss};
pub use front::Front;
pub use goals::Goals;
pub use natural::Naturalness;
pub use reachability::{CellAnswer, Reachability, Standing};
pub use repair::Change;
pub use reroute::{Rerouted, rerouted};
pub use session::HumanSession;
pub use smooth::{Smoothing, smoothed};
pub use targets::Target;
pub use traversable_cells::TraversableCells;
pub use voxel_report::{Subject, VoxelReport};

#[cfg(test)]
mod reachability_tests;
#[cfg(test)]
mod taut_tests;
#[cfg(test)]
mod tests;

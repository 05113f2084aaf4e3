//! Human motion on surface cells: walking, stepping, bending and jumping through storeys.
//!
//! Bandi and Thalmann 2000, §4 and §5 (bushfire, many goals, A*, back-tracing), §7.1 (three dimensions), §7.4
//! (smoothing), §8.2 (actions), §8.3 (moving obstacles). What can be stepped on, and from where, is
//! [`crate::nav::voxel`]'s.
//!
//! Where we differ: a move costs as many cells as it spans, so levels of the front count cells, not moves, and
//! a stride is taken only where it is needed. Start and goal may lie in the border: it is left and entered on the shortest way. Among
//! ways of equal length the designer's order of actions decides, then orthogonal moves come before
//! diagonal ones.

pub mod against_exact;
pub mod astar;
pub mod cell_path;
pub mod chart;
pub mod detour;
pub mod engine;
pub mod figures;
pub mod front;
pub mod goals;
pub mod reroute;
pub mod smooth;
pub mod survey;
pub mod trip;
pub mod walk;
pub mod ways;

pub use against_exact::{AgainstExact, Door, Fate};
pub use astar::{Astar, Outcome};
pub use cell_path::CellPath;
pub use chart::{Chart, Subject};
pub use detour::{Detour, Loss};
pub use engine::HumanEngine;
pub use front::Front;
pub use goals::Goals;
pub use reroute::{Rerouted, rerouted};
pub use smooth::{Smoothing, smoothed};
pub use survey::{CellAnswer, Standing, Survey};
pub use trip::Trip;
pub use walk::{Change, Target, Walk};
pub use ways::Ways;

#[cfg(test)]
mod survey_tests;
#[cfg(test)]
mod tests;

//! Constraint-aware planning (Ninomiya et al. 2014): domains of states, searches over them, and the
//! session that keeps both while the world changes.

pub mod ad_star;
pub mod astar;
pub mod domain;
mod finished;
pub mod graph;
mod grounds;
mod highway_costs;
mod memory;
mod no_path;
pub mod printed;
mod pull;
pub mod query;
pub mod replan;
pub mod runs;
pub mod session;
#[cfg(test)]
mod session_tests;
pub mod step_costs;
#[cfg(test)]
mod tests;
pub mod touched;
mod triangle_graph;
pub mod what_if;

pub use grounds::{has_storeys, spacing_of};
pub use query::ConstraintQuery;
pub use replan::{Replan, ReplanKind};
pub use session::ConstraintSession;
pub use what_if::WhatIf;

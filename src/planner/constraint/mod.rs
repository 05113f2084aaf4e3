//! Constraint-aware planning (Ninomiya et al. 2014): domains of states, searches over them, and the
//! session that keeps both while the world changes.

pub mod ad_star;
pub mod astar;
pub mod domain;
pub mod graph;
pub mod highways;
pub mod runs;
pub mod step_costs;
#[cfg(test)]
mod tests;
pub mod touched;
pub mod triangles;

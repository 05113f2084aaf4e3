//! The exact shortest path on convex cells, against which all planners are measured.
//!
//! Any-angle search over intervals, after the idea of Cui, Harabor and Grastien, "Compromise-free
//! Pathfinding on a Navigation Mesh", 2017: a node is what one turning point sees through a
//! portal, a look through the cell behind it gives the next ones, and a path can turn only at
//! corners of walls. Deviations: borders of visible intervals are lines through corners of the map
//! and judged by exact predicates, so no tolerance decides visibility; portals seen edge-on are
//! passed by turning at their nearer end; dead ends are told beforehand, whole parts of the map at
//! once ([`Blocks`](crate::nav::Blocks)), and not cell by cell.

pub mod cone;
pub mod search;
pub mod session;

pub use search::OptimalSearch;
pub use session::Shortest;

//! Path planning: every planner maps a query to one kind of answer.
//!
//! [`registry`] lists the planners, one row each. [`registry::open`] opens a [`Session`] for a
//! [`PathRequest`] on the [`NavData`] of an agent's radius; [`session::run`] searches it to its
//! [`Answer`], a path with its figures or the reason why there is none, and
//! [`Session::step`] does so step by step, for animation. [`MissionSession`] is an agent's whole
//! mission, leg by leg.

mod active_blocks;
pub mod bench;
pub mod bucket_list;
pub mod constraint;
pub mod corridor;
pub mod crowds;
pub mod explain;
mod extent;
pub mod finish;
pub mod funnel;
pub mod human;
pub mod kept;
pub mod keyed_heap;
pub mod links;
pub mod metrics;
pub mod miran;
pub mod mission_session;
pub mod missions;
pub mod open_list;
pub mod optimal;
pub mod path;
pub mod places;
pub mod planned_level;
pub mod pool;
pub mod portal;
pub mod queries;
pub mod registry;
pub mod repair;
pub mod request;
pub mod search_session;
pub mod session;
pub mod slope;
#[cfg(test)]
mod tests;
mod through_solids;
pub mod trace;
pub mod trials;

pub use mission_session::MissionSession;
pub use path::{Answer, Gap, NoPath, Path};
pub use planned_level::PlannedLevel;
pub use queries::MissionQueries;
pub use registry::{PlanError, PlannerRow};
pub use request::{BadRequest, Figures, Guide, PathRequest, SlopeLimits, Slopes};
pub use session::{NodeView, SearchView, Session, Step, Updated};
pub use trace::Trace;

//! A question in, a path out: every way of planning gives the same kind of answer.
//!
//! [`Planners::plan`] is the one door: a [`PlannerChoice`], the [`NavData`] baked for the agent's
//! radius and a [`PathRequest`] give an [`Answer`], a path with its figures or the reason why
//! there is none. [`Planners::search`] gives the same step by step, for animation.

pub mod baked;
pub mod bench;
pub mod choice;
pub mod corridor;
pub mod engine;
pub mod explain;
pub mod funnel;
pub mod human;
pub mod mending;
pub mod metrics;
pub mod miran;
pub mod missions;
pub mod nav_data;
pub mod open_list;
pub mod optimal;
pub mod path;
pub mod places;
pub mod planners;
pub mod portal;
pub mod prepared;
pub mod replay;
pub mod request;
pub mod search;
pub mod slope;
#[cfg(test)]
mod tests;
mod through_solids;
pub mod trace;
pub mod trials;
pub mod underway;

pub use baked::Baked;
pub use choice::PlannerChoice;
pub use engine::Engine;
pub use explain::explain;
pub use nav_data::NavData;
pub use path::{Answer, Gap, NoPath, Path};
pub use planners::{PlanError, Planners};
pub use request::{BadRequest, Guide, PathRequest, SlopeLimits, Slopes};
pub use search::{NodeView, Progress, Search, SearchView, Step};
pub use trace::Trace;

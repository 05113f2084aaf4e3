//! A question in, a path out: every way of planning gives the same kind of answer.

pub mod bench;
pub mod funnel;
pub mod missions;
pub mod open_list;
pub mod optimal;
pub mod path;
pub mod places;
pub mod portal;
pub mod ready;
pub mod request;
pub mod search;
#[cfg(test)]
mod tests;
pub mod trials;

pub use path::{Answer, Gap, NoPath, Path};
pub use request::{BadRequest, PathRequest, SlopeLimits};
pub use search::{Progress, Search, SearchView, Step};

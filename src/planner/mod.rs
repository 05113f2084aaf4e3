//! A question in, a path out: every way of planning gives the same kind of answer.

pub mod corridor;
pub mod path;
pub mod request;

pub use path::{Answer, Path};
pub use request::PathRequest;

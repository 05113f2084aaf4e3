//! The level as a document: what it consists of, how it changes, how it is kept.

pub mod change_set;
pub mod edit;
pub mod format;
pub mod history;
pub mod model;
pub mod ops;
pub mod selection;
pub mod session;

pub use change_set::ChangeSet;
pub use edit::Edit;
pub use history::{Document, Revision};
pub use model::*;
pub use selection::Selection;
pub use session::Session;

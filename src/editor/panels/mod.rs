//! The docked panels. Each reads the state, remembers only its own look, and asks by actions.

pub mod field;
pub mod form;
pub mod history;
pub mod icon;
pub mod inspector;
pub mod outliner;
pub mod problems;

pub use history::History;
pub use inspector::Inspector;
pub use outliner::Outliner;
pub use problems::Problems;

#[derive(Debug, Default)]
pub struct Panels {
    pub outliner: Outliner,
    pub inspector: Inspector,
    pub history: History,
    pub problems: Problems,
}

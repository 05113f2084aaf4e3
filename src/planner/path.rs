//! What every planner answers with.

use glam::DVec3;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    pub points: Vec<DVec3>,
    /// Unit: metres.
    pub length: f64,
    /// Nodes taken from the open list.
    pub expanded: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Found(Path),
    /// Why there is no path, as a sentence that says what to do.
    NotFound(String),
}

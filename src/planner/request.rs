//! What is asked of a planner.

use glam::DVec2;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathRequest {
    pub start: DVec2,
    pub goal: DVec2,
}

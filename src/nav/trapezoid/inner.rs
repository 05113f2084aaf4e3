//! A trapezoid inside the free space.

/// Between two segments and the horizontal lines through two vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Inner {
    pub left: u32,
    pub right: u32,
    pub bottom: u32,
    pub top: u32,
}

impl Inner {
    /// Unique: trapezoids with a common left segment lie above each other. Cells are numbered in
    /// this order, from the bottom to the top of the level, so numbers do not depend on how
    /// trapezoids were found.
    pub fn key(&self) -> (u32, u32) {
        (self.bottom, self.left)
    }
}

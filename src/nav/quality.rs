//! The quality of a bake.

/// Cells and their numbers are identical for both; a triangulation of the terrain may differ by
/// rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum BakeQuality {
    /// Short-lived, while something is dragged: trapezoids by a sweep, point location by a tree of
    /// boxes, terrain retriangulated near the change alone.
    Preview,
    /// To be kept: Seidel's construction with its query structure, terrain from scratch.
    #[default]
    Full,
}

//! Free space cut into trapezoids with horizontal borders, and those merged into convex cells.
//!
//! Niederberger, Radovic and Gross, *Generic path planning for real-time applications* (2004),
//! §6.1: Seidel's randomised incremental construction (1991) with its query structure, then
//! Hertel and Mehlhorn's merging (1983). Deviations:
//!
//! - Points of equal height are ordered by x, as if the plane were sheared by next to nothing.
//!   Trapezoids that are flat without the shear stay in the query structure but become no cells;
//!   portals come from the horizontal lines that cells above and below share.
//! - Orientation is decided on the lattice's whole numbers, so it is never wrong.
//! - Slightly concave cells (§6.1) are possible by a tolerance, but planning uses convex ones: a
//!   straight way inside a cell then never leaves it.
//! - The paper saw merging remove half of the cells. Corners of convex obstacles need every
//!   horizontal border that ends at them, so there it removes next to nothing; it pays where free
//!   space has corners of its own, as in mazes.
//! - The order of insertion comes from a fixed seed: same free space, same cells.

mod cells;
mod construction;
mod invariants;
mod merge;
mod query;
mod segments;
#[cfg(test)]
mod tests;

pub(super) use query::Query;

use super::{CellMap, FreeSpace};
use crate::geometry::Polygon;
use crate::jobs::{Cancelled, JobContext};
use std::sync::Arc;

/// Both decompositions of one free space.
#[derive(Clone, Debug, PartialEq)]
pub struct Trapezoids {
    /// Before merging: one cell per trapezoid.
    pub plain: CellMap,
    /// After merging: what planners use.
    pub merged: CellMap,
}

/// How far a merged cell's corner may lie inside the line between its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Merging {
    /// 0 makes every cell convex. Unit: metres.
    pub concavity: f64,
}

impl Trapezoids {
    /// # Errors
    /// The job was cancelled.
    pub fn build(free: &FreeSpace, ctx: &JobContext) -> Result<Self, Cancelled> {
        Self::of_areas(&free.areas, Merging::default(), ctx)
    }

    /// Areas as [booleans](crate::geometry::boolean) give them: in order, on the lattice, with
    /// a corner wherever rings touch. Component `i` is area `i`.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of_areas(
        areas: &[Polygon],
        merging: Merging,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let plan = segments::Plan::of_areas(areas);
        ctx.checkpoint()?;
        let built = construction::Construction::build(&plan, ctx)?;
        let raw = cells::RawCells::new(&plan, &built);
        ctx.checkpoint()?;
        let query = Arc::new(Query::new(&plan, built.into_nodes()));
        let (merged, cell_of) = merge::merged(&raw, merging);
        ctx.checkpoint()?;
        let merged_of: Arc<[u32]> = raw
            .cell_of_trapezoid
            .iter()
            .map(|&cell| cell_of.get(cell as usize).copied().unwrap_or(cell))
            .collect();
        Ok(Self {
            plain: raw
                .map
                .located_by(query.clone(), raw.cell_of_trapezoid.into()),
            merged: merged.located_by(query, merged_of),
        })
    }

    /// Cells that merging saved.
    #[must_use]
    pub fn removed(&self) -> usize {
        self.plain.len() - self.merged.len()
    }
}

//! Free space divided into trapezoids with horizontal borders, merged into convex cells.
//!
//! Niederberger, Radovic and Gross, *Generic path planning for real-time applications* (2004),
//! §6.1: Seidel's randomised incremental construction (1991) with its query structure, then Hertel
//! and Mehlhorn's merging (1983). Deviations:
//!
//! - Points of equal height are ordered by x, as if the plane were sheared infinitesimally.
//!   Trapezoids that are flat without the shear stay in the query structure but become no cells;
//!   portals come from the horizontal lines that cells above and below share.
//! - Orientation is decided on the lattice's integers, so it is exact.
//! - Slightly concave cells (§6.1) are possible by a tolerance, but planning uses convex ones: a
//!   straight line inside a cell then never leaves it.
//! - The paper saw merging remove half of the cells. Corners of convex obstacles need every
//!   horizontal border that ends at them, so there it removes next to nothing; it pays off where
//!   free space has reflex corners, as in mazes.
//! - The insertion order comes from a fixed seed: same free space, same query structure. Cells do
//!   not even depend on it: they are numbered from the bottom to the top.
//! - During a drag, a [sweep](BakeQuality::Preview) finds the same trapezoids faster.

mod buckets;
mod cells;
mod construction;
mod inner;
mod invariants;
mod merge;
mod query;
mod segments;
mod sweep;
#[cfg(test)]
mod tests;

pub(super) use query::Query;

use super::{BakeQuality, CellMap, FreeSpace, cell_map::NO_CELL};
use crate::geometry::Polygon;
use crate::jobs::{Cancelled, JobContext};
use std::sync::Arc;

/// Both decompositions of one free space. Where merging changes nothing, they are shared.
#[derive(Clone, Debug, PartialEq)]
pub struct Trapezoids {
    /// Before merging: one cell per trapezoid.
    pub plain: Arc<CellMap>,
    /// After merging: what planners use.
    pub merged: Arc<CellMap>,
}

/// How far a merged cell's corner may lie inside the line between its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Merging {
    /// 0 makes every cell convex. Unit: metres.
    pub concavity: f64,
}

impl Trapezoids {
    /// Builds with full quality.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn build(free: &FreeSpace, ctx: &JobContext) -> Result<Self, Cancelled> {
        Self::build_with(free, BakeQuality::Full, ctx)
    }

    /// # Errors
    /// The job was cancelled.
    pub fn build_with(
        free: &FreeSpace,
        quality: BakeQuality,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        Self::of_areas(&free.areas, Merging::default(), quality, ctx)
    }

    /// Areas as produced by [booleans](crate::geometry::boolean): valid, on the lattice, with a
    /// corner wherever rings touch. Component `i` is area `i`.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of_areas(
        areas: &[Polygon],
        merging: Merging,
        quality: BakeQuality,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let plan = segments::Plan::of_areas(areas);
        ctx.checkpoint()?;
        let (inner, located) = match quality {
            BakeQuality::Preview => (sweep::trapezoids(&plan, ctx)?, None),
            BakeQuality::Full => {
                let built = construction::Construction::build(&plan, ctx)?;
                let (inner, inner_of) = built.inner();
                let query = Arc::new(Query::new(&plan, built.into_nodes()));
                (inner, Some((query, inner_of)))
            }
        };
        ctx.checkpoint()?;
        let raw = cells::RawCells::new(&plan, &inner);
        ctx.checkpoint()?;
        let merged = merge::merged(&raw, merging);
        let cells::RawCells {
            mut map,
            cell_of_inner,
            ..
        } = raw;
        let merged = match (merged, located) {
            (merged, None) => merged.map(|(merged, _)| merged),
            (merged, Some((query, inner_of))) => {
                let plain_of = composed(&inner_of, &cell_of_inner);
                let merged = merged.map(|(merged, merged_of)| {
                    merged.located_by(query.clone(), composed(&plain_of, &merged_of))
                });
                map = map.located_by(query, plain_of);
                merged
            }
        };
        let plain = Arc::new(map);
        Ok(Self {
            merged: merged.map_or_else(|| Arc::clone(&plain), Arc::new),
            plain,
        })
    }

    /// Number of cells that merging saved.
    #[must_use]
    pub fn removed(&self) -> usize {
        self.plain.len() - self.merged.len()
    }
}

/// Composition of two index tables; [`NO_CELL`] where either has no entry.
fn composed(first: &[u32], second: &[u32]) -> Arc<[u32]> {
    let onward = |&at: &u32| second.get(at as usize).copied().unwrap_or(NO_CELL);
    first.iter().map(onward).collect()
}

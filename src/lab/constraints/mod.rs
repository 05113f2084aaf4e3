//! `wayloom lab constraints` and `bench constraints`: Ninomiya et al. 2014, Table I and Figures 2, 4,
//! 7–10 and 11–14, on our scenes.
//!
//! Every domain gets the same queries, start and goal included, on the same lattice. "As printed" is
//! A* with skips kept in the states; "adaptive" is our graph with the paper's rule of density,
//! "graded" the one whose density follows the change of the field and is finer next to walls.

mod domains;
mod figures;
mod panel;
mod plot;
mod query;
mod repairs;
mod speed;
mod table;

pub use figures::pictures;
pub use speed::bench;

use super::{LabError, Report};
use crate::jobs::JobContext;

/// Unit: metres.
const RADIUS: f64 = 0.3;

/// The bound that anytime searches begin with.
const EPSILON: f64 = 2.5;

/// # Errors
/// Cancelled, or a scene cannot be made.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let scenes = domains::scenes(ctx)?;
    let mut rows = domains::rows(&scenes, ctx)?;
    rows.extend(repairs::rows(&scenes, ctx)?);
    ctx.stage("Table I");
    rows.extend(table::rows(ctx)?);
    ctx.stage("Figures");
    rows.extend(figures::rows(ctx)?);
    Ok(Report {
        name: "constraints".to_owned(),
        rows,
    })
}

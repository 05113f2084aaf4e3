//! `wayloom lab crowds`: verification against guidelines and measurements of real people.
//!
//! RiMEA 4.1.1 and its forerunners, NIST TN 1822, and the experiments of Forschungszentrum Jülich.
//! Every row has its limit; a row that fails stays, as a failure.

mod bench;
mod buildings;
mod determinism;
mod flow;
mod peers;
mod people;
mod record;
mod speed;
mod stage;
mod track;

pub use bench::bench;

use super::{LabError, Report, Row};
use crate::jobs::JobContext;

/// Seeds of each figure.
const SEEDS: u64 = 3;

/// Some rows.
type Part = fn(&JobContext) -> Result<Vec<Row>, LabError>;

/// All parts, in the order in which they are printed.
const PARTS: [(&str, Part); 16] = [
    ("One person", speed::alone),
    ("Stairs", speed::stairs),
    ("Single file", speed::single_file),
    ("Corridor", speed::corridor),
    ("Doors", flow::doors),
    ("Stuck", flow::stuck),
    ("Assigned exits", buildings::assigned_exits),
    ("Two exits", flow::two_exits),
    ("Counterflow", flow::counterflow),
    ("Counterflow in a corridor", speed::counterflow),
    ("Crowd on stairs", buildings::stairs),
    ("Corner", flow::corner),
    ("Recording", record::recording),
    ("Determinism", determinism::same),
    ("Safety", record::safety),
    ("Real people", people::real),
];

/// All rows; with `WAYLOOM_CROWDS`, only those of parts whose name contains it.
///
/// # Errors
/// The job was cancelled.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let wanted = std::env::var("WAYLOOM_CROWDS").unwrap_or_default();
    let parts: Vec<_> = PARTS
        .into_iter()
        .filter(|(name, _)| name.contains(&wanted))
        .collect();
    let mut rows = Vec::new();
    for (i, (name, part)) in parts.iter().enumerate() {
        ctx.stage(*name);
        ctx.report(i as f32 / parts.len() as f32);
        rows.extend(part(ctx)?);
    }
    Ok(Report {
        name: "crowds".to_owned(),
        rows,
    })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / (values.len().max(1) as f64)
}

//! `wayloom lab crowds`: verification against guidelines and measurements of real people.
//!
//! RiMEA 4.1.1 and its forerunners, NIST TN 1822, and the experiments of Forschungszentrum Jülich.
//! Every row has its limit; a row that fails stays, as a failure.

mod bench;
mod flow;
mod peers;
mod people;
mod record;
mod speed;
mod stage;

pub use bench::bench;

use super::{LabError, Report, Row};
use crate::jobs::JobContext;

/// Seeds of each figure.
const SEEDS: u64 = 3;

/// Some rows.
type Part = fn(&JobContext) -> Result<Vec<Row>, LabError>;

/// # Errors
/// The job was cancelled.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let parts: [(&str, Part); 13] = [
        ("One person", speed::alone),
        ("Stairs", speed::stairs),
        ("Single file", speed::single_file),
        ("Corridor", speed::corridor),
        ("Doors", flow::doors),
        ("Stuck", flow::stuck),
        ("Two exits", flow::two_exits),
        ("Counterflow", flow::counterflow),
        ("Counterflow in a corridor", speed::counterflow),
        ("Corner", flow::corner),
        ("Recording", record::recording),
        ("Safety", record::safety),
        ("Real people", people::real),
    ];
    let mut rows = Vec::new();
    let count = parts.len();
    for (i, (name, part)) in parts.into_iter().enumerate() {
        ctx.stage(name);
        ctx.report(i as f32 / count as f32);
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

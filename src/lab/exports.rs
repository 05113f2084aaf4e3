//! `wayloom bench exports`: how long does a large level take to leave?

use super::{Better, LabError, Report, Row, measure, scene};
use crate::document::{Edit, Entity, Kind, Profile, ops};
use crate::exchange::registry::{self, Needs, Output};
use crate::exchange::{ExportInput, MemorySink, export};
use crate::jobs::JobContext;
use std::sync::Arc;
use std::time::Duration;

const OBSTACLES: usize = 10_000;
const CORNERS: usize = 10;
const BUDGET: Duration = Duration::from_millis(1500);

/// Navigation for engines; the others are pictures or tables.
const NAVIGATION: [&str; 7] = ["polyanya", "detour", "glb", "obj", "usd", "godot", "bake"];

/// # Errors
/// Cancelled, or a format refuses the level.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let town = scene::town(OBSTACLES, CORNERS)?;
    let walker = Entity::new("Walker", Kind::Profile(Profile::default()));
    let edit = Edit::create(town.largest_id().next(), walker);
    let town = ops::apply(&town, &[edit])?;
    let input = ExportInput::new(Arc::new(town));
    let mut rows = Vec::new();
    for id in NAVIGATION {
        ctx.stage(format!("Exporting {id}"));
        let row = registry::named(id).map_err(|error| LabError::Unavailable(error.to_string()))?;
        let Some(writer) = &row.writer else { continue };
        debug_assert_eq!(writer.needs, Needs::Navigation);
        let options = writer.writer.options();
        let mut outcome = Ok(0);
        let timing = measure::time(BUDGET, MemorySink::default, |mut sink| {
            outcome = export(row, &input, &options, &mut sink, ctx).map(|_| sink.byte_count());
            sink
        });
        let bytes = outcome.map_err(|error| LabError::Unavailable(error.to_string()))?;
        let kind = match writer.output {
            Output::File => "file",
            Output::Folder { .. } => "folder",
        };
        let what = format!(
            "{id}, a {kind} of {:.1} MB, of 100,000 vertices",
            bytes as f64 / 1e6
        );
        rows.push(
            Row::new(what, "s", timing.median)
                .spread(timing.spread)
                .goal(1.0, Better::Lower),
        );
        ctx.checkpoint()?;
    }
    Ok(Report {
        name: "exports".to_owned(),
        rows,
    })
}

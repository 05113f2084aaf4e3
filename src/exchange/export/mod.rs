//! A level → files that other programs load. The level itself is never altered.

mod blocking;
mod geojson;
mod moving_ai;
mod wkt;

pub use geojson::GeoJsonWriter;
pub use moving_ai::{GridExportOptions, MovingAiWriter};
pub use wkt::{WktExportOptions, WktWriter};

use super::options::Options;
use super::registry::FormatRow;
use super::sink::ExportSink;
use super::writer::ExportInput;
use crate::document::{KindName, Level};
use crate::jobs::{Cancelled, JobContext};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What there is to say about an export, besides its files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exported {
    /// What the format cannot carry and so was left out, a sentence each.
    pub warnings: Vec<String>,
    /// Lines about what was written, for people.
    pub summary: Vec<String>,
    /// What was written, for programs.
    pub details: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    #[error("{0} files can be read, not written")]
    NotWritable(&'static str),
    #[error("{0}")]
    Refused(String),
    /// The disk did not take it.
    #[error("{0}")]
    NotWritten(String),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// What a format does not carry, a sentence for each kind of thing.
fn left_out(level: &Level, entities: impl Iterator<Item = KindName>) -> Vec<String> {
    let mut counts: BTreeMap<KindName, usize> = BTreeMap::new();
    for kind in entities {
        *counts.entry(kind).or_default() += 1;
    }
    let heights = level
        .ground()
        .map(|_| "the ground's heights were left out".to_owned());
    counts
        .into_iter()
        .map(|(kind, count)| match count {
            1 => format!("1 {} was left out", kind.singular().to_lowercase()),
            _ => format!("{count} {} were left out", kind.plural().to_lowercase()),
        })
        .chain(heights)
        .collect()
}

/// Writes a level into a sink.
///
/// # Errors
/// The format cannot be written, or the level does not fit it; a sentence says why.
pub fn export(
    format: &FormatRow,
    input: &ExportInput,
    options: &Options,
    sink: &mut dyn ExportSink,
    ctx: &JobContext,
) -> Result<Exported, ExportError> {
    ctx.checkpoint()?;
    let writer = format.writer.as_ref();
    let writer = writer.ok_or(ExportError::NotWritable(format.title))?;
    writer.writer.write_any(input, options, sink, ctx)
}

//! A level → files that other programs load. The level itself is never altered.

mod blocking;
mod geojson;
mod moving_ai;
mod wkt;

use super::registry::{Format, Polygons};
use crate::document::{Body, KindName, Level, Profile, format as level_format};
use crate::jobs::{Cancelled, JobContext};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub struct ExportOptions {
    /// What WKT's polygons are; `Auto` is walkable, as JuPedSim reads them.
    pub polygons: Polygons,
    /// Side of a grid map's cell. Unit: metres.
    pub cell: f64,
    /// Whose body decides what blocks the way: what hangs above its head does not, nor does what
    /// it can step onto.
    pub body: Body,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            polygons: Polygons::Auto,
            cell: 1.0,
            body: Profile::default().body,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    pub bytes: Vec<u8>,
    /// What the format cannot carry and so was left out, a sentence each.
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    #[error("{} files can be read, not written", .0)]
    NotWritable(Format),
    #[error("{0}")]
    Refused(String),
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

/// # Errors
/// The format cannot be written, or the level does not fit it; a sentence says why.
pub fn export(
    level: &Level,
    format: Format,
    options: &ExportOptions,
    context: &JobContext,
) -> Result<Exported, ExportError> {
    context.checkpoint()?;
    match format {
        Format::Wayloom => {
            let text = level_format::write(level, level.largest_id().next());
            Ok(Exported {
                bytes: text.into_bytes(),
                warnings: Vec::new(),
            })
        }
        Format::Wkt => wkt::write(level, options, context),
        Format::GeoJson => geojson::write(level),
        Format::MovingAi => moving_ai::write(level, options, context),
        Format::MovingAiScenario
        | Format::Polyanya
        | Format::Heights
        | Format::Obj
        | Format::Gltf => Err(ExportError::NotWritable(format)),
    }
}

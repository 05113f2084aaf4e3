//! A level → files that other programs load. The level itself is never altered.

mod blocking;
#[cfg(test)]
mod cancel_tests;
mod detour;
mod figure;
mod film;
mod frame;
mod geojson;
mod glb;
mod godot;
mod left_out;
mod links;
mod maps;
mod mesh_details;
mod moving_ai;
mod names;
mod obj;
mod page;
mod parts;
mod polyanya;
mod scene;
mod tables;
mod tiled;
mod trajectories;
mod usd;
mod wkt;

pub use detour::{DetourExportOptions, DetourWriter};
pub use figure::{FigureOptions, PDF, SVG};
pub use film::{APNG, FRAMES, FilmOptions, GIF, INDEX as FRAMES_INDEX};
pub use geojson::GeoJsonWriter;
pub use glb::GlbWriter;
pub use godot::{GodotExportOptions, GodotWriter, INDEX as GODOT_INDEX};
pub use left_out::LeftOut;
pub use maps::{INDEX as MAPS_INDEX, MapsExportOptions, MapsWriter};
pub use moving_ai::{GridExportOptions, MovingAiWriter};
pub use obj::ObjWriter;
pub use page::{PageOptions, PageWriter};
pub use polyanya::{PolyanyaExportOptions, PolyanyaWriter};
pub use scene::{AnimatedSceneOptions, SceneOptions};
pub use tables::{INDEX as TABLES_INDEX, TablesExportOptions, TablesWriter};
pub use tiled::{TMJ, TMX, TiledExportOptions};
pub use trajectories::{CSV, JuPedSimWriter, PEDPY, ScenarioWriter, TRAJ, TrajectoryOptions};
pub use usd::UsdWriter;
pub use wkt::{WktExportOptions, WktWriter};

pub(super) use parts::{door_extras, goals, link_extras};

use mesh_details::mesh_details;

use super::options::{Options, Words};
use super::registry::FormatRow;
use super::sink::{ExportSink, MemorySink, Target};
use super::writer::ExportInput;
use crate::document::Level;
use crate::jobs::{Cancelled, JobContext};
use serde_json::{Map, Value};

/// Of the option of every format that is written for one body.
const PROFILE_WORDS: Words = [
    "profile",
    "Profile",
    "Whose body the mesh is for: its radius keeps paths off the walls",
];

/// Of the option of every format with areas of different cost.
const DETAIL_WORDS: Words = [
    "detail",
    "Longest side",
    "Longest side of polygons where terrain or heights vary; by the level’s size if not given",
];

/// What there is to say about an export, besides its files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exported {
    /// What the format cannot carry.
    pub left_out: Vec<LeftOut>,
    /// What else a person should know, a sentence each.
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

/// What of a level a format leaves out; nothing for one that cannot be written.
#[must_use]
pub fn left_out(format: &FormatRow, level: &Level, options: &Options) -> Vec<LeftOut> {
    let writer = format.writer.as_ref();
    writer.map_or_else(Vec::new, |w| w.writer.left_out_any(level, options))
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
    let mut exported = writer.writer.write_any(input, options, sink, ctx)?;
    exported.left_out = writer.writer.left_out_any(&input.level, options);
    Ok(exported)
}

/// Exports to disk: everything is made first, then written whole. Cancelled at any moment before that, it
/// leaves nothing behind.
///
/// # Errors
/// As for [`export`], or the disk does not take it.
pub fn export_to(
    format: &FormatRow,
    input: &ExportInput,
    options: &Options,
    (target, overwrite): (&Target, bool),
    ctx: &JobContext,
) -> Result<(Exported, MemorySink), ExportError> {
    let mut files = MemorySink::default();
    let exported = export(format, input, options, &mut files, ctx)?;
    ctx.checkpoint()?;
    target.save(&files, overwrite)?;
    Ok((exported, files))
}

impl Exported {
    /// Everything that a person should know, what was left out first.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let left_out = self.left_out.iter().map(ToString::to_string);
        left_out.chain(self.warnings.iter().cloned()).collect()
    }
}

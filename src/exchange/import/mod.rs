//! Files of other programs → a level.
//!
//! Nothing is trusted: sizes, counts and nesting are bounded before memory is taken, numbers
//! must be finite and within ±10⁶ m once placed, work that could grow with the square of the
//! input is refused, and a panic, should there be one left, ends as an error.

mod drawing;
mod geojson;
mod gltf;
mod heights;
mod json;
mod mesh;
mod moving_ai;
mod obj;
mod polyanya;
mod projection;
mod scanner;
pub mod scenario;
mod wkt;

#[cfg(test)]
mod mesh_tests;
#[cfg(test)]
mod mutation;

pub(super) use geojson::body_and_pace;
pub use heights::{HeightPicture, HeightRange};
pub use mesh::{ImportedMesh, MAX_MESH_FILE, ReadMesh, read_mesh, solid_of};
pub(super) use mesh::{
    beside, companions, inner_path, read_file as read_source_of_mesh, reference,
};
pub(super) use moving_ai::cell_tag;
pub use moving_ai::{MAX_CELLS, Water};
pub use projection::Coordinates;
pub use scenario::{Scenario, Trip, read as read_scenario};

use super::registry::{Format, Polygons};
use crate::document::ops::{self, EditError};
use crate::document::{Edit, Level, Settings, UpAxis, format as level_format};
use crate::geometry::Rect;
use crate::jobs::{Cancelled, JobContext};
use std::fs::File;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Larger files are refused before they are read. Unit: bytes.
pub const MAX_FILE_SIZE: u64 = level_format::MAX_FILE_SIZE;

/// Between two looks at whether to go on. Unit: bytes.
const READ_AT_ONCE: u64 = 1 << 23;

/// How many agents a scenario becomes unless told otherwise: enough to look at.
pub const DEFAULT_AGENTS: usize = 20;

#[derive(Clone, Debug, PartialEq)]
pub struct ImportOptions {
    /// By the file's name if `None`.
    pub format: Option<Format>,
    /// Metres per unit of the file's coordinates.
    pub scale: f64,
    /// Side of a grid map's cell. Unit: metres.
    pub cell: f64,
    pub polygons: Polygons,
    pub coordinates: Coordinates,
    /// Moves the drawing's centre to the origin.
    pub recentre: bool,
    /// Free space around what was drawn; a share of its size if `None`. Grid maps have none.
    /// Unit: metres.
    pub margin: Option<f64>,
    /// How many of a scenario's trips become agents, spread over its whole list.
    pub agents: usize,
    pub water: Water,
    /// What black and white of a height picture stand for.
    pub heights: HeightRange,
    /// Which axis of a mesh file points up.
    pub up: UpAxis,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            format: None,
            scale: 1.0,
            cell: 1.0,
            polygons: Polygons::default(),
            coordinates: Coordinates::default(),
            recentre: false,
            margin: None,
            agents: DEFAULT_AGENTS,
            water: Water::default(),
            heights: HeightRange::default(),
            up: UpAxis::default(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Imported {
    pub level: Level,
    /// What was left out, changed or guessed, a sentence each.
    pub warnings: Vec<String>,
    /// Files that the level refers to and that have to lie beside it.
    pub meshes: Vec<ImportedMesh>,
}

impl Imported {
    const fn new(level: Level, warnings: Vec<String>) -> Self {
        Self {
            level,
            warnings,
            meshes: Vec::new(),
        }
    }
}

/// The contents of one file, and what to call it in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub name: String,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    #[error("{file}:{line}:{column}: {message}")]
    At {
        file: String,
        line: usize,
        column: usize,
        message: String,
    },
    #[error("{file}: {message}")]
    In { file: String, message: String },
    #[error("{0}")]
    Options(String),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl ImportError {
    pub(super) fn within(file: &str, message: impl Into<String>) -> Self {
        Self::In {
            file: file.to_owned(),
            message: message.into(),
        }
    }
}

/// Reads one level from one or more files.
///
/// Several WKT or GeoJSON files are laid on top of each other. A Moving AI map may come with its
/// scenario; `X.map.scen` beside `X.map` is found without being named, and the other way round.
/// A height picture alone is a level of its own; with other files it is laid over what they draw.
///
/// # Errors
/// A sentence that names the file and, where there is one, the place.
pub fn import(
    paths: &[PathBuf],
    options: &ImportOptions,
    context: &JobContext,
) -> Result<Imported, ImportError> {
    context.stage("Reading files");
    if mesh::are_meshes(paths.iter().map(PathBuf::as_path), options) {
        check_options(options)?;
        return mesh::import(paths, options, context);
    }
    let paths = with_companions(paths, options);
    let sources: Vec<Source> = paths
        .iter()
        .map(|path| {
            context.checkpoint()?;
            read_source(path)
        })
        .collect::<Result<_, _>>()?;
    import_sources(&sources, options, context)
}

/// The same for files already in memory; their names tell the format where the options do not.
///
/// # Errors
/// As for [`import`].
pub fn import_sources(
    sources: &[Source],
    options: &ImportOptions,
    context: &JobContext,
) -> Result<Imported, ImportError> {
    let guarded = AssertUnwindSafe(|| import_unguarded(sources, options, context));
    catch_unwind(guarded).unwrap_or_else(|_| {
        let file = sources.first().map_or("", |source| &source.name);
        Err(broken(file))
    })
}

fn broken(file: &str) -> ImportError {
    ImportError::within(
        file,
        "reading failed because of a mistake in the program; nothing was changed — please \
         report it with this file",
    )
}

/// [`import_sources`] without its last guard, so that fuzzing sees every panic.
///
/// # Errors
/// As for [`import`].
pub fn import_unguarded(
    sources: &[Source],
    options: &ImportOptions,
    context: &JobContext,
) -> Result<Imported, ImportError> {
    check_options(options)?;
    let names = sources.iter().map(|source| Path::new(&source.name));
    if mesh::are_meshes(names, options) {
        context.checkpoint()?;
        return mesh::import_sources(sources, options, context);
    }
    let is_picture = |source: &Source| {
        let by_name = Format::of_path(Path::new(&source.name));
        by_name == Some(Format::Heights)
            || by_name.is_none() && options.format == Some(Format::Heights)
    };
    let (pictures, drawn): (Vec<Source>, Vec<Source>) =
        sources.iter().cloned().partition(is_picture);
    match &pictures[..] {
        [] => import_drawn(sources, options, context),
        [picture] => with_heights(picture, &drawn, options, context),
        [_, second, ..] => Err(ImportError::within(
            &second.name,
            "only one picture of heights can be read at a time",
        )),
    }
}

/// A picture's heights under what the other files draw, or as a level of their own.
fn with_heights(
    picture: &Source,
    drawn: &[Source],
    options: &ImportOptions,
    context: &JobContext,
) -> Result<Imported, ImportError> {
    check_size(picture)?;
    let heights = HeightPicture::read(picture, context)?;
    let refused = |error: EditError| ImportError::within(&picture.name, error.to_string());
    let mut warnings = heights.warnings.clone();
    let mut edits = Vec::new();
    let level = if drawn.is_empty() {
        let [columns, rows] = heights.size();
        let extent = glam::DVec2::new(columns as f64 - 1.0, rows as f64 - 1.0) * options.cell;
        let settings = Settings {
            bounds: Rect::new(glam::DVec2::ZERO, extent),
            ..Settings::default()
        };
        edits.push(Edit::Settings(Arc::new(settings)));
        let field = heights.field(glam::DVec2::ZERO, options.cell, options.heights);
        edits.push(Edit::Ground(Some(Arc::new(field))));
        Level::default()
    } else {
        let format = options.format.filter(|format| *format != Format::Heights);
        let options = &ImportOptions {
            format,
            ..options.clone()
        };
        let imported = import_drawn(drawn, options, context)?;
        warnings.extend(imported.warnings);
        let bounds = imported.level.settings().bounds;
        let field = heights.field_over(bounds, options.heights);
        edits.push(Edit::Ground(Some(Arc::new(field))));
        imported.level
    };
    let level = ops::apply(&level, &edits).map_err(refused)?;
    Ok(Imported::new(level, warnings))
}

fn check_size(source: &Source) -> Result<(), ImportError> {
    if source.bytes.len() as u64 > MAX_FILE_SIZE {
        let size = source.bytes.len() as u64;
        return Err(too_large(&source.name, size, MAX_FILE_SIZE));
    }
    Ok(())
}

fn import_drawn(
    sources: &[Source],
    options: &ImportOptions,
    context: &JobContext,
) -> Result<Imported, ImportError> {
    let Some(first) = sources.first() else {
        return Err(ImportError::Options("name a file to import".to_owned()));
    };
    for source in sources {
        check_size(source)?;
    }
    let format = options
        .format
        .or_else(|| Format::of_path(Path::new(&first.name)))
        .ok_or_else(|| {
            ImportError::within(
                &first.name,
                "the name does not tell the format; name it with --format (see `wayloom formats`)",
            )
        })?;
    context.checkpoint()?;
    match format {
        Format::Wayloom => {
            alone(sources)?;
            wayloom(first)
        }
        Format::Wkt => drawing::level(wkt::read(sources, context)?, sources, options, context),
        Format::Polyanya => {
            drawing::level(polyanya::read(sources, context)?, sources, options, context)
        }
        Format::GeoJson => {
            drawing::level(geojson::read(sources, context)?, sources, options, context)
        }
        Format::MovingAi | Format::MovingAiScenario => {
            let is_scenario = |source: &&Source| {
                Format::of_path(Path::new(&source.name)) == Some(Format::MovingAiScenario)
            };
            let maps: Vec<&Source> = sources.iter().filter(|s| !is_scenario(s)).collect();
            let [map] = maps[..] else {
                return Err(ImportError::within(
                    &first.name,
                    match maps.len() {
                        0 => "the map that this scenario belongs to is missing; name it as well",
                        _ => "only one map can be read at a time",
                    },
                ));
            };
            let scenario = sources.iter().find(is_scenario);
            moving_ai::read(map, scenario, options, context)
        }
        Format::Heights => with_heights(first, &[], options, context),
        Format::Obj | Format::Gltf => mesh::import_sources(sources, options, context),
    }
}

fn wayloom(source: &Source) -> Result<Imported, ImportError> {
    let text = scanner::text(source)?;
    let loaded = level_format::read(text).map_err(|error| match error {
        level_format::FormatError::Damaged {
            line,
            column,
            message,
        } => ImportError::At {
            file: source.name.clone(),
            line,
            column,
            message,
        },
        other => ImportError::within(&source.name, other.to_string()),
    })?;
    Ok(Imported::new(loaded.level, Vec::new()))
}

fn alone(sources: &[Source]) -> Result<(), ImportError> {
    match sources {
        [_, second, ..] => Err(ImportError::within(
            &second.name,
            "a Wayloom level is read on its own; leave the other files out",
        )),
        _ => Ok(()),
    }
}

fn check_options(options: &ImportOptions) -> Result<(), ImportError> {
    let within = |value: f64, min: f64, max: f64, what: &str| {
        if value.is_finite() && (min..=max).contains(&value) {
            Ok(())
        } else {
            Err(ImportError::Options(format!(
                "the {what} is {value}; it must be between {min} and {max}"
            )))
        }
    };
    options.heights.check()?;
    within(options.scale, 1e-6, 1e6, "scale")?;
    within(options.cell, 0.01, 10_000.0, "cell size in metres")?;
    within(
        options.margin.unwrap_or(0.0),
        0.0,
        10_000.0,
        "margin in metres",
    )
}

/// The files named, and the map or scenario that lies beside them.
fn with_companions(paths: &[PathBuf], options: &ImportOptions) -> Vec<PathBuf> {
    let mut paths = paths.to_vec();
    if let [only] = &paths[..] {
        let companion = match options.format.or_else(|| Format::of_path(only)) {
            Some(Format::MovingAi) if options.agents > 0 => {
                let mut name = only.as_os_str().to_owned();
                name.push(".scen");
                Some(PathBuf::from(name))
            }
            Some(Format::MovingAiScenario) => Some(only.with_extension("")),
            _ => None,
        };
        paths.extend(companion.filter(|path| path.is_file()));
    }
    paths
}

/// A file's contents, of bounded size.
///
/// # Errors
/// It is not there, may not be read, or is too large.
pub fn read_source(path: &Path) -> Result<Source, ImportError> {
    read_limited(path, MAX_FILE_SIZE, &JobContext::default())
}

/// The same with a limit of its own, for files that take a while.
fn read_limited(path: &Path, limit: u64, context: &JobContext) -> Result<Source, ImportError> {
    let name = path.display().to_string();
    let failed = |error: io::Error| {
        let message = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            io::ErrorKind::IsADirectory => "this is a folder, not a file".to_owned(),
            io::ErrorKind::PermissionDenied => "you may not read this file".to_owned(),
            _ => format!("could not be read: {error}"),
        };
        ImportError::within(&name, message)
    };
    let file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    if length > limit {
        return Err(too_large(&name, length, limit));
    }
    // A pipe or device has no length: the reader is bounded as well.
    let mut bytes = Vec::with_capacity(length as usize);
    let mut rest = file.take(limit + 1);
    while (&mut rest)
        .take(READ_AT_ONCE)
        .read_to_end(&mut bytes)
        .map_err(failed)?
        > 0
    {
        context.checkpoint()?;
        context.report(bytes.len() as f32 / length.max(1) as f32);
    }
    if bytes.len() as u64 > limit {
        return Err(too_large(&name, length.max(bytes.len() as u64), limit));
    }
    Ok(Source { name, bytes })
}

fn too_large(file: &str, size: u64, limit: u64) -> ImportError {
    ImportError::within(
        file,
        format!(
            "the file is {} MB large; at most {} MB are read — export a smaller part",
            size >> 20,
            limit >> 20
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn source(name: &str, text: impl AsRef<[u8]>) -> Source {
        Source {
            name: name.to_owned(),
            bytes: text.as_ref().to_vec(),
        }
    }

    pub(super) fn read(name: &str, text: impl AsRef<[u8]>) -> Result<Imported, ImportError> {
        read_with(name, text, &ImportOptions::default())
    }

    pub(super) fn read_with(
        name: &str,
        text: impl AsRef<[u8]>,
        options: &ImportOptions,
    ) -> Result<Imported, ImportError> {
        import_unguarded(&[source(name, text)], options, &JobContext::default())
    }

    pub(super) fn refusal(name: &str, text: impl AsRef<[u8]>) -> String {
        read(name, text).expect_err("is refused").to_string()
    }

    #[test]
    fn what_cannot_be_read_is_said_plainly() {
        let nothing = import(&[], &ImportOptions::default(), &JobContext::default());
        assert_eq!(
            nothing.expect_err("no file").to_string(),
            "name a file to import"
        );
        let missing = import(
            &[PathBuf::from("no/such/plan.wkt")],
            &ImportOptions::default(),
            &JobContext::default(),
        );
        assert_eq!(
            missing.expect_err("missing").to_string(),
            "no/such/plan.wkt: there is no such file"
        );
        assert!(refusal("plan.dwg", "").contains("--format"));
        assert_eq!(
            refusal("plan.wkt", b"POLYGON \xff"),
            "plan.wkt: byte 8 is not UTF-8 text; this is another format, or damaged"
        );
        assert!(refusal("walk.map.scen", "version 1\n").contains("map"));
        assert_eq!(
            refusal("level.ron", "Wayloom(\n  version: 1,\n  what: 2)"),
            "level.ron:3:3: `what` is not a field here; known ones are version, next_id, \
             settings, ground, entities"
        );
    }

    #[test]
    fn options_beyond_reason_are_refused() {
        for (options, word) in [
            (
                ImportOptions {
                    scale: f64::NAN,
                    ..ImportOptions::default()
                },
                "scale",
            ),
            (
                ImportOptions {
                    cell: 0.0,
                    ..ImportOptions::default()
                },
                "cell",
            ),
            (
                ImportOptions {
                    margin: Some(-1.0),
                    ..ImportOptions::default()
                },
                "margin",
            ),
        ] {
            let refused = read_with("plan.wkt", "POINT (1 2)", &options).expect_err("refused");
            assert!(refused.to_string().contains(word), "{refused}");
        }
    }

    #[test]
    fn heights_are_a_level_of_their_own_or_lie_under_a_drawing() {
        let ramp = image::GrayImage::from_fn(21, 11, |x, _| image::Luma([(x * 12) as u8]));
        let picture = source("hills.png", heights::tests::png(ramp));
        let options = ImportOptions {
            cell: 2.0,
            heights: HeightRange {
                black: 1.0,
                white: 52.0,
            },
            ..ImportOptions::default()
        };
        let read = |sources: &[Source], options: &ImportOptions| {
            import_unguarded(sources, options, &JobContext::default())
        };
        let alone = read(std::slice::from_ref(&picture), &options)
            .expect("a level")
            .level;
        assert_eq!(alone.settings().bounds.size(), glam::DVec2::new(40.0, 20.0));
        let ground = alone.ground().expect("heights");
        assert_eq!(ground.range(), (1.0, 49.0));

        let drawn = source("plan.wkt", "POLYGON ((0 0, 90 0, 90 40, 0 40))");
        let both = read(&[drawn, picture.clone()], &options)
            .expect("a level")
            .level;
        let ground = both.ground().expect("heights");
        let bounds = both.settings().bounds;
        assert!(ground.bounds().expanded(1e-6).contains(bounds.max));
        assert_eq!(ground.origin, bounds.min);

        let two = read(&[picture.clone(), picture.clone()], &options).expect_err("refused");
        assert!(two.to_string().contains("only one"), "{two}");
        let options = ImportOptions {
            heights: HeightRange {
                black: f64::NAN,
                white: 1.0,
            },
            ..ImportOptions::default()
        };
        assert!(read(&[picture], &options).is_err());
    }

    #[test]
    fn a_cancelled_import_stops() {
        let context = JobContext::default();
        context.cancel();
        for name in [
            "plan.wkt",
            "plan.geojson",
            "plan.map",
            "plan.ron",
            "plan.png",
            "plan.obj",
            "plan.glb",
        ] {
            let sources = [source(name, "POINT (1 2)")];
            let stopped = import_unguarded(&sources, &ImportOptions::default(), &context);
            assert_eq!(stopped.err(), Some(ImportError::Cancelled(Cancelled)));
        }
    }
}

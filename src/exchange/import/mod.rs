//! Files of other programs → a level.
//!
//! Nothing is trusted: sizes, counts and nesting are bounded before memory is taken, numbers
//! must be finite and within ±10⁶ m once placed, work that could grow with the square of the
//! input is refused, and a panic, should there be one left, ends as an error.

mod drawing;
mod error;
mod geojson;
mod gltf;
mod heightmap;
mod json;
mod mesh;
mod moving_ai;
mod obj;
mod polyanya;
mod projection;
mod request;
pub(super) mod scanner;
pub mod scenario;
mod source;
mod wkt;

#[cfg(test)]
mod mesh_tests;
#[cfg(test)]
mod mutation;
#[cfg(test)]
mod tests;

pub use drawing::DrawingOptions;
pub use error::ImportError;
pub use geojson::GeoJsonReader;
pub(super) use geojson::body_and_pace;
pub use gltf::GLTF_PARSER;
pub use heightmap::{HeightRange, Heightmap, HeightmapOptions, HeightmapReader};
pub use mesh::{
    ImportedMesh, MAX_MESH_FILE, MeshDrawing, MeshOptions, MeshParser, MeshReader, ReadMesh,
    read_mesh, solid_of,
};
pub(super) use mesh::{
    beside, companions, inner_path, read_file as read_mesh_file, reference, safe_path,
};
pub(super) use moving_ai::cell_tag;
pub use moving_ai::{GridMapOptions, MAX_CELLS, MovingAiReader, Water};
pub use obj::OBJ_PARSER;
pub use polyanya::PolyanyaReader;
pub use projection::Coordinates;
pub use request::ImportRequest;
pub use scenario::{Scenario, ScenarioQuery, read as read_scenario};
pub use source::{MAX_FILE_SIZE, Source, read_head, read_source};
pub use wkt::WktReader;

use super::reader::{Beside, DynReader, ImportInput};
use super::registry::{self, Content, FormatReader, FormatRow};
use crate::base::parser_words::printable;
use crate::document::Level;
use crate::jobs::JobContext;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Imported {
    pub level: Level,
    /// What was left out, changed or guessed, a sentence each.
    pub warnings: Vec<String>,
    /// Files that the level refers to and that have to lie beside it.
    pub meshes: Vec<ImportedMesh>,
}

impl Imported {
    #[must_use]
    pub const fn new(level: Level, warnings: Vec<String>) -> Self {
        Self {
            level,
            warnings,
            meshes: Vec::new(),
        }
    }
}

/// Reads one level from one or more files.
///
/// Several drawings of one format are laid on top of each other. A Moving AI map may come with its
/// scenario; `X.map.scen` beside `X.map` is found without being named, and the other way round.
/// A heightmap alone is a level of its own; with other files it is laid under what they draw.
///
/// # Errors
/// A sentence that names the file and, where there is one, the place.
pub fn import(
    paths: &[PathBuf],
    request: &ImportRequest,
    context: &JobContext,
) -> Result<Imported, ImportError> {
    context.stage("Reading files");
    let mut paths = paths.to_vec();
    if let [only] = &paths[..] {
        paths.extend(companion(only, request)?);
    }
    let mut files = Vec::new();
    for path in &paths {
        context.checkpoint()?;
        let (format, reader) = request.format_of(path, &read_head(path)?)?;
        let source = source::read_limited(path, reader.reader.most_bytes(), context)?;
        files.push((source, format));
    }
    let beside = |file: &str, name: &str| {
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        mesh::read_beside(folder, name, context)
    };
    let name = files
        .first()
        .map_or(String::new(), |(source, _)| source.name.clone());
    guarded(&name, || {
        read_all(files, &beside, request, context).map(told)
    })
}

/// What a single file brings along without being named.
fn companion(path: &Path, request: &ImportRequest) -> Result<Option<PathBuf>, ImportError> {
    let (format, reader) = request.format_of(path, &read_head(path)?)?;
    let options = request.options_for(reader.reader);
    let companion = reader.reader.companion_of(path, format, &options);
    Ok(companion.filter(|path| path.is_file()))
}

/// As [`import`], for files already in memory. What a file names is looked for among the others.
///
/// # Errors
/// As for [`import`].
pub fn import_sources(
    sources: &[Source],
    request: &ImportRequest,
    context: &JobContext,
) -> Result<Imported, ImportError> {
    let name = sources.first().map_or("", |source| &source.name);
    guarded(name, || import_unguarded(sources, request, context))
}

fn guarded<T>(file: &str, work: impl FnOnce() -> Result<T, ImportError>) -> Result<T, ImportError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(ImportError::broken(file)))
}

/// [`import_sources`] without its last guard, so that fuzzing sees every panic.
///
/// # Errors
/// As for [`import`].
pub fn import_unguarded(
    sources: &[Source],
    request: &ImportRequest,
    context: &JobContext,
) -> Result<Imported, ImportError> {
    let beside = |_: &str, name: &str| {
        let last = |path: &str| path.rsplit(['/', '\\']).next().map(str::to_owned);
        sources
            .iter()
            .find(|source| last(&source.name) == last(name))
            .map(|source| source.bytes.clone())
            .ok_or_else(|| format!("`{name}` is not in its folder"))
    };
    let mut files = Vec::new();
    for (i, source) in sources.iter().enumerate() {
        let path = Path::new(&source.name);
        // What only others name needs no format of its own.
        if i > 0 && registry::detect(path, source.head()).is_none() {
            continue;
        }
        let (format, reader) = request.format_of(path, source.head())?;
        source.check_size(reader.reader.most_bytes())?;
        files.push((source.clone(), format));
    }
    read_all(files, &beside, request, context).map(told)
}

/// Names in a file may be anything; what is said of them can be shown.
fn told(imported: Imported) -> Imported {
    let warnings = imported.warnings.iter().map(|warning| printable(warning));
    Imported {
        warnings: warnings.collect(),
        ..imported
    }
}

/// The files that one reader reads.
struct Group {
    reader: &'static FormatReader,
    title: &'static str,
    sources: Vec<Source>,
    formats: Vec<&'static FormatRow>,
}

impl Group {
    const fn input<'a>(&'a self, beside: &'a Beside<'a>) -> ImportInput<'a> {
        ImportInput {
            sources: self.sources.as_slice(),
            formats: self.formats.as_slice(),
            beside,
        }
    }
}

/// What is drawn first, then the ground beneath it.
fn read_all(
    files: Vec<(Source, &'static FormatRow)>,
    beside: &Beside<'_>,
    request: &ImportRequest,
    context: &JobContext,
) -> Result<Imported, ImportError> {
    context.checkpoint()?;
    let mut groups: Vec<Group> = Vec::new();
    for (source, format) in files {
        let Some(reader) = &format.reader else {
            continue;
        };
        let id = reader.reader.reader_id();
        let known = groups
            .iter_mut()
            .find(|group| group.reader.reader.reader_id() == id);
        if let Some(group) = known {
            group.sources.push(source);
            group.formats.push(format);
        } else {
            groups.push(Group {
                reader,
                title: format.title,
                sources: vec![source],
                formats: vec![format],
            });
        }
    }
    let is_ground = |group: &Group| matches!(group.reader.content, Content::Ground);
    // Stable: the order of the files stays.
    groups.sort_by_key(is_ground);
    let mut level: Option<(Imported, &'static str)> = None;
    for group in &groups {
        let (reader, input) = (group.reader.reader, group.input(beside));
        let options = request.options_for(reader);
        let read = match level.take() {
            None => reader.read_any(&input, &options, context)?,
            Some((drawn, _)) if is_ground(group) => {
                let Imported {
                    level,
                    warnings,
                    meshes,
                } = drawn;
                let mut read = reader.add_any_to(&level, &input, &options, context)?;
                read.warnings.splice(0..0, warnings);
                read.meshes.splice(0..0, meshes);
                read
            }
            Some((_, other)) => {
                return Err(ImportError::within(
                    input.name(),
                    format!(
                        "{} and {other} files cannot be read together; import them one after the \
                         other",
                        group.title
                    ),
                ));
            }
        };
        level = Some((read, group.title));
    }
    level
        .map(|(read, _)| read)
        .ok_or_else(|| ImportError::Options("name a file to import".to_owned()))
}

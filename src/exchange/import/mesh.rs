//! What OBJ and glTF readers find, and how it becomes a model or a level.

mod beside;
mod options;

pub(super) use beside::read_beside;
pub(crate) use beside::{beside, inner_path, reference, safe_path};
pub use options::MeshOptions;

use super::drawing::{Draft, name};
use super::{ImportError, Imported, Source};
use crate::base::Colour;
use crate::document::{
    Entity, Kind, MeshModel, MeshSource, Profile, Settings, Solid, SolidShape, UpAxis, limits,
};
use crate::exchange::reader::{Beside, ImportInput, Reader};
use crate::exchange::registry::{self, Content, FormatRow};
use crate::geometry::{Aabb, MAX_COORDINATE, Rect, TriMesh};
use crate::jobs::JobContext;
use glam::{DVec2, DVec3};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Larger mesh files are refused before they are read, and so are larger buffers. Unit: bytes.
pub const MAX_MESH_FILE: u64 = 1 << 29;

/// More triangles than a level could show or discretise.
pub(super) const MAX_TRIANGLES: usize = 10_000_000;

/// Beyond this a file's numbers are not those of a drawing. Unit: the file's own.
const MAX_NUMBER: f64 = 1e12;

/// What a triangle without a material looks like where others have one.
const PLAIN: Colour = Colour::hex(0xb8b8b8);

/// So many lines or triangles are read between two looks at whether to go on.
pub(super) const STRIDE: usize = 1 << 14;

/// How files of one mesh format are read: everything else is the same for all of them.
pub struct MeshParser {
    pub parse: fn(&Source, &Beside<'_>, &JobContext) -> Result<MeshDrawing, ImportError>,
    /// The names of all files that one needs besides itself, as it gives them.
    pub companions: fn(&[u8]) -> Vec<String>,
}

impl std::fmt::Debug for MeshParser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MeshParser")
    }
}

/// A level of one or more mesh files, each a solid; all lie where the files have them.
#[derive(Debug)]
pub struct MeshReader;

impl Reader for MeshReader {
    type Options = MeshOptions;

    fn read(
        &self,
        input: &ImportInput<'_>,
        options: &MeshOptions,
        ctx: &JobContext,
    ) -> Result<Imported, ImportError> {
        let mut read = Vec::new();
        for (source, format) in input.sources.iter().zip(input.formats) {
            let parser = parser_of(format, source)?;
            let mesh = model(source, parser, options.up, input.beside, ctx)?;
            read.push((PathBuf::from(&source.name), mesh));
        }
        level(read, options)
    }

    fn max_file_size(&self) -> u64 {
        MAX_MESH_FILE
    }
}

/// What a mesh file draws, in its own axes and units.
#[derive(Debug, Default)]
pub struct MeshDrawing {
    pub mesh: TriMesh,
    /// One for each triangle; `None` where it has no material.
    pub colours: Vec<Option<Colour>>,
    pub warnings: Vec<String>,
}

impl MeshDrawing {
    pub fn warn_once(&mut self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        if !self.warnings.contains(&sentence) && self.warnings.len() < 50 {
            self.warnings.push(sentence);
        }
    }

    /// # Errors
    /// There would be too many.
    pub fn make_room(&self, triangles: usize, file: &str) -> Result<(), ImportError> {
        if self.mesh.triangles.len().saturating_add(triangles) > MAX_TRIANGLES {
            return Err(ImportError::within(
                file,
                format!(
                    "there are more than {} million triangles; simplify the mesh, or export a \
                     part of it",
                    MAX_TRIANGLES / 1_000_000
                ),
            ));
        }
        Ok(())
    }
}

/// A model and what there is to say about it.
#[derive(Clone, Debug)]
pub struct ReadMesh {
    pub model: MeshModel,
    pub warnings: Vec<String>,
}

/// Reads a mesh file from disk, and the files that it names from its folder.
///
/// # Errors
/// A sentence that names the file and, where there is one, the place.
pub fn read_mesh(path: &Path, up: UpAxis, context: &JobContext) -> Result<ReadMesh, ImportError> {
    let source = read_file(path, context)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let beside = |_: &str, name: &str| read_beside(folder, name, context);
    let parser = parser_of_source(&source)?;
    super::guarded(&source.name, || {
        model(&source, parser, up, &beside, context)
    })
}

fn parser_of(format: &FormatRow, source: &Source) -> Result<&'static MeshParser, ImportError> {
    match format.reader.as_ref().map(|reader| reader.content) {
        Some(Content::Mesh(parser)) => Ok(parser),
        _ => Err(ImportError::within(
            &source.name,
            format!(
                "this is no mesh file by its name, which should end in {}",
                endings()
            ),
        )),
    }
}

fn parser_of_source(source: &Source) -> Result<&'static MeshParser, ImportError> {
    let format = registry::detect(Path::new(&source.name), source.head());
    format.map_or_else(
        || parser_of(&registry::WAYLOOM, source),
        |format| parser_of(format, source),
    )
}

/// The endings of all mesh formats: ".obj, .gltf or .glb".
fn endings() -> String {
    let rows = registry::rows();
    let meshes = rows.iter().filter(|row| row.is_mesh());
    let mut all: Vec<String> = meshes
        .flat_map(|row| row.extensions.iter().map(|ending| format!(".{ending}")))
        .collect();
    let last = all.pop().unwrap_or_default();
    format!("{} or {last}", all.join(", "))
}

/// A mesh file's bytes, with progress.
pub(crate) fn read_file(path: &Path, context: &JobContext) -> Result<Source, ImportError> {
    super::source::read_limited(path, MAX_MESH_FILE, context)
}

/// The names of all files that a mesh file needs besides itself, as it gives them.
pub(crate) fn companions(source: &Source) -> Vec<String> {
    let listed = || Ok((parser_of_source(source)?.companions)(&source.bytes));
    super::guarded(&source.name, listed).unwrap_or_default()
}

/// What one file draws, upright.
fn model(
    source: &Source,
    parser: &MeshParser,
    up: UpAxis,
    beside: &Beside<'_>,
    context: &JobContext,
) -> Result<ReadMesh, ImportError> {
    let file = &source.name;
    context.stage("Reading triangles");
    let drawing = (parser.parse)(source, beside, context)?;
    context.checkpoint()?;
    let MeshDrawing {
        mut mesh,
        colours,
        warnings,
    } = drawing;
    if mesh.is_empty() {
        return Err(ImportError::within(
            file,
            "there is nothing in it to import: no face with three corners",
        ));
    }
    for (i, vertex) in mesh.vertices.iter_mut().enumerate() {
        if !vertex.is_finite() || vertex.abs().max_element() > MAX_NUMBER {
            let at = i + 1;
            return Err(ImportError::within(
                file,
                format!("vertex {at} lies at {vertex}, which is not a place in a drawing"),
            ));
        }
        *vertex = up.upright(*vertex);
    }
    // What no face uses is no part of the drawing's extent.
    drop_unused(&mut mesh);
    context.stage("Joining triangles");
    // How long that takes is not known.
    context.report(-1.0);
    context.checkpoint()?;
    let colours: Vec<Colour> = if colours.iter().any(Option::is_some) {
        let plain = |colour: &Option<Colour>| colour.unwrap_or(PLAIN);
        colours.iter().map(plain).collect()
    } else {
        Vec::new()
    };
    let model = MeshModel::build(&mesh, &colours, || context.checkpoint())?;
    context.checkpoint()?;
    if model.mesh.is_empty() {
        return Err(ImportError::within(
            file,
            "there is nothing in it to import: no triangle has three different corners",
        ));
    }
    Ok(ReadMesh { model, warnings })
}

fn drop_unused(mesh: &mut TriMesh) {
    let mut used = vec![false; mesh.vertices.len()];
    for i in mesh.triangles.as_flattened() {
        used[*i as usize] = true;
    }
    if used.iter().all(|used| *used) {
        return;
    }
    let mut next = 0_u32;
    let renumbered: Vec<u32> = used
        .iter()
        .map(|used| {
            next += u32::from(*used);
            next.wrapping_sub(1)
        })
        .collect();
    let mut keep = used.iter();
    mesh.vertices
        .retain(|_| keep.next().is_some_and(|used| *used));
    for triangle in &mut mesh.triangles {
        *triangle = triangle.map(|i| renumbered[i as usize]);
    }
}

/// A mesh that came with a level: the name that the level uses for it, and where it lies.
#[derive(Clone, Debug)]
pub struct ImportedMesh {
    pub source: MeshSource,
    pub path: PathBuf,
    pub model: Arc<MeshModel>,
    /// In the level. Unit: metres.
    pub size: DVec3,
}

fn level(read: Vec<(PathBuf, ReadMesh)>, options: &MeshOptions) -> Result<Imported, ImportError> {
    let Some((first, _)) = read.first() else {
        return Err(ImportError::Options("name a file to import".to_owned()));
    };
    let first = first.display().to_string();
    let all = read
        .iter()
        .fold(Aabb::EMPTY, |all, (_, read)| all.union(&read.model.bounds));
    let shift = if options.recentre {
        -all.centre().with_z(all.min.z)
    } else {
        DVec3::ZERO
    };
    let mut draft = Draft::default();
    draft.create(Entity::new(
        super::drawing::DEFAULT_PROFILE,
        Kind::Profile(Profile::default()),
    ));
    let mut warnings = Vec::new();
    let mut meshes: Vec<ImportedMesh> = Vec::new();
    let mut covered = Rect::EMPTY;
    for (path, read) in read {
        warnings.extend(read.warnings);
        let taken = |file: &str| meshes.iter().any(|mesh| mesh.source.file == file);
        let source = MeshSource {
            up: options.up,
            ..MeshSource::new(reference(&path, taken)?)
        };
        let solid = solid_of(&source, &read.model, options.scale, shift, &path)?;
        covered = covered.union(&solid.bounds());
        let label = name(&path.file_stem().unwrap_or_default().to_string_lossy());
        draft.create(Entity::new(label, Kind::Solid(solid)));
        meshes.push(ImportedMesh {
            source,
            path,
            size: read.model.bounds.size() * options.scale,
            model: Arc::new(read.model),
        });
    }
    let settings = Settings {
        name: name(
            &Path::new(&first)
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy(),
        ),
        bounds: around(covered, options.margin),
        // The meshes are what one walks on; a floor through their middle would be in the way.
        has_ground: false,
        ..Settings::default()
    };
    Ok(Imported {
        level: draft.level(settings, &first)?,
        warnings,
        meshes,
    })
}

/// A solid that shows a model at its place in the file, so many metres a unit.
///
/// # Errors
/// It is too large, or too far away.
pub fn solid_of(
    source: &MeshSource,
    model: &MeshModel,
    scale: f64,
    shift: DVec3,
    path: &Path,
) -> Result<Solid, ImportError> {
    let bounds = model.bounds;
    let size = bounds.size() * scale;
    let foot = (bounds.centre().with_z(bounds.min.z) + shift) * scale;
    let refuse = |message: String| ImportError::within(&path.display().to_string(), message);
    let most = limits::SOLID_SIZE.max;
    if size.max_element() > most {
        return Err(refuse(format!(
            "the mesh would be {:.0} m × {:.0} m × {:.0} m large, and {most} m is the most; \
             give the metres per unit with --scale",
            size.x, size.y, size.z
        )));
    }
    let far = foot.abs() + size;
    if far.truncate().max_element() > MAX_COORDINATE || foot.z.abs() > limits::ELEVATION.max {
        return Err(refuse(format!(
            "the mesh lies around {:.0}, {:.0}, {:.0} m, too far from the origin; import it with \
             --recentre, or with other metres per unit (--scale)",
            foot.x, foot.y, foot.z
        )));
    }
    let source = MeshSource {
        frame: Some(bounds),
        ..source.clone()
    };
    let least = DVec3::splat(limits::SOLID_SIZE.min);
    Ok(Solid::new(SolidShape::Mesh(source), foot, size.max(least)))
}

/// Bounds with some room around what is drawn, at whole metres.
fn around(covered: Rect, margin: Option<f64>) -> Rect {
    let margin = margin.unwrap_or_else(|| (0.05 * covered.size().max_element()).clamp(1.0, 10.0));
    let grown = covered.expanded(margin);
    let limit = Rect::around(DVec2::ZERO, DVec2::splat(MAX_COORDINATE));
    Rect::new(
        limit.clamp(grown.min.floor()),
        limit.clamp(grown.max.ceil()),
    )
}

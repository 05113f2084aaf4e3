//! What OBJ and glTF readers find, and how it becomes a model or a level.

use super::drawing::{Draft, name};
use super::{ImportError, ImportOptions, Imported, Source, gltf, obj};
use crate::base::Colour;
use crate::document::{
    Entity, Kind, MeshModel, MeshSource, Profile, Settings, Solid, SolidShape, UpAxis, limits,
};
use crate::exchange::registry::Format;
use crate::geometry::{Aabb, MAX_COORDINATE, Rect, TriMesh};
use crate::jobs::JobContext;
use glam::{DVec2, DVec3};
use std::panic::{AssertUnwindSafe, catch_unwind};
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

/// Reads a file that another one names, from its folder.
pub(super) type Beside<'a> = dyn Fn(&str) -> Result<Vec<u8>, String> + 'a;

/// What a mesh file draws, in its own axes and units.
#[derive(Debug, Default)]
pub(super) struct MeshDrawing {
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
    let beside = |name: &str| read_beside(folder, name, context);
    let guarded = AssertUnwindSafe(|| model(&source, up, &beside, context));
    catch_unwind(guarded).unwrap_or_else(|_| Err(super::broken(&source.name)))
}

/// A mesh file's bytes, with progress.
pub(crate) fn read_file(path: &Path, context: &JobContext) -> Result<Source, ImportError> {
    super::read_limited(path, MAX_MESH_FILE, context)
}

/// Only what lies in the folder itself or beneath it, whatever the name says.
fn read_beside(folder: &Path, name: &str, context: &JobContext) -> Result<Vec<u8>, String> {
    let path = beside(folder, name).ok_or_else(|| format!("`{name}` is not in its folder"))?;
    let source = read_file(&path, context).map_err(|error| match error {
        ImportError::In { message, .. } => format!("`{name}`: {message}"),
        other => other.to_string(),
    })?;
    Ok(source.bytes)
}

/// Where a file that another one names lies; `None` if that is nowhere in the folder. Of a path
/// that leads elsewhere only the file's name counts: programs write whole paths of machines that
/// are not this one.
pub(crate) fn beside(folder: &Path, name: &str) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let home = folder.canonicalize().ok()?;
    let inside = |relative: &str| {
        let path = folder.join(relative);
        let real = path.canonicalize().ok()?;
        (real.starts_with(&home) && real.is_file()).then_some(path)
    };
    let relative = inner_path(name);
    let by_name = relative.as_deref().and_then(inside);
    by_name.or_else(|| inside(name.rsplit(['/', '\\']).next()?))
}

/// The name as a path within a folder, with `/` between parts; `None` if it leads out of it.
pub(crate) fn inner_path(name: &str) -> Option<String> {
    let name = name.replace('\\', "/");
    let parts: Vec<&str> = name
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    let leads_out =
        name.starts_with('/') || name.contains(':') || parts.is_empty() || parts.contains(&"..");
    (!leads_out).then(|| parts.join("/"))
}

/// The names of all files that a mesh file needs besides itself, as it gives them.
pub(crate) fn companions(source: &Source) -> Vec<String> {
    let listed = AssertUnwindSafe(|| match Format::of_path(Path::new(&source.name)) {
        Some(Format::Obj) => obj::libraries(&source.bytes),
        Some(Format::Gltf) => gltf::buffer_files(&source.bytes),
        _ => Vec::new(),
    });
    catch_unwind(listed).unwrap_or_default()
}

/// What one file draws, upright.
fn model(
    source: &Source,
    up: UpAxis,
    beside: &Beside<'_>,
    context: &JobContext,
) -> Result<ReadMesh, ImportError> {
    let file = &source.name;
    let is_binary = source.bytes.starts_with(b"glTF");
    context.stage("Reading triangles");
    let drawing = match format_of(source) {
        Some(Format::Gltf) => gltf::read(source, beside, context)?,
        Some(Format::Obj) if is_binary => gltf::read(source, beside, context)?,
        Some(Format::Obj) => obj::read(source, beside, context)?,
        _ => {
            return Err(ImportError::within(
                file,
                "this is no mesh file by its name, which should end in .obj, .gltf or .glb; import \
                 meshes without other files",
            ));
        }
    };
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
    // How long that takes nobody can say.
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
}

/// A level of one or more mesh files, each a solid; all lie where the files have them.
pub(super) fn import(
    paths: &[PathBuf],
    options: &ImportOptions,
    context: &JobContext,
) -> Result<Imported, ImportError> {
    let mut read = Vec::new();
    for path in paths {
        read.push((path.clone(), read_mesh(path, options.up, context)?));
    }
    level(read, options)
}

/// The same for files in memory; what one names is looked for among the others.
pub(super) fn import_sources(
    sources: &[Source],
    options: &ImportOptions,
    context: &JobContext,
) -> Result<Imported, ImportError> {
    let beside = |name: &str| {
        let last = |path: &str| path.rsplit(['/', '\\']).next().map(str::to_owned);
        sources
            .iter()
            .find(|source| last(&source.name) == last(name))
            .map(|source| source.bytes.clone())
            .ok_or_else(|| format!("`{name}` is not in its folder"))
    };
    let mut read = Vec::new();
    // What others name is among the files, but is no mesh of its own.
    let mut named: Vec<&Source> = sources
        .iter()
        .filter(|source| format_of(source).is_some())
        .collect();
    if named.is_empty() {
        named.extend(sources.first());
    }
    for source in named {
        if source.bytes.len() as u64 > MAX_MESH_FILE {
            return Err(super::too_large(
                &source.name,
                source.bytes.len() as u64,
                MAX_MESH_FILE,
            ));
        }
        let mesh = model(source, options.up, &beside, context)?;
        read.push((PathBuf::from(&source.name), mesh));
    }
    level(read, options)
}

fn format_of(source: &Source) -> Option<Format> {
    Format::of_path(Path::new(&source.name)).filter(|format| format.is_mesh())
}

/// Whether all files are meshes, by their names or by what was said.
pub(super) fn are_meshes<'a>(
    mut names: impl Iterator<Item = &'a Path>,
    options: &ImportOptions,
) -> bool {
    match options.format {
        Some(format) => format.is_mesh(),
        None => names.any(|name| Format::of_path(name).is_some_and(Format::is_mesh)),
    }
}

fn level(read: Vec<(PathBuf, ReadMesh)>, options: &ImportOptions) -> Result<Imported, ImportError> {
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

/// What a level calls a file beside it: its name, or the name in a folder if that is taken.
pub(crate) fn reference(path: &Path, taken: impl Fn(&str) -> bool) -> Result<String, ImportError> {
    let file = path.file_name().and_then(|name| name.to_str());
    let usable = file.filter(|file| {
        let source = SolidShape::Mesh(MeshSource::new(*file));
        let solid = Solid::new(source, DVec3::ZERO, DVec3::ONE);
        Entity::new("", Kind::Solid(solid)).check().is_ok()
    });
    let Some(file) = usable else {
        return Err(ImportError::within(
            &path.display().to_string(),
            "a level cannot refer to a file of this name; give it a plain one",
        ));
    };
    let stem = Path::new(file).file_stem().unwrap_or_default();
    let stem = stem.to_string_lossy();
    let others = (2..).map(|i| format!("{stem}-{i}/{file}"));
    Ok(std::iter::once(file.to_owned())
        .chain(others)
        .find(|name| !taken(name))
        .unwrap_or_default())
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

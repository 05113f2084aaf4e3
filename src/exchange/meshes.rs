//! The mesh files that a level's solids refer to: read into a library, brought along when the
//! level moves.

use super::import::{
    ImportError, ImportedMesh, beside, companions, inner_path, read_mesh, read_mesh_file,
    reference, safe_path,
};
use crate::base::{ContentHash, io_words};
use crate::document::{Edit, Entity, Kind, Level, MeshLibrary, MeshSource, Solid, SolidShape};
use crate::jobs::{Cancelled, JobContext};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// So many folders of one name are tried for a file whose name is taken.
const MAX_NAMESAKES: usize = 1_000;

/// Each file that a level names, once for each axis.
#[must_use]
pub fn sources(level: &Level) -> Vec<MeshSource> {
    let named: BTreeSet<_> = level
        .mesh_solids()
        .map(|(.., source)| (source.file.clone(), source.up))
        .collect();
    named
        .into_iter()
        .map(|(file, up)| MeshSource {
            up,
            ..MeshSource::new(file)
        })
        .collect()
}

/// Reads every mesh that the level names, from the level's folder; what `known` has and what looks
/// the same on disk is taken over. A file that cannot be read is in the library as a sentence.
///
/// # Errors
/// It was cancelled.
pub fn library(
    level: &Level,
    folder: &Path,
    known: &MeshLibrary,
    ctx: &JobContext,
) -> Result<MeshLibrary, Cancelled> {
    let mut library = known.clone();
    for source in sources(level) {
        ctx.checkpoint()?;
        let path = folder.join(&source.file);
        let stamp = stamp(&path);
        if library.get(&source).is_some() && library.stamp(&source) == stamp {
            continue;
        }
        ctx.stage(format!("Reading {}", source.file));
        let read = safe_path(folder, &source.file)
            .map_err(|message| ImportError::within(&source.file, message))
            .and_then(|path| read_mesh(&path, source.up, ctx));
        let model = match read {
            Ok(read) => Ok(Arc::new(read.model)),
            Err(ImportError::Cancelled(cancelled)) => return Err(cancelled),
            // The level's own name for it is what its owner knows.
            Err(ImportError::In { message, .. }) => Err(message.into()),
            Err(ImportError::At {
                line,
                column,
                message,
                ..
            }) => Err(format!("line {line}, column {column}: {message}").into()),
            Err(ImportError::Options(message)) => Err(message.into()),
        };
        library.insert(&source, model, stamp);
    }
    Ok(library)
}

/// What a file and its folder look like from outside: another one after any change to it, or to
/// what may be its materials and buffers. `None` if it does not exist.
#[must_use]
pub fn stamp(path: &Path) -> Option<ContentHash> {
    let look = |path: &Path| {
        let meta = fs::metadata(path).ok()?;
        let changed = meta.modified().ok();
        Some(format!(
            "{:?} {} {changed:?}\n",
            path.file_name(),
            meta.len()
        ))
    };
    let mut seen = look(path)?;
    // Whatever has the same name with another ending: castle.mtl, castle.bin.
    for ending in ["mtl", "bin"] {
        seen += &look(&path.with_extension(ending)).unwrap_or_default();
    }
    Some(ContentHash::of(seen.as_bytes()))
}

/// A mesh file that a level refers to and where it lies now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshAsset {
    /// What the level calls it.
    pub file: String,
    pub path: PathBuf,
}

impl MeshAsset {
    /// A file from anywhere.
    ///
    /// # Errors
    /// A level cannot refer to a file of this name.
    pub fn new(path: &Path) -> Result<Self, ImportError> {
        Ok(Self {
            file: reference(path, |_| false)?,
            path: path.to_owned(),
        })
    }

    /// A file that was imported.
    #[must_use]
    pub fn of(mesh: &ImportedMesh) -> Self {
        Self {
            file: mesh.source.file.clone(),
            path: mesh.path.clone(),
        }
    }
}

/// The mesh files of a level in a folder, as far as they are there.
#[must_use]
pub fn assets(level: &Level, folder: &Path) -> Vec<MeshAsset> {
    let files: BTreeSet<String> = sources(level)
        .into_iter()
        .map(|source| source.file)
        .collect();
    files
        .into_iter()
        .map(|file| MeshAsset {
            path: folder.join(&file),
            file,
        })
        .filter(|asset| safe_path(folder, &asset.file).is_ok())
        .collect()
}

/// Brings mesh files and what they name into a level's folder. What lies there already stays; a
/// name that another file has there leads to a folder of its own. Returns what each is to be called.
///
/// # Errors
/// A sentence: a file cannot be read or written. Files that were copied before stay.
pub fn copy_assets(
    assets: &[MeshAsset],
    folder: &Path,
    ctx: &JobContext,
) -> Result<BTreeMap<String, String>, ImportError> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let mut names = BTreeMap::new();
    for (i, item) in assets.iter().enumerate() {
        ctx.checkpoint()?;
        ctx.report(i as f32 / assets.len() as f32);
        if let Some(inside) = inside(folder, &item.path) {
            names.insert(item.file.clone(), inside);
            continue;
        }
        ctx.stage(format!("Copying {}", item.file));
        let pieces = pieces(item, ctx)?;
        let place = place_for(item, &pieces, folder).ok_or_else(|| {
            ImportError::within(
                &item.path.display().to_string(),
                "too many files of this name lie in the level’s folder; give it another one",
            )
        })?;
        for piece in &pieces {
            copy(piece, &folder.join(&place).join(&piece.name))?;
        }
        let file = item.path.file_name().unwrap_or_default().to_string_lossy();
        let name = if place.is_empty() {
            file.into_owned()
        } else {
            format!("{place}/{file}")
        };
        names.insert(item.file.clone(), name);
    }
    Ok(names)
}

/// The edits that give files other names in a level.
#[must_use]
pub fn renamed(level: &Level, names: &BTreeMap<String, String>) -> Vec<Edit> {
    level
        .mesh_solids()
        .filter_map(|(id, entity, solid, source)| {
            let name = names
                .get(&source.file)
                .filter(|name| **name != source.file)?;
            let source = MeshSource {
                file: name.clone(),
                ..source.clone()
            };
            let solid = Solid {
                shape: SolidShape::Mesh(source),
                ..solid.clone()
            };
            let entity = Entity {
                kind: Kind::Solid(solid),
                ..Entity::clone(entity)
            };
            Some(Edit::replace(id, entity))
        })
        .collect()
}

/// A library for files that lie elsewhere now, some under other names.
#[must_use]
pub fn moved(
    library: &MeshLibrary,
    names: &BTreeMap<String, String>,
    folder: &Path,
) -> MeshLibrary {
    let mut moved = MeshLibrary::default();
    for source in library.sources() {
        let (Some(name), Some(Ok(model))) = (names.get(&source.file), library.get(&source)) else {
            continue;
        };
        let source = MeshSource {
            file: name.clone(),
            ..source
        };
        moved.insert(&source, Ok(Arc::clone(model)), stamp(&folder.join(name)));
    }
    moved
}

/// The relative path from a folder to a file in it, with `/` between parts; `None` if it is elsewhere.
fn inside(folder: &Path, file: &Path) -> Option<String> {
    let home = folder.canonicalize().ok()?;
    let real = file.parent()?;
    let real = if real.as_os_str().is_empty() {
        Path::new(".")
    } else {
        real
    };
    let real = real.canonicalize().ok()?.join(file.file_name()?);
    let relative = real.strip_prefix(&home).ok()?;
    let parts: Option<Vec<&str>> = relative
        .components()
        .map(|part| part.as_os_str().to_str())
        .collect();
    Some(parts?.join("/"))
}

/// One file to copy, and its name from the mesh file's folder.
struct Piece {
    name: String,
    from: PathBuf,
    bytes: Vec<u8>,
}

/// A mesh file and what it names, as far as that exists.
fn pieces(item: &MeshAsset, ctx: &JobContext) -> Result<Vec<Piece>, ImportError> {
    let source = read_mesh_file(&item.path, ctx)?;
    let folder = item.path.parent().unwrap_or(Path::new(""));
    let mut pieces = Vec::new();
    for name in companions(&source) {
        // Several names may stand in one line.
        let names = std::iter::once(&*name).chain(name.split_whitespace());
        for name in names {
            let Some(path) = beside(folder, name) else {
                continue;
            };
            // Where the reader will look for it.
            let name = inner_path(name)
                .filter(|name| folder.join(name).is_file())
                .or_else(|| Some(path.file_name()?.to_str()?.to_owned()));
            let Some(name) = name else { continue };
            if pieces.iter().any(|piece: &Piece| piece.name == name) {
                continue;
            }
            let bytes = read_mesh_file(&path, ctx)?.bytes;
            pieces.push(Piece {
                name,
                from: path,
                bytes,
            });
        }
    }
    // The mesh comes last: where it exists, the rest does.
    pieces.push(Piece {
        name: item
            .path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        from: item.path.clone(),
        bytes: source.bytes,
    });
    Ok(pieces)
}

/// The folder within `folder` where all pieces have room: none of their names is taken by another
/// file.
fn place_for(item: &MeshAsset, pieces: &[Piece], folder: &Path) -> Option<String> {
    let stem = item.path.file_stem()?.to_string_lossy().into_owned();
    // What the level calls it now is the best of all names.
    let own = item.file.rsplit_once('/').map_or("", |(place, _)| place);
    let others = (1..MAX_NAMESAKES).map(|i| match i {
        1 => stem.clone(),
        _ => format!("{stem}-{i}"),
    });
    let mut places = [own.to_owned(), String::new()].into_iter().chain(others);
    places.find(|place| {
        pieces.iter().all(|piece| {
            let there = folder.join(place).join(&piece.name);
            match fs::metadata(&there) {
                Err(_) => true,
                Ok(meta) => {
                    meta.len() == piece.bytes.len() as u64
                        && fs::read(&there).is_ok_and(|bytes| bytes == piece.bytes)
                }
            }
        })
    })
}

fn copy(piece: &Piece, to: &Path) -> Result<(), ImportError> {
    if to.exists() {
        return Ok(());
    }
    let failed = |message: String| {
        ImportError::within(
            &piece.from.display().to_string(),
            format!("could not be copied to the level’s folder: {message}"),
        )
    };
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(|error| failed(io_words(&error)))?;
    }
    crate::document::format::disk::replace(to, &piece.bytes)
        .map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests;

//! Files beside a mesh file or a level: how they are named, and that they stay in their folder.

use super::read_file;
use crate::document::{Entity, Kind, MeshSource, Solid, SolidShape};
use crate::exchange::import::ImportError;
use crate::jobs::JobContext;
use glam::DVec3;
use std::path::{Path, PathBuf};

/// Only what lies in the folder itself or beneath it, whatever the name says.
pub(in crate::exchange::import) fn read_beside(
    folder: &Path,
    name: &str,
    context: &JobContext,
) -> Result<Vec<u8>, String> {
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

/// Opens nothing: where a file lies that a level names, once it is known to be safe to read. A link
/// out of the folder would read what the level's author cannot see, and a pipe or a device never
/// ends.
///
/// # Errors
/// A sentence: it does not exist, leads out of the folder, or is not a regular file.
pub(crate) fn safe_path(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let path = folder.join(name);
    let (Ok(home), Ok(real)) = (folder.canonicalize(), path.canonicalize()) else {
        return Err("there is no such file".to_owned());
    };
    if !real.starts_with(&home) {
        return Err(
            "leads out of the level’s folder and is not read; copy the file into the folder"
                .to_owned(),
        );
    }
    if real.is_dir() {
        return Err("this is a folder, not a file".to_owned());
    }
    if !real.is_file() {
        return Err("is a pipe or a device, not a file, and is not read".to_owned());
    }
    Ok(path)
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

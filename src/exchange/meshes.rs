//! The mesh files that a level's solids refer to: read into a library, brought along when the
//! level moves.

use super::import::{
    ImportError, ImportedMesh, beside, companions, inner_path, read_mesh, read_source_of_mesh,
    reference,
};
use crate::base::ContentHash;
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
        let model = match read_mesh(&path, source.up, ctx) {
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
/// what may be its materials and buffers. `None` if it is not there.
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
pub struct Luggage {
    /// What the level calls it.
    pub file: String,
    pub path: PathBuf,
}

impl Luggage {
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
pub fn luggage(level: &Level, folder: &Path) -> Vec<Luggage> {
    let files: BTreeSet<String> = sources(level)
        .into_iter()
        .map(|source| source.file)
        .collect();
    files
        .into_iter()
        .map(|file| Luggage {
            path: folder.join(&file),
            file,
        })
        .filter(|luggage| luggage.path.is_file())
        .collect()
}

/// Brings mesh files and what they name into a level's folder. What lies there already stays; a
/// name that another file has there leads to a folder of its own. Returns what each is to be called.
///
/// # Errors
/// A sentence: a file cannot be read or written. Files that were copied before stay.
pub fn bring(
    luggage: &[Luggage],
    folder: &Path,
    ctx: &JobContext,
) -> Result<BTreeMap<String, String>, ImportError> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let mut names = BTreeMap::new();
    for (i, item) in luggage.iter().enumerate() {
        ctx.checkpoint()?;
        ctx.report(i as f32 / luggage.len() as f32);
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

/// The same models for files that lie elsewhere now, some under other names.
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

/// The way from a folder to a file in it, with `/` between parts; `None` if it is elsewhere.
fn inside(folder: &Path, file: &Path) -> Option<String> {
    let home = folder.canonicalize().ok()?;
    let real = file.parent()?;
    let real = if real.as_os_str().is_empty() {
        Path::new(".")
    } else {
        real
    };
    let real = real.canonicalize().ok()?.join(file.file_name()?);
    let way = real.strip_prefix(&home).ok()?;
    let parts: Option<Vec<&str>> = way
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

/// A mesh file and what it names, as far as that is there.
fn pieces(item: &Luggage, ctx: &JobContext) -> Result<Vec<Piece>, ImportError> {
    let source = read_source_of_mesh(&item.path, ctx)?;
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
            let bytes = read_source_of_mesh(&path, ctx)?.bytes;
            pieces.push(Piece {
                name,
                from: path,
                bytes,
            });
        }
    }
    // The mesh comes last: whoever finds it finds the rest.
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
fn place_for(item: &Luggage, pieces: &[Piece], folder: &Path) -> Option<String> {
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
        fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
    }
    crate::document::format::disk::replace(to, &piece.bytes)
        .map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::validate::{Code, check_meshes, validate};
    use crate::document::{Document, ops};
    use crate::exchange::{ImportOptions, import};
    use crate::geometry::Aabb;
    use crate::nav::commons::Commons;
    use crate::nav::voxel::VoxelOptions;
    use crate::planner::{Answer, NavData, PathRequest, PlannerChoice, Planners};
    use glam::DVec3;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let name = format!("wayloom-meshes-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).expect("a folder");
            Self(path)
        }

        fn put(&self, name: &str, contents: &str) -> PathBuf {
            let path = self.0.join(name);
            fs::create_dir_all(path.parent().expect("in the folder")).expect("a folder");
            fs::write(&path, contents).expect("written");
            path
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// A box between two corners, z up.
    fn block(low: [f64; 3], high: [f64; 3], first: usize) -> String {
        let mut text = String::new();
        for i in 0..8 {
            let pick = |axis: usize| {
                if i >> axis & 1 == 0 {
                    low[axis]
                } else {
                    high[axis]
                }
            };
            text += &format!("v {} {} {}\n", pick(0), pick(1), pick(2));
        }
        for face in [
            [1, 3, 4, 2],
            [5, 6, 8, 7],
            [1, 2, 6, 5],
            [3, 7, 8, 4],
            [1, 5, 7, 3],
            [2, 4, 8, 6],
        ] {
            let [a, b, c, d] = face.map(|i| i + first);
            text += &format!("f {a} {b} {c} {d}\n");
        }
        text
    }

    /// A lower floor below zero, an upper one, and steps of 0.2 m between them.
    fn house() -> String {
        let mut text = "mtllib house.mtl\nusemtl Stone\n".to_owned();
        let mut blocks = vec![
            ([0.0, 0.0, -1.0], [10.0, 6.0, -0.5]),
            ([10.0, 0.0, 0.9], [16.0, 6.0, 1.1]),
        ];
        for i in 0..8 {
            let (x, z) = (6.0 + 0.5 * f64::from(i), -0.5 + 0.2 * f64::from(i + 1));
            blocks.push(([x, 2.0, -0.5], [x + 0.5, 4.0, z]));
        }
        for (i, (low, high)) in blocks.into_iter().enumerate() {
            text += &block(low, high, 8 * i);
        }
        text
    }

    fn options() -> ImportOptions {
        ImportOptions {
            up: crate::document::UpAxis::Z,
            ..ImportOptions::default()
        }
    }

    #[test]
    fn one_walks_up_the_stairs_of_an_imported_mesh() {
        let folder = Folder::new("stairs");
        let path = folder.put("house.obj", &house());
        let ctx = JobContext::default();
        let level = import(&[path], &options(), &ctx).expect("imported").level;
        let library = library(&level, &folder.0, &MeshLibrary::default(), &ctx).expect("runs");
        let voxels = Arc::new(VoxelOptions {
            meshes: Arc::new(library),
            ..VoxelOptions::default()
        });
        let commons = Arc::new(Commons::with_voxels(&level, voxels, None));
        let nav = NavData::of_level(&level, 0.3, &ctx)
            .expect("baked")
            .with(None, commons);
        let plan = |from: DVec3, to: DVec3| {
            let request = PathRequest::in_space(from, to);
            Planners::default()
                .plan(PlannerChoice::Human, &nav, &request)
                .expect("a planner")
        };
        let up = plan(DVec3::new(2.0, 3.0, -0.5), DVec3::new(14.0, 3.0, 1.1));
        let Answer::Found(path) = up else {
            panic!("{up:?}");
        };
        let last = path.points.last().expect("has points");
        assert!((path.points[0].z + 0.5).abs() < 0.1 && (last.z - 1.1).abs() < 0.1);
        // A height that nobody meant is that of the floor.
        assert!(matches!(
            plan(DVec3::new(2.0, 3.0, 0.0), *last),
            Answer::Found(_)
        ));
        assert!(matches!(
            plan(DVec3::new(2.0, 3.0, -0.8), *last),
            Answer::Found(_)
        ));
        // Beside the floors there is nothing.
        assert!(matches!(
            plan(DVec3::new(13.0, 6.9, 0.0), *last),
            Answer::NotFound(_)
        ));
    }

    #[test]
    fn files_come_along_and_names_that_are_taken_lead_to_folders() {
        let (from, to) = (Folder::new("from"), Folder::new("to"));
        let path = from.put("house.obj", &house());
        from.put("house.mtl", "newmtl Stone\nKd 0.5 0.5 0.5\n");
        let ctx = JobContext::default();
        let item = Luggage::new(&path).expect("a plain name");
        let bring = || bring(std::slice::from_ref(&item), &to.0, &ctx).expect("copied");
        let first = bring();
        assert_eq!(first["house.obj"], "house.obj");
        assert!(to.0.join("house.mtl").is_file());
        assert_eq!(bring(), first, "the same files are not copied again");
        // Another material of that name lies there now.
        to.put("house.mtl", "newmtl Stone\n");
        let second = bring();
        assert_eq!(second["house.obj"], "house/house.obj");
        assert!(to.0.join("house/house.mtl").is_file());
        assert_eq!(
            fs::read_to_string(to.0.join("house.mtl")).expect("there"),
            "newmtl Stone\n"
        );
        // What lies in the folder already is only named.
        let inside = Luggage::new(&to.0.join("house/house.obj")).expect("a plain name");
        let named = super::bring(&[inside], &to.0, &ctx).expect("there");
        assert_eq!(named["house.obj"], "house/house.obj");

        let level = import(&[path], &options(), &ctx).expect("imported").level;
        let edits = renamed(&level, &second);
        let level = ops::apply(&level, &edits).expect("valid");
        assert_eq!(sources(&level)[0].file, "house/house.obj");
        assert_eq!(luggage(&level, &to.0).len(), 1);
        assert!(
            luggage(&level, &from.0).is_empty(),
            "not there under that name"
        );
    }

    #[test]
    fn a_changed_file_is_read_again_and_a_lost_one_is_a_problem() {
        let folder = Folder::new("changed");
        let path = folder.put("house.obj", &house());
        let ctx = JobContext::default();
        let level = import(std::slice::from_ref(&path), &options(), &ctx)
            .expect("imported")
            .level;
        let first = library(&level, &folder.0, &MeshLibrary::default(), &ctx).expect("runs");
        let source = sources(&level).remove(0);
        let same = library(&level, &folder.0, &first, &ctx).expect("runs");
        let model = |library: &MeshLibrary| library.model(&source).cloned().expect("read");
        assert!(Arc::ptr_eq(&model(&first), &model(&same)));
        let problems = |library: &MeshLibrary| {
            let mut problems = validate(&level, Some(&folder.0));
            check_meshes(&level, library, &mut problems);
            problems
        };
        assert_eq!(problems(&first), []);

        // A wing is added: what stood there stays, and its box can be fitted.
        let wing = house() + &block([-8.0, 0.0, -1.0], [-4.0, 6.0, -0.5], 80);
        folder.put("house.obj", &wing);
        let grown = library(&level, &folder.0, &first, &ctx).expect("runs");
        let found = problems(&grown);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].code, Code::OutgrownMesh);
        let objects = |level: &Level| crate::document::scene(level, &grown);
        let before = objects(&level).pop().expect("the house");
        let mut document = Document::new(level.clone(), crate::base::EntityId::new(99));
        let edits = found[0].fix_edits(&level, &mut || document.allocate_id());
        document.commit("Fit", edits).expect("valid");
        let after = objects(document.level()).pop().expect("the house");
        for (a, b) in before
            .triangles()
            .flatten()
            .zip(after.triangles().flatten())
        {
            assert!((a - b).length() < 1e-9, "fitting moves nothing");
        }
        let (.., solid, _) = document.level().mesh_solids().next().expect("a solid");
        let own = Aabb::of_points(solid.corners());
        assert!((own.min - after.bounds().min).length() < 1e-9);
        assert!((own.max - after.bounds().max).length() < 1e-9);

        folder.put("house.obj", "v 1 2\n");
        let broken = library(&level, &folder.0, &grown, &ctx).expect("runs");
        let found = problems(&broken);
        assert_eq!(found[0].code, Code::UnreadableMesh);
        assert!(found[0].message.contains("line 1"), "{}", found[0].message);
        fs::remove_file(&path).expect("there");
        let lost = library(&level, &folder.0, &broken, &ctx).expect("runs");
        let found = problems(&lost);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].code, Code::MissingMesh);
    }
}

//! The meshes of the open level: read in the background, again when their files change, and
//! brought along when the level is saved elsewhere.

use super::intention::Intention;
use super::notice::Notice;
use super::watch::FileWatch;
use super::{Command, Editor, EditorState};
use crate::base::ByAddress;
use crate::document::session::{Overwrite, folder_of};
use crate::document::{Edit, Entity, Kind, Level, MeshLibrary, MeshSource, Selection};
use crate::exchange::ImportError;
use crate::exchange::import::{MeshOptions, ReadMesh, read_mesh, solid_of};
use crate::exchange::meshes::{self, MeshAsset};
use crate::jobs::{Display, JobContext, Memo, Settled, Stopped, Superseded};
use crate::nav::voxel::VoxelOptions;
use glam::DVec3;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What meshes are read for.
#[derive(Clone, Debug, PartialEq)]
struct ReadFor {
    level: ByAddress<Level>,
    folder: PathBuf,
    /// Counts how often files changed, or were to be read again.
    round: u64,
}

/// What came of reading.
#[derive(Debug)]
struct Read {
    library: Arc<MeshLibrary>,
    /// Of all files that the level names.
    paths: Vec<PathBuf>,
}

#[derive(Debug)]
pub struct Meshes {
    pub library: Arc<MeshLibrary>,
    read: Memo<ReadFor, Read>,
    round: u64,
    watch: Option<FileWatch>,
    /// Another one for each level that is opened: what was begun for another is not wanted.
    generation: u64,
}

impl Default for Meshes {
    fn default() -> Self {
        Self {
            library: Arc::default(),
            read: Memo::new("Reading meshes", Display::Shown, Superseded::Cancel),
            round: 0,
            watch: None,
            generation: 0,
        }
    }
}

impl EditorState {
    /// Another number for each level that is opened.
    #[must_use]
    pub const fn opened(&self) -> u64 {
        self.meshes.generation
    }

    pub(super) fn forget_meshes(&mut self) {
        self.meshes = Meshes {
            generation: self.meshes.generation + 1,
            ..Meshes::default()
        };
    }

    /// Everything that is made from meshes is made from these from now on.
    pub(super) fn show_meshes(&mut self, library: Arc<MeshLibrary>) {
        self.meshes.library = Arc::clone(&library);
        self.space.meshes = Arc::clone(&library);
        self.navigation.voxels.options = Arc::new(VoxelOptions {
            meshes: library,
            ..VoxelOptions::clone(&self.navigation.voxels.options)
        });
    }
}

/// Reads what the level names and `known` does not hold; all files that changed, if `again`.
fn read(
    asked: &ReadFor,
    known: Arc<MeshLibrary>,
    again: bool,
    ctx: &JobContext,
) -> Result<Read, Stopped> {
    let sources = meshes::sources(&asked.level);
    let paths = sources.iter().map(|source| asked.folder.join(&source.file));
    let paths = paths.collect();
    let is_unknown = |source: &MeshSource| known.get(source).is_none();
    if !(again || sources.iter().any(is_unknown)) {
        return Ok(Read {
            library: known,
            paths,
        });
    }
    let library = meshes::library(&asked.level, &asked.folder, &known, ctx)?;
    for source in &sources {
        ctx.checkpoint()?;
        // The plan view asks for it first, and must not wait.
        let _ = library.model(source).map(|model| model.plan());
    }
    Ok(Read {
        library: Arc::new(library),
        paths,
    })
}

impl Editor {
    /// Reads what the level refers to unless that is done or running.
    pub(super) fn keep_meshes_current(&mut self, ctx: &egui::Context) {
        let Some(folder) = self.state.level.mesh_folder() else {
            return;
        };
        let level = ByAddress::of(self.state.document().committed_level());
        let state = &mut self.state.meshes;
        if state.watch.as_ref().is_some_and(FileWatch::take_touched) {
            state.round += 1;
        }
        let key = ReadFor {
            level,
            folder,
            round: state.round,
        };
        let known = Arc::clone(&state.library);
        let before = state.read.key();
        let again = before.is_some_and(|before| before.round != key.round);
        let asked = key.clone();
        let settled = state.read.want(self.work.jobs(), key, move |job| {
            read(&asked, known, again, job)
        });
        match settled {
            // One behind would forget what was imported meanwhile.
            Some(Settled::Value) if state.read.is_fresh() => self.take_meshes(ctx),
            Some(Settled::Declined) => self.mark_unread_meshes(),
            Some(Settled::Failed) => {
                let error = state.read.error().map(ToString::to_string);
                let error = error.unwrap_or_default();
                let notice = Notice::error(format!("Meshes could not be read: {error}."));
                self.state.notify(notice);
            }
            Some(Settled::Value) | None => {}
        }
    }

    fn take_meshes(&mut self, ctx: &egui::Context) {
        let state = &mut self.state.meshes;
        let Some(read) = state.read.value() else {
            return;
        };
        if state.watch.as_ref().map_or(&[][..], FileWatch::paths) != read.paths {
            state.watch = FileWatch::with_companions(read.paths.clone(), ctx);
        }
        if !Arc::ptr_eq(&read.library, &state.library) {
            let library = Arc::clone(&read.library);
            self.state.show_meshes(library);
        }
    }

    /// Reading was cancelled: what is missing says so, and how to go on.
    fn mark_unread_meshes(&mut self) {
        let command = Command::ReadMeshes;
        let menu = command.entry().place.map_or("", |(menu, _)| menu.name());
        let sentence = format!(
            "reading it was cancelled; “{}” in the {menu} menu goes on",
            command.name()
        );
        let mut library = MeshLibrary::clone(&self.state.meshes.library);
        for source in meshes::sources(self.state.document().committed_level()) {
            if library.get(&source).is_none() {
                library.insert(&source, Err(sentence.as_str().into()), None);
            }
        }
        self.state.show_meshes(Arc::new(library));
    }

    /// Reads all files again, even if their sizes and dates did not change.
    pub(super) fn read_meshes_again(&mut self) {
        if meshes::sources(self.state.document().level()).is_empty() {
            self.state
                .notify(Notice::info("This level has no meshes to reload."));
            return;
        }
        self.state.show_meshes(Arc::default());
        self.state.meshes.round += 1;
    }

    /// Adds a mesh file to the open level, as one undo step.
    pub(super) fn place_mesh(&mut self, ctx: &egui::Context, path: PathBuf, options: MeshOptions) {
        let Some(folder) = self.state.level.mesh_folder() else {
            self.state.notify(Notice::error(
                "Meshes are stored beside their level, and this level has no file yet. Save it first.",
            ));
            return;
        };
        let generation = self.state.meshes.generation;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let title = format!("Importing {name}");
        let up = options.up;
        let file = path.clone();
        self.work.start(
            ctx,
            title,
            Display::Shown,
            move |job| {
                let read = read_mesh(&path, up, job)?;
                let _ = read.model.plan();
                let item = MeshAsset::new(&path)?;
                let names = meshes::copy_assets(std::slice::from_ref(&item), &folder, job)?;
                let name = names.get(&item.file).cloned().unwrap_or(item.file);
                Ok::<_, ImportError>((read, name, folder))
            },
            move |editor, outcome| match outcome {
                Ok(Ok((read, name, folder))) if editor.state.meshes.generation == generation => {
                    let placed = Placed {
                        path: file,
                        name,
                        folder,
                    };
                    editor.take_mesh(&placed, read, &options);
                }
                Ok(Ok(_) | Err(ImportError::Cancelled(_))) => {}
                Ok(Err(error)) => editor.state.notify(Notice::error(format!("{error}."))),
                Err(error) => editor.state.notify(Notice::error(format!("{error}."))),
            },
        );
    }

    fn take_mesh(&mut self, placed: &Placed, read: ReadMesh, options: &MeshOptions) {
        let source = MeshSource {
            up: options.up,
            ..MeshSource::new(&*placed.name)
        };
        let shift = if options.recentre {
            let view = &self.state.view;
            let middle = view.camera.visible(view.viewport).centre();
            let level = self.state.document().level();
            let ground = level.ground().map_or(0.0, |field| field.height(middle));
            let foot = read.model.bounds.centre().with_z(read.model.bounds.min.z);
            middle.extend(ground) / options.scale - foot
        } else {
            DVec3::ZERO
        };
        let solid = match solid_of(&source, &read.model, options.scale, shift, &placed.path) {
            Ok(solid) => solid,
            Err(error) => {
                self.state.notify(Notice::error(format!("{error}.")));
                return;
            }
        };
        let mut library = MeshLibrary::clone(&self.state.meshes.library);
        let stamp = meshes::stamp(&placed.folder.join(&placed.name));
        let triangles = read.model.mesh.triangles.len();
        library.insert(&source, Ok(Arc::new(read.model)), stamp);
        self.state.cancel_drag();
        let id = self.state.level.allocate_id();
        let stem = placed.path.file_stem().unwrap_or_default();
        let name: String = stem.to_string_lossy().chars().take(80).collect();
        let entity = Entity::new(name, Kind::Solid(solid));
        let edits = vec![Edit::create(id, entity)];
        match self
            .state
            .level
            .commit("Import mesh".to_owned(), edits, None)
        {
            Ok(_) => {
                self.state.level.select(Selection::one(id));
                self.state.show_meshes(Arc::new(library));
                let done = format!("Imported {triangles} triangles");
                self.tell_warnings(&done, &read.warnings);
            }
            Err(error) => self.state.notify(Notice::error(format!("{error}."))),
        }
    }

    /// Saves under another name; the meshes come along if that is in another folder.
    pub(super) fn save_to(
        &mut self,
        ctx: &egui::Context,
        path: &Path,
        overwrite: Overwrite,
        then: Option<Intention>,
    ) {
        let target = folder_of(path);
        let level = Arc::clone(self.state.document().committed_level());
        let old = self.state.level.mesh_folder();
        let assets = match &old {
            Some(old) if old.canonicalize().ok() != target.canonicalize().ok() => {
                meshes::assets(&level, old)
            }
            _ => Vec::new(),
        };
        if assets.is_empty() {
            self.save_level_to(ctx, path, overwrite, then);
            return;
        }
        let generation = self.state.meshes.generation;
        let path = path.to_owned();
        let folder = target.clone();
        let ctx_then = ctx.clone();
        self.work.start(
            ctx,
            "Copying meshes",
            Display::Shown,
            move |job| meshes::copy_assets(&assets, &folder, job),
            move |editor, outcome| match outcome {
                Ok(Ok(names)) if editor.state.meshes.generation == generation => {
                    editor.follow_meshes(&names, &target);
                    editor.save_level_to(&ctx_then, &path, overwrite, then);
                }
                Ok(Ok(_) | Err(ImportError::Cancelled(_))) => {}
                Ok(Err(error)) => editor
                    .state
                    .notify(Notice::error(format!("The level was not saved: {error}."))),
                Err(error) => editor.state.notify(Notice::error(format!("{error}."))),
            },
        );
    }

    /// The level's meshes lie in another folder now, some under other names.
    fn follow_meshes(&mut self, names: &BTreeMap<String, String>, folder: &Path) {
        self.state.cancel_drag();
        let edits = meshes::renamed(self.state.document().committed_level(), names);
        if !edits.is_empty() {
            let label = "Name meshes after their copies".to_owned();
            if let Err(error) = self.state.level.commit(label, edits, None) {
                self.state.notify(Notice::error(format!("{error}.")));
            }
        }
        let library = meshes::moved(&self.state.meshes.library, names, folder);
        self.state.show_meshes(Arc::new(library));
        self.state.meshes.watch = None;
    }
}

/// Where an imported file came from, and where its copy lies.
struct Placed {
    path: PathBuf,
    /// What the level calls it.
    name: String,
    folder: PathBuf,
}

//! The meshes of the open level: read beside the window, again when their files change, and
//! brought along when the level is saved elsewhere.

use super::Editor;
use super::EditorState;
use super::intention::Intention;
use super::notice::Notice;
use super::watch::FileWatch;
use super::work::Display;
use crate::document::session::{Overwrite, folder_of};
use crate::document::{Edit, Entity, Kind, Level, MeshLibrary, MeshSource, Selection, UpAxis};
use crate::exchange::import::{ReadMesh, read_mesh, solid_of};
use crate::exchange::meshes::{self, Luggage};
use crate::exchange::{ImportError, ImportOptions};
use crate::jobs::{Cancelled, JobError};
use crate::nav::voxel::VoxelOptions;
use glam::DVec3;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const NOT_READ: &str = "reading it was cancelled; “Read meshes again” in the File menu goes on";

#[derive(Debug, Default)]
pub struct Meshes {
    pub library: Arc<MeshLibrary>,
    /// The state whose meshes were looked for last.
    looked_at: Option<Arc<Level>>,
    /// Look again although the level is the same.
    again: bool,
    watch: Option<FileWatch>,
    is_reading: bool,
    /// Another one for each level that is opened: what was begun for another is not wanted.
    generation: u64,
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
    pub(super) fn show_meshes(&mut self, library: MeshLibrary) {
        let library = Arc::new(library);
        self.meshes.library = Arc::clone(&library);
        self.space.meshes = Arc::clone(&library);
        self.navigation.voxels.options = Arc::new(VoxelOptions {
            meshes: library,
            ..VoxelOptions::clone(&self.navigation.voxels.options)
        });
        // A file that was missing may be there now.
        self.validation.revision = None;
        self.gather_problems();
    }
}

impl Editor {
    /// Starts reading what the level refers to unless that is done or under way.
    pub(super) fn keep_meshes_current(&mut self, ctx: &egui::Context) {
        let Some(folder) = self.state.level.mesh_folder() else {
            return;
        };
        let level = Arc::clone(self.state.document().committed_level());
        let state = &mut self.state.meshes;
        let touched = state.watch.as_ref().is_some_and(FileWatch::take_touched);
        state.again |= touched;
        let is_known = state
            .looked_at
            .as_ref()
            .is_some_and(|known| Arc::ptr_eq(known, &level));
        if state.is_reading || is_known && !state.again {
            return;
        }
        let again = std::mem::take(&mut state.again);
        state.looked_at = Some(Arc::clone(&level));
        let sources = meshes::sources(&level);
        let paths: Vec<PathBuf> = sources
            .iter()
            .map(|source| folder.join(&source.file))
            .collect();
        if state.watch.as_ref().map_or(&[][..], FileWatch::paths) != paths {
            state.watch = FileWatch::with_companions(paths, ctx);
        }
        let unknown = |source: &MeshSource| state.library.get(source).is_none();
        let is_wanted = sources.iter().any(unknown) || again && !sources.is_empty();
        if !is_wanted {
            return;
        }
        state.is_reading = true;
        let (generation, known) = (state.generation, Arc::clone(&state.library));
        self.work.start(
            ctx,
            "Reading meshes",
            Display::Shown,
            move |job| {
                let library = meshes::library(&level, &folder, &known, job)?;
                for source in &sources {
                    job.checkpoint()?;
                    // The plan view asks for it first, and must not wait.
                    let _ = library.model(source).map(|model| model.plan());
                }
                Ok(library)
            },
            move |editor, outcome| editor.take_meshes(generation, outcome),
        );
    }

    fn take_meshes(
        &mut self,
        generation: u64,
        outcome: Result<Result<MeshLibrary, Cancelled>, JobError>,
    ) {
        if self.state.meshes.generation != generation {
            return;
        }
        self.state.meshes.is_reading = false;
        match outcome {
            Ok(Ok(library)) => self.state.show_meshes(library),
            Ok(Err(Cancelled)) => {
                let mut library = MeshLibrary::clone(&self.state.meshes.library);
                let level = self.state.document().committed_level();
                for source in meshes::sources(level) {
                    if library.get(&source).is_none() {
                        library.insert(&source, Err(NOT_READ.into()), None);
                    }
                }
                self.state.show_meshes(library);
            }
            Err(error) => self
                .state
                .notify(Notice::error(format!("Meshes could not be read: {error}."))),
        }
    }

    /// Reads all files anew, whatever they look like from outside.
    pub(super) fn read_meshes_again(&mut self) {
        self.state.show_meshes(MeshLibrary::default());
        self.state.meshes.looked_at = None;
    }

    /// Adds a mesh file to the open level, as one undo step.
    pub(super) fn place_mesh(
        &mut self,
        ctx: &egui::Context,
        path: PathBuf,
        options: ImportOptions,
    ) {
        let Some(folder) = self.state.level.mesh_folder() else {
            self.state.notify(Notice::error(
                "A mesh lies beside its level, and this one has no place of its own. Save it first.",
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
                let item = Luggage::new(&path)?;
                let names = meshes::bring(std::slice::from_ref(&item), &folder, job)?;
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

    fn take_mesh(&mut self, placed: &Placed, read: ReadMesh, options: &ImportOptions) {
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
                self.state.show_meshes(library);
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
        let luggage = match &old {
            Some(old) if old.canonicalize().ok() != target.canonicalize().ok() => {
                meshes::luggage(&level, old)
            }
            _ => Vec::new(),
        };
        if luggage.is_empty() {
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
            move |job| meshes::bring(&luggage, &folder, job),
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
        self.state.show_meshes(library);
        self.state.meshes.watch = None;
        self.state.meshes.looked_at = None;
    }
}

/// Where an imported file came from, and where its copy lies.
struct Placed {
    path: PathBuf,
    /// What the level calls it.
    name: String,
    folder: PathBuf,
}

/// What the import dialog offers for files without an axis of their own.
pub(super) const UP_NAMES: [(UpAxis, &str, &str); 2] = [
    (UpAxis::Y, "y", "As glTF has it, and most OBJ files."),
    (
        UpAxis::Z,
        "z",
        "As CAD programs have it, and some exporters.",
    ),
];

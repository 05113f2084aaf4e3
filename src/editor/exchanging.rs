//! Import and export, beside the window.

use super::Editor;
use super::dialog::bake::BakeForEngines;
use super::dialog::export::Export;
use super::dialog::import::Import;
use super::files::Old;
use super::intention::{BakeChoice, Purpose};
use super::notice::Notice;
use super::state::LastExport;
use super::work::Display;
use crate::document::format::disk;
use crate::document::session::Session;
use crate::document::{Edit, MeshLibrary};
use crate::exchange::bake::{self, BakeError};
use crate::exchange::import::{HeightPicture, HeightRange, read_source};
use crate::exchange::meshes::{self, Luggage};
use crate::exchange::{self, ExportError, ExportOptions, Format, ImportError, ImportOptions};
use crate::nav::voxel::VoxelOptions;
use std::path::PathBuf;
use std::sync::Arc;

/// More would hide the level; the rest is counted.
const WARNINGS_SHOWN: usize = 3;

impl Editor {
    pub(super) fn show_import(&mut self, path: PathBuf) {
        let dialog = Import::new(path, self.state.level_is_open());
        self.show(dialog);
    }

    pub(super) fn import(
        &mut self,
        ctx: &egui::Context,
        path: PathBuf,
        options: ImportOptions,
        old: Old,
    ) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let title = format!("Importing {name}");
        let state = self.store.state_folder().to_owned();
        self.work.start(
            ctx,
            title,
            Display::Shown,
            move |job| {
                let imported = exchange::import(&[path], &options, job)?;
                let session = Session::imported(imported.level, &state);
                let mut library = MeshLibrary::default();
                if let Some(folder) = session.mesh_folder() {
                    let luggage: Vec<Luggage> = imported.meshes.iter().map(Luggage::of).collect();
                    // The folder is new: nothing is called anything else there.
                    meshes::bring(&luggage, &folder, job)?;
                    for mesh in imported.meshes {
                        let _ = mesh.model.plan();
                        let stamp = meshes::stamp(&folder.join(&mesh.source.file));
                        library.insert(&mesh.source, Ok(mesh.model), stamp);
                    }
                }
                Ok::<_, ImportError>((session, imported.warnings, library))
            },
            move |editor, outcome| match outcome {
                Ok(Ok((session, warnings, library))) => {
                    editor.show_session(session, old);
                    if !library.is_empty() {
                        editor.state.show_meshes(library);
                    }
                    editor.tell_warnings("Imported", &warnings);
                }
                Ok(Err(ImportError::Cancelled(_))) => {}
                Ok(Err(error)) => editor.state.notify(Notice::error(format!("{error}."))),
                Err(error) => editor.state.notify(Notice::error(format!("{error}."))),
            },
        );
    }

    /// Lays a picture's heights under the open level, as one undo step.
    pub(super) fn import_heights(
        &mut self,
        ctx: &egui::Context,
        path: PathBuf,
        range: HeightRange,
    ) {
        let bounds = self.state.document().committed_level().settings().bounds;
        self.work.start(
            ctx,
            "Reading heights",
            Display::Shown,
            move |job| {
                let source = read_source(&path)?;
                let picture = HeightPicture::read(&source, job)?;
                Ok::<_, ImportError>((picture.field_over(bounds, range), picture.warnings))
            },
            |editor, outcome| match outcome {
                Ok(Ok((field, warnings))) => {
                    let edits = vec![Edit::Ground(Some(Arc::new(field)))];
                    let label = "Import heights".to_owned();
                    match editor.state.level.commit(label, edits, None) {
                        Ok(_) => editor.tell_warnings("Heights imported", &warnings),
                        Err(error) => editor.state.notify(Notice::error(format!("{error}."))),
                    }
                }
                Ok(Err(ImportError::Cancelled(_))) => {}
                Ok(Err(error)) => editor.state.notify(Notice::error(format!("{error}."))),
                Err(error) => editor.state.notify(Notice::error(format!("{error}."))),
            },
        );
    }

    pub(super) fn show_export(&mut self) {
        let dialog = Export::new(&self.state);
        self.show(dialog);
    }

    pub(super) fn choose_export(
        &mut self,
        ctx: &egui::Context,
        format: Format,
        options: ExportOptions,
    ) {
        self.choose_file(
            ctx,
            Purpose::Export {
                format,
                options: Box::new(options),
            },
        );
    }

    pub(super) fn show_bake(&mut self) {
        let dialog = BakeForEngines::new(self.state.document().level());
        self.show(dialog);
    }

    /// Bakes in the background and writes the files beside the index that was chosen; under any
    /// other name, into a folder of that name.
    pub(super) fn bake_for_engines(
        &mut self,
        ctx: &egui::Context,
        choice: BakeChoice,
        path: PathBuf,
    ) {
        let options = bake::Options {
            profiles: choice.profiles,
            with_voxels: choice.with_voxels,
            // Cells as the window has them.
            voxels: VoxelOptions::clone(&self.state.navigation.voxels.options),
            ..bake::Options::default()
        };
        let is_index = path.file_name().is_some_and(|name| name == bake::INDEX);
        let folder = match path.parent() {
            Some(parent) if is_index => parent.to_owned(),
            _ => path.with_extension(""),
        };
        if !is_index && folder.join(bake::INDEX).exists() {
            self.state.notify(Notice::error(format!(
                "There is a bake in {} already; choose its {} to write over it.",
                folder.display(),
                bake::INDEX
            )));
            return;
        }
        let level = Arc::clone(self.state.document().committed_level());
        self.work.start(
            ctx,
            "Baking for engines",
            Display::Shown,
            move |job| {
                let baked = match bake::bake_with(&level, &options, job) {
                    Err(BakeError::Cancelled(_)) => return Ok(None),
                    other => other.map_err(|error| error.to_string())?,
                };
                std::fs::create_dir_all(&folder)
                    .map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
                // The index comes last: whoever finds it finds the rest.
                for file in baked.files.iter().rev() {
                    disk::replace(&folder.join(&file.name), &file.bytes)
                        .map_err(|error| error.to_string())?;
                }
                Ok::<_, String>(Some((folder, baked)))
            },
            |editor, outcome| match outcome {
                Ok(Ok(Some((folder, baked)))) => {
                    let remarks: Vec<String> = baked
                        .voxels
                        .and_then(|voxels| voxels.report)
                        .into_iter()
                        .collect();
                    let files = baked.files.len();
                    let done = format!("Baked {files} files into {}", folder.display());
                    editor.tell_warnings(&done, &remarks);
                }
                Ok(Ok(None)) => {}
                Ok(Err(error)) => editor.state.notify(Notice::error(format!("{error}."))),
                Err(error) => editor.state.notify(Notice::error(format!("{error}."))),
            },
        );
    }

    pub(super) fn export_again(&mut self, ctx: &egui::Context) {
        if let Some(last) = self.state.last_export.clone() {
            self.export(ctx, last);
        }
    }

    pub(super) fn export(&mut self, ctx: &egui::Context, target: LastExport) {
        self.state.last_export = Some(target.clone());
        let level = Arc::clone(self.state.document().committed_level());
        let LastExport {
            format,
            options,
            path,
        } = target;
        let title = format!("Exporting {}", format.info().name);
        let file = path.clone();
        self.work.start(
            ctx,
            title,
            Display::Shown,
            move |job| {
                let exported = match exchange::export(&level, format, &options, job) {
                    Err(ExportError::Cancelled(_)) => return Ok(None),
                    other => other.map_err(|error| error.to_string())?,
                };
                disk::replace(&path, &exported.bytes).map_err(|error| error.to_string())?;
                Ok::<_, String>(Some(exported.warnings))
            },
            move |editor, outcome| match outcome {
                Ok(Ok(Some(warnings))) => {
                    editor.tell_warnings(&format!("Exported to {}", file.display()), &warnings);
                }
                Ok(Ok(None)) => {}
                Ok(Err(error)) => editor.state.notify(Notice::error(format!("{error}."))),
                Err(error) => editor.state.notify(Notice::error(format!("{error}."))),
            },
        );
    }

    /// Done, and what a person should know about it.
    pub(super) fn tell_warnings(&mut self, done: &str, warnings: &[String]) {
        if warnings.is_empty() {
            self.state.notify(Notice::done(format!("{done}.")));
            return;
        }
        let mut text = format!("{done}, with remarks:");
        for warning in warnings.iter().take(WARNINGS_SHOWN) {
            text += &format!("\n• {warning}");
        }
        if let Some(more @ 1..) = warnings.len().checked_sub(WARNINGS_SHOWN) {
            text += &format!("\n… and {more} more.");
        }
        self.state.notify(Notice::warning(text));
    }
}

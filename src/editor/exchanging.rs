//! Import and export, beside the window.

use super::Editor;
use super::dialog::export::Export;
use super::dialog::import::Import;
use super::files::Old;
use super::intention::KeptAs;
use super::notice::Notice;
use super::state::LastExport;
use super::work::Display;
use crate::document::session::Session;
use crate::document::{Edit, MeshLibrary};
use crate::exchange::import::{HeightRange, Heightmap, read_source};
use crate::exchange::meshes::{self, MeshAsset};
use crate::exchange::presets::{Preset, Presets};
use crate::exchange::registry::{BAKE, Output};
use crate::exchange::{self, ExportError, ExportInput, ImportError, ImportRequest, Target};
use crate::nav::voxel::VoxelOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// More would hide the level; the rest is counted.
const WARNINGS_SHOWN: usize = 3;

impl Editor {
    pub(super) fn show_import(&mut self, path: PathBuf) {
        if let Some(dialog) = Import::new(path, self.state.level_is_open()) {
            self.show(dialog);
        }
    }

    pub(super) fn import(
        &mut self,
        ctx: &egui::Context,
        path: PathBuf,
        request: ImportRequest,
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
                let imported = exchange::import(&[path], &request, job)?;
                let session = Session::imported(imported.level, &state);
                let mut library = MeshLibrary::default();
                if let Some(folder) = session.mesh_folder() {
                    let assets: Vec<MeshAsset> =
                        imported.meshes.iter().map(MeshAsset::of).collect();
                    // The folder is new: nothing is called anything else there.
                    meshes::copy_assets(&assets, &folder, job)?;
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
                        editor.state.show_meshes(Arc::new(library));
                    }
                    editor.tell_warnings("Imported", &warnings);
                }
                Ok(Err(ImportError::Cancelled(_))) => {}
                Ok(Err(error)) => editor.state.notify(Notice::error(format!("{error}."))),
                Err(error) => editor.state.notify(Notice::error(format!("{error}."))),
            },
        );
    }

    /// Lays a heightmap under the open level, as one undo step.
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
                let heightmap = Heightmap::read(&source, job)?;
                Ok::<_, ImportError>((heightmap.field_over(bounds, range), heightmap.warnings))
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

    /// The dialog for all formats, at the one for engines.
    pub(super) fn show_bake(&mut self) {
        let dialog = Export::new(&self.state).with_format(&BAKE);
        self.show(dialog);
    }

    /// Remembers an export beside the level's file.
    pub(super) fn keep_export(&mut self, export: &LastExport, keep: KeptAs) {
        let Some(level) = self.state.path().map(Path::to_owned) else {
            self.state.notify(Notice::warning(
                "Save the level first: presets are kept beside its file.",
            ));
            return;
        };
        let folder = level.parent().unwrap_or(Path::new(""));
        let target = export.path.strip_prefix(folder).unwrap_or(&export.path);
        let mut preset = Preset::new(&keep.name, export.format, &export.options, target);
        preset.on_save = keep.on_save;
        let kept = Presets::load(&level).and_then(|mut presets| {
            presets.put(preset);
            presets.save(&level)
        });
        if let Err(error) = kept {
            self.state.notify(Notice::error(format!("{error}.")));
        }
    }

    /// Exports again as kept with the level.
    pub(super) fn export_preset(&mut self, ctx: &egui::Context, name: &str) {
        let Some(level) = self.state.path().map(Path::to_owned) else {
            return;
        };
        let folder = level.parent().unwrap_or(Path::new(""));
        let found = Presets::load(&level).and_then(|presets| {
            let preset = presets.named(name)?;
            preset.resolve(folder)
        });
        match found {
            Ok((format, options, path)) => {
                let last = LastExport {
                    format,
                    options,
                    path,
                };
                self.export(ctx, last);
            }
            Err(error) => self.state.notify(Notice::error(format!("{error}."))),
        }
    }

    /// The level was saved: what is kept with it to follow is exported again.
    pub(super) fn export_on_save(&mut self, ctx: &egui::Context) {
        let Some(level) = self.state.path().map(Path::to_owned) else {
            return;
        };
        let presets = match Presets::load(&level) {
            Ok(presets) => presets,
            Err(error) => {
                self.state.notify(Notice::warning(format!("{error}.")));
                return;
            }
        };
        for preset in presets.exports.iter().filter(|preset| preset.on_save) {
            self.export_preset(ctx, &preset.name);
        }
    }

    pub(super) fn export_again(&mut self, ctx: &egui::Context) {
        if let Some(last) = self.state.last_export.clone() {
            self.export(ctx, last);
        }
    }

    /// Writes the level in the background. Formats of several files are written beside the index that
    /// was chosen; under any other name, into a folder of that name.
    pub(super) fn export(&mut self, ctx: &egui::Context, last: LastExport) {
        let Some(writer) = &last.format.writer else {
            return;
        };
        let target = Target::chosen(&last.path, writer.output);
        if let Output::Folder { index } = writer.output
            && target.main() != last.path
            && target.main().exists()
        {
            self.state.notify(Notice::error(format!(
                "There is an export in {} already; choose its {index} to write over it.",
                target.path().display(),
            )));
            return;
        }
        self.state.last_export = Some(last.clone());
        let input = ExportInput {
            level: Arc::clone(self.state.document().committed_level()),
            // Voxels as the window has them.
            voxels: VoxelOptions::clone(&self.state.navigation.voxels.options),
            // What the window plays, if it is of this state of the level.
            recording: self.state.export_recording(),
        };
        let LastExport {
            format, options, ..
        } = last;
        self.work.start(
            ctx,
            format!("Exporting {}", format.title),
            Display::Shown,
            move |job| {
                // The dialog of files has asked before.
                let place = (&target, true);
                let outcome = exchange::export_to(format, &input, &options, place, job);
                let (exported, files) = match outcome {
                    Err(ExportError::Cancelled(_)) => return Ok(None),
                    other => other?,
                };
                let count = files.beside.len() + 1;
                let done = match count {
                    1 => format!("Exported to {}", target.path().display()),
                    _ => format!("Exported {count} files into {}", target.path().display()),
                };
                Ok::<_, ExportError>(Some((done, exported.remarks())))
            },
            |editor, outcome| match outcome {
                Ok(Ok(Some((done, warnings)))) => editor.tell_warnings(&done, &warnings),
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

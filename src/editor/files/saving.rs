//! Saving of level files, never over another program's changes without asking.

use super::{Old, sentence};
use crate::document::format::disk::FileError;
use crate::document::session::Overwrite;
use crate::document::{Edit, Settings, template};
use crate::editor::dialog::changed_on_disk::{ChangedOnDisk, Occasion};
use crate::editor::intention::{Intention, Purpose};
use crate::editor::notice::Notice;
use crate::editor::open_level::OpenLevel;
use crate::editor::{Command, Editor};
use std::path::Path;
use std::sync::Arc;

impl Editor {
    /// Saves to the level's file, or asks for one first.
    pub(in crate::editor) fn save(&mut self, ctx: &egui::Context, then: Option<Intention>) {
        self.state.cancel_drag();
        if self.state.path().is_some() {
            self.write_own_file(ctx, Overwrite::Never, then);
        } else {
            self.choose_file(ctx, Purpose::SaveAs { then });
        }
    }

    pub(super) fn write_own_file(
        &mut self,
        ctx: &egui::Context,
        overwrite: Overwrite,
        then: Option<Intention>,
    ) {
        let OpenLevel::Session(session) = &mut self.state.level else {
            return;
        };
        match session.save(overwrite) {
            Ok(saved) => self.saved(ctx, saved.no_backup, then),
            Err(FileError::Changed(_)) => self.show(ChangedOnDisk {
                occasion: Occasion::Saving,
            }),
            Err(error) => self.not_saved(&error),
        }
    }

    pub(in crate::editor) fn save_level_to(
        &mut self,
        ctx: &egui::Context,
        path: &Path,
        overwrite: Overwrite,
        then: Option<Intention>,
    ) {
        let state = self.store.state_folder().to_owned();
        self.name_after(path);
        let OpenLevel::Session(session) = &mut self.state.level else {
            return;
        };
        match session.save_as(path, overwrite, &state) {
            Ok(saved) => {
                self.recent.remember(path);
                self.keep_recent();
                self.saved(ctx, saved.no_backup, then);
            }
            Err(error) => self.not_saved(&error),
        }
    }

    /// Names an unnamed level after its file.
    fn name_after(&mut self, path: &Path) {
        let settings = self.state.document().level().settings();
        let unnamed = matches!(settings.name.trim(), "" | template::UNNAMED);
        let Some(stem) = path.file_stem().filter(|_| unnamed) else {
            return;
        };
        let mut settings = Settings::clone(settings);
        settings.name = stem.to_string_lossy().into_owned();
        // If the file's name is not a valid level name, the level stays unnamed.
        if settings.check().is_ok() {
            let edits = vec![Edit::Settings(Arc::new(settings))];
            let _ = self
                .state
                .level
                .commit("Name after the file".to_owned(), edits, None);
        }
    }

    fn saved(
        &mut self,
        ctx: &egui::Context,
        no_backup: Option<std::io::Error>,
        then: Option<Intention>,
    ) {
        // Our own write is not a foreign change.
        if let Some(watch) = &self.files.watch {
            let _ = watch.take_touched();
        }
        match no_backup {
            Some(error) => self.state.notify(Notice::warning(format!(
                "Saved, but the previous version could not be backed up: {error}."
            ))),
            None => self.state.notify(Notice::done(format!(
                "Saved {}.",
                self.state.title_with_file()
            ))),
        }
        self.export_on_save(ctx);
        if let Some(intention) = then {
            self.carry_out(ctx, intention, Old::Settled);
        }
    }

    fn not_saved(&mut self, error: &FileError) {
        self.state
            .notify(Notice::error(sentence(error)).with_remedy(Command::SaveAs));
    }
}

//! Opening of a level file: as it is, with unsaved work, or what can be recovered of it.

use super::{Old, put_away, sentence};
use crate::document::format::disk::{self, FileError};
use crate::document::format::salvage::{Salvaged, salvage};
use crate::document::session::{Opened, Recovery, Session};
use crate::editor::Editor;
use crate::editor::dialog::recovery::Recover;
use crate::editor::notice::Notice;
use crate::editor::open_level::OpenLevel;
use crate::editor::work::Display;
use std::path::{Path, PathBuf};

/// Recovery found while opening a level; waits for the user's choice.
#[derive(Debug)]
pub(in crate::editor) struct PendingRecovery {
    recovery: Box<Recovery>,
    old: Old,
}

impl Editor {
    pub(super) fn open_file(&mut self, ctx: &egui::Context, path: PathBuf, old: Old) {
        // A folder reached by another path would make a second entry among the recent files.
        let path = path.canonicalize().unwrap_or(path);
        if self.state.path() == Some(&path) {
            // A level cannot be opened a second time while it is open.
            match old {
                Old::Settled => self
                    .state
                    .notify(Notice::info("That level is already open.")),
                Old::Dropped => self.reload(ctx),
            }
            return;
        }
        let state = self.store.state_folder().to_owned();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let title = format!("Opening {name}");
        let task = self.work.start(
            ctx,
            title,
            Display::Shown,
            {
                let path = path.clone();
                move |_| {
                    let opened = Session::open(&path, &state);
                    let salvaged = match &opened {
                        Err(FileError::Format { .. }) => {
                            disk::read(&path).ok().and_then(|file| salvage(&file.text))
                        }
                        _ => None,
                    };
                    (opened, salvaged)
                }
            },
            move |editor, outcome| match outcome {
                Ok((Ok(Opened::Clean(session)), _)) => editor.show_session(session, old),
                Ok((Ok(Opened::Unsaved(recovery)), _)) => editor.offer_recovery(recovery, old),
                Ok((Err(_), Some(salvaged))) => editor.show_salvaged(&path, salvaged, old),
                Ok((Err(error), None)) => {
                    if matches!(error, FileError::Missing(_)) {
                        editor.recent.forget(&path);
                        editor.keep_recent();
                    }
                    editor.state.notify(Notice::error(sentence(&error)));
                }
                Err(error) => editor.state.notify(Notice::error(format!(
                    "{} could not be opened: {error}.",
                    path.display()
                ))),
            },
        );
        self.files.opening = Some(task);
    }

    /// Opens the readable part of a damaged file as a level without a file, so that the damaged one
    /// is not overwritten by accident.
    fn show_salvaged(&mut self, path: &Path, salvaged: Salvaged, old: Old) {
        let Salvaged {
            loaded,
            error,
            lost,
            maybe_lost,
        } = salvaged;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let lost = match (lost, lost + maybe_lost) {
            (0, 0) => "nothing else seems to be lost".to_owned(),
            (1, 1) => "one object is lost".to_owned(),
            (lost, most) if lost == most => format!("{lost} objects are lost"),
            (lost, most) => format!("at least {} and up to {most} objects are lost", lost.max(1)),
        };
        let notice = format!(
            "{name} is damaged: {error}. What could be read is open as a copy, {} objects; {lost}. \
             Save it under another name; the damaged file stays as it is.",
            loaded.level.len()
        );
        let session = Session::imported(loaded.level, self.store.state_folder());
        self.show_session(session, old);
        self.state.notify(Notice::warning(notice));
    }

    pub(in crate::editor) fn show_session(&mut self, session: Session, old: Old) {
        if let Some(path) = session.path() {
            self.recent.remember(path);
            self.keep_recent();
        }
        let before = self.state.open(OpenLevel::Session(Box::new(session)));
        put_away(before, old);
        self.dialogs.clear();
        self.files.told_trouble = false;
        self.clipboard.forget();
        let level = self.state.document().level();
        self.windows.first_level.opened(level);
    }

    pub(super) fn offer_recovery(&mut self, recovery: Box<Recovery>, old: Old) {
        let name = recovery.path().map_or_else(
            || {
                let name = &recovery.document().level().settings().name;
                if name.is_empty() {
                    "Untitled level".to_owned()
                } else {
                    name.clone()
                }
            },
            |path| {
                let name = path.file_name().unwrap_or_default();
                name.to_string_lossy().into_owned()
            },
        );
        self.show(Recover {
            name,
            summary: recovery.summary.clone(),
            has_file: recovery.path().is_some(),
        });
        self.files.recovery = Some(PendingRecovery { recovery, old });
    }

    pub(super) fn settle_recovery(&mut self, ctx: &egui::Context, accept: bool) {
        let Some(PendingRecovery { recovery, old }) = self.files.recovery.take() else {
            return;
        };
        if accept {
            self.show_session(recovery.accept(), old);
            self.state.notify(Notice::done(
                "The unsaved work was restored. Save it to keep it.",
            ));
        } else {
            let aside = recovery.aside();
            if let Some(session) = recovery.decline() {
                self.show_session(session, old);
            }
            if let Some(aside) = aside.filter(|path| path.exists()) {
                self.state.notify(Notice::info(format!(
                    "The unsaved work is kept as {}. To come back to it, close the level and \
                     take the “~” off that name.",
                    aside.display()
                )));
            }
        }
        self.unsaved =
            crate::editor::welcome::Unsaved::find(&self.recent, self.store.state_folder());
        ctx.request_repaint();
    }
}

//! Level files: new, open, save, revert, recover. Unsaved work is never discarded without asking.

mod opening;
mod question;
mod saving;

use opening::PendingRecovery;

use super::choosing::DesktopDialog;
use super::dialog::changed_on_disk::{ChangedOnDisk, Occasion};
use super::dialog::confirm::Confirm;
use super::dialog::heights::ImportHeights;
use super::dialog::unsaved::Unsaved;
use super::intention::{Intention, Purpose, Request};
use super::notice::Notice;
use super::open_level::OpenLevel;
use super::recordings::{self, ShownAs};
use super::state::LastExport;
use super::store::Item;
use super::watch::FileWatch;
use super::work::{Display, JobId};
use super::{Command, Editor};
use crate::document::session::{FileState, Overwrite, Session};
use crate::document::template;
use crate::exchange::import::read_head;
use crate::exchange::registry;
use crate::jobs::JobError;
use std::path::PathBuf;

/// Extension of level files.
pub const LEVEL_ENDING: &str = "ron";

/// What is going on about files, between frames.
#[derive(Debug, Default)]
pub(super) struct FileWork {
    pub(super) recovery: Option<PendingRecovery>,
    pub(super) desktop_dialog: Option<DesktopDialog>,
    /// Whether the desktop offers file dialogs; looked up when first needed.
    pub(super) portal: Option<bool>,
    /// Tells when other programs change the level's file.
    pub(super) watch: Option<FileWatch>,
    /// A file is being read. At the start the welcome page waits for it.
    pub(super) opening: Option<JobId>,
    /// Unsaved work is settled: the window may close.
    pub(super) quitting: bool,
    /// The journal cannot be written, and the user knows.
    pub(super) told_trouble: bool,
}

/// What to do with the level being closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Old {
    /// It has no unsaved work.
    Settled,
    /// Its unsaved work is discarded.
    Dropped,
}

impl Editor {
    pub(super) fn answer(&mut self, ctx: &egui::Context, request: Request) {
        match request {
            Request::Intend(intention) => self.intend(ctx, intention),
            Request::Discard(intention) => self.carry_out(ctx, intention, Old::Dropped),
            Request::Save { then } => self.save(ctx, then),
            Request::SaveTo {
                path,
                overwrite,
                then,
            } => self.save_to(ctx, &path, overwrite, then),
            Request::Chosen { purpose, path } => self.chosen(ctx, purpose, path),
            Request::PlaceMesh { path, options } => self.place_mesh(ctx, path, options),
            Request::Heights { path, range } => self.import_heights(ctx, path, range),
            Request::Export {
                format,
                options,
                keep,
            } => {
                let purpose = Purpose::Export {
                    format,
                    options,
                    keep,
                };
                self.choose_file(ctx, purpose);
            }
            Request::ExportPreset(name) => self.export_preset(ctx, &name),
            Request::Convert(form) => self.convert(form),
            Request::Replace(replacement) => self.replace(replacement),
            Request::Overwrite => self.write_own_file(ctx, Overwrite::OnPurpose, None),
            Request::Reload => self.reload(ctx),
            Request::AcceptRecovery => self.settle_recovery(ctx, true),
            Request::DeclineRecovery => self.settle_recovery(ctx, false),
            Request::Preferences(preferences) => self.set_preferences(ctx, *preferences),
            Request::ForgetRecent(path) => {
                self.recent.forget(&path);
                self.keep_recent();
            }
        }
    }

    /// Performs something that closes the level, after asking about unsaved work.
    pub fn intend(&mut self, ctx: &egui::Context, intention: Intention) {
        self.state.cancel_drag();
        if self.state.level_is_open() && self.state.document().is_dirty() {
            self.show(Unsaved { then: intention });
        } else {
            self.carry_out(ctx, intention, Old::Settled);
        }
    }

    fn carry_out(&mut self, ctx: &egui::Context, intention: Intention, old: Old) {
        match intention {
            Intention::Open(path) => self.open_file(ctx, path, old),
            Intention::New { template, options } => {
                let state = self.store.state_folder().to_owned();
                self.work.start(
                    ctx,
                    format!("Drawing “{}”", template.name()),
                    Display::Shown,
                    move |_| {
                        let level = template.build(&options)?;
                        Ok(Session::unnamed(level, &state))
                    },
                    move |editor, outcome: Result<Result<_, template::TemplateError>, _>| {
                        match flatten(outcome) {
                            Ok(session) => editor.show_session(session, old),
                            Err(sentence) => editor.state.notify(Notice::error(sentence)),
                        }
                    },
                );
            }
            Intention::Import { path, request } => self.import(ctx, path, request, old),
            Intention::Resume(journal) => match Session::resume_unnamed(&journal) {
                Ok(recovery) => self.offer_recovery(Box::new(recovery), old),
                Err(error) => self.state.notify(Notice::error(sentence(&error))),
            },
            Intention::Welcome => {
                let level = self.state.close();
                self.files.watch = None;
                put_away(level, old);
                self.unsaved =
                    super::welcome::Unsaved::find(&self.recent, self.store.state_folder());
            }
            Intention::Quit => {
                if old == Old::Dropped {
                    put_away(self.state.close(), old);
                }
                self.files.quitting = true;
                ctx.send_viewport_cmd(egui::ViewportCommand::Close);
            }
        }
    }

    /// Reverts to the file; asks first if that discards work.
    pub(super) fn revert(&mut self, ctx: &egui::Context) {
        if self.state.document().is_dirty() {
            self.show(Confirm {
                title: format!("Revert “{}”?", self.state.title()),
                text: "All changes since the last save are discarded.".to_owned(),
                go: "Revert".to_owned(),
                request: Request::Reload,
            });
        } else {
            self.reload(ctx);
        }
    }

    /// Reverts to the file unconditionally.
    pub(super) fn reload(&mut self, ctx: &egui::Context) {
        let OpenLevel::Session(session) = &mut self.state.level else {
            return;
        };
        match session.revert() {
            Ok(()) => {
                self.state.forget_derived();
                self.state.notify(Notice::done("Reloaded from disk."));
            }
            Err(error) => self.state.notify(Notice::error(sentence(&error))),
        }
        ctx.request_repaint();
    }

    /// Watches the file of the open level, and reacts when another program changed it.
    pub(super) fn keep_watch(&mut self, ctx: &egui::Context) {
        let path = self.state.path();
        if self
            .files
            .watch
            .as_ref()
            .and_then(|watch| watch.paths().first())
            .map(PathBuf::as_path)
            != path
        {
            self.files.watch = path.and_then(|path| FileWatch::new(path, ctx));
        }
        if !self
            .files
            .watch
            .as_ref()
            .is_some_and(FileWatch::take_touched)
        {
            return;
        }
        let OpenLevel::Session(session) = &self.state.level else {
            return;
        };
        match session.file_state() {
            FileState::Unnamed | FileState::Same => {}
            FileState::Gone => self.state.notify(
                Notice::warning("The level’s file was moved or deleted. Saving writes it again.")
                    .with_remedy(Command::Save),
            ),
            FileState::Changed if self.state.document().is_dirty() => {
                if self.dialogs.is_empty() {
                    self.show(ChangedOnDisk {
                        occasion: Occasion::Noticed,
                    });
                }
            }
            FileState::Changed => self.reload(ctx),
        }
    }

    /// Warns once per level when unsaved work would not survive a crash.
    pub(super) fn tell_trouble(&mut self) {
        if let OpenLevel::Session(session) = &self.state.level
            && let Some(trouble) = session.trouble()
            && !self.files.told_trouble
        {
            self.files.told_trouble = true;
            let mut text = trouble.to_owned();
            if let Some(first) = text.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            self.state.notify(Notice::warning(format!("{text}.")));
        }
    }

    /// Handles a request to close the window: not before unsaved work is resolved.
    pub(super) fn heed_close(&mut self, ctx: &egui::Context) {
        let asked = ctx.input(|input| input.viewport().close_requested());
        if asked
            && !self.files.quitting
            && self.state.level_is_open()
            && self.state.document().is_dirty()
        {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            if self.dialogs.is_empty() {
                self.intend(ctx, Intention::Quit);
            }
        }
    }

    /// Files dropped onto the window: opens the first one.
    pub(super) fn take_dropped(&mut self, ctx: &egui::Context) {
        let dropped: Vec<PathBuf> = ctx.input(|input| {
            input
                .raw
                .dropped_files
                .iter()
                .map(|file| file.path().to_owned())
                .collect()
        });
        let Some(first) = dropped.first() else {
            return;
        };
        if dropped.len() > 1 {
            self.state.notify(Notice::info(
                "Only one level can be open at a time; the first file is opened.",
            ));
        }
        self.open_any(ctx, first.clone());
    }

    /// Opens a level, or imports another format.
    pub fn open_any(&mut self, ctx: &egui::Context, path: PathBuf) {
        if recordings::is_recording(&path) {
            self.open_recording(ctx, path, ShownAs::Run);
            return;
        }
        // What cannot be read is opened, which says why it cannot.
        let head = read_head(&path).unwrap_or_default();
        match registry::detect(&path, &head) {
            Some(format) if format != &registry::WAYLOOM => self.show_import(path),
            _ => self.intend(ctx, Intention::Open(path)),
        }
    }

    fn chosen(&mut self, ctx: &egui::Context, purpose: Purpose, path: PathBuf) {
        self.recent.folder = path.parent().map(ToOwned::to_owned);
        match purpose {
            Purpose::Open => self.open_any(ctx, path),
            // The dialog has already asked about overwriting.
            Purpose::SaveAs { then } => self.save_to(ctx, &path, Overwrite::OnPurpose, then),
            Purpose::Import => self.show_import(path),
            Purpose::Heights => self.show(ImportHeights::new(path)),
            Purpose::Export {
                format,
                options,
                keep,
            } => {
                let last = LastExport {
                    format,
                    options,
                    path,
                };
                if let Some(keep) = keep {
                    self.keep_export(&last, keep);
                }
                self.export(ctx, last);
            }
            Purpose::Picture => self.save_picture(ctx, path),
            Purpose::Recording(shown_as) => self.open_recording(ctx, path, shown_as),
            Purpose::SaveRecording => self.save_recording(ctx, path),
        }
    }

    pub(super) fn keep_recent(&mut self) {
        if let Err(trouble) = self.store.save(Item::Recent, &self.recent) {
            self.state.notify(Notice::warning(trouble));
        }
    }
}

fn put_away(level: OpenLevel, old: Old) {
    if let (OpenLevel::Session(session), Old::Dropped) = (level, old) {
        session.discard();
    }
}

fn flatten<T, E: std::fmt::Display>(outcome: Result<Result<T, E>, JobError>) -> Result<T, String> {
    match outcome {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(sentence(&error)),
        Err(error) => Err(sentence(&error)),
    }
}

/// An error as a sentence for a notice.
fn sentence(error: &dyn std::fmt::Display) -> String {
    format!("{error}.")
}

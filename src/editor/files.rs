//! Levels come and go: new, open, save, revert, recover. Nothing is put away unasked.

use super::Command;
use super::Editor;
use super::dialog::changed_on_disk::{ChangedOnDisk, Occasion};
use super::dialog::confirm::Confirm;
use super::dialog::file::{Filter, Mode, Question};
use super::dialog::heights::ImportHeights;
use super::dialog::recovery::Recover;
use super::dialog::unsaved::Unsaved;
use super::intention::{Intention, Purpose, Request};
use super::notice::Notice;
use super::open_level::OpenLevel;
use super::state::LastExport;
use super::store::Item;
use super::watch::FileWatch;
use super::work::Display;
use crate::document::format::disk::{self, FileError};
use crate::document::format::salvage::{Salvaged, salvage};
use crate::document::session::{FileState, Opened, Overwrite, Recovery, Session};
use crate::document::{Edit, Settings, template};
use crate::exchange::Format;
use crate::jobs::JobError;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The ending of level files.
pub const LEVEL_ENDING: &str = "ron";

/// What becomes of the level that is put away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Old {
    /// It has nothing unsaved.
    Settled,
    /// Its unsaved work is not wanted.
    Dropped,
}

/// Found while opening a level: waits for the person's choice.
#[derive(Debug)]
pub(super) struct PendingRecovery {
    recovery: Box<Recovery>,
    old: Old,
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
            Request::PlaceMesh { path, options } => self.place_mesh(ctx, path, *options),
            Request::Heights { path, range } => self.import_heights(ctx, path, range),
            Request::Export { format, options } => self.choose_export(ctx, format, *options),
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

    /// Does something that puts the level away, after asking about unsaved work.
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
            Intention::Import { path, options } => self.import(ctx, path, *options, old),
            Intention::Resume(journal) => match Session::resume_unnamed(&journal) {
                Ok(recovery) => self.offer_recovery(Box::new(recovery), old),
                Err(error) => self.state.notify(Notice::error(sentence(&error))),
            },
            Intention::Welcome => {
                let level = self.state.close();
                self.watch = None;
                put_away(level, old);
                self.unsaved =
                    super::welcome::Unsaved::find(&self.recent, self.store.state_folder());
            }
            Intention::Quit => {
                if old == Old::Dropped {
                    put_away(self.state.close(), old);
                }
                self.quitting = true;
                ctx.send_viewport_cmd(egui::ViewportCommand::Close);
            }
        }
    }

    fn open_file(&mut self, ctx: &egui::Context, path: PathBuf, old: Old) {
        // The same folder by another way would make a second entry among the recent files.
        let path = path.canonicalize().unwrap_or(path);
        if self.state.path() == Some(&path) {
            // It cannot be opened beside itself.
            match old {
                Old::Settled => self
                    .state
                    .notify(Notice::info("That level is open already.")),
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
        self.opening = Some(task);
    }

    /// Opens what is left of a damaged file, as a level that has no file yet: the damaged one is
    /// not overwritten by a slip of the hand.
    fn show_salvaged(&mut self, path: &Path, salvaged: Salvaged, old: Old) {
        let Salvaged {
            loaded,
            error,
            lost,
        } = salvaged;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let lost = match lost {
            0 => "nothing else seems to be lost".to_owned(),
            1 => "one object is lost".to_owned(),
            more => format!("{more} objects are lost"),
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

    pub(super) fn show_session(&mut self, session: Session, old: Old) {
        if let Some(path) = session.path() {
            self.recent.remember(path);
            self.keep_recent();
        }
        let before = self.state.open(OpenLevel::Session(Box::new(session)));
        put_away(before, old);
        self.dialogs.clear();
        self.told_trouble = false;
        self.clipboard.forget();
    }

    fn offer_recovery(&mut self, recovery: Box<Recovery>, old: Old) {
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
        self.recovery = Some(PendingRecovery { recovery, old });
    }

    fn settle_recovery(&mut self, ctx: &egui::Context, accept: bool) {
        let Some(PendingRecovery { recovery, old }) = self.recovery.take() else {
            return;
        };
        if accept {
            self.show_session(recovery.accept(), old);
            self.state.notify(Notice::done(
                "The unsaved work is back. Save it to keep it.",
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
        self.unsaved = super::welcome::Unsaved::find(&self.recent, self.store.state_folder());
        ctx.request_repaint();
    }

    /// Saves to the level's file, or asks for one first.
    pub(super) fn save(&mut self, ctx: &egui::Context, then: Option<Intention>) {
        self.state.cancel_drag();
        if self.state.path().is_some() {
            self.write_own_file(ctx, Overwrite::Never, then);
        } else {
            self.choose_file(ctx, Purpose::SaveAs { then });
        }
    }

    fn write_own_file(
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

    pub(super) fn save_level_to(
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

    /// A level that nobody has named yet is called what its file is.
    fn name_after(&mut self, path: &Path) {
        let settings = self.state.document().level().settings();
        let unnamed = matches!(settings.name.trim(), "" | template::UNNAMED);
        let Some(stem) = path.file_stem().filter(|_| unnamed) else {
            return;
        };
        let mut settings = Settings::clone(settings);
        settings.name = stem.to_string_lossy().into_owned();
        // A file's name that is no level's name: the level stays without one.
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
        // Our own write is not somebody else's.
        if let Some(watch) = &self.watch {
            let _ = watch.take_touched();
        }
        match no_backup {
            Some(error) => self.state.notify(Notice::warning(format!(
                "Saved, but the version before could not be kept as a backup: {error}."
            ))),
            None => self.state.notify(Notice::done(format!(
                "Saved {}.",
                self.state.title_with_file()
            ))),
        }
        if let Some(intention) = then {
            self.carry_out(ctx, intention, Old::Settled);
        }
    }

    fn not_saved(&mut self, error: &FileError) {
        self.state
            .notify(Notice::error(sentence(error)).with_remedy(Command::SaveAs));
    }

    /// Goes back to what the file holds; asks first if that drops any work.
    pub(super) fn revert(&mut self, ctx: &egui::Context) {
        if self.state.document().is_dirty() {
            self.show(Confirm {
                title: format!("Revert “{}”?", self.state.title()),
                text: "All changes since the last save are dropped.".to_owned(),
                go: "Revert".to_owned(),
                request: Request::Reload,
            });
        } else {
            self.reload(ctx);
        }
    }

    /// Goes back to what the file holds, whatever has been done here.
    pub(super) fn reload(&mut self, ctx: &egui::Context) {
        let OpenLevel::Session(session) = &mut self.state.level else {
            return;
        };
        match session.revert() {
            Ok(()) => {
                self.state.forget_derived();
                self.state
                    .notify(Notice::done("The level is as its file has it."));
            }
            Err(error) => self.state.notify(Notice::error(sentence(&error))),
        }
        ctx.request_repaint();
    }

    /// Watches the file of the open level, and reacts when another program has touched it.
    pub(super) fn keep_watch(&mut self, ctx: &egui::Context) {
        let path = self.state.path();
        if self
            .watch
            .as_ref()
            .and_then(|watch| watch.paths().first())
            .map(PathBuf::as_path)
            != path
        {
            self.watch = path.and_then(|path| FileWatch::new(path, ctx));
        }
        if !self.watch.as_ref().is_some_and(FileWatch::take_touched) {
            return;
        }
        let OpenLevel::Session(session) = &self.state.level else {
            return;
        };
        match session.file_state() {
            FileState::Unnamed | FileState::Same => {}
            FileState::Gone => self.state.notify(
                Notice::warning(
                    "The level’s file is gone: it was moved or deleted. Saving writes it again.",
                )
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

    /// Says once per level when unsaved work would not survive a crash.
    pub(super) fn tell_trouble(&mut self) {
        if let OpenLevel::Session(session) = &self.state.level
            && let Some(trouble) = session.trouble()
            && !self.told_trouble
        {
            self.told_trouble = true;
            let mut text = trouble.to_owned();
            if let Some(first) = text.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            self.state.notify(Notice::warning(format!("{text}.")));
        }
    }

    /// The window is asked to close: not before unsaved work is settled.
    pub(super) fn heed_close(&mut self, ctx: &egui::Context) {
        let asked = ctx.input(|input| input.viewport().close_requested());
        if asked && !self.quitting && self.state.level_is_open() && self.state.document().is_dirty()
        {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            if self.dialogs.is_empty() {
                self.intend(ctx, Intention::Quit);
            }
        }
    }

    /// Files dropped onto the window: the first one is opened.
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
                "One level can be open at a time; the first of the files is opened.",
            ));
        }
        self.open_any(ctx, first.clone());
    }

    /// Opens a level, or imports whatever else it is.
    pub fn open_any(&mut self, ctx: &egui::Context, path: PathBuf) {
        match Format::of_path(&path) {
            Some(format) if format != Format::Wayloom && format.info().reads => {
                self.show_import(path);
            }
            _ => self.intend(ctx, Intention::Open(path)),
        }
    }

    fn chosen(&mut self, ctx: &egui::Context, purpose: Purpose, path: PathBuf) {
        self.recent.folder = path.parent().map(ToOwned::to_owned);
        match purpose {
            Purpose::Open => self.open_any(ctx, path),
            // The dialog has asked about overwriting already.
            Purpose::SaveAs { then } => self.save_to(ctx, &path, Overwrite::OnPurpose, then),
            Purpose::Import => self.show_import(path),
            Purpose::Heights => self.show(ImportHeights::new(path)),
            Purpose::Export { format, options } => self.export(
                ctx,
                LastExport {
                    format,
                    options: *options,
                    path,
                },
            ),
            Purpose::Picture => self.save_picture(ctx, path),
        }
    }

    pub(super) fn question(&self, purpose: Purpose) -> Question {
        let folder = self
            .state
            .path()
            .and_then(Path::parent)
            .map(ToOwned::to_owned)
            .or_else(|| self.recent.folder.clone())
            .filter(|folder| folder.is_dir())
            .or_else(|| {
                directories::UserDirs::new().map(|dirs| {
                    dirs.document_dir()
                        .unwrap_or_else(|| dirs.home_dir())
                        .to_owned()
                })
            })
            .filter(|folder| folder.is_dir())
            .or_else(|| std::env::current_dir().ok())
            .unwrap_or_else(|| PathBuf::from("."));
        let levels = Filter::new("Wayloom levels", &[LEVEL_ENDING]);
        let (mode, title, filters, ending) = match &purpose {
            Purpose::Open => (Mode::Open, "Open a level", vec![levels, Filter::all()], ""),
            Purpose::SaveAs { .. } => (Mode::Save, "Save the level as", vec![levels], LEVEL_ENDING),
            Purpose::Import => {
                let foreign: Vec<Format> = Format::readable()
                    .filter(|format| *format != Format::Wayloom)
                    .collect();
                let all: Vec<&str> = foreign
                    .iter()
                    .flat_map(|format| format.info().extensions.iter().copied())
                    .collect();
                let filters = std::iter::once(Filter::new("All known formats", &all))
                    .chain(foreign.iter().map(filter_of))
                    .chain([Filter::all()])
                    .collect();
                (Mode::Open, "Import a file", filters, "")
            }
            Purpose::Heights => (
                Mode::Open,
                "Import a picture of heights",
                vec![filter_of(&Format::Heights), Filter::all()],
                "",
            ),
            Purpose::Export { format, .. } => (
                Mode::Save,
                "Export the level as",
                vec![filter_of(format)],
                format.info().extensions[0],
            ),
            Purpose::Picture => (
                Mode::Save,
                "Save a picture of the view",
                vec![Filter::new("PNG pictures", &["png"])],
                "png",
            ),
        };
        let name = match mode {
            Mode::Open => String::new(),
            Mode::Save => {
                let own = self.state.path().and_then(Path::file_stem);
                let stem = own.map_or_else(
                    || file_stem(&self.state.title()),
                    |stem| stem.to_string_lossy().into_owned(),
                );
                format!("{stem}.{ending}")
            }
        };
        Question {
            purpose,
            mode,
            title: title.to_owned(),
            filters,
            folder,
            name,
        }
    }

    pub(super) fn keep_recent(&mut self) {
        if let Err(trouble) = self.store.save(Item::Recent, &self.recent) {
            self.state.notify(Notice::warning(trouble));
        }
    }
}

fn filter_of(format: &Format) -> Filter {
    Filter::new(format.info().name, format.info().extensions)
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

/// A level's name as the name of a file on any system.
fn file_stem(title: &str) -> String {
    let stem: String = title
        .trim()
        .chars()
        .map(|c| {
            if c.is_control() || "<>:\"/\\|?*".contains(c) {
                '_'
            } else {
                c
            }
        })
        .take(80)
        .collect();
    if stem.trim_matches('.').is_empty() {
        "level".to_owned()
    } else {
        stem
    }
}

#[cfg(test)]
mod tests {
    use super::file_stem;

    #[test]
    fn any_title_makes_a_file_name() {
        assert_eq!(file_stem("Mc Kenna"), "Mc Kenna");
        assert_eq!(file_stem("a/b:c"), "a_b_c");
        assert_eq!(file_stem(".."), "level");
        assert_eq!(file_stem(""), "level");
    }
}

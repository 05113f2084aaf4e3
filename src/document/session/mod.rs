//! An open level: the document, its file, and the journal that protects it.

mod open_files;
mod recovery;

pub use recovery::Recovery;

use super::{
    edit::Edit,
    format::{
        self,
        disk::{self, FileError, Replacing},
        journal::{Journal, JournalError},
    },
    history::{Document, MergeKey, Step},
    model::Level,
    ops::EditError,
    selection::Selection,
};
use crate::base::{ContentHash, EntityId, io_words};
use open_files::OpenFile;
use recovery::{ReplayedSession, aside, examine};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

#[derive(Debug)]
pub struct Session {
    document: Document,
    path: Option<PathBuf>,
    /// Fingerprint of the file when it was last read or written.
    file_hash: Option<ContentHash>,
    journal: Option<Journal>,
    /// For a level with a file: tells the next start that it is open.
    open_file: Option<OpenFile>,
    /// Steps the journal could not store yet.
    waiting: Vec<Step>,
    journaled: Journaled,
    trouble: Option<String>,
}

/// How many undo and redo steps a replay of the journal can perform. A save restarts the journal
/// while the document keeps its history, so the document may have more.
#[derive(Clone, Copy, Debug, Default)]
struct Journaled {
    undo: usize,
    redo: usize,
}

impl Journaled {
    /// After a commit.
    const fn committed(&mut self, merged: bool) {
        if !merged {
            self.undo += 1;
        }
        self.redo = 0;
    }

    /// After an undo or a redo, which the journal may record as such if replaying can take it.
    const fn moved(&mut self, step: &Step) -> bool {
        let (from, to) = match step {
            Step::Redo => (&mut self.redo, &mut self.undo),
            _ => (&mut self.undo, &mut self.redo),
        };
        if *from == 0 {
            return false;
        }
        *from -= 1;
        *to += 1;
        true
    }
}

/// Result of opening a level.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one short-lived value per opened level"
)]
pub enum Opened {
    /// As it was saved.
    Clean(Session),
    /// An earlier session ended without saving.
    Unsaved(Box<Recovery>),
}

/// Whether a save may overwrite a file that changed on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrite {
    Never,
    OnPurpose,
}

/// The file on disk compared with what this session knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileState {
    /// The level has no file yet.
    Unnamed,
    Same,
    Changed,
    Gone,
}

/// Where journals of unnamed levels are stored.
#[must_use]
pub fn state_folder() -> PathBuf {
    directories::ProjectDirs::from("", "", "wayloom").map_or_else(
        || std::env::temp_dir().join("wayloom"),
        |dirs| dirs.state_dir().unwrap_or(dirs.data_local_dir()).to_owned(),
    )
}

/// Where the journal of a level file is stored if its folder is writable.
#[must_use]
pub fn journal_path(level: &Path) -> PathBuf {
    let name = level.file_name().unwrap_or_default().to_string_lossy();
    level.with_file_name(format!(".{name}.journal"))
}

/// Prefix of journals of levels without a file.
const UNNAMED: &str = "unnamed-";
/// Prefix of those that are worth keeping before the first edit.
const IMPORTED: &str = "unnamed-import-";

/// The folder that contains a file.
#[must_use]
pub fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Mesh folder of a level without a file: beside its journal.
fn unnamed_meshes(journal: &Path) -> PathBuf {
    journal.with_extension("meshes")
}

fn is_imported(journal: &Path) -> bool {
    let name = journal.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(IMPORTED)
}

impl Session {
    /// A level without a file. Its journal is stored in `state`, see [`state_folder`].
    #[must_use]
    pub fn unnamed(level: Level, state: &Path) -> Self {
        Self::without_file(level, state, UNNAMED)
    }

    /// An imported level without a file: unsaved from the start.
    #[must_use]
    pub fn imported(level: Level, state: &Path) -> Self {
        let mut session = Self::without_file(level, state, IMPORTED);
        session.document.mark_unsaved();
        session
    }

    fn without_file(level: Level, state: &Path, prefix: &str) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let name = format!(
            "{prefix}{}-{}.journal",
            since.map_or(0, |time| time.as_nanos()),
            std::process::id()
        );
        let document = Document::new(level, EntityId::new(1));
        let journal = take_in(state, &name);
        let mut session = Self::new(document, None, None, journal.map_err(|e| e.to_string()));
        session.restart_journal();
        session
    }

    /// Opens a level file and locks its journal.
    ///
    /// # Errors
    /// The file cannot be read, is not a level, or is open elsewhere.
    pub fn open(path: &Path, state: &Path) -> Result<Opened, FileError> {
        let journal = take_journal(path, state);
        if matches!(journal, Err(JournalError::Locked)) {
            return Err(FileError::InUse(path.to_owned()));
        }
        let file = read_file(path);
        let hash = file.as_ref().ok().map(|(_, hash)| *hash);
        let (journal, found) = match journal {
            Ok(journal) => examine(journal, hash),
            Err(error) => (Err(error.to_string()), None),
        };
        let recovered = found.filter(|found| found.document.is_dirty());
        match (file, recovered) {
            (Ok((document, hash)), None) => {
                disk::sweep(path);
                let mut session = Self::new(document, Some(path.to_owned()), Some(hash), journal);
                session.open_file = OpenFile::note(path, state);
                session.restart_journal();
                Ok(Opened::Clean(session))
            }
            (file, Some(found)) => {
                let mut session = Self::new(found.document, Some(path.to_owned()), hash, journal);
                session.open_file = OpenFile::note(path, state);
                Ok(Opened::Unsaved(Box::new(Recovery {
                    recovered: session,
                    saved: file.ok().map(|(document, _)| document),
                    summary: found.summary,
                })))
            }
            (Err(error), None) => {
                // Remove a journal that was only just created.
                if let Ok(journal) = journal {
                    let _ = fs::remove_file(journal.path());
                }
                Err(error)
            }
        }
    }

    /// Journals of unnamed levels in `state` that hold unsaved work and are not in use. Deletes
    /// empty ones.
    #[must_use]
    pub fn unsaved(state: &Path) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(state) else {
            return Vec::new();
        };
        let mut found: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                name.starts_with(UNNAMED) && name.ends_with(".journal")
            })
            .filter(|path| {
                let Ok(mut journal) = Journal::take(path) else {
                    return false;
                };
                match journal.contents() {
                    Ok(Some(contents)) => !contents.entries.is_empty() || is_imported(path),
                    Ok(None) => {
                        let _ = fs::remove_file(path);
                        false
                    }
                    Err(_) => false,
                }
            })
            .collect();
        found.sort();
        found
    }

    /// Whether opening this level would find unsaved work of a session that crashed. Changes
    /// nothing.
    #[must_use]
    pub fn has_unsaved(path: &Path, state: &Path) -> bool {
        let Some(journal) = journals_of(path, state).find(|path| path.is_file()) else {
            return false;
        };
        // Locked: that session is still running.
        let Ok(mut journal) = Journal::take(&journal) else {
            return false;
        };
        let hash = disk::hash_on_disk(path).ok().flatten();
        let Ok(Some(contents)) = journal.contents() else {
            return false;
        };
        ReplayedSession::replay(contents, hash).is_ok_and(|found| found.document.is_dirty())
    }

    fn has_journal(path: &Path, state: &Path) -> bool {
        journals_of(path, state).any(|path| path.is_file())
    }

    /// Opens the journal of an unnamed level for recovery.
    ///
    /// # Errors
    /// It cannot be read, or another process has locked it meanwhile.
    pub fn resume_unnamed(path: &Path) -> Result<Recovery, FileError> {
        let refuse = |error: JournalError| match error {
            JournalError::Locked => FileError::InUse(path.to_owned()),
            JournalError::Io(error) => FileError::Read {
                path: path.to_owned(),
                error,
            },
            JournalError::Damaged(error) => FileError::Format {
                path: path.to_owned(),
                error,
            },
        };
        let mut journal = Journal::take(path).map_err(refuse)?;
        let contents = journal
            .contents()
            .map_err(refuse)?
            .ok_or_else(|| FileError::Missing(path.to_owned()))?;
        let mut found =
            ReplayedSession::replay(contents, None).map_err(|error| FileError::Format {
                path: path.to_owned(),
                error,
            })?;
        if is_imported(path) && !found.document.is_dirty() {
            found.document.mark_unsaved();
            found.summary = "an imported level that was never saved".to_owned();
        }
        Ok(Recovery {
            recovered: Self::new(found.document, None, None, Ok(journal)),
            saved: None,
            summary: found.summary,
        })
    }

    fn new(
        document: Document,
        path: Option<PathBuf>,
        file_hash: Option<ContentHash>,
        journal: Result<Journal, String>,
    ) -> Self {
        let (journal, trouble) = match journal {
            Ok(journal) => (Some(journal), None),
            Err(why) => (None, Some(recovery_is_off(&why))),
        };
        let journaled = Journaled {
            undo: document.undo_labels().len(),
            redo: document.redo_labels().len(),
        };
        Self {
            journaled,
            document,
            path,
            file_hash,
            journal,
            open_file: None,
            waiting: Vec::new(),
            trouble,
        }
    }

    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Why unsaved work would currently not survive a crash, as a sentence.
    #[must_use]
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    pub fn select(&mut self, selection: Selection) {
        self.document.select(selection);
    }

    pub fn allocate_id(&mut self) -> EntityId {
        self.document.allocate_id()
    }

    /// See [`Document::commit`]. Returns whether anything changed.
    ///
    /// # Errors
    /// An edit is rejected; nothing has changed.
    pub fn commit(
        &mut self,
        label: impl Into<String>,
        edits: Vec<Edit>,
    ) -> Result<bool, EditError> {
        let step = self.document.commit(label, edits)?;
        Ok(self.record(step))
    }

    /// See [`Document::commit_merging`]. Returns whether anything changed.
    ///
    /// # Errors
    /// An edit is rejected; nothing has changed.
    pub fn commit_merging(
        &mut self,
        label: impl Into<String>,
        edits: Vec<Edit>,
        key: MergeKey,
    ) -> Result<bool, EditError> {
        let step = self
            .document
            .commit_merging(label, edits, key, Instant::now())?;
        Ok(self.record(step))
    }

    /// See [`Document::begin`].
    pub fn begin(&mut self, label: impl Into<String>) {
        self.document.begin(label);
    }

    /// See [`Document::preview`].
    ///
    /// # Errors
    /// An edit is rejected; the previous preview stays.
    pub fn preview(&mut self, edits: Vec<Edit>) -> Result<(), EditError> {
        self.document.preview(edits)
    }

    /// See [`Document::finish`]. Returns whether anything changed.
    ///
    /// # Errors
    /// See [`commit`](Self::commit).
    pub fn finish(&mut self) -> Result<bool, EditError> {
        let step = self.document.finish()?;
        Ok(self.record(step))
    }

    /// See [`Document::cancel`].
    pub fn cancel(&mut self) {
        self.document.cancel();
    }

    /// Returns whether anything was undone.
    pub fn undo(&mut self) -> bool {
        let before = Arc::clone(self.document.committed_level());
        let step = self.document.undo();
        self.record_move(step, &before)
    }

    /// Returns whether anything was redone.
    pub fn redo(&mut self) -> bool {
        let before = Arc::clone(self.document.committed_level());
        let step = self.document.redo();
        self.record_move(step, &before)
    }

    /// Writes an undo or a redo to the journal: as such, or as the edits that it amounts to where
    /// it leads to a state from before the journal began.
    fn record_move(&mut self, step: Option<Step>, before: &Level) -> bool {
        let Some(step) = step else {
            return false;
        };
        if self.journaled.moved(&step) {
            return self.record(Some(step));
        }
        let label = match step {
            Step::Redo => "Redo",
            _ => "Undo",
        };
        let edits = Edit::between(before, self.document.level());
        let is_recorded = self.record(Some(Step::Commit {
            label: label.to_owned(),
            edits,
            merged: false,
        }));
        // Replaying has one more step to undo now, which is none of the document's.
        self.journaled = Journaled::default();
        is_recorded
    }

    /// Writes a step to the journal. If the disk fails, steps are queued and retried with the next
    /// one; editing continues and [`trouble`](Self::trouble) reports the risk.
    fn record(&mut self, step: Option<Step>) -> bool {
        let Some(step) = step else {
            return false;
        };
        if let Step::Commit { merged, .. } = &step {
            self.journaled.committed(*merged);
        }
        let Some(journal) = &mut self.journal else {
            return true;
        };
        self.waiting.push(step);
        let mut written = 0;
        let result = self.waiting.iter().try_for_each(|step| {
            journal.record(step)?;
            written += 1;
            Ok::<(), std::io::Error>(())
        });
        self.waiting.drain(..written);
        self.trouble = result.err().map(|error| recovery_is_off(&io_words(&error)));
        true
    }

    /// Compares the file on disk with this session.
    #[must_use]
    pub fn file_state(&self) -> FileState {
        let Some(path) = &self.path else {
            return FileState::Unnamed;
        };
        match disk::hash_on_disk(path) {
            Ok(None) => FileState::Gone,
            Ok(hash) if hash == self.file_hash => FileState::Same,
            Ok(Some(_)) | Err(_) => FileState::Changed,
        }
    }

    /// Saves to the level's own file.
    ///
    /// # Errors
    /// The file is unchanged. [`FileError::Missing`] for a level without a file.
    pub fn save(&mut self, overwrite: Overwrite) -> Result<disk::Saved, FileError> {
        let Some(path) = self.path.clone() else {
            return Err(FileError::Missing(PathBuf::from("this level")));
        };
        if overwrite == Overwrite::Never && self.file_state() == FileState::Changed {
            return Err(FileError::Changed(path));
        }
        let replacing = match (overwrite, self.file_hash) {
            (Overwrite::Never, Some(hash)) => Replacing::Version(hash),
            // A recovered level whose file was gone.
            (Overwrite::Never, None) => Replacing::Nothing,
            (Overwrite::OnPurpose, _) => Replacing::Anything,
        };
        self.write_to(&path, replacing)
    }

    /// Saves under another name, which becomes the level's own.
    ///
    /// # Errors
    /// File and session are unchanged.
    pub fn save_as(
        &mut self,
        path: &Path,
        overwrite: Overwrite,
        state: &Path,
    ) -> Result<disk::Saved, FileError> {
        if self.path.as_deref() == Some(path) {
            return self.save(overwrite);
        }
        if overwrite == Overwrite::Never && path.exists() {
            return Err(FileError::Exists(path.to_owned()));
        }
        let journal = take_journal(path, state);
        if matches!(journal, Err(JournalError::Locked)) {
            return Err(FileError::InUse(path.to_owned()));
        }
        let old_path = self.path.replace(path.to_owned());
        let replacing = match overwrite {
            Overwrite::Never => Replacing::Nothing,
            Overwrite::OnPurpose => Replacing::Anything,
        };
        match self.write_to(path, replacing) {
            Ok(saved) => {
                let old = std::mem::replace(&mut self.journal, journal.ok());
                let open_file = OpenFile::note(path, state);
                if let Some(before) = std::mem::replace(&mut self.open_file, open_file) {
                    before.forget();
                }
                self.restart_journal();
                if let Some(old) = old {
                    let _ = fs::remove_file(old.path());
                    if old_path.is_none() {
                        let _ = fs::remove_dir_all(unnamed_meshes(old.path()));
                    }
                }
                Ok(saved)
            }
            Err(error) => {
                self.path = old_path;
                if let Ok(journal) = journal {
                    let _ = fs::remove_file(journal.path());
                }
                Err(error)
            }
        }
    }

    fn write_to(&mut self, path: &Path, replacing: Replacing) -> Result<disk::Saved, FileError> {
        let text = self.text();
        if let Some(journal) = &mut self.journal {
            // If the process dies between the two writes, this tells which state the file holds.
            let _ = journal.record_saving(ContentHash::of(text.as_bytes()));
        }
        let saved = disk::save(path, &text, replacing)?;
        self.file_hash = Some(saved.hash);
        self.document.mark_saved();
        self.begin_journal(&text);
        Ok(saved)
    }

    /// Where the level's mesh files are: its folder, or one beside the journal for a level without
    /// a file. `None` if it has neither.
    #[must_use]
    pub fn mesh_folder(&self) -> Option<PathBuf> {
        match &self.path {
            Some(path) => Some(folder_of(path)),
            None => Some(unnamed_meshes(self.journal.as_ref()?.path())),
        }
    }

    /// The level's text as written by a save.
    #[must_use]
    pub fn text(&self) -> String {
        format::write(self.document.committed_level(), self.document.next_id())
    }

    /// Reloads the file and discards everything since.
    ///
    /// # Errors
    /// The file can no longer be read; the session is unchanged.
    pub fn revert(&mut self) -> Result<(), FileError> {
        let Some(path) = &self.path else {
            return Err(FileError::Missing(PathBuf::from("this level")));
        };
        let (document, hash) = read_file(path)?;
        self.set_journal_aside();
        self.document = document;
        self.file_hash = Some(hash);
        self.restart_journal();
        Ok(())
    }

    /// Ends the session without saving; the journal is moved aside, not deleted.
    pub fn discard(mut self) {
        self.set_journal_aside();
        self.discard_journal();
    }

    fn discard_journal(&mut self) {
        if let Some(open_file) = self.open_file.take() {
            open_file.forget();
        }
        if let Some(journal) = self.journal.take() {
            let _ = fs::remove_file(journal.path());
        }
    }

    fn restart_journal(&mut self) {
        let text = self.text();
        self.begin_journal(&text);
    }

    fn begin_journal(&mut self, base: &str) {
        self.waiting.clear();
        self.journaled = Journaled::default();
        if let Some(journal) = &mut self.journal {
            self.trouble = journal
                .begin(base)
                .err()
                .map(|error| recovery_is_off(&io_words(&error)));
        }
    }

    /// Keeps a copy of the journal beside it.
    fn set_journal_aside(&self) {
        if let Some(journal) = &self.journal {
            let _ = fs::copy(journal.path(), aside(journal.path()));
        }
    }
}

impl Drop for Session {
    /// Deletes a journal without unsaved work; keeps any other for recovery.
    fn drop(&mut self) {
        if let Some(journal) = self.journal.take()
            && !self.document.is_dirty()
        {
            let _ = fs::remove_file(journal.path());
            if let Some(open_file) = self.open_file.take() {
                open_file.forget();
            }
            if self.path.is_none() {
                let _ = fs::remove_dir_all(unnamed_meshes(journal.path()));
            }
        }
    }
}

fn read_file(path: &Path) -> Result<(Document, ContentHash), FileError> {
    let file = disk::read(path)?;
    let loaded = format::read(&file.text).map_err(|error| FileError::Format {
        path: path.to_owned(),
        error,
    })?;
    Ok((Document::new(loaded.level, loaded.next_id), file.hash))
}

/// The journal beside the level, or in the state folder if the level's own is read-only.
fn take_journal(level: &Path, state: &Path) -> Result<Journal, JournalError> {
    let beside = journal_path(level);
    match Journal::take(&beside) {
        Err(JournalError::Io(_)) => take_in(state, &journal_name_elsewhere(&beside)),
        other => other,
    }
}

/// Name of a journal in the state folder.
/// Where the journal of a level file may be: beside it, or where work without a file is kept.
fn journals_of(level: &Path, state: &Path) -> impl Iterator<Item = PathBuf> {
    let beside = journal_path(level);
    let elsewhere = state.join(journal_name_elsewhere(&beside));
    [beside, elsewhere].into_iter()
}

fn journal_name_elsewhere(beside: &Path) -> String {
    let key = ContentHash::of(beside.as_os_str().as_encoded_bytes());
    format!("{key}.journal")
}

fn take_in(state: &Path, name: &str) -> Result<Journal, JournalError> {
    fs::create_dir_all(state)?;
    Journal::take(&state.join(name))
}

fn recovery_is_off(why: &str) -> String {
    format!(
        "unsaved work would not survive a crash, because the recovery file cannot be written ({why}); save often"
    )
}

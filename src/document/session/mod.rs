//! A level being worked on: the document, its file, and the journal that keeps it safe.

mod recovery;

pub use recovery::Recovery;

use super::{
    edit::Edit,
    format::{
        self,
        disk::{self, FileError},
        journal::{Journal, JournalError},
    },
    history::{Document, MergeKey, Step},
    model::Level,
    ops::EditError,
    selection::Selection,
};
use crate::base::{ContentHash, EntityId};
use recovery::{Found, aside, examine};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

#[derive(Debug)]
pub struct Session {
    document: Document,
    path: Option<PathBuf>,
    /// What the file held when it was read or written last.
    file_hash: Option<ContentHash>,
    journal: Option<Journal>,
    /// Steps that the journal could not take yet.
    waiting: Vec<Step>,
    trouble: Option<String>,
}

/// How a level was found.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one value an opening, taken apart at once"
)]
pub enum Opened {
    /// As it was saved.
    Clean(Session),
    /// An earlier session ended without saving.
    Unsaved(Box<Recovery>),
}

/// What a save may do to a file that it did not expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrite {
    Never,
    OnPurpose,
}

/// The file on disk, compared with what this session knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileState {
    /// There is no file yet.
    Unnamed,
    Same,
    Changed,
    Gone,
}

/// Where journals of unnamed levels live.
#[must_use]
pub fn state_folder() -> PathBuf {
    directories::ProjectDirs::from("", "", "wayloom").map_or_else(
        || std::env::temp_dir().join("wayloom"),
        |dirs| dirs.state_dir().unwrap_or(dirs.data_local_dir()).to_owned(),
    )
}

/// Where the journal of a level file lives, if its folder can be written to.
#[must_use]
pub fn journal_path(level: &Path) -> PathBuf {
    let name = level.file_name().unwrap_or_default().to_string_lossy();
    level.with_file_name(format!(".{name}.journal"))
}

/// How journals of levels without a file are called.
const UNNAMED: &str = "unnamed-";
/// … and of those among them that are worth keeping before the first edit.
const IMPORTED: &str = "unnamed-import-";

/// The folder that a file lies in.
#[must_use]
pub fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Where the meshes of a level without a file lie: beside its journal.
fn unnamed_meshes(journal: &Path) -> PathBuf {
    journal.with_extension("meshes")
}

fn is_imported(journal: &Path) -> bool {
    let name = journal.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(IMPORTED)
}

impl Session {
    /// A level without a file. Its journal lives in `state`, see [`state_folder`].
    #[must_use]
    pub fn unnamed(level: Level, state: &Path) -> Self {
        Self::without_file(level, state, UNNAMED)
    }

    /// A level that came from elsewhere and has no file of its own yet: unsaved from the start.
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

    /// Opens a level file and takes its journal.
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
                session.restart_journal();
                Ok(Opened::Clean(session))
            }
            (file, Some(found)) => {
                let session = Self::new(found.document, Some(path.to_owned()), hash, journal);
                Ok(Opened::Unsaved(Box::new(Recovery {
                    recovered: session,
                    saved: file.ok().map(|(document, _)| document),
                    summary: found.summary,
                })))
            }
            (Err(error), None) => {
                // A journal that was made only now goes again with nothing in it.
                if let Ok(journal) = journal {
                    let _ = fs::remove_file(journal.path());
                }
                Err(error)
            }
        }
    }

    /// Journals of unnamed levels in `state` that hold unsaved work and belong to nobody. Empty
    /// ones are swept away.
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
                match journal.story() {
                    Ok(Some(story)) => !story.entries.is_empty() || is_imported(path),
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

    /// Whether opening this level would find unsaved work of a session that ended unexpectedly.
    /// Nothing is changed by asking.
    #[must_use]
    pub fn has_unsaved(path: &Path, state: &Path) -> bool {
        let beside = journal_path(path);
        let elsewhere = state.join(journal_name_elsewhere(&beside));
        let Some(journal) = [beside, elsewhere].into_iter().find(|path| path.is_file()) else {
            return false;
        };
        // Taken by somebody: a session that goes on, not one that ended.
        let Ok(mut journal) = Journal::take(&journal) else {
            return false;
        };
        let hash = disk::hash_on_disk(path).ok().flatten();
        let Ok(Some(story)) = journal.story() else {
            return false;
        };
        Found::replay(story, hash).is_ok_and(|found| found.document.is_dirty())
    }

    /// Takes up the work in a journal of an unnamed level.
    ///
    /// # Errors
    /// It cannot be read, or another program has taken it meanwhile.
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
        let story = journal
            .story()
            .map_err(refuse)?
            .ok_or_else(|| FileError::Missing(path.to_owned()))?;
        let mut found = Found::replay(story, None).map_err(|error| FileError::Format {
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
        Self {
            document,
            path,
            file_hash,
            journal,
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

    /// Why unsaved work would not survive a crash at the moment, as a sentence.
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
    /// An edit is refused; nothing has changed.
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
    /// An edit is refused; nothing has changed.
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
    /// An edit is refused; the preview before it stays.
    pub fn preview(&mut self, edits: Vec<Edit>) -> Result<(), EditError> {
        self.document.preview(edits)
    }

    /// See [`Document::finish`]. Returns whether anything changed.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
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
        let step = self.document.undo();
        self.record(step)
    }

    /// Returns whether anything was done again.
    pub fn redo(&mut self) -> bool {
        let step = self.document.redo();
        self.record(step)
    }

    /// Writes a step to the journal. When the disk refuses, steps wait and are tried again with
    /// the next one: work goes on, and [`trouble`](Self::trouble) says what is at stake.
    fn record(&mut self, step: Option<Step>) -> bool {
        let Some(step) = step else {
            return false;
        };
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
        self.trouble = result
            .err()
            .map(|error| recovery_is_off(&error.to_string()));
        true
    }

    /// How the file on disk stands to this session.
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
    /// The file is as it was before. [`FileError::Missing`] for a level without a file.
    pub fn save(&mut self, overwrite: Overwrite) -> Result<disk::Saved, FileError> {
        let Some(path) = self.path.clone() else {
            return Err(FileError::Missing(PathBuf::from("this level")));
        };
        if overwrite == Overwrite::Never && self.file_state() == FileState::Changed {
            return Err(FileError::Changed(path));
        }
        self.write_to(&path)
    }

    /// Saves under another name, which becomes the level's own.
    ///
    /// # Errors
    /// The file is as it was before, and so is the session.
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
        match self.write_to(path) {
            Ok(saved) => {
                let old = std::mem::replace(&mut self.journal, journal.ok());
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

    fn write_to(&mut self, path: &Path) -> Result<disk::Saved, FileError> {
        let text = self.text();
        if let Some(journal) = &mut self.journal {
            // Should the program end between the two writes, this tells which one the file is.
            let _ = journal.record_saving(ContentHash::of(text.as_bytes()));
        }
        let saved = disk::save(path, &text)?;
        self.file_hash = Some(saved.hash);
        self.document.mark_saved();
        self.begin_journal(&text);
        Ok(saved)
    }

    /// Where the level's mesh files lie: in its folder; for a level without a file, in one that
    /// goes with its journal. `None` if it has neither.
    #[must_use]
    pub fn mesh_folder(&self) -> Option<PathBuf> {
        match &self.path {
            Some(path) => Some(folder_of(path)),
            None => Some(unnamed_meshes(self.journal.as_ref()?.path())),
        }
    }

    /// The level's text, as a save writes it.
    #[must_use]
    pub fn text(&self) -> String {
        format::write(self.document.committed_level(), self.document.next_id())
    }

    /// Reads the file again and forgets everything since.
    ///
    /// # Errors
    /// The file cannot be read any more; the session stays as it was.
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

    /// Ends the session without saving; the journal is set aside, not deleted.
    pub fn discard(mut self) {
        self.set_journal_aside();
        self.discard_journal();
    }

    fn discard_journal(&mut self) {
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
        if let Some(journal) = &mut self.journal {
            self.trouble = journal
                .begin(base)
                .err()
                .map(|error| recovery_is_off(&error.to_string()));
        }
    }

    /// Keeps a copy of the journal as it is, beside it.
    fn set_journal_aside(&self) {
        if let Some(journal) = &self.journal {
            let _ = fs::copy(journal.path(), aside(journal.path()));
        }
    }
}

impl Drop for Session {
    /// A journal with nothing unsaved in it goes; any other one stays for recovery.
    fn drop(&mut self) {
        if let Some(journal) = self.journal.take()
            && !self.document.is_dirty()
        {
            let _ = fs::remove_file(journal.path());
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

/// The journal beside the level, or in the state folder where the level's own is read-only.
fn take_journal(level: &Path, state: &Path) -> Result<Journal, JournalError> {
    let beside = journal_path(level);
    match Journal::take(&beside) {
        Err(JournalError::Io(_)) => take_in(state, &journal_name_elsewhere(&beside)),
        other => other,
    }
}

/// What a journal is called in the state folder.
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

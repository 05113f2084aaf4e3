//! Recovery of unsaved work from a session that ended unexpectedly.

use super::Session;
use crate::base::ContentHash;
use crate::document::{
    format::{
        self,
        journal::{Journal, JournalContents, JournalError, Told},
    },
    history::Document,
};
use std::fs;
use std::path::{Path, PathBuf};

/// Unsaved work, and the choice what to do with it.
#[derive(Debug)]
pub struct Recovery {
    pub(super) recovered: Session,
    /// The saved level, if its file can be read.
    pub(super) saved: Option<Document>,
    /// What the user should know before choosing.
    pub summary: String,
}

impl Recovery {
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.recovered.path()
    }

    /// The level when the earlier session ended.
    #[must_use]
    pub fn document(&self) -> &Document {
        self.recovered.document()
    }

    /// Continues with the unsaved work.
    #[must_use]
    pub fn accept(self) -> Session {
        self.recovered
    }

    /// Where the work is kept if it is declined.
    #[must_use]
    pub fn aside(&self) -> Option<PathBuf> {
        let journal = self.recovered.journal.as_ref()?;
        Some(aside(journal.path()))
    }

    /// Returns to the file. The journal is kept as `….journal~`. `None` if there is no file.
    #[must_use]
    pub fn decline(self) -> Option<Session> {
        let Self {
            mut recovered,
            saved,
            ..
        } = self;
        recovered.set_journal_aside();
        if let Some(saved) = saved {
            recovered.document = saved;
            recovered.restart_journal();
            Some(recovered)
        } else {
            recovered.discard_journal();
            None
        }
    }
}

/// Result of replaying an earlier session's journal.
pub(super) struct ReplayedSession {
    pub document: Document,
    pub summary: String,
}

impl ReplayedSession {
    /// Replays a journal. States that the file is known to hold count as saved.
    pub(super) fn replay(
        contents: JournalContents,
        file: Option<ContentHash>,
    ) -> Result<Self, format::FormatError> {
        let loaded = format::read(&contents.base)?;
        let mut document = Document::new(loaded.level, loaded.next_id);
        let mut file_known = file == Some(contents.base_hash);
        if !file_known {
            document.mark_unsaved();
        }
        let mut steps = 0;
        let mut refused = None;
        for entry in contents.entries {
            match entry {
                Told::Step(step) => match document.replay(step) {
                    Ok(()) => steps += 1,
                    Err(error) => {
                        refused = Some(error);
                        break;
                    }
                },
                Told::Saving(hash) if file == Some(hash) => {
                    document.mark_saved();
                    file_known = true;
                    steps = 0;
                }
                Told::Saving(_) => {}
            }
        }
        let mut summary = format!(
            "{steps} unsaved {} from a session that ended unexpectedly",
            if steps == 1 { "change" } else { "changes" }
        );
        if let Some(error) = refused {
            summary += &format!("; later steps could not be replayed ({error})");
        }
        if file.is_some() && !file_known {
            summary += "; another program has changed the file since";
        }
        // An untouched unnamed level holds no work, although it has no file.
        if file.is_none() && steps == 0 {
            document.mark_saved();
        }
        Ok(Self { document, summary })
    }
}

/// Reads a journal. An unreadable one is copied aside and restarted.
pub(super) fn examine(
    mut journal: Journal,
    file: Option<ContentHash>,
) -> (Result<Journal, String>, Option<ReplayedSession>) {
    let found = match journal.contents() {
        Ok(contents) => contents
            .map(|contents| ReplayedSession::replay(contents, file).map_err(JournalError::Damaged)),
        Err(error) => Some(Err(error)),
    };
    match found {
        None => (Ok(journal), None),
        Some(Ok(found)) => (Ok(journal), Some(found)),
        Some(Err(_)) => {
            let _ = fs::copy(journal.path(), aside(journal.path()));
            (Ok(journal), None)
        }
    }
}

/// Where a declined journal is kept.
pub(super) fn aside(journal: &Path) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push("~");
    name.into()
}

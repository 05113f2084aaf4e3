//! Unsaved work of a session that ended unexpectedly: found, replayed, offered.

use super::Session;
use crate::base::ContentHash;
use crate::document::{
    format::{
        self,
        journal::{Journal, JournalError, Story, Told},
    },
    history::Document,
};
use std::fs;
use std::path::{Path, PathBuf};

/// Work that was not saved, and the choice what to do with it.
#[derive(Debug)]
pub struct Recovery {
    pub(super) recovered: Session,
    /// The level as its file has it, where the file can be read.
    pub(super) saved: Option<Document>,
    /// What the person should know before choosing.
    pub summary: String,
}

impl Recovery {
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.recovered.path()
    }

    /// The level as it was when the earlier session ended.
    #[must_use]
    pub fn document(&self) -> &Document {
        self.recovered.document()
    }

    /// Goes on with the unsaved work.
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

    /// Goes back to the file. The journal is kept beside as `….journal~`. `None` where there is
    /// no file to go back to.
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

/// What an ended session's journal leads to.
pub(super) struct Found {
    pub document: Document,
    pub summary: String,
}

impl Found {
    /// Replays a story. States that the file is known to hold count as saved.
    pub(super) fn replay(
        story: Story,
        file: Option<ContentHash>,
    ) -> Result<Self, format::FormatError> {
        let loaded = format::read(&story.base)?;
        let mut document = Document::new(loaded.level, loaded.next_id);
        let mut file_known = file == Some(story.base_hash);
        if !file_known {
            document.mark_unsaved();
        }
        let mut steps = 0;
        let mut refused = None;
        for told in story.entries {
            match told {
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
            summary += &format!("; what came after could not be repeated ({error})");
        }
        if file.is_some() && !file_known {
            summary += "; another program has changed the file since";
        }
        // An unnamed level that was never touched holds no work, though it has no file either.
        if file.is_none() && steps == 0 {
            document.mark_saved();
        }
        Ok(Self { document, summary })
    }
}

/// Reads what a journal holds. One that cannot be read is copied aside and started over.
pub(super) fn examine(
    mut journal: Journal,
    file: Option<ContentHash>,
) -> (Result<Journal, String>, Option<Found>) {
    let found = match journal.story() {
        Ok(story) => story.map(|story| Found::replay(story, file).map_err(JournalError::Damaged)),
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

/// Where a journal is copied to when nobody wants it.
pub(super) fn aside(journal: &Path) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push("~");
    name.into()
}

//! The level in the window: a session with its file and journal, or a document of its own.

use crate::base::EntityId;
use crate::document::history::MergeKey;
use crate::document::ops::EditError;
use crate::document::session::Session;
use crate::document::{Document, Edit, Level, Selection};
use crate::interaction::{Host, Refused};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Debug)]
pub enum OpenLevel {
    Session(Box<Session>),
    /// No file and no journal: nothing is open, or a test looks on.
    Loose(Box<Document>),
}

impl Default for OpenLevel {
    fn default() -> Self {
        Self::Loose(Box::new(Document::new(Level::default(), EntityId::new(1))))
    }
}

impl OpenLevel {
    #[must_use]
    pub fn document(&self) -> &Document {
        match self {
            Self::Session(session) => session.document(),
            Self::Loose(document) => document,
        }
    }

    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Session(session) => session.path(),
            Self::Loose(_) => None,
        }
    }

    /// Where its mesh files lie; nowhere without a session.
    #[must_use]
    pub fn mesh_folder(&self) -> Option<PathBuf> {
        match self {
            Self::Session(session) => session.mesh_folder(),
            Self::Loose(_) => None,
        }
    }

    /// # Errors
    /// An edit is refused; the level stays as it was.
    pub fn commit(
        &mut self,
        label: String,
        edits: Vec<Edit>,
        merge: Option<MergeKey>,
    ) -> Result<bool, EditError> {
        match (self, merge) {
            (Self::Session(session), None) => session.commit(label, edits),
            (Self::Session(session), Some(key)) => session.commit_merging(label, edits, key),
            (Self::Loose(document), None) => Ok(document.commit(label, edits)?.is_some()),
            (Self::Loose(document), Some(key)) => Ok(document
                .commit_merging(label, edits, key, Instant::now())?
                .is_some()),
        }
    }

    pub fn begin(&mut self, label: String) {
        match self {
            Self::Session(session) => session.begin(label),
            Self::Loose(document) => document.begin(label),
        }
    }

    /// # Errors
    /// An edit is refused; the preview before it stays.
    pub fn preview(&mut self, edits: Vec<Edit>) -> Result<(), EditError> {
        match self {
            Self::Session(session) => session.preview(edits),
            Self::Loose(document) => document.preview(edits),
        }
    }

    /// # Errors
    /// Cannot happen for edits that were previewed; passed on all the same.
    pub fn finish(&mut self) -> Result<bool, EditError> {
        match self {
            Self::Session(session) => session.finish(),
            Self::Loose(document) => Ok(document.finish()?.is_some()),
        }
    }

    pub fn cancel(&mut self) {
        match self {
            Self::Session(session) => session.cancel(),
            Self::Loose(document) => document.cancel(),
        }
    }

    /// Returns whether anything was undone.
    pub fn undo(&mut self) -> bool {
        match self {
            Self::Session(session) => session.undo(),
            Self::Loose(document) => document.undo().is_some(),
        }
    }

    /// Returns whether anything was done again.
    pub fn redo(&mut self) -> bool {
        match self {
            Self::Session(session) => session.redo(),
            Self::Loose(document) => document.redo().is_some(),
        }
    }

    pub fn select(&mut self, selection: Selection) {
        match self {
            Self::Session(session) => session.select(selection),
            Self::Loose(document) => document.select(selection),
        }
    }

    pub fn allocate_id(&mut self) -> EntityId {
        match self {
            Self::Session(session) => session.allocate_id(),
            Self::Loose(document) => document.allocate_id(),
        }
    }
}

impl Host for OpenLevel {
    fn document(&self) -> &Document {
        Self::document(self)
    }

    fn allocate_id(&mut self) -> EntityId {
        Self::allocate_id(self)
    }

    fn select(&mut self, selection: Selection) {
        Self::select(self, selection);
    }

    fn begin(&mut self, label: &str) {
        Self::begin(self, label.to_owned());
    }

    fn preview(&mut self, edits: Vec<Edit>) -> Result<(), Refused> {
        Ok(Self::preview(self, edits)?)
    }

    fn finish(&mut self) -> Result<bool, Refused> {
        Ok(Self::finish(self)?)
    }

    fn cancel(&mut self) {
        Self::cancel(self);
    }

    fn commit(&mut self, label: &str, edits: Vec<Edit>) -> Result<bool, Refused> {
        Ok(Self::commit(self, label.to_owned(), edits, None)?)
    }
}

//! The target of tools' edits: the editor's session, or a plain document in tests.

use crate::base::EntityId;
use crate::document::{Document, Edit, Level, Selection, ops::EditError};
use std::sync::Arc;

/// Why an edit was rejected, as a sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

impl From<EditError> for Refused {
    fn from(error: EditError) -> Self {
        Self(error.to_string())
    }
}

/// The document as tools see it. A session adds journaling to the same calls.
pub trait Host {
    fn document(&self) -> &Document;

    /// A new id, never used before.
    fn allocate_id(&mut self) -> EntityId;

    fn select(&mut self, selection: Selection);

    /// Starts a transaction; see [`Document::begin`].
    fn begin(&mut self, label: &str);

    /// Shows the total change of the transaction so far.
    ///
    /// # Errors
    /// An edit is rejected; the previous preview stays.
    fn preview(&mut self, edits: Vec<Edit>) -> Result<(), Refused>;

    /// Commits the transaction as one undo step. False if it changed nothing.
    ///
    /// # Errors
    /// The step could not be stored.
    fn finish(&mut self) -> Result<bool, Refused>;

    /// Restores the state before the transaction.
    fn cancel(&mut self);

    /// Commits edits as one undo step. False if they changed nothing.
    ///
    /// # Errors
    /// An edit is rejected, or the step could not be stored.
    fn commit(&mut self, label: &str, edits: Vec<Edit>) -> Result<bool, Refused>;

    fn level(&self) -> &Arc<Level> {
        self.document().level()
    }

    fn selection(&self) -> &Selection {
        self.document().selection()
    }
}

impl Host for Document {
    fn document(&self) -> &Document {
        self
    }

    fn allocate_id(&mut self) -> EntityId {
        Self::allocate_id(self)
    }

    fn select(&mut self, selection: Selection) {
        Self::select(self, selection);
    }

    fn begin(&mut self, label: &str) {
        Self::begin(self, label);
    }

    fn preview(&mut self, edits: Vec<Edit>) -> Result<(), Refused> {
        Ok(Self::preview(self, edits)?)
    }

    fn finish(&mut self) -> Result<bool, Refused> {
        Ok(Self::finish(self)?.is_some())
    }

    fn cancel(&mut self) {
        Self::cancel(self);
    }

    fn commit(&mut self, label: &str, edits: Vec<Edit>) -> Result<bool, Refused> {
        Ok(Self::commit(self, label, edits)?.is_some())
    }
}

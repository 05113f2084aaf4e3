//! The document: a level, its selection, and its undo history.
//!
//! There are no inverse edits. A history entry keeps the previous snapshot, which shares everything
//! unchanged with its neighbours; undo restores it.

use super::{
    change_set::ChangeSet,
    edit::Edit,
    model::{Kind, Level},
    ops::{self, EditError},
    selection::Selection,
};
use crate::base::EntityId;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Identifies one state of one document. Never reused: an undo returns to an old state and its
/// revision; the next edit gets a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(u64);

/// Limits of the history. The oldest entries are dropped first.
#[derive(Clone, Copy, Debug)]
pub struct HistoryLimits {
    pub entries: usize,
    /// Estimated size of what the entries hold beyond the current level.
    pub bytes: usize,
}

impl Default for HistoryLimits {
    fn default() -> Self {
        Self {
            entries: 1000,
            bytes: 128 << 20,
        }
    }
}

/// Successive edits of one field within this time form one undo step.
pub const MERGE_WINDOW: Duration = Duration::from_secs(1);

/// Allows a commit to merge into the previous one: same field, same entities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeKey {
    pub field: &'static str,
    pub subjects: Vec<EntityId>,
}

/// What was done, as recorded in the journal: replaying the steps reproduces the document.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Commit {
        label: String,
        edits: Vec<Edit>,
        /// Merged into the previous entry.
        merged: bool,
    },
    Undo,
    Redo,
}

#[derive(Clone, Debug)]
struct State {
    level: Arc<Level>,
    revision: Revision,
    selection: Selection,
}

#[derive(Clone, Debug)]
struct HistoryEntry {
    label: String,
    /// On the undo stack the state before, on the redo stack the state after.
    state: State,
    bytes: usize,
}

#[derive(Debug)]
struct Transaction {
    label: String,
    base: State,
    edits: Vec<Edit>,
}

#[derive(Debug)]
pub struct Document {
    current: State,
    undo: VecDeque<HistoryEntry>,
    redo: Vec<HistoryEntry>,
    transaction: Option<Transaction>,
    mergeable: Option<(MergeKey, Instant)>,
    next_revision: u64,
    next_id: EntityId,
    saved: Option<Revision>,
    limits: HistoryLimits,
    bytes: usize,
}

impl Document {
    /// A document that counts as saved. Raises `next_id` above every id in use.
    #[must_use]
    pub fn new(level: Level, next_id: EntityId) -> Self {
        let next_id = next_id.max(level.largest_id().next());
        let revision = Revision(0);
        Self {
            current: State {
                level: Arc::new(level),
                revision,
                selection: Selection::default(),
            },
            undo: VecDeque::new(),
            redo: Vec::new(),
            transaction: None,
            mergeable: None,
            next_revision: 1,
            next_id,
            saved: Some(revision),
            limits: HistoryLimits::default(),
            bytes: 0,
        }
    }

    #[must_use]
    pub fn with_limits(mut self, limits: HistoryLimits) -> Self {
        self.limits = limits;
        self.trim();
        self
    }

    /// The current level, including the preview of a transaction in progress.
    #[must_use]
    pub fn level(&self) -> &Arc<Level> {
        &self.current.level
    }

    #[must_use]
    pub fn revision(&self) -> Revision {
        self.current.revision
    }

    #[must_use]
    pub fn selection(&self) -> &Selection {
        &self.current.selection
    }

    /// Changes the selection; creates no history entry.
    pub fn select(&mut self, selection: Selection) {
        self.current.selection = selection.within(&self.current.level);
    }

    /// A new id, never used before.
    pub fn allocate_id(&mut self) -> EntityId {
        let id = self.next_id;
        self.next_id = id.next();
        id
    }

    #[must_use]
    pub fn next_id(&self) -> EntityId {
        self.next_id
    }

    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.saved != Some(self.committed().revision)
    }

    /// Marks the committed state as identical to the file.
    pub fn mark_saved(&mut self) {
        self.saved = Some(self.committed().revision);
        self.mergeable = None;
    }

    /// Marks every state as differing from the file, which was deleted or changed on disk.
    pub fn mark_unsaved(&mut self) {
        self.saved = None;
    }

    /// The level without the transaction in progress: what a save writes.
    #[must_use]
    pub fn committed_level(&self) -> &Arc<Level> {
        &self.committed().level
    }

    fn committed(&self) -> &State {
        self.transaction
            .as_ref()
            .map_or(&self.current, |transaction| &transaction.base)
    }

    /// Applies edits as one undo step. `None` if they change nothing. Cancels a transaction in
    /// progress.
    ///
    /// # Errors
    /// An edit is rejected; the document is unchanged.
    pub fn commit(
        &mut self,
        label: impl Into<String>,
        edits: Vec<Edit>,
    ) -> Result<Option<Step>, EditError> {
        self.cancel();
        self.commit_step(label.into(), edits, false)
    }

    /// Like [`commit`](Self::commit), but merges into the previous entry if that has the same key
    /// and is less than [`MERGE_WINDOW`] old.
    ///
    /// # Errors
    /// An edit is rejected; the document is unchanged.
    pub fn commit_merging(
        &mut self,
        label: impl Into<String>,
        edits: Vec<Edit>,
        key: MergeKey,
        now: Instant,
    ) -> Result<Option<Step>, EditError> {
        self.cancel();
        let merged = self.mergeable.as_ref().is_some_and(|(last, at)| {
            *last == key && now.saturating_duration_since(*at) < MERGE_WINDOW
        });
        let step = self.commit_step(label.into(), edits, merged)?;
        if step.is_some() {
            self.mergeable = Some((key, now));
        }
        Ok(step)
    }

    fn commit_step(
        &mut self,
        label: String,
        edits: Vec<Edit>,
        merged: bool,
    ) -> Result<Option<Step>, EditError> {
        let level = ops::apply(&self.current.level, &edits)?;
        self.reserve_ids(&edits);
        let change = ChangeSet::between(&self.current.level, &level);
        if change.is_empty() {
            return Ok(None);
        }
        self.mergeable = None;
        let merged = merged && !self.undo.is_empty();
        let bytes = footprint(&self.current.level, &level, &change);
        let after = State {
            selection: self.current.selection.clone().within(&level),
            level: Arc::new(level),
            revision: self.fresh_revision(),
        };
        let before = std::mem::replace(&mut self.current, after);
        self.drop_redo();
        if merged && let Some(last) = self.undo.back_mut() {
            last.bytes += bytes;
        } else {
            self.undo.push_back(HistoryEntry {
                label: label.clone(),
                state: before,
                bytes,
            });
        }
        self.bytes += bytes;
        self.trim();
        Ok(Some(Step::Commit {
            label,
            edits,
            merged,
        }))
    }

    /// Starts a transaction: [`preview`](Self::preview) shows its effect, [`finish`](Self::finish)
    /// commits it as one undo step, [`cancel`](Self::cancel) discards it.
    pub fn begin(&mut self, label: impl Into<String>) {
        self.cancel();
        self.transaction = Some(Transaction {
            label: label.into(),
            base: self.current.clone(),
            edits: Vec::new(),
        });
    }

    #[must_use]
    pub fn in_transaction(&self) -> bool {
        self.transaction.is_some()
    }

    /// Shows `edits` applied to the state before the transaction. They are the total change so far,
    /// not an increment, so a drag never drifts.
    ///
    /// # Errors
    /// An edit is rejected; the previous preview stays.
    pub fn preview(&mut self, edits: Vec<Edit>) -> Result<(), EditError> {
        let Some(transaction) = &mut self.transaction else {
            return Ok(());
        };
        // A resting pointer creates no new state, so nothing downstream recomputes.
        if transaction.edits == edits && !Arc::ptr_eq(&transaction.base.level, &self.current.level)
        {
            return Ok(());
        }
        let level = ops::apply(&transaction.base.level, &edits)?;
        transaction.edits = edits;
        self.current.selection = self.current.selection.clone().within(&level);
        self.current.level = Arc::new(level);
        self.current.revision = self.fresh_revision();
        Ok(())
    }

    /// Commits the transaction. `None` if there is none or it changed nothing.
    ///
    /// # Errors
    /// Cannot happen for edits that were previewed; propagated nevertheless.
    pub fn finish(&mut self) -> Result<Option<Step>, EditError> {
        let Some(transaction) = self.transaction.take() else {
            return Ok(None);
        };
        let selection = std::mem::replace(&mut self.current, transaction.base).selection;
        let step = self.commit_step(transaction.label, transaction.edits, false)?;
        self.select(selection);
        Ok(step)
    }

    /// Restores the state before the transaction.
    pub fn cancel(&mut self) {
        if let Some(transaction) = self.transaction.take() {
            self.current = transaction.base;
        }
    }

    /// One step back, or cancels a transaction in progress. `None` at the beginning.
    pub fn undo(&mut self) -> Option<Step> {
        if self.in_transaction() {
            self.cancel();
            return None;
        }
        let entry = self.undo.pop_back()?;
        let HistoryEntry {
            label,
            state,
            bytes,
        } = entry;
        let after = std::mem::replace(&mut self.current, state);
        self.redo.push(HistoryEntry {
            label,
            state: after,
            bytes,
        });
        self.mergeable = None;
        Some(Step::Undo)
    }

    /// One step forward. `None` if nothing was undone.
    pub fn redo(&mut self) -> Option<Step> {
        self.cancel();
        let HistoryEntry {
            label,
            state,
            bytes,
        } = self.redo.pop()?;
        let before = std::mem::replace(&mut self.current, state);
        self.undo.push_back(HistoryEntry {
            label,
            state: before,
            bytes,
        });
        self.mergeable = None;
        Some(Step::Redo)
    }

    /// Applies a step recorded in the journal.
    ///
    /// # Errors
    /// A recorded edit is rejected.
    pub fn replay(&mut self, step: Step) -> Result<(), EditError> {
        match step {
            Step::Commit {
                label,
                edits,
                merged,
            } => {
                self.cancel();
                self.commit_step(label, edits, merged)?;
            }
            Step::Undo => {
                self.undo();
            }
            Step::Redo => {
                self.redo();
            }
        }
        Ok(())
    }

    /// Labels of the undo steps, oldest first.
    pub fn undo_labels(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.undo.iter().map(|entry| entry.label.as_str())
    }

    /// Labels of the redo steps, next first.
    pub fn redo_labels(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.redo.iter().rev().map(|entry| entry.label.as_str())
    }

    /// Estimated size of the history beyond the current level. Unit: bytes.
    #[must_use]
    pub fn history_bytes(&self) -> usize {
        self.bytes
    }

    fn fresh_revision(&mut self) -> Revision {
        let revision = Revision(self.next_revision);
        self.next_revision += 1;
        revision
    }

    fn reserve_ids(&mut self, edits: &[Edit]) {
        for edit in edits {
            if let Edit::Create { id, .. } = edit {
                self.next_id = self.next_id.max(id.next());
            }
        }
    }

    fn drop_redo(&mut self) {
        self.bytes -= self.redo.drain(..).map(|entry| entry.bytes).sum::<usize>();
    }

    fn trim(&mut self) {
        while self.undo.len() > self.limits.entries
            || (self.bytes > self.limits.bytes && self.undo.len() > 1)
        {
            if let Some(oldest) = self.undo.pop_front() {
                self.bytes -= oldest.bytes;
            }
        }
    }
}

/// What an entry keeps alive: old and new contents of what changed, and the table nodes leading to
/// them.
fn footprint(old: &Level, new: &Level, change: &ChangeSet) -> usize {
    /// One path through the two persistent tables: a handful of nodes of 64 entries each.
    const TABLE_PATH: usize = 4096;
    let entities: usize = change
        .touched()
        .map(|id| {
            let size = |level: &Level| level.get(id).map_or(0, |entity| entity_bytes(&entity.kind));
            size(old) + size(new) + TABLE_PATH
        })
        .sum();
    // The entry holds one of the two; its neighbour holds the other.
    let ground = |level: &Level| level.ground().map_or(0, |field| field.heights.len() * 8);
    entities
        + TABLE_PATH
        + if change.ground {
            ground(old).max(ground(new))
        } else {
            0
        }
}

fn entity_bytes(kind: &Kind) -> usize {
    let points = match kind {
        Kind::Region(region) => region.area.vertex_count(),
        Kind::Obstacle(obstacle) => obstacle.area.vertex_count(),
        Kind::Crowd(crowd) => crowd.area.vertex_count(),
        Kind::Annotation(super::model::Annotation::Area(area)) => area.vertex_count(),
        Kind::Route(route) => route.shape.anchors().len() * 3,
        Kind::Note(note) => note.text.len() / 16,
        _ => 16,
    };
    size_of::<super::model::Entity>() + points * 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::model::{Entity, Note};
    use glam::DVec2;

    fn note(text: &str) -> Entity {
        Entity::new(
            text,
            Kind::Note(Note {
                at: DVec2::ONE,
                text: text.to_owned(),
            }),
        )
    }

    fn document_with_note() -> (Document, EntityId) {
        let mut document = Document::new(Level::default(), EntityId::new(1));
        let id = document.allocate_id();
        document
            .commit("Add note", vec![Edit::create(id, note("a"))])
            .expect("valid");
        (document, id)
    }

    #[test]
    fn undo_and_redo_return_to_the_same_revision_and_selection() {
        let (mut document, id) = document_with_note();
        document.select(Selection::one(id));
        let there = document.revision();
        assert!(document.is_dirty());
        assert_eq!(document.undo(), Some(Step::Undo));
        assert!(!document.is_dirty() && document.level().is_empty());
        assert!(document.selection().is_empty());
        assert_eq!(document.redo(), Some(Step::Redo));
        assert_eq!(document.revision(), there);
        assert!(document.selection().contains(id));
        assert_eq!(document.redo(), None);
    }

    #[test]
    fn ids_are_not_recycled_by_undo() {
        let (mut document, id) = document_with_note();
        document.undo();
        assert!(document.allocate_id() > id);
    }

    #[test]
    fn a_change_of_nothing_makes_no_entry() {
        let (mut document, id) = document_with_note();
        let before = document.revision();
        let step = document.commit("Nothing", vec![Edit::replace(id, note("a"))]);
        assert_eq!(step, Ok(None));
        document.begin("Drag");
        document
            .preview(vec![Edit::replace(id, note("b"))])
            .expect("valid");
        document
            .preview(vec![Edit::replace(id, note("a"))])
            .expect("valid");
        assert_eq!(document.finish(), Ok(None));
        assert_eq!(document.revision(), before);
        assert_eq!(document.undo_labels().len(), 1);
    }

    #[test]
    fn a_transaction_is_one_entry_and_cancelling_leaves_no_trace() {
        let (mut document, id) = document_with_note();
        let before = document.revision();
        document.begin("Rename");
        for text in ["b", "c", "d"] {
            document
                .preview(vec![Edit::replace(id, note(text))])
                .expect("valid");
        }
        document.cancel();
        assert_eq!(document.revision(), before);
        document.begin("Rename");
        document
            .preview(vec![Edit::replace(id, note("e"))])
            .expect("valid");
        assert_eq!(document.committed_level().label(id), "a");
        assert!(document.finish().expect("valid").is_some());
        assert_eq!(
            document.undo_labels().collect::<Vec<_>>(),
            ["Add note", "Rename"]
        );
    }

    #[test]
    fn same_field_edits_within_a_second_are_one_step() {
        let (mut document, id) = document_with_note();
        let key = MergeKey {
            field: "name",
            subjects: vec![id],
        };
        let start = Instant::now();
        for (text, seconds) in [("b", 0.0), ("c", 0.5), ("d", 1.2), ("e", 5.0)] {
            document
                .commit_merging(
                    "Rename",
                    vec![Edit::replace(id, note(text))],
                    key.clone(),
                    start + Duration::from_secs_f64(seconds),
                )
                .expect("valid");
        }
        assert_eq!(document.undo_labels().len(), 3);
        document.undo();
        assert_eq!(document.level().label(id), "d");
        document.undo();
        assert_eq!(document.level().label(id), "a");
    }

    #[test]
    fn a_rejected_edit_changes_nothing() {
        let (mut document, id) = document_with_note();
        let before = document.revision();
        let missing = EntityId::new(99);
        assert_eq!(
            document.commit(
                "Both",
                vec![Edit::Delete { id }, Edit::Delete { id: missing }]
            ),
            Err(EditError::Missing(missing))
        );
        assert_eq!(document.revision(), before);
        assert!(document.level().contains(id));
    }

    #[test]
    fn history_is_bounded() {
        let (document, id) = document_with_note();
        let mut document = document.with_limits(HistoryLimits {
            entries: 3,
            bytes: 1 << 20,
        });
        for i in 0..10 {
            document
                .commit("Rename", vec![Edit::replace(id, note(&i.to_string()))])
                .expect("valid");
        }
        let undone = std::iter::from_fn(|| document.undo()).count();
        assert_eq!(undone, 3);
        assert_eq!(document.level().label(id), "6");
    }
}

//! The selection: stored beside history entries, never an edit itself.

use super::model::Level;
use crate::base::EntityId;
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    ids: BTreeSet<EntityId>,
}

impl Selection {
    #[must_use]
    pub fn one(id: EntityId) -> Self {
        std::iter::once(id).collect()
    }

    pub fn iter(&self) -> impl Iterator<Item = EntityId> + '_ {
        self.ids.iter().copied()
    }

    #[must_use]
    pub fn contains(&self, id: EntityId) -> bool {
        self.ids.contains(&id)
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The entity, if exactly one is selected.
    #[must_use]
    pub fn single(&self) -> Option<EntityId> {
        match self.ids.len() {
            1 => self.ids.first().copied(),
            _ => None,
        }
    }

    pub fn insert(&mut self, id: EntityId) {
        self.ids.insert(id);
    }

    pub fn remove(&mut self, id: EntityId) {
        self.ids.remove(&id);
    }

    pub fn toggle(&mut self, id: EntityId) {
        if !self.ids.remove(&id) {
            self.ids.insert(id);
        }
    }

    pub fn clear(&mut self) {
        self.ids.clear();
    }

    /// Without entities that are no longer in the level.
    #[must_use]
    pub fn within(mut self, level: &Level) -> Self {
        self.ids.retain(|id| level.contains(*id));
        self
    }
}

impl FromIterator<EntityId> for Selection {
    fn from_iter<I: IntoIterator<Item = EntityId>>(ids: I) -> Self {
        Self {
            ids: ids.into_iter().collect(),
        }
    }
}

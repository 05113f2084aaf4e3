//! Edits: the only form in which tools, menus, importers and scripts change a level.

use super::change_set::ChangeSet;
use super::model::{Entity, Level, Settings};
use crate::base::EntityId;
use crate::geometry::{HeightField, HeightPatch};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Adds an entity under a new id, at an index in the order or on top.
    Create {
        id: EntityId,
        entity: Arc<Entity>,
        at: Option<usize>,
    },
    /// Replaces an entity's contents.
    Replace {
        id: EntityId,
        entity: Arc<Entity>,
    },
    Delete {
        id: EntityId,
    },
    /// Moves an entity to an index in the order, counted from the bottom.
    Reorder {
        id: EntityId,
        to: usize,
    },
    Settings(Arc<Settings>),
    Ground(Option<Arc<HeightField>>),
    /// New heights for some posts of the existing height field.
    Heights(HeightPatch),
}

impl Edit {
    #[must_use]
    pub fn create(id: EntityId, entity: Entity) -> Self {
        Self::Create {
            id,
            entity: Arc::new(entity),
            at: None,
        }
    }

    /// Edits that turn one level into another, in an order in which they can be applied.
    #[must_use]
    pub fn between(old: &Level, new: &Level) -> Vec<Self> {
        let change = ChangeSet::between(old, new);
        let mut edits = Vec::new();
        if change.settings {
            edits.push(Self::Settings(Arc::clone(new.settings())));
        }
        if change.ground {
            edits.push(Self::Ground(new.ground().cloned()));
        }
        let drawn = |level: &Level| -> Vec<EntityId> { level.drawn().map(|(id, _)| id).collect() };
        let mut order = drawn(old);
        order.retain(|id| !change.deleted.contains(id));
        let deleted = change.deleted.iter().filter(|id| !id.is_part());
        edits.extend(deleted.map(|&id| Self::Delete { id }));
        for (index, (id, entity)) in new.drawn().enumerate() {
            let entity = Arc::clone(entity);
            if change.created.contains(&id) {
                let at = index.min(order.len());
                order.insert(at, id);
                edits.push(Self::Create {
                    id,
                    entity,
                    at: Some(at),
                });
            } else if change.replaced.contains(&id) {
                edits.push(Self::Replace { id, entity });
            }
        }
        for (to, id) in drawn(new).into_iter().enumerate() {
            if order.get(to) != Some(&id)
                && let Some(from) = order.iter().position(|other| *other == id)
            {
                order.remove(from);
                order.insert(to, id);
                edits.push(Self::Reorder { id, to });
            }
        }
        edits
    }

    #[must_use]
    pub fn replace(id: EntityId, entity: Entity) -> Self {
        Self::Replace {
            id,
            entity: Arc::new(entity),
        }
    }
}

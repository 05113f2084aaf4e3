//! The one vocabulary of change. Tools, menus, importers and scripts all speak it.

use super::model::{Entity, Settings};
use crate::base::EntityId;
use crate::geometry::{HeightField, HeightPatch};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// A new entity under a fresh id, at a place in the order, or on top.
    Create {
        id: EntityId,
        entity: Arc<Entity>,
        at: Option<usize>,
    },
    /// The same entity with other contents.
    Replace {
        id: EntityId,
        entity: Arc<Entity>,
    },
    Delete {
        id: EntityId,
    },
    /// Moves an entity to a place in the order, counted from the bottom.
    Reorder {
        id: EntityId,
        to: usize,
    },
    Settings(Arc<Settings>),
    Ground(Option<Arc<HeightField>>),
    /// Other heights for some posts of the height field that is there.
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

    #[must_use]
    pub fn replace(id: EntityId, entity: Entity) -> Self {
        Self::Replace {
            id,
            entity: Arc::new(entity),
        }
    }
}

//! Differences between two snapshots, found by comparing pointers.

use super::model::{Entity, Level};
use crate::base::EntityId;
use crate::geometry::Rect;
use imbl::ordmap::DiffItem;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Drives everything derived from a level: picking, preview caches, baking.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChangeSet {
    pub created: BTreeSet<EntityId>,
    pub replaced: BTreeSet<EntityId>,
    pub deleted: BTreeSet<EntityId>,
    /// Entities that are in both stand in another order.
    pub reordered: bool,
    pub settings: bool,
    pub ground: bool,
    /// Covers the old and new bounds of what changed; `None` if no placed entity changed.
    pub bounds: Option<Rect>,
}

impl ChangeSet {
    /// Skips shared subtrees of the two tables: cost grows with the change, not the level. Ids are
    /// walked through only where something was created, deleted or put elsewhere.
    #[must_use]
    pub fn between(old: &Level, new: &Level) -> Self {
        let mut set = Self {
            settings: !Arc::ptr_eq(&old.settings, &new.settings),
            ground: match (&old.ground, &new.ground) {
                (Some(a), Some(b)) => !Arc::ptr_eq(a, b),
                (None, None) => false,
                _ => true,
            },
            ..Self::default()
        };
        let mut bounds = Rect::EMPTY;
        let mut cover = |entity: &Entity| {
            if let Some(b) = entity.bounds() {
                bounds = bounds.union(&b);
            }
        };
        for item in old.entities().diff(new.entities()) {
            match item {
                DiffItem::Add(id, entity) => {
                    set.created.insert(*id);
                    cover(entity);
                }
                DiffItem::Update {
                    old: (id, before),
                    new: (_, after),
                } => {
                    set.replaced.insert(*id);
                    cover(before);
                    cover(after);
                }
                DiffItem::Remove(id, entity) => {
                    set.deleted.insert(*id);
                    cover(entity);
                }
            }
        }
        set.reordered = !old.order.ptr_eq(&new.order) && {
            let kept = old.order.iter().filter(|id| !set.deleted.contains(id));
            kept.ne(new.order.iter().filter(|id| !set.created.contains(id)))
        };
        set.bounds = (!bounds.is_empty()).then_some(bounds);
        set
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Every id that was created, replaced or deleted.
    pub fn touched(&self) -> impl Iterator<Item = EntityId> + '_ {
        [&self.created, &self.replaced, &self.deleted]
            .into_iter()
            .flatten()
            .copied()
    }
}

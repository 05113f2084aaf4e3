//! Things made from single entities, in the level's order, kept current by change sets.

use crate::base::EntityId;
use crate::document::{ChangeSet, Entity, Level};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Made from one entity.
pub(super) trait OfEntity: Clone {
    fn id(&self) -> EntityId;
}

/// From one state of a level to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelStep<'a> {
    pub before: &'a Level,
    pub after: &'a Level,
    pub change: &'a ChangeSet,
}

/// A list after a change.
pub(super) struct Patched<T> {
    pub list: Vec<T>,
    /// What was and what is in the place of each thing that differs; none of these where things
    /// only changed places.
    pub differing: Vec<(Option<T>, Option<T>)>,
}

/// Collects a list from the whole level; `make` gives nothing for entities that are not in it.
pub(super) fn collect<T>(
    level: &Level,
    make: impl Fn(EntityId, &Arc<Entity>) -> Option<T>,
) -> Vec<T> {
    level
        .iter()
        .filter_map(|(id, entity)| make(id, entity))
        .collect()
}

impl LevelStep<'_> {
    /// The list that [`collect`] gives after the change, made from the one before it; `None` where
    /// it is the same. Looks at what changed alone, unless that is in the list.
    pub(super) fn patch<T: OfEntity>(
        &self,
        list: &[T],
        make: impl Fn(EntityId, &Arc<Entity>) -> Option<T>,
        is_same: impl Fn(&T, &T) -> bool,
    ) -> Option<Patched<T>> {
        let made = |level: &Level, id| make(id, level.get(id)?);
        let mut differing: BTreeMap<EntityId, (Option<T>, Option<T>)> = BTreeMap::new();
        for id in self.change.touched() {
            let pair = (made(self.before, id), made(self.after, id));
            let unchanged = match &pair {
                (None, None) => true,
                (Some(old), Some(new)) => is_same(old, new),
                _ => false,
            };
            if !unchanged {
                differing.insert(id, pair);
            }
        }
        if differing.is_empty() && !self.change.reordered {
            return None;
        }
        let next = match self.appended(&differing) {
            Some(appended) => self.replaced(list, &differing, &appended),
            None => self.rebuilt(list, &differing, made),
        };
        let is_moved = || {
            list.iter()
                .zip(&next)
                .any(|(old, new)| old.id() != new.id())
        };
        (!differing.is_empty() || is_moved()).then(|| Patched {
            list: next,
            differing: differing.into_values().collect(),
        })
    }

    /// What is new in the list, if all of it stands behind everything else.
    fn appended<T>(
        &self,
        differing: &BTreeMap<EntityId, (Option<T>, Option<T>)>,
    ) -> Option<Vec<EntityId>> {
        if self.change.reordered {
            return None;
        }
        let mut new = differing
            .iter()
            .filter(|(_, (old, _))| old.is_none())
            .map(|(id, _)| id)
            .peekable();
        if new.peek().is_none() {
            return Some(Vec::new());
        }
        let created = &self.change.created;
        let last = self.after.order().iter().rev().take(created.len());
        let mut last: Vec<EntityId> = last.copied().collect();
        last.reverse();
        let is_behind =
            last.iter().all(|id| created.contains(id)) && new.all(|id| created.contains(id));
        is_behind.then_some(last)
    }

    fn replaced<T: OfEntity>(
        &self,
        list: &[T],
        differing: &BTreeMap<EntityId, (Option<T>, Option<T>)>,
        appended: &[EntityId],
    ) -> Vec<T> {
        let kept = list
            .iter()
            .filter_map(|known| match differing.get(&known.id()) {
                Some((_, new)) => new.clone(),
                None => Some(known.clone()),
            });
        let new = appended.iter().filter_map(|id| match differing.get(id) {
            Some((None, new)) => new.clone(),
            _ => None,
        });
        kept.chain(new).collect()
    }

    fn rebuilt<T: OfEntity>(
        &self,
        list: &[T],
        differing: &BTreeMap<EntityId, (Option<T>, Option<T>)>,
        made: impl Fn(&Level, EntityId) -> Option<T>,
    ) -> Vec<T> {
        let known: HashMap<EntityId, &T> = list.iter().map(|known| (known.id(), known)).collect();
        let now = |id: EntityId| match (differing.get(&id), known.get(&id)) {
            (Some((_, new)), _) => new.clone(),
            (None, Some(known)) => Some((*known).clone()),
            (None, None) => None,
        };
        // What is in neither is in no list: it did not change, or is none of its kind.
        debug_assert!(
            self.after
                .order()
                .iter()
                .all(|id| now(*id).is_some() == made(self.after, *id).is_some())
        );
        let order = self.after.order().iter();
        order.filter_map(|id| now(*id)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Edit, Kind, Note, ops};
    use glam::DVec2;
    use proptest::prelude::*;

    fn note(text: &str) -> Entity {
        let at = DVec2::ZERO;
        let text = text.to_owned();
        Entity::new("", Kind::Note(Note { at, text }))
    }

    #[derive(Clone, Debug, PartialEq)]
    struct Text(EntityId, String);

    impl OfEntity for Text {
        fn id(&self) -> EntityId {
            self.0
        }
    }

    /// Notes with an even number of letters.
    fn make(id: EntityId, entity: &Arc<Entity>) -> Option<Text> {
        match &entity.kind {
            Kind::Note(note) if note.text.len() % 2 == 0 => Some(Text(id, note.text.clone())),
            _ => None,
        }
    }

    proptest! {
        #[test]
        fn a_patched_list_is_the_one_collected_from_the_level(
            acts in prop::collection::vec((0..5_u8, 0..9_u64, 0..12_usize), 1..12)
        ) {
            let mut level = Level::default();
            let mut list = collect(&level, make);
            for (batch, acts) in acts.chunks(2).enumerate() {
                let mut next = level.clone();
                for (act, id, number) in acts {
                    let text = "x".repeat(*number);
                    let id = EntityId::new(*id + 1);
                    let edit = match act {
                        0 => Edit::Create { id, entity: note(&text).into(), at: None },
                        1 => Edit::Create { id, entity: note(&text).into(), at: Some(*number) },
                        2 => Edit::replace(id, note(&text)),
                        3 => Edit::Delete { id },
                        _ => Edit::Reorder { id, to: *number },
                    };
                    if let Ok(edited) = ops::apply(&next, &[edit]) {
                        next = edited;
                    }
                }
                let change = ChangeSet::between(&level, &next);
                let step = LevelStep { before: &level, after: &next, change: &change };
                let fresh = collect(&next, make);
                match step.patch(&list, make, |a, b| a == b) {
                    Some(patched) => {
                        prop_assert_eq!(&patched.list, &fresh);
                        list = patched.list;
                    }
                    None => prop_assert_eq!(&list, &fresh, "batch {}", batch),
                }
                level = next;
            }
        }
    }
}

//! Counts by kind and layer, updated incrementally: scanning a large level every frame would be too
//! slow.

use crate::base::EntityId;
use crate::document::{ChangeSet, Entity, KindName, Level};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug, Default)]
pub struct Census {
    level: Option<Arc<Level>>,
    kinds: BTreeMap<KindName, usize>,
    /// Placed entities by layer.
    layers: BTreeMap<Option<EntityId>, usize>,
    vertices: usize,
    /// Terrains, profiles and layers in the level's order.
    definitions: BTreeMap<KindName, Vec<EntityId>>,
}

/// The kinds that panels list completely.
const LISTED: [KindName; 3] = [KindName::Terrain, KindName::Profile, KindName::Layer];

impl Census {
    /// Counts the differences from the last level.
    pub fn update(&mut self, level: &Arc<Level>) {
        let Some(old) = self.level.replace(Arc::clone(level)) else {
            for (_, entity) in level.drawn() {
                self.count(entity);
            }
            self.list(level);
            return;
        };
        if Arc::ptr_eq(&old, level) {
            return;
        }
        let change = ChangeSet::between(&old, level);
        let lists =
            |level: &Level, id| level.kind_of(id).is_some_and(|kind| LISTED.contains(&kind));
        if change.reordered
            || change.created.iter().any(|id| lists(level, *id))
            || change.deleted.iter().any(|id| lists(&old, *id))
        {
            self.list(level);
        }
        for id in change.touched().filter(|id| !id.is_part()) {
            if let Some(entity) = old.get(id) {
                self.discount(entity);
            }
            if let Some(entity) = level.get(id) {
                self.count(entity);
            }
        }
    }

    fn list(&mut self, level: &Level) {
        self.definitions.clear();
        for (id, entity) in level.iter() {
            let kind = entity.kind.name();
            if LISTED.contains(&kind) {
                self.definitions.entry(kind).or_default().push(id);
            }
        }
    }

    fn count(&mut self, entity: &Entity) {
        let kind = entity.kind.name();
        *self.kinds.entry(kind).or_default() += 1;
        if kind.is_placed() {
            *self.layers.entry(entity.layer).or_default() += 1;
        }
        self.vertices += entity.vertex_count();
    }

    fn discount(&mut self, entity: &Entity) {
        let kind = entity.kind.name();
        if let Some(count) = self.kinds.get_mut(&kind) {
            *count -= 1;
        }
        if kind.is_placed()
            && let Some(count) = self.layers.get_mut(&entity.layer)
        {
            *count -= 1;
        }
        self.vertices -= entity.vertex_count();
    }

    /// The kinds that occur, with their counts.
    pub fn kinds(&self) -> impl Iterator<Item = (KindName, usize)> {
        self.kinds
            .iter()
            .filter(|(_, count)| **count > 0)
            .map(|(kind, count)| (*kind, *count))
    }

    /// All terrains, profiles or layers, in the level's order.
    #[must_use]
    pub fn definitions(&self, kind: KindName) -> &[EntityId] {
        self.definitions.get(&kind).map_or(&[], Vec::as_slice)
    }

    #[must_use]
    pub const fn vertices(&self) -> usize {
        self.vertices
    }

    /// Number of placed entities on a layer, or on no existing one.
    #[must_use]
    pub fn on_layer(&self, layer: Option<EntityId>) -> usize {
        let is_implemented =
            |id: &EntityId| self.level.as_ref().is_some_and(|level| level.contains(*id));
        self.layers
            .iter()
            .filter(|(named, _)| named.filter(is_implemented) == layer)
            .map(|(_, count)| count)
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Edit, Kind, Note, ops};
    use glam::DVec2;

    fn note(layer: Option<u64>) -> Entity {
        let note = Note {
            at: DVec2::ZERO,
            text: String::new(),
        };
        let mut entity = Entity::new("", Kind::Note(note));
        entity.layer = layer.map(EntityId::new);
        entity
    }

    #[test]
    fn what_changes_is_counted_as_if_all_were() {
        let id = EntityId::new;
        let mut level = Arc::new(Level::default());
        let mut running = Census::default();
        running.update(&level);
        for edits in [
            vec![
                Edit::create(id(1), Entity::new("", Kind::Layer)),
                Edit::create(id(2), note(Some(1))),
                Edit::create(id(3), note(None)),
            ],
            vec![Edit::replace(id(3), note(Some(1)))],
            vec![Edit::Reorder { id: id(3), to: 0 }],
            vec![Edit::Delete { id: id(2) }],
            vec![Edit::Delete { id: id(1) }],
        ] {
            level = Arc::new(ops::apply(&level, &edits).expect("valid"));
            running.update(&level);
            let mut fresh = Census::default();
            fresh.update(&level);
            let counts = |census: &Census| {
                let layers = [None, Some(id(1))].map(|layer| census.on_layer(layer));
                (
                    census.kinds().collect::<Vec<_>>(),
                    layers,
                    census.vertices(),
                    census.definitions(KindName::Layer).to_vec(),
                )
            };
            assert_eq!(counts(&running), counts(&fresh));
        }
        // The layer was deleted: its entities are on none.
        assert_eq!(running.on_layer(None), 1);
    }
}

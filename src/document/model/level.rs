//! A level: settings, ground, and an ordered table of entities.

use super::{
    Agent, Annotation, Crowd, Door, Entity, Exit, Kind, KindName, Link, Measure, MeshSource,
    NavTest, Obstacle, Profile, Queue, Region, Route, Settings, Solid, SolidShape, Terrain,
    WaitingArea,
};
use crate::base::EntityId;
use crate::geometry::{HeightField, Rect};
use imbl::{OrdMap, OrdSet, Vector};
use std::sync::Arc;

/// Cloning takes an immutable snapshot: the tables share their structure, the entities are `Arc`s.
///
/// Only [`ops`](crate::document::ops) changes a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    pub(in crate::document) settings: Arc<Settings>,
    pub(in crate::document) ground: Option<Arc<HeightField>>,
    entities: OrdMap<EntityId, Arc<Entity>>,
    /// What kind each of them is, kind by kind.
    kinds: OrdSet<(KindName, EntityId)>,
    /// Every id once, from bottom to top: the order in which regions are painted, objects drawn and
    /// the outliner lists them.
    pub(in crate::document) order: Vector<EntityId>,
}

/// Iterators over one kind, in the level's order.
macro_rules! of_kind {
    ($($name:ident: $kind:ident($type:ty);)*) => {$(
        pub fn $name(&self) -> impl Iterator<Item = (EntityId, &Entity, &$type)> {
            let found = self.of_kind(KindName::$kind);
            found.filter_map(|(id, entity)| match &entity.kind {
                Kind::$kind(inner) => Some((id, &**entity, inner)),
                _ => None,
            })
        }
    )*};
}

impl Level {
    #[must_use]
    pub fn settings(&self) -> &Arc<Settings> {
        &self.settings
    }

    /// Every solid that shows a mesh file.
    pub fn mesh_solids(
        &self,
    ) -> impl Iterator<Item = (EntityId, &Arc<Entity>, &Solid, &MeshSource)> {
        let solids = self.of_kind(KindName::Solid);
        solids.filter_map(|(id, entity)| match &entity.kind {
            Kind::Solid(solid) => match &solid.shape {
                SolidShape::Mesh(source) => Some((id, entity, solid, source)),
                _ => None,
            },
            _ => None,
        })
    }

    /// The height field; without one the ground is flat at 0.
    #[must_use]
    pub const fn ground(&self) -> Option<&Arc<HeightField>> {
        self.ground.as_ref()
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    #[must_use]
    pub fn contains(&self, id: EntityId) -> bool {
        self.entities.contains_key(&id)
    }

    #[must_use]
    pub fn get(&self, id: EntityId) -> Option<&Arc<Entity>> {
        self.entities.get(&id)
    }

    #[must_use]
    pub fn kind_of(&self, id: EntityId) -> Option<KindName> {
        self.get(id).map(|entity| entity.kind.name())
    }

    /// Display name; also works for deleted entities.
    #[must_use]
    pub fn label(&self, id: EntityId) -> String {
        self.get(id)
            .map_or_else(|| format!("missing {id}"), |entity| entity.label(id))
    }

    /// Every entity from bottom to top.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (EntityId, &Arc<Entity>)> {
        self.order
            .iter()
            .filter_map(|id| self.entities.get(id).map(|entity| (*id, entity)))
    }

    /// Everything of one kind, in the level's order. Other entities are not looked at, so it takes
    /// little time to find few among many.
    pub fn of_kind(&self, kind: KindName) -> impl Iterator<Item = (EntityId, &Arc<Entity>)> {
        let all = (kind, EntityId::new(0))..=(kind, EntityId::new(u64::MAX));
        let ids: Vec<EntityId> = self.kinds.range(all).map(|(_, id)| *id).collect();
        let length = if ids.is_empty() { 0 } else { self.order.len() };
        // Where most are of the kind, looking at all of them is faster.
        let are_most = ids.len() > self.order.len() / 2;
        let order = self.order.iter().take(length);
        let found = order.filter(move |id| are_most || ids.binary_search(id).is_ok());
        found
            .filter_map(|id| Some((*id, self.entities.get(id)?)))
            .filter(move |(_, entity)| entity.kind.name() == kind)
    }

    /// Adds an entity, or replaces one; its place in the order is left as it is.
    pub(in crate::document) fn put(&mut self, id: EntityId, entity: Arc<Entity>) {
        let kind = entity.kind.name();
        let old = self.entities.insert(id, entity).map(|old| old.kind.name());
        if old == Some(kind) {
            return;
        }
        if let Some(old) = old {
            self.kinds.remove(&(old, id));
        }
        self.kinds.insert((kind, id));
    }

    /// Removes an entity from all but the order.
    pub(in crate::document) fn take(&mut self, id: EntityId) -> Option<Arc<Entity>> {
        let old = self.entities.remove(&id)?;
        self.kinds.remove(&(old.kind.name(), id));
        Some(old)
    }

    /// The table of all entities, for comparing two levels.
    pub(in crate::document) const fn entities(&self) -> &OrdMap<EntityId, Arc<Entity>> {
        &self.entities
    }

    /// Ids from bottom to top.
    #[must_use]
    pub const fn order(&self) -> &Vector<EntityId> {
        &self.order
    }

    of_kind! {
        terrains: Terrain(Terrain);
        profiles: Profile(Profile);
        regions: Region(Region);
        obstacles: Obstacle(Obstacle);
        solids: Solid(Solid);
        routes: Route(Route);
        annotations: Annotation(Annotation);
        agents: Agent(Agent);
        crowds: Crowd(Crowd);
        doors: Door(Door);
        links: Link(Link);
        exits: Exit(Exit);
        waiting_areas: WaitingArea(WaitingArea);
        queues: Queue(Queue);
        measures: Measure(Measure);
        tests: Test(NavTest);
    }

    /// The first entity of a kind with this name, or with this number when `name` is like `#12`.
    #[must_use]
    pub fn find(&self, kind: KindName, name: &str) -> Option<EntityId> {
        self.iter()
            .find(|(id, entity)| entity.kind.name() == kind && entity.label(*id) == name)
            .map(|(id, _)| id)
            .or_else(|| {
                let id = EntityId::new(name.strip_prefix('#')?.parse().ok()?);
                (self.kind_of(id) == Some(kind)).then_some(id)
            })
    }

    /// Visible itself, and so are its layer and every group containing it.
    #[must_use]
    pub fn is_visible(&self, id: EntityId) -> bool {
        self.holds_upwards(id, |entity| entity.visible)
    }

    /// Locked itself, by its layer, or by a group containing it.
    #[must_use]
    pub fn is_locked(&self, id: EntityId) -> bool {
        !self.holds_upwards(id, |entity| !entity.locked)
    }

    fn holds_upwards(&self, id: EntityId, holds: impl Fn(&Entity) -> bool) -> bool {
        let mut next = Some(id);
        // A hostile file may contain a cycle of groups: the depth is bounded.
        for _ in 0..64 {
            let Some(entity) = next.and_then(|id| self.get(id)) else {
                return true;
            };
            let layer_holds = entity
                .layer
                .and_then(|layer| self.get(layer))
                .is_none_or(|layer| holds(layer));
            if !holds(entity) || !layer_holds {
                return false;
            }
            next = entity.group;
        }
        true
    }

    /// Direct and indirect members of a group, in the level's order.
    #[must_use]
    pub fn members(&self, group: EntityId) -> Vec<EntityId> {
        self.iter()
            .filter(|(id, _)| *id != group && self.is_within(*id, group))
            .map(|(id, _)| id)
            .collect()
    }

    fn is_within(&self, id: EntityId, group: EntityId) -> bool {
        let mut next = self.get(id).and_then(|entity| entity.group);
        for _ in 0..64 {
            match next {
                Some(parent) if parent == group => return true,
                Some(parent) => next = self.get(parent).and_then(|entity| entity.group),
                None => return false,
            }
        }
        false
    }

    /// The level's bounds extended by everything drawn outside them.
    #[must_use]
    pub fn extent(&self) -> Rect {
        self.iter()
            .filter_map(|(_, entity)| entity.bounds())
            .fold(self.settings.bounds, |all, bounds| all.union(&bounds))
    }

    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.iter().map(|(_, entity)| entity.vertex_count()).sum()
    }

    /// Cost per metre on a terrain for a profile: the profile's own weight, else the terrain's.
    #[must_use]
    pub fn terrain_weight(&self, profile: EntityId, terrain: EntityId) -> f64 {
        let own = self.get(profile).and_then(|entity| match &entity.kind {
            Kind::Profile(profile) => profile.terrain_weights.get(&terrain).copied(),
            _ => None,
        });
        own.or_else(|| match &self.get(terrain)?.kind {
            Kind::Terrain(terrain) => Some(terrain.weight),
            _ => None,
        })
        .unwrap_or(1.0)
    }

    /// The largest id in use; new ids start above it.
    #[must_use]
    pub fn largest_id(&self) -> EntityId {
        self.entities
            .get_max()
            .map_or(EntityId::new(0), |(id, _)| *id)
    }
}

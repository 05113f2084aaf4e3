//! Bodies in groups of neighbouring ids. A group shares a buffer, and a ray that misses the box around a
//! group misses all of it.

use crate::base::EntityId;
use crate::geometry::{Aabb, Ray};
use imbl::OrdMap;
use std::ops::RangeInclusive;

/// Small enough to be rebuilt during a drag, large enough that a level is drawn in few calls.
const SIZE: u64 = 64;

/// Number of a group.
pub type GroupKey = u64;

#[must_use]
pub const fn group_of(id: EntityId) -> GroupKey {
    id.number() / SIZE
}

/// The ids of a group.
#[must_use]
pub const fn ids_of(group: GroupKey) -> RangeInclusive<EntityId> {
    let first = group * SIZE;
    EntityId::new(first)..=EntityId::new(first + SIZE - 1)
}

/// The box around the visible bodies of each group. Copies share all but what differs.
#[derive(Clone, Debug, Default)]
pub struct GroupBoxes(OrdMap<GroupKey, Aabb>);

impl GroupBoxes {
    /// Of all visible bodies.
    #[must_use]
    pub fn of(bodies: impl Iterator<Item = (EntityId, Aabb)>) -> Self {
        let mut boxes = Self::default();
        for (id, bounds) in bodies {
            let known = boxes.0.entry(group_of(id)).or_insert(Aabb::EMPTY);
            *known = known.union(&bounds);
        }
        boxes
    }

    /// Another box around one group.
    pub fn set(&mut self, group: GroupKey, bounds: Aabb) {
        if bounds.is_empty() {
            self.0.remove(&group);
        } else {
            self.0.insert(group, bounds);
        }
    }

    /// The groups whose box a ray meets within `limit`.
    pub fn along(&self, ray: &Ray, limit: f64) -> impl Iterator<Item = GroupKey> {
        let meets = move |bounds: &Aabb| ray.enters(bounds, limit).is_some();
        let met = self.0.iter().filter(move |(_, bounds)| meets(bounds));
        met.map(|(group, _)| *group)
    }
}

//! The input of free space.

use crate::base::EntityId;
use crate::document::{Entity, Kind, Level};
use crate::geometry::{Polygon, Rect};
use crate::nav::delta::{Changed, differing_box};
use crate::nav::entity_list::{self, LevelStep, OfEntity};
use std::sync::Arc;

/// Obstacles whose underside is at least this high above the ground do not block the plan: agents
/// up to this height walk beneath. Unit: metres.
pub const HEAD_ROOM: f64 = 2.5;

/// A polygon that blocks agents.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocker {
    pub id: EntityId,
    pub area: Arc<Polygon>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    pub bounds: Rect,
    pub blockers: Vec<Blocker>,
}

impl Blocker {
    /// Compares areas only where they are not shared.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.id == other.id && (Arc::ptr_eq(&self.area, &other.area) || self.area == other.area)
    }
}

impl OfEntity for Blocker {
    fn id(&self) -> EntityId {
        self.id
    }
}

/// Every obstacle below [`HEAD_ROOM`] and every door that is not open, including hidden and locked
/// ones. Solids are left to planning in space.
fn blocker(id: EntityId, entity: &Arc<Entity>) -> Option<Blocker> {
    match &entity.kind {
        Kind::Obstacle(obstacle) if obstacle.base < HEAD_ROOM => Some(Blocker {
            id,
            area: Arc::new(obstacle.area.clone()),
        }),
        Kind::Door(door) if door.base < HEAD_ROOM && !door.state.is_open() => Some(Blocker {
            id,
            area: Arc::new(door.leaf()?),
        }),
        _ => None,
    }
}

impl Input {
    /// Collected from the whole level.
    #[must_use]
    pub fn of_level(level: &Level) -> Self {
        Self {
            bounds: level.settings().bounds,
            blockers: entity_list::collect(level, blocker),
        }
    }

    /// After a change, with where obstacles differ; `None` where free space stays as it is.
    pub(in crate::nav) fn updated(&self, step: LevelStep<'_>) -> Option<(Self, Changed)> {
        let bounds = step.after.settings().bounds;
        let patched = step.patch(&self.blockers, blocker, |a, b| a.area == b.area);
        let changed = match &patched {
            _ if bounds != self.bounds => Changed::Everything,
            Some(patched) => Changed::within(
                patched
                    .differing
                    .iter()
                    .map(|(old, new)| {
                        let [old, new] = [old, new].map(|b| b.as_ref().map(|b| &*b.area));
                        differing_box(old, new)
                    })
                    .collect(),
            ),
            None => return None,
        };
        let blockers = patched.map_or_else(|| self.blockers.clone(), |patched| patched.list);
        Some((Self { bounds, blockers }, changed))
    }

    /// Numbered from 1, for imported meshes and tests.
    #[must_use]
    pub fn of_polygons(bounds: Rect, polygons: impl IntoIterator<Item = Polygon>) -> Self {
        Self {
            bounds,
            blockers: (1..)
                .map(EntityId::new)
                .zip(polygons)
                .map(|(id, area)| Blocker {
                    id,
                    area: Arc::new(area),
                })
                .collect(),
        }
    }
}

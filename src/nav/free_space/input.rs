//! What free space is made from.

use crate::base::EntityId;
use crate::document::Level;
use crate::geometry::{Polygon, Rect};

/// Obstacles whose underside is at least this high above the ground do not block the plan:
/// whoever is at most this tall walks beneath. Unit: metres.
pub const HEAD_ROOM: f64 = 2.5;

/// One polygon that nobody walks through.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocker {
    pub id: EntityId,
    pub area: Polygon,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    pub bounds: Rect,
    pub blockers: Vec<Blocker>,
}

impl Input {
    /// Every obstacle below [`HEAD_ROOM`], hidden and locked ones too. Solids are left out: they
    /// belong to planning in space.
    #[must_use]
    pub fn of_level(level: &Level) -> Self {
        Self {
            bounds: level.settings().bounds,
            blockers: level
                .obstacles()
                .filter(|(_, _, obstacle)| obstacle.base < HEAD_ROOM)
                .map(|(id, _, obstacle)| Blocker {
                    id,
                    area: obstacle.area.clone(),
                })
                .collect(),
        }
    }

    /// Numbered from 1, for imported meshes and tests.
    #[must_use]
    pub fn of_polygons(bounds: Rect, polygons: impl IntoIterator<Item = Polygon>) -> Self {
        Self {
            bounds,
            blockers: (1..)
                .map(EntityId::new)
                .zip(polygons)
                .map(|(id, area)| Blocker { id, area })
                .collect(),
        }
    }
}

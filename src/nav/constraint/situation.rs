//! The state of the world in which constraints are looked at: time of day, flags, and where things
//! are that moved.

use crate::base::EntityId;
use crate::document::door_states;
use crate::document::{Edit, Entity, Heading, Kind, Level, ops};
use glam::{DAffine2, DVec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where something is, instead of where it was drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The middle of an obstacle or a solid, the feet of an agent.
    pub at: DVec3,
    /// For agents; `None` leaves it as drawn.
    pub heading: Option<Heading>,
}

/// One moment of a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Situation {
    /// Time of day. Unit: hours.
    pub hour: f64,
    /// Flags that differ from how they are saved.
    pub flags: BTreeMap<EntityId, bool>,
    pub placements: BTreeMap<EntityId, Placement>,
}

impl Situation {
    /// At the start of the level's clock, with its flags and everything where it was drawn.
    #[must_use]
    pub fn of(level: &Level) -> Self {
        Self {
            hour: level.settings().clock.start,
            ..Self::default()
        }
    }

    #[must_use]
    pub fn is_set(&self, level: &Level, flag: EntityId) -> bool {
        let saved = || match level.get(flag).map(|entity| &entity.kind) {
            Some(Kind::Flag(is_set)) => *is_set,
            _ => false,
        };
        self.flags.get(&flag).copied().unwrap_or_else(saved)
    }

    /// The level with its doors as they are in this situation; shares it if no door depends on it.
    #[must_use]
    pub fn with_doors(&self, level: &Arc<Level>) -> Arc<Level> {
        let resolved = door_states::at_moment(level, self.hour, |flag| self.is_set(level, flag));
        resolved.map_or_else(|| Arc::clone(level), Arc::new)
    }

    /// The level with everything where it is in this situation. What cannot be placed stays.
    #[must_use]
    pub fn applied(&self, level: &Level) -> Level {
        let moved = |(id, placement): (&EntityId, &Placement)| {
            let entity = placed(level.get(*id)?, placement)?;
            Some(Edit::replace(*id, entity))
        };
        let edits: Vec<Edit> = self.placements.iter().filter_map(moved).collect();
        if edits.is_empty() {
            return level.clone();
        }
        ops::apply(level, &edits).unwrap_or_else(|_| level.clone())
    }
}

/// An entity at another place; `None` for what has none.
fn placed(entity: &Entity, placement: &Placement) -> Option<Entity> {
    let mut entity = entity.clone();
    match &mut entity.kind {
        Kind::Agent(agent) => {
            agent.start = placement.at;
            agent.heading = placement.heading.unwrap_or(agent.heading);
        }
        Kind::Solid(solid) => {
            solid.position = placement.at;
        }
        Kind::Obstacle(obstacle) => {
            let by = placement.at.truncate() - obstacle.area.centroid();
            let moved = DAffine2::from_translation(by);
            obstacle.area = obstacle.area.clone().map(|p| moved.transform_point2(p));
            obstacle.facing = placement.heading.unwrap_or(obstacle.facing);
        }
        _ => return None,
    }
    Some(entity)
}

//! The doors of a level at a moment: what the clock and the flags make of them.

use super::edit::Edit;
use super::model::{Door, DoorState, Entity, Kind, Level};
use super::ops;
use crate::base::EntityId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The level with every door in the state that it has at a time of day, with flags as `is_set`
/// says, and no more changes; `None` if all doors are so already. Unit of `hour`: hours.
#[must_use]
pub fn at_moment(level: &Level, hour: f64, is_set: impl Fn(EntityId) -> bool) -> Option<Level> {
    replaced(level, |door| {
        (!door.changes.is_empty()).then(|| Door {
            state: door.state_at(hour, &is_set),
            changes: Vec::new(),
            ..door.clone()
        })
    })
}

/// At the start of the level's clock, with its flags as they are saved. Shares the level if no door
/// depends on either.
#[must_use]
pub fn at_start(level: &Arc<Level>) -> Arc<Level> {
    let hour = level.settings().clock.start;
    let resolved = at_moment(level, hour, |flag| is_set_at_start(level, flag));
    resolved.map_or_else(|| Arc::clone(level), Arc::new)
}

/// The level as agents of a profile find it: doors that are locked for them are locked. `None` if
/// none is.
#[must_use]
pub fn for_profile(level: &Level, profile: EntityId) -> Option<Level> {
    if !level
        .doors()
        .any(|(.., door)| door.locked_for.contains(&profile))
    {
        return None;
    }
    replaced(level, |door| {
        (!door.locked_for.is_empty()).then(|| {
            let is_locked = door.locked_for.contains(&profile);
            Door {
                state: if is_locked {
                    DoorState::Locked
                } else {
                    door.state
                },
                changes: if is_locked {
                    Vec::new()
                } else {
                    door.changes.clone()
                },
                locked_for: BTreeSet::new(),
                ..door.clone()
            }
        })
    })
}

/// Its state at the start of the level's clock.
#[must_use]
pub fn state_at_start(level: &Level, door: &Door) -> DoorState {
    let hour = level.settings().clock.start;
    door.state_at(hour, |flag| is_set_at_start(level, flag))
}

fn is_set_at_start(level: &Level, flag: EntityId) -> bool {
    matches!(
        level.get(flag).map(|entity| &entity.kind),
        Some(Kind::Flag(true))
    )
}

fn replaced(level: &Level, change: impl Fn(&Door) -> Option<Door>) -> Option<Level> {
    let edits: Vec<Edit> = level
        .doors()
        .filter_map(|(id, entity, door)| {
            let kind = Kind::Door(change(door)?);
            let entity = Entity {
                kind,
                ..entity.clone()
            };
            Some(Edit::replace(id, entity))
        })
        .collect();
    if edits.is_empty() {
        return None;
    }
    // A valid door in another state is valid.
    ops::apply(level, &edits).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{DoorChange, When};
    use glam::DVec2;

    #[test]
    fn doors_are_as_the_clock_and_the_flags_say() {
        let (gate, hatch, alarm) = (EntityId::new(1), EntityId::new(2), EntityId::new(3));
        let mut door = Door::new(DVec2::ZERO, DVec2::X);
        door.changes.push(DoorChange {
            to: DoorState::Shut,
            when: When::while_set(alarm),
        });
        let plain = Door::new(DVec2::ONE, DVec2::new(3.0, 1.0));
        let edits = [
            Edit::create(gate, Entity::new("Gate", Kind::Door(door))),
            Edit::create(hatch, Entity::new("Hatch", Kind::Door(plain))),
            Edit::create(alarm, Entity::new("Alarm", Kind::Flag(true))),
        ];
        let level = Arc::new(ops::apply(&Level::default(), &edits).expect("valid"));
        let states = |level: &Level| -> Vec<DoorState> {
            level.doors().map(|(.., door)| door.state).collect()
        };
        let resolved = at_start(&level);
        assert_eq!(states(&resolved), [DoorState::Shut, DoorState::Open]);
        assert!(
            Arc::ptr_eq(&at_start(&resolved), &resolved),
            "nothing is left to do"
        );
        let calm = at_moment(&level, 12.0, |_| false).expect("one depends on a flag");
        assert_eq!(states(&calm), [DoorState::Open, DoorState::Open]);
    }
}

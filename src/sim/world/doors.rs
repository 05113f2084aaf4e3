//! Doors: the level's clock, its flags or a hand open and shut them, and some let only so many pass.

use super::World;
use super::event::{RunEvent, RunEventKind};
use crate::base::EntityId;
use crate::document::{Door, DoorState, Edit, Kind, Level, Obstacle, ops};
use crate::jobs::{Cancelled, JobContext};
use glam::DVec2;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug, Default)]
pub(super) struct Doors {
    all: Vec<DoorNow>,
    /// What was done by hand: it counts more than the clock and flags.
    pub(super) hands: BTreeMap<EntityId, DoorState>,
}

#[derive(Debug)]
struct DoorNow {
    id: EntityId,
    door: Door,
    state: DoorState,
    /// How many may pass now; grows with time, up to one.
    tokens: f64,
}

impl Doors {
    /// As drawn, before clock and flags are looked at.
    pub(super) fn new(level: &Level) -> Self {
        let doors = level.iter().filter_map(|(id, entity)| match &entity.kind {
            Kind::Door(door) => Some(DoorNow {
                id,
                state: door.state,
                door: door.clone(),
                tokens: 1.0,
            }),
            _ => None,
        });
        Self {
            all: doors.collect(),
            hands: BTreeMap::new(),
        }
    }

    /// Looks at the time of day and flags; which doors changed.
    fn update(&mut self, hour: f64, is_set: impl Fn(EntityId) -> bool) -> Vec<usize> {
        let mut changed = Vec::new();
        for (index, now) in self.all.iter_mut().enumerate() {
            let hand = self.hands.get(&now.id).copied();
            let state = hand.unwrap_or_else(|| now.door.state_at(hour, &is_set));
            if state != now.state {
                now.state = state;
                changed.push(index);
            }
        }
        changed
    }

    /// The level with doors as they are now, whatever the time: one that lets nothing pass is an
    /// obstacle.
    pub(super) fn applied(&self, level: Level) -> Level {
        let edit = |now: &DoorNow| {
            let mut entity = (**level.get(now.id)?).clone();
            let Kind::Door(door) = &mut entity.kind else {
                return None;
            };
            if now.state.is_open() {
                door.state = DoorState::Open;
                door.changes.clear();
            } else {
                let mut leaf = Obstacle::new(door.leaf()?);
                (leaf.base, leaf.height) = (door.base, door.height);
                entity.kind = Kind::Obstacle(leaf);
            }
            Some(Edit::replace(now.id, entity))
        };
        let edits: Vec<Edit> = self.all.iter().filter_map(edit).collect();
        ops::apply(&level, &edits).unwrap_or(level)
    }

    /// Whether some are not open.
    pub(super) fn are_shut(&self) -> bool {
        self.all.iter().any(|now| !now.state.is_open())
    }

    /// Lets time pass for doors with a limited flow.
    pub(super) fn refill(&mut self, dt: f64) {
        for now in &mut self.all {
            if let Some(flow) = now.door.flow {
                now.tokens = (now.tokens + flow * dt).min(1.0);
            }
        }
    }

    /// Whether any door asks who passes it.
    pub(super) fn are_watched(&self) -> bool {
        let is_watched = |now: &DoorNow| now.door.flow.is_some() || !now.door.locked_for.is_empty();
        self.all.iter().any(is_watched)
    }

    /// Whether an agent with a profile may go from one place to another; counts it if it does.
    pub(super) fn let_pass(&mut self, from: DVec2, to: DVec2, profile: EntityId) -> bool {
        let mut passed: Vec<usize> = Vec::new();
        for (index, now) in self.all.iter().enumerate() {
            if !crosses(from, to, now.door.jambs) {
                continue;
            }
            let is_refused = now.door.locked_for.contains(&profile)
                || now.door.flow.is_some() && now.tokens < 1.0;
            if is_refused {
                return false;
            }
            passed.push(index);
        }
        for index in passed {
            self.all[index].tokens -= 1.0;
        }
        true
    }
}

/// Whether a step leads across the line between two jambs.
fn crosses(from: DVec2, to: DVec2, [a, b]: [DVec2; 2]) -> bool {
    let (along, step) = (b - a, to - from);
    let is_left = |p: DVec2| along.perp_dot(p - a) > 0.0;
    let side = |p: DVec2| step.perp_dot(p - from) > 0.0;
    is_left(from) != is_left(to) && side(a) != side(b)
}

impl World {
    /// Time of day. Unit: hours.
    #[must_use]
    pub fn hour(&self) -> f64 {
        let clock = &self.scenario.level.settings().clock;
        (clock.start + self.time() * clock.speed / 3600.0).rem_euclid(24.0)
    }

    /// Opens and shuts doors whose time has come. `is_changed` tells that the level has changed
    /// anyway.
    pub(super) fn operate_doors(
        &mut self,
        is_changed: bool,
        ctx: &JobContext,
    ) -> Result<(), Cancelled> {
        let hour = self.hour();
        self.changes.situation.hour = hour;
        let (level, situation) = (&self.scenario.level, &self.changes.situation);
        let changed = self
            .doors
            .update(hour, |flag| situation.is_set(level, flag));
        for index in &changed {
            let now = &self.doors.all[*index];
            let verb = match now.state {
                DoorState::Open => "opens",
                DoorState::Shut => "shuts",
                DoorState::Locked => "is locked",
            };
            self.events.push(RunEvent {
                tick: self.tick,
                agent: None,
                kind: RunEventKind::Door,
                at: now.door.centre().extend(now.door.base),
                text: format!("{} {verb}", self.scenario.level.label(now.id)),
            });
        }
        if changed.is_empty() && !is_changed {
            return Ok(());
        }
        let level = self.changes.level();
        let level = self.doors.applied(level);
        self.rebuild(Arc::new(level), ctx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Entity;

    fn doors(flow: Option<f64>) -> Doors {
        let mut door = Door::new(DVec2::ZERO, DVec2::new(0.0, 1.0));
        door.flow = flow;
        let entity = Entity::new("Gate", Kind::Door(door));
        let edits = [Edit::create(EntityId::new(4), entity)];
        Doors::new(&ops::apply(&Level::default(), &edits).expect("valid"))
    }

    #[test]
    fn a_limited_door_lets_so_many_pass_and_no_more() {
        let mut doors = doors(Some(0.8));
        let profile = EntityId::new(1);
        let (from, to) = (DVec2::new(-0.01, 0.5), DVec2::new(0.01, 0.5));
        let mut passed = 0;
        for _ in 0..2000 {
            doors.refill(0.05);
            passed += u32::from(doors.let_pass(from, to, profile));
        }
        // A hundred seconds, and the first at once.
        assert!((79..=81).contains(&passed), "{passed}");
        let beside = DVec2::new(0.0, 2.0);
        assert!(doors.let_pass(from + beside, to + beside, profile));
        assert!(doors.let_pass(from, from, profile));
    }

    #[test]
    fn a_hand_counts_more_than_the_clock() {
        let mut doors = doors(None);
        assert!(doors.update(9.0, |_| false).is_empty());
        doors.hands.insert(EntityId::new(4), DoorState::Shut);
        assert_eq!(doors.update(9.0, |_| false), [0]);
        doors.hands.clear();
        assert_eq!(doors.update(9.0, |_| false), [0]);
    }
}

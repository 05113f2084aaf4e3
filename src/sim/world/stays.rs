//! What agents do at goals before they go on: wait in an area, or stand in a queue.

use super::World;
use super::agents::Record;
use super::event::AgentIndex;
use super::scenario::{Source, purpose};
use crate::base::{Chance, EntityId};
use crate::document::{FlagIs, Kind, Level, Queue, Target, Wait};
use glam::DVec2;
use std::collections::{BTreeMap, VecDeque};

/// Places that are tried in a waiting area.
const TRIES: usize = 24;

/// Distance to the others that is looked for in a waiting area. Unit: metres.
const ELBOW_ROOM: f64 = 0.3;

/// One is served who stands so near the counter. Unit: metres.
const AT_COUNTER: f64 = 0.35;

/// A place is reached at this distance. Unit: metres.
const AT_PLACE: f64 = 0.1;

/// What an agent does at a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stay {
    /// Where it stands.
    pub place: DVec2,
    pub until: Until,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Until {
    /// Since the start of the run. Unit: seconds.
    Time(f64),
    Flag(FlagIs),
    /// It was served in this queue.
    Served(EntityId),
}

#[derive(Debug, Default)]
pub(super) struct Queues {
    all: BTreeMap<EntityId, Line>,
}

/// Those who stand in one queue.
#[derive(Debug)]
struct Line {
    slots: Vec<DVec2>,
    /// The first is next.
    members: VecDeque<AgentIndex>,
    /// When the first has been served, once it stands at the counter. Unit: seconds.
    served: Option<f64>,
}

impl Line {
    fn new(queue: &Queue) -> Self {
        Self {
            slots: queue.slots(),
            members: VecDeque::new(),
            served: None,
        }
    }

    /// Where the member with that number stands; behind the end of the line in its direction.
    fn place(&self, number: usize) -> DVec2 {
        match self.slots[..] {
            [] => DVec2::ZERO,
            [only] => only,
            [.., before, last] => {
                let beyond = (number + 1).saturating_sub(self.slots.len());
                match self.slots.get(number) {
                    Some(slot) => *slot,
                    None => last + (last - before) * beyond as f64,
                }
            }
        }
    }
}

/// The waiting area or queue that an agent has as the goal of its leg.
fn goal_of<'a>(level: &'a Level, source: &Source, record: &Record) -> Option<(EntityId, &'a Kind)> {
    let goals = &source.mission.goals;
    // A patrol makes several legs of one goal.
    if record.legs != goals.len() {
        return None;
    }
    let index = if record.is_reversed {
        goals.len().checked_sub(1 + record.leg)?
    } else {
        record.leg
    };
    let Target::Entity(id) = goals.get(index)?.target()? else {
        return None;
    };
    let kind = &level.get(id)?.kind;
    matches!(kind, Kind::WaitingArea(_) | Kind::Queue(_)).then_some((id, kind))
}

impl World {
    /// Whether an agent that has reached the goal of its leg stays there for a while.
    pub(super) fn begins_stay(&mut self, slot: usize) -> bool {
        let record = &self.agents.records[slot];
        let source = &self.scenario.sources[record.source as usize];
        let Some((id, kind)) = goal_of(&self.scenario.level, source, record) else {
            return false;
        };
        let index = self.agents.ids[slot];
        let chance = Chance::new(self.options.seed, u64::from(index), self.tick);
        let stay = match kind {
            Kind::WaitingArea(waiting) => {
                let until = match waiting.wait {
                    Wait::For(time) => {
                        let time = time.draw(chance, purpose::STAY).max(0.0);
                        Until::Time(self.time() + time)
                    }
                    Wait::UntilHour(hour) => Until::Time(self.time_of_hour(hour)),
                    Wait::Until(flag) => Until::Flag(flag),
                };
                let body = &self.agents.bodies[slot];
                let bounds = waiting.area.bounds();
                let mut random = chance.stream(purpose::PLACE);
                let is_open = |p: &DVec2| {
                    waiting.area.contains(*p)
                        && self.walls.clearance(*p) >= body.radius
                        && !self.grid.is_occupied(
                            *p,
                            body.height,
                            body.radius + ELBOW_ROOM,
                            body.radius,
                        )
                };
                let places = (0..TRIES).map(|_| random.point(bounds.min, bounds.max));
                let place = { places }.find(is_open).unwrap_or(body.position);
                Stay { place, until }
            }
            Kind::Queue(queue) => {
                let lines = &mut self.queues.all;
                let line = lines.entry(id).or_insert_with(|| Line::new(queue));
                line.members.push_back(index);
                Stay {
                    place: line.place(line.members.len() - 1),
                    until: Until::Served(id),
                }
            }
            _ => return false,
        };
        self.agents.records[slot].stay = Some(stay);
        true
    }

    /// When a time of day comes next. Unit: seconds since the start of the run.
    fn time_of_hour(&self, hour: f64) -> f64 {
        let speed = self.scenario.level.settings().clock.speed.max(1e-9);
        self.time() + (hour - self.hour()).rem_euclid(24.0) * 3600.0 / speed
    }

    /// Moves queues up; agents whose stay is over, in the order of their ids.
    pub(super) fn end_stays(&mut self) -> Vec<usize> {
        self.move_queues_up();
        let time = self.time();
        let (level, situation) = (&self.scenario.level, &self.changes.situation);
        let is_over = |record: &Record| match record.stay.map(|stay| stay.until) {
            Some(Until::Time(until)) => time >= until - 1e-9,
            Some(Until::Flag(FlagIs::Set(flag))) => situation.is_set(level, flag),
            Some(Until::Flag(FlagIs::Unset(flag))) => !situation.is_set(level, flag),
            Some(Until::Served(_)) | None => false,
        };
        let records = self.agents.records.iter().enumerate();
        records
            .filter(|(_, record)| is_over(record))
            .map(|(slot, _)| slot)
            .collect()
    }

    fn move_queues_up(&mut self) {
        let time = self.time();
        let seed = self.options.seed;
        for (id, line) in &mut self.queues.all {
            let slot_of = |index: &AgentIndex| self.agents.ids.binary_search(index).ok();
            line.members.retain(|index| slot_of(index).is_some());
            let service = match self.scenario.level.get(*id).map(|entity| &entity.kind) {
                Some(Kind::Queue(queue)) => queue.service,
                _ => continue,
            };
            if let Some(first) = line.members.front().copied()
                && let Some(slot) = slot_of(&first)
            {
                let is_there = self.agents.bodies[slot].position.distance(line.place(0));
                match line.served {
                    None if is_there <= AT_COUNTER => {
                        let chance = Chance::new(seed, u64::from(first), self.tick);
                        let takes = service.draw(chance, purpose::STAY).max(0.0);
                        line.served = Some(time + takes);
                    }
                    Some(until) if time >= until - 1e-9 => {
                        line.served = None;
                        line.members.pop_front();
                        if let Some(stay) = &mut self.agents.records[slot].stay {
                            stay.until = Until::Time(time);
                        }
                    }
                    _ => {}
                }
            }
            for (number, index) in line.members.iter().enumerate() {
                if let Ok(slot) = self.agents.ids.binary_search(index)
                    && let Some(stay) = &mut self.agents.records[slot].stay
                {
                    stay.place = line.place(number);
                }
            }
        }
    }
}

impl Stay {
    /// Direction and speed of one who goes to its place, or stands there.
    pub(super) fn lead(&self, from: DVec2, speed: f64) -> (DVec2, f64) {
        let offset = self.place - from;
        let distance = offset.length();
        if distance <= AT_PLACE {
            return (DVec2::ZERO, 0.0);
        }
        (offset / distance, speed.min(distance / 0.5))
    }
}

//! The agents that are there, property by property, ordered by index.

use super::event::AgentIndex;
use super::guide::Guide;
use super::neighbours::Neighbour;
use super::stays::Stay;
use crate::base::EntityId;
use glam::{DVec2, DVec3};

/// One agent at a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentState {
    pub index: AgentIndex,
    /// The agent or crowd of the level that it belongs to.
    pub entity: EntityId,
    /// Its number among those of its crowd, from 0.
    pub member: u32,
    /// Where its feet are.
    pub position: DVec3,
    /// In plan. Unit: m/s.
    pub velocity: DVec2,
    /// Where it faces: of length 1.
    pub heading: DVec2,
    /// Unit: metres.
    pub radius: f64,
    /// Preferred speed. Unit: m/s.
    pub speed: f64,
    /// Length of the path ahead. Unit: metres.
    pub remaining: f64,
    pub is_stuck: bool,
}

/// An agent that appeared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Birth {
    pub tick: u64,
    pub index: AgentIndex,
    pub entity: EntityId,
    pub member: u32,
    /// Unit: metres.
    pub radius: f64,
    /// Preferred speed. Unit: m/s.
    pub speed: f64,
    /// When it sets out, since the start of the run. Unit: seconds.
    pub sets_out: f64,
    pub at: DVec3,
}

/// An agent that left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Departure {
    pub tick: u64,
    pub index: AgentIndex,
    pub at: DVec3,
}

/// Where an agent means to go from now on.
#[derive(Clone, Debug, PartialEq)]
pub struct NewPlan {
    pub tick: u64,
    pub index: AgentIndex,
    /// From where it was, to the last goal that has a path.
    pub points: Vec<DVec3>,
}

/// What is not needed for every step.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub source: u32,
    pub member: u32,
    /// The leg that is walked, of its mission.
    pub leg: usize,
    /// Legs of the whole mission.
    pub legs: usize,
    /// Guides of the legs ahead, the next one last.
    pub ahead: Vec<Guide>,
    /// Goals are visited in reverse.
    pub is_reversed: bool,
    /// Preferred speed on level ground. Unit: m/s.
    pub speed: f64,
    /// Since the start of the run. Unit: seconds.
    pub sets_out: f64,
    /// Where it was last seen to get on, and when.
    pub anchor: DVec2,
    pub anchored: u64,
    pub is_stuck: bool,
    /// Number of the next attempt to plan anew.
    pub attempts: u32,
    /// What it does at the goal that it has reached.
    pub stay: Option<Stay>,
}

#[derive(Debug, Default)]
pub(super) struct Agents {
    pub ids: Vec<AgentIndex>,
    /// What others see; `slot` is the index into all of these lists.
    pub bodies: Vec<Neighbour>,
    pub entities: Vec<EntityId>,
    pub headings: Vec<DVec2>,
    /// Preferred speed at this tick: 0 while waiting. Unit: m/s.
    pub speeds: Vec<f64>,
    pub max_speeds: Vec<f64>,
    pub crowdings: Vec<f64>,
    /// Factor of its noise.
    pub agitations: Vec<f64>,
    /// `None` for agents without a path.
    pub guides: Vec<Option<Guide>>,
    pub records: Vec<Record>,
}

/// A new agent.
pub(super) struct Newcomer {
    pub id: AgentIndex,
    pub entity: EntityId,
    pub body: Neighbour,
    pub heading: DVec2,
    pub max_speed: f64,
    pub guide: Option<Guide>,
    pub record: Record,
}

impl Agents {
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub fn speed(&self, slot: usize) -> f64 {
        self.speeds[slot]
    }

    pub fn is_in_space(&self, slot: usize) -> bool {
        self.guides[slot].as_ref().is_some_and(Guide::is_in_space)
    }

    /// Ids are given in ascending order, so the lists stay ordered.
    pub fn push(&mut self, new: Newcomer) {
        let slot = self.len() as u32;
        self.ids.push(new.id);
        self.entities.push(new.entity);
        self.bodies.push(Neighbour { slot, ..new.body });
        self.headings.push(new.heading);
        self.speeds.push(0.0);
        self.max_speeds.push(new.max_speed);
        self.crowdings.push(0.0);
        self.agitations.push(1.0);
        self.guides.push(new.guide);
        self.records.push(new.record);
    }

    /// Removes agents; the others keep their order.
    pub fn remove(&mut self, is_gone: &[bool]) {
        fn keep<T>(list: &mut Vec<T>, is_gone: &[bool]) {
            let mut flags = is_gone.iter();
            list.retain(|_| !flags.next().copied().unwrap_or(false));
        }
        keep(&mut self.ids, is_gone);
        keep(&mut self.entities, is_gone);
        keep(&mut self.bodies, is_gone);
        keep(&mut self.headings, is_gone);
        keep(&mut self.speeds, is_gone);
        keep(&mut self.max_speeds, is_gone);
        keep(&mut self.crowdings, is_gone);
        keep(&mut self.agitations, is_gone);
        keep(&mut self.guides, is_gone);
        keep(&mut self.records, is_gone);
        for (slot, body) in self.bodies.iter_mut().enumerate() {
            body.slot = slot as u32;
        }
    }

    pub fn place(&self, slot: usize) -> DVec3 {
        let body = &self.bodies[slot];
        body.position.extend(body.height)
    }

    pub fn states(&self) -> impl ExactSizeIterator<Item = AgentState> + '_ {
        (0..self.len()).map(|slot| {
            let (body, record) = (&self.bodies[slot], &self.records[slot]);
            AgentState {
                index: self.ids[slot],
                entity: self.entities[slot],
                member: record.member,
                position: self.place(slot),
                velocity: body.velocity,
                heading: self.headings[slot],
                radius: body.radius,
                speed: record.speed,
                remaining: body.remaining,
                is_stuck: record.is_stuck,
            }
        })
    }
}

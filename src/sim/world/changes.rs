//! What changes while a run goes on: inputs from outside, the level with them, and plans that are
//! void because of it.

use super::event::{AgentIndex, RunEvent, RunEventKind};
use super::scenario::Scenario;
use super::walls::Walls;
use super::{World, walls_of};
use crate::document::Level;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::constraint::{Placement, Situation};
use crate::sim::input::{Input, TimedInput};
use glam::{DVec2, DVec3};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// How far a body is moved out of what was put on top of it, at most. Unit: metres.
const FARTHEST_PUSH: f64 = 20.0;

/// Unit: metres.
const PUSH_STEP: f64 = 0.1;

/// Inputs, and what they did to the level.
#[derive(Debug)]
pub(super) struct Changes {
    /// By tick.
    due: BTreeMap<u64, Vec<Input>>,
    /// Of the last step.
    inputs: Vec<TimedInput>,
    /// The level as it was at the start.
    original: Arc<Level>,
    /// What is different by now.
    pub(super) situation: Situation,
    /// Agents whose plan may be void, in the order in which they look again.
    pub(super) renewals: VecDeque<AgentIndex>,
}

impl Changes {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self {
            due: BTreeMap::new(),
            inputs: Vec::new(),
            original: Arc::clone(&scenario.level),
            situation: Situation::of(&scenario.level),
            renewals: VecDeque::new(),
        }
    }

    /// The level with what was moved where it is now.
    pub(super) fn level(&self) -> Level {
        self.situation.applied(&self.original)
    }

    pub(super) fn inputs(&self) -> &[TimedInput] {
        &self.inputs
    }
}

impl World {
    /// Changes something before the step from a tick to the next; before the coming one if that
    /// tick is past. What is not finite is ignored.
    pub fn input(&mut self, tick: u64, input: Input) {
        if let Some(input) = input.rounded() {
            let due = self.changes.due.entry(tick.max(self.tick)).or_default();
            due.push(input);
        }
    }

    /// Lets inputs act, and the clock.
    pub(super) fn change(&mut self, ctx: &JobContext) -> Result<(), Cancelled> {
        self.changes.inputs.clear();
        while let Some(entry) = self.changes.due.first_entry() {
            if *entry.key() > self.tick {
                break;
            }
            let tick = self.tick;
            let inputs = entry.remove();
            let timed = inputs.into_iter().map(|input| TimedInput { tick, input });
            self.changes.inputs.extend(timed);
        }
        let mut is_moved = false;
        for TimedInput { input, .. } in self.changes.inputs.clone() {
            let situation = &mut self.changes.situation;
            let (at, text) = match input {
                Input::Move { entity, to } => {
                    is_moved = true;
                    let placement = Placement {
                        at: to,
                        heading: None,
                    };
                    situation.placements.insert(entity, placement);
                    let name = self.scenario.level.label(entity);
                    (to, format!("{name} was moved"))
                }
                Input::SetFlag { flag, is_set } => {
                    situation.flags.insert(flag, is_set);
                    let name = self.scenario.level.label(flag);
                    let state = if is_set { "set" } else { "cleared" };
                    (DVec3::ZERO, format!("the flag {name} was {state}"))
                }
                Input::Door { door, state } => {
                    let hands = &mut self.doors.hands;
                    match state {
                        Some(state) => hands.insert(door, state),
                        None => hands.remove(&door),
                    };
                    // The door tells what becomes of it.
                    continue;
                }
            };
            self.events.push(RunEvent {
                tick: self.tick,
                agent: None,
                kind: RunEventKind::Input,
                at,
                text,
            });
        }
        self.operate_doors(is_moved, ctx)
    }

    /// Goes on in another level: walls and navigation data follow, bodies are pushed out of what is
    /// on top of them, and everyone looks whether its plan still holds.
    pub(super) fn rebuild(&mut self, level: Arc<Level>, ctx: &JobContext) -> Result<(), Cancelled> {
        self.scenario.rebake(level, ctx)?;
        let before = std::mem::replace(&mut self.walls, walls_of(&self.scenario));
        for slot in 0..self.agents.len() {
            if !self.agents.is_in_space(slot) {
                self.push_out(slot, &before);
            }
        }
        // Those whose path is cut off first; then the others, who may have a shorter one now.
        let (cut_off, others): (Vec<usize>, Vec<usize>) =
            (0..self.agents.len()).partition(|slot| {
                let body = &self.agents.bodies[*slot];
                let guide = self.agents.guides[*slot].as_ref();
                guide.is_none_or(|guide| !guide.is_free(body.position, body.radius, &self.walls))
            });
        let ids = cut_off.into_iter().chain(others);
        self.changes.renewals = ids.map(|slot| self.agents.ids[slot]).collect();
        Ok(())
    }

    /// Moves a body to the nearest free place if it stands within something.
    fn push_out(&mut self, slot: usize, before: &Walls) {
        let record = &self.agents.records[slot];
        let source = &self.scenario.sources[record.source as usize];
        let Some(nav) = self.scenario.nav(source) else {
            return;
        };
        let body = self.agents.bodies[slot];
        let from = body.position;
        let is_walkable = |p: DVec2| nav.cells().locate(p).is_some();
        if is_walkable(from) || self.walls.clearance(from) >= body.radius && self.is_outside(from) {
            return;
        }
        let is_free = |p: &DVec2| is_walkable(*p) && self.walls.clearance(*p) >= body.radius;
        let places = || {
            let rings = (1..=(FARTHEST_PUSH / PUSH_STEP) as u32).map(|i| f64::from(i) * PUSH_STEP);
            rings
                .flat_map(|far| DIRECTIONS.map(|direction| from + DVec2::from(direction) * far))
                .filter(is_free)
        };
        // Not through the walls that were there, if that can be avoided.
        let place = places()
            .find(|p| before.is_clear(from, *p, 0.0))
            .or_else(|| places().next());
        if let Some(place) = place {
            let body = &mut self.agents.bodies[slot];
            (body.position, body.velocity) = (place, DVec2::ZERO);
        }
    }

    /// Whether a point is in no obstacle.
    fn is_outside(&self, p: DVec2) -> bool {
        let obstacles = self.scenario.bundle.shared().obstacles();
        let mut blockers = obstacles.blockers.iter();
        !blockers.any(|blocker| blocker.area.bounds().contains(p) && blocker.area.contains(p))
    }
}

const DIRECTIONS: [[f64; 2]; 16] = {
    const A: f64 = std::f64::consts::FRAC_1_SQRT_2;
    // Cosine and sine of an eighth of a right angle.
    const C: f64 = 0.923_879_532_511_286_7;
    const S: f64 = 0.382_683_432_365_089_8;
    [
        [1.0, 0.0],
        [C, S],
        [A, A],
        [S, C],
        [0.0, 1.0],
        [-S, C],
        [-A, A],
        [-C, S],
        [-1.0, 0.0],
        [-C, -S],
        [-A, -A],
        [-S, -C],
        [0.0, -1.0],
        [S, -C],
        [A, -A],
        [C, -S],
    ]
};

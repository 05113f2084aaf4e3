//! Where agents go next, and whether they get on.

use super::World;
use super::agents::Departure;
use super::event::{RunEvent, RunEventKind};
use super::guide::{Follower, GuideState, pace_on};
use super::planning::{Choice, new_plan, plan};
use crate::document::Repeat;
use crate::jobs::{Cancelled, JobContext};
use glam::DVec2;
use rayon::prelude::*;

/// Bodies that one task leads.
const CHUNK: usize = 256;

/// Most agents that plan anew in one tick; the others wait for their turn.
const MOST_PLANS: usize = 64;

/// An agent gets on if it comes this far. Unit: metres.
const PROGRESS: f64 = 0.3;

/// Longest time without progress for an agent with none in front, and for one in a queue.
/// Unit: seconds.
const PATIENCE: [f64; 2] = [5.0, 20.0];

/// Distance within which an agent in front counts. Unit: metres.
const QUEUE: f64 = 1.0;

/// Distance over which the slope of the ground is felt. Unit: metres.
const STRIDE: f64 = 0.6;

/// Factor of a stuck agent's noise.
const AGITATION: f64 = 4.0;

impl World {
    /// Asks every agent's guide where to go, and plans anew for those that are lost.
    pub(super) fn lead(&mut self, ctx: &JobContext) -> Result<(), Cancelled> {
        let (tick, time) = (self.tick, self.time());
        let agents = &mut self.agents;
        let walls = &self.walls;
        let ground = self.scenario.level.ground().map(|ground| &**ground);
        let count = agents.len();
        let mut states = vec![GuideState::Leading; count];
        states
            .par_chunks_mut(CHUNK)
            .zip(agents.guides.par_chunks_mut(CHUNK))
            .zip(agents.bodies.par_chunks_mut(CHUNK))
            .zip(agents.speeds.par_chunks_mut(CHUNK))
            .enumerate()
            .for_each(|(chunk, (((states, guides), bodies), speeds))| {
                for (i, guide) in guides.iter_mut().enumerate() {
                    let slot = chunk * CHUNK + i;
                    let record = &agents.records[slot];
                    let body = &mut bodies[i];
                    let Some(guide) = guide else {
                        (body.direction, body.remaining, speeds[i]) =
                            (DVec2::ZERO, f64::INFINITY, 0.0);
                        continue;
                    };
                    let follower = Follower {
                        position: body.position,
                        radius: body.radius,
                        walls,
                        crowding: agents.crowdings[slot],
                        turn: tick.wrapping_add(u64::from(agents.ids[slot])),
                    };
                    if let Some(stay) = &record.stay {
                        (body.direction, speeds[i]) = stay.lead(body.position, record.speed);
                        body.remaining = body.position.distance(stay.place);
                        continue;
                    }
                    let advice = guide.lead(&follower);
                    let has_set_out = time >= record.sets_out - 1e-9;
                    states[i] = advice.state;
                    body.remaining = advice.remaining;
                    body.height = advice.height;
                    body.direction = advice.direction;
                    let mut pace = advice.pace;
                    if let Some(ground) = ground.filter(|_| !guide.is_in_space()) {
                        body.height = ground.height(body.position);
                        let ahead = body.position + advice.direction * STRIDE;
                        let slope = (ground.height(ahead) - body.height) / STRIDE;
                        pace = pace_on(slope);
                    }
                    speeds[i] = if has_set_out {
                        record.speed * pace
                    } else {
                        0.0
                    };
                }
            });
        self.take_turns(&states, ctx)
    }

    /// What agents do that have arrived or are lost, in the order of their ids.
    fn take_turns(&mut self, states: &[GuideState], ctx: &JobContext) -> Result<(), Cancelled> {
        let mut is_gone = vec![false; states.len()];
        let mut replanning = Vec::new();
        let mut arrived = Vec::new();
        for (slot, state) in states.iter().enumerate() {
            match state {
                GuideState::Leading => {}
                GuideState::Lost => replanning.push(slot),
                GuideState::Arrived => {
                    if !self.begins_stay(slot) {
                        arrived.push(slot);
                    }
                }
            }
        }
        for slot in self.end_stays() {
            self.agents.records[slot].stay = None;
            arrived.push(slot);
        }
        arrived.sort_unstable();
        for slot in arrived {
            if !self.goes_on(slot, &mut replanning) {
                is_gone[slot] = true;
                self.depart(slot);
            }
        }
        replanning.truncate(MOST_PLANS);
        self.renew(&is_gone, &mut replanning);
        self.plan_again(&replanning, ctx)?;
        if is_gone.contains(&true) {
            self.agents.remove(&is_gone);
        }
        Ok(())
    }

    /// Adds agents whose plan may be void, as many as there is time for.
    fn renew(&mut self, is_gone: &[bool], replanning: &mut Vec<usize>) {
        while replanning.len() < MOST_PLANS
            && let Some(id) = self.changes.renewals.pop_front()
        {
            // Agents are ordered by id.
            if let Ok(slot) = self.agents.ids.binary_search(&id)
                && !is_gone[slot]
                && !replanning.contains(&slot)
            {
                replanning.push(slot);
            }
        }
    }

    /// Whether an agent that reached a goal has another one.
    fn goes_on(&mut self, slot: usize, replanning: &mut Vec<usize>) -> bool {
        let record = &mut self.agents.records[slot];
        let source = &self.scenario.sources[record.source as usize];
        let legs = record.legs;
        record.leg += 1;
        if let Some(next) = record.ahead.pop() {
            self.agents.guides[slot] = Some(next);
        } else if record.leg < legs {
            replanning.push(slot);
        } else {
            match source.mission.repeat {
                Repeat::Once => return false,
                Repeat::Loop if legs > 1 => {}
                Repeat::BackAndForth if legs > 1 => record.is_reversed = !record.is_reversed,
                Repeat::Loop | Repeat::BackAndForth => return false,
            }
            // One that turns round stands at the first goal of its way back already.
            record.leg = usize::from(source.mission.repeat == Repeat::BackAndForth);
            replanning.push(slot);
        }
        let index = if record.is_reversed {
            source.goals.len().saturating_sub(1 + record.leg)
        } else {
            record.leg
        };
        self.agents.bodies[slot].goal = source.goals.get(index).copied().unwrap_or(u32::MAX);
        true
    }

    fn depart(&mut self, slot: usize) {
        let (index, at) = (self.agents.ids[slot], self.agents.place(slot));
        self.departures.push(Departure {
            tick: self.tick,
            index,
            at,
        });
        self.event(slot, RunEventKind::Arrived, String::new());
    }

    pub(super) fn event(&mut self, slot: usize, kind: RunEventKind, text: String) {
        self.events.push(RunEvent {
            tick: self.tick,
            agent: Some(self.agents.ids[slot]),
            kind,
            at: self.agents.place(slot),
            text,
        });
    }

    fn plan_again(&mut self, slots: &[usize], ctx: &JobContext) -> Result<(), Cancelled> {
        let plans: Vec<_> = slots
            .par_iter()
            .map(|&slot| {
                let record = &self.agents.records[slot];
                let source = &self.scenario.sources[record.source as usize];
                let from = self.agents.place(slot);
                let choice = Choice {
                    leg: record.leg,
                    is_reversed: record.is_reversed,
                    area: None,
                };
                plan(&self.scenario, source, from, choice, &self.walls, ctx)
            })
            .collect::<Result<_, Cancelled>>()?;
        for (&slot, mut planned) in slots.iter().zip(plans) {
            let is_first_try = self.agents.records[slot].attempts == 0;
            if planned.guides.is_empty() {
                // It goes on as it was and tries again.
                self.agents.records[slot].attempts += 1;
                if is_first_try {
                    let reason = planned.reason.unwrap_or_default();
                    self.event(slot, RunEventKind::Unreachable, reason);
                }
                continue;
            }
            let plan = new_plan(self.tick, self.agents.ids[slot], &planned.guides);
            self.plans.push(plan);
            self.constrained.forget(self.agents.ids[slot]);
            planned.guides.reverse();
            self.agents.guides[slot] = planned.guides.pop();
            self.agents.records[slot].ahead = planned.guides;
            self.agents.records[slot].attempts = 0;
            if self.agents.records[slot].leg > 0 || self.tick > 0 {
                self.event(slot, RunEventKind::Replanned, String::new());
            }
        }
        Ok(())
    }

    /// Notices who does not get on.
    pub(super) fn note_progress(&mut self) {
        let step = self.options.step;
        let mut changed = Vec::new();
        for slot in 0..self.agents.len() {
            let (body, record) = (&self.agents.bodies[slot], &mut self.agents.records[slot]);
            // One that stays somewhere has its place, or waits for it.
            let wants_to_move = self.agents.speeds[slot] > 0.0 && record.stay.is_none();
            let has_moved = body.position.distance_squared(record.anchor) >= PROGRESS * PROGRESS;
            if has_moved || !wants_to_move {
                if record.is_stuck {
                    changed.push((slot, false));
                }
                (record.anchor, record.anchored) = (body.position, self.tick);
                continue;
            }
            let waited = (self.tick - record.anchored) as f64 * step;
            if record.is_stuck || waited < PATIENCE[0] {
                continue;
            }
            let is_in_queue = waited < PATIENCE[1] && {
                let mut is_behind = false;
                self.grid.visit(body, QUEUE, |other, away, _| {
                    let is_in_front = away.dot(body.direction) < 0.0;
                    is_behind |= is_in_front && other.remaining < body.remaining;
                });
                is_behind
            };
            if !is_in_queue {
                changed.push((slot, true));
            }
        }
        for (slot, is_stuck) in changed {
            self.agents.records[slot].is_stuck = is_stuck;
            self.agents.agitations[slot] = if is_stuck { AGITATION } else { 1.0 };
            if is_stuck {
                let text = self.why_stuck(slot);
                self.event(slot, RunEventKind::Stuck, text);
            } else {
                self.event(slot, RunEventKind::Freed, String::new());
            }
        }
    }

    /// A sentence that names the agent, the place and what is in its way.
    fn why_stuck(&self, slot: usize) -> String {
        let (body, record) = (&self.agents.bodies[slot], &self.agents.records[slot]);
        let source = &self.scenario.sources[record.source as usize];
        let name = self.scenario.level.label(source.entity);
        let name = match source.area {
            Some(_) => format!("{name} no. {}", record.member + 1),
            None => name,
        };
        let mut in_front = 0;
        self.grid.visit(body, QUEUE, |_, away, _| {
            in_front += usize::from(away.dot(body.direction) < 0.0);
        });
        let ahead = body.position + body.direction * QUEUE;
        let is_walled = !self.walls.is_clear(body.position, ahead, 0.5 * body.radius);
        let reason = match (in_front, is_walled) {
            (0, true) => "a wall is in front of it".to_owned(),
            (0, false) => "nothing is in front of it".to_owned(),
            (1, _) => "another agent is in front of it".to_owned(),
            (count, _) => format!("{count} others are in front of it"),
        };
        let DVec2 { x, y } = body.position;
        format!("{name} is stuck at {x:.1}, {y:.1}: {reason}")
    }
}

//! Another exit, where that takes less time than to queue for this one.
//!
//! The time of an exit is the length of the path at the own speed, and the queue of those nearer to
//! it that the narrowest place of the path lets through. Agents look again every few seconds, not
//! all at once, and change only for a good deal less time; those who stand in a queue stay in it.

use super::World;
use super::event::RunEventKind;
use super::guide::Guide;
use super::planning::{Choice, Planned, new_plan, plan};
use super::walls::Walls;
use crate::jobs::{Cancelled, JobContext};
use glam::DVec2;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Time between two looks of an agent. Unit: seconds.
const INTERVAL: f64 = 3.0;

/// Another exit must take less than this share of the time of the present one.
const HYSTERESIS: f64 = 0.8;

/// Density of a queue in front of an exit. Unit: 1/m².
const QUEUED: f64 = 4.0;

/// A queue is so much wider than half a disc of that density, and begins so far from the goal.
/// Units: none, metres.
const RAGGED: [f64; 2] = [1.2, 1.0];

/// Fewer are no queue.
const FEWEST: usize = 10;

/// Flow through a narrow place. Unit: 1/(m·s).
const FLOW: f64 = 1.9;

/// Distance between places of a path that are measured. Unit: metres.
const SAMPLE: f64 = 0.5;

/// Narrower places count as so wide. Unit: metres.
const NARROWEST: f64 = 0.5;

/// Most agents that look again in one tick.
const MOST_LOOKS: usize = 32;

/// Those who go to one exit, by how far they have to go, in ascending order.
type Queues = BTreeMap<(u32, usize), Vec<f64>>;

impl World {
    /// Lets some agents look whether another exit is faster.
    pub(super) fn avoid_jams(&mut self, ctx: &JobContext) -> Result<(), Cancelled> {
        let period = (INTERVAL / self.options.step).round().max(1.0) as u64;
        let phase = self.tick % period;
        let looking: Vec<usize> = (0..self.agents.len())
            .filter(|slot| {
                let record = &self.agents.records[*slot];
                let turn = u64::from(self.agents.ids[*slot]).wrapping_mul(0x9e37_79b9) % period;
                turn == phase
                    && self.agents.speeds[*slot] > 0.0
                    && record.stay.is_none()
                    && self.agents.guides[*slot]
                        .as_ref()
                        .is_some_and(|guide| guide.areas() > 1)
            })
            .take(MOST_LOOKS)
            .collect();
        if looking.is_empty() {
            return Ok(());
        }
        let queues = self.queues_of_exits();
        let better: Vec<Option<Better>> = looking
            .par_iter()
            .map(|slot| self.better_exit(*slot, &queues, ctx))
            .collect::<Result<_, Cancelled>>()?;
        for (slot, better) in looking.into_iter().zip(better) {
            let Some(better) = better else { continue };
            let mut guides = better.planned.guides;
            self.plans
                .push(new_plan(self.tick, self.agents.ids[slot], &guides));
            guides.reverse();
            self.agents.guides[slot] = guides.pop();
            self.agents.records[slot].ahead = guides;
            let text = format!(
                "takes another exit: {:.0} s instead of {:.0} s",
                better.takes, better.took
            );
            self.event(slot, RunEventKind::Rerouted, text);
        }
        Ok(())
    }

    fn queues_of_exits(&self) -> Queues {
        let mut queues = Queues::new();
        for (body, guide) in self.agents.bodies.iter().zip(&self.agents.guides) {
            if let Some(area) = guide.as_ref().and_then(Guide::area) {
                let queue = queues.entry((body.goal, area)).or_default();
                queue.push(body.remaining);
            }
        }
        for queue in queues.values_mut() {
            queue.sort_by(f64::total_cmp);
        }
        queues
    }

    fn better_exit(
        &self,
        slot: usize,
        queues: &Queues,
        ctx: &JobContext,
    ) -> Result<Option<Better>, Cancelled> {
        let (body, record) = (&self.agents.bodies[slot], &self.agents.records[slot]);
        let source = &self.scenario.sources[record.source as usize];
        let Some((present, guide)) = self.agents.guides[slot]
            .as_ref()
            .and_then(|guide| Some((guide.area()?, guide)))
        else {
            return Ok(None);
        };
        let waiting = |area: usize, length: f64| {
            queues.get(&(body.goal, area)).map_or(0, |queue| {
                queue.partition_point(|remaining| *remaining < length - 1e-6)
            })
        };
        if !record.is_stuck && is_in_line(waiting(present, body.remaining), body.remaining) {
            return Ok(None);
        }
        let time = |area: usize, guide: &Guide, length: f64| {
            let waiting = waiting(area, length);
            let gates = guide.narrowest(body.radius);
            let width = gates.or_else(|| narrowest(body.position, guide, &self.walls));
            let width = width.map(|width| width.max(NARROWEST));
            let queue = width.map_or(0.0, |width| waiting as f64 / (FLOW * width));
            // Whoever is far from it queues less.
            let walk = length / record.speed.max(0.1);
            walk.max(queue) + 0.5 * walk.min(queue)
        };
        let took = time(present, guide, body.remaining);
        let mut best: Option<Better> = None;
        for area in (0..guide.areas()).filter(|area| *area != present) {
            let choice = Choice {
                leg: record.leg,
                is_reversed: record.is_reversed,
                area: Some(area),
            };
            let from = self.agents.place(slot);
            let planned = plan(&self.scenario, source, from, choice, &self.walls, ctx)?;
            let Some(first) = planned.guides.first() else {
                continue;
            };
            let takes = time(area, first, first.length());
            let limit = best.as_ref().map_or(HYSTERESIS * took, |best| best.takes);
            if takes < limit {
                best = Some(Better {
                    planned,
                    takes,
                    took,
                });
            }
        }
        Ok(best)
    }
}

/// Whether one with so many in front of it, and so far to go, stands in their queue: it is as near as
/// half a disc of them reaches.
fn is_in_line(waiting: usize, remaining: f64) -> bool {
    let reach = (2.0 * waiting as f64 / (std::f64::consts::PI * QUEUED)).sqrt();
    waiting >= FEWEST && remaining <= RAGGED[0] * reach + RAGGED[1]
}

/// A plan to another exit, and how long both take. Unit: seconds.
struct Better {
    planned: Planned,
    takes: f64,
    took: f64,
}

/// Width of the narrowest place of a path without corners; `None` where walls are everywhere far. Unit: metres.
fn narrowest(from: DVec2, guide: &Guide, walls: &Walls) -> Option<f64> {
    let mut least = walls.reach();
    let mut at = from;
    for next in guide.ahead() {
        let next = next.truncate();
        let steps = (at.distance(next) / SAMPLE).ceil().max(1.0);
        for i in 0..=steps as u32 {
            let p = at.lerp(next, f64::from(i) / steps);
            least = least.min(walls.clearance(p));
        }
        at = next;
    }
    (least < walls.reach()).then_some(2.0 * least)
}

//! Groups of a crowd that keep together: the slowest sets the pace, and those ahead wait.

use super::World;
use super::event::AgentIndex;
use glam::DVec2;
use std::collections::BTreeMap;

/// Who is so far ahead of the last of its group walks slowly; at twice the distance it stands.
/// Unit: metres.
const TOO_FAR: f64 = 3.0;

/// Share of its speed with which one waits for the others.
const WAITING: f64 = 0.3;

/// How much faster than its own speed one walks to catch up.
const CATCHING_UP: f64 = 1.15;

/// Members nearer than this to the middle of their group are with it. Unit: metres.
const TOGETHER: f64 = 1.0;

/// Farther away than this, the path leads back together. Unit: metres.
const LOST: f64 = 5.0;

/// Weight of the direction to the middle of the group, at most.
const COHESION: f64 = 0.4;

/// The members of every group by its number, ordered by id.
#[derive(Debug, Default)]
pub(super) struct Companies {
    all: BTreeMap<u32, Vec<AgentIndex>>,
}

impl Companies {
    pub(super) fn join(&mut self, group: u32, index: AgentIndex) {
        self.all.entry(group).or_default().push(index);
    }
}

impl World {
    /// Lets members of groups wait for each other and stay close.
    pub(super) fn keep_together(&mut self) {
        let Self {
            agents, companies, ..
        } = self;
        companies.all.retain(|_, members| {
            members.retain(|index| agents.ids.binary_search(index).is_ok());
            members.len() > 1
        });
        let mut slots: Vec<usize> = Vec::new();
        for members in companies.all.values() {
            slots.clear();
            slots.extend(members.iter().filter_map(|index| {
                let slot = agents.ids.binary_search(index).ok()?;
                let is_walking = agents.speeds[slot] > 0.0 && agents.records[slot].stay.is_none();
                let has_path = agents.bodies[slot].remaining.is_finite();
                (is_walking && has_path).then_some(slot)
            }));
            if slots.len() < 2 {
                continue;
            }
            // Only those on one leg can be compared by what is left of it.
            let leg = agents.records[slots[0]].leg;
            slots.retain(|slot| agents.records[*slot].leg == leg);
            let remaining = |slot: usize| agents.bodies[slot].remaining;
            let last = slots.iter().map(|s| remaining(*s)).fold(0.0, f64::max);
            let slowest = slots.iter().map(|s| agents.speeds[*s]);
            let slowest = slowest.fold(f64::INFINITY, f64::min);
            let middle = slots
                .iter()
                .map(|slot| agents.bodies[*slot].position)
                .sum::<DVec2>()
                / slots.len() as f64;
            let foremost = slots.iter().map(|s| remaining(*s));
            let foremost = foremost.fold(f64::INFINITY, f64::min);
            for slot in &slots {
                let body = &mut agents.bodies[*slot];
                let ahead = last - body.remaining;
                let own = agents.speeds[*slot];
                agents.speeds[*slot] = if ahead > 2.0 * TOO_FAR {
                    0.0
                } else if ahead > TOO_FAR {
                    slowest * WAITING
                } else if body.remaining - foremost > TOO_FAR {
                    own * CATCHING_UP
                } else {
                    slowest
                };
                let offset = middle - body.position;
                let far = offset.length();
                if (TOGETHER..LOST).contains(&far) {
                    let pull = COHESION * ((far - TOGETHER) / TOGETHER).min(1.0);
                    let direction = body.direction + offset / far * pull;
                    body.direction = direction.try_normalize().unwrap_or(body.direction);
                }
            }
        }
    }
}

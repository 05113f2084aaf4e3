//! A run at a glance: who is there when, and what happens.

use super::wlrec::Run;
use super::world::{AgentIndex, RunEvent, RunEventKind};
use crate::base::EntityId;
use glam::DVec3;
use std::collections::BTreeMap;

/// Times of one agent or crowd, or of all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Presence {
    /// When its members appear, ascending. Unit: seconds.
    pub appear: Vec<f64>,
    /// When they leave, ascending. Unit: seconds.
    pub leave: Vec<f64>,
}

impl Presence {
    /// How many are there at a time.
    #[must_use]
    pub fn present(&self, time: f64) -> usize {
        self.appeared(time).saturating_sub(self.left(time))
    }

    #[must_use]
    pub fn appeared(&self, time: f64) -> usize {
        self.appear.partition_point(|t| *t <= time)
    }

    /// How many have left by a time: arrived at their last goal.
    #[must_use]
    pub fn left(&self, time: f64) -> usize {
        self.leave.partition_point(|t| *t <= time)
    }

    /// The largest number that is there at once.
    #[must_use]
    pub fn most(&self) -> usize {
        let times = self.appear.iter();
        times.map(|time| self.present(*time)).max().unwrap_or(0)
    }
}

/// An event on the timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Unit: seconds.
    pub time: f64,
    pub kind: RunEventKind,
    pub agent: Option<AgentIndex>,
    /// The agent or crowd that it happened to.
    pub entity: Option<EntityId>,
    pub at: DVec3,
    pub text: String,
}

/// A run at a glance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunDigest {
    /// Unit: seconds.
    pub duration: f64,
    pub all: Presence,
    pub by_entity: BTreeMap<EntityId, Presence>,
    /// By kind, each ordered by time.
    pub marks: BTreeMap<RunEventKind, Vec<Mark>>,
}

impl RunDigest {
    #[must_use]
    pub fn of(run: &Run) -> Self {
        let step = run.header().step;
        let mut digest = Self {
            duration: run.duration(),
            ..Self::default()
        };
        let secs = |tick: u64| tick as f64 * step;
        for birth in run.births().values() {
            digest.all.appear.push(secs(birth.tick));
            let own = digest.by_entity.entry(birth.entity).or_default();
            own.appear.push(secs(birth.tick));
            if let Some(departure) = run.departures().get(&birth.index) {
                digest.all.leave.push(secs(departure.tick));
                own.leave.push(secs(departure.tick));
            }
        }
        for presence in digest.by_entity.values_mut().chain([&mut digest.all]) {
            presence.appear.sort_by(f64::total_cmp);
            presence.leave.sort_by(f64::total_cmp);
        }
        for event in run.events() {
            let marks = digest.marks.entry(event.kind).or_default();
            marks.push(Mark::of(event, run));
        }
        digest
    }

    /// All events that are worth a jump, ordered by time: arrivals are too many to be.
    pub fn notable(&self) -> impl Iterator<Item = &Mark> {
        let kinds = self.marks.iter();
        kinds
            .filter(|(kind, _)| **kind != RunEventKind::Arrived)
            .flat_map(|(_, marks)| marks)
    }

    /// The next event worth a jump after a time; the one before it, going back.
    #[must_use]
    pub fn next_mark(&self, time: f64, forwards: bool) -> Option<&Mark> {
        // So that a jump does not find the event that it went to.
        const SAME: f64 = 1e-3;
        if forwards {
            let later = self.notable().filter(|mark| mark.time > time + SAME);
            later.min_by(|a, b| a.time.total_cmp(&b.time))
        } else {
            let earlier = self.notable().filter(|mark| mark.time < time - SAME);
            earlier.max_by(|a, b| a.time.total_cmp(&b.time))
        }
    }
}

impl Mark {
    fn of(event: &RunEvent, run: &Run) -> Self {
        let birth = event.agent.and_then(|agent| run.births().get(&agent));
        Self {
            time: event.tick as f64 * run.header().step,
            kind: event.kind,
            agent: event.agent,
            entity: birth.map(|birth| birth.entity),
            at: event.at,
            text: event.text.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(time: f64, kind: RunEventKind) -> Mark {
        Mark {
            time,
            kind,
            agent: None,
            entity: None,
            at: DVec3::ZERO,
            text: String::new(),
        }
    }

    #[test]
    fn present_are_those_who_appeared_and_have_not_left() {
        let presence = Presence {
            appear: vec![0.0, 0.0, 3.0],
            leave: vec![2.0, 5.0],
        };
        let counts = [-1.0, 0.0, 2.0, 3.0, 5.0].map(|t| presence.present(t));
        assert_eq!(counts, [0, 2, 1, 2, 1]);
        assert_eq!(presence.most(), 2);
    }

    #[test]
    fn jumps_lead_from_event_to_event_but_not_to_arrivals() {
        let mut digest = RunDigest::default();
        for (time, kind) in [
            (1.0, RunEventKind::Arrived),
            (2.0, RunEventKind::Stuck),
            (4.0, RunEventKind::Door),
            (6.0, RunEventKind::Stuck),
        ] {
            let marks = digest.marks.entry(kind).or_default();
            marks.push(mark(time, kind));
        }
        let next = |time, forwards| digest.next_mark(time, forwards).map(|mark| mark.time);
        assert_eq!(next(0.0, true), Some(2.0));
        assert_eq!(next(2.0, true), Some(4.0));
        assert_eq!(next(6.0, true), None);
        assert_eq!(next(6.0, false), Some(4.0));
        assert_eq!(next(2.0, false), None);
    }
}

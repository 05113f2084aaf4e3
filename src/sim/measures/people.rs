//! Positions frame by frame, whether simulated or filmed.

use crate::sim::wlrec::Run;
use crate::sim::world::AgentIndex;
use glam::DVec2;
use std::collections::BTreeMap;

/// One person in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    pub id: AgentIndex,
    pub at: DVec2,
}

/// Everyone's positions, frame by frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frames {
    /// Time between two frames. Unit: seconds.
    pub interval: f64,
    /// Number of the first frame.
    pub first: i64,
    /// In each, ordered by id.
    pub frames: Vec<Vec<Position>>,
}

impl Frames {
    #[must_use]
    pub fn of_run(run: &Run) -> Self {
        let mut frames = Vec::new();
        run.each_frame(|_, present| {
            let position = |(id, at): &(AgentIndex, glam::DVec3)| Position {
                id: *id,
                at: at.truncate(),
            };
            frames.push(present.iter().map(position).collect());
        });
        Self {
            interval: run.header().interval(),
            first: 0,
            frames,
        }
    }

    /// Unit: seconds.
    #[must_use]
    pub fn time(&self, frame: usize) -> f64 {
        frame as f64 * self.interval
    }

    /// A person in a frame.
    #[must_use]
    pub fn get(&self, frame: usize, id: AgentIndex) -> Option<DVec2> {
        let frame = self.frames.get(frame)?;
        let found = frame.binary_search_by_key(&id, |position| position.id);
        found.ok().map(|i| frame[i].at)
    }

    /// Speed of a person over some frames before and after; at the ends of its track over those
    /// on one side only, as far as it is known. Unit: m/s.
    #[must_use]
    pub fn speed(&self, frame: usize, id: AgentIndex, half: usize) -> Option<f64> {
        let here = self.get(frame, id)?;
        let before = frame
            .checked_sub(half)
            .and_then(|f| Some((f, self.get(f, id)?)));
        let after = self.get(frame + half, id).map(|p| (frame + half, p));
        let (from, to) = match (before, after) {
            (Some(before), Some(after)) => (before, after),
            (Some(before), None) => (before, (frame, here)),
            (None, Some(after)) => ((frame, here), after),
            (None, None) => return None,
        };
        Some(from.1.distance(to.1) / (self.interval * (to.0 - from.0) as f64))
    }

    /// Each person's track: frame and position.
    #[must_use]
    pub fn tracks(&self) -> BTreeMap<AgentIndex, Vec<(usize, DVec2)>> {
        let mut tracks: BTreeMap<AgentIndex, Vec<(usize, DVec2)>> = BTreeMap::new();
        for (number, frame) in self.frames.iter().enumerate() {
            for Position { id, at } in frame {
                tracks.entry(*id).or_default().push((number, *at));
            }
        }
        tracks
    }
}

/// One agent's journey.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Travel {
    pub index: AgentIndex,
    /// Unit: seconds.
    pub sets_out: f64,
    /// `None` for one that did not arrive.
    pub arrives: Option<f64>,
    /// Unit: metres.
    pub length: f64,
    /// How much longer it took than at its preferred speed. Unit: seconds.
    pub delay: f64,
}

/// The journey of everyone in a run, ordered by index.
#[must_use]
pub fn travels(run: &Run) -> Vec<Travel> {
    let mut lengths: BTreeMap<AgentIndex, (glam::DVec3, f64)> = BTreeMap::new();
    run.each_frame(|_, present| {
        for (index, at) in present {
            let entry = lengths.entry(*index).or_insert((*at, 0.0));
            entry.1 += entry.0.distance(*at);
            entry.0 = *at;
        }
    });
    let step = run.header().step;
    run.births()
        .values()
        .map(|birth| {
            let departure = run.departures().get(&birth.index);
            let arrives = departure.map(|d| d.tick as f64 * step);
            let length = lengths.get(&birth.index).map_or(0.0, |(_, length)| *length);
            let end = arrives.unwrap_or_else(|| run.duration());
            let took = (end - birth.sets_out).max(0.0);
            Travel {
                index: birth.index,
                sets_out: birth.sets_out,
                arrives,
                length,
                delay: (took - length / birth.speed.max(1e-3)).max(0.0),
            }
        })
        .collect()
}

/// How many have arrived by each of the times at which one does: the evacuation curve.
#[must_use]
pub fn evacuation_curve(run: &Run) -> Vec<(f64, u64)> {
    let step = run.header().step;
    let mut times: Vec<f64> = run
        .departures()
        .values()
        .map(|departure| departure.tick as f64 * step)
        .collect();
    times.sort_by(f64::total_cmp);
    times.into_iter().zip(1..).collect()
}

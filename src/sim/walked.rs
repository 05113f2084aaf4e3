//! How far everyone has walked over a run, and where they have just been.

use super::wlrec::Run;
use super::world::AgentIndex;
use crate::jobs::{Cancelled, JobContext};
use glam::DVec3;
use std::collections::HashMap;

/// Lengths are kept once in this time. Unit: seconds.
const INTERVAL: f64 = 1.0;

/// How far each agent has walked since it appeared, second by second.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walked {
    interval: f64,
    /// The first second of each, and the lengths from then on. Unit: metres.
    lengths: HashMap<AgentIndex, (u32, Vec<f32>)>,
}

impl Walked {
    /// # Errors
    /// The job was cancelled.
    pub fn of_run(run: &Run, ctx: &JobContext) -> Result<Self, Cancelled> {
        let mut lengths: HashMap<AgentIndex, (u32, Vec<f32>)> = HashMap::new();
        let mut last: HashMap<AgentIndex, (DVec3, f64)> = HashMap::new();
        run.each_frame(|time, present| {
            if ctx.is_cancelled() {
                return;
            }
            let second = (time / INTERVAL + 1e-6) as u32;
            for (index, at) in present {
                let (before, length) = last.entry(*index).or_insert((*at, 0.0));
                *length += before.distance(*at);
                *before = *at;
                let (first, known) = lengths.entry(*index).or_insert((second, Vec::new()));
                let wanted = (second - *first) as usize + 1;
                if known.len() < wanted {
                    known.resize(wanted, *length as f32);
                }
            }
        });
        ctx.checkpoint()?;
        let interval = INTERVAL;
        Ok(Self { interval, lengths })
    }

    /// How far an agent has walked until a time. Unit: metres.
    #[must_use]
    pub fn at(&self, index: AgentIndex, time: f64) -> Option<f64> {
        let (first, lengths) = self.lengths.get(&index)?;
        let along = (time / self.interval - f64::from(*first)).max(0.0);
        let from = (along as usize).min(lengths.len().checked_sub(1)?);
        let to = (from + 1).min(lengths.len() - 1);
        let (a, b) = (f64::from(lengths[from]), f64::from(lengths[to]));
        Some(a + (b - a) * (along - from as f64).clamp(0.0, 1.0))
    }
}

/// Where those who are there at a time have been during the seconds before, each from the oldest place to the
/// newest.
#[must_use]
pub fn trails(run: &Run, time: f64, secs: f64, every: f64) -> Vec<(AgentIndex, Vec<DVec3>)> {
    let now = run.moment(time);
    let mut trails: HashMap<AgentIndex, Vec<DVec3>> = HashMap::new();
    let steps = (secs / every.max(1e-3)).round().clamp(1.0, 64.0) as u32;
    for step in (1..=steps).rev() {
        let at = time - f64::from(step) * every;
        if at < 0.0 {
            continue;
        }
        // At whole multiples, so that trails stay where they are while time passes.
        let at = (at / every).ceil() * every;
        for pose in run.moment(at) {
            trails.entry(pose.index).or_default().push(pose.position);
        }
    }
    now.into_iter()
        .filter_map(|pose| {
            let mut trail = trails.remove(&pose.index)?;
            trail.push(pose.position);
            Some((pose.index, trail))
        })
        .collect()
}

//! Recordings of people who were filmed or simulated elsewhere.

use super::{Header, RunError, RunWriter, UNIT};
use crate::base::EntityId;
use crate::sim::measures::Frames;
use crate::sim::world::{AgentState, Birth, Departure};
use glam::DVec2;
use std::collections::BTreeMap;

/// As a recording, to be played beside a simulated run: people belong to the crowd `entity`.
///
/// # Errors
/// It would be too large.
pub fn recording(
    frames: &Frames,
    name: &str,
    level: &str,
    entity: EntityId,
) -> Result<Vec<u8>, RunError> {
    let header = Header {
        program: concat!("wayloom ", env!("CARGO_PKG_VERSION")).to_owned(),
        level: name.to_owned(),
        model: "people".to_owned(),
        step: frames.interval,
        every: 1,
        unit: UNIT,
        ..Header::default()
    };
    let tracks = frames.tracks();
    let mut writer = RunWriter::new(Vec::new(), header, level)?;
    let mut starts: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    let mut ends: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for (id, track) in &tracks {
        if let (Some((from, _)), Some((to, _))) = (track.first(), track.last()) {
            starts.entry(*from).or_default().push(*id);
            ends.entry(to + 1).or_default().push(*id);
        }
    }
    for (number, frame) in frames.frames.iter().enumerate() {
        let tick = number as u64;
        let births: Vec<Birth> = starts
            .get(&number)
            .into_iter()
            .flatten()
            .map(|id| Birth {
                tick,
                index: *id,
                entity,
                member: *id,
                radius: 0.2,
                speed: 1.34,
                sets_out: frames.time(number),
                at: tracks[id][0].1.extend(0.0),
            })
            .collect();
        let departures: Vec<Departure> = ends
            .get(&number)
            .into_iter()
            .flatten()
            .filter_map(|id| {
                let (_, at) = tracks[id].last()?;
                Some(Departure {
                    tick,
                    index: *id,
                    at: at.extend(0.0),
                })
            })
            .collect();
        writer.note(&births, &departures, &[]);
        writer.frame(frame.iter().map(|position| AgentState {
            index: position.id,
            entity,
            member: position.id,
            position: position.at.extend(0.0),
            velocity: DVec2::ZERO,
            heading: DVec2::X,
            radius: 0.2,
            speed: 1.34,
            remaining: 0.0,
            is_stuck: false,
        }))?;
    }
    Ok(writer.finish()?.0)
}

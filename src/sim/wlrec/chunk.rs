//! Two seconds of a run.

use super::bytes::{Packer, Unpacker, What};
use crate::base::EntityId;
use crate::sim::input::{Input, TimedInput};
use crate::sim::world::{AgentIndex, Birth, Departure, NewPlan, RunEvent, RunEventKind};
use glam::{DVec2, DVec3};

/// Unit of times and lengths of the tables: thousandths.
const MILLI: f64 = 1000.0;

/// A heading is taken over this length: shorter ones are mostly swaying. Unit: metres.
const HEADING_LENGTH: f64 = 0.12;

/// Longest track in a chunk.
const MAX_FRAMES: usize = 1 << 16;

/// Positions beyond are those of a damaged file. Unit: that of the recording.
const FARTHEST: u64 = 1 << 48;
const FAR_OUTSIDE: What = "a position is far outside of every level";

/// Where one agent is, frame by frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    pub index: AgentIndex,
    /// Its first frame, counted from the first of the chunk.
    pub from: u32,
    /// In units of the recording.
    pub points: Vec<[i64; 3]>,
    /// Frames from which on it is stuck, and is not any more, in turns.
    pub stuck: Vec<u32>,
}

impl Track {
    #[must_use]
    pub fn is_stuck(&self, frame: u32) -> bool {
        self.stuck.partition_point(|from| *from <= frame) % 2 == 1
    }

    /// Where it walks between a frame and the next; where it walked before, if it stands. `unit` is
    /// that of the recording. Unit: radians.
    #[must_use]
    pub fn heading(&self, frame: u32, share: f64, unit: f64) -> f64 {
        let at = frame.saturating_sub(self.from) as usize;
        let least = (HEADING_LENGTH / unit).max(1.0);
        let (here, next) = (self.direction(at, least), self.direction(at + 1, least));
        let between = here.lerp(next, share.clamp(0.0, 1.0));
        if between.length_squared() > 0.0 {
            between.to_angle()
        } else {
            next.to_angle()
        }
    }

    /// Of length 1: from where it was a step ago.
    fn direction(&self, at: usize, least: f64) -> DVec2 {
        let place = |p: &[i64; 3]| DVec2::new(p[0] as f64, p[1] as f64);
        let last = self.points.len().saturating_sub(1);
        let Some(here) = self.points.get(at.min(last)).map(place) else {
            return DVec2::X;
        };
        let far = |p: &DVec2| p.distance_squared(here) >= least * least;
        let before = self.points[..at.min(last)].iter().rev().map(place);
        let came = before.clone().find(far).map(|p| here - p);
        let goes = || {
            let after = self.points[at.min(last)..].iter().map(place);
            after.clone().find(far).map(|p| p - here)
        };
        came.or_else(goes).map_or(DVec2::ZERO, DVec2::normalize)
    }
}

/// The last frame of a chunk is the first of the next, so that a moment is always within one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chunk {
    /// Number of its first frame since the start of the run.
    pub first: u64,
    pub frames: u32,
    /// Ordered by index.
    pub tracks: Vec<Track>,
    pub births: Vec<Birth>,
    pub departures: Vec<Departure>,
    pub events: Vec<RunEvent>,
    /// What was changed from outside.
    pub inputs: Vec<TimedInput>,
    /// Where agents meant to go from then on.
    pub plans: Vec<NewPlan>,
}

fn pack_place(packer: &mut Packer, at: DVec3, unit: f64) {
    for value in at.to_array() {
        packer.signed((value / unit).round() as i64);
    }
}

fn unpack_place(unpacker: &mut Unpacker<'_>, unit: f64) -> Result<DVec3, What> {
    let mut value = || Ok::<f64, What>(unpacker.signed()? as f64 * unit);
    Ok(DVec3::new(value()?, value()?, value()?))
}

impl Chunk {
    pub(super) fn pack(&self, unit: f64) -> Vec<u8> {
        let mut to = Packer::default();
        to.count(self.first);
        to.count(u64::from(self.frames));
        to.count(self.births.len() as u64);
        for birth in &self.births {
            to.count(birth.tick);
            to.count(u64::from(birth.index));
            to.count(birth.entity.number());
            to.count(u64::from(birth.member));
            to.count((birth.radius * MILLI).round() as u64);
            to.count((birth.speed * MILLI).round() as u64);
            to.count((birth.sets_out * MILLI).round() as u64);
            pack_place(&mut to, birth.at, unit);
        }
        to.count(self.departures.len() as u64);
        for departure in &self.departures {
            to.count(departure.tick);
            to.count(u64::from(departure.index));
            pack_place(&mut to, departure.at, unit);
        }
        to.count(self.events.len() as u64);
        for event in &self.events {
            to.count(event.tick);
            to.count(event.agent.map_or(0, |agent| u64::from(agent) + 1));
            to.text(event.kind.name());
            pack_place(&mut to, event.at, unit);
            to.text(&event.text);
        }
        to.count(self.inputs.len() as u64);
        for TimedInput { tick, input } in &self.inputs {
            to.count(*tick);
            to.text(&input.to_text());
        }
        to.count(self.plans.len() as u64);
        for plan in &self.plans {
            to.count(plan.tick);
            to.count(u64::from(plan.index));
            to.count(plan.points.len() as u64);
            let mut last = [0; 3];
            for point in &plan.points {
                let here = point.to_array().map(|v| (v / unit).round() as i64);
                for (value, before) in here.iter().zip(last) {
                    to.signed(value - before);
                }
                last = here;
            }
        }
        to.count(self.tracks.len() as u64);
        let mut last = 0;
        for track in &self.tracks {
            to.signed(i64::from(track.index) - last);
            last = i64::from(track.index);
            to.count(u64::from(track.from));
            to.count(track.points.len() as u64);
            to.count(track.stuck.len() as u64);
            for from in &track.stuck {
                to.count(u64::from(*from));
            }
        }
        // All of x, then of y, then of z: alike bytes next to each other are shorter once packed.
        for axis in 0..3 {
            for track in &self.tracks {
                pack_axis(&mut to, track.points.iter().map(|p| p[axis]));
            }
        }
        to.0
    }

    pub(super) fn unpack(bytes: &[u8], unit: f64) -> Result<Self, What> {
        let mut from = Unpacker(bytes);
        let first = from.count()?;
        let frames = from.small()?;
        if frames as usize > MAX_FRAMES || first > 1 << 48 {
            return Err("it has too many frames");
        }
        let mut chunk = Self {
            first,
            frames,
            ..Self::default()
        };
        for _ in 0..from.length()? {
            chunk.births.push(Birth {
                tick: from.count()?,
                index: from.small()?,
                entity: EntityId::new(from.count()?),
                member: from.small()?,
                radius: from.count()? as f64 / MILLI,
                speed: from.count()? as f64 / MILLI,
                sets_out: from.count()? as f64 / MILLI,
                at: unpack_place(&mut from, unit)?,
            });
        }
        for _ in 0..from.length()? {
            chunk.departures.push(Departure {
                tick: from.count()?,
                index: from.small()?,
                at: unpack_place(&mut from, unit)?,
            });
        }
        for _ in 0..from.length()? {
            let tick = from.count()?;
            let agent = from.count()?.checked_sub(1);
            let agent = agent.map(u32::try_from).transpose();
            chunk.events.push(RunEvent {
                tick,
                agent: agent.map_err(|_| "a number is too large")?,
                kind: RunEventKind::by_name(from.text()?).ok_or("an event is of unknown kind")?,
                at: unpack_place(&mut from, unit)?,
                text: from.text()?.to_owned(),
            });
        }
        for _ in 0..from.length()? {
            chunk.inputs.push(TimedInput {
                tick: from.count()?,
                input: Input::of_text(from.text()?).ok_or("an input is of unknown kind")?,
            });
        }
        for _ in 0..from.length()? {
            let (tick, index) = (from.count()?, from.small()?);
            let mut points = Vec::new();
            let mut last = [0_i64; 3];
            for _ in 0..from.length()? {
                for value in &mut last {
                    *value = value.wrapping_add(from.signed()?);
                }
                if last.iter().any(|value| value.unsigned_abs() > FARTHEST) {
                    return Err(FAR_OUTSIDE);
                }
                points.push(DVec3::from(last.map(|v| v as f64)) * unit);
            }
            chunk.plans.push(NewPlan {
                tick,
                index,
                points,
            });
        }
        let count = from.length()?;
        let mut last = 0_i64;
        let mut lengths = Vec::with_capacity(count);
        for _ in 0..count {
            let index = last
                .checked_add(from.signed()?)
                .ok_or("a number is too large")?;
            if index <= last && !chunk.tracks.is_empty() {
                return Err("its agents are out of order");
            }
            last = index;
            let start = from.small()?;
            let length = from.length()?;
            if length == 0 || length.saturating_add(start as usize) > frames as usize {
                return Err("a track is longer than the chunk");
            }
            let mut track = Track {
                index: u32::try_from(index).map_err(|_| "a number is too large")?,
                from: start,
                ..Track::default()
            };
            for _ in 0..from.length()? {
                track.stuck.push(from.small()?);
            }
            if !track.stuck.is_sorted() {
                return Err("times are out of order");
            }
            lengths.push(length);
            chunk.tracks.push(track);
        }
        for axis in 0..3 {
            for (track, length) in chunk.tracks.iter_mut().zip(&lengths) {
                unpack_axis(&mut from, *length, |i, value| {
                    if axis == 0 {
                        track.points.push([value, 0, 0]);
                    } else {
                        track.points[i][axis] = value;
                    }
                })?;
            }
        }
        if !from.0.is_empty() {
            return Err("there is something behind its end");
        }
        Ok(chunk)
    }

    /// The track of an agent.
    #[must_use]
    pub fn track(&self, index: AgentIndex) -> Option<&Track> {
        let found = self
            .tracks
            .binary_search_by_key(&index, |track| track.index);
        found.ok().map(|i| &self.tracks[i])
    }
}

/// The first value, the first difference, then differences of differences: 0 at constant speed.
fn pack_axis(to: &mut Packer, values: impl Iterator<Item = i64>) {
    let (mut last, mut speed) = (0_i64, 0_i64);
    for (i, value) in values.enumerate() {
        let difference = value - last;
        to.signed(if i == 0 { value } else { difference - speed });
        speed = if i == 0 { 0 } else { difference };
        last = value;
    }
}

fn unpack_axis(
    from: &mut Unpacker<'_>,
    length: usize,
    mut put: impl FnMut(usize, i64),
) -> Result<(), What> {
    let (mut last, mut speed) = (0_i64, 0_i64);
    for i in 0..length {
        let read = from.signed()?;
        let value = if i == 0 {
            read
        } else {
            speed = speed.wrapping_add(read);
            last.wrapping_add(speed)
        };
        // Beyond any level: a damaged file.
        if value.unsigned_abs() > FARTHEST {
            return Err(FAR_OUTSIDE);
        }
        put(i, value);
        last = value;
    }
    Ok(())
}

//! Opens recordings and says where everyone is at a time.

use super::chunk::Chunk;
use super::header::{End, Header};
use super::{BLOCK_HEAD, BlockKind, MAGIC, MAX_CHUNK, RunError, TRAILER};
use crate::sim::world::{AgentIndex, Birth, Departure, RunEvent};
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

/// Unpacked chunks that are kept.
const KEPT_CHUNKS: usize = 4;

/// Whether all of a recording was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    Whole,
    /// It was cut off, and is known up to its last whole chunk.
    CutOff,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// Of the block.
    at: usize,
    first: u64,
    frames: u64,
}

/// A recorded run.
#[derive(Debug)]
pub struct Run {
    bytes: Arc<[u8]>,
    header: Header,
    level: String,
    end: Option<End>,
    completeness: Completeness,
    chunks: Vec<Place>,
    kept: Mutex<Vec<(usize, Arc<Chunk>)>>,
    /// Everyone who appears, by index.
    births: BTreeMap<AgentIndex, Birth>,
    departures: BTreeMap<AgentIndex, Departure>,
    events: Vec<RunEvent>,
}

/// Where an agent of a run is at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunPose {
    pub index: AgentIndex,
    pub position: DVec3,
    /// In plan. Unit: m/s.
    pub velocity: DVec2,
    /// Where it walks, or where it walked before it stood still. Unit: radians.
    pub heading: f64,
    pub is_stuck: bool,
}

fn damaged(at: usize, what: &'static str) -> RunError {
    RunError::Damaged { at, what }
}

/// The block at an offset: its kind, its contents, and where the next one begins.
fn block(bytes: &[u8], at: usize) -> Result<(BlockKind, &[u8], usize), RunError> {
    let head = bytes
        .get(at..at.saturating_add(BLOCK_HEAD))
        .ok_or_else(|| damaged(at, "a block is cut off"))?;
    let kind = BlockKind::of(head[0]).ok_or_else(|| damaged(at, "there is no block"))?;
    let number = |range: std::ops::Range<usize>| {
        let mut eight = [0; 8];
        eight[..range.len()].copy_from_slice(&head[range]);
        u64::from_le_bytes(eight)
    };
    let from = at + BLOCK_HEAD;
    let to = from.saturating_add(number(1..5) as usize);
    let contents = bytes
        .get(from..to)
        .ok_or_else(|| damaged(at, "a block is cut off"))?;
    if xxh3_64(contents) != number(5..13) {
        return Err(damaged(at, "a block's checksum is wrong"));
    }
    Ok((kind, contents, to))
}

impl Run {
    /// Reads a whole recording, or as much as there is of one that was cut off.
    ///
    /// # Errors
    /// A sentence, if not even the first chunk can be read.
    pub fn open(bytes: impl Into<Arc<[u8]>>) -> Result<Self, RunError> {
        let bytes: Arc<[u8]> = bytes.into();
        if bytes.get(..7) != Some(&MAGIC[..7]) {
            return Err(RunError::NotARecording);
        }
        match bytes.get(7) {
            Some(version) if *version == MAGIC[7] => {}
            Some(version) => return Err(RunError::Newer(*version)),
            None => return Err(RunError::NotARecording),
        }
        let at = MAGIC.len();
        let (kind, contents, next) = block(&bytes, at)?;
        if kind != BlockKind::Header {
            return Err(damaged(at, "the header is missing"));
        }
        let header: Header = serde_json::from_slice(contents)?;
        if !header.is_sound() {
            return Err(damaged(at, "the header's step or unit is out of range"));
        }
        let (kind, contents, start) = block(&bytes, next)?;
        if kind != BlockKind::Level {
            return Err(damaged(next, "the level is missing"));
        }
        let level = zstd::bulk::decompress(contents, MAX_CHUNK)
            .ok()
            .and_then(|text| String::from_utf8(text).ok())
            .ok_or_else(|| damaged(next, "the level cannot be unpacked"))?;
        let mut run = Self {
            header,
            level,
            end: None,
            completeness: Completeness::CutOff,
            chunks: Vec::new(),
            kept: Mutex::default(),
            births: BTreeMap::new(),
            departures: BTreeMap::new(),
            events: Vec::new(),
            bytes,
        };
        run.scan(start)?;
        Ok(run)
    }

    /// Reads block after block. Tables of all chunks are collected on the way, positions are not
    /// kept.
    fn scan(&mut self, start: usize) -> Result<(), RunError> {
        let bytes = Arc::clone(&self.bytes);
        let mut at = start;
        let mut is_indexed = false;
        while let Ok((kind, contents, next)) = block(&bytes, at) {
            match kind {
                BlockKind::Chunk => {
                    let Ok(chunk) = self.unpack(at, contents) else {
                        break;
                    };
                    let expected = self.frames().saturating_sub(1);
                    if chunk.first != expected || chunk.frames == 0 {
                        break;
                    }
                    self.chunks.push(Place {
                        at,
                        first: chunk.first,
                        frames: u64::from(chunk.frames),
                    });
                    self.births
                        .extend(chunk.births.iter().map(|b| (b.index, *b)));
                    self.departures
                        .extend(chunk.departures.iter().map(|d| (d.index, *d)));
                    self.events.extend(chunk.events.iter().cloned());
                }
                BlockKind::End => self.end = serde_json::from_slice(contents).ok(),
                BlockKind::Index => is_indexed = true,
                BlockKind::Header | BlockKind::Level => break,
            }
            at = next;
        }
        if self.chunks.is_empty() {
            return Err(RunError::Empty);
        }
        let has_trailer = bytes.ends_with(&TRAILER);
        if has_trailer && is_indexed && self.end.is_some() {
            self.completeness = Completeness::Whole;
        }
        Ok(())
    }

    fn unpack(&self, at: usize, contents: &[u8]) -> Result<Chunk, RunError> {
        let packed = zstd::bulk::decompress(contents, MAX_CHUNK)
            .map_err(|_| damaged(at, "a chunk cannot be unpacked"))?;
        Chunk::unpack(&packed, self.header.unit).map_err(|what| damaged(at, what))
    }

    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The level's text.
    #[must_use]
    pub fn level(&self) -> &str {
        &self.level
    }

    /// `None` for a recording that was cut off.
    #[must_use]
    pub const fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    #[must_use]
    pub const fn completeness(&self) -> Completeness {
        self.completeness
    }

    /// Number of recorded frames.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.chunks.last().map_or(0, |c| c.first + c.frames)
    }

    /// Unit: seconds.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.frames().saturating_sub(1) as f64 * self.header.interval()
    }

    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Everyone who appears, by index.
    #[must_use]
    pub const fn births(&self) -> &BTreeMap<AgentIndex, Birth> {
        &self.births
    }

    #[must_use]
    pub const fn departures(&self) -> &BTreeMap<AgentIndex, Departure> {
        &self.departures
    }

    /// Ordered by time.
    #[must_use]
    pub fn events(&self) -> &[RunEvent] {
        &self.events
    }

    /// Number of chunks.
    #[must_use]
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// A chunk by its number; unpacked unless it is among the last ones asked for.
    #[must_use]
    pub fn chunk(&self, number: usize) -> Option<Arc<Chunk>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(position) = kept.iter().position(|(known, _)| *known == number) {
            let entry = kept.remove(position);
            let chunk = Arc::clone(&entry.1);
            kept.push(entry);
            return Some(chunk);
        }
        let place = self.chunks.get(number)?;
        let (_, contents, _) = block(&self.bytes, place.at).ok()?;
        let chunk = Arc::new(self.unpack(place.at, contents).ok()?);
        if kept.len() >= KEPT_CHUNKS {
            kept.remove(0);
        }
        kept.push((number, Arc::clone(&chunk)));
        Some(chunk)
    }

    /// The file that it is kept in.
    ///
    /// # Errors
    /// None as yet: a run is kept as it was read.
    pub fn to_bytes(&self) -> Result<Arc<[u8]>, RunError> {
        Ok(Arc::clone(&self.bytes))
    }

    /// Takes over the chunks that were unpacked for an earlier opening of this run.
    pub(in crate::sim) fn adopt(&self, earlier: &Self) {
        let from = earlier.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clone_from(&from);
    }

    fn number_at(&self, frame: u64) -> usize {
        let after = self.chunks.partition_point(|chunk| chunk.first <= frame);
        after.saturating_sub(1)
    }

    /// Where everyone is at a time, between frames on the straight line; ordered by index.
    #[must_use]
    pub fn moment(&self, secs: f64) -> Vec<RunPose> {
        let interval = self.header.interval();
        let last = self.frames().saturating_sub(1) as f64;
        let exact = (secs / interval).clamp(0.0, last);
        let exact = if exact.is_nan() { 0.0 } else { exact };
        let Some(chunk) = self.chunk(self.number_at(exact as u64)) else {
            return Vec::new();
        };
        let within = exact - chunk.first as f64;
        let frame = (within as u32).min(chunk.frames.saturating_sub(2));
        let share = within - f64::from(frame);
        let place = |p: &[i64; 3]| DVec3::from(p.map(|v| v as f64)) * self.header.unit;
        let pose = |track: &super::Track| {
            let here = frame.checked_sub(track.from);
            let at = here.and_then(|i| track.points.get(i as usize)).map(place);
            let next = (frame + 1).checked_sub(track.from);
            let next = next.and_then(|i| track.points.get(i as usize)).map(place);
            let (from, to) = match (at, next) {
                (Some(from), Some(to)) => (from, to),
                // It is about to leave, or just appears.
                (Some(at), None) if share < 0.5 => (at, at),
                (None, Some(at)) if share >= 0.5 => (at, at),
                _ => return None,
            };
            Some(RunPose {
                index: track.index,
                position: from.lerp(to, share.clamp(0.0, 1.0)),
                velocity: (to - from).truncate() / interval,
                heading: track.heading(frame, share, self.header.unit),
                is_stuck: track.is_stuck(frame),
            })
        };
        chunk.tracks.iter().filter_map(pose).collect()
    }

    /// Visits every recorded frame in order, with its time and everyone's exact position.
    pub fn each_frame(&self, mut visit: impl FnMut(f64, &[(AgentIndex, DVec3)])) {
        let mut seen = 0;
        let mut present = Vec::new();
        for number in 0..self.chunks.len() {
            let Some(chunk) = self.chunk(number) else {
                return;
            };
            for frame in 0..chunk.frames {
                let absolute = chunk.first + u64::from(frame);
                if absolute < seen {
                    continue;
                }
                seen = absolute + 1;
                present.clear();
                present.extend(chunk.tracks.iter().filter_map(|track| {
                    let point = track.points.get(frame.checked_sub(track.from)? as usize)?;
                    let at = DVec3::from(point.map(|v| v as f64)) * self.header.unit;
                    Some((track.index, at))
                }));
                visit(absolute as f64 * self.header.interval(), &present);
            }
        }
    }

    /// One agent's positions with their times, from the first to the last frame that has it.
    #[must_use]
    pub fn path_of(&self, index: AgentIndex) -> Vec<(f64, DVec3)> {
        let mut path: Vec<(f64, DVec3)> = Vec::new();
        let interval = self.header.interval();
        let birth = self.births.get(&index).map_or(0, |b| b.tick);
        let first = self.number_at(birth / u64::from(self.header.every.max(1)));
        for number in first..self.chunks.len() {
            let Some(chunk) = self.chunk(number) else {
                break;
            };
            let Some(track) = chunk.track(index) else {
                if path.is_empty() {
                    continue;
                }
                break;
            };
            for (point, i) in track.points.iter().zip(0_u32..) {
                let time = (chunk.first + u64::from(track.from + i)) as f64 * interval;
                if path.last().is_none_or(|(last, _)| *last < time) {
                    path.push((
                        time,
                        DVec3::from(point.map(|v| v as f64)) * self.header.unit,
                    ));
                }
            }
        }
        path
    }
}

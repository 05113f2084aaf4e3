//! Opens recordings and says where everyone is at a time.

use super::chunk::Chunk;
use super::file_writer::FileWriter;
use super::header::{End, Header};
use super::{BLOCK_HEAD, BlockKind, MAGIC, MAX_CHUNK, RunError, TRAILER, ZSTD_LEVEL};
use crate::sim::input::TimedInput;
use crate::sim::world::{AgentIndex, Birth, Departure, NewPlan, RunEvent};
use glam::{DVec2, DVec3};
use imbl::{OrdMap, Vector};
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
    /// It still goes on.
    Growing,
}

/// A chunk of a run and where its contents are.
#[derive(Clone, Debug)]
struct Place {
    packed: Packed,
    first: u64,
    frames: u64,
}

#[derive(Clone, Debug)]
enum Packed {
    /// In the block of the file that begins here.
    InFile(usize),
    /// The contents of a block.
    InMemory(Arc<[u8]>),
    /// It is still being filled.
    Open(Arc<Chunk>),
}

/// A recorded run. Those that go on are known by snapshots, which share all that is complete.
#[derive(Debug)]
pub struct Run {
    /// The whole file; empty for a snapshot.
    bytes: Arc<[u8]>,
    size: usize,
    header: Header,
    level: Arc<str>,
    end: Option<End>,
    completeness: Completeness,
    chunks: Vector<Place>,
    kept: Mutex<Vec<(usize, Arc<Chunk>)>>,
    tables: Tables,
}

/// What is known without unpacking positions.
#[derive(Clone, Debug, Default)]
struct Tables {
    births: OrdMap<AgentIndex, Birth>,
    departures: OrdMap<AgentIndex, Departure>,
    events: Vector<RunEvent>,
    inputs: Vector<TimedInput>,
    /// Numbers of the chunks with plans of an agent.
    planned: OrdMap<AgentIndex, Vec<u32>>,
}

impl Tables {
    fn extend(&mut self, chunk: &Chunk, number: usize) {
        self.births
            .extend(chunk.births.iter().map(|b| (b.index, *b)));
        self.departures
            .extend(chunk.departures.iter().map(|d| (d.index, *d)));
        self.events.extend(chunk.events.iter().cloned());
        self.inputs.extend(chunk.inputs.iter().cloned());
        for plan in &chunk.plans {
            let chunks = self.planned.entry(plan.index).or_default();
            if chunks.last() != Some(&(number as u32)) {
                chunks.push(number as u32);
            }
        }
    }
}

/// A run in memory while it goes on.
#[derive(Debug)]
pub(super) struct GrowingRun {
    header: Header,
    level: Arc<str>,
    chunks: Vector<Place>,
    tables: Tables,
    size: usize,
}

impl GrowingRun {
    pub(super) fn new(header: Header, level: &str) -> Self {
        Self {
            header,
            level: level.into(),
            chunks: Vector::new(),
            tables: Tables::default(),
            size: 0,
        }
    }

    /// Takes a chunk that is complete, and the contents of its block.
    pub(super) fn push(&mut self, chunk: &Chunk, packed: &[u8]) {
        self.tables.extend(chunk, self.chunks.len());
        self.size += packed.len();
        self.chunks.push_back(Place {
            packed: Packed::InMemory(packed.into()),
            first: chunk.first,
            frames: u64::from(chunk.frames),
        });
    }

    /// As far as it is known now, with the chunk that is being filled.
    pub(super) fn snapshot(&self, open: Chunk, end: Option<End>) -> Run {
        let (mut chunks, mut tables) = (self.chunks.clone(), self.tables.clone());
        let completeness = if end.is_some() {
            Completeness::Whole
        } else {
            Completeness::Growing
        };
        if open.frames > u32::from(!chunks.is_empty()) {
            tables.extend(&open, chunks.len());
            chunks.push_back(Place {
                first: open.first,
                frames: u64::from(open.frames),
                packed: Packed::Open(Arc::new(open)),
            });
        }
        Run {
            bytes: Arc::from([]),
            size: self.size,
            header: self.header.clone(),
            level: Arc::clone(&self.level),
            end,
            completeness,
            chunks,
            kept: Mutex::default(),
            tables,
        }
    }
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
            level: level.into(),
            end: None,
            completeness: Completeness::CutOff,
            chunks: Vector::new(),
            kept: Mutex::default(),
            tables: Tables::default(),
            size: bytes.len(),
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
                    self.tables.extend(&chunk, self.chunks.len());
                    self.chunks.push_back(Place {
                        packed: Packed::InFile(at),
                        first: chunk.first,
                        frames: u64::from(chunk.frames),
                    });
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
        self.chunks.back().map_or(0, |c| c.first + c.frames)
    }

    /// Unit: seconds.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.frames().saturating_sub(1) as f64 * self.header.interval()
    }

    /// Of its file; of what is complete for one that goes on. Unit: bytes.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Everyone who appears, by index.
    #[must_use]
    pub const fn births(&self) -> &OrdMap<AgentIndex, Birth> {
        &self.tables.births
    }

    #[must_use]
    pub const fn departures(&self) -> &OrdMap<AgentIndex, Departure> {
        &self.tables.departures
    }

    /// Ordered by time.
    #[must_use]
    pub const fn events(&self) -> &Vector<RunEvent> {
        &self.tables.events
    }

    /// What was changed from outside, ordered by time.
    #[must_use]
    pub const fn inputs(&self) -> &Vector<TimedInput> {
        &self.tables.inputs
    }

    /// Where an agent meant to go at a time: its last plan until then.
    #[must_use]
    pub fn plan_of(&self, index: AgentIndex, secs: f64) -> Option<NewPlan> {
        // Half a tick of slack: times are multiples of the step, up to rounding.
        let tick = (secs / self.header.step + 0.5).max(0.0) as u64;
        let chunks = self.tables.planned.get(&index)?;
        chunks.iter().rev().find_map(|number| {
            let chunk = self.chunk(*number as usize)?;
            let mut plans = chunk.plans.iter().rev();
            plans
                .find(|plan| plan.index == index && plan.tick <= tick)
                .cloned()
        })
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
        let chunk = match &place.packed {
            Packed::Open(chunk) => return Some(Arc::clone(chunk)),
            Packed::InMemory(contents) => self.unpack(0, contents),
            Packed::InFile(at) => {
                let (_, contents, _) = block(&self.bytes, *at).ok()?;
                self.unpack(*at, contents)
            }
        };
        let chunk = Arc::new(chunk.ok()?);
        if kept.len() >= KEPT_CHUNKS {
            kept.remove(0);
        }
        kept.push((number, Arc::clone(&chunk)));
        Some(chunk)
    }

    /// As a file.
    ///
    /// # Errors
    /// A chunk is too large for a block, or cannot be compressed.
    pub fn to_bytes(&self) -> Result<Vec<u8>, RunError> {
        if !self.bytes.is_empty() {
            return Ok(self.bytes.to_vec());
        }
        let mut file = FileWriter::new(&self.header, &self.level)?;
        for place in &self.chunks {
            let span = [place.first, place.frames];
            match &place.packed {
                Packed::InMemory(contents) => file.chunk(span, contents)?,
                Packed::Open(chunk) => {
                    let packed = chunk.pack(self.header.unit);
                    file.chunk(span, &zstd::bulk::compress(&packed, ZSTD_LEVEL)?)?;
                }
                // A run of a file has all of its bytes.
                Packed::InFile(_) => {}
            }
        }
        file.finish(self.end.as_ref())
    }

    /// Takes over the chunks that were unpacked for an earlier snapshot of this run.
    pub fn adopt(&self, earlier: &Self) {
        let from = earlier.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clone_from(&from);
    }

    fn number_at(&self, frame: u64) -> usize {
        let found = self
            .chunks
            .binary_search_by_key(&frame, |chunk| chunk.first);
        match found {
            Ok(number) => number,
            Err(after) => after.saturating_sub(1),
        }
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
        let birth = self.births().get(&index).map_or(0, |b| b.tick);
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

//! Writes a recording while the run goes on.

use super::chunk::{Chunk, Track};
use super::header::{End, Header};
use super::reader::{GrowingRun, Run};
use super::{BlockKind, CHUNK_SECS, MAGIC, RunError, TRAILER, ZSTD_LEVEL};
use crate::sim::world::{AgentIndex, AgentState, Birth, Departure, RunEvent, World};
use std::collections::BTreeMap;
use std::io::Write;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Takes a run tick by tick. What is written is complete after every chunk.
pub struct RunWriter<W: Write> {
    sink: W,
    header: Header,
    written: u64,
    /// Offset, first frame and number of frames of each chunk.
    index: Vec<[u64; 3]>,
    chunk: Chunk,
    open: BTreeMap<AgentIndex, Track>,
    frames_per_chunk: u32,
    end: End,
    positions: Xxh3,
    /// For snapshots.
    memory: Option<GrowingRun>,
}

impl<W: Write> std::fmt::Debug for RunWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunWriter")
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

impl<W: Write> RunWriter<W> {
    /// Writes the header and the level's text.
    ///
    /// # Errors
    /// The sink fails.
    pub fn new(sink: W, header: Header, level: &str) -> Result<Self, RunError> {
        let per_chunk = (CHUNK_SECS / header.interval())
            .round()
            .clamp(1.0, 60_000.0);
        let mut writer = Self {
            sink,
            written: 0,
            index: Vec::new(),
            chunk: Chunk::default(),
            open: BTreeMap::new(),
            frames_per_chunk: per_chunk as u32,
            end: End::default(),
            positions: Xxh3::new(),
            memory: None,
            header,
        };
        writer.sink.write_all(&MAGIC)?;
        writer.written = MAGIC.len() as u64;
        let header = serde_json::to_vec(&writer.header)?;
        writer.block(BlockKind::Header, &header)?;
        let level = zstd::bulk::compress(level.as_bytes(), ZSTD_LEVEL)?;
        writer.block(BlockKind::Level, &level)?;
        Ok(writer)
    }

    /// Keeps what is recorded in memory as well, for [`Self::snapshot`].
    #[must_use]
    pub fn in_memory(mut self, level: &str) -> Self {
        self.memory = Some(GrowingRun::new(self.header.clone(), level));
        self
    }

    /// The run up to now, from its first frame to the last one; `None` unless it is kept
    /// [in memory](Self::in_memory) and has a frame.
    #[must_use]
    pub fn snapshot(&self) -> Option<Run> {
        let mut open = self.chunk.clone();
        open.tracks = self.open.values().cloned().collect();
        let run = self.memory.as_ref()?.snapshot(open, None);
        (run.chunks() > 0).then_some(run)
    }

    fn block(&mut self, kind: BlockKind, contents: &[u8]) -> Result<(), RunError> {
        let length = u32::try_from(contents.len())
            .map_err(|_| std::io::Error::other("two seconds take more than 4 GB"))?;
        self.sink.write_all(&[kind as isize as u8])?;
        self.sink.write_all(&length.to_le_bytes())?;
        self.sink.write_all(&xxh3_64(contents).to_le_bytes())?;
        self.sink.write_all(contents)?;
        self.sink.flush()?;
        self.written += (super::BLOCK_HEAD + contents.len()) as u64;
        Ok(())
    }

    /// Takes the state after a step.
    ///
    /// # Errors
    /// The sink fails.
    pub fn record(&mut self, world: &World) -> Result<(), RunError> {
        let tick = world.tick();
        self.note(world.births(), world.departures(), world.events());
        self.chunk.inputs.extend_from_slice(world.inputs());
        self.chunk.plans.extend_from_slice(world.plans());
        for agent in world.agents() {
            for value in agent.position.to_array() {
                self.positions.update(&value.to_bits().to_le_bytes());
            }
        }
        self.end.ticks = tick;
        if tick.is_multiple_of(u64::from(self.header.every)) {
            self.frame(world.agents())?;
        }
        Ok(())
    }

    /// Takes what happened; times in ticks.
    pub fn note(&mut self, births: &[Birth], departures: &[Departure], events: &[RunEvent]) {
        self.end.appeared += births.len() as u64;
        self.end.arrived += departures.len() as u64;
        self.chunk.births.extend_from_slice(births);
        self.chunk.departures.extend_from_slice(departures);
        self.chunk.events.extend_from_slice(events);
    }

    /// Takes everyone's position at the next frame.
    ///
    /// # Errors
    /// The sink fails.
    pub fn frame(&mut self, agents: impl Iterator<Item = AgentState>) -> Result<(), RunError> {
        let frame = self.chunk.frames;
        let unit = self.header.unit;
        for agent in agents {
            let track = self.open.entry(agent.index).or_insert_with(|| Track {
                index: agent.index,
                from: frame,
                ..Track::default()
            });
            if track.is_stuck(frame) != agent.is_stuck {
                track.stuck.push(frame);
            }
            let point = agent.position.to_array();
            track.points.push(point.map(|v| (v / unit).round() as i64));
        }
        self.chunk.frames += 1;
        if self.chunk.frames > self.frames_per_chunk {
            self.close_chunk()?;
        }
        Ok(())
    }

    fn close_chunk(&mut self) -> Result<(), RunError> {
        let mut chunk = std::mem::take(&mut self.chunk);
        chunk.tracks = std::mem::take(&mut self.open).into_values().collect();
        let packed = zstd::bulk::compress(&chunk.pack(self.header.unit), ZSTD_LEVEL)?;
        self.index
            .push([self.written, chunk.first, u64::from(chunk.frames)]);
        self.block(BlockKind::Chunk, &packed)?;
        if let Some(memory) = &mut self.memory {
            memory.push(&chunk, &packed);
        }
        // The next one begins with the last frame of this one.
        let last = chunk.frames - 1;
        self.chunk.first = chunk.first + u64::from(last);
        self.chunk.frames = 1;
        for track in chunk.tracks {
            let is_there = track.from as usize + track.points.len() > last as usize;
            if let (true, Some(point)) = (is_there, track.points.last()) {
                let open = Track {
                    index: track.index,
                    from: 0,
                    points: vec![*point],
                    stuck: if track.is_stuck(last) {
                        vec![0]
                    } else {
                        Vec::new()
                    },
                };
                self.open.insert(track.index, open);
            }
        }
        Ok(())
    }

    /// Writes what is left, the end and the index.
    ///
    /// # Errors
    /// The sink fails.
    pub fn finish(self) -> Result<(W, End), RunError> {
        self.finish_run().map(|(sink, end, _)| (sink, end))
    }

    /// As [`Self::finish`], with the whole run if it is kept in memory.
    ///
    /// # Errors
    /// The sink fails.
    pub fn finish_run(mut self) -> Result<(W, End, Option<Run>), RunError> {
        let has_news = self.chunk.frames > 1
            || self.index.is_empty() && self.chunk.frames > 0
            || !self.chunk.births.is_empty()
            || !self.chunk.departures.is_empty()
            || !self.chunk.events.is_empty()
            || !self.chunk.inputs.is_empty()
            || !self.chunk.plans.is_empty();
        if has_news {
            if self.chunk.frames == 0 {
                self.chunk.frames = 1;
            }
            self.close_chunk()?;
        }
        self.end.positions = format!("{:016x}", self.positions.digest());
        let end = serde_json::to_vec(&self.end)?;
        self.block(BlockKind::End, &end)?;
        let at = self.written;
        let index: Vec<u8> = self
            .index
            .iter()
            .flatten()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        self.block(BlockKind::Index, &index)?;
        self.sink.write_all(&at.to_le_bytes())?;
        self.sink.write_all(&TRAILER)?;
        self.sink.flush()?;
        let end = self.end;
        let memory = self.memory.as_ref();
        let run = memory.map(|memory| memory.snapshot(Chunk::default(), Some(end.clone())));
        Ok((self.sink, end, run.filter(|run| run.chunks() > 0)))
    }
}

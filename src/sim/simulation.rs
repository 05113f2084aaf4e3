//! A run of a level from beginning to end, recorded while it goes on.

use super::input::{Input, TimedInput};
use super::models::{self, UnknownModel};
use super::overrides::{self, Overrides};
use super::wlrec::{End, Header, Run, RunError, RunWriter, UNIT};
use super::world::{RunEvent, RunEventKind, Scenario, World, WorldOptions};
use crate::document::{Level, format};
use crate::jobs::{Cancelled, JobContext};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

/// Positions are recorded this often, at least. Unit: seconds.
const RECORDED_INTERVAL: f64 = 0.1;

/// A run that does not say how long lasts so long at most. Unit: seconds.
pub const LONGEST: f64 = 3600.0;

#[derive(Clone, Debug)]
pub struct SimulationOptions {
    pub model: String,
    pub set: Overrides,
    pub seed: u64,
    /// Unit: seconds.
    pub step: f64,
    /// Unit: seconds.
    pub seconds: f64,
    /// Ends as soon as everyone has left.
    pub until_empty: bool,
    /// What is changed from outside, and when.
    pub inputs: Vec<TimedInput>,
}

impl SimulationOptions {
    /// As a level's simulation settings say, until everyone has left.
    #[must_use]
    pub fn of(level: &Level) -> Self {
        let settings = &level.settings().simulation;
        let default = Self::default();
        Self {
            model: match &*settings.model {
                "" => default.model,
                model => model.to_owned(),
            },
            seed: settings.seed,
            step: settings.step,
            seconds: settings.duration,
            ..default
        }
    }
}

impl Default for SimulationOptions {
    fn default() -> Self {
        Self {
            model: models::rows()[0].id.to_owned(),
            set: Overrides::new(),
            seed: 0,
            step: super::STEP,
            seconds: LONGEST,
            until_empty: true,
            inputs: Vec::new(),
        }
    }
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub end: End,
    /// Unit: seconds.
    pub simulated: f64,
    /// Time that it took. Unit: seconds.
    pub took: f64,
    /// Agents that are still there.
    pub left: usize,
    /// Of these, how many do not get on.
    pub stuck: usize,
    /// How often each kind of event happened.
    pub events: BTreeMap<&'static str, u64>,
    /// Sentences worth reading.
    pub remarks: Vec<String>,
}

/// Most remarks that are kept.
const MAX_REMARKS: usize = 20;

#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    #[error(transparent)]
    Model(#[from] UnknownModel),
    #[error("{0}")]
    Set(String),
    #[error("a step is {0} s; it must be between 0.001 s and 1 s")]
    Step(f64),
    #[error("the level has neither agents nor crowds: there is nothing to simulate")]
    Nobody,
    #[error(transparent)]
    Recording(#[from] RunError),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A world for a level, and the header of its recording.
///
/// # Errors
/// A sentence about the options; or the job was cancelled.
pub fn prepare(
    level: &Level,
    options: &SimulationOptions,
    ctx: &JobContext,
) -> Result<(World, Header), SimulationError> {
    if !(0.001..=1.0).contains(&options.step) {
        return Err(SimulationError::Step(options.step));
    }
    let row = models::by_name(&options.model)?;
    let mut model = (row.new)();
    let level = overrides::apply(level, &options.set, &mut *model).map_err(SimulationError::Set)?;
    let scenario = Scenario::bake(Arc::new(level), ctx)?;
    if scenario.total() == 0 {
        return Err(SimulationError::Nobody);
    }
    let header = Header {
        program: concat!("wayloom ", env!("CARGO_PKG_VERSION")).to_owned(),
        level: scenario.level.settings().name.clone(),
        level_hash: scenario.level_hash().to_string(),
        model: row.id.to_owned(),
        set: options.set.clone(),
        seed: options.seed,
        step: options.step,
        every: (RECORDED_INTERVAL / options.step).round().max(1.0) as u32,
        unit: UNIT,
    };
    let options = WorldOptions {
        seed: options.seed,
        step: options.step,
    };
    Ok((World::new(scenario, model, options, ctx)?, header))
}

/// A run that goes on, step by step, and is recorded.
#[derive(Debug)]
pub struct Simulation<W: Write> {
    world: World,
    writer: RunWriter<W>,
    summary: Summary,
    started: Instant,
    /// Longest duration. Unit: ticks.
    ticks: f64,
    until_empty: bool,
    arrived: usize,
}

/// Whether a run is kept in memory while it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    Kept,
    Unused,
}

impl<W: Write> Simulation<W> {
    /// Bakes the level and records the first moment.
    ///
    /// # Errors
    /// A sentence about the options, the sink fails, or the job was cancelled.
    pub fn new(
        level: &Level,
        options: &SimulationOptions,
        sink: W,
        memory: Memory,
        ctx: &JobContext,
    ) -> Result<Self, SimulationError> {
        let started = Instant::now();
        ctx.stage("Baking");
        let (mut world, header) = prepare(level, options, ctx)?;
        for TimedInput { tick, input } in &options.inputs {
            world.input(*tick, input.clone());
        }
        let level = &world.scenario().level;
        let text = format::write(level, level.largest_id().next());
        let mut writer = RunWriter::new(sink, header, &text)?;
        if memory == Memory::Kept {
            writer = writer.in_memory(&text);
        }
        ctx.stage("Simulating");
        let mut simulation = Self {
            world,
            writer,
            summary: Summary::default(),
            started,
            // A whole number of steps, given in seconds, is not always exact in binary.
            ticks: (options.seconds / options.step - 1e-6).ceil().max(1.0),
            until_empty: options.until_empty,
            arrived: 0,
        };
        simulation.record()?;
        Ok(simulation)
    }

    fn record(&mut self) -> Result<(), SimulationError> {
        self.writer.record(&self.world)?;
        self.arrived += self.world.departures().len();
        for event in self.world.events() {
            self.summary.note(event);
        }
        Ok(())
    }

    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Changes something before the next step.
    pub fn input(&mut self, input: Input) {
        self.world.input(self.world.tick(), input);
    }

    /// One tick.
    ///
    /// # Errors
    /// The sink fails, or the job was cancelled.
    pub fn step(&mut self, ctx: &JobContext) -> Result<(), SimulationError> {
        self.world.step(ctx)?;
        self.record()?;
        ctx.report(self.progress());
        Ok(())
    }

    /// From 0 to 1.
    #[must_use]
    pub fn progress(&self) -> f32 {
        let by_time = (self.world.tick() as f64 / self.ticks) as f32;
        if !self.until_empty {
            return by_time;
        }
        let total = self.world.scenario().total().max(1) as f32;
        by_time.max(self.arrived as f32 / total)
    }

    /// Whether its time is up, or everyone has left.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.world.tick() as f64 >= self.ticks || self.until_empty && self.world.is_over()
    }

    /// What it came to so far.
    #[must_use]
    pub const fn summary(&self) -> &Summary {
        &self.summary
    }

    /// How many have arrived.
    #[must_use]
    pub const fn arrived(&self) -> usize {
        self.arrived
    }

    /// What is recorded so far, if it is kept in memory.
    #[must_use]
    pub fn snapshot(&self) -> Option<Run> {
        self.writer.snapshot()
    }

    /// Writes the end.
    ///
    /// # Errors
    /// The sink fails.
    pub fn finish(self) -> Result<(W, Summary, Option<Run>), SimulationError> {
        let (sink, end, run) = self.writer.finish_run()?;
        let mut summary = self.summary;
        summary.simulated = self.world.time();
        summary.left = self.world.len();
        summary.stuck = self.world.agents().filter(|agent| agent.is_stuck).count();
        summary.end = end;
        summary.took = self.started.elapsed().as_secs_f64();
        Ok((sink, summary, run))
    }
}

/// Simulates a level and writes the recording into `sink`.
///
/// # Errors
/// A sentence about the options, the sink fails, or the job was cancelled; what was written until
/// then can be opened.
pub fn simulate<W: Write>(
    level: &Level,
    options: &SimulationOptions,
    sink: W,
    ctx: &JobContext,
) -> Result<(W, Summary), SimulationError> {
    let mut simulation = Simulation::new(level, options, sink, Memory::Unused, ctx)?;
    while !simulation.is_over() {
        simulation.step(ctx)?;
    }
    let (sink, summary, _) = simulation.finish()?;
    Ok((sink, summary))
}

impl Summary {
    fn note(&mut self, event: &RunEvent) {
        *self.events.entry(event.kind.name()).or_default() += 1;
        let is_worth_reading = matches!(
            event.kind,
            RunEventKind::Unplaced | RunEventKind::Unreachable | RunEventKind::Input
        );
        if is_worth_reading
            && !event.text.is_empty()
            && self.remarks.len() < MAX_REMARKS
            && !self.remarks.contains(&event.text)
        {
            self.remarks.push(event.text.clone());
        }
    }
}

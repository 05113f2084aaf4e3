//! A run in the background that can be watched, held, slowed down and changed while it goes on.

use super::input::Input;
use super::simulation::{Memory, Simulation, SimulationError, SimulationOptions, Summary};
use super::wlrec::Run;
use crate::document::Level;
use crate::jobs::{Cancelled, Display, Job, JobContext, JobRunner, Progress};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Snapshots are taken no more often than this.
const SNAPSHOT_INTERVAL: Duration = Duration::from_millis(50);

/// How long a held run sleeps before it looks again whether it was cancelled.
const NAP: Duration = Duration::from_millis(50);

/// What a run does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunState {
    /// Its level is being baked.
    #[default]
    Preparing,
    Running,
    Paused,
    /// Its time is up, or everyone has left.
    Finished,
    /// It was ended before.
    Stopped,
    Failed,
}

impl RunState {
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Finished | Self::Stopped | Self::Failed)
    }
}

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunStatus {
    pub state: RunState,
    pub tick: u64,
    /// Simulated time. Unit: seconds.
    pub time: f64,
    /// Agents that are there now.
    pub present: usize,
    pub arrived: usize,
    /// Agents that will appear in all.
    pub total: u64,
    pub stuck: usize,
    /// Simulated seconds per second, of late.
    pub pace: f64,
    /// Sentences worth reading.
    pub remarks: Vec<String>,
    /// Why it failed.
    pub error: Option<String>,
}

/// Handle of a run; dropping it cancels the run.
#[derive(Debug)]
pub struct LiveRun {
    shared: Arc<Shared>,
    job: Job<()>,
}

#[derive(Debug, Default)]
struct Shared {
    control: Mutex<Control>,
    changed: Condvar,
    published: Mutex<Published>,
    /// Someone looks at snapshots: another one is worth its time.
    is_wanted: AtomicBool,
}

/// What the window asks for.
#[derive(Debug, Default)]
struct Control {
    is_paused: bool,
    /// Ticks to take while it is held.
    steps: u64,
    is_stopped: bool,
    /// Most simulated seconds per second.
    pace: Option<f64>,
    inputs: Vec<Input>,
}

#[derive(Debug, Default)]
struct Published {
    status: RunStatus,
    run: Option<Arc<Run>>,
    summary: Option<Arc<Summary>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a run begins at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    Running,
    Paused,
}

impl LiveRun {
    /// Starts a run of a level. It is recorded into `file`, or in memory alone.
    #[must_use]
    pub fn start(
        jobs: &JobRunner,
        level: Arc<Level>,
        options: SimulationOptions,
        file: Option<PathBuf>,
        begin: Begin,
    ) -> Self {
        let shared = Arc::new(Shared::default());
        locked(&shared.control).is_paused = begin == Begin::Paused;
        let inside = Arc::clone(&shared);
        let job = jobs.spawn("Simulating", Display::Quiet, move |ctx| {
            let outcome = work(&inside, &level, &options, file, ctx);
            let mut published = locked(&inside.published);
            match outcome {
                Ok(state) => published.status.state = state,
                Err(SimulationError::Cancelled(_)) => published.status.state = RunState::Stopped,
                Err(error) => {
                    published.status.state = RunState::Failed;
                    published.status.error = Some(error.to_string());
                }
            }
        });
        Self { shared, job }
    }

    /// How far it is.
    #[must_use]
    pub fn status(&self) -> RunStatus {
        let mut status = locked(&self.shared.published).status.clone();
        // A panic ends the job without a last word.
        if !status.state.is_over()
            && let Some(Err(error)) = self.job.poll()
        {
            status.state = RunState::Failed;
            status.error = Some(error.to_string());
            locked(&self.shared.published).status = status.clone();
        }
        status
    }

    /// Share of the run that is done, and the current activity.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.job.progress()
    }

    /// What is recorded so far: while the run goes on, a snapshot that is a little old; the whole
    /// run once it is over. `None` before its first frame.
    #[must_use]
    pub fn recorded(&self) -> Option<Arc<Run>> {
        self.shared.is_wanted.store(true, Ordering::Relaxed);
        locked(&self.shared.published).run.clone()
    }

    /// What the run came to, once it is over.
    #[must_use]
    pub fn summary(&self) -> Option<Arc<Summary>> {
        locked(&self.shared.published).summary.clone()
    }

    pub fn pause(&self) {
        self.control(|control| control.is_paused = true);
    }

    pub fn resume(&self) {
        self.control(|control| (control.is_paused, control.steps) = (false, 0));
    }

    /// Takes some ticks and is held then.
    pub fn step(&self, ticks: u64) {
        self.control(|control| {
            control.is_paused = true;
            control.steps = control.steps.saturating_add(ticks);
        });
    }

    /// Ends the run here; its recording is complete.
    pub fn stop(&self) {
        self.control(|control| control.is_stopped = true);
    }

    /// Most simulated seconds per second; `None` for as fast as it can.
    pub fn set_pace(&self, pace: Option<f64>) {
        let pace = pace.filter(|pace| pace.is_finite() && *pace > 0.0);
        self.control(|control| control.pace = pace);
    }

    /// Changes something before the next tick; a part of the recording.
    pub fn input(&self, input: Input) {
        self.control(|control| control.inputs.push(input));
    }

    fn control(&self, change: impl FnOnce(&mut Control)) {
        change(&mut locked(&self.shared.control));
        self.shared.changed.notify_all();
    }
}

/// Runs to the end; how it ended.
fn work(
    shared: &Shared,
    level: &Level,
    options: &SimulationOptions,
    file: Option<PathBuf>,
    ctx: &JobContext,
) -> Result<RunState, SimulationError> {
    let sink: Box<dyn Write> = match file {
        Some(file) => Box::new(BufWriter::new(
            std::fs::File::create(file).map_err(super::wlrec::RunError::from)?,
        )),
        None => Box::new(std::io::sink()),
    };
    let mut simulation = Simulation::new(level, options, sink, Memory::Kept, ctx)?;
    let mut pacing = Pacing::new(simulation.world().time());
    let mut last_snapshot = Instant::now();
    publish(shared, &simulation, RunState::Running, &pacing, true);
    let mut state = RunState::Finished;
    while !simulation.is_over() {
        let (inputs, pace) = match next(shared, &simulation, &mut pacing, ctx)? {
            Next::Step { inputs, pace } => (inputs, pace),
            Next::Stop => {
                state = RunState::Stopped;
                break;
            }
        };
        for input in inputs {
            simulation.input(input);
        }
        simulation.step(ctx)?;
        pacing.note(simulation.world().time());
        let wants = last_snapshot.elapsed() >= SNAPSHOT_INTERVAL
            && shared.is_wanted.swap(false, Ordering::Relaxed);
        if wants {
            last_snapshot = Instant::now();
        }
        publish(shared, &simulation, RunState::Running, &pacing, wants);
        pacing.keep(pace, simulation.world().time(), ctx)?;
    }
    let (_, summary, run) = simulation.finish()?;
    let mut published = locked(&shared.published);
    published.run = run.map(Arc::new).or_else(|| published.run.take());
    published.summary = Some(Arc::new(summary));
    Ok(state)
}

enum Next {
    Step {
        inputs: Vec<Input>,
        pace: Option<f64>,
    },
    Stop,
}

/// Waits while the run is held.
fn next<W: Write>(
    shared: &Shared,
    simulation: &Simulation<W>,
    pacing: &mut Pacing,
    ctx: &JobContext,
) -> Result<Next, Cancelled> {
    let mut control = locked(&shared.control);
    let mut is_told = false;
    loop {
        ctx.checkpoint()?;
        if control.is_stopped {
            return Ok(Next::Stop);
        }
        if !control.is_paused || control.steps > 0 {
            control.steps = control.steps.saturating_sub(1);
            return Ok(Next::Step {
                inputs: std::mem::take(&mut control.inputs),
                pace: control.pace.filter(|_| !control.is_paused),
            });
        }
        if !is_told {
            // Whoever looks sees the tick at which it is held.
            is_told = true;
            drop(control);
            publish(shared, simulation, RunState::Paused, pacing, true);
            control = locked(&shared.control);
            continue;
        }
        control = shared
            .changed
            .wait_timeout(control, NAP)
            .unwrap_or_else(PoisonError::into_inner)
            .0;
        pacing.restart(simulation.world().time());
    }
}

fn publish<W: Write>(
    shared: &Shared,
    simulation: &Simulation<W>,
    state: RunState,
    pacing: &Pacing,
    with_snapshot: bool,
) {
    let world = simulation.world();
    let run = with_snapshot
        .then(|| simulation.snapshot().map(Arc::new))
        .flatten();
    let mut published = locked(&shared.published);
    if run.is_some() {
        published.run = run;
    }
    let remarks = &simulation.summary().remarks;
    let status = &mut published.status;
    if status.remarks.len() != remarks.len() {
        status.remarks.clone_from(remarks);
    }
    status.state = state;
    status.tick = world.tick();
    status.time = world.time();
    status.present = world.len();
    status.arrived = simulation.arrived();
    status.total = world.scenario().total();
    status.stuck = world.stuck();
    status.pace = pacing.pace;
}

/// Simulated against real time.
#[derive(Debug)]
struct Pacing {
    since: Instant,
    from: f64,
    noted: (Instant, f64),
    /// Simulated seconds per second, of late.
    pace: f64,
    /// What was asked for last.
    asked: Option<f64>,
}

impl Pacing {
    fn new(time: f64) -> Self {
        Self {
            since: Instant::now(),
            from: time,
            noted: (Instant::now(), time),
            pace: 0.0,
            asked: None,
        }
    }

    /// Time does not pass while a run is held.
    fn restart(&mut self, time: f64) {
        *self = Self {
            pace: self.pace,
            ..Self::new(time)
        };
    }

    fn note(&mut self, time: f64) {
        let (at, from) = self.noted;
        let passed = at.elapsed().as_secs_f64();
        if passed >= 0.2 {
            self.pace = (time - from) / passed;
            self.noted = (Instant::now(), time);
        }
    }

    /// Sleeps until real time has caught up.
    fn keep(&mut self, pace: Option<f64>, time: f64, ctx: &JobContext) -> Result<(), Cancelled> {
        if self.asked != pace {
            (self.since, self.from, self.asked) = (Instant::now(), time, pace);
        }
        let Some(pace) = pace else {
            return Ok(());
        };
        let due = (time - self.from) / pace;
        let passed = self.since.elapsed().as_secs_f64();
        if passed > due + 0.5 {
            // Too slow to keep up: what was missed is not made up for.
            (self.since, self.from) = (Instant::now(), time);
        } else if due > passed {
            std::thread::sleep(Duration::from_secs_f64((due - passed).min(0.25)));
            ctx.checkpoint()?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "live_run_tests.rs"]
mod tests;

//! Runs of the level's agents and crowds: simulated beside the window, shown while they go on, with the last
//! run as a ghost.

use super::Editor;
use super::player::Source;
use crate::document::Level;
use crate::jobs::{Display, Job, JobError, JobId, JobRunner, Progress};
use crate::sim::models::{self, ModelRow};
use crate::sim::simulation::{SimulationError, SimulationOptions, Summary, simulate};
use crate::sim::wlrec::Run;
use crate::sim::{GrowingRun, Recording};
use std::path::PathBuf;
use std::sync::Arc;

/// Longest run in the window unless another time is asked for. Unit: seconds.
pub const USUAL_SECS: f64 = 600.0;

/// What can be chosen for the next run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSettings {
    pub model: &'static str,
    pub seed: u64,
    /// At most so long; it ends earlier once everyone has left. Unit: seconds.
    pub seconds: f64,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self {
            model: models::rows()[0].id,
            seed: 0,
            seconds: USUAL_SECS,
        }
    }
}

impl RunSettings {
    #[must_use]
    pub fn model_row(&self) -> &'static ModelRow {
        models::row(self.model).unwrap_or(&models::rows()[0])
    }
}

/// Where a run comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// Simulated here, with these settings.
    Simulated(RunSettings),
    /// Opened from a file.
    File(PathBuf),
}

/// A run that is shown, or a ghost.
#[derive(Clone, Debug)]
pub struct ShownRun {
    pub recording: Arc<Recording>,
    pub run: Arc<Run>,
    /// The level that it is of.
    pub level: Arc<Level>,
    pub origin: Origin,
    /// Once it has ended.
    pub summary: Option<Arc<Summary>>,
    /// Counts runs; openings of one run share it.
    number: u64,
}

impl ShownRun {
    fn new(run: Arc<Run>, level: &Arc<Level>, origin: Origin) -> Self {
        Self {
            recording: Arc::new(Recording::of_run(level, Arc::clone(&run))),
            run,
            level: Arc::clone(level),
            origin,
            summary: None,
            number: 0,
        }
    }

    /// In a few words.
    #[must_use]
    pub fn title(&self) -> String {
        match &self.origin {
            Origin::Simulated(settings) => {
                format!("{}, seed {}", settings.model_row().title, settings.seed)
            }
            Origin::File(path) => path
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        }
    }
}

#[derive(Debug)]
struct Running {
    job: Job<Result<Summary, SimulationError>>,
    growing: GrowingRun,
    level: Arc<Level>,
    settings: RunSettings,
    number: u64,
}

/// All runs of the open level.
#[derive(Debug, Default)]
pub struct Simulation {
    pub settings: RunSettings,
    running: Option<Running>,
    shown: Option<ShownRun>,
    ghost: Option<ShownRun>,
    /// Whether the ghost is drawn and plotted.
    pub shows_ghost: bool,
    /// Why the last run did not get to its end.
    error: Option<String>,
    /// Something was run or opened since the level was opened.
    has_begun: bool,
    /// How many runs were begun.
    begun: u64,
}

impl Simulation {
    /// Void for another level; what is chosen stays, but for the seed.
    pub(super) fn forget(&mut self) {
        *self = Self {
            settings: RunSettings {
                seed: 0,
                ..self.settings.clone()
            },
            shows_ghost: true,
            ..Self::default()
        };
    }

    #[must_use]
    pub fn recording(&self) -> Option<&Arc<Recording>> {
        Some(&self.shown.as_ref()?.recording)
    }

    #[must_use]
    pub const fn shown(&self) -> Option<&ShownRun> {
        self.shown.as_ref()
    }

    /// The run before, on the same clock, while it is to be seen.
    #[must_use]
    pub fn ghost(&self) -> Option<&ShownRun> {
        self.ghost.as_ref().filter(|_| self.shows_ghost)
    }

    /// The run before, whether or not it is to be seen.
    #[must_use]
    pub const fn kept_ghost(&self) -> Option<&ShownRun> {
        self.ghost.as_ref()
    }

    #[must_use]
    pub const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Of the run that goes on.
    #[must_use]
    pub fn job(&self) -> Option<JobId> {
        Some(self.running.as_ref()?.job.id())
    }

    #[must_use]
    pub fn progress(&self) -> Option<Progress> {
        Some(self.running.as_ref()?.job.progress())
    }

    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Nothing has been run or opened since the level was opened.
    #[must_use]
    pub const fn is_untouched(&self) -> bool {
        !self.has_begun
    }

    /// What is shown is of another state of the level, or of other settings, than those of now.
    #[must_use]
    pub fn is_stale(&self, level: &Arc<Level>) -> bool {
        self.shown
            .as_ref()
            .is_some_and(|shown| match &shown.origin {
                Origin::Simulated(settings) => {
                    !Arc::ptr_eq(&shown.level, level) || *settings != self.settings
                }
                Origin::File(_) => false,
            })
    }

    /// Whether playing takes a run first.
    #[must_use]
    pub fn needs_run(&self, level: &Arc<Level>) -> bool {
        self.running.is_none() && (self.shown.is_none() || self.is_stale(level))
    }

    /// Begins a run. What is shown stays until the new one has its first seconds, and then is its ghost.
    pub(super) fn start(&mut self, level: &Arc<Level>, jobs: &JobRunner) {
        let (growing, settings) = (GrowingRun::default(), self.settings.clone());
        let options = SimulationOptions {
            model: settings.model.to_owned(),
            seed: settings.seed,
            seconds: settings.seconds,
            ..SimulationOptions::default()
        };
        let (sink, of) = (growing.sink(), Arc::clone(level));
        let job = jobs.spawn("Simulating", Display::Shown, move |ctx| {
            let (mut sink, summary) = simulate(&of, &options, sink, ctx)?;
            sink.publish();
            Ok(summary)
        });
        self.error = None;
        self.has_begun = true;
        self.begun += 1;
        self.running = Some(Running {
            job,
            growing,
            level: Arc::clone(level),
            settings,
            number: self.begun,
        });
    }

    /// Ends the run that goes on; what is recorded of it stays.
    pub(super) fn stop(&mut self) {
        self.keep();
        self.running = None;
    }

    /// Forgets what is shown: the level as it is drawn is to be seen again.
    pub(super) fn clear(&mut self) {
        self.running = None;
        self.shown = None;
        self.ghost = None;
        self.error = None;
    }

    pub(super) fn clear_ghost(&mut self) {
        self.ghost = None;
    }

    /// What is shown becomes the ghost.
    pub(super) fn keep_as_ghost(&mut self) {
        self.ghost = self.shown.clone();
        self.shows_ghost = true;
    }

    /// Shows a run from a file.
    pub(super) fn open(&mut self, run: Arc<Run>, level: &Arc<Level>, path: PathBuf) {
        self.running = None;
        self.error = None;
        self.has_begun = true;
        self.shown = Some(ShownRun::new(run, level, Origin::File(path)));
    }

    /// Lays a run from a file behind what is shown.
    pub(super) fn open_ghost(&mut self, run: Arc<Run>, level: &Arc<Level>, path: PathBuf) {
        self.ghost = Some(ShownRun::new(run, level, Origin::File(path)));
        self.shows_ghost = true;
    }

    /// Takes what the run that goes on has recorded since. Says whether it failed.
    pub(super) fn keep(&mut self) -> Option<String> {
        let running = self.running.as_ref()?;
        let outcome = running.job.poll();
        let newest = running.growing.newest();
        let shown = newest.map(|newest| {
            let origin = Origin::Simulated(running.settings.clone());
            ShownRun {
                number: running.number,
                ..ShownRun::new(newest, &running.level, origin)
            }
        });
        if let Some(shown) = shown {
            self.show(shown);
        }
        let failure = match outcome? {
            Ok(Ok(summary)) => {
                if let Some(shown) = &mut self.shown {
                    shown.summary = Some(Arc::new(summary));
                }
                None
            }
            Ok(Err(SimulationError::Cancelled(_))) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(JobError::Panicked(what) | JobError::NoThread(what)) => Some(what),
        };
        self.running = None;
        self.error.clone_from(&failure);
        failure
    }

    fn show(&mut self, newest: ShownRun) {
        match &self.shown {
            Some(shown) if Arc::ptr_eq(&shown.run, &newest.run) => return,
            Some(shown) if shown.number != newest.number => self.ghost = self.shown.take(),
            _ => {}
        }
        self.shown = Some(newest);
    }
}

/// What a panel or a key asks of the simulation.
#[derive(Clone, Debug, PartialEq)]
pub enum SimulationAsk {
    Settings(RunSettings),
    /// Simulates the level as it is now, from the start.
    Run,
    /// Ends a run that goes on; else clears what is shown.
    Stop,
    ShowGhost(bool),
    KeepAsGhost,
    ClearGhost,
}

impl Editor {
    pub(super) fn ask_of_simulation(&mut self, ctx: &egui::Context, asked: SimulationAsk) {
        let player = &mut self.state.navigation.player;
        let simulation = &mut player.simulation;
        match asked {
            SimulationAsk::Settings(settings) => simulation.settings = settings,
            SimulationAsk::Run => {
                self.start_run(ctx);
                let clock = &mut self.state.navigation.player.clock;
                if !clock.is_playing() {
                    clock.toggle(0.0);
                }
            }
            SimulationAsk::Stop if simulation.is_running() => simulation.stop(),
            SimulationAsk::Stop => {
                simulation.clear();
                player.clock.reset();
            }
            SimulationAsk::ShowGhost(shows) => simulation.shows_ghost = shows,
            SimulationAsk::KeepAsGhost => simulation.keep_as_ghost(),
            SimulationAsk::ClearGhost => simulation.clear_ghost(),
        }
        ctx.request_repaint();
    }

    /// Simulates the level as it is, from the start.
    pub(super) fn start_run(&mut self, ctx: &egui::Context) {
        self.work.wake(ctx);
        let level = Arc::clone(self.state.document().committed_level());
        let player = &mut self.state.navigation.player;
        player.source = Source::Simulation;
        player.clock.reset();
        player.simulation.start(&level, self.work.jobs());
    }
}

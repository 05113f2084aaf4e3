//! Runs of the level's agents and crowds: simulated beside the window, shown while they go on, with the last
//! run as a ghost.

use super::Editor;
use super::player::Source;
use super::situation::SituationAsk;
use crate::document::{ChangeSet, Kind, Level, Obstacle};
use crate::jobs::{JobRunner, Progress};
use crate::sim::live_run::Begin;
use crate::sim::models::{self, ModelRow};
use crate::sim::simulation::{SimulationOptions, Summary};
use crate::sim::wlrec::Run;
use crate::sim::{Input, LiveRun, Recording, RunState, RunStatus, TimedInput};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longest run in the window unless another time is asked for. Unit: seconds.
pub const USUAL_SECS: f64 = 600.0;

/// Levels may ask for longer runs; in the window that is to be chosen. Unit: seconds.
const LONGEST_SECS: f64 = 600.0;

/// A snapshot of a run that goes on is taken this often, and whenever the clock gets near to its end.
const SNAPSHOT: Duration = Duration::from_millis(400);

/// Unit: seconds.
const NEAR_END: f64 = 1.0;

/// What can be chosen for the next run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSettings {
    pub model: &'static str,
    pub seed: u64,
    /// Unit: seconds.
    pub step: f64,
    /// At most so long; it ends earlier once everyone has left. Unit: seconds.
    pub seconds: f64,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self {
            model: models::rows()[0].id,
            seed: 0,
            step: crate::sim::STEP,
            seconds: USUAL_SECS,
        }
    }
}

impl RunSettings {
    /// Those of a level.
    #[must_use]
    pub fn of(level: &Level) -> Self {
        let own = &level.settings().simulation;
        let usual = Self::default();
        Self {
            model: models::row(&own.model).map_or(usual.model, |row| row.id),
            seed: own.seed,
            step: own.step,
            seconds: own.duration.min(LONGEST_SECS),
        }
    }

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
    /// The state of the level that it shows: with what was moved while it went on.
    current: Arc<Level>,
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
            current: Arc::clone(level),
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
    live: LiveRun,
    /// The level at its start.
    level: Arc<Level>,
    /// The level with what was moved since.
    current: Arc<Level>,
    settings: RunSettings,
    number: u64,
    /// It takes the place of another run once it has come so far: something was changed then. Unit: seconds.
    from: f64,
    inputs: Vec<TimedInput>,
    taken: Option<Instant>,
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
    /// Whether the settings were taken from the open level.
    is_set_up: bool,
    /// Something was run or opened since the level was opened.
    has_begun: bool,
    /// How many runs were begun.
    begun: u64,
    /// A state of the level that runs cannot take up while they go on.
    ignored: Option<Arc<Level>>,
}

impl Simulation {
    /// Void for another level.
    pub(super) fn forget(&mut self) {
        *self = Self {
            shows_ghost: true,
            ..Self::default()
        };
    }

    /// Takes the settings of a level that was just opened.
    pub(super) fn set_up(&mut self, level: &Level) {
        if !self.is_set_up {
            self.is_set_up = true;
            self.settings = RunSettings::of(level);
        }
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
    pub fn progress(&self) -> Option<Progress> {
        Some(self.running.as_ref()?.live.progress())
    }

    /// How far the run that goes on has got.
    #[must_use]
    pub fn status(&self) -> Option<RunStatus> {
        Some(self.running.as_ref()?.live.status())
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
                    !Arc::ptr_eq(&shown.current, level) || *settings != self.settings
                }
                Origin::File(_) => false,
            })
    }

    /// What is shown was simulated with other settings than those of now.
    #[must_use]
    pub fn is_of_other_settings(&self) -> bool {
        let origin = self.shown.as_ref().map(|shown| &shown.origin);
        matches!(origin, Some(Origin::Simulated(settings)) if *settings != self.settings)
    }

    /// Whether playing takes a run first.
    #[must_use]
    pub fn needs_run(&self, level: &Arc<Level>) -> bool {
        self.running.is_none() && (self.shown.is_none() || self.is_stale(level))
    }

    /// Begins a run. What is shown stays until the new one has its first seconds, and then is its ghost.
    pub(super) fn start(&mut self, level: &Arc<Level>, jobs: &JobRunner) {
        self.begin(level, level, Vec::new(), 0.0, jobs);
        self.begun += 1;
        if let Some(running) = &mut self.running {
            running.number = self.begun;
        }
    }

    fn begin(
        &mut self,
        level: &Arc<Level>,
        current: &Arc<Level>,
        inputs: Vec<TimedInput>,
        from: f64,
        jobs: &JobRunner,
    ) {
        let settings = self.settings.clone();
        let options = SimulationOptions {
            model: settings.model.to_owned(),
            seed: settings.seed,
            step: settings.step,
            seconds: settings.seconds,
            inputs: inputs.clone(),
            ..SimulationOptions::default()
        };
        let live = LiveRun::start(jobs, Arc::clone(level), options, None, Begin::Running);
        self.error = None;
        self.has_begun = true;
        self.running = Some(Running {
            live,
            level: Arc::clone(level),
            current: Arc::clone(current),
            settings,
            number: self.begun,
            from,
            inputs,
            taken: None,
        });
    }

    /// Something was changed at a time of the run that is shown: from then on it is another one, and the change is
    /// a part of its recording.
    fn change(&mut self, changes: Vec<Input>, current: &Arc<Level>, time: f64, jobs: &JobRunner) {
        let Some(shown) = &self.shown else {
            return;
        };
        let step = shown.run.header().step;
        let tick = (time / step).ceil().max(0.0) as u64;
        let mut inputs: Vec<TimedInput> = match &self.running {
            Some(running) => running.inputs.clone(),
            None => shown.run.inputs().iter().cloned().collect(),
        };
        // What was changed later is no longer to come.
        inputs.retain(|input| input.tick <= tick);
        inputs.extend(changes.into_iter().map(|input| TimedInput { tick, input }));
        let level = Arc::clone(&shown.level);
        self.begin(&level, current, inputs, time, jobs);
    }

    /// Things of the level were moved, or doors switched, while its run is played.
    pub(super) fn heed_moves(&mut self, level: &Arc<Level>, time: f64, jobs: &JobRunner) {
        let is_known = |known: &Arc<Level>| Arc::ptr_eq(known, level);
        let current = match (&self.running, &self.shown) {
            (Some(running), _) => &running.current,
            (None, Some(shown)) if matches!(shown.origin, Origin::Simulated(_)) => &shown.current,
            _ => return,
        };
        if is_known(current) || self.ignored.as_ref().is_some_and(is_known) {
            return;
        }
        match changes_between(current, level) {
            Some(changes) if !changes.is_empty() => self.change(changes, level, time, jobs),
            // Not what a run can take: it goes on as it is, and is out of date.
            _ => self.ignored = Some(Arc::clone(level)),
        }
    }

    /// A flag was set while the run is played.
    pub(super) fn heed_flag(&mut self, input: Input, time: f64, jobs: &JobRunner) {
        let current = match (&self.running, &self.shown) {
            (Some(running), _) => Arc::clone(&running.current),
            (None, Some(shown)) => Arc::clone(&shown.current),
            _ => return,
        };
        self.change(vec![input], &current, time, jobs);
    }

    /// Ends the run that goes on; what is recorded of it stays.
    pub(super) fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.live.stop();
        }
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

    /// Takes what the run that goes on has recorded since, up to where the clock is and a little further. Says
    /// whether it failed.
    pub(super) fn keep(&mut self, time: f64, speed: f64) -> Option<String> {
        let known = self
            .shown
            .as_ref()
            .map(|shown| (shown.number, shown.run.duration()));
        let running = self.running.as_mut()?;
        let status = running.live.status();
        let is_over = status.state.is_over();
        let is_near = known.is_none_or(|(number, duration)| {
            number != running.number || duration - time < NEAR_END * speed
        });
        let is_due = running.taken.is_none_or(|at| at.elapsed() >= SNAPSHOT);
        if is_over || is_near || is_due {
            running.taken = Some(Instant::now());
            let newest = running.live.recorded();
            let newest = newest.filter(|run| is_over || run.duration() >= running.from);
            let shown = newest.map(|newest| {
                let origin = Origin::Simulated(running.settings.clone());
                ShownRun {
                    number: running.number,
                    current: Arc::clone(&running.current),
                    summary: running.live.summary(),
                    ..ShownRun::new(newest, &running.level, origin)
                }
            });
            if let Some(shown) = shown {
                self.show(shown);
            }
        }
        if !is_over {
            return None;
        }
        self.running = None;
        self.error = match status.state {
            RunState::Failed => status.error,
            _ => None,
        };
        self.error.clone()
    }

    fn show(&mut self, newest: ShownRun) {
        match &self.shown {
            Some(shown) if Arc::ptr_eq(&shown.run, &newest.run) => {
                // Only how it ended is new.
                self.shown = Some(newest);
                return;
            }
            Some(shown) if shown.number != newest.number => self.ghost = self.shown.take(),
            Some(shown) => newest.run.adopt(&shown.run),
            None => {}
        }
        self.shown = Some(newest);
    }
}

/// The moves and doors that lead from one state of a level to another; `None` if there is more to it.
fn changes_between(old: &Level, new: &Level) -> Option<Vec<Input>> {
    let change = ChangeSet::between(old, new);
    let has_more = !change.created.is_empty()
        || !change.deleted.is_empty()
        || change.settings
        || change.ground
        || change.reordered;
    if has_more {
        return None;
    }
    let moved = |id: &crate::base::EntityId| {
        let (before, after) = (old.get(*id)?, new.get(*id)?);
        let to = match (&before.kind, &after.kind) {
            (Kind::Obstacle(before), Kind::Obstacle(after)) => {
                let by = after.area.centroid() - before.area.centroid();
                is_moved_by(before, after, by).then(|| after.area.centroid().extend(0.0))?
            }
            (Kind::Solid(before), Kind::Solid(after)) => {
                let mut placed = before.clone();
                placed.position = after.position;
                (placed == *after).then_some(after.position)?
            }
            // A door that is opened or shut by hand.
            (Kind::Door(before), Kind::Door(after)) => {
                let mut switched = before.clone();
                switched.state = after.state;
                let state = Some(after.state);
                return (switched == *after).then_some(Input::Door { door: *id, state });
            }
            _ => return None,
        };
        Some(Input::Move { entity: *id, to })
    };
    change.replaced.iter().map(moved).collect()
}

fn is_moved_by(before: &Obstacle, after: &Obstacle, by: glam::DVec2) -> bool {
    let corners = |obstacle: &Obstacle| -> Vec<glam::DVec2> {
        let area = &obstacle.area;
        let rings = std::iter::once(&area.outer).chain(&area.holes);
        rings.flatten().copied().collect()
    };
    let (from, to) = (corners(before), corners(after));
    let is_near = |(a, b): (&glam::DVec2, &glam::DVec2)| (*a + by).distance(*b) < 1e-6;
    from.len() == to.len() && from.iter().zip(&to).all(is_near)
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

    /// A flag that is set while a run is played is set in the run.
    pub(super) fn tell_run_of(&mut self, asked: SituationAsk) {
        let player = &mut self.state.navigation.player;
        let is_played = player.source == Source::Simulation && player.clock.is_playing();
        if let (SituationAsk::Flag(flag, is_set), true) = (asked, is_played) {
            let (time, input) = (player.clock.time(), Input::SetFlag { flag, is_set });
            player.simulation.heed_flag(input, time, self.work.jobs());
        }
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

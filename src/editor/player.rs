//! What the window plays: a recording of what is planned, kept current beside the window, and the clock that it
//! is shown at.

use super::navigation::Navigation;
use super::simulating::Simulation;
use crate::base::{ByAddress, EntityId};
use crate::document::{Level, PlannerId, Selection};
use crate::geometry::{Ray, Rect};
use crate::jobs::{Display, JobContext, JobRunner, Memo, Settled, Stopped, Superseded};
use crate::nav::Needs;
use crate::planner::PlannedLevel;
use crate::planner::missions::{self, AgentPlan, Plans};
use crate::planner::trace::TraceStep;
use crate::preview::crowd::{ColourBy, CrowdView, HeatSet, Picked, Trail};
use crate::preview::following::{follows_route, nearest_time};
use crate::sim::acting;
use crate::sim::comparison::alternatives;
use crate::sim::measures::RunPlots;
use crate::sim::walked::{Walked, trails};
use crate::sim::wlrec::Run;
use crate::sim::world::AgentIndex;
use crate::sim::{
    Acting, AgentPose, Alternative, Clock, Curves, LegTime, LiveAgents, Moment, Playback,
    Recording, RunDigest,
};
use glam::{DVec2, DVec3};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Planners that are played side by side: both methods of moving in a corridor.
pub const SIDE_BY_SIDE: [PlannerId; 2] = [PlannerId::CORRIDOR_ORIGINAL, PlannerId::CORRIDOR];

/// Half the height of a body and how near a ray must pass it, to pick it in space. Unit: metres.
const HALF_BODY: f64 = 0.85;
const BODY_REACH: f64 = 0.35;

/// How long trails are, and how far apart their points. Unit: seconds.
const TRAIL_SECS: f64 = 6.0;
const TRAIL_STEP: f64 = 0.5;

/// A run that goes on is mapped again once it is so many times as long.
const WORTH_MAPPING: f64 = 1.25;

/// While an agent waits, there is always so much more to play. Unit: seconds.
const WAIT: f64 = 1.0;

/// Where an agent of a run is, second by second.
type Track = Arc<Vec<(f64, DVec3)>>;

/// The trails of a run at a time.
type TrailsAt = (ByAddress<Run>, f64, Arc<Vec<Trail>>);

/// What is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// Agents and crowds that avoid each other.
    #[default]
    Simulation,
    /// Each agent alone on its planned path.
    Plans,
}

#[derive(Debug)]
pub struct Player {
    pub clock: Clock,
    pub source: Source,
    /// Runs of agents and crowds.
    pub simulation: Simulation,
    /// The moment shown last, and of what it is.
    shown_moment: RefCell<Option<(MomentOf, Arc<Moment>)>>,
    /// Plays the selected agent alone.
    pub only_selected: bool,
    /// The view follows the selected agent.
    pub follow: bool,
    /// Both corridor methods for the selected agent.
    pub side_by_side: bool,
    /// The simulated agent that is looked at.
    pub picked: Option<AgentIndex>,
    /// What colours of people stand for.
    pub colour_by: ColourBy,
    /// Shows where people have just been.
    pub shows_trails: bool,
    /// Agents that have arrived are not shown.
    pub hides_arrived: bool,
    walked: Memo<ByAddress<Run>, Arc<Walked>>,
    track: Memo<(ByAddress<Run>, AgentIndex), Track>,
    /// Walls and model of the run; `None` within for films.
    acting_stage: Memo<ByAddress<Run>, Arc<Option<acting::Stage>>>,
    /// Trails at the moment shown last.
    shown_trails: RefCell<Option<TrailsAt>>,
    /// The panel was drawn in this frame.
    pub drawn: Cell<bool>,
    pub(super) in_sight: bool,
    recorded: Memo<RecordedFrom, Arc<Recorded>>,
    compared: Memo<Compared, Arc<Vec<Alternative>>>,
    curves: Memo<CurvesOf, Vec<(Option<usize>, Curves)>>,
    digest: Memo<ByAddress<Run>, Arc<RunDigest>>,
    heat: Memo<ByAddress<Run>, Arc<HeatSet>>,
    plots: Memo<PlotsOf, Arc<RunPlots>>,
    ghost_plots: Memo<PlotsOf, Arc<RunPlots>>,
    /// The plots were drawn in this frame.
    pub plots_drawn: Cell<bool>,
    /// When time was last let pass, by the window's clock.
    pub(super) at: Option<f64>,
    /// The key that plays is down. With the pointer it moves the view instead, so it plays when it
    /// is let go.
    armed: Option<egui::Key>,
}

/// What is played.
#[derive(Debug)]
struct Recorded {
    plans: Arc<Plans>,
    recording: Arc<Recording>,
    /// Agents that got round things that moved while they were played, and the plans of all since then.
    live: LiveAgents,
    live_plans: Option<Arc<Plans>>,
}

/// A run, and the level whose measuring lines and areas count.
type PlotsOf = (ByAddress<Run>, ByAddress<Level>);

/// What a moment is of.
#[derive(Clone, Debug, PartialEq)]
struct MomentOf {
    /// Unit: seconds.
    time: f64,
    only: Option<EntityId>,
    recordings: Vec<(Option<usize>, ByAddress<Recording>)>,
}

#[derive(Clone, Debug, PartialEq)]
struct RecordedFrom {
    plans: ByAddress<Plans>,
    start: Start,
}

/// Where agents are when what is planned changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// At the start of their missions.
    Mission,
    /// Under way: those that can get round what has moved.
    UnderWay,
}

/// An agent's mission by both methods.
#[derive(Clone, Debug, PartialEq)]
struct Compared {
    agent: EntityId,
    planned: ByAddress<PlannedLevel>,
}

#[derive(Clone, Debug, PartialEq)]
struct CurvesOf {
    agent: EntityId,
    planned: ByAddress<PlannedLevel>,
    recordings: Vec<(Option<usize>, ByAddress<Recording>)>,
}

impl Default for Player {
    fn default() -> Self {
        // Under a drag a value one behind is better than none, and agents under way must not miss a move.
        let finish = Superseded::FINISH;
        Self {
            clock: Clock::default(),
            source: Source::default(),
            simulation: Simulation::default(),
            shown_moment: RefCell::default(),
            only_selected: false,
            follow: false,
            side_by_side: false,
            drawn: Cell::new(false),
            in_sight: false,
            recorded: Memo::new("Recording agents", Display::Quiet, finish),
            compared: Memo::new("Planning with both methods", Display::Quiet, finish),
            curves: Memo::new("Measuring paths", Display::Quiet, finish),
            digest: Memo::new("Reading the run", Display::Quiet, finish),
            heat: Memo::new("Mapping the run", Display::Shown, finish),
            plots: Memo::new("Plotting the run", Display::Quiet, finish),
            ghost_plots: Memo::new("Plotting the ghost", Display::Quiet, finish),
            plots_drawn: Cell::new(false),
            picked: None,
            colour_by: ColourBy::default(),
            shows_trails: false,
            hides_arrived: false,
            walked: Memo::new("Measuring distances walked", Display::Quiet, finish),
            track: Memo::new("Reading a track", Display::Quiet, finish),
            acting_stage: Memo::new("Finding what acts", Display::Quiet, finish),
            shown_trails: RefCell::default(),
            at: None,
            armed: None,
        }
    }
}

impl Player {
    /// Void for another level; how it plays stays.
    pub(super) fn forget(&mut self) {
        self.clock.reset();
        self.simulation.forget();
        *self = Self {
            clock: self.clock,
            source: self.source,
            colour_by: self.colour_by,
            shows_trails: self.shows_trails,
            hides_arrived: self.hides_arrived,
            simulation: std::mem::take(&mut self.simulation),
            only_selected: self.only_selected,
            follow: self.follow,
            side_by_side: self.side_by_side,
            ..Self::default()
        };
    }

    /// What is played; `None` before anything is simulated or planned.
    #[must_use]
    pub fn recording(&self) -> Option<&Arc<Recording>> {
        match self.source {
            Source::Simulation => self.simulation.recording(),
            Source::Plans => Some(&self.recorded.value()?.recording),
        }
    }

    /// The simulated run that is played.
    #[must_use]
    pub fn run(&self) -> Option<&Arc<Run>> {
        self.recording()?.run()
    }

    /// The plans of all agents, while some of those that are shown got round things that moved since they set
    /// out.
    #[must_use]
    pub fn live_plans(&self) -> Option<&Arc<Plans>> {
        let is_played = self.is_shown() && self.source == Source::Plans;
        let recorded = self.recorded.value().filter(|_| is_played);
        recorded?.live_plans.as_ref()
    }

    /// An agent stands before something and has no way around it.
    #[must_use]
    pub fn is_any_waiting(&self) -> bool {
        let recorded = self.recorded.value();
        let recorded = recorded.filter(|_| self.source == Source::Plans);
        recorded.is_some_and(|recorded| recorded.live.is_any_waiting())
    }

    /// The run that is played, at a glance; while it goes on, of a moment ago.
    #[must_use]
    pub fn digest(&self) -> Option<&Arc<RunDigest>> {
        self.run().and(self.digest.value())
    }

    /// Maps of the run that is played; while it goes on, of a moment ago.
    #[must_use]
    pub fn heat(&self) -> Option<&Arc<HeatSet>> {
        let is_played = self.source == Source::Simulation && self.is_shown();
        self.run().filter(|_| is_played).and(self.heat.value())
    }

    /// Keeps maps current while one of them is shown. Those of a run that goes on are made anew once there is
    /// notably more of it.
    pub(super) fn keep_heat(&mut self, bounds: Rect, is_wanted: bool, jobs: &JobRunner) {
        self.heat.poll();
        let run = self.run().filter(|_| is_wanted).map(ByAddress::of);
        let Some(run) = run else {
            return;
        };
        let known = self.heat.key().map_or(0.0, |known| known.duration());
        let grows = self.simulation.is_running() && run.duration() > known;
        if grows && known > 0.0 && run.duration() < known * WORTH_MAPPING {
            return;
        }
        let of = run.clone();
        self.heat.want(jobs, run, move |ctx| {
            Ok(Arc::new(HeatSet::of_run(&of, bounds, ctx)?))
        });
    }

    /// Curves of the run that is played, and of its ghost.
    #[must_use]
    pub fn plots(&self) -> Option<(&Arc<RunPlots>, Option<&Arc<RunPlots>>)> {
        let own = self.run().and(self.plots.value())?;
        let ghost = self.simulation.ghost().and(self.ghost_plots.value());
        Some((own, ghost))
    }

    /// Keeps curves current while they are in sight.
    pub(super) fn keep_plots(&mut self, level: &Arc<Level>, jobs: &JobRunner) {
        self.plots.poll();
        self.ghost_plots.poll();
        if !self.plots_drawn.take() {
            return;
        }
        let of = |run: &Arc<Run>| (ByAddress::of(run), ByAddress::of(level));
        let own = self.run().map(of);
        let ghost = self.simulation.ghost().map(|ghost| of(&ghost.run));
        for (memo, key) in [(&mut self.plots, own), (&mut self.ghost_plots, ghost)] {
            let Some(key) = key else {
                continue;
            };
            let (run, level) = key.clone();
            memo.want(jobs, key, move |ctx| {
                Ok(Arc::new(RunPlots::of_run(&run, &level, ctx)?))
            });
        }
    }

    /// How people are shown at this moment.
    #[must_use]
    pub fn crowd_view(&self) -> CrowdView {
        let mut view = CrowdView {
            by: self.colour_by,
            ..CrowdView::default()
        };
        let Some(run) = self.run().filter(|_| self.is_shown()) else {
            return view;
        };
        let time = self.time(None);
        view.walked = self.walked.value().cloned();
        view.trails = self.shows_trails.then(|| self.trails(run, time));
        view.ghost = self.simulation.ghost().map(|ghost| {
            let moment = Playback::of(Arc::clone(&ghost.recording)).moment(time);
            Arc::new(moment)
        });
        view.picked = self.picked.map(|index| Picked {
            index,
            trajectory: match self.track.key() {
                Some((_, known)) if *known == index => self.track.value().cloned(),
                _ => None,
            }
            .unwrap_or_default(),
            plan: run
                .plan_of(index, time)
                .map_or_else(Vec::new, |plan| plan.points),
            acting: self.acting(),
        });
        view
    }

    /// What draws and pushes the one that is looked at.
    #[must_use]
    pub fn acting(&self) -> Option<Acting> {
        let stage = self.acting_stage.value()?.as_ref().as_ref()?;
        stage.acting(self.run()?, self.picked?, self.time(None))
    }

    fn trails(&self, run: &Arc<Run>, time: f64) -> Arc<Vec<Trail>> {
        let mut shown = self.shown_trails.borrow_mut();
        let is_known = |(of, at, _): &&(ByAddress<Run>, f64, Arc<Vec<Trail>>)| {
            Arc::ptr_eq(of, run) && *at == time
        };
        if let Some((.., trails)) = shown.as_ref().filter(is_known) {
            return Arc::clone(trails);
        }
        let found = Arc::new(trails(run, time, TRAIL_SECS, TRAIL_STEP));
        *shown = Some((ByAddress::of(run), time, Arc::clone(&found)));
        found
    }

    /// Keeps what people are coloured by, and the trajectory of the one that is looked at.
    pub(super) fn keep_crowd_view(&mut self, jobs: &JobRunner) {
        self.walked.poll();
        self.track.poll();
        self.acting_stage.poll();
        let is_shown = self.is_shown();
        let Some(run) = self.run().filter(|_| is_shown).map(ByAddress::of) else {
            return;
        };
        if self.colour_by == ColourBy::Delay {
            let of = run.clone();
            let work = move |ctx: &JobContext| Ok(Arc::new(Walked::of_run(&of, ctx)?));
            self.walked.want(jobs, run.clone(), work);
        }
        if let Some(index) = self.picked {
            let of = run.clone();
            let work = move |_: &JobContext| Ok(Arc::new(of.path_of(index)));
            self.track.want(jobs, (run.clone(), index), work);
            let of = run.clone();
            let work = move |_: &JobContext| Ok(Arc::new(acting::Stage::of_run(&of)));
            self.acting_stage.want(jobs, run, work);
        }
    }

    /// The agent of the run nearest to a place at this moment, within some metres.
    #[must_use]
    pub fn nearest(&self, place: DVec2, reach: f64) -> Option<(AgentIndex, EntityId)> {
        let moment = self.moment(None)?;
        let distance = |shown: &AgentPose| shown.pose.point.truncate().distance(place);
        let near = moment
            .agents
            .iter()
            .filter(|shown| distance(shown) <= reach);
        let nearest = near.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        Some((nearest.index?, nearest.agent))
    }

    /// The first agent of the run that a ray meets at this moment.
    #[must_use]
    pub fn nearest_to_ray(&self, ray: &Ray) -> Option<(AgentIndex, EntityId)> {
        let moment = self.moment(None)?;
        let met = |shown: &AgentPose| {
            let middle = shown.pose.point + DVec3::Z * HALF_BODY;
            let direction = ray.direction.normalize_or_zero();
            let along = (middle - ray.origin).dot(direction);
            let off = ray.origin + direction * along - middle;
            let is_met = along > 0.0
                && off.truncate().length() < BODY_REACH
                && off.z.abs() < HALF_BODY + BODY_REACH;
            is_met.then_some(along)
        };
        let found = moment
            .agents
            .iter()
            .filter_map(|shown| Some((met(shown)?, shown)));
        let (_, first) = found.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((first.index?, first.agent))
    }

    /// Keeps the run at a glance current while the panel is in sight.
    pub(super) fn keep_digest(&mut self, jobs: &JobRunner) {
        self.digest.poll();
        let run = self.run().filter(|_| self.in_sight).map(ByAddress::of);
        if let Some(run) = run {
            let of = run.clone();
            self.digest
                .want(jobs, run, move |_| Ok(Arc::new(RunDigest::of(&of))));
        }
    }

    /// Agents are shown under way: the panel is in sight, or time passes.
    #[must_use]
    pub const fn is_shown(&self) -> bool {
        self.in_sight || self.clock.is_playing()
    }

    #[must_use]
    pub const fn is_in_sight(&self) -> bool {
        self.in_sight
    }

    /// What is played for a selection: both methods where these are compared, else the recording.
    #[must_use]
    pub fn playback(&self, selected: Option<EntityId>) -> Playback {
        let is_compared = self.side_by_side && self.source == Source::Plans;
        let only = selected.filter(|_| self.only_selected || is_compared);
        let playback = match (self.alternatives(selected), self.recording()) {
            (Some(alternatives), _) => {
                let found = alternatives.iter().enumerate();
                let found = found.filter_map(|(i, by)| Some((i, by.recording.clone().ok()?)));
                Playback::side_by_side(found)
            }
            (None, Some(recording)) => Playback::of(Arc::clone(recording)),
            (None, None) => Playback::default(),
        };
        playback.only(only).without_arrived(self.hides_arrived)
    }

    /// Until every agent that is played has arrived. Unit: seconds.
    #[must_use]
    pub fn duration(&self, selected: Option<EntityId>) -> f64 {
        let duration = self.playback(selected).duration();
        if self.clock.is_playing() && self.is_any_waiting() {
            // Time goes on for agents that wait.
            return duration.max(self.clock.time() + WAIT);
        }
        duration
    }

    /// The moment that is looked at. Where paths became shorter than the clock has come it is their end; the clock
    /// itself stays, for they may become longer again under the same drag. Unit: seconds.
    #[must_use]
    pub fn time(&self, selected: Option<EntityId>) -> f64 {
        self.clock.time().min(self.duration(selected))
    }

    /// What plan, space and pictures show of agents under way; `None` while nothing is played.
    #[must_use]
    pub fn moment(&self, selected: Option<EntityId>) -> Option<Arc<Moment>> {
        if !self.is_shown() {
            return None;
        }
        let playback = self.playback(selected);
        let recordings = playback.recordings();
        let of = MomentOf {
            time: self.time(selected),
            only: playback.only_agent(),
            recordings: recordings.map(|(i, r)| (i, ByAddress::of(r))).collect(),
        };
        if of.recordings.is_empty() {
            return None;
        }
        let mut shown = self.shown_moment.borrow_mut();
        if let Some((_, moment)) = shown.as_ref().filter(|(known, _)| *known == of) {
            return Some(Arc::clone(moment));
        }
        let moment = Arc::new(playback.moment(of.time));
        *shown = Some((of, Arc::clone(&moment)));
        Some(moment)
    }

    /// What moves the selected agent at this moment, where its planner leaves a trace; by both methods
    /// where both are played.
    #[must_use]
    pub fn trace_steps(&self, selected: Option<EntityId>) -> Vec<TraceStep> {
        let time = self.time(selected);
        let steps = |agent| self.playback(selected).trace_steps(agent, time);
        selected.map(steps).unwrap_or_default()
    }

    /// The selected agent's mission by both methods, while that is wanted and known.
    #[must_use]
    pub fn alternatives(&self, selected: Option<EntityId>) -> Option<&Arc<Vec<Alternative>>> {
        let is_wanted = self.side_by_side && self.source == Source::Plans;
        let agent = self.compared.key().filter(|_| is_wanted)?.agent;
        self.compared.value().filter(|_| selected == Some(agent))
    }

    /// Why both methods could not be planned at all.
    #[must_use]
    pub fn comparison_error(&self) -> Option<String> {
        self.compared.error().map(ToString::to_string)
    }

    /// Figures of what is played of an agent, each with its number in the series where methods are side by side.
    #[must_use]
    pub fn curves(&self, agent: EntityId) -> &[(Option<usize>, Curves)] {
        let is_shown = |of: &&CurvesOf| {
            let is_compared = of.recordings.iter().any(|(series, _)| series.is_some());
            of.agent == agent && is_compared == self.alternatives(Some(agent)).is_some()
        };
        let is_shown = self.curves.key().filter(is_shown).is_some();
        self.curves
            .value()
            .filter(|_| is_shown)
            .map_or(&[], Vec::as_slice)
    }

    /// The key that plays went down.
    pub(super) const fn arm(&mut self, key: egui::Key) {
        self.armed = Some(key);
    }

    /// The key that plays was pressed to move the view: it plays nothing.
    pub(super) const fn disarm(&mut self) {
        self.armed = None;
    }

    /// A key was let go: is it the one that plays, and shall it?
    pub(super) fn fires(&mut self, key: egui::Key) -> bool {
        self.armed.take_if(|armed| *armed == key).is_some()
    }

    /// Keeps what is played that of a bake. At the start of time agents set out on what is planned. Once they are
    /// under way, those that plan in cells get round what has moved from where they are; all others are where
    /// the new plan has them at that time.
    pub(super) fn keep_recorded(&mut self, planned: &Arc<PlannedLevel>, jobs: &JobRunner) {
        self.recorded.poll();
        let has_begun = self.clock.has_begun();
        let plans = ByAddress::of(&planned.plans);
        let known = self.recorded.key().filter(|key| key.plans == plans);
        let can_repair = || missions::needs(&planned.level).contains(Needs::VOXELS);
        let start = match known {
            Some(key) if has_begun => key.start,
            None if has_begun && self.recorded.value().is_some() && can_repair() => Start::UnderWay,
            _ => Start::Mission,
        };
        let settled = self.want_recorded(planned, start, jobs);
        if start == Start::UnderWay && matches!(settled, Some(Settled::Failed | Settled::Declined))
        {
            self.want_recorded(planned, Start::Mission, jobs);
        }
    }

    fn want_recorded(
        &mut self,
        planned: &Arc<PlannedLevel>,
        start: Start,
        jobs: &JobRunner,
    ) -> Option<Settled> {
        let before = self.recorded.value().cloned();
        let before = before.filter(|_| start == Start::UnderWay);
        let (planned, time) = (Arc::clone(planned), self.clock.time());
        let key = RecordedFrom {
            plans: ByAddress::of(&planned.plans),
            start,
        };
        self.recorded.want(jobs, key, move |ctx| match before {
            Some(before) => before.repaired(&planned, time, ctx),
            None => Ok(Arc::new(Recorded::of_plans(&planned))),
        })
    }

    /// Keeps the selected agent's alternatives current while they are wanted.
    pub(super) fn keep_compared(
        &mut self,
        selected: Option<EntityId>,
        planned: &Arc<PlannedLevel>,
        jobs: &JobRunner,
    ) {
        self.compared.poll();
        let Some(agent) = selected.filter(|_| self.side_by_side && self.source == Source::Plans)
        else {
            return;
        };
        let planned = Arc::clone(planned);
        let key = Compared {
            agent,
            planned: ByAddress::of(&planned),
        };
        self.compared.want(jobs, key, move |ctx| {
            Ok(Arc::new(alternatives(&planned, agent, &SIDE_BY_SIDE, ctx)?))
        });
    }

    /// Keeps the figures of the selected agent current while the panel is in sight.
    pub(super) fn keep_curves(
        &mut self,
        selected: Option<EntityId>,
        planned: &Arc<PlannedLevel>,
        jobs: &JobRunner,
    ) {
        self.curves.poll();
        let Some(agent) = selected.filter(|_| self.in_sight) else {
            return;
        };
        let playback = self.playback(selected);
        let recordings = playback.recordings();
        let recordings = recordings.map(|(series, recording)| (series, ByAddress::of(recording)));
        let planned = Arc::clone(planned);
        let key = CurvesOf {
            agent,
            planned: ByAddress::of(&planned),
            recordings: recordings.collect(),
        };
        self.curves.want(jobs, key, move |ctx| {
            let mission = planned.level.get(agent).and_then(|entity| entity.mission());
            let space = mission.and_then(|mission| planned.space_of(mission.profile));
            let mut all = Vec::new();
            for (series, recording) in playback.recordings() {
                ctx.checkpoint()?;
                let curves = recording.trajectory(agent);
                let curves = curves.map(|t| Curves::of(t, space.map(|space| &*space.free)));
                all.extend(curves.map(|curves| (series, curves)));
            }
            Ok(all)
        });
    }
}

impl Recorded {
    fn of_plans(planned: &PlannedLevel) -> Self {
        Self {
            plans: Arc::clone(&planned.plans),
            recording: Arc::new(Recording::of_plans(&planned.level, &planned.plans)),
            live: LiveAgents::default(),
            live_plans: None,
        }
    }

    /// What becomes of it once things have moved, so many seconds after the agents set out.
    fn repaired(
        &self,
        planned: &PlannedLevel,
        time: f64,
        ctx: &JobContext,
    ) -> Result<Arc<Self>, Stopped> {
        let live = self
            .live
            .repair(&self.recording, &self.plans, planned, time, ctx)?;
        Ok(Arc::new(Self {
            plans: Arc::clone(&planned.plans),
            recording: Arc::new(live.recording(planned)),
            live_plans: (!live.is_empty()).then(|| Arc::new(live.plans(&planned.plans))),
            live,
        }))
    }
}

/// The leg and the time on it where a path is nearest to a place, if that is within reach.
fn nearest_leg(plan: &AgentPlan, place: DVec2, reach: f64) -> Option<LegTime> {
    plan.paths()
        .enumerate()
        .filter_map(|(leg, path)| {
            let (secs, distance) = nearest_time(path, place)?;
            (distance <= reach).then_some((LegTime { leg, secs }, distance))
        })
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(at, _)| at)
}

impl Navigation {
    /// The time at which overlays show the selected agent that follows a route: that of the player, or at rest
    /// that of the place nearest to the pointer, or else its start. `reach` is how near to its path the pointer
    /// must be. Unit: metres.
    #[must_use]
    pub fn following_at(
        &self,
        selection: &Selection,
        pointer: Option<DVec2>,
        reach: f64,
    ) -> Option<(EntityId, LegTime)> {
        let plans = &self.baked()?.plans;
        let (agent, plan) = selection
            .iter()
            .filter_map(|id| Some((id, plans.get(&id)?)))
            .find(|(_, plan)| plan.paths().any(follows_route))?;
        let player = &self.player;
        let is_played = player.is_shown() && player.clock.has_begun();
        let at = match player.recording().filter(|_| is_played) {
            Some(recording) => recording.leg_at(agent, player.time(Some(agent))),
            None => pointer
                .and_then(|place| nearest_leg(plan, place, reach))
                .unwrap_or_default(),
        };
        Some((agent, at))
    }
}

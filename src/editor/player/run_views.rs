//! What is shown of a run beside where everyone is: figures, maps, curves, trails, and the one that is looked at.

use super::{Player, Source};
use crate::base::{ByAddress, EntityId};
use crate::document::Level;
use crate::geometry::{Ray, Rect};
use crate::jobs::{Display, JobContext, JobRunner, Memo, Superseded};
use crate::preview::crowd::{ColourBy, CrowdView, HeatSet, Picked, Trail};
use crate::sim::acting;
use crate::sim::measures::RunPlots;
use crate::sim::walked::{Walked, trails};
use crate::sim::wlrec::Run;
use crate::sim::world::AgentIndex;
use crate::sim::{Acting, AgentPose, Playback, RunDigest};
use glam::{DVec2, DVec3};
use std::cell::RefCell;
use std::sync::Arc;

/// Half the height of a body and how near a ray must pass it, to pick it in space. Unit: metres.
const HALF_BODY: f64 = 0.85;
const BODY_REACH: f64 = 0.35;

/// How long trails are, and how far apart their points. Unit: seconds.
const TRAIL_SECS: f64 = 6.0;
const TRAIL_STEP: f64 = 0.5;

/// A run that goes on is mapped again once it is so many times as long.
const WORTH_MAPPING: f64 = 1.25;

/// Where an agent of a run is, second by second.
type Track = Arc<Vec<(f64, DVec3)>>;

/// The trails of a run at a time.
type TrailsAt = (ByAddress<Run>, f64, Arc<Vec<Trail>>);

/// A run, and the level whose measuring lines and areas count.
type PlotsOf = (ByAddress<Run>, ByAddress<Level>);

/// Each is kept current while it is in sight.
#[derive(Debug)]
pub(super) struct RunViews {
    walked: Memo<ByAddress<Run>, Arc<Walked>>,
    track: Memo<(ByAddress<Run>, AgentIndex), Track>,
    /// Walls and model of the run; `None` within for films.
    acting_stage: Memo<ByAddress<Run>, Arc<Option<acting::Stage>>>,
    /// Trails at the moment shown last.
    shown_trails: RefCell<Option<TrailsAt>>,
    digest: Memo<ByAddress<Run>, Arc<RunDigest>>,
    heat: Memo<ByAddress<Run>, Arc<HeatSet>>,
    plots: Memo<PlotsOf, Arc<RunPlots>>,
    ghost_plots: Memo<PlotsOf, Arc<RunPlots>>,
}

impl Default for RunViews {
    fn default() -> Self {
        let finish = Superseded::FINISH;
        Self {
            walked: Memo::new("Measuring distances walked", Display::Quiet, finish),
            track: Memo::new("Reading a track", Display::Quiet, finish),
            acting_stage: Memo::new("Finding what acts", Display::Quiet, finish),
            shown_trails: RefCell::default(),
            digest: Memo::new("Reading the run", Display::Quiet, finish),
            heat: Memo::new("Mapping the run", Display::Shown, finish),
            plots: Memo::new("Plotting the run", Display::Quiet, finish),
            ghost_plots: Memo::new("Plotting the ghost", Display::Quiet, finish),
        }
    }
}

impl Player {
    /// The run that is played, at a glance; while it goes on, of a moment ago.
    #[must_use]
    pub fn digest(&self) -> Option<&Arc<RunDigest>> {
        self.run().and(self.views.digest.value())
    }

    /// Maps of the run that is played; while it goes on, of a moment ago.
    #[must_use]
    pub fn heat(&self) -> Option<&Arc<HeatSet>> {
        let is_played = self.source == Source::Simulation && self.is_shown();
        self.run()
            .filter(|_| is_played)
            .and(self.views.heat.value())
    }

    /// Keeps maps current while one of them is shown. Those of a run that goes on are made anew once there is
    /// notably more of it.
    pub(in crate::editor) fn keep_heat(&mut self, bounds: Rect, is_wanted: bool, jobs: &JobRunner) {
        self.views.heat.poll();
        let run = self.run().filter(|_| is_wanted).map(ByAddress::of);
        let Some(run) = run else {
            return;
        };
        let known = self.views.heat.key().map_or(0.0, |known| known.duration());
        let grows = self.simulation.is_running() && run.duration() > known;
        if grows && known > 0.0 && run.duration() < known * WORTH_MAPPING {
            return;
        }
        let of = run.clone();
        self.views.heat.want(jobs, run, move |ctx| {
            Ok(Arc::new(HeatSet::of_run(&of, bounds, ctx)?))
        });
    }

    /// Curves of the run that is played, and of its ghost.
    #[must_use]
    pub fn plots(&self) -> Option<(&Arc<RunPlots>, Option<&Arc<RunPlots>>)> {
        let own = self.run().and(self.views.plots.value())?;
        let ghost = self.simulation.ghost().and(self.views.ghost_plots.value());
        Some((own, ghost))
    }

    /// Keeps curves current while they are in sight.
    pub(in crate::editor) fn keep_plots(&mut self, level: &Arc<Level>, jobs: &JobRunner) {
        self.views.plots.poll();
        self.views.ghost_plots.poll();
        if !self.plots_drawn.take() {
            return;
        }
        let of = |run: &Arc<Run>| (ByAddress::of(run), ByAddress::of(level));
        let own = self.run().map(of);
        let ghost = self.simulation.ghost().map(|ghost| of(&ghost.run));
        for (memo, key) in [
            (&mut self.views.plots, own),
            (&mut self.views.ghost_plots, ghost),
        ] {
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
        view.walked = self.views.walked.value().cloned();
        view.trails = self.shows_trails.then(|| self.trails(run, time));
        view.ghost = self.simulation.ghost().map(|ghost| {
            let moment = Playback::of(Arc::clone(&ghost.recording)).moment(time);
            Arc::new(moment)
        });
        view.picked = self.picked.map(|index| Picked {
            index,
            trajectory: match self.views.track.key() {
                Some((_, known)) if *known == index => self.views.track.value().cloned(),
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
        let stage = self.views.acting_stage.value()?.as_ref().as_ref()?;
        stage.acting(self.run()?, self.picked?, self.time(None))
    }

    fn trails(&self, run: &Arc<Run>, time: f64) -> Arc<Vec<Trail>> {
        let mut shown = self.views.shown_trails.borrow_mut();
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
    pub(in crate::editor) fn keep_crowd_view(&mut self, jobs: &JobRunner) {
        self.views.walked.poll();
        self.views.track.poll();
        self.views.acting_stage.poll();
        let is_shown = self.is_shown();
        let Some(run) = self.run().filter(|_| is_shown).map(ByAddress::of) else {
            return;
        };
        if self.colour_by == ColourBy::Delay {
            let of = run.clone();
            let work = move |ctx: &JobContext| Ok(Arc::new(Walked::of_run(&of, ctx)?));
            self.views.walked.want(jobs, run.clone(), work);
        }
        if let Some(index) = self.picked {
            let of = run.clone();
            let work = move |_: &JobContext| Ok(Arc::new(of.path_of(index)));
            self.views.track.want(jobs, (run.clone(), index), work);
            let of = run.clone();
            let work = move |_: &JobContext| Ok(Arc::new(acting::Stage::of_run(&of)));
            self.views.acting_stage.want(jobs, run, work);
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
    pub(in crate::editor) fn keep_digest(&mut self, jobs: &JobRunner) {
        self.views.digest.poll();
        let run = self.run().filter(|_| self.in_sight).map(ByAddress::of);
        if let Some(run) = run {
            let of = run.clone();
            self.views
                .digest
                .want(jobs, run, move |_| Ok(Arc::new(RunDigest::of(&of))));
        }
    }
}

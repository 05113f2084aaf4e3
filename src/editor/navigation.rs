//! Navigation while one draws: bakes beside the window, and keeps the last result in sight.
//!
//! Never part of history. A drag in progress is baked as it is previewed, so that paths follow
//! the pointer; one bake runs at a time, and always on the newest state.

use super::Editor;
use super::corridor_view::CorridorView;
use super::notice::Notice;
use super::playback::Playback;
use super::shared_commons::SharedCommons;
use super::voxel_view::VoxelView;
use super::work::{Display, TaskId};
use crate::base::EntityId;
use crate::document::{Document, Kind, Level, Selection};
use crate::jobs::{Cancelled, JobError};
use crate::nav::NavSpace;
use crate::nav::trapezoid::Effort;
pub use crate::planner::baked::Baked;
use crate::planner::bench::Method;
use crate::planner::bench::{Bench, NoBench};
use crate::planner::missions::{AgentPlan, Plans};
use crate::planner::{SearchView, Slopes};
use crate::preview::{Layer, Layers};
use glam::DVec2;
use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is out of date for less than this is not marked: it would only flicker under a drag.
const STALE_AFTER: Duration = Duration::from_millis(300);
/// A bake that has run this long on a state that is gone is given up for the new one.
const GIVE_UP_AFTER: Duration = Duration::from_millis(1500);

/// For so long at most a map that somebody looks at comes before the bake once something is let go
/// of: it shows paths already, from under the drag.
const HEAD_START: Duration = Duration::from_millis(150);

/// What the status bar says of the bake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Of the level as it is.
    Fresh,
    /// A newer state is being baked.
    Building,
    /// Out of date, and nothing is on the way: it was cancelled.
    Stale,
}

/// What navigation shows and knows.
#[derive(Debug)]
pub struct Navigation {
    pub baked: Option<Arc<Baked>>,
    /// The last bake of a state that was not a preview: a drag that is given up leads back to it.
    settled: Option<Arc<Baked>>,
    /// What the bench shows: the last comparison for the agent that it is drawn for.
    pub benched: Option<Benched>,
    comparing: Option<Comparing>,
    running: Option<Running>,
    /// What bakes and maps of the newest state that somebody worked on share.
    commons: Option<Arc<SharedCommons>>,
    /// Bake again although nothing changed.
    forced: bool,
    /// The user cancelled the bake of this state: it is not begun again by itself.
    declined: Option<Arc<Level>>,
    /// Whether anything is shown at all.
    pub visible: bool,
    /// How paths shall go on uneven ground.
    slopes: Slopes,
    /// Which structures are shown.
    pub layers: Layers,
    /// Paths of all agents, or only of those that are selected.
    pub all_paths: bool,
    /// Seconds since everybody set out, while that is played.
    pub played: Option<f64>,
    /// The planner whose answer is picked out on the bench.
    pub compared: Option<Method>,
    /// For whom the bench is drawn in this frame; set by the panel.
    pub bench_wanted: Cell<Option<EntityId>>,
    /// A search that is taken step by step, as it stands.
    pub search: Option<Arc<SearchView>>,
    out_of_date_since: Option<Instant>,
    /// The corridor map and what is shown of it.
    pub corridors: CorridorView,
    /// What bodies make of the level in cells.
    pub voxels: VoxelView,
    /// Agents on their ways.
    pub playback: Playback,
}

/// All planners on one agent's way.
#[derive(Clone, Debug)]
pub struct Benched {
    pub agent: EntityId,
    /// What they planned on.
    pub baked: Arc<Baked>,
    pub outcome: Result<Arc<Bench>, NoBench>,
}

#[derive(Debug)]
struct Comparing {
    task: TaskId,
    agent: EntityId,
    baked: Arc<Baked>,
}

#[derive(Debug)]
struct Running {
    task: TaskId,
    level: Arc<Level>,
    since: Instant,
}

impl Default for Navigation {
    fn default() -> Self {
        Self {
            baked: None,
            settled: None,
            benched: None,
            comparing: None,
            running: None,
            commons: None,
            forced: false,
            declined: None,
            visible: true,
            slopes: Slopes::default(),
            layers: [Layer::Paths, Layer::Search, Layer::Skipped]
                .into_iter()
                .collect(),
            all_paths: true,
            played: None,
            compared: None,
            bench_wanted: Cell::new(None),
            search: None,
            out_of_date_since: None,
            corridors: CorridorView::default(),
            voxels: VoxelView::default(),
            playback: Playback::default(),
        }
    }
}

/// Gives back the memory of an old bake beside the window: with many obstacles it takes longer
/// than a frame has.
fn let_go(old: Option<Arc<Baked>>) {
    if let Some(old) = old {
        rayon::spawn(move || drop(old));
    }
}

/// While something is dragged, less will do.
pub(super) fn effort_for(document: &Document) -> Effort {
    if document.in_transaction() {
        Effort::Live
    } else {
        Effort::Final
    }
}

impl Navigation {
    /// Void for another level; what is switched on stays on.
    pub(super) fn forget(&mut self) {
        self.corridors.forget();
        self.voxels.forget();
        self.playback.forget();
        *self = Self {
            visible: self.visible,
            slopes: self.slopes,
            layers: self.layers,
            all_paths: self.all_paths,
            corridors: std::mem::take(&mut self.corridors),
            voxels: std::mem::take(&mut self.voxels),
            playback: std::mem::take(&mut self.playback),
            ..Self::default()
        };
    }

    #[must_use]
    pub fn freshness(&self, document: &Document) -> Freshness {
        let level = document.level();
        let is_kept = |baked: &Baked| {
            baked.slopes == self.slopes
                && baked
                    .bundle
                    .commons()
                    .voxel_options()
                    .agrees_with(&self.voxels.options)
                && (baked.effort == Effort::Final || document.in_transaction())
        };
        let fits = |baked: &Arc<Baked>| Arc::ptr_eq(&baked.level, level) && is_kept(baked);
        match &self.baked {
            Some(baked) if fits(baked) && !self.forced => Freshness::Fresh,
            _ if self
                .declined
                .as_ref()
                .is_some_and(|declined| Arc::ptr_eq(declined, level)) =>
            {
                Freshness::Stale
            }
            _ => Freshness::Building,
        }
    }

    /// What is shown has been out of date for so long that it must be marked.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.out_of_date_since
            .is_some_and(|since| since.elapsed() > STALE_AFTER)
    }

    /// What to paint with a level: what was baked last, but after a drag that was given up in
    /// this very frame what was baked before it.
    #[must_use]
    pub fn baked_for(&self, level: &Arc<Level>) -> Option<&Arc<Baked>> {
        let settled = self.settled.as_ref();
        settled
            .filter(|settled| Arc::ptr_eq(&settled.level, level))
            .or(self.baked.as_ref())
    }

    /// The bake that is under way.
    #[must_use]
    pub fn task(&self) -> Option<TaskId> {
        self.running.as_ref().map(|running| running.task)
    }

    /// The comparison that is shown.
    #[must_use]
    pub fn bench(&self) -> Option<&Arc<Bench>> {
        self.benched.as_ref()?.outcome.as_ref().ok()
    }

    /// Whether what the bench shows is of the level as it is.
    #[must_use]
    pub fn bench_is_fresh(&self, document: &Document) -> bool {
        let newest = |benched: &Benched| {
            let baked = self.baked.as_ref();
            baked.is_some_and(|baked| Arc::ptr_eq(baked, &benched.baked))
        };
        self.benched.as_ref().is_some_and(newest) && self.freshness(document) != Freshness::Building
    }

    #[must_use]
    pub fn plan_of(&self, agent: EntityId) -> Option<&Arc<AgentPlan>> {
        self.plans_of(self.baked.as_ref()?).get(&agent)
    }

    /// The ways of a bake; of agents that are under way while things move, as they have become.
    #[must_use]
    pub fn plans_of<'a>(&'a self, baked: &'a Arc<Baked>) -> &'a Arc<Plans> {
        self.playback.walked().unwrap_or(&baked.plans)
    }

    /// The space that overlays and the probe show: of the selected agent, else the smallest.
    #[must_use]
    pub fn shown_space(&self, selection: &Selection) -> Option<&Arc<NavSpace>> {
        let baked = self.baked.as_ref()?;
        let profile = |id: EntityId| match &baked.level.get(id)?.kind {
            Kind::Agent(agent) => Some(agent.mission.profile),
            Kind::Crowd(crowd) => Some(crowd.mission.profile),
            Kind::Profile(_) => Some(id),
            _ => None,
        };
        selection
            .iter()
            .find_map(profile)
            .and_then(|profile| baked.space_of(profile))
            .or_else(|| baked.bundle.spaces().next())
    }

    /// What is at a place, in a few words; `None` while nothing is shown.
    #[must_use]
    pub fn probe(&self, selection: &Selection, at: DVec2) -> Option<Probe> {
        if !self.visible {
            return None;
        }
        let space = self.shown_space(selection)?;
        // While something is dragged, spaces last for a frame: too short to be read, and what
        // finds a place in them would have to be made here.
        if space.effort == Effort::Live {
            return None;
        }
        let cell = space.merged.locate(at);
        Some(Probe {
            radius: space.radius,
            cell: cell.map(|cell| cell.0),
            component: cell.map(|cell| space.merged.component(cell)),
            clearance: space.free.clearance(at),
        })
    }

    /// What all who work on a state share.
    pub(super) fn commons_of(&mut self, level: &Arc<Level>, effort: Effort) -> Arc<SharedCommons> {
        let options = &self.voxels.options;
        if let Some(commons) = &self.commons
            && commons.is_for(level, options, effort)
        {
            return Arc::clone(commons);
        }
        let known = [&self.settled, &self.baked].into_iter().flatten();
        let known = known
            .map(|baked| SharedCommons::of_baked(baked))
            .find(|known| known.is_for(level, options, effort));
        let commons = known.unwrap_or_else(|| {
            let last = self.commons.as_ref().and_then(|commons| commons.made());
            let baked = self.baked.as_ref().map(|baked| baked.bundle.commons());
            let before = last.or(baked).cloned();
            SharedCommons::new(Arc::clone(level), Arc::clone(options), effort, before)
        });
        Arc::clone(self.commons.insert(Arc::new(commons)))
    }

    pub(super) fn force(&mut self) {
        self.forced = true;
        self.declined = None;
    }
}

/// What a place on the plan is to those who walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    pub radius: f64,
    pub cell: Option<u32>,
    pub component: Option<u32>,
    /// To what is drawn, not to its grown outline. Unit: metres.
    pub clearance: f64,
}

impl Editor {
    /// Bakes the newest state and compares planners on it, unless that is done or under way.
    pub(super) fn keep_navigation_current(&mut self, ctx: &egui::Context) {
        if !self.state.level_is_open() {
            return;
        }
        let bench_for = self.state.navigation.bench_wanted.take();
        self.keep_corridors_current(ctx);
        self.keep_baked(ctx);
        self.keep_voxels_current(ctx);
        self.keep_playback_current(ctx);
        match bench_for {
            Some(agent) => self.keep_benched(ctx, agent),
            None => self.leave_bench(),
        }
    }

    fn keep_baked(&mut self, ctx: &egui::Context) {
        let level = Arc::clone(self.state.document().level());
        let effort = effort_for(self.state.document());
        let slopes = self.state.preferences.slopes;
        let navigation = &mut self.state.navigation;
        if navigation.slopes != slopes {
            navigation.slopes = slopes;
            navigation.declined = None;
        }
        let voxels = Arc::clone(&navigation.voxels.options);
        let fits = |baked: &Arc<Baked>| {
            Arc::ptr_eq(&baked.level, &level)
                && baked.effort >= effort
                && baked.slopes == slopes
                && baked.bundle.commons().voxel_options().agrees_with(&voxels)
        };
        if navigation.baked.as_ref().is_some_and(fits) && !navigation.forced {
            navigation.out_of_date_since = None;
            return;
        }
        let settled = navigation.settled.clone().filter(fits);
        if let Some(settled) = settled.filter(|_| !navigation.forced) {
            navigation.baked = Some(settled);
            navigation.out_of_date_since = None;
            let running = navigation.running.take();
            self.state.gather_problems();
            if let Some(running) = running {
                self.work.cancel(running.task);
            }
            ctx.request_repaint();
            return;
        }
        if navigation.out_of_date_since.is_none() {
            navigation.out_of_date_since = Some(Instant::now());
            ctx.request_repaint_after(STALE_AFTER + Duration::from_millis(20));
        }
        if let Some(running) = &navigation.running {
            // Under a drag every state is gone in a moment: a result that is one behind is better
            // than none.
            let given_up = !Arc::ptr_eq(&running.level, &level)
                && effort == Effort::Final
                && running.since.elapsed() > GIVE_UP_AFTER;
            if !given_up {
                return;
            }
            let task = running.task;
            navigation.running = None;
            self.work.cancel(task);
        }
        let navigation = &mut self.state.navigation;
        if navigation
            .declined
            .as_ref()
            .is_some_and(|declined| Arc::ptr_eq(declined, &level))
        {
            return;
        }
        let before = navigation.baked.clone().filter(|_| !navigation.forced);
        let is_live = |before: &Arc<Baked>| before.effort == Effort::Live;
        let charting = navigation.corridors.charting_for(&level);
        if effort == Effort::Final
            && before.as_ref().is_some_and(is_live)
            && charting.is_some_and(|so_far| so_far < HEAD_START)
        {
            ctx.request_repaint_after(HEAD_START);
            return;
        }
        if navigation.forced {
            let options = Arc::clone(&voxels);
            let anew = SharedCommons::new(Arc::clone(&level), options, effort, None);
            navigation.commons = Some(Arc::new(anew));
        }
        navigation.forced = false;
        navigation.declined = None;
        let commons = navigation.commons_of(&level, effort);
        let asked = Arc::clone(&level);
        let task = self.work.start(
            ctx,
            "Baking navigation",
            // The chip in the status bar shows it.
            Display::Quiet,
            move |job| {
                let level = Arc::clone(commons.level());
                let common = Arc::clone(commons.get());
                Baked::bake_on(level, common, before.as_deref(), slopes, effort, job)
            },
            move |editor, outcome| editor.take_baked(&asked, outcome),
        );
        self.state.navigation.running = Some(Running {
            task,
            level,
            since: Instant::now(),
        });
    }

    fn take_baked(
        &mut self,
        asked: &Arc<Level>,
        outcome: Result<Result<Baked, Cancelled>, JobError>,
    ) {
        let navigation = &mut self.state.navigation;
        // Another level may have been opened, or a newer state may be on its way.
        let Some(running) = navigation
            .running
            .take_if(|running| Arc::ptr_eq(&running.level, asked))
        else {
            return;
        };
        match outcome {
            Ok(Ok(baked)) => {
                let baked = Arc::new(baked);
                if baked.effort == Effort::Final {
                    let old = navigation.settled.replace(Arc::clone(&baked));
                    let_go(old);
                }
                let_go(navigation.baked.replace(baked));
                // Under a drag each result is one state behind; it ages from now on.
                navigation.out_of_date_since = None;
                // Problems that come and go under the hand tell nothing.
                if !self.state.document().in_transaction() {
                    self.state.gather_problems();
                }
            }
            Ok(Err(Cancelled)) => navigation.declined = Some(running.level),
            Err(error) => {
                navigation.declined = Some(running.level);
                self.state.notify(Notice::error(format!(
                    "Navigation could not be baked: {error}."
                )));
            }
        }
    }

    /// Compares planners on what was baked last, whether that is of the newest state or not.
    fn keep_benched(&mut self, ctx: &egui::Context, agent: EntityId) {
        let navigation = &mut self.state.navigation;
        if let Some(other) = navigation.comparing.take_if(|other| other.agent != agent) {
            self.work.cancel(other.task);
        }
        let navigation = &mut self.state.navigation;
        navigation.benched.take_if(|other| other.agent != agent);
        let Some(baked) = navigation.baked.clone() else {
            return;
        };
        let is_done = |benched: &Benched| Arc::ptr_eq(&benched.baked, &baked);
        if navigation.comparing.is_some() || navigation.benched.as_ref().is_some_and(is_done) {
            return;
        }
        let asked = Arc::clone(&baked);
        let on = Arc::clone(&baked);
        let task = self.work.start(
            ctx,
            "Comparing planners",
            Display::Quiet,
            move |job| asked.compare(agent, job),
            move |editor, outcome| editor.take_benched(agent, on, outcome),
        );
        self.state.navigation.comparing = Some(Comparing { task, agent, baked });
    }

    fn take_benched(
        &mut self,
        agent: EntityId,
        baked: Arc<Baked>,
        outcome: Result<Result<Result<Bench, NoBench>, Cancelled>, JobError>,
    ) {
        let navigation = &mut self.state.navigation;
        // Another agent may have been chosen since.
        let asked = navigation
            .comparing
            .take_if(|asked| asked.agent == agent && Arc::ptr_eq(&asked.baked, &baked));
        let outcome = match outcome {
            _ if asked.is_none() => return,
            Ok(Ok(outcome)) => outcome.map(Arc::new),
            Ok(Err(Cancelled)) => return,
            Err(error) => Err(NoBench::Failed(error.to_string())),
        };
        navigation.benched = Some(Benched {
            agent,
            baked,
            outcome,
        });
    }

    /// What belongs to the bench goes with it.
    fn leave_bench(&mut self) {
        let navigation = &mut self.state.navigation;
        navigation.benched = None;
        navigation.search = None;
        if let Some(comparing) = navigation.comparing.take() {
            self.work.cancel(comparing.task);
        }
        self.panels.bench.close();
    }
}

//! What the window plays: a recording of what is planned, kept current beside the window, and the clock that it
//! is shown at.

mod planned;
mod run_views;

use super::simulating::Simulation;
use crate::base::{ByAddress, EntityId};
use crate::document::PlannerId;
use crate::planner::trace::TraceStep;
use crate::preview::crowd::ColourBy;
use crate::sim::wlrec::Run;
use crate::sim::world::AgentIndex;
use crate::sim::{Clock, Moment, Playback, Recording};
use planned::PlayedPlans;
use run_views::RunViews;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Planners that are played side by side: both methods of moving in a corridor.
pub const SIDE_BY_SIDE: [PlannerId; 2] = [PlannerId::CORRIDOR_ORIGINAL, PlannerId::CORRIDOR];

/// While an agent waits, there is always so much more to play. Unit: seconds.
const WAIT: f64 = 1.0;

/// What is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// Agents and crowds that avoid each other.
    #[default]
    Simulation,
    /// Each agent alone on its planned path.
    Plans,
}

#[derive(Debug, Default)]
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
    /// The panel was drawn in this frame.
    pub drawn: Cell<bool>,
    pub(super) in_sight: bool,
    planned: PlayedPlans,
    views: RunViews,
    /// The plots were drawn in this frame.
    pub plots_drawn: Cell<bool>,
    /// When time was last let pass, by the window's clock.
    pub(super) at: Option<f64>,
    /// The key that plays is down. With the pointer it moves the view instead, so it plays when it
    /// is let go.
    armed: Option<egui::Key>,
}

/// What a moment is of.
#[derive(Clone, Debug, PartialEq)]
struct MomentOf {
    /// Unit: seconds.
    time: f64,
    only: Option<EntityId>,
    recordings: Vec<(Option<usize>, ByAddress<Recording>)>,
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
            Source::Plans => self.planned.recording(),
        }
    }

    /// The simulated run that is played.
    #[must_use]
    pub fn run(&self) -> Option<&Arc<Run>> {
        self.recording()?.run()
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
}

//! Playing planned ways in the window: the playhead, whom it moves, and who is compared.

use super::Editor;
use super::docking::Pane;
use super::work::{Display, TaskId};
use crate::base::EntityId;
use crate::document::{KindName, PlannerKind};
use crate::jobs::{Cancelled, JobError};
use crate::planner::Baked;
use crate::planner::missions::{self, Plans};
use crate::planner::replay::{self, Alternative, Playhead, Replay};
use crate::planner::trace::TraceStep;
use crate::planner::underway::Underway;
use std::cell::Cell;
use std::sync::Arc;

/// Planners that are played side by side: both ways to walk a corridor.
pub const SIDE_BY_SIDE: [PlannerKind; 2] = [PlannerKind::CorridorOriginal, PlannerKind::Corridor];

/// Longer frames do not count in full: time does not jump after the window was busy. Unit:
/// seconds.
const LONGEST_FRAME: f64 = 0.25;

/// For so much longer there is something to be played while somebody waits. Unit: seconds.
const WAIT: f64 = 1.0;

/// What a panel or a key asks of the playback.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Play {
    Toggle,
    /// So many steps from here.
    Step(i32),
    /// So many seconds on, or back.
    Jump(f64),
    /// To this moment. Unit: seconds.
    Seek(f64),
    End,
    Speed(f64),
    Loop(bool),
    OnlySelected(bool),
    Follow(bool),
    SideBySide(bool),
}

#[derive(Debug, Default)]
pub struct Playback {
    pub head: Playhead,
    /// Plays the selected agent alone.
    pub only_selected: bool,
    /// The view follows the selected agent.
    pub follow: bool,
    /// Both corridor methods for the selected agent.
    pub side_by_side: bool,
    /// The panel was drawn in this frame.
    pub drawn: Cell<bool>,
    in_sight: bool,
    replay: Option<(Arc<Plans>, Arc<Replay>)>,
    /// Who got round things that moved while they were played, and the ways of all since then.
    underway: Underway,
    walked: Option<Arc<Plans>>,
    /// Somebody is about to get round something.
    rerouting: Option<TaskId>,
    compared: Option<Compared>,
    comparing: Option<(TaskId, EntityId, Arc<Baked>)>,
    /// When time was last let pass, by the window's clock.
    at: Option<f64>,
    /// The key that plays is down. With the pointer it moves the view instead, so it plays when it
    /// is let go.
    armed: Option<egui::Key>,
}

/// An agent's way by both methods.
#[derive(Clone, Debug)]
pub struct Compared {
    pub agent: EntityId,
    baked: Arc<Baked>,
    pub ways: Arc<Vec<Alternative>>,
}

impl Playback {
    /// Void for another level; how it plays stays.
    pub(super) fn forget(&mut self) {
        *self = Self {
            head: Playhead {
                time: 0.0,
                is_playing: false,
                ..self.head
            },
            only_selected: self.only_selected,
            follow: self.follow,
            side_by_side: self.side_by_side,
            ..Self::default()
        };
    }

    /// The ways that are played; `None` before anything is baked.
    #[must_use]
    pub fn replay(&self) -> Option<&Arc<Replay>> {
        self.replay.as_ref().map(|(_, replay)| replay)
    }

    /// The ways of all, while somebody got round things that moved since it set out.
    #[must_use]
    pub const fn walked(&self) -> Option<&Arc<Plans>> {
        self.walked.as_ref()
    }

    /// Somebody stands before something and has no way round.
    #[must_use]
    pub fn is_anyone_waiting(&self) -> bool {
        self.underway.is_anyone_waiting()
    }

    /// Agents are shown on their ways: the panel is in sight, or time passes.
    #[must_use]
    pub const fn is_shown(&self) -> bool {
        self.in_sight || self.head.is_playing
    }

    #[must_use]
    pub const fn is_in_sight(&self) -> bool {
        self.in_sight
    }

    /// Whose way is played alone.
    #[must_use]
    pub fn only(&self, selected: Option<EntityId>) -> Option<EntityId> {
        selected.filter(|_| self.only_selected || self.side_by_side)
    }

    /// Until everybody who is played has arrived. Unit: seconds.
    #[must_use]
    pub fn duration(&self, selected: Option<EntityId>) -> f64 {
        let only = self.only(selected);
        let compared = self.ways(selected).into_iter().flat_map(|ways| ways.iter());
        let tracks = compared.filter_map(|way| way.track.as_ref().ok());
        let mut planned = self.replay().map_or(0.0, |replay| replay.duration(only));
        if self.head.is_playing && self.is_anyone_waiting() {
            // Time goes on for those who wait.
            planned = planned.max(self.head.time + WAIT);
        }
        tracks.map(replay::Track::duration).fold(planned, f64::max)
    }

    /// The selected agent's way by both methods, while that is wanted and there.
    #[must_use]
    pub fn ways(&self, selected: Option<EntityId>) -> Option<&Arc<Vec<Alternative>>> {
        let compared = self.compared.as_ref().filter(|_| self.side_by_side)?;
        (selected == Some(compared.agent)).then_some(&compared.ways)
    }

    /// What the selected agent thinks at this moment, where its planner tells; by both methods
    /// where both are played.
    #[must_use]
    pub fn thoughts(&self, selected: Option<EntityId>) -> Vec<TraceStep> {
        let tracks: Vec<&replay::Track> = match self.ways(selected) {
            Some(ways) => ways.iter().filter_map(|w| w.track.as_ref().ok()).collect(),
            None => {
                let planned = selected.and_then(|id| self.replay()?.tracks().get(&id));
                planned.into_iter().collect()
            }
        };
        let thought = |track: &&replay::Track| Some(*track.thought(self.head.time)?.1);
        tracks.iter().filter_map(thought).collect()
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

    /// Everybody sets out on what is planned now.
    fn set_out(&mut self, baked: &Baked) {
        self.underway = Underway::default();
        self.walked = None;
        let replay = Replay::of(&baked.level, &baked.plans);
        self.replay = Some((Arc::clone(&baked.plans), Arc::new(replay)));
    }

    /// The ways that are played are those of this bake.
    fn is_of(&self, baked: &Baked) -> bool {
        let replay = self.replay.as_ref();
        replay.is_some_and(|(plans, _)| Arc::ptr_eq(plans, &baked.plans))
    }

    /// Somebody is between start and goal.
    const fn is_begun(&self) -> bool {
        self.head.is_playing || self.head.time > 0.0
    }

    fn take_underway(&mut self, underway: Underway, baked: &Baked) {
        self.replay = Some((Arc::clone(&baked.plans), Arc::new(underway.replay(baked))));
        self.walked = (!underway.is_empty()).then(|| Arc::new(underway.plans(&baked.plans)));
        self.underway = underway;
    }
}

impl super::EditorState {
    /// The selected agent, if one is.
    #[must_use]
    pub fn selected_agent(&self) -> Option<EntityId> {
        let document = self.document();
        let level = document.level();
        document
            .selection()
            .iter()
            .find(|id| level.kind_of(*id) == Some(KindName::Agent))
    }
}

impl Editor {
    /// The same from a menu or the palette: opens the panel.
    pub(super) fn play_in_sight(&mut self, ctx: &egui::Context, asked: Play) {
        if !self.state.navigation.playback.in_sight {
            self.layout.reveal(Pane::Playback);
            // What is played is there from the next frame on.
            self.state.navigation.playback.in_sight = true;
            self.keep_playback_current(ctx);
        }
        self.play(ctx, asked);
    }

    pub(super) fn play(&mut self, ctx: &egui::Context, asked: Play) {
        let selected = self.state.selected_agent();
        let playback = &mut self.state.navigation.playback;
        let duration = playback.duration(selected);
        match asked {
            Play::Toggle => playback.head.toggle(duration),
            Play::Jump(secs) => {
                let time = playback.head.time + secs;
                playback.head.seek(time, duration);
            }
            Play::Step(steps) => playback.head.step(steps, duration),
            Play::Seek(time) => playback.head.seek(time, duration),
            Play::End => {
                playback.head.is_playing = false;
                playback.head.seek(duration, duration);
            }
            Play::Speed(speed) => playback.head.set_speed(speed),
            Play::Loop(loops) => playback.head.loops = loops,
            Play::OnlySelected(only) => playback.only_selected = only,
            Play::Follow(follow) => playback.follow = follow,
            Play::SideBySide(both) => playback.side_by_side = both,
        }
        ctx.request_repaint();
    }

    /// Lets time pass, and keeps what is played that of the last bake.
    pub(super) fn keep_playback_current(&mut self, ctx: &egui::Context) {
        let selected = self.state.selected_agent();
        let navigation = &mut self.state.navigation;
        let playback = &mut navigation.playback;
        playback.in_sight = playback.drawn.take();
        let now = ctx.input(|input| input.time);
        let passed = playback.at.replace(now).map_or(0.0, |before| now - before);
        let Some(baked) = navigation.baked.clone().filter(|_| playback.is_shown()) else {
            navigation.played = None;
            return;
        };
        if !playback.is_begun() && (!playback.is_of(&baked) || playback.walked.is_some()) {
            playback.set_out(&baked);
        }
        if !playback.is_of(&baked) {
            self.keep_underway(ctx, &baked);
        }
        let playback = &mut self.state.navigation.playback;
        let duration = playback.duration(selected);
        if playback.head.is_playing {
            playback.head.advance(passed.min(LONGEST_FRAME), duration);
            ctx.request_repaint();
        } else {
            // A way that became shorter.
            playback.head.time = playback.head.time.min(duration);
        }
        // At rest at the start, the pointer says which moment is looked at.
        let played = playback.is_begun().then_some(playback.head.time);
        self.state.navigation.played = played;
        self.follow(selected);
        self.keep_compared(ctx, selected, &baked);
    }

    /// Things have moved while agents are on their ways: those in cells get round them from where they are,
    /// all others are planned anew.
    fn keep_underway(&mut self, ctx: &egui::Context, baked: &Arc<Baked>) {
        let playback = &mut self.state.navigation.playback;
        let has_walkers = missions::planners(&baked.level).contains(&PlannerKind::Human);
        let Some((before, replay)) = playback.replay.clone().filter(|_| has_walkers) else {
            playback.set_out(baked);
            return;
        };
        if playback.rerouting.is_some() {
            return;
        }
        let (underway, time) = (playback.underway.clone(), playback.head.time);
        let (asked, on) = (Arc::clone(baked), Arc::clone(baked));
        let task = self.work.start(
            ctx,
            "Getting round what moved",
            Display::Quiet,
            move |job| underway.moved(&replay, &before, &asked, time, job),
            move |editor, outcome| {
                let playback = &mut editor.state.navigation.playback;
                if playback.rerouting.take().is_none() {
                    // Another level was opened.
                    return;
                }
                match outcome {
                    Ok(Ok(underway)) => playback.take_underway(underway, &on),
                    Ok(Err(Cancelled)) | Err(_) => playback.set_out(&on),
                }
            },
        );
        self.state.navigation.playback.rerouting = Some(task);
    }

    /// Moves the view along with the selected agent.
    fn follow(&mut self, selected: Option<EntityId>) {
        let state = &mut self.state;
        let playback = &state.navigation.playback;
        if !(playback.follow && playback.head.is_playing) {
            return;
        }
        let pose = selected.and_then(|id| {
            let track = playback.replay()?.tracks().get(&id)?;
            track.pose(playback.head.time)
        });
        if let Some(pose) = pose {
            state.view.camera.centre = pose.point.truncate();
            state.space.follow(pose.point);
        }
    }

    fn keep_compared(
        &mut self,
        ctx: &egui::Context,
        selected: Option<EntityId>,
        baked: &Arc<Baked>,
    ) {
        let playback = &mut self.state.navigation.playback;
        let Some(agent) = selected.filter(|_| playback.side_by_side) else {
            return;
        };
        let is_done =
            |compared: &Compared| compared.agent == agent && Arc::ptr_eq(&compared.baked, baked);
        if playback.comparing.is_some() || playback.compared.as_ref().is_some_and(is_done) {
            return;
        }
        let (asked, on) = (Arc::clone(baked), Arc::clone(baked));
        let task = self.work.start(
            ctx,
            "Walking both ways",
            Display::Quiet,
            move |job| replay::alternatives(&asked, agent, &SIDE_BY_SIDE, job),
            move |editor, outcome| editor.take_compared(agent, on, outcome),
        );
        self.state.navigation.playback.comparing = Some((task, agent, Arc::clone(baked)));
    }

    fn take_compared(
        &mut self,
        agent: EntityId,
        baked: Arc<Baked>,
        outcome: Result<Result<Vec<Alternative>, Cancelled>, JobError>,
    ) {
        let playback = &mut self.state.navigation.playback;
        let ours = playback
            .comparing
            .take_if(|(_, asked, on)| *asked == agent && Arc::ptr_eq(on, &baked));
        if ours.is_none() {
            return;
        }
        let ways = match outcome {
            Ok(Ok(ways)) => ways,
            Ok(Err(Cancelled)) => Vec::new(),
            Err(error) => SIDE_BY_SIDE
                .map(|planner| Alternative {
                    planner,
                    track: Err(error.to_string()),
                })
                .to_vec(),
        };
        playback.compared = Some(Compared {
            agent,
            baked,
            ways: Arc::new(ways),
        });
    }
}

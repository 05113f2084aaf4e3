//! Playing in the window: what panels, menus and keys ask of the player, and time that passes.

use super::Editor;
use super::docking::Pane;
use super::notice::Notice;
use super::panels::navigation::sentence;
use super::panels::playback::lanes::{go_to, sentence as event_sentence};
use super::player::Source;
use crate::base::EntityId;
use crate::document::KindName;
use crate::preview::crowd::ColourBy;
use crate::preview::overlays::Inputs;
use crate::sim::AgentPose;
use crate::sim::world::AgentIndex;
use std::sync::Arc;

/// Longer frames do not count in full: time does not leap after the window was busy. Unit: seconds.
const LONGEST_FRAME: f64 = 0.25;

/// What a panel or a key asks of the player.
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
    /// What is played.
    Source(Source),
    /// The part that is repeated; all of it, if none. Unit: seconds.
    Span(Option<[f64; 2]>),
    /// One of the simulated agents.
    Pick(Option<AgentIndex>),
    /// What colours of people stand for.
    ColourBy(ColourBy),
    Trails(bool),
    HideArrived(bool),
    /// To the next event of the run, or the one before.
    NextEvent {
        forwards: bool,
    },
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
    /// From a menu or the palette: opens the panel as well.
    pub(super) fn play_in_sight(&mut self, ctx: &egui::Context, asked: Play) {
        if !self.state.navigation.player.in_sight {
            self.layout.reveal(Pane::PLAYBACK);
            // The panel says so itself from the next frame on.
            self.state.navigation.player.in_sight = true;
            self.keep_playback_current(ctx);
        }
        self.play(ctx, asked);
    }

    pub(super) fn play(&mut self, ctx: &egui::Context, asked: Play) {
        let moves = matches!(
            asked,
            Play::Toggle | Play::Step(_) | Play::Jump(_) | Play::End
        );
        if moves && self.takes_run() {
            self.start_run(ctx);
        }
        let selected = self.state.selected_agent();
        let player = &mut self.state.navigation.player;
        let duration = player.duration(selected);
        let clock = &mut player.clock;
        match asked {
            Play::Toggle => clock.toggle(duration),
            Play::Jump(secs) => clock.seek(clock.time().min(duration) + secs, duration),
            Play::Step(steps) => clock.step(steps, duration),
            Play::Seek(time) => clock.seek(time, duration),
            Play::End => {
                clock.pause();
                clock.seek(duration, duration);
            }
            Play::Speed(speed) => clock.set_speed(speed),
            Play::Loop(loops) => clock.loops = loops,
            Play::OnlySelected(only) => player.only_selected = only,
            Play::Follow(follow) => player.follow = follow,
            Play::SideBySide(both) => {
                player.side_by_side = both;
                // Methods are compared on planned paths.
                if both {
                    player.source = Source::Plans;
                }
            }
            Play::Source(source) => {
                player.source = source;
                player.clock.reset();
            }
            Play::Span(span) => clock.set_span(span),
            Play::Pick(picked) => player.picked = picked,
            Play::ColourBy(by) => player.colour_by = by,
            Play::Trails(shows) => player.shows_trails = shows,
            Play::HideArrived(hides) => player.hides_arrived = hides,
            Play::NextEvent { forwards } => self.go_to_event(forwards),
        }
        ctx.request_repaint();
    }

    /// To the next notable event of the run: its time, its place, and whom it happened to.
    fn go_to_event(&mut self, forwards: bool) {
        let player = &self.state.navigation.player;
        let time = player.time(None);
        let mark = player
            .digest()
            .and_then(|digest| digest.next_mark(time, forwards));
        let Some(mark) = mark.cloned() else {
            let text = if forwards {
                "No later event in this run."
            } else {
                "No earlier event in this run."
            };
            self.state.notify(Notice::info(text));
            return;
        };
        let level = self.state.document().level();
        let text = event_sentence(level, &mark);
        go_to(&mark, &mut self.actions);
        self.state.notify(Notice::info(sentence(&text)));
    }

    /// Whether there is nothing to play before the level is simulated as it is now. What is being
    /// played goes on, whatever becomes of the level.
    fn takes_run(&self) -> bool {
        let player = &self.state.navigation.player;
        let level = self.state.document().committed_level();
        player.source == Source::Simulation
            && !player.clock.is_playing()
            && player.simulation.needs_run(level)
    }

    /// Lets time pass, and keeps what is played that of the last bake.
    pub(super) fn keep_playback_current(&mut self, ctx: &egui::Context) {
        let selected = self.state.selected_agent();
        let in_transaction = self.state.document().in_transaction();
        let bounds = self.state.document().level().settings().bounds;
        let level = Arc::clone(self.state.document().committed_level());
        let navigation = &mut self.state.navigation;
        let player = &mut navigation.player;
        player.in_sight = player.drawn.take();
        let now = ctx.input(|input| input.time);
        let passed = player.at.replace(now).map_or(0.0, |before| now - before);
        player.simulation.set_up(&level);
        let (time, speed) = (player.clock.time(), player.clock.speed());
        if player.clock.is_playing() && !in_transaction {
            player.simulation.heed_moves(&level, time, self.work.jobs());
        }
        let mut failure = player.simulation.keep(time, speed);
        if failure.is_some() && player.simulation.recording().is_none() {
            player.clock.reset();
        }
        if let Some(failure) = failure.take() {
            self.state.notify(Notice::error(sentence(&failure)));
        }
        let navigation = &mut self.state.navigation;
        let player = &mut navigation.player;
        if player.source == Source::Simulation {
            let is_mapped = navigation.visible && navigation.overlays.read(Inputs::HEAT);
            player.keep_crowd_view(self.work.jobs());
            player.keep_digest(self.work.jobs());
            player.keep_plots(&level, self.work.jobs());
            player.keep_heat(bounds, is_mapped, self.work.jobs());
            self.pass_time(ctx, passed);
            self.follow(selected);
            return;
        }
        let Some(planned) = navigation
            .bake
            .last()
            .cloned()
            .filter(|_| player.is_shown())
        else {
            return;
        };
        self.work.wake(ctx);
        let jobs = self.work.jobs();
        player.keep_recorded(&planned, jobs);
        player.keep_compared(selected, &planned, jobs);
        player.keep_curves(selected, &planned, jobs);
        if player.clock.is_playing() {
            let duration = player.duration(selected);
            // Playing waits for its first recording, and while a drag blocks the paths for a moment.
            let waits =
                player.recording().is_none() || in_transaction && duration < player.clock.time();
            if !waits {
                player.clock.advance(passed.min(LONGEST_FRAME), duration);
            }
            ctx.request_repaint();
        }
        self.follow(selected);
    }

    /// Lets simulated time pass: no further than the run has got.
    fn pass_time(&mut self, ctx: &egui::Context, passed: f64) {
        let selected = self.state.selected_agent();
        let player = &mut self.state.navigation.player;
        if !player.clock.is_playing() {
            return;
        }
        let duration = player.duration(selected);
        let is_running = player.simulation.is_running();
        let has_begun = player.recording().is_some();
        if !is_running && !has_begun {
            player.clock.reset();
            return;
        }
        let passed = passed.min(LONGEST_FRAME);
        let ahead = player.clock.time() + passed * player.clock.speed();
        if !is_running {
            player.clock.advance(passed, duration);
        } else if has_begun {
            // What comes is not known yet: wait for it.
            player.clock.seek(ahead.min(duration), duration);
        }
        ctx.request_repaint();
    }

    /// Moves the view along with the selected agent.
    fn follow(&mut self, selected: Option<EntityId>) {
        let state = &mut self.state;
        let player = &state.navigation.player;
        if !(player.follow && player.clock.is_playing()) {
            return;
        }
        let Some(moment) = player.moment(selected) else {
            return;
        };
        let picked = player
            .picked
            .filter(|_| player.source == Source::Simulation);
        let is_followed = |shown: &&AgentPose| match picked {
            Some(index) => shown.index == Some(index),
            None => Some(shown.agent) == selected,
        };
        if let Some(shown) = moment.agents.iter().find(is_followed) {
            state.view.camera.centre = shown.pose.point.truncate();
            state.space.follow(shown.pose.point);
        }
    }
}

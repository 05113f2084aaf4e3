//! Playing in the window: what panels, menus and keys ask of the player, and time that passes.

use super::Editor;
use super::docking::Pane;
use crate::base::EntityId;
use crate::document::KindName;

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
            Play::SideBySide(both) => player.side_by_side = both,
        }
        ctx.request_repaint();
    }

    /// Lets time pass, and keeps what is played that of the last bake.
    pub(super) fn keep_playback_current(&mut self, ctx: &egui::Context) {
        let selected = self.state.selected_agent();
        let in_transaction = self.state.document().in_transaction();
        let navigation = &mut self.state.navigation;
        let player = &mut navigation.player;
        player.in_sight = player.drawn.take();
        let now = ctx.input(|input| input.time);
        let passed = player.at.replace(now).map_or(0.0, |before| now - before);
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

    /// Moves the view along with the selected agent.
    fn follow(&mut self, selected: Option<EntityId>) {
        let state = &mut self.state;
        let player = &state.navigation.player;
        if !(player.follow && player.clock.is_playing()) {
            return;
        }
        let moment = player.playback(selected).only(selected);
        let moment = moment.moment(player.time(selected));
        if let Some(shown) = selected.and_then(|agent| moment.pose(agent)) {
            state.view.camera.centre = shown.pose.point.truncate();
            state.space.follow(shown.pose.point);
        }
    }
}

//! The player: agents on their planned ways, in real time or step by step; for one of them both
//! corridor methods beside each other, with their figures over the length of the way.

mod controls;
mod figures;

use controls::{clock, controls_ui, keys, timeline_ui};
use figures::Figures;

use crate::editor::theme::panel;
use crate::editor::{Actions, EditorState};
use crate::planner::replay::Replay;
use egui::{Frame, Margin, ScrollArea, Sense, Ui};

/// So many agents are listed; more would cost every frame.
const MAX_LISTED: usize = 200;

#[derive(Debug, Default)]
pub struct PlaybackPanel {
    figures: Figures,
}

impl PlaybackPanel {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let playback = &state.navigation.playback;
        playback.drawn.set(true);
        let selected = state.selected_agent();
        // A click beside the controls gives the panel the keyboard.
        let ground = ui.interact(
            ui.max_rect(),
            ui.scope_id().with("playback keys"),
            Sense::click(),
        );
        if ground.clicked() {
            ground.request_focus();
        }
        if ground.has_focus() {
            keys(ui, actions);
        }
        Frame::new()
            .inner_margin(Margin::symmetric(8, 6))
            .show(ui, |ui| {
                let Some(replay) = playback.replay() else {
                    ui.weak("Nothing is planned yet.");
                    return;
                };
                controls_ui(ui, state, selected, actions);
                timeline_ui(ui, state, selected, actions);
                ui.separator();
                let height = ui.available_height();
                ScrollArea::vertical()
                    .auto_shrink(false)
                    .id_salt("playback")
                    .show(ui, |ui| match selected {
                        Some(agent) => self.figures.ui(ui, state, replay, agent, height),
                        None => agents_ui(ui, state, replay, actions),
                    });
            });
    }
}

/// Who is on the way, while nobody is selected.
fn agents_ui(ui: &mut Ui, state: &EditorState, replay: &Replay, actions: &mut Actions) {
    if replay.tracks().is_empty() {
        ui.weak("No agent has a way to go. Draw an agent and give it a goal.");
        return;
    }
    let level = state.document().level();
    let time = state.navigation.playback.head.time;
    ui.weak("Select an agent for its figures.");
    for (id, track) in replay.tracks().iter().take(MAX_LISTED) {
        let Some(pose) = track.pose(time) else {
            continue;
        };
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = panel::GAP;
            if ui
                .selectable_label(false, level.label(*id))
                .on_hover_text("Select")
                .clicked()
            {
                actions.select(crate::document::Selection::one(*id));
            }
            let text = if time >= track.duration() {
                format!(
                    "arrived after {} · {:.1} m",
                    clock(track.duration()),
                    track.length()
                )
            } else {
                format!(
                    "{:.1} of {:.1} m · {:.2} m/s · arrives at {}",
                    pose.along,
                    track.length(),
                    pose.speed,
                    clock(track.duration())
                )
            };
            ui.weak(text);
        });
    }
    if replay.tracks().len() > MAX_LISTED {
        ui.weak(format!("… and {} more", replay.tracks().len() - MAX_LISTED));
    }
}

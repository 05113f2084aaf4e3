//! The player: agents on their planned ways, in real time or step by step; for one of them both
//! corridor methods beside each other, with their figures over the length of the way.

mod controls;
mod figures;

pub use controls::clock;

use controls::{controls_ui, keys, timeline_ui};
use figures::Figures;

use crate::editor::theme::{Palette, panel};
use crate::editor::{Actions, EditorState};
use crate::planner::human::Change;
use crate::planner::replay::Replay;
use egui::{Align, Frame, Layout, Margin, ScrollArea, Sense, Ui, vec2};

/// So many agents are listed; more would cost every frame.
const MAX_LISTED: usize = 200;
/// From this width on figures and plots are beside each other. Unit: points.
const WIDE: f32 = 700.0;
/// Of the controls, where they are beside the plots. Unit: points.
const LEFT: f32 = 330.0;

#[derive(Debug, Default)]
pub struct PlaybackPanel {
    figures: Figures,
}

impl PlaybackPanel {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let playback = &state.navigation.playback;
        playback.drawn.set(true);
        let selected = state.selected_agent();
        take_keyboard(ui, actions);
        Frame::new()
            .inner_margin(Margin::symmetric(8, 6))
            .show(ui, |ui| {
                let Some(replay) = playback.replay() else {
                    ui.weak("Nothing is planned yet.");
                    return;
                };
                if ui.available_width() < WIDE {
                    controls_ui(ui, state, selected, actions);
                    timeline_ui(ui, state, selected, actions);
                    ui.separator();
                    ScrollArea::vertical()
                        .auto_shrink(false)
                        .id_salt("playback")
                        .show(ui, |ui| match selected {
                            Some(agent) => self.figures.narrow_ui(ui, state, replay, agent),
                            None => agents_ui(ui, state, replay, actions),
                        });
                    return;
                }
                // What is done on the left, what it shows on the right, as high as the panel.
                ui.horizontal_top(|ui| {
                    let height = ui.available_height();
                    ui.spacing_mut().item_spacing.x = 12.0;
                    let column = Layout::top_down(Align::Min);
                    ui.allocate_ui_with_layout(vec2(LEFT, height), column, |ui| {
                        ui.set_width(LEFT);
                        ScrollArea::vertical()
                            .auto_shrink(false)
                            .id_salt("player")
                            .show(ui, |ui| {
                                controls_ui(ui, state, selected, actions);
                                if let Some(agent) = selected {
                                    self.figures.table_ui(ui, state, replay, agent);
                                }
                            });
                    });
                    ui.vertical(|ui| {
                        timeline_ui(ui, state, selected, actions);
                        let Some(agent) = selected else {
                            ScrollArea::vertical()
                                .auto_shrink(false)
                                .id_salt("walkers")
                                .show(ui, |ui| agents_ui(ui, state, replay, actions));
                            return;
                        };
                        self.figures.plots_ui(ui, state, replay, agent);
                    });
                });
            });
    }
}

/// A click anywhere in the panel gives it the keyboard.
fn take_keyboard(ui: &Ui, actions: &mut Actions) {
    let rect = ui.max_rect();
    let ground = ui.interact(rect, ui.scope_id().with("playback keys"), Sense::click());
    // A control that is clicked takes the focus from the ground when the button is let go.
    let clicked = ui.input(|input| {
        let is_used = input.pointer.primary_pressed() || input.pointer.any_click();
        input.pointer.interact_pos().filter(|_| is_used)
    });
    let is_ours =
        |at: egui::Pos2| rect.contains(at) && ui.ctx().layer_id_at(at) == Some(ui.layer_id());
    if clicked.is_some_and(is_ours) {
        ground.request_focus();
    }
    if !ground.has_focus() {
        return;
    }
    // Arrows jump: they do not leave the panel.
    ui.memory_mut(|memory| {
        memory.set_focus_lock_filter(
            ground.id,
            egui::EventFilter {
                horizontal_arrows: true,
                ..Default::default()
            },
        );
    });
    let accent = Palette::of(ui.visuals()).accent;
    let line = egui::Stroke::new(1.5, accent);
    ui.painter().hline(rect.x_range(), rect.top() + 1.0, line);
    keys(ui, actions);
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
            let plan = state.navigation.plan_of(*id);
            let change = plan.and_then(|plan| plan.changes.last());
            let text = if let Some(Change::Lost(loss)) = change.filter(|_| time > 0.0) {
                format!("waits: {}", loss.sentence(|id| level.label(id)))
            } else if time >= track.duration() {
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

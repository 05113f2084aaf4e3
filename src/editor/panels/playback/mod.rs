//! The player: agents under way, in real time or step by step; for one of them both corridor methods side by
//! side, with their figures over the length of the path.

mod controls;
pub(super) mod figures;
pub mod lanes;
mod run_bar;
mod timeline;

pub use controls::clock;

use controls::{controls_ui, keys, timeline_ui};
use timeline::Timeline;

use crate::editor::panels::navigation::sentence;
use crate::editor::player::Source;
use crate::editor::theme::{Palette, panel};
use crate::editor::{Actions, EditorState};
use crate::planner::human::Change;
use crate::sim::Recording;
use egui::{Align, Frame, Layout, Margin, ScrollArea, Sense, Ui, vec2};
use std::sync::Arc;

/// So many agents are listed; more would cost every frame.
const MAX_LISTED: usize = 200;
/// From this width on figures and plots are beside each other. Unit: points.
const WIDE: f32 = 700.0;
/// Of the controls, where they are beside the plots. Unit: points.
const LEFT: f32 = 330.0;

#[derive(Debug, Default)]
pub struct PlaybackPanel {
    timeline: Timeline,
}

impl PlaybackPanel {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let player = &state.navigation.player;
        player.drawn.set(true);
        let selected = state.selected_agent();
        take_keyboard(ui, actions);
        Frame::new()
            .inner_margin(Margin::symmetric(8, 6))
            .show(ui, |ui| {
                if player.source == Source::Simulation {
                    controls_ui(ui, state, selected, actions);
                    ui.horizontal(|ui| {
                        run_bar::view_ui(ui, state, actions);
                        ui.separator();
                        run_bar::status_ui(ui, state, actions);
                    });
                    ui.add_space(2.0);
                    let digest = player.digest().map(Arc::as_ref);
                    self.timeline.ui(ui, state, digest, actions);
                    return;
                }
                let Some(recording) = player.recording() else {
                    controls_ui(ui, state, selected, actions);
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
                            Some(agent) => figures::narrow_ui(ui, state, agent),
                            None => agents_ui(ui, state, recording, actions),
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
                                    figures::table_ui(ui, state, agent);
                                }
                            });
                    });
                    ui.vertical(|ui| {
                        timeline_ui(ui, state, selected, actions);
                        let Some(agent) = selected else {
                            ScrollArea::vertical()
                                .auto_shrink(false)
                                .id_salt("walkers")
                                .show(ui, |ui| agents_ui(ui, state, recording, actions));
                            return;
                        };
                        figures::plots_ui(ui, state, agent);
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

/// The agents under way, while none is selected.
fn agents_ui(ui: &mut Ui, state: &EditorState, recording: &Recording, actions: &mut Actions) {
    if recording.is_empty() {
        ui.weak("No agent has a path. Draw an agent and give it a goal.");
        return;
    }
    let level = state.document().level();
    let time = state.navigation.player.time(None);
    ui.weak("Select an agent to see statistics.");
    for id in recording.agents().take(MAX_LISTED) {
        let (Some(pose), Some(trajectory)) = (recording.pose(id, time), recording.trajectory(id))
        else {
            continue;
        };
        let (duration, length) = (trajectory.duration(), trajectory.length());
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = panel::GAP;
            if ui
                .selectable_label(false, level.label(id))
                .on_hover_text("Select")
                .clicked()
            {
                actions.select(crate::document::Selection::one(id));
            }
            let plan = state.navigation.plan_of(id);
            let change = plan.and_then(|plan| plan.changes.last());
            let text = if let Some(Change::Lost(loss)) = change.filter(|_| time > 0.0) {
                format!("waits: {}", loss.sentence(|id| level.label(id)))
            } else if time >= duration {
                format!("arrived after {} · {length:.1} m", clock(duration))
            } else {
                format!(
                    "{:.1} of {length:.1} m · {:.2} m/s · arrives at {}",
                    pose.along,
                    pose.speed,
                    clock(duration)
                )
            };
            ui.weak(text);
        });
    }
    if recording.agents().len() > MAX_LISTED {
        let more = recording.agents().len() - MAX_LISTED;
        ui.weak(format!("… and {more} more"));
    }
}

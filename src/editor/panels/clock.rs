//! The clock of the level and its flags, as planning looks at them. Not part of history.

use super::field::choice::toggle_ui;
use super::field::row::stable_scope;
use super::field::{Number, Row, Shared};
use crate::base::EntityId;
use crate::document::{Kind, Level, limits};
use crate::editor::situation::SituationAsk;
use crate::editor::{Action, Actions, EditorState};
use egui::{Frame, Margin, ScrollArea, Slider, Ui};

/// To which the slider rounds. Unit: hours.
const STEP: f64 = 0.25;

#[derive(Debug, Default)]
pub struct ClockPanel;

impl ClockPanel {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        ScrollArea::vertical()
            .auto_shrink(false)
            .id_salt("clock")
            .show(ui, |ui| {
                Frame::new()
                    .inner_margin(Margin::symmetric(8, 6))
                    .show(ui, |ui| {
                        ui.set_max_width(460.0);
                        ui.spacing_mut().item_spacing.y = 4.0;
                        stable_scope(ui, "clock", |ui| {
                            time_ui(ui, state, actions);
                            flags_ui(ui, state, actions);
                        });
                        note_ui(ui, state, actions);
                    });
            });
    }
}

fn time_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let level = state.document().level();
    let hour = state.situation.hour(level);
    let mut asked = None;
    let mut refusal = None;
    Row::new("Time of day")
        .help("The time for which paths are planned; a level starts at the time in its settings.")
        .show(ui, |ui, label| {
            let output = Number::new(&limits::TIME_OF_DAY, Shared::Same(hour)).show(ui, 90.0);
            output.response.labelled_by(label);
            asked = output.change.map(|change| change.value);
            refusal = output.refusal;
        });
    if let Some(sentence) = refusal {
        super::field::row::refusal_ui(ui, &sentence);
    }
    let mut slid = hour;
    ui.spacing_mut().slider_width = (ui.available_width() - 16.0).max(80.0);
    let slider = Slider::new(&mut slid, 0.0..=24.0)
        .step_by(STEP)
        .show_value(false);
    if ui
        .add(slider)
        .accessible_name("Time of day slider")
        .changed()
    {
        asked = Some(slid);
    }
    if let Some(hour) = asked {
        actions.push(Action::Situation(SituationAsk::Hour(hour)));
    }
}

fn flags_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let level = state.document().level();
    let flags: Vec<EntityId> = flags_of(level).collect();
    if flags.is_empty() {
        ui.weak("The level has no flags. Add one in the outliner to switch constraints with it.");
        return;
    }
    for id in flags {
        let name = level.label(id);
        let is_set = state.situation.is_set(level, id);
        let row = Row::new(&name).small();
        let switched = row
            .show(ui, |ui, label| toggle_ui(ui, label, Shared::Same(is_set)))
            .inner;
        if let Some(is_set) = switched {
            actions.push(Action::Situation(SituationAsk::Flag(id, is_set)));
        }
    }
}

fn flags_of(level: &Level) -> impl Iterator<Item = EntityId> + '_ {
    let flags = level
        .iter()
        .filter(|(_, entity)| matches!(entity.kind, Kind::Flag(_)));
    flags.map(|(id, _)| id)
}

fn note_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    if state.situation.is_usual(state.document().level()) {
        ui.weak("As the level starts.");
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.weak("Differs from how the level starts.");
        if ui.button("Back to the start").clicked() {
            actions.push(Action::Situation(SituationAsk::Reset));
        }
    });
}

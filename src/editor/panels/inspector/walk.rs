//! How an agent follows its corridor.

use super::mission::mission;
use crate::document::{Agent, AttractionKind, Control, Crowd, Entity, Kind, PlannerId, limits};
use crate::editor::panels::field::section;
use crate::editor::panels::form::{Field, Form, field, lens};
use egui::Ui;

const METHOD: Field = field(
    "Method",
    "The original forces keep to the discs of the corridor; the improved ones take shortcuts, keep \
     a distance to walls and give way early.",
);
const ATTRACTION: Field = field(
    "Attraction point",
    "What draws the agent on: the end of the farthest disc that holds it, a point that moves at \
     constant speed, one at a distance, or the farthest place that it can go to straight.",
);
const CONTROL: Field = field(
    "Control path",
    "The line that leads the agent where it has no route: the middle between the walls, or \
     straight where there is room for it.",
);
const SAFE_DISTANCE: Field = field(
    "Safe distance",
    "Kept from walls and other agents where there is room.",
);

/// For agents and crowds that all use corridors.
pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let planner = |entity: &Entity| entity.mission().map(|mission| mission.planner);
    let methods = [PlannerId::CORRIDOR_ORIGINAL, PlannerId::CORRIDOR];
    if !form.all(|entity| planner(entity).is_some_and(|planner| methods.contains(&planner))) {
        return;
    }
    section(ui, "Walk", |ui| {
        let methods = [
            (PlannerId::CORRIDOR_ORIGINAL, "Original"),
            (PlannerId::CORRIDOR, "Improved"),
        ];
        form.choice(ui, METHOD, &methods, mission!(m => m.planner));
        if !form.all(|entity| planner(entity) == Some(PlannerId::CORRIDOR)) {
            ui.weak("The original method has no options: farthest disc, medial axis.");
            return;
        }
        let kinds = AttractionKind::ALL.map(|kind| (kind, kind.title()));
        form.choice(ui, ATTRACTION, &kinds, mission!(m => m.walk.attraction));
        let controls = Control::ALL.map(|control| (control, control.title()));
        form.choice(ui, CONTROL, &controls, mission!(m => m.walk.control));
        let distance = (&limits::SAFE_DISTANCE, "the radius");
        let lens = mission!(m => m.walk.safe_distance);
        form.optional_number(ui, SAFE_DISTANCE, distance, lens);
    });
}

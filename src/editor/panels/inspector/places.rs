//! Points and positions inside lists.

use super::list::list_ui;
use crate::document::limits;
use crate::editor::panels::field::row::{Row, refusal_ui};
use crate::editor::panels::field::{Manner, Number, Shared};
use crate::editor::panels::form::axes::axes_ui;
use egui::Ui;
use glam::{DVec2, DVec3};

pub fn point_ui(ui: &mut Ui, name: &str, point: &mut DVec2) -> Option<Manner> {
    let output = Row::new(name)
        .show(ui, |ui, _| {
            axes_ui(
                ui,
                name,
                &limits::COORDINATE,
                ["x", "y"],
                &[point.to_array()],
            )
        })
        .inner;
    if let Some(sentence) = &output.refusal {
        refusal_ui(ui, sentence);
    }
    let (axis, change) = output.change?;
    point[axis] = change.value;
    Some(change.manner)
}

pub fn place_ui(ui: &mut Ui, name: &str, place: &mut DVec3) -> Option<Manner> {
    let mut point = place.truncate();
    let mut manner = point_ui(ui, name, &mut point);
    *place = point.extend(place.z);
    let output = Row::new("Elevation")
        .show(ui, |ui, label| {
            let width = ui.available_width();
            let output = Number::new(&limits::ELEVATION, Shared::Same(place.z)).show(ui, width);
            output.response.labelled_by(label);
            (output.change, output.refusal)
        })
        .inner;
    if let Some(change) = output.0 {
        place.z = change.value;
        manner = Some(change.manner);
    }
    if let Some(sentence) = output.1 {
        refusal_ui(ui, &sentence);
    }
    manner
}

/// The points of a path; keeps at least one.
pub fn path_ui(ui: &mut Ui, path: &mut Vec<DVec2>) -> Option<Manner> {
    let before = path.clone();
    let mut manner = list_ui(ui, "Point", path, |ui, point| point_ui(ui, "At", point));
    if path.is_empty() {
        *path = before;
        manner = None;
    }
    if ui.button("Add a point").clicked() {
        let last = path.last().copied().unwrap_or(DVec2::ZERO);
        path.push(last + DVec2::X);
        manner = Some(Manner::Chosen);
    }
    manner
}

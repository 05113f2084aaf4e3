//! Walls: thickness, height and length.

use crate::document::{Entity, Kind, limits};
use crate::editor::panels::field::section;
use crate::editor::panels::form::{Field, Form, field, lens};
use egui::Ui;

const THICKNESS: Field = field("Thickness", "From face to face; the line is its middle.");
const HEIGHT: Field = field("Height", "From its underside to its top.");
const BASE: Field = field("Base", "Height of its underside above the ground.");
const CLOSED: Field = field("Closed", "The last corner is joined to the first: a room.");

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    if !form.all(|entity| matches!(entity.kind, Kind::Wall(_))) {
        return;
    }
    section(ui, "Wall", |ui| {
        let thickness = lens!(Kind::Wall(w) => w.thickness);
        form.number(ui, THICKNESS, &limits::WALL_THICKNESS, thickness);
        let height = lens!(Kind::Wall(w) => w.height);
        form.number(ui, HEIGHT, &limits::OBSTACLE_HEIGHT, height);
        form.number(ui, BASE, &limits::ELEVATION, lens!(Kind::Wall(w) => w.base));
        form.toggle(ui, CLOSED, lens!(Kind::Wall(w) => w.closed));
        super::obstacle::forbidden_ui(ui, form);
        let length: f64 = form
            .subjects()
            .filter_map(|(_, entity)| match &entity.kind {
                Kind::Wall(wall) => Some(wall.centre_line().length()),
                _ => None,
            })
            .sum();
        ui.weak(format!("{length:.2} m long"));
    });
}

//! How another program's file is to be read.

use super::{Dialog, Flow, buttons_ui, confirmed, modal, primary_button};
use crate::base::{Quantity, Unit};
use crate::editor::intention::{Intention, Request};
use crate::editor::meshes::UP_NAMES;
use crate::editor::panels::field::{Number, Shared};
use crate::editor::{Action, Actions, EditorState};
use crate::exchange::{Format, ImportOptions, Polygons};
use egui::accesskit::Role;
use egui::{Ui, WidgetInfo};
use std::path::PathBuf;

const SCALE: Quantity = Quantity::new("scale", Unit::One, 1e-6, 1e6, 1.0);
const CELL: Quantity = Quantity::new("size of a cell", Unit::Metre, 0.01, 1000.0, 1.0);
const AGENTS: Quantity = Quantity::new("number of agents", Unit::One, 0.0, 100_000.0, 10.0);

#[derive(Debug)]
pub struct Import {
    path: PathBuf,
    options: ImportOptions,
    /// A level is open that a mesh could become a part of.
    has_level: bool,
    into_level: bool,
}

impl Import {
    #[must_use]
    pub fn new(path: PathBuf, has_level: bool) -> Self {
        let options = ImportOptions {
            format: Some(Format::of_path(&path).unwrap_or(Format::GeoJson)),
            // A mesh that joins others is wanted in sight.
            recentre: has_level && Format::of_path(&path).is_some_and(Format::is_mesh),
            ..ImportOptions::default()
        };
        Self {
            path,
            options,
            has_level,
            into_level: has_level,
        }
    }

    fn options_ui(&mut self, ui: &mut Ui) {
        let options = &mut self.options;
        let format = options.format.get_or_insert(Format::GeoJson);
        ui.label("Format");
        let combo = egui::ComboBox::from_id_salt("format")
            .width(220.0)
            .selected_text(format.info().name)
            .show_ui(ui, |ui| {
                for choice in Format::readable().filter(|choice| *choice != Format::Wayloom) {
                    ui.selectable_value(format, choice, choice.info().name);
                }
            })
            .response;
        combo.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, "Format"));
        ui.end_row();
        match *format {
            Format::Wkt | Format::GeoJson | Format::Polyanya => {
                scale_ui(ui, &mut options.scale);
                polygons_ui(ui, &mut options.polygons);
                ui.label("");
                ui.checkbox(&mut options.recentre, "Move the centre to the origin");
                ui.end_row();
            }
            Format::MovingAi | Format::MovingAiScenario => {
                cell_ui(ui, &mut options.cell);
                let label = ui.label("Agents");
                let mut agents = options.agents as f64;
                let field = Number::new(&AGENTS, Shared::Same(agents)).whole();
                field
                    .inline(ui, label.id, &mut agents)
                    .response
                    .on_hover_text("How many of the scenario’s trips become agents.");
                options.agents = agents as usize;
                ui.end_row();
            }
            Format::Obj | Format::Gltf => self.mesh_ui(ui),
            Format::Heights => {
                cell_ui(ui, &mut options.cell);
                super::heights::range_ui(ui, &mut options.heights);
            }
            // No choices to make.
            _ => {}
        }
    }
}

impl Import {
    fn is_for_level(&self) -> bool {
        self.into_level && self.options.format.is_some_and(Format::is_mesh)
    }

    fn mesh_ui(&mut self, ui: &mut Ui) {
        let options = &mut self.options;
        if self.has_level {
            ui.label("Becomes");
            ui.horizontal(|ui| {
                ui.selectable_value(&mut self.into_level, true, "a part of this level");
                ui.selectable_value(&mut self.into_level, false, "a new level");
            });
            ui.end_row();
        }
        ui.label("Up is");
        ui.horizontal(|ui| {
            for (axis, name, help) in UP_NAMES {
                ui.selectable_value(&mut options.up, axis, name)
                    .on_hover_text(help);
            }
        });
        ui.end_row();
        scale_ui(ui, &mut options.scale);
        ui.label("");
        ui.checkbox(
            &mut options.recentre,
            if self.into_level && self.has_level {
                "Place it in the middle of the view"
            } else {
                "Move the centre to the origin"
            },
        );
        ui.end_row();
    }
}

fn scale_ui(ui: &mut Ui, scale: &mut f64) {
    let label = ui.label("Scale");
    ui.horizontal(|ui| {
        Number::new(&SCALE, Shared::Same(*scale)).inline(ui, label.id, scale);
        ui.label("m per unit");
    });
    ui.end_row();
}

pub(super) fn polygons_ui(ui: &mut Ui, polygons: &mut Polygons) {
    ui.label("Polygons are");
    ui.horizontal(|ui| {
        for (choice, name, help) in [
            (Polygons::Auto, "as usual", "The custom of the format."),
            (
                Polygons::Walkable,
                "walkable",
                "Where one may go; everything around is blocked, and so are the holes.",
            ),
            (Polygons::Obstacles, "obstacles", "What blocks the way."),
        ] {
            ui.selectable_value(polygons, choice, name)
                .on_hover_text(help);
        }
    });
    ui.end_row();
}

pub(super) fn cell_ui(ui: &mut Ui, cell: &mut f64) {
    super::heights::number_ui(ui, "Size of a cell", cell, &CELL);
}

impl Dialog for Import {
    fn ui(&mut self, ctx: &egui::Context, _: &EditorState, actions: &mut Actions) -> Flow {
        let name = self.path.file_name().unwrap_or_default();
        let title = format!("Import {}", name.to_string_lossy());
        modal(ctx, &title, 460.0, |ui| {
            if let Some(format) = self.options.format {
                ui.weak(format.info().description);
            }
            ui.add_space(8.0);
            egui::Grid::new("import options")
                .num_columns(2)
                .spacing([12.0, 8.0])
                .show(ui, |ui| self.options_ui(ui));
            let mut flow = Flow::Stay;
            buttons_ui(ui, |ui| {
                if primary_button(ui, "Import").clicked() || confirmed(ctx) {
                    let (path, options) = (self.path.clone(), Box::new(self.options.clone()));
                    actions.push(Action::Request(if self.is_for_level() {
                        Request::PlaceMesh { path, options }
                    } else {
                        Request::Intend(Intention::Import { path, options })
                    }));
                    flow = Flow::Close;
                }
                if ui.button("Cancel").clicked() {
                    flow = Flow::Close;
                }
            });
            flow
        })
    }
}

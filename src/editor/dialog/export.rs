//! Which format the level is to be written in.

use super::import::{cell_ui, polygons_ui};
use super::{Dialog, Flow, buttons_ui, confirmed, modal, primary_button};
use crate::editor::intention::Request;
use crate::editor::{Action, Actions, EditorState};
use crate::exchange::{ExportOptions, Format};
use egui::RichText;

#[derive(Debug)]
pub struct Export {
    format: Format,
    options: ExportOptions,
}

impl Export {
    /// Starts with what was chosen last.
    #[must_use]
    pub fn new(state: &EditorState) -> Self {
        let last = state.last_export.as_ref();
        Self {
            format: last.map_or(Format::GeoJson, |last| last.format),
            options: last.map(|last| last.options.clone()).unwrap_or_default(),
        }
    }
}

impl Dialog for Export {
    fn ui(&mut self, ctx: &egui::Context, _: &EditorState, actions: &mut Actions) -> Flow {
        modal(ctx, "Export", 480.0, |ui| {
            for format in Format::writable().filter(|format| *format != Format::Wayloom) {
                let info = format.info();
                ui.radio_value(&mut self.format, format, RichText::new(info.name).strong());
                ui.horizontal(|ui| {
                    ui.add_space(18.0);
                    ui.add(egui::Label::new(RichText::new(info.description).small().weak()).wrap());
                });
                ui.add_space(4.0);
            }
            ui.add_space(6.0);
            egui::Grid::new("export options")
                .num_columns(2)
                .spacing([12.0, 8.0])
                .show(ui, |ui| match self.format {
                    Format::Wkt => polygons_ui(ui, &mut self.options.polygons),
                    Format::MovingAi => cell_ui(ui, &mut self.options.cell),
                    // No choices to make.
                    _ => {}
                });
            let mut flow = Flow::Stay;
            buttons_ui(ui, |ui| {
                if primary_button(ui, "Choose a file…").clicked() || confirmed(ctx) {
                    actions.push(Action::Request(Request::Export {
                        format: self.format,
                        options: Box::new(self.options.clone()),
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

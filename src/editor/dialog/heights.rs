//! A new height field: flat, or from a heightmap image.

use super::format_options::{Surroundings, options_ui};
use super::{Dialog, Flow, buttons_ui, confirmed, modal, primary_button_enabled};
use crate::base::Quantity;
use crate::document::{Edit, limits};
use crate::editor::intention::Request;
use crate::editor::panels::field::{Number, Shared};
use crate::editor::{Action, Actions, EditorState};
use crate::exchange::Options;
use crate::exchange::import::HeightmapOptions;
use crate::geometry::HeightField;
use crate::interaction::sculpt;
use egui::Ui;
use std::path::PathBuf;
use std::sync::Arc;

/// Asks for the post spacing of a flat field.
#[derive(Debug)]
pub struct AddHeightField {
    spacing: f64,
}

impl AddHeightField {
    #[must_use]
    pub fn new(state: &EditorState) -> Self {
        let bounds = state.document().level().settings().bounds;
        Self {
            spacing: sculpt::usual_spacing(bounds),
        }
    }
}

impl Dialog for AddHeightField {
    fn ui(&mut self, ctx: &egui::Context, state: &EditorState, actions: &mut Actions) -> Flow {
        modal(ctx, "Add a height field", 420.0, |ui| {
            let bounds = state.document().level().settings().bounds;
            let posts = HeightField::posts_over(bounds, self.spacing);
            let refusal = sculpt::check_count(bounds, self.spacing).err();
            ui.weak("Evenly spaced posts over the whole level; shape them with the height brush.");
            ui.add_space(8.0);
            grid_ui(ui, |ui| {
                number_ui(
                    ui,
                    "Distance between posts",
                    &mut self.spacing,
                    &limits::POST_SPACING,
                );
                ui.label("");
                match &refusal {
                    None => ui.weak(format!("{posts:.0} posts")),
                    Some(sentence) => ui.colored_label(ui.visuals().warn_fg_color, sentence),
                };
                ui.end_row();
            });
            let mut flow = Flow::Stay;
            buttons_ui(ui, |ui| {
                let ready = refusal.is_none();
                if primary_button_enabled(ui, "Add", ready).clicked() || ready && confirmed(ctx) {
                    if let Ok(field) = sculpt::plain(bounds, self.spacing) {
                        actions.commit(
                            "Add height field",
                            vec![Edit::Ground(Some(Arc::new(field)))],
                        );
                    }
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

/// Asks which heights black and white stand for.
#[derive(Debug)]
pub struct ImportHeights {
    path: PathBuf,
    options: Options,
}

impl ImportHeights {
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            options: Options::new(HeightmapOptions::default()),
        }
    }
}

impl Dialog for ImportHeights {
    fn ui(&mut self, ctx: &egui::Context, state: &EditorState, actions: &mut Actions) -> Flow {
        let name = self.path.file_name().unwrap_or_default();
        let title = format!("Heights from {}", name.to_string_lossy());
        modal(ctx, &title, 460.0, |ui| {
            ui.weak(if state.document().level().ground().is_some() {
                "The image is stretched over the level’s bounds and replaces its heights."
            } else {
                "The image is stretched over the level’s bounds."
            });
            ui.add_space(8.0);
            let around = Surroundings {
                // Stretched over the bounds, pixels have no size of their own.
                hidden: &["cell"],
                ..Surroundings::default()
            };
            options_ui(ui, &mut self.options, around);
            let mut flow = Flow::Stay;
            buttons_ui(ui, |ui| {
                let ready = self.options.check().is_ok();
                if primary_button_enabled(ui, "Import", ready).clicked() || ready && confirmed(ctx)
                {
                    if let Some(options) = self.options.downcast_ref::<HeightmapOptions>() {
                        actions.push(Action::Request(Request::Heights {
                            path: self.path.clone(),
                            range: options.range,
                        }));
                    }
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

fn grid_ui(ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    egui::Grid::new("height options")
        .num_columns(2)
        .spacing([12.0, 8.0])
        .show(ui, contents);
}

pub(super) fn number_ui(ui: &mut Ui, name: &str, value: &mut f64, limits: &Quantity) {
    let label = ui.label(name);
    Number::new(limits, Shared::Same(*value)).inline(ui, label.id, value);
    ui.end_row();
}

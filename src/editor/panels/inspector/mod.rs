//! The inspector: everything about what is selected, or about the level when nothing is.
//!
//! One form for one thing or for many: a section is drawn when all that is selected has it.

mod agent;
mod annotation;
mod constraints;
mod figure;
mod geometry;
mod goals;
mod header;
mod list;
mod mission;
mod nav_test;
mod obstacle;
mod organisation;
mod places;
pub(super) mod profile;
mod route;
mod settings;
mod small_kinds;
mod solid;
mod terrain;

use super::field::row::stable_scope;
use super::form::{Form, LiveEdit};
use crate::base::EntityId;
use crate::document::Entity;
use crate::editor::{Actions, EditorState};
use egui::{Frame, Margin, ScrollArea, Ui};

pub(super) use figure::paint_silhouette;

/// What the panel remembers between frames.
#[derive(Debug, Default)]
pub struct Inspector {
    live: LiveEdit,
}

impl Inspector {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let document = state.document();
        ScrollArea::vertical()
            .auto_shrink(false)
            .id_salt("inspector")
            .show(ui, |ui| {
                Frame::new()
                    .inner_margin(Margin::symmetric(8, 6))
                    .show(ui, |ui| {
                        ui.set_width(ui.available_width());
                        ui.spacing_mut().item_spacing.y = 4.0;
                        let selection = document.selection();
                        let form =
                            Form::of_entities(document, selection.iter(), &mut self.live, actions);
                        match form {
                            Some(mut form) => {
                                // Another selection is another form: no text or focus is
                                // carried over.
                                let about: (Option<EntityId>, usize) =
                                    (selection.iter().next(), selection.len());
                                stable_scope(ui, about, |ui| entity_ui(ui, &mut form));
                            }
                            None => {
                                let mut form = Form::of_settings(document, &mut self.live, actions);
                                stable_scope(ui, "level", |ui| settings::ui(ui, &mut form));
                            }
                        }
                    });
            });
        self.live.settle(ui, actions);
    }
}

fn entity_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    header::ui(ui, form);
    terrain::ui(ui, form);
    terrain::region_ui(ui, form);
    profile::ui(ui, form);
    small_kinds::ui(ui, form);
    obstacle::ui(ui, form);
    solid::ui(ui, form);
    route::ui(ui, form);
    annotation::ui(ui, form);
    agent::ui(ui, form);
    mission::ui(ui, form);
    nav_test::ui(ui, form);
    geometry::ui(ui, form);
    organisation::ui(ui, form);
    ui.add_space(12.0);
}

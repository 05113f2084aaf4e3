//! The inspector: properties of the selection, or of the level if nothing is selected.
//!
//! One form for one or many entities: a section is drawn if everything selected has it.

mod agent;
mod annotation;
mod constrained;
mod constraints;
mod crowd_places;
mod door;
mod duration;
mod figure;
mod geometry;
mod goals;
mod ground;
mod header;
mod link;
mod list;
mod mission;
mod motion;
mod nav_test;
mod obstacle;
mod organisation;
mod overview;
mod places;
mod plan;
pub(super) mod profile;
mod profile_set;
mod route;
mod rows;
mod search;
mod sentence;
mod settings;
mod small_kinds;
mod solid;
mod suggestions;
mod target;
mod terrain;
mod walk;
mod wall;

use super::census::Census;
use super::field::row::stable_scope;
use super::form::{Form, LiveEdit};
use crate::base::EntityId;
use crate::document::Entity;
use crate::editor::navigation::Navigation;
use crate::editor::{Actions, EditorState};
use egui::{Frame, Margin, ScrollArea, Ui};
use overview::{Gathering, Overview};
use sentence::SentenceField;

pub(super) use figure::paint_silhouette;

/// What the panel remembers between frames.
#[derive(Debug, Default)]
pub struct Inspector {
    live: LiveEdit,
    census: Census,
    gathering: Gathering,
    sentence: SentenceField,
    /// The note whose text gets the keyboard focus when it is drawn next.
    to_write: Option<EntityId>,
}

impl Inspector {
    /// Focuses the text of this note as soon as it is drawn.
    pub const fn write(&mut self, note: EntityId) {
        self.to_write = Some(note);
    }

    /// Call after the panels were drawn: the focus has been assigned.
    pub const fn has_been_drawn(&mut self) {
        self.to_write = None;
    }

    /// Whether typed text is meant for a field that is not drawn yet.
    #[must_use]
    pub const fn awaits_text(&self) -> bool {
        self.to_write.is_some()
    }

    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        self.census.update(state.document().level());
        ScrollArea::vertical()
            .auto_shrink(false)
            .id_salt("inspector")
            .show(ui, |ui| {
                Frame::new()
                    .inner_margin(Margin::symmetric(8, 6))
                    .show(ui, |ui| {
                        ui.set_width(ui.available_width());
                        ui.spacing_mut().item_spacing.y = 4.0;
                        self.form_ui(ui, state, actions);
                    });
            });
        self.live.settle(ui, actions);
    }

    fn form_ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let document = state.document();
        let selection = document.selection();
        // A new selection is a new form: no text or focus is carried over.
        let about = (selection.iter().next(), selection.len());
        let (subjects, overview) = self.gathering.update(document);
        if subjects.is_empty() {
            let mut form = Form::of_settings(document, &mut self.live, actions);
            stable_scope(ui, "level", |ui| {
                settings::ui(ui, &mut form, &self.census);
            });
        } else if let Some(mut form) =
            Form::of_gathered(document, subjects, &mut self.live, actions)
        {
            if form.single().map(|(id, _)| id) == self.to_write {
                form.focus = self.to_write.map(|_| small_kinds::TEXT.name);
            }
            suggestions::ui(ui, state, form.actions);
            stable_scope(ui, about, |ui| {
                entity_ui(ui, &mut form, &self.census, overview, &state.navigation);
                mission::ui(ui, &mut form, &mut self.sentence);
                closing_ui(ui, &mut form, overview);
            });
        }
    }
}

fn entity_ui(
    ui: &mut Ui,
    form: &mut Form<'_, Entity>,
    census: &Census,
    overview: &Overview,
    navigation: &Navigation,
) {
    header::ui(ui, form, overview);
    plan::ui(ui, form, navigation);
    terrain::ui(ui, form);
    terrain::region_ui(ui, form);
    profile::ui(ui, form, census);
    small_kinds::ui(ui, form);
    obstacle::ui(ui, form);
    wall::ui(ui, form);
    solid::ui(ui, form);
    route::ui(ui, form);
    annotation::ui(ui, form);
    door::ui(ui, form);
    link::ui(ui, form);
    crowd_places::ui(ui, form);
    agent::ui(ui, form);
}

/// What follows the mission.
fn closing_ui(ui: &mut Ui, form: &mut Form<'_, Entity>, overview: &Overview) {
    nav_test::ui(ui, form);
    geometry::ui(ui, form, overview);
    organisation::ui(ui, form, overview);
    ui.add_space(12.0);
}

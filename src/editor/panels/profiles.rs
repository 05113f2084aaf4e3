//! All profiles side by side: width, height, speed.

use super::census::Census;
use super::field::button::named_button;
use super::field::row::stable_scope;
use super::field::{Number, Shared};
use super::form::{Field, Form, LiveEdit, field};
use super::inspector::paint_silhouette;
use super::outliner::create::create;
use crate::base::{EntityId, Quantity};
use crate::document::{Entity, Kind, KindName, Profile, Selection, limits};
use crate::editor::theme::panel;
use crate::editor::{Actions, EditorState};
use egui::{Align, Button, Frame, Layout, Margin, ScrollArea, Sense, Ui, vec2};
use egui_extras::{Column, TableBuilder};
use egui_material_icons::icons;

/// A column of the table: a number of the profile.
struct Measure {
    field: Field,
    quantity: &'static Quantity,
    value: fn(&mut Profile) -> &mut f64,
}

const MEASURES: [Measure; 8] = [
    Measure {
        field: field("Radius", "Half the width it needs to pass."),
        quantity: &limits::RADIUS,
        value: |profile| &mut profile.body.radius,
    },
    Measure {
        field: field("Height", "Headroom it needs when upright."),
        quantity: &limits::BODY_HEIGHT,
        value: |profile| &mut profile.body.height,
    },
    Measure {
        field: field("Bent height", "Headroom it can pass when bent."),
        quantity: &limits::BENT_HEIGHT,
        value: |profile| &mut profile.body.bent_height,
    },
    Measure {
        field: field("Step height", "Highest step up or down."),
        quantity: &limits::STEP_HEIGHT,
        value: |profile| &mut profile.body.step_height,
    },
    Measure {
        field: field("Foot span", "Longest step in plan."),
        quantity: &limits::FOOT_SPAN,
        value: |profile| &mut profile.body.foot_span,
    },
    Measure {
        field: field("Jump", "Longest gap it can jump."),
        quantity: &limits::JUMP,
        value: |profile| &mut profile.body.jump,
    },
    Measure {
        field: field("Speed", "Preferred speed."),
        quantity: &limits::SPEED,
        value: |profile| &mut profile.pace.speed,
    },
    Measure {
        field: field("Top speed", "The highest speed it can reach."),
        quantity: &limits::MAX_SPEED,
        value: |profile| &mut profile.pace.max_speed,
    },
];

/// What the panel remembers between frames.
#[derive(Debug, Default)]
pub struct Profiles {
    live: LiveEdit,
    census: Census,
}

impl Profiles {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        self.census.update(state.document().level());
        Frame::new()
            .inner_margin(Margin::symmetric(8, 6))
            .show(ui, |ui| {
                if named_button(ui, icons::ICON_ADD, "Add profile").clicked() {
                    create(state.document(), KindName::Profile, actions);
                }
                ui.add_space(2.0);
                if self.census.definitions(KindName::Profile).is_empty() {
                    ui.weak("No profiles yet: agents need one to have a body.");
                    return;
                }
                ScrollArea::horizontal()
                    .id_salt("profiles")
                    .show(ui, |ui| self.table_ui(ui, state, actions));
            });
        self.live.settle(ui, actions);
    }

    fn table_ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let level = state.document().level();
        let rows: Vec<(EntityId, &Entity, &Profile)> = self
            .census
            .definitions(KindName::Profile)
            .iter()
            .filter_map(|id| {
                let entity = level.get(*id)?;
                match &entity.kind {
                    Kind::Profile(profile) => Some((*id, &**entity, profile)),
                    _ => None,
                }
            })
            .collect();
        let tallest = rows
            .iter()
            .map(|(_, _, profile)| profile.body.height)
            .fold(0.1, f64::max);
        TableBuilder::new(ui)
            .id_salt("profiles")
            .vscroll(true)
            .auto_shrink([true, false])
            .striped(true)
            .cell_layout(Layout::left_to_right(Align::Center))
            .column(Column::exact(150.0))
            .columns(Column::exact(82.0), MEASURES.len())
            .header(panel::LIST_ROW, |mut header| {
                header.col(|_| {});
                for measure in &MEASURES {
                    header.col(|ui| {
                        ui.weak(measure.field.name)
                            .on_hover_text(measure.field.help);
                    });
                }
            })
            .body(|body| {
                body.rows(42.0, rows.len(), |mut row| {
                    let (id, entity, profile) = rows[row.index()];
                    row.col(|ui| head_ui(ui, id, entity, profile, tallest, actions));
                    for measure in &MEASURES {
                        row.col(|ui| {
                            stable_scope(ui, (id, measure.field.name), |ui| {
                                self.cell_ui(ui, state, id, entity, profile, measure, actions);
                            });
                        });
                    }
                });
            });
    }

    #[expect(clippy::too_many_arguments, reason = "a cell and its surroundings")]
    fn cell_ui(
        &mut self,
        ui: &mut Ui,
        state: &EditorState,
        id: EntityId,
        entity: &Entity,
        profile: &Profile,
        measure: &Measure,
        actions: &mut Actions,
    ) {
        let value = *(measure.value)(&mut profile.clone());
        let output = Number::new(measure.quantity, Shared::Same(value)).show(ui, 72.0);
        let name = format!("{} of {}", measure.field.name, entity.label(id));
        let response = output.response.accessible_name(name);
        if let Some(sentence) = output.refusal {
            response.show_tooltip_text(sentence);
        }
        let Some(change) = output.change else {
            return;
        };
        let ids = std::iter::once(id);
        let form = Form::of_entities(state.document(), ids, &mut self.live, actions);
        if let Some(mut form) = form {
            let _ = form.change(measure.field, change.manner, |entity, _| {
                if let Kind::Profile(profile) = &mut entity.kind {
                    *(measure.value)(profile) = change.value;
                }
            });
        }
    }
}

/// The body among the others, at a common scale, and the name.
fn head_ui(
    ui: &mut Ui,
    id: EntityId,
    entity: &Entity,
    profile: &Profile,
    tallest: f64,
    actions: &mut Actions,
) {
    let (rect, _) = ui.allocate_exact_size(vec2(34.0, 36.0), Sense::hover());
    paint_silhouette(ui.painter(), rect, profile, tallest);
    let label = entity.label(id);
    let head = Button::new(&label).frame_when_inactive(false).truncate();
    if ui.add(head).on_hover_text(&label).clicked() {
        actions.select(Selection::one(id));
    }
}

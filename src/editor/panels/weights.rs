//! The cost of each terrain for each profile: a table edited in place.

use super::census::Census;
use super::field::button::{icon_button, named_button};
use super::field::pattern::paint_swatch;
use super::field::row::refusal_ui;
use super::field::row::stable_scope;
use super::field::{Change, Number, Shared};
use super::form::reference::icon_of;
use super::form::{Field, Form, LiveEdit, field};
use super::inspector::profile::{own_weight, set_weight};
use super::outliner::create::create;
use super::weight_menu::{weight_menu, weight_menu_button};
use crate::base::EntityId;
use crate::document::{Document, Entity, Kind, KindName, Level, Selection, Terrain, limits};
use crate::editor::theme::{Palette, panel};
use crate::editor::{Actions, EditorState};
use egui::{Align, AtomExt as _, Button, Frame, Layout, Margin, ScrollArea, Sense, Ui, vec2};
use egui_extras::{Column, TableBuilder};
use egui_material_icons::icons;

const WEIGHT: Field = field("Terrain weight", "");

/// What the panel remembers between frames.
#[derive(Debug, Default)]
pub struct Weights {
    live: LiveEdit,
    census: Census,
    /// Errors of rejected input, cell by cell, newest last.
    refusals: Vec<String>,
    /// Errors seen so far in this frame.
    met: Vec<String>,
    /// Errors from before a weight was accepted; not shown any more.
    read: Vec<String>,
}

impl Weights {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        self.census.update(state.document().level());
        Frame::new()
            .inner_margin(Margin::symmetric(8, 6))
            .show(ui, |ui| {
                self.bar_ui(ui, state, actions);
                if self.census.definitions(KindName::Terrain).is_empty() {
                    ui.add_space(8.0);
                    ui.weak("No terrains yet: every metre costs 1 for every profile.");
                    return;
                }
                ScrollArea::horizontal()
                    .id_salt("weights")
                    .show(ui, |ui| self.table_ui(ui, state, actions));
            });
        self.settle_refusals();
        self.live.settle(ui, actions);
    }

    /// Drops errors that no longer exist and appends new ones.
    fn settle_refusals(&mut self) {
        let met = std::mem::take(&mut self.met);
        for known in [&mut self.refusals, &mut self.read] {
            known.retain(|sentence| met.contains(sentence));
        }
        for sentence in met {
            if !self.refusals.contains(&sentence) {
                self.refusals.push(sentence);
            }
        }
    }

    fn bar_ui(&self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        ui.horizontal_wrapped(|ui| {
            for (kind, name) in [
                (KindName::Terrain, "Add terrain"),
                (KindName::Profile, "Add profile"),
            ] {
                if named_button(ui, icons::ICON_ADD, name).clicked() {
                    create(state.document(), kind, actions);
                }
            }
            // Replaces the hint: the table below must not move under the pointer.
            let is_read = |sentence: &&String| self.read.contains(sentence);
            match self.refusals.last().filter(|last| !is_read(last)) {
                Some(sentence) => refusal_ui(ui, sentence),
                None => {
                    ui.weak("Cost per metre, above 0. Faint: the terrain's default weight.");
                }
            }
        });
        ui.add_space(2.0);
    }

    fn table_ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let level = state.document().level();
        let terrains = self.census.definitions(KindName::Terrain).to_vec();
        let profiles = self.census.definitions(KindName::Profile);
        let rows: Vec<Option<EntityId>> = std::iter::once(None)
            .chain(profiles.iter().copied().map(Some))
            .collect();
        let widths: Vec<f32> = terrains
            .iter()
            .map(|terrain| column_width(ui, &level.label(*terrain)))
            .collect();
        let table = TableBuilder::new(ui)
            .id_salt("weights")
            .vscroll(true)
            .auto_shrink([true, false])
            .striped(true)
            .cell_layout(Layout::left_to_right(Align::Center))
            .column(Column::exact(150.0));
        widths
            .into_iter()
            .fold(table, |table, width| table.column(Column::exact(width)))
            .header(panel::LIST_ROW + 4.0, |mut header| {
                header.col(|_| {});
                for terrain in &terrains {
                    header.col(|ui| terrain_head_ui(ui, level, *terrain, actions));
                }
            })
            .body(|body| {
                body.rows(panel::FIELD_ROW + 4.0, rows.len(), |mut row| {
                    let profile = rows[row.index()];
                    row.col(|ui| row_head_ui(ui, state.document(), profile, actions));
                    for terrain in &terrains {
                        row.col(|ui| {
                            stable_scope(ui, (profile, *terrain), |ui| match profile {
                                Some(profile) => {
                                    self.cell_ui(ui, state, profile, *terrain, actions);
                                }
                                None => self.default_ui(ui, state, *terrain, actions),
                            });
                        });
                    }
                });
            });
    }

    /// A profile's weight, its own or the terrain's.
    fn cell_ui(
        &mut self,
        ui: &mut Ui,
        state: &EditorState,
        profile: EntityId,
        terrain: EntityId,
        actions: &mut Actions,
    ) {
        let level = state.document().level();
        let Some(entity) = level.get(profile) else {
            return;
        };
        let own = own_weight(entity, terrain);
        let value = level.terrain_weight(profile, terrain);
        let name = format!("{} on {}", level.label(profile), level.label(terrain));
        let number = number_ui(ui, value, own.is_none(), &name, &mut self.met);
        let mut change = number.map(|c| c.map(Some));
        if own.is_some() {
            let name = format!("Use the terrain's default: {name}");
            if icon_button(ui, icons::ICON_RESTART_ALT, &name).clicked() {
                change = Some(Change::chosen(None));
            }
        }
        let Some(change) = change else {
            return;
        };
        self.read.clone_from(&self.refusals);
        let ids = std::iter::once(profile);
        let form = Form::of_entities(state.document(), ids, &mut self.live, actions);
        if let Some(mut form) = form {
            // Within its limits: checked by the field.
            let _ = form.change(WEIGHT, change.manner, |entity, _| {
                set_weight(entity, terrain, change.value);
            });
        }
    }

    /// The terrain's own weight.
    fn default_ui(
        &mut self,
        ui: &mut Ui,
        state: &EditorState,
        terrain: EntityId,
        actions: &mut Actions,
    ) {
        let level = state.document().level();
        let Some(Kind::Terrain(Terrain { weight, .. })) =
            level.get(terrain).map(|entity| &entity.kind)
        else {
            return;
        };
        let name = format!("Default on {}", level.label(terrain));
        let Some(change) = number_ui(ui, *weight, false, &name, &mut self.met) else {
            return;
        };
        self.read.clone_from(&self.refusals);
        let ids = std::iter::once(terrain);
        let form = Form::of_entities(state.document(), ids, &mut self.live, actions);
        if let Some(mut form) = form {
            let _ = form.change(WEIGHT, change.manner, |entity: &mut Entity, _| {
                if let Kind::Terrain(terrain) = &mut entity.kind {
                    terrain.weight = change.value;
                }
            });
        }
    }
}

fn number_ui(
    ui: &mut Ui,
    value: f64,
    faint: bool,
    name: &str,
    refusals: &mut Vec<String>,
) -> Option<Change<f64>> {
    let output = Number::new(&limits::TERRAIN_WEIGHT, Shared::Same(value))
        .faint(faint)
        .show(ui, 62.0);
    output.response.accessible_name(name);
    if let Some(sentence) = output.refusal {
        refusals.push(format!("{name}: {sentence}."));
    }
    output.change
}

/// Width of a weight with its button, and of the terrain's name unless that is very long.
fn column_width(ui: &Ui, name: &str) -> f32 {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let text = ui
        .painter()
        .layout_no_wrap(name.to_owned(), font, egui::Color32::PLACEHOLDER);
    (text.size().x + 44.0).clamp(96.0, 180.0)
}

fn terrain_head_ui(ui: &mut Ui, level: &Level, id: EntityId, actions: &mut Actions) {
    let Some(Kind::Terrain(terrain)) = level.get(id).map(|entity| &entity.kind) else {
        return;
    };
    let (rect, _) = ui.allocate_exact_size(vec2(16.0, 16.0), Sense::hover());
    paint_swatch(ui.painter(), rect, terrain.colour, terrain.pattern);
    let label = level.label(id);
    let head = Button::new(&label).frame_when_inactive(false).truncate();
    let head = ui.add(head).on_hover_text(&label).accessible_name(&label);
    if head.clicked() {
        actions.select(Selection::one(id));
    }
}

fn row_head_ui(ui: &mut Ui, document: &Document, profile: Option<EntityId>, actions: &mut Actions) {
    let level = document.level();
    let Some(id) = profile else {
        ui.colored_label(Palette::of(ui.visuals()).text_weak, "All profiles")
            .on_hover_text("The terrain's default weight, for profiles without their own.");
        return;
    };
    let label = level.label(id);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let presets = weight_menu_button(ui, &format!("Weights of {label}"));
        weight_menu(&presets, document, &[id].into(), actions);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let head = Button::new((icon_of(ui, level, id), label.as_str().atom_shrink(true)))
                .frame_when_inactive(false)
                .truncate();
            let head = ui.add(head).on_hover_text(&label).accessible_name(&label);
            if head.clicked() {
                actions.select(Selection::one(id));
            }
        });
    });
}

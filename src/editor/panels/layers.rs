//! Layers: show, hide and lock them, choose the one for new objects, and drop objects on them.

use super::census::Census;
use super::field::button::{icon_button, named_button};
use super::outliner::create::create;
use super::outliner::drag::DraggedThings;
use super::switch::Switch;
use crate::base::EntityId;
use crate::document::{Edit, Entity, KindName, Level, Selection};
use crate::editor::theme::{Palette, panel};
use crate::editor::{Action, Actions, EditorState};
use egui::{
    Align, Frame, Label, Layout, Margin, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui,
    UiBuilder, WidgetInfo,
};
use egui_material_icons::icons;

/// What the panel remembers between frames.
#[derive(Debug, Default)]
pub struct Layers {
    census: Census,
}

impl Layers {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let level = state.document().level();
        Frame::new()
            .inner_margin(Margin::symmetric(6, 6))
            .show(ui, |ui| {
                if named_button(ui, icons::ICON_ADD, "Add layer").clicked() {
                    create(state.document(), KindName::Layer, actions);
                }
                self.census.update(level);
                // In the outliner's order, with what is on no layer at the end.
                let layers = self.census.definitions(KindName::Layer);
                let layers: Vec<Option<EntityId>> =
                    layers.iter().copied().map(Some).chain([None]).collect();
                ScrollArea::vertical()
                    .auto_shrink(false)
                    .id_salt("layers")
                    .show(ui, |ui| {
                        ui.spacing_mut().item_spacing.y = 1.0;
                        for id in layers {
                            let count = self.census.on_layer(id);
                            row_ui(ui, state, id, count, actions);
                        }
                    });
            });
    }
}

fn row_ui(
    ui: &mut Ui,
    state: &EditorState,
    id: Option<EntityId>,
    count: usize,
    actions: &mut Actions,
) {
    let level = state.document().level();
    let entity = id.and_then(|id| level.get(id));
    let label = id.map_or_else(|| "No layer".to_owned(), |id| level.label(id));
    let selected = id.is_some_and(|id| state.document().selection().contains(id));
    let drawn_on = state
        .toolbox
        .defaults
        .layer
        .filter(|id| level.contains(*id))
        == id;
    let row_id = ui.scope_id().with(("layer", id));
    let row = UiBuilder::new().scope_id(row_id).sense(Sense::click());
    let response = ui
        .scope_builder(row, |ui| {
            let palette = Palette::of(ui.visuals());
            let fill = if selected {
                palette.accent_fill
            } else {
                egui::Color32::TRANSPARENT
            };
            Frame::new()
                .fill(fill)
                .corner_radius(panel::ROUNDING)
                .inner_margin(Margin::symmetric(2, 0))
                .show(ui, |ui| {
                    ui.set_min_height(panel::LIST_ROW);
                    ui.horizontal(|ui| {
                        ui.spacing_mut().item_spacing.x = 2.0;
                        let (icon, name) = if drawn_on {
                            (icons::ICON_EDIT, format!("New objects go to {label}"))
                        } else {
                            (
                                icons::ICON_RADIO_BUTTON_UNCHECKED,
                                format!("Draw on {label}"),
                            )
                        };
                        if icon_button(ui, icon, &name).clicked() {
                            actions.push(Action::DrawOnLayer(id));
                        }
                        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                            ui.spacing_mut().item_spacing.x = 2.0;
                            if let (Some(id), Some(entity)) = (id, entity) {
                                switches_ui(ui, id, entity, actions);
                            }
                            ui.weak(count.to_string());
                            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                                ui.add(Label::new(&label).truncate().selectable(false));
                            });
                        });
                    });
                });
        })
        .response;
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, selected, &label));
    if response.double_clicked() {
        if let Some(id) = id {
            actions.push(Action::Rename(id));
        }
    } else if response.clicked() {
        actions.select(id.map_or_else(Selection::default, Selection::one));
    }
    take_drop(ui, &response, level, id, &label, actions);
    response.context_menu(|ui| {
        if ui.button("Select what is on it").clicked() {
            let on_it = |entity: &Entity| entity.layer == id && entity.kind.name().is_placed();
            let things = level.iter().filter(|(_, entity)| on_it(entity));
            actions.select(things.map(|(id, _)| id).collect());
            ui.close();
        }
        if let Some(id) = id
            && ui.button("Rename").clicked()
        {
            actions.push(Action::Rename(id));
            ui.close();
        }
    });
}

fn switches_ui(ui: &mut Ui, id: EntityId, entity: &Entity, actions: &mut Actions) {
    let label = entity.label(id);
    for switch in Switch::ALL {
        let on = switch.is_on(entity);
        let name = format!("{} {label}", switch.verb(on));
        if icon_button(ui, switch.icon(on), &name).clicked() {
            let mut changed = entity.clone();
            switch.set(&mut changed, !on);
            actions.commit(name, vec![Edit::replace(id, changed)]);
        }
    }
}

/// Accepts rows dragged from the outliner.
fn take_drop(
    ui: &Ui,
    response: &egui::Response,
    level: &Level,
    layer: Option<EntityId>,
    label: &str,
    actions: &mut Actions,
) {
    if response.dnd_hover_payload::<DraggedThings>().is_some() {
        let stroke = Stroke::new(2.0, Palette::of(ui.visuals()).accent);
        ui.painter()
            .rect_stroke(response.rect, panel::ROUNDING, stroke, StrokeKind::Inside);
    }
    let Some(dragged) = response.dnd_release_payload::<DraggedThings>() else {
        return;
    };
    let edits: Vec<Edit> = dragged
        .ids
        .iter()
        .filter_map(|id| {
            let entity = level.get(*id)?;
            let kind = entity.kind.name();
            let takes = kind.is_placed() || kind == KindName::Group;
            takes.then(|| {
                let moved = Entity {
                    layer,
                    ..Entity::clone(entity)
                };
                Edit::replace(*id, moved)
            })
        })
        .collect();
    if !edits.is_empty() {
        actions.commit(format!("Move to {label}"), edits);
    }
}

//! The context menu of a row.

use super::{Outliner, Scene, change_each, go_to, whom};
use crate::base::EntityId;
use crate::document::entity::Role;
use crate::document::{KindName, Selection};
use crate::editor::command_button::menu_item;
use crate::editor::panels::switch::Switch;
use crate::editor::theme::{self, panel};
use crate::editor::{Actions, Command};
use egui::{Button, Ui};
use egui_material_icons::{MaterialIcon, icons};

impl Outliner {
    pub(super) fn context_menu(
        &mut self,
        ui: &mut Ui,
        id: EntityId,
        scene: &Scene<'_>,
        actions: &mut Actions,
    ) {
        let Some(entity) = scene.level.get(id) else {
            ui.close();
            return;
        };
        let kind = entity.kind.name();
        if item(ui, icons::ICON_EDIT, "Rename") {
            self.rename(id, scene.level);
        }
        if kind.is_placed() || kind == KindName::Group {
            if item(ui, icons::ICON_CENTER_FOCUS_STRONG, "Show in plan") {
                go_to(scene.level, id, actions);
            }
            ui.separator();
            switch_items(ui, id, scene, actions);
            layer_menu(ui, id, scene, actions);
            ui.separator();
            for command in [Command::Group, Command::Ungroup] {
                if menu_item(ui, scene.state, command, actions) {
                    ui.close();
                }
            }
        } else if item(ui, icons::ICON_SELECT_ALL, "Select what uses it") {
            actions.select(users_of(id, scene));
        }
        if kind == KindName::Group && item(ui, icons::ICON_SELECT_ALL, "Select members") {
            actions.select(scene.level.members(id).into_iter().collect());
        }
        ui.separator();
        for command in [Command::Duplicate, Command::Delete] {
            if menu_item(ui, scene.state, command, actions) {
                ui.close();
            }
        }
    }
}

fn item(ui: &mut Ui, icon: MaterialIcon, name: &str) -> bool {
    let atoms = (theme::icon(icon, panel::ICON), name);
    let item = Button::new(atoms).gap(8.0).right_text("");
    let clicked = ui.add(item).accessible_name(name).clicked();
    if clicked {
        ui.close();
    }
    clicked
}

fn switch_items(ui: &mut Ui, id: EntityId, scene: &Scene<'_>, actions: &mut Actions) {
    let Some(entity) = scene.level.get(id) else {
        return;
    };
    for switch in Switch::ALL {
        let on = switch.is_on(entity);
        let verb = switch.verb(on);
        // In a menu the icon shows the result, not the current state.
        if item(ui, switch.icon(!on), verb) {
            let edits = change_each(scene, id, |entity| switch.set(entity, !on));
            actions.commit(format!("{verb} {}", whom(scene, id)), edits);
        }
    }
}

fn layer_menu(ui: &mut Ui, id: EntityId, scene: &Scene<'_>, actions: &mut Actions) {
    let layers: Vec<(EntityId, String)> = scene
        .level
        .iter()
        .filter(|(_, entity)| Role::Layer.accepts(entity.kind.name()))
        .map(|(id, entity)| (id, entity.label(id)))
        .collect();
    if layers.is_empty() {
        return;
    }
    let current = scene.level.get(id).and_then(|entity| entity.layer);
    let icon = theme::icon(icons::ICON_LAYERS, panel::ICON);
    let menu = ui.menu_button((icon, "Move to layer"), |ui| {
        let none = (None, "No layer".to_owned());
        let named = layers.into_iter().map(|(id, label)| (Some(id), label));
        for (layer, label) in std::iter::once(none).chain(named) {
            if ui.selectable_label(current == layer, &label).clicked() {
                let edits = change_each(scene, id, |entity| entity.layer = layer);
                actions.commit(format!("Move {} to {label}", whom(scene, id)), edits);
                ui.close();
            }
        }
    });
    menu.response.accessible_name("Move to layer");
}

/// Entities that refer to a definition.
fn users_of(id: EntityId, scene: &Scene<'_>) -> Selection {
    scene
        .level
        .iter()
        .filter(|(_, entity)| entity.references().iter().any(|(_, to)| *to == id))
        .map(|(user, _)| user)
        .collect()
}

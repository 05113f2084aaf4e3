//! The selection: kind, name, visibility and lock.

use super::overview::Overview;
use crate::document::{Entity, KindName};
use crate::editor::panels::field::button::{faint_icon, icon_button};
use crate::editor::panels::field::row::refusal_ui;
use crate::editor::panels::field::text::{Lines, text_ui};
use crate::editor::panels::field::{Manner, Shared};
use crate::editor::panels::form::{Field, Form, field};
use crate::editor::panels::icon;
use crate::editor::panels::switch::Switch;
use crate::editor::theme::panel;
use egui::{Layout, RichText, Ui};
use egui_material_icons::icons;
use std::collections::BTreeMap;

const NAME: Field = field("Name", "");
const VISIBILITY: Field = field("Visibility", "");
const LOCK: Field = field("Lock", "");

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>, overview: &Overview) {
    title_ui(ui, form, &overview.kinds);
    name_ui(ui, form);
}

fn title_ui(ui: &mut Ui, form: &mut Form<'_, Entity>, counts: &BTreeMap<KindName, usize>) {
    let title = match (form.single(), counts.first_key_value()) {
        (Some((id, entity)), _) => format!("{} {id}", entity.kind.name().singular()),
        (None, Some((kind, count))) if counts.len() == 1 => format!("{count} {}", kind.plural()),
        _ => format!("{} selected", form.subjects().len()),
    };
    ui.horizontal(|ui| {
        let icon = match counts.first_key_value() {
            Some((kind, _)) if counts.len() == 1 => icon::of_kind(*kind),
            _ => icons::ICON_SELECT_ALL,
        };
        ui.label(faint_icon(ui, icon));
        ui.strong(title);
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            switches_ui(ui, form);
        });
    });
    if counts.len() > 1 {
        let parts: Vec<String> = counts
            .iter()
            .map(|(kind, count)| {
                let name = if *count == 1 {
                    kind.singular()
                } else {
                    kind.plural()
                };
                format!("{count} {}", name.to_lowercase())
            })
            .collect();
        ui.add(egui::Label::new(RichText::new(parts.join(", ")).weak()).wrap());
    }
}

fn switches_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    if !form.all(|entity| Switch::belongs_to(entity.kind.name())) {
        return;
    }
    // Right to left.
    for switch in Switch::ALL.into_iter().rev() {
        // Where they differ, the first click sets all of them to the default.
        let on = if form.all(|entity| switch.is_usual(switch.is_on(entity))) {
            switch.is_usual(true)
        } else {
            !switch.is_usual(true)
        };
        if icon_button(ui, switch.icon(on), switch.verb(on)).clicked() {
            let field = match switch {
                Switch::Visibility => VISIBILITY,
                Switch::Lock => LOCK,
            };
            // Cannot be rejected: a switch has no limits.
            let _ = form.change(field, Manner::Chosen, |entity, _| switch.set(entity, !on));
        }
    }
}

fn name_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let Some(name) = form.shared(|entity| Some(&entity.name)) else {
        return;
    };
    let shared = match &name {
        Shared::Same(name) => Shared::Same(name.as_str()),
        Shared::Mixed => Shared::Mixed,
    };
    let hint = form
        .single()
        .map_or_else(String::new, |(id, entity)| entity.label(id));
    let id = ui.scope_id().with("name");
    let width = ui.available_width();
    let output = text_ui(ui, id, shared, &hint, Lines::One, width);
    let mut response = output.response.accessible_name("Name");
    if form.single().is_none() {
        response = response.on_hover_text("Names all of them; # becomes a running number.");
    }
    let refused = id.with("refused");
    if let Some(change) = output.change {
        let numbers: BTreeMap<_, usize> = form.subjects().map(|(id, _)| id).zip(1..).collect();
        let outcome = form.change(NAME, change.manner, |entity, id| {
            let number = numbers.get(&id).map_or_else(String::new, usize::to_string);
            entity.name = if numbers.len() > 1 {
                change.value.replace('#', &number)
            } else {
                change.value.clone()
            };
        });
        ui.data_mut(|data| match outcome {
            Err(sentence) => {
                data.insert_temp(refused, sentence);
            }
            Ok(()) => data.remove::<String>(refused),
        });
    }
    let sentence = ui.data(|data| data.get_temp::<String>(refused));
    if let Some(sentence) = sentence {
        if response.has_focus() {
            refusal_ui(ui, &sentence);
        } else {
            ui.data_mut(|data| data.remove::<String>(refused));
        }
    }
    ui.add_space(panel::GAP / 2.0);
}

//! Rows of list entries: a choice, a number, a reference.

use super::list::take;
use crate::base::{EntityId, Quantity};
use crate::document::Level;
use crate::document::entity::Role;
use crate::editor::panels::field::choice::choice_ui;
use crate::editor::panels::field::row::refusal_ui;
use crate::editor::panels::field::{Manner, Number, Row, Shared};
use crate::editor::panels::form::reference::{Picker, Presence};
use egui::Ui;
use std::cell::Cell;

pub fn choice_row(ui: &mut Ui, name: &str, index: usize, options: &[&str]) -> Option<usize> {
    Row::new(name)
        .show(ui, |ui, label| {
            choice_ui(ui, label, name, Shared::Same(index), options)
        })
        .inner
}

pub fn number_row(
    ui: &mut Ui,
    name: &str,
    help: &str,
    quantity: &Quantity,
    value: &mut f64,
) -> Option<Manner> {
    let (change, refusal) = Row::new(name)
        .help(help)
        .show(ui, |ui, label| {
            let width = ui.available_width();
            let output = Number::new(quantity, Shared::Same(*value)).show(ui, width);
            output.response.labelled_by(label);
            (output.change, output.refusal)
        })
        .inner;
    if let Some(sentence) = refusal {
        refusal_ui(ui, &sentence);
    }
    take(value, change)
}

/// `follow` receives the target of a reference that was followed.
pub fn reference_row(
    ui: &mut Ui,
    level: &Level,
    follow: &Cell<Option<EntityId>>,
    name: &str,
    role: Role,
    current: &mut EntityId,
) -> Option<Manner> {
    let picker = Picker {
        level,
        role,
        presence: Presence::Required,
        current: Shared::Same(Some(*current)),
    };
    let picked = Row::new(name)
        .to_the_edge()
        .show(ui, |ui, label| {
            let output = picker.show(ui);
            output.response.labelled_by(label);
            follow.set(output.follow.or(follow.get()));
            output.picked.flatten()
        })
        .inner?;
    *current = picked;
    Some(Manner::Chosen)
}

/// The first entity of the level that a role accepts.
#[must_use]
pub fn first_of(level: &Level, role: Role) -> Option<EntityId> {
    level
        .iter()
        .find(|(_, entity)| role.accepts(entity.kind.name()))
        .map(|(id, _)| id)
}

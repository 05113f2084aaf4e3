//! The kinds with few fields: flags, layers, groups, notes.

use crate::document::{Entity, Kind, KindName, Note, Selection};
use crate::editor::panels::field::section;
use crate::editor::panels::field::text::Lines;
use crate::editor::panels::form::{Field, Form, field, lens};
use egui::Ui;

const FLAG: Field = field(
    "Set at start",
    "The switch's value when a simulation starts.",
);
const AT: Field = field("Position", "Where the note is pinned.");
pub(super) const TEXT: Field = field("Text", "");

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let all_of = |kind: KindName| form.all(|entity| entity.kind.name() == kind);
    if all_of(KindName::Flag) {
        section(ui, "Flag", |ui| {
            form.toggle(ui, FLAG, lens!(Kind::Flag(on) => *on));
        });
    } else if all_of(KindName::Layer) || all_of(KindName::Group) {
        members_ui(ui, form);
    } else if all_of(KindName::Note) {
        section(ui, "Note", |ui| {
            form.text(ui, TEXT, "", Lines::Many, lens!(Kind::Note(n) => n.text));
            form.point(ui, AT, lens!(Kind::Note(Note { at, .. }) => *at));
        });
    }
}

fn members_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let level = form.level();
    let members: Selection = form
        .subjects()
        .flat_map(|(id, entity)| match entity.kind {
            Kind::Layer => level
                .iter()
                .filter(|(_, member)| member.layer == Some(id))
                .map(|(member, _)| member)
                .collect(),
            _ => level.members(id),
        })
        .collect();
    section(ui, "Members", |ui| match members.len() {
        0 => {
            ui.weak("None yet.");
        }
        count => {
            let name = if count == 1 {
                "Select 1 member".to_owned()
            } else {
                format!("Select {count} members")
            };
            if ui.button(name).clicked() {
                form.actions.select(members);
            }
        }
    });
}

//! Layer, group and tags.

use super::overview::Overview;
use crate::document::entity::Role;
use crate::document::{Entity, KindName};
use crate::editor::panels::field::section;
use crate::editor::panels::form::{Field, Form, field, part};
use egui::Ui;

const LAYER: Field = field("Layer", "Layers are shown, hidden and locked as a whole.");
const GROUP: Field = field(
    "Group",
    "Members of a group are selected and moved together.",
);

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>, overview: &Overview) {
    let grouped = form.all(|entity| {
        let kind = entity.kind.name();
        kind.is_placed() || kind == KindName::Group
    });
    section(ui, "Organisation", |ui| {
        if grouped {
            form.optional_reference(ui, LAYER, Role::Layer, part!(Entity, e => e.layer));
            // This would allow putting a group into itself; the outliner checks that.
            if form.all(|entity| entity.kind.name() != KindName::Group) {
                form.optional_reference(ui, GROUP, Role::Group, part!(Entity, e => e.group));
            }
        }
        form.tags(ui, &overview.tags);
    });
}

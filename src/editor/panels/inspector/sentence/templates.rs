//! Clauses to begin with.

use crate::document::entity::Role;
use crate::document::sentence::Names;
use egui::{Popup, Response, ScrollArea, Ui};

/// A clause with a name missing.
struct Template {
    /// With `…` where the name stands.
    title: &'static str,
    role: Role,
    before: &'static str,
    after: &'static str,
}

const TEMPLATES: [Template; 7] = [
    Template {
        title: "Go to …",
        role: Role::GoalArea,
        before: "go to ",
        after: "",
    },
    Template {
        title: "Patrol …",
        role: Role::GoalArea,
        before: "patrol ",
        after: "",
    },
    Template {
        title: "Keep out of sight of …",
        role: Role::ConstraintObject,
        before: "not near line of sight of ",
        after: " with weight 5",
    },
    Template {
        title: "Along the walls of …",
        role: Role::ConstraintObject,
        before: "around ",
        after: " within 1.5 m with weight 3",
    },
    Template {
        title: "Avoid … at night",
        role: Role::ConstraintTarget,
        before: "not in ",
        after: " with weight 8 from 22:00 to 6:00",
    },
    Template {
        title: "Behind …",
        role: Role::ConstraintObject,
        before: "behind ",
        after: " with weight 3",
    },
    Template {
        title: "Never in …",
        role: Role::ConstraintTarget,
        before: "not in ",
        after: "",
    },
];

/// Most names in a menu; others are typed.
const MAX_NAMES: usize = 40;

/// The menu of a button; the clause that was chosen.
pub(super) fn menu(button: &Response, names: &Names) -> Option<String> {
    Popup::menu(button)
        .show(|ui| {
            let mut chosen = None;
            for template in &TEMPLATES {
                ui.menu_button(template.title, |ui| {
                    chosen = names_ui(ui, template, names).or(chosen.take());
                });
            }
            chosen
        })
        .and_then(|shown| shown.inner)
}

fn names_ui(ui: &mut Ui, template: &Template, names: &Names) -> Option<String> {
    let mut chosen = None;
    let mut any = false;
    ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
        for name in names.references(template.role).take(MAX_NAMES) {
            any = true;
            if ui.button(&name).clicked() {
                chosen = Some(format!("{}{name}{}", template.before, template.after));
                ui.close();
            }
        }
    });
    if !any {
        ui.weak("There is nothing yet that could stand here.");
    }
    chosen
}

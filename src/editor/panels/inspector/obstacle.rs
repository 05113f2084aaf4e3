//! Obstacles: height, facing and motion.

use super::motion;
use crate::document::forbidding::rule_for;
use crate::document::{Entity, Kind, limits, tag};
use crate::editor::panels::field::choice::toggle_ui;
use crate::editor::panels::field::{Manner, Row, Shared, section};
use crate::editor::panels::form::{Field, Form, field, lens};
use crate::interaction::operations::by_rule_sentence;
use egui::Ui;

const HEIGHT: Field = field("Height", "From its underside to its top.");
const BASE: Field = field(
    "Base",
    "Height of its underside above the ground; raised ones can be walked under.",
);
const FACING: Field = field(
    "Facing",
    "Direction of its front, counter-clockwise from +x; defines what is in front of it.",
);
const FORBIDDEN: Field = field(
    "Forbidden",
    "Solid, but agents may not step on it. Equivalent to the tag `forbidden`.",
);

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    if !form.all(|entity| matches!(entity.kind, Kind::Obstacle(_))) {
        return;
    }
    section(ui, "Obstacle", |ui| {
        let height = &limits::OBSTACLE_HEIGHT;
        form.number(ui, HEIGHT, height, lens!(Kind::Obstacle(o) => o.height));
        form.number(
            ui,
            BASE,
            &limits::ELEVATION,
            lens!(Kind::Obstacle(o) => o.base),
        );
        let facing = lens!(Kind::Obstacle(o) => o.facing.degrees);
        form.number(ui, FACING, &limits::HEADING, facing);
        forbidden_ui(ui, form);
    });
    section(ui, "Motion", |ui| motion::ui(ui, form));
}

/// Used for solids as well.
pub fn forbidden_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let Some(value) = Shared::of(form.subjects().map(|(_, e)| e.has_tag(tag::FORBIDDEN))) else {
        return;
    };
    let row = Row::new(FORBIDDEN.name).help(FORBIDDEN.help).small();
    let rule = form
        .subjects()
        .find_map(|(id, entity)| rule_for(form.level(), id, entity));
    let rule = rule.map(str::to_owned);
    let asked = row.show(ui, |ui, label| toggle_ui(ui, label, value)).inner;
    if let Some(rule) = &rule {
        ui.weak(format!("By the rule \"{rule}\""))
            .on_hover_text(by_rule_sentence(rule));
    }
    if let Some(on) = asked.filter(|_| rule.is_none()) {
        let _ = form.change(FORBIDDEN, Manner::Chosen, |entity, _| {
            if on {
                entity.tags.insert(tag::FORBIDDEN.to_owned());
            } else {
                entity.tags.remove(tag::FORBIDDEN);
            }
        });
    }
}

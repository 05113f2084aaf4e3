//! Obstacles: height, facing and motion.

use super::places::path_ui;
use crate::document::entity::Role;
use crate::document::forbidding::rule_for;
use crate::document::{Entity, Kind, Motion, Obstacle, Repeat, limits, tag};
use crate::editor::panels::field::choice::toggle_ui;
use crate::editor::panels::field::{Manner, Row, Shared, section};
use crate::editor::panels::form::{Field, Form, field, lens};
use crate::interaction::operations::by_rule_sentence;
use egui::Ui;
use glam::DVec2;

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
const MOVES: Field = field("Moves", "Follows a path during a simulation.");
const SPEED: Field = field("Speed", "How fast it follows its path.");
const REPEAT: Field = field("Repeat", "What happens at the end of the path.");
const ROUTE: Field = field(
    "Along",
    "The route it follows; without one, the path below.",
);
const PATH: Field = field("Path", "The points its centre passes.");

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
    section(ui, "Motion", |ui| motion_ui(ui, form));
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

fn motion_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let moving = Shared::of(form.subjects().map(
        |(_, entity)| matches!(&entity.kind, Kind::Obstacle(obstacle) if obstacle.motion.is_some()),
    ));
    let Some(moving) = moving else {
        return;
    };
    let row = Row::new(MOVES.name).help(MOVES.help).small();
    let asked = row.show(ui, |ui, label| toggle_ui(ui, label, moving)).inner;
    if let Some(on) = asked {
        let _ = form.change(MOVES, Manner::Chosen, |entity, _| {
            if let Kind::Obstacle(obstacle) = &mut entity.kind {
                obstacle.motion = on.then(|| first_motion(obstacle));
            }
        });
    }
    form.number(
        ui,
        SPEED,
        &limits::SPEED,
        lens!(Kind::Obstacle(Obstacle { motion: Some(m), .. }) => m.speed),
    );
    form.choice(
        ui,
        REPEAT,
        &Repeat::ALL.map(|repeat| (repeat, repeat.name())),
        lens!(Kind::Obstacle(Obstacle { motion: Some(m), .. }) => m.repeat),
    );
    form.optional_reference(
        ui,
        ROUTE,
        Role::Route,
        lens!(Kind::Obstacle(Obstacle { motion: Some(m), .. }) => m.route),
    );
    form.custom(
        ui,
        PATH,
        lens!(Kind::Obstacle(Obstacle { motion: Some(m), .. }) => m.path),
        path_ui,
    );
}

/// A few metres along its front, so that there is something to see and drag.
fn first_motion(obstacle: &Obstacle) -> Motion {
    const REACH: f64 = 5.0;
    let from: DVec2 = obstacle.area.centroid();
    Motion {
        path: vec![from, from + REACH * obstacle.facing.direction()],
        speed: limits::SPEED.default,
        route: None,
        repeat: Repeat::BackAndForth,
    }
}

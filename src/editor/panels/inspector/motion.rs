//! How obstacles and solids move.

use super::places::path_ui;
use crate::document::entity::Role;
use crate::document::{Entity, Kind, Motion, Obstacle, Repeat, Solid, limits};
use crate::editor::panels::field::choice::toggle_ui;
use crate::editor::panels::field::{Manner, Row, Shared};
use crate::editor::panels::form::{Field, Form, field, lens};
use egui::Ui;
use glam::DVec2;

const MOVES: Field = field("Moves", "Follows a path during a simulation.");
const SPEED: Field = field("Speed", "How fast it follows its path.");
const REPEAT: Field = field("Repeat", "What happens at the end of the path.");
const ROUTE: Field = field(
    "Along",
    "The route it follows; without one, the path below.",
);
const PATH: Field = field("Path", "The points its centre passes.");

/// The motion of an obstacle or a solid that moves.
macro_rules! motion {
    ($motion:ident => $field:expr) => {
        lens!(
            Kind::Obstacle(Obstacle { motion: Some($motion), .. })
                | Kind::Solid(Solid { motion: Some($motion), .. }) => $field
        )
    };
}

/// For obstacles and solids.
pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let moves = |entity: &Entity| match &entity.kind {
        Kind::Obstacle(obstacle) => obstacle.motion.is_some(),
        Kind::Solid(solid) => solid.motion.is_some(),
        _ => false,
    };
    let Some(moving) = Shared::of(form.subjects().map(|(_, entity)| moves(entity))) else {
        return;
    };
    let row = Row::new(MOVES.name).help(MOVES.help).small();
    let asked = row.show(ui, |ui, label| toggle_ui(ui, label, moving)).inner;
    if let Some(on) = asked {
        let _ = form.change(MOVES, Manner::Chosen, |entity, _| match &mut entity.kind {
            Kind::Obstacle(obstacle) => {
                let (from, ahead) = (obstacle.area.centroid(), obstacle.facing.direction());
                obstacle.motion = on.then(|| first_motion(from, ahead));
            }
            Kind::Solid(solid) => {
                let (from, ahead) = (solid.position.truncate(), solid.rotation.yaw.direction());
                solid.motion = on.then(|| first_motion(from, ahead));
            }
            _ => {}
        });
    }
    form.number(ui, SPEED, &limits::SPEED, motion!(m => m.speed));
    let repeats = Repeat::ALL.map(|repeat| (repeat, repeat.name()));
    form.choice(ui, REPEAT, &repeats, motion!(m => m.repeat));
    form.optional_reference(ui, ROUTE, Role::Route, motion!(m => m.route));
    form.custom(ui, PATH, motion!(m => m.path), path_ui);
}

/// A few metres ahead, so that there is something to see and drag.
fn first_motion(from: DVec2, ahead: DVec2) -> Motion {
    const REACH: f64 = 5.0;
    Motion {
        path: vec![from, from + REACH * ahead],
        speed: limits::SPEED.default,
        route: None,
        repeat: Repeat::BackAndForth,
    }
}

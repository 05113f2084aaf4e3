//! Doors: width, state, what changes it, and who may pass.

use super::constraints::when_ui;
use super::list::list_ui;
use super::profile_set::profiles_ui;
use super::rows::choice_row;
use crate::base::EntityId;
use crate::document::{Door, DoorChange, DoorState, Entity, Kind, Level, Swing, When, limits};
use crate::editor::panels::field::{Manner, section};
use crate::editor::panels::form::{Field, Form, field, lens};
use egui::Ui;
use std::cell::Cell;
use std::sync::Arc;

const STATE: Field = field(
    "State",
    "While nothing below changes it. Shut and locked doors block; engines let characters open \
     those that are shut.",
);
const WIDTH: Field = field("Width", "From jamb to jamb; both move.");
const HEIGHT: Field = field("Height", "From its sill to its top.");
const BASE: Field = field("Base", "Height of its sill above the ground.");
const SWING: Field = field("Leaf", "How it is drawn; it makes no difference to agents.");
const FLOW: Field = field("Flow cap", "At most so many agents pass per second.");
const CHANGES: Field = field(
    "Changes",
    "Another state by the level's clock or a flag; the last one that acts decides.",
);
const LOCKED_FOR: Field = field(
    "Locked for",
    "Profiles that never pass, whatever the state.",
);

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    if !form.all(|entity| matches!(entity.kind, Kind::Door(_))) {
        return;
    }
    section(ui, "Door", |ui| {
        let states = DoorState::ALL.map(|state| (state, state.name()));
        form.choice(ui, STATE, &states, lens!(Kind::Door(d) => d.state));
        let width = |entity: &Entity| match &entity.kind {
            Kind::Door(door) => Some(door.width()),
            _ => None,
        };
        form.derived(ui, WIDTH, &limits::SOLID_SIZE, width, |entity, width| {
            if let Kind::Door(door) = &mut entity.kind {
                set_width(door, width);
            }
        });
        let height = &limits::DOOR_HEIGHT;
        form.number(ui, HEIGHT, height, lens!(Kind::Door(d) => d.height));
        form.number(ui, BASE, &limits::ELEVATION, lens!(Kind::Door(d) => d.base));
        let flow = lens!(Kind::Door(d) => d.flow);
        form.optional_number(ui, FLOW, (&limits::DOOR_FLOW, "none"), flow);
        let swings = Swing::ALL.map(|swing| (swing, swing.name()));
        form.choice(ui, SWING, &swings, lens!(Kind::Door(d) => d.swing));
    });
    let level = Arc::clone(form.level());
    let follow = Cell::new(None);
    section(ui, "Opens and shuts", |ui| {
        form.custom(
            ui,
            CHANGES,
            lens!(Kind::Door(d) => d.changes),
            |ui, changes| changes_ui(ui, &level, &follow, changes),
        );
    });
    section(ui, LOCKED_FOR.name, |ui| {
        form.custom(
            ui,
            LOCKED_FOR,
            lens!(Kind::Door(d) => d.locked_for),
            |ui, profiles| profiles_ui(ui, &level, profiles),
        );
    });
    form.follow(follow.get());
}

/// About its middle, along its direction; a door without one lies along x.
fn set_width(door: &mut Door, width: f64) {
    let [from, to] = door.jambs;
    let along = (to - from).try_normalize().unwrap_or(glam::DVec2::X);
    let centre = door.centre();
    door.jambs = [-0.5, 0.5].map(|side| centre + along * (side * width));
}

fn changes_ui(
    ui: &mut Ui,
    level: &Level,
    follow: &Cell<Option<EntityId>>,
    changes: &mut Vec<DoorChange>,
) -> Option<Manner> {
    let mut manner = list_ui(ui, "Change", changes, |ui, change| {
        let index = DoorState::ALL.iter().position(|state| *state == change.to);
        let names = DoorState::ALL.map(DoorState::name);
        let chosen = choice_row(ui, "Becomes", index.unwrap_or(0), &names).map(|index| {
            change.to = DoorState::ALL[index];
            Manner::Chosen
        });
        when_ui(ui, level, follow, &mut change.when).or(chosen)
    });
    if ui
        .button("Add a change")
        .on_hover_text("For example: locked from 22:00 to 6:00, open while the flag Alarm is set.")
        .clicked()
    {
        changes.push(DoorChange {
            to: DoorState::Shut,
            when: When::between(22.0, 6.0),
        });
        manner = Some(Manner::Chosen);
    }
    manner
}

//! Agents and crowds: where and how they start.

use crate::document::{Agent, Crowd, Entity, Kind, Spawn, limits};
use crate::editor::panels::field::section;
use crate::editor::panels::form::{Field, Form, field, lens};
use egui::Ui;

const START: Field = field("Start", "Where the agent starts.");
const ELEVATION: Field = field("Elevation", "Height of the start; picks the storey.");
const HEADING: Field = field("Heading", "The direction it faces at the start.");
const COUNT: Field = field("Agents", "Total number of agents.");
const SPAWN: Field = field("Appear", "All at once or as a stream.");
const RATE: Field = field("Rate", "Agents per second until all have appeared.");

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    if form.all(|entity| matches!(entity.kind, Kind::Agent(_))) {
        section(ui, "Agent", |ui| {
            let start = lens!(Kind::Agent(Agent { start, .. }) => *start);
            form.place(ui, START, ELEVATION, start);
            let heading = lens!(Kind::Agent(a) => a.heading.degrees);
            form.number(ui, HEADING, &limits::HEADING, heading);
        });
    } else if form.all(|entity| matches!(entity.kind, Kind::Crowd(_))) {
        section(ui, "Crowd", |ui| crowd_ui(ui, form));
    }
}

fn crowd_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    form.count(
        ui,
        COUNT,
        &limits::CROWD_COUNT,
        lens!(Kind::Crowd(c) => c.count),
    );
    let current = |entity: &Entity| match &entity.kind {
        Kind::Crowd(crowd) => Some(usize::from(crowd.spawn != Spawn::AtOnce)),
        _ => None,
    };
    let options = ["All at once", "In a stream"];
    form.variant(ui, SPAWN, &options, current, |entity, index| {
        if let Kind::Crowd(crowd) = &mut entity.kind {
            crowd.spawn = match index {
                0 => Spawn::AtOnce,
                _ => Spawn::Stream {
                    per_second: limits::SPAWN_RATE.default,
                },
            };
        }
    });
    let rate = lens!(
        Kind::Crowd(Crowd { spawn: Spawn::Stream { per_second }, .. }) => *per_second
    );
    form.number(ui, RATE, &limits::SPAWN_RATE, rate);
}

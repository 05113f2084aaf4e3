//! Exits, waiting areas, queues and measurements.

use super::duration::duration_ui;
use super::rows::{first_of, reference_row};
use crate::base::Distribution;
use crate::document::entity::Role;
use crate::document::{
    Entity, FlagIs, Kind, Measure, MeasureShape, Queue, Wait, WaitingArea, limits,
};
use crate::editor::panels::field::{Manner, section};
use crate::editor::panels::form::{Field, Form, field, lens};
use egui::Ui;
use std::cell::Cell;
use std::sync::Arc;

const BASE: Field = field(
    "Base",
    "Height of its floor above the ground; picks the storey.",
);
const WAITS: Field = field("Agents wait", "How long those wait who have it as a goal.");
const HOUR: Field = field("Until", "Time of day by the level's clock.");
const TIME: Field = field("Waiting time", "Drawn anew for each agent.");
const FLAG: Field = field("Flag", "They go on as soon as it is as given.");
const SERVICE: Field = field("Service", "How long each is served at the counter.");
const SPACING: Field = field("Spacing", "Distance between people in the line.");
const ENDS: [Field; 2] = [
    field("From", "One end of the line."),
    field(
        "To",
        "The other end; agents that cross from its right count as positive.",
    ),
];

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    if form.all(|entity| matches!(entity.kind, Kind::Exit(_))) {
        section(ui, "Exit", |ui| {
            form.number(ui, BASE, &limits::ELEVATION, lens!(Kind::Exit(e) => e.base));
            ui.weak("Agents with this goal, or with the nearest exit as their goal, leave here.");
        });
    } else if form.all(|entity| matches!(entity.kind, Kind::WaitingArea(_))) {
        section(ui, "Waiting area", |ui| waiting_ui(ui, form));
    } else if form.all(|entity| matches!(entity.kind, Kind::Queue(_))) {
        section(ui, "Queue", |ui| queue_ui(ui, form));
    } else if form.all(|entity| matches!(entity.kind, Kind::Measure(_))) {
        section(ui, "Measurement", |ui| measure_ui(ui, form));
    }
}

fn waiting_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let level = Arc::clone(form.level());
    let current = |entity: &Entity| match &entity.kind {
        Kind::WaitingArea(waiting) => Some(match waiting.wait {
            Wait::For(_) => 0,
            Wait::UntilHour(_) => 1,
            Wait::Until(FlagIs::Set(_)) => 2,
            Wait::Until(FlagIs::Unset(_)) => 3,
        }),
        _ => None,
    };
    let flag = first_of(&level, Role::Flag);
    let mut options = vec!["For a time", "Until a time of day"];
    if flag.is_some() || form.all(|entity| current(entity).is_some_and(|index| index > 1)) {
        options.extend(["Until a flag is on", "Until a flag is off"]);
    }
    form.variant(ui, WAITS, &options, current, |entity, index| {
        if let Kind::WaitingArea(waiting) = &mut entity.kind {
            waiting.wait = match (index, flag) {
                (1, _) => Wait::UntilHour(limits::TIME_OF_DAY.default),
                (2, Some(flag)) => Wait::Until(FlagIs::Set(flag)),
                (3, Some(flag)) => Wait::Until(FlagIs::Unset(flag)),
                _ => Wait::For(Distribution::Constant(limits::WAITING.default)),
            };
        }
    });
    let hour = lens!(Kind::WaitingArea(WaitingArea { wait: Wait::UntilHour(hour), .. }) => *hour);
    form.number(ui, HOUR, &limits::TIME_OF_DAY, hour);
    let follow = Cell::new(None);
    let until = lens!(Kind::WaitingArea(WaitingArea { wait: Wait::Until(until), .. }) => *until);
    form.custom(ui, FLAG, until, |ui, until| {
        let mut flag = until.flag();
        let manner = reference_row(ui, &level, &follow, FLAG.name, Role::Flag, &mut flag)?;
        *until = until.on(flag);
        Some(manner)
    });
    form.follow(follow.get());
    let time = lens!(Kind::WaitingArea(WaitingArea { wait: Wait::For(time), .. }) => *time);
    form.custom(ui, TIME, time, |ui, time| {
        duration_ui(ui, TIME.name, limits::WAITING.default, time)
    });
    let base = lens!(Kind::WaitingArea(w) => w.base);
    form.number(ui, BASE, &limits::ELEVATION, base);
}

fn queue_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let service = lens!(Kind::Queue(Queue { service, .. }) => *service);
    form.custom(ui, SERVICE, service, |ui, service| {
        duration_ui(ui, SERVICE.name, limits::SERVICE.default, service)
    });
    let spacing = lens!(Kind::Queue(q) => q.spacing);
    form.number(ui, SPACING, &limits::QUEUE_SPACING, spacing);
    form.number(
        ui,
        BASE,
        &limits::ELEVATION,
        lens!(Kind::Queue(q) => q.base),
    );
    if let Some((_, entity)) = form.single()
        && let Kind::Queue(queue) = &entity.kind
    {
        let room = format!(
            "Room for {} in {:.1} m.",
            queue.slots().len(),
            queue.length()
        );
        ui.weak(room);
    }
}

fn measure_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let ends = lens!(Kind::Measure(Measure { shape: MeasureShape::Line(ends), .. }) => *ends);
    for (index, field) in ENDS.into_iter().enumerate() {
        form.custom(ui, field, ends, |ui, ends| -> Option<Manner> {
            super::places::point_ui(ui, field.name, &mut ends[index])
        });
    }
    let base = lens!(Kind::Measure(m) => m.base);
    form.number(ui, BASE, &limits::ELEVATION, base);
    let is_line = form.all(|entity| match &entity.kind {
        Kind::Measure(measure) => matches!(measure.shape, MeasureShape::Line(_)),
        _ => false,
    });
    ui.weak(if is_line {
        "Flow across it is measured in every run."
    } else {
        "Density and speed inside it are measured in every run."
    });
}

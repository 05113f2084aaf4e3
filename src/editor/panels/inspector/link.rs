//! Links: what is done on them, ends, cost, time, and who may use them.

use super::profile_set::profiles_ui;
use crate::document::{Entity, Kind, Link, LinkAction, LinkDirection, LinkPace, limits};
use crate::editor::panels::field::section;
use crate::editor::panels::field::text::Lines;
use crate::editor::panels::form::{Field, Form, field, lens};
use egui::Ui;
use std::sync::Arc;

const ACTION: Field = field("Action", "What agents do there, instead of walking.");
const DIRECTION: Field = field("Direction", "One way leads from the start to the end.");
const FROM: Field = field("From", "");
const FROM_ELEVATION: Field = field("From height", "Picks the storey on which it begins.");
const TO: Field = field("To", "");
const TO_ELEVATION: Field = field("To height", "Picks the storey on which it ends.");
const COST: Field = field(
    "Cost",
    "What it adds to the cost of a path, as if it were so many metres of level ground.",
);
const PACE: Field = field("Takes", "How long agents are on it.");
const SPEED: Field = field("Speed", "Along its length.");
const TIME: Field = field("Time", "For the whole link.");
const ANIMATION: Field = field(
    "Animation",
    "The name of the animation that an engine plays; exported as it is.",
);
const PROFILES: Field = field("May use it", "None ticked: everyone may.");

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    if !form.all(|entity| matches!(entity.kind, Kind::Link(_))) {
        return;
    }
    section(ui, "Link", |ui| {
        let actions = LinkAction::ALL.map(|action| (action, action.name()));
        form.choice(ui, ACTION, &actions, lens!(Kind::Link(l) => l.action));
        let directions = LinkDirection::ALL.map(|direction| (direction, direction.name()));
        let direction = lens!(Kind::Link(l) => l.direction);
        form.choice(ui, DIRECTION, &directions, direction);
        let cost = lens!(Kind::Link(l) => l.cost);
        form.optional_number(ui, COST, (&limits::LINK_COST, "its length"), cost);
        pace_ui(ui, form);
        let from = lens!(Kind::Link(Link { from, .. }) => *from);
        form.place(ui, FROM, FROM_ELEVATION, from);
        let to = lens!(Kind::Link(Link { to, .. }) => *to);
        form.place(ui, TO, TO_ELEVATION, to);
        let animation = lens!(Kind::Link(l) => l.animation);
        form.text(ui, ANIMATION, "none", Lines::One, animation);
    });
    let level = Arc::clone(form.level());
    section(ui, PROFILES.name, |ui| {
        let profiles = lens!(Kind::Link(l) => l.profiles);
        form.custom(ui, PROFILES, profiles, |ui, profiles| {
            if profiles.is_empty() {
                ui.weak("Everyone.");
            }
            profiles_ui(ui, &level, profiles)
        });
    });
}

fn pace_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let current = |entity: &Entity| match &entity.kind {
        Kind::Link(link) => Some(match link.pace {
            LinkPace::Profile => 0,
            LinkPace::Speed(_) => 1,
            LinkPace::Time(_) => 2,
        }),
        _ => None,
    };
    let options = ["As walking", "At a speed", "A fixed time"];
    form.variant(ui, PACE, &options, current, |entity, index| {
        if let Kind::Link(link) = &mut entity.kind {
            link.pace = match index {
                0 => LinkPace::Profile,
                1 => LinkPace::Speed(limits::SPEED.default),
                _ => LinkPace::Time(limits::LINK_TIME.default),
            };
        }
    });
    let speed = lens!(Kind::Link(Link { pace: LinkPace::Speed(speed), .. }) => *speed);
    form.number(ui, SPEED, &limits::SPEED, speed);
    let time = lens!(Kind::Link(Link { pace: LinkPace::Time(time), .. }) => *time);
    form.number(ui, TIME, &limits::LINK_TIME, time);
}

//! Missions of agents and crowds.

use super::constraints::constraints_ui;
use super::goals::goals_ui;
use super::search;
use super::sentence::SentenceField;
use super::walk;
use crate::document::entity::Role;
use crate::document::{Agent, Crowd, Entity, Kind, PlannerId, Repeat};
use crate::editor::panels::field::section;
use crate::editor::panels::form::{Field, Form, field, lens};
use crate::editor::theme::{Palette, panel};
use crate::planner::registry::{self, Audience};
use egui::{Label, RichText, Ui};
use egui_material_icons::icons;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

const PROFILE: Field = field("Profile", "Body, speeds and preferences.");
const PLANNER: Field = field("Planner", "How its path is found.");
const ROUTE: Field = field("Route", "The indicative route to follow, if any.");
const REPEAT: Field = field("Repeat", "What happens when the last goal is reached.");
const GOALS: Field = field("Goals", "Visited in this order.");
const CONSTRAINTS: Field = field("Constraints", "Preferences and prohibitions for the path.");

/// The mission of an agent or a crowd.
macro_rules! mission {
    ($mission:ident => $field:expr) => {
        lens!(
            Kind::Agent(Agent { mission: $mission, .. })
                | Kind::Crowd(Crowd { mission: $mission, .. }) => $field
        )
    };
}

pub(super) use mission;

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>, sentence: &mut SentenceField) {
    if !form.all(|entity| entity.mission().is_some()) {
        return;
    }
    section(ui, "Mission", |ui| {
        form.reference(ui, PROFILE, Role::Profile, mission!(m => m.profile));
        let names = planner_names();
        let planners: Vec<_> = names
            .iter()
            .map(|(id, name)| (*id, name.as_str()))
            .collect();
        form.choice(ui, PLANNER, &planners, mission!(m => m.planner));
        stand_in_ui(ui, form);
        form.optional_reference(ui, ROUTE, Role::Route, mission!(m => m.route));
    });
    walk::ui(ui, form);
    search::ui(ui, form);
    section(ui, "In words", |ui| sentence.ui(ui, form));
    let follow = Cell::new(None);
    section(ui, "Goals", |ui| {
        let level = Arc::clone(form.level());
        let near = form.single().and_then(|(_, entity)| start_of(entity));
        form.custom(ui, GOALS, mission!(m => m.goals), |ui, goals| {
            goals_ui(ui, &level, near, &follow, goals)
        });
        let repeats = Repeat::ALL.map(|repeat| (repeat, repeat.name()));
        form.choice(ui, REPEAT, &repeats, mission!(m => m.repeat));
    });
    section(ui, "Constraints", |ui| {
        let names = sentence.names(form.level());
        form.custom(ui, CONSTRAINTS, mission!(m => m.constraints), |ui, list| {
            constraints_ui(ui, &names, &follow, list)
        });
    });
    form.follow(follow.get());
}

/// All planners for agents; those that are not available yet say so.
pub(super) fn planner_names() -> Vec<(PlannerId, String)> {
    let rows = registry::rows().into_iter();
    rows.filter(|row| row.audience == Audience::Agents)
        .map(|row| {
            let name = if row.is_available() {
                row.title.to_owned()
            } else {
                format!("{} (not available yet)", row.title)
            };
            (row.id, name)
        })
        .collect()
}

/// Shown if the chosen planner is not available yet, with the planner used instead.
fn stand_in_ui(ui: &mut Ui, form: &Form<'_, Entity>) {
    let missing: BTreeSet<PlannerId> = form
        .subjects()
        .filter_map(|(_, entity)| entity.mission())
        .map(|mission| mission.planner)
        .filter(|planner| !registry::is_available(*planner))
        .collect();
    for planner in missing {
        let words = format!(
            "{} is not available yet: “{}” is used instead, and terrain, route and constraints are \
             ignored.",
            registry::title(planner),
            registry::title(registry::effective(planner))
        );
        ui.horizontal_top(|ui| {
            let palette = Palette::of(ui.visuals());
            ui.spacing_mut().item_spacing.x = 4.0;
            let icon = icons::ICON_HOURGLASS_EMPTY.rich_text().size(panel::ICON);
            ui.label(icon.color(palette.warning));
            ui.add(Label::new(RichText::new(words).color(palette.warning)).wrap());
        });
    }
}

fn start_of(entity: &Entity) -> Option<glam::DVec3> {
    match &entity.kind {
        Kind::Agent(agent) => Some(agent.start),
        Kind::Crowd(crowd) => Some(crowd.area.centroid().extend(0.0)),
        _ => None,
    }
}

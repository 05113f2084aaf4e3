//! What agents and crowds are out to do.

use super::constraints::constraints_ui;
use super::goals::goals_ui;
use super::walk;
use crate::document::entity::Role;
use crate::document::{Agent, Crowd, Entity, Kind, PlannerKind, Repeat};
use crate::editor::panels::field::section;
use crate::editor::panels::form::{Field, Form, field, lens};
use crate::editor::theme::{Palette, panel};
use crate::planner::prepared::{choice_of, is_there};
use egui::{Label, RichText, Ui};
use egui_material_icons::icons;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

const PROFILE: Field = field("Profile", "Body, pace and tastes.");
const PLANNER: Field = field("Planner", "How its path is found.");
const ROUTE: Field = field("Route", "The indicative route to follow, if any.");
const REPEAT: Field = field("At the end", "What happens when the last goal is reached.");
const GOALS: Field = field("Goals", "Visited in this order.");
const CONSTRAINTS: Field = field("Constraints", "Wishes and prohibitions about the path.");

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

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    if !form.all(|entity| entity.mission().is_some()) {
        return;
    }
    section(ui, "Mission", |ui| {
        form.reference(ui, PROFILE, Role::Profile, mission!(m => m.profile));
        let names = planner_names();
        let planners = names
            .each_ref()
            .map(|(planner, name)| (*planner, name.as_str()));
        form.choice(ui, PLANNER, &planners, mission!(m => m.planner));
        stand_in_ui(ui, form);
        form.optional_reference(ui, ROUTE, Role::Route, mission!(m => m.route));
    });
    walk::ui(ui, form);
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
        let level = Arc::clone(form.level());
        form.custom(ui, CONSTRAINTS, mission!(m => m.constraints), |ui, list| {
            constraints_ui(ui, &level, &follow, list)
        });
    });
    form.follow(follow.get());
}

/// All planners; those that cannot be asked yet say so.
pub(super) fn planner_names() -> [(PlannerKind, String); 8] {
    PlannerKind::ALL.map(|planner| {
        let name = planner.name();
        let name = if is_there(planner) {
            name.to_owned()
        } else {
            format!("{name} (not there yet)")
        };
        (planner, name)
    })
}

/// Says so where the chosen planner cannot be asked yet, and who answers in its place.
fn stand_in_ui(ui: &mut Ui, form: &Form<'_, Entity>) {
    let missing: BTreeSet<PlannerKind> = form
        .subjects()
        .filter_map(|(_, entity)| entity.mission())
        .map(|mission| mission.planner)
        .filter(|planner| !is_there(*planner))
        .collect();
    for planner in missing {
        let words = format!(
            "{} is not there yet: until then its paths are those of “{}”, and terrain, route and \
             constraints do not count.",
            planner.name(),
            choice_of(planner).title()
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

//! Navigation tests: the query and the expected result.

use super::list::list_ui;
use super::mission::planner_names;
use super::rows::{first_of, number_row, reference_row};
use crate::base::EntityId;
use crate::document::entity::Role;
use crate::document::{
    DensityLimit, Entity, Expectation, Kind, Level, NavTest, PlannerId, Query, limits,
};
use crate::editor::panels::field::button::icon_button;
use crate::editor::panels::field::row::stable_scope;
use crate::editor::panels::field::{Manner, Row, Shared, section};
use crate::editor::panels::form::reference::{Picker, Presence};
use crate::editor::panels::form::{Field, Form, field, lens};
use crate::editor::theme::panel;
use egui::{Ui, vec2};
use egui_material_icons::icons;
use glam::DVec3;
use std::cell::Cell;
use std::sync::Arc;

const QUERY: Field = field("Query", "An agent's path, or a path between two points.");
const AGENT: Field = field("Agent", "The agent whose path is tested.");
const FROM: Field = field("From", "");
const FROM_ELEVATION: Field = field("From height", "");
const TO: Field = field("To", "");
const TO_ELEVATION: Field = field("To height", "");
const PROFILE: Field = field("Profile", "The profile that the path is planned for.");
const PLANNER: Field = field("Planner", "");
const REACHABLE: Field = field("A path exists", "Off: the test passes when there is none.");
const MAX_LENGTH: Field = field("Length ≤", "The path must not be longer.");
const MAX_COST: Field = field("Cost ≤", "The path must not cost more.");
const MIN_CLEARANCE: Field = field("Clearance ≥", "The path must stay this far from obstacles.");
const ALL_OUT: Field = field("All out within", "Everyone has left the level by then.");
const NONE_STUCK: Field = field("No agent stuck", "Every agent gets on at all times.");
const DENSITY: Field = field(
    "Densities",
    "Most agents per square metre in measuring areas.",
);
const NEVER_IN: Field = field(
    "Never in",
    "Terrains and areas that the path must not enter.",
);

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    if !form.all(|entity| matches!(entity.kind, Kind::Test(_))) {
        return;
    }
    section(ui, "Question", |ui| question_ui(ui, form));
    let is_run = |entity: &Entity| match &entity.kind {
        Kind::Test(test) => test.query == Query::Run,
        _ => false,
    };
    if form.all(is_run) {
        section(ui, "Expectation", |ui| run_ui(ui, form));
        return;
    }
    section(ui, "Expectation", |ui| {
        form.toggle(
            ui,
            REACHABLE,
            lens!(Kind::Test(t) => t.expectation.reachable),
        );
        let length = lens!(Kind::Test(t) => t.expectation.max_length);
        form.optional_number(ui, MAX_LENGTH, (&limits::PATH_LENGTH, "any"), length);
        let cost = lens!(Kind::Test(t) => t.expectation.max_cost);
        form.optional_number(ui, MAX_COST, (&limits::PATH_COST, "any"), cost);
        let clearance = lens!(Kind::Test(t) => t.expectation.min_clearance);
        form.optional_number(ui, MIN_CLEARANCE, (&limits::CLEARANCE, "any"), clearance);
        let level = Arc::clone(form.level());
        let follow = Cell::new(None);
        form.custom(
            ui,
            NEVER_IN,
            lens!(
                Kind::Test(NavTest { expectation: Expectation { never_in, .. }, .. }) => *never_in
            ),
            |ui, areas| {
                Row::new(NEVER_IN.name)
                    .help(NEVER_IN.help)
                    .to_the_edge()
                    .show(ui, |ui, _| areas_ui(ui, &level, &follow, areas))
                    .inner
            },
        );
        form.follow(follow.get());
    });
}

fn run_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let within = lens!(Kind::Test(t) => t.expectation.run.all_out_within);
    form.optional_number(ui, ALL_OUT, (&limits::EVACUATION, "not tested"), within);
    let stuck = lens!(Kind::Test(t) => t.expectation.run.none_stuck);
    form.toggle(ui, NONE_STUCK, stuck);
    let level = Arc::clone(form.level());
    let follow = Cell::new(None);
    let densities = lens!(Kind::Test(t) => t.expectation.run.max_density);
    form.custom(ui, DENSITY, densities, |ui, limits_of| {
        densities_ui(ui, &level, &follow, limits_of)
    });
    form.follow(follow.get());
}

fn densities_ui(
    ui: &mut Ui,
    level: &Level,
    follow: &Cell<Option<EntityId>>,
    list: &mut Vec<DensityLimit>,
) -> Option<Manner> {
    let mut manner = list_ui(ui, "Density", list, |ui, density| {
        let role = Role::MeasuredArea;
        let area = reference_row(ui, level, follow, "In", role, &mut density.area);
        number_row(ui, "At most", "", &limits::DENSITY, &mut density.limit).or(area)
    });
    let first = first_of(level, Role::MeasuredArea);
    let add = ui
        .add_enabled(first.is_some(), egui::Button::new("Limit a density"))
        .on_disabled_hover_text("Draw a measuring area first.");
    if let Some(area) = first
        && add.clicked()
    {
        list.push(DensityLimit {
            area,
            limit: limits::DENSITY.default,
        });
        manner = Some(Manner::Chosen);
    }
    manner
}

fn question_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let level = Arc::clone(form.level());
    let current = |entity: &Entity| match &entity.kind {
        Kind::Test(test) => Some(match test.query {
            Query::Agent(_) => 0,
            Query::Between { .. } => 1,
            Query::Run => 2,
        }),
        _ => None,
    };
    let options = ["An agent's path", "A path", "A run of the level"];
    form.variant(ui, QUERY, &options, current, |entity, index| {
        if let Kind::Test(test) = &mut entity.kind {
            test.query = query_of(&level, index);
        }
    });
    let agent = lens!(Kind::Test(NavTest { query: Query::Agent(agent), .. }) => *agent);
    form.reference(ui, AGENT, Role::TestedAgent, agent);
    let from = lens!(Kind::Test(NavTest { query: Query::Between { from, .. }, .. }) => *from);
    form.place(ui, FROM, FROM_ELEVATION, from);
    let to = lens!(Kind::Test(NavTest { query: Query::Between { to, .. }, .. }) => *to);
    form.place(ui, TO, TO_ELEVATION, to);
    let profile =
        lens!(Kind::Test(NavTest { query: Query::Between { profile, .. }, .. }) => *profile);
    form.reference(ui, PROFILE, Role::Profile, profile);
    let planner =
        lens!(Kind::Test(NavTest { query: Query::Between { planner, .. }, .. }) => *planner);
    let names = planner_names();
    let planners: Vec<_> = names
        .iter()
        .map(|(id, name)| (*id, name.as_str()))
        .collect();
    form.choice(ui, PLANNER, &planners, planner);
}

/// A query of the other kind, for the first agent or across the level.
fn query_of(level: &Level, index: usize) -> Query {
    let missing = EntityId::new(0);
    if index == 2 {
        return Query::Run;
    }
    if index == 0 {
        return Query::Agent(level.agents().next().map_or(missing, |(id, ..)| id));
    }
    let bounds = level.settings().bounds;
    let at = |share: f64| -> DVec3 { bounds.min.lerp(bounds.max, share).extend(0.0) };
    Query::Between {
        from: at(0.25),
        to: at(0.75),
        profile: level.profiles().next().map_or(missing, |(id, ..)| id),
        planner: PlannerId::default(),
    }
}

fn areas_ui(
    ui: &mut Ui,
    level: &Level,
    follow: &Cell<Option<EntityId>>,
    areas: &mut Vec<EntityId>,
) -> Option<Manner> {
    let mut manner = None;
    let mut removed = None;
    for (index, area) in areas.iter_mut().enumerate() {
        stable_scope(ui, ("area", index), |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                let width = ui.available_width() - panel::ICON_BUTTON;
                let picker_room = vec2(width, panel::FIELD_ROW);
                ui.allocate_ui(picker_room, |ui| {
                    let output = picker(level, Some(*area)).show(ui);
                    let name = format!("Area to avoid {}", index + 1);
                    output.response.accessible_name(name);
                    follow.set(output.follow.or(follow.get()));
                    if let Some(picked) = output.picked.flatten() {
                        *area = picked;
                        manner = Some(Manner::Chosen);
                    }
                });
                let name = format!("Remove {} from the list", level.label(*area));
                if icon_button(ui, icons::ICON_CLOSE, &name).clicked() {
                    removed = Some(index);
                }
            });
        });
    }
    if let Some(index) = removed {
        areas.remove(index);
        manner = Some(Manner::Chosen);
    }
    let free = level
        .iter()
        .find(|(id, entity)| Role::TestedArea.accepts(entity.kind.name()) && !areas.contains(id));
    let add = ui
        .add_enabled(free.is_some(), egui::Button::new("Add an area"))
        .on_disabled_hover_text("There is no other terrain, region or area.");
    if let Some((id, _)) = free
        && add.clicked()
    {
        areas.push(id);
        manner = Some(Manner::Chosen);
    }
    manner
}

const fn picker(level: &Level, current: Option<EntityId>) -> Picker<'_> {
    Picker {
        level,
        role: Role::TestedArea,
        presence: Presence::Required,
        current: Shared::Same(current),
    }
}

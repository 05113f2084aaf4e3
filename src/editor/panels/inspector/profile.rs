//! Profiles: body, speeds, preferences.

use super::figure::figure_ui;
use crate::base::EntityId;
use crate::document::{Action, Entity, Kind, KindName, Profile, limits};
use crate::editor::panels::census::Census;
use crate::editor::panels::field::button::{icon_button_if, named_button};
use crate::editor::panels::field::{Change, Manner, Number, Row, Shared, section};
use crate::editor::panels::form::{Field, Form, field, lens};
use crate::editor::panels::weight_menu::weight_menu;
use crate::editor::theme::panel;
use egui::{Align, Layout, Ui};
use egui_material_icons::icons;

const COLOUR: Field = field("Colour", "How agents of this profile are drawn.");
const RADIUS: Field = field("Radius", "Half the width it needs to pass.");
const HEIGHT: Field = field("Height", "Headroom it needs when upright.");
const BENT: Field = field("Bent height", "Headroom it can pass when bent.");
const STEP: Field = field("Step height", "Highest step up or down.");
const SPAN: Field = field("Foot span", "Longest step in plan.");
const JUMP: Field = field("Jump", "Longest gap it can jump.");
const SPEED: Field = field("Speed", "Preferred speed.");
const MAX_SPEED: Field = field("Top speed", "The highest speed it can reach.");
const ACCELERATION: Field = field("Acceleration", "How fast its speed changes.");
const WEIGHTS: Field = field("Terrain weight", "");
const ACTIONS: Field = field(
    "Preferred actions",
    "Where several actions lead to the same cell, the first in this list is used.",
);

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>, census: &Census) {
    if !form.all(|entity| matches!(entity.kind, Kind::Profile(_))) {
        return;
    }
    section(ui, "Body", |ui| {
        if let Some((_, entity)) = form.single()
            && let Kind::Profile(profile) = &entity.kind
        {
            figure_ui(ui, profile);
        }
        form.colour(ui, COLOUR, lens!(Kind::Profile(p) => p.colour));
        form.number(
            ui,
            RADIUS,
            &limits::RADIUS,
            lens!(Kind::Profile(p) => p.body.radius),
        );
        let height = &limits::BODY_HEIGHT;
        form.number(ui, HEIGHT, height, lens!(Kind::Profile(p) => p.body.height));
        let bent = &limits::BENT_HEIGHT;
        form.number(
            ui,
            BENT,
            bent,
            lens!(Kind::Profile(p) => p.body.bent_height),
        );
        let step = &limits::STEP_HEIGHT;
        form.number(
            ui,
            STEP,
            step,
            lens!(Kind::Profile(p) => p.body.step_height),
        );
        let span = &limits::FOOT_SPAN;
        form.number(ui, SPAN, span, lens!(Kind::Profile(p) => p.body.foot_span));
        form.number(
            ui,
            JUMP,
            &limits::JUMP,
            lens!(Kind::Profile(p) => p.body.jump),
        );
    });
    section(ui, "Pace", |ui| {
        form.number(
            ui,
            SPEED,
            &limits::SPEED,
            lens!(Kind::Profile(p) => p.pace.speed),
        );
        let max_speed = lens!(Kind::Profile(p) => p.pace.max_speed);
        form.number(ui, MAX_SPEED, &limits::MAX_SPEED, max_speed);
        let acceleration = lens!(Kind::Profile(p) => p.pace.acceleration);
        form.number(ui, ACCELERATION, &limits::ACCELERATION, acceleration);
    });
    section(ui, "Terrain weights", |ui| weights_ui(ui, form, census));
    section(ui, ACTIONS.name, |ui| {
        ui.weak(ACTIONS.help);
        let actions = lens!(Kind::Profile(p) => p.action_priority);
        form.custom(ui, ACTIONS, actions, actions_ui);
    });
}

/// One row per terrain; an inherited weight is faint.
fn weights_ui(ui: &mut Ui, form: &mut Form<'_, Entity>, census: &Census) {
    let level = form.level();
    let terrains = census.definitions(KindName::Terrain);
    if terrains.is_empty() {
        ui.weak("The level has no terrains yet: every metre costs 1.");
        return;
    }
    let presets = named_button(ui, icons::ICON_BALANCE, "Weight preset…")
        .on_hover_text("Sets all weights: pedestrian, animal, vehicle, adult, child");
    let profiles = form.subjects().map(|(id, _)| id).collect();
    weight_menu(&presets, form.document, &profiles, form.actions);
    for terrain in terrains.iter().copied() {
        let Some((entity, inherited)) = level.get(terrain).and_then(|entity| match &entity.kind {
            Kind::Terrain(terrain) => Some((entity, terrain)),
            _ => None,
        }) else {
            continue;
        };
        let own = Shared::of(
            form.subjects()
                .map(|(_, entity)| own_weight(entity, terrain)),
        );
        let Some(own) = own else {
            continue;
        };
        let shown = own.map(|own| own.unwrap_or(inherited.weight));
        let is_own = own != Shared::Same(None);
        let name = entity.label(terrain);
        let row = Row::new(&name)
            .help("Cost per metre on this terrain.")
            .resettable(is_own)
            .show(ui, |ui, label| {
                let width = ui.available_width();
                let output = Number::new(&limits::TERRAIN_WEIGHT, shown)
                    .faint(!is_own)
                    .show(ui, width);
                output.response.labelled_by(label);
                (output.change, output.refusal)
            });
        let (change, refusal) = row.inner;
        if let Some(sentence) = refusal {
            crate::editor::panels::field::row::refusal_ui(ui, &sentence);
        }
        let change = change.map(|change| change.map(Some));
        if let Some(change) = change.or(row.reset.then_some(Change::chosen(None))) {
            let _ = form.change(WEIGHTS, change.manner, |entity, _| {
                set_weight(entity, terrain, change.value);
            });
        }
    }
}

/// The profile's own weight for a terrain.
pub fn own_weight(profile: &Entity, terrain: EntityId) -> Option<f64> {
    match &profile.kind {
        Kind::Profile(Profile {
            terrain_weights, ..
        }) => terrain_weights.get(&terrain).copied(),
        _ => None,
    }
}

/// Sets or removes a profile's own weight.
pub fn set_weight(profile: &mut Entity, terrain: EntityId, weight: Option<f64>) {
    if let Kind::Profile(profile) = &mut profile.kind {
        match weight {
            Some(weight) => profile.terrain_weights.insert(terrain, weight),
            None => profile.terrain_weights.remove(&terrain),
        };
    }
}

fn actions_ui(ui: &mut Ui, actions: &mut [Action; 5]) -> Option<Manner> {
    let mut swapped = None;
    for (index, action) in actions.iter().enumerate() {
        ui.horizontal(|ui| {
            ui.set_min_height(panel::FIELD_ROW);
            ui.weak(format!("{}", index + 1));
            ui.label(action.name());
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                let name = action.name().to_lowercase();
                let down = format!("Prefer {name} less");
                let can_sink = index + 1 < Action::ALL.len();
                if icon_button_if(ui, can_sink, icons::ICON_ARROW_DOWNWARD, &down).clicked() {
                    swapped = Some((index, index + 1));
                }
                let up = format!("Prefer {name} more");
                if icon_button_if(ui, index > 0, icons::ICON_ARROW_UPWARD, &up).clicked() {
                    swapped = Some((index, index - 1));
                }
            });
        });
    }
    let (a, b) = swapped?;
    actions.swap(a, b);
    Some(Manner::Chosen)
}

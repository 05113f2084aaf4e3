//! Terrain types, and the regions painted with them.

use super::geometry::value_ui;
use crate::document::entity::Role;
use crate::document::{Entity, Kind, Selection, limits};
use crate::editor::panels::field::pattern::pattern_ui;
use crate::editor::panels::field::{Change, Row, Shared, section};
use crate::editor::panels::form::{Field, Form, field, lens};
use egui::Ui;

const COLOUR: Field = field("Colour", "How regions of this terrain are filled.");
const PATTERN: Field = field(
    "Pattern",
    "Distinguishes the terrain without relying on colour.",
);
const WEIGHT: Field = field(
    "Weight",
    "Cost per metre for profiles without a weight of their own.",
);
const TERRAIN: Field = field("Terrain", "The region's terrain.");

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    if !form.all(|entity| matches!(entity.kind, Kind::Terrain(_))) {
        return;
    }
    section(ui, "Terrain", |ui| {
        form.colour(ui, COLOUR, lens!(Kind::Terrain(t) => t.colour));
        pattern_row(ui, form);
        let weight = &limits::TERRAIN_WEIGHT;
        form.number(ui, WEIGHT, weight, lens!(Kind::Terrain(t) => t.weight));
        usage_ui(ui, form);
    });
}

fn pattern_row(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let pattern = lens!(Kind::Terrain(t) => t.pattern);
    let Some(current) = form.shared(|entity| match &entity.kind {
        Kind::Terrain(terrain) => Some(&terrain.pattern),
        _ => None,
    }) else {
        return;
    };
    let colour = form.subjects().find_map(|(_, entity)| match &entity.kind {
        Kind::Terrain(terrain) => Some(terrain.colour),
        _ => None,
    });
    let Some(colour) = colour else {
        return;
    };
    let picked = Row::new(PATTERN.name)
        .help(PATTERN.help)
        .show(ui, |ui, _| pattern_ui(ui, colour, current))
        .inner;
    if let Some(picked) = picked {
        form.set(ui, PATTERN, Change::chosen(picked), pattern);
    }
}

fn usage_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let Some((id, _)) = form.single() else {
        return;
    };
    let regions: Selection = form
        .level()
        .regions()
        .filter(|(_, _, region)| region.terrain == id)
        .map(|(id, _, _)| id)
        .collect();
    match regions.len() {
        0 => value_ui(ui, "Used by", "No region yet"),
        count => {
            let name = if count == 1 {
                "Select 1 region".to_owned()
            } else {
                format!("Select {count} regions")
            };
            let clicked = Row::new("Used by")
                .show(ui, |ui, _| ui.button(name).clicked())
                .inner;
            if clicked {
                form.actions.select(regions);
            }
        }
    }
}

pub fn region_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    if !form.all(|entity| matches!(entity.kind, Kind::Region(_))) {
        return;
    }
    section(ui, "Region", |ui| {
        let terrain = lens!(Kind::Region(r) => r.terrain);
        form.reference(ui, TERRAIN, Role::Terrain, terrain);
        let terrain = form.shared(|entity| match &entity.kind {
            Kind::Region(region) => Some(&region.terrain),
            _ => None,
        });
        if let Some(Shared::Same(id)) = terrain
            && let Some(Kind::Terrain(terrain)) = form.level().get(id).map(|entity| &entity.kind)
        {
            let weight = crate::editor::panels::field::quantity_text::format(
                limits::TERRAIN_WEIGHT.unit,
                terrain.weight,
            );
            value_ui(ui, "Weight", &weight);
        }
    });
}

//! The rules by which bodies use voxels. Stored in the level.

use super::field::{Number, Shared};
use crate::base::{Quantity, Unit};
use crate::document::{CellRules, Edit, Level, Metric, Neighbours, Settings, Smoothing};
use crate::editor::Actions;
use crate::editor::theme::Palette;
use egui::Ui;
use std::sync::Arc;

const BORDER_LAYERS: Quantity = Quantity::new("number of layers", Unit::One, 0.0, 15.0, 1.0);
const SUPPORT: Quantity = Quantity::new("support", Unit::Percent, 0.0, 100.0, 0.0);

pub fn cell_rules_ui(ui: &mut Ui, level: &Level, actions: &mut Actions) {
    let mut rules = level.settings().cell_rules;
    border_ui(ui, &mut rules);
    rules.neighbours = neighbours_ui(
        ui,
        rules.neighbours,
        "Diagonal moves",
        "8 neighbours for each cell, or 4",
    );
    let mut by_length = rules.metric == Metric::Length;
    ui.checkbox(&mut by_length, "Diagonals are longer")
        .on_hover_text("Shortest in metres; otherwise a diagonal move counts as one cell, too");
    rules.metric = if by_length {
        Metric::Length
    } else {
        Metric::Cells
    };
    smoothing_ui(ui, &mut rules);
    let label = ui.weak("Support at least");
    let mut percent = rules.threshold * 100.0;
    let field = Number::new(&SUPPORT, Shared::Same(percent)).whole();
    label.clone().on_hover_text(
        "How much of a cell must be there to put a foot on it, counted in smaller cells; steps reach \
         over what is weaker. Nothing is counted at 0 %",
    );
    field.inline(ui, label.id, &mut percent);
    rules.threshold = percent / 100.0;
    if rules != level.settings().cell_rules {
        let settings = Settings {
            cell_rules: rules,
            ..Settings::clone(level.settings())
        };
        let edits = vec![Edit::Settings(Arc::new(settings))];
        actions.commit_merging("Use of cells", edits, "cell rules", Vec::new());
    }
}

fn border_ui(ui: &mut Ui, rules: &mut CellRules) {
    let mut own = rules.border_layers.is_none();
    ui.checkbox(&mut own, "Border as wide as the body")
        .on_hover_text("Enough cells to keep the body’s radius off walls and edges");
    let mut layers = rules.border_layers.unwrap_or(1);
    ui.add_enabled_ui(!own, |ui| {
        let label = ui.weak("or layers");
        let mut number = f64::from(layers);
        let field = Number::new(&BORDER_LAYERS, Shared::Same(number)).whole();
        field.inline(ui, label.id, &mut number);
        layers = number as u8;
    });
    rules.border_layers = (!own).then_some(layers);
    if rules.border_layers == Some(0) {
        let palette = Palette::of(ui.visuals());
        ui.colored_label(palette.warning, "No border: bodies may touch walls");
    }
    rules.border_neighbours = neighbours_ui(
        ui,
        rules.border_neighbours,
        "Border at corners",
        "Cells that touch a wall or an edge with a corner belong to the border, too",
    );
}

/// A switch between eight neighbours and four.
fn neighbours_ui(ui: &mut Ui, chosen: Neighbours, name: &str, help: &str) -> Neighbours {
    let mut are_eight = chosen == Neighbours::Eight;
    ui.checkbox(&mut are_eight, name).on_hover_text(help);
    if are_eight {
        Neighbours::Eight
    } else {
        Neighbours::Four
    }
}

fn smoothing_ui(ui: &mut Ui, rules: &mut CellRules) {
    let label = ui.weak("Smoothing");
    let combo = egui::ComboBox::from_id_salt("smoothing")
        .selected_text(rules.smoothing.name())
        .show_ui(ui, |ui| {
            for smoothing in Smoothing::ALL {
                ui.selectable_value(&mut rules.smoothing, smoothing, smoothing.name());
            }
        });
    combo.response.labelled_by(label.id).on_hover_text(
        "What becomes of the cells of a path: nothing, straight lines between junctions as in the \
         paper, between all cells, or a string pulled tight",
    );
}

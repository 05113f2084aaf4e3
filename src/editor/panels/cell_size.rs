//! Voxel size: by cell size or by number of cells. Stored in the level.

use super::field::{Number, Shared};
use crate::base::{Quantity, Unit};
use crate::document::{CellSize, Edit, Level, Settings, Template};
use crate::editor::Actions;
use crate::geometry::VoxelFrame;
use crate::nav::voxel::level::LAYER;
use egui::Ui;
use std::sync::Arc;

/// Cell sizes to choose from. Unit: metres.
const SIDES: [f64; 6] = [0.5, 0.4, 0.25, 0.2, 0.125, 0.1];

/// Initial number of cells when there is no grid yet.
const USUAL_GRID: [u32; 3] = [100, 100, 40];

/// Cells along one side.
const COUNT: Quantity = Quantity::new("number of cells", Unit::One, 1.0, 2048.0, 100.0);

/// The grid that the paper uses for a level of this name.
fn paper_grid(level: &Level) -> Option<[u32; 3]> {
    let name = &level.settings().name;
    let template = Template::samples().find(|t| t.name().eq_ignore_ascii_case(name));
    template?.paper_grid()
}

/// In the paper's order: its y points up.
fn grid_text([x, y, z]: [u32; 3]) -> String {
    format!("{x} × {z} × {y}")
}

fn text(cells: CellSize, paper: Option<[u32; 3]>) -> String {
    match cells {
        CellSize::Suiting => "Automatic".to_owned(),
        CellSize::Sides { cell, layer } => format!("{cell} × {layer} m"),
        CellSize::Count(grid) if Some(grid) == paper => {
            format!("{} as in the paper", grid_text(grid))
        }
        CellSize::Count(_) => "number of cells".to_owned(),
    }
}

pub fn cell_size_ui(ui: &mut Ui, level: &Level, frame: Option<&VoxelFrame>, actions: &mut Actions) {
    let label = ui.weak("Cell size");
    let paper = paper_grid(level);
    let cells = level.settings().cells;
    let mut chosen = cells;
    let combo = egui::ComboBox::from_id_salt("cell size")
        .selected_text(text(cells, paper))
        .show_ui(ui, |ui| {
            let mut offer = |ui: &mut Ui, cells: CellSize| {
                ui.selectable_value(&mut chosen, cells, text(cells, paper));
            };
            offer(ui, CellSize::Suiting);
            for cell in SIDES {
                let layer = LAYER.min(cell);
                offer(ui, CellSize::Sides { cell, layer });
            }
            if let Some(grid) = paper {
                offer(ui, CellSize::Count(grid));
            }
            let count = match cells {
                CellSize::Count(grid) if Some(grid) != paper => grid,
                _ => frame.map_or(USUAL_GRID, |frame| frame.size),
            };
            if Some(count) != paper {
                offer(ui, CellSize::Count(count));
            }
        });
    combo.response.labelled_by(label.id).on_hover_text(
        "Side and height of a cell, or how many there are; kept with the level. Smaller ones keep \
         narrower doors and lower steps apart, and take longer.",
    );
    if let CellSize::Count(grid) = &mut chosen {
        for (axis, name) in [(0, "along x"), (1, "along y"), (2, "layers")] {
            let label = ui.weak(name);
            let mut count = f64::from(grid[axis]);
            let field = Number::new(&COUNT, Shared::Same(count)).whole();
            field.inline(ui, label.id, &mut count);
            grid[axis] = count as u32;
        }
    }
    if chosen != cells {
        let settings = Settings {
            cells: chosen,
            ..Settings::clone(level.settings())
        };
        let edits = vec![Edit::Settings(Arc::new(settings))];
        actions.commit_merging("Cell size", edits, "cells", Vec::new());
    }
}

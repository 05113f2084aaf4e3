//! The level itself: shown while nothing is selected.

use super::geometry::value_ui;
use super::ground;
use crate::base::{Quantity, Unit};
use crate::document::entity::Role;
use crate::document::{Settings, limits};
use crate::editor::panels::census::Census;
use crate::editor::panels::field::button::faint_icon;
use crate::editor::panels::field::section;
use crate::editor::panels::field::text::Lines;
use crate::editor::panels::form::{Field, Form, field, part};
use crate::sim::models;
use egui::Ui;
use egui_material_icons::icons;

const NAME: Field = field("Name", "What the level is called in titles and exports.");
const NOTES: Field = field(
    "Notes",
    "Purpose of the level, and attribution of its data.",
);
const CORNER: Field = field("Corner", "The lower left corner of the level's bounds.");
const SIZE: Field = field("Size", "Agents never leave this rectangle.");
const HAS_GROUND: Field = field(
    "Can be walked on",
    "Turn off for meshes with their own floors: agents then stand only on solids and obstacles.",
);
const BASE: Field = field(
    "Base terrain",
    "The terrain outside all regions; without one, every metre there costs 1.",
);
const SPACING: Field = field("Grid spacing", "Distance between two lines of the grid.");
const GRID: Field = field("Show grid", "");
const SNAP_GRID: Field = field("Snap to grid", "");
const SNAP_VERTICES: Field = field("… to corners", "Snaps to the vertices of other shapes.");
const SNAP_EDGES: Field = field("… to edges", "");
const SNAP_AXES: Field = field("… to axes", "Snaps to the directions of the axes.");
const START: Field = field("Starts at", "Time of day when a simulation starts.");
const SPEED: Field = field(
    "Speed",
    "Seconds of the level's clock per simulated second; 60 makes a minute an hour.",
);

const SEED: Field = field("Seed", "Another seed is another run of the same level.");
const STEP: Field = field("Step", "Simulated time from one step to the next.");
const DURATION: Field = field("At most", "A run ends then, or when everyone has left.");
const MODEL: Field = field("Model", "How agents avoid one another.");
/// Seeds that a number field can show exactly.
const WHOLE_SEED: Quantity = Quantity::new("seed", Unit::One, 0.0, 9e15, 0.0);

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Settings>, census: &Census) {
    ui.horizontal(|ui| {
        ui.label(faint_icon(ui, icons::ICON_MAP));
        ui.strong("Level");
    });
    form.text(
        ui,
        NAME,
        "Untitled level",
        Lines::One,
        part!(Settings, s => s.name),
    );
    form.text(ui, NOTES, "", Lines::Many, part!(Settings, s => s.notes));
    section(ui, "Bounds", |ui| bounds_ui(ui, form));
    section(ui, "Ground", |ui| {
        form.optional_reference(
            ui,
            BASE,
            Role::Terrain,
            part!(Settings, s => s.base_terrain),
        );
        form.toggle(ui, HAS_GROUND, part!(Settings, s => s.has_ground));
        ground::ui(ui, form);
    });
    section(ui, "Grid", |ui| {
        let spacing = &limits::GRID_SPACING;
        form.number(ui, SPACING, spacing, part!(Settings, s => s.grid.spacing));
        form.toggle(ui, GRID, part!(Settings, s => s.grid.visible));
        form.toggle(ui, SNAP_GRID, part!(Settings, s => s.grid.snap.grid));
        form.toggle(
            ui,
            SNAP_VERTICES,
            part!(Settings, s => s.grid.snap.vertices),
        );
        form.toggle(ui, SNAP_EDGES, part!(Settings, s => s.grid.snap.edges));
        form.toggle(ui, SNAP_AXES, part!(Settings, s => s.grid.snap.axes));
    });
    section(ui, "Clock", |ui| {
        let start = &limits::TIME_OF_DAY;
        form.number(ui, START, start, part!(Settings, s => s.clock.start));
        let speed = &limits::CLOCK_SPEED;
        form.number(ui, SPEED, speed, part!(Settings, s => s.clock.speed));
    });
    section(ui, "Simulation", |ui| {
        form.derived(
            ui,
            SEED,
            &WHOLE_SEED,
            |s: &Settings| Some(s.simulation.seed as f64),
            |s, seed| s.simulation.seed = seed.round() as u64,
        );
        let step = &limits::SIMULATION_STEP;
        form.number(ui, STEP, step, part!(Settings, s => s.simulation.step));
        let duration = &limits::SIMULATION_DURATION;
        form.number(
            ui,
            DURATION,
            duration,
            part!(Settings, s => s.simulation.duration),
        );
        let mut options = vec![(String::new(), "Usual")];
        options.extend(
            models::rows()
                .iter()
                .map(|row| (row.id.to_owned(), row.title)),
        );
        form.choice(
            ui,
            MODEL,
            &options,
            part!(Settings, s => s.simulation.model),
        );
    });
    section(ui, "Contents", |ui| contents_ui(ui, census));
}

fn bounds_ui(ui: &mut Ui, form: &mut Form<'_, Settings>) {
    let bounds = form.level().settings().bounds;
    let corner = [bounds.min.to_array()];
    let names = ["x", "y"];
    form.axes(
        ui,
        CORNER,
        &limits::COORDINATE,
        names,
        &corner,
        |s, axis, value| {
            let size = s.bounds.size();
            s.bounds.min[axis] = value;
            s.bounds.max[axis] = value + size[axis];
        },
    );
    let size = [bounds.size().to_array()];
    let names = ["w", "d"];
    form.axes(
        ui,
        SIZE,
        &limits::SOLID_SIZE,
        names,
        &size,
        |s, axis, value| {
            s.bounds.max[axis] = s.bounds.min[axis] + value;
        },
    );
}

fn contents_ui(ui: &mut Ui, census: &Census) {
    if census.kinds().next().is_none() {
        ui.weak("Nothing has been drawn yet.");
        return;
    }
    for (kind, count) in census.kinds() {
        value_ui(ui, kind.plural(), &count.to_string());
    }
    value_ui(ui, "Vertices", &census.vertices().to_string());
}

//! Solids: shape, position, size, rotation.

use super::motion;
use super::obstacle::forbidden_ui;
use crate::document::{
    ArchHead, Entity, Kind, MeshSource, Opening, Solid, SolidShape, UpAxis, limits,
};
use crate::editor::panels::field::section;
use crate::editor::panels::field::text::Lines;
use crate::editor::panels::form::{Field, Form, field, lens};
use egui::Ui;

const SHAPE: Field = field("Shape", "");
const STEPS: Field = field("Steps", "Number of equal steps.");
const RISE: Field = field("Rise", "Height of each step.");
const RUN: Field = field("Run", "Depth of each step, from edge to edge.");
const MESH: Field = field("Mesh file", "Named relative to the level's folder.");
const UP: Field = field("Up", "Which axis of the file points up.");
const POSITION: Field = field("Position", "Centre of its footprint.");
const ELEVATION: Field = field("Elevation", "Height of its underside.");
const DEPTH: Field = field("Depth", "From front to back, along its own x.");
const WIDTH: Field = field("Width", "From side to side, along its own y.");
const HEIGHT: Field = field("Height", "Along its own z.");
const YAW: Field = field(
    "Yaw",
    "Rotation about the vertical axis, counter-clockwise.",
);
const PITCH: Field = field("Pitch", "Rotation about its own y.");
const ROLL: Field = field("Roll", "Rotation about its own x.");

const OPENING_WIDTH: Field = field("Opening width", "Width of the opening, along its own y.");
const OPENING_HEIGHT: Field = field(
    "Opening height",
    "Height of the opening at its highest point.",
);
const HEAD: Field = field("Head", "Shape of the top of the opening.");
const THICKNESS: Field = field("Deck", "Thickness of the deck, downwards from the top.");
const POSTS: Field = field(
    "Posts",
    "Thickness of the posts at the corners; 0 for none.",
);

const SHAPES: [&str; 7] = [
    "Box", "Ramp", "Stairs", "Cylinder", "Arch", "Platform", "Mesh",
];

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    if !form.all(|entity| matches!(entity.kind, Kind::Solid(_))) {
        return;
    }
    section(ui, "Solid", |ui| {
        let current = |entity: &Entity| match &entity.kind {
            Kind::Solid(solid) => SHAPES.iter().position(|name| *name == solid.shape.name()),
            _ => None,
        };
        form.variant(ui, SHAPE, &SHAPES, current, |entity, index| {
            if let Kind::Solid(solid) = &mut entity.kind {
                solid.shape = shape_of(index);
            }
        });
        let steps = lens!(
            Kind::Solid(Solid { shape: SolidShape::Stairs { steps }, .. }) => *steps
        );
        form.count(ui, STEPS, &limits::STAIR_STEPS, steps);
        form.derived(
            ui,
            RISE,
            &limits::SOLID_SIZE,
            |entity| Some(per_step(stairs(entity)?.size.z, steps_of(entity)?)),
            |entity, rise| {
                let steps = steps_of(entity);
                if let (Kind::Solid(solid), Some(steps)) = (&mut entity.kind, steps) {
                    solid.size.z = rise * steps;
                }
            },
        );
        form.derived(
            ui,
            RUN,
            &limits::SOLID_SIZE,
            |entity| Some(per_step(stairs(entity)?.size.x, steps_of(entity)?)),
            |entity, run| {
                let steps = steps_of(entity);
                if let (Kind::Solid(solid), Some(steps)) = (&mut entity.kind, steps) {
                    solid.size.x = run * steps;
                }
            },
        );
        let width = lens!(
            Kind::Solid(Solid { shape: SolidShape::Arch { opening, .. }, .. }) => opening.width
        );
        form.number(ui, OPENING_WIDTH, &limits::OPENING_WIDTH, width);
        let height = lens!(
            Kind::Solid(Solid { shape: SolidShape::Arch { opening, .. }, .. }) => opening.height
        );
        form.number(ui, OPENING_HEIGHT, &limits::OPENING_HEIGHT, height);
        form.choice(
            ui,
            HEAD,
            &ArchHead::ALL.map(|head| (head, head.name())),
            lens!(Kind::Solid(Solid { shape: SolidShape::Arch { head, .. }, .. }) => *head),
        );
        let thickness = lens!(
            Kind::Solid(Solid { shape: SolidShape::Platform { thickness, .. }, .. }) => *thickness
        );
        form.number(ui, THICKNESS, &limits::DECK_THICKNESS, thickness);
        let posts = lens!(
            Kind::Solid(Solid { shape: SolidShape::Platform { posts, .. }, .. }) => *posts
        );
        form.number(ui, POSTS, &limits::POST_THICKNESS, posts);
        let file = lens!(
            Kind::Solid(Solid { shape: SolidShape::Mesh(MeshSource { file, .. }), .. }) => *file
        );
        form.text(ui, MESH, "meshes/tower.obj", Lines::One, file);
        form.choice(
            ui,
            UP,
            &[(UpAxis::Y, "y (glTF, most OBJ)"), (UpAxis::Z, "z (CAD)")],
            lens!(Kind::Solid(Solid { shape: SolidShape::Mesh(MeshSource { up, .. }), .. }) => *up),
        );
        forbidden_ui(ui, form);
    });
    section(ui, "Motion", |ui| motion::ui(ui, form));
    section(ui, "Placement", |ui| {
        form.place(ui, POSITION, ELEVATION, lens!(Kind::Solid(s) => s.position));
        let size = &limits::SOLID_SIZE;
        form.number(ui, DEPTH, size, lens!(Kind::Solid(s) => s.size.x));
        form.number(ui, WIDTH, size, lens!(Kind::Solid(s) => s.size.y));
        form.number(ui, HEIGHT, size, lens!(Kind::Solid(s) => s.size.z));
        let angle = &limits::HEADING;
        form.number(
            ui,
            YAW,
            angle,
            lens!(Kind::Solid(s) => s.rotation.yaw.degrees),
        );
        form.number(
            ui,
            PITCH,
            angle,
            lens!(Kind::Solid(s) => s.rotation.pitch.degrees),
        );
        form.number(
            ui,
            ROLL,
            angle,
            lens!(Kind::Solid(s) => s.rotation.roll.degrees),
        );
    });
}

fn stairs(entity: &Entity) -> Option<&Solid> {
    match &entity.kind {
        Kind::Solid(solid) if matches!(solid.shape, SolidShape::Stairs { .. }) => Some(solid),
        _ => None,
    }
}

fn steps_of(entity: &Entity) -> Option<f64> {
    match stairs(entity)?.shape {
        SolidShape::Stairs { steps } => Some(f64::from(steps.max(1))),
        _ => None,
    }
}

/// Rounded to the micrometre for display.
fn per_step(size: f64, steps: f64) -> f64 {
    (size / steps * 1e6).round() / 1e6
}

fn shape_of(index: usize) -> SolidShape {
    match index {
        0 => SolidShape::Box,
        1 => SolidShape::Ramp,
        2 => SolidShape::Stairs {
            steps: limits::STAIR_STEPS.default as u32,
        },
        3 => SolidShape::Cylinder,
        4 => SolidShape::Arch {
            opening: Opening::default(),
            head: ArchHead::default(),
        },
        5 => SolidShape::Platform {
            thickness: limits::DECK_THICKNESS.default,
            posts: limits::POST_THICKNESS.default,
        },
        _ => SolidShape::Mesh(MeshSource::new("mesh.obj")),
    }
}

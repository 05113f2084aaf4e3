//! Size and place on the plan, measured and set through the bounding box.

use crate::base::Unit;
use crate::document::{Annotation, Entity, Kind, Level, Selection, limits};
use crate::editor::panels::field::quantity_text::format_with_unit;
use crate::editor::panels::field::row::{Row, refusal_ui};
use crate::editor::panels::field::{Change, section};
use crate::editor::panels::form::axes::axes_ui;
use crate::editor::panels::form::{Field, Form, field};
use crate::geometry::{Polygon, Rect};
use crate::interaction::transform;
use egui::Ui;
use glam::{DAffine2, DVec2};

const POSITION: Field = field(
    "Position",
    "The lower left corner of the bounding box; a new one moves the selection.",
);
const SIZE: Field = field(
    "Size",
    "Width and depth of the bounding box; new ones stretch the selection about its corner.",
);

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let measured = form.all(|entity| has_outline(&entity.kind));
    let many_placed = form.single().is_none() && form.all(|entity| entity.kind.name().is_placed());
    if !measured && !many_placed {
        return;
    }
    section(ui, "Geometry", |ui| {
        let selection: Selection = form.subjects().map(|(id, _)| id).collect();
        box_ui(ui, form, &selection);
        if measured {
            summary_ui(ui, form);
        }
    });
}

/// Agents, solids and notes have a place of their own among their fields.
fn has_outline(kind: &Kind) -> bool {
    polygon_of(kind).is_some() || matches!(kind, Kind::Route(_))
}

fn polygon_of(kind: &Kind) -> Option<&Polygon> {
    match kind {
        Kind::Region(region) => Some(&region.area),
        Kind::Obstacle(obstacle) => Some(&obstacle.area),
        Kind::Annotation(Annotation::Area(area)) => Some(area),
        Kind::Crowd(crowd) => Some(&crowd.area),
        _ => None,
    }
}

/// What the box is drawn around: an outline without the goals of those who start in it.
fn outline_bounds(entity: &Entity) -> Option<Rect> {
    match polygon_of(&entity.kind) {
        Some(polygon) => Some(polygon.bounds()),
        None => entity.bounds(),
    }
}

fn bounds_of(level: &Level, selection: &Selection) -> Rect {
    selection
        .iter()
        .filter_map(|id| outline_bounds(level.get(id)?))
        .fold(Rect::EMPTY, |all, bounds| all.union(&bounds))
}

fn box_ui(ui: &mut Ui, form: &mut Form<'_, Entity>, selection: &Selection) {
    let bounds = bounds_of(form.level(), selection);
    if bounds.is_empty() {
        return;
    }
    let position = Row::new(POSITION.name)
        .help(POSITION.help)
        .show(ui, |ui, _| {
            let corner = [bounds.min.to_array()];
            axes_ui(ui, POSITION.name, &limits::COORDINATE, ["x", "y"], &corner)
        })
        .inner;
    if let Some(sentence) = &position.refusal {
        refusal_ui(ui, sentence);
    }
    let size = Row::new(SIZE.name)
        .help(SIZE.help)
        .show(ui, |ui, _| {
            let extent = [bounds.size().to_array()];
            axes_ui(ui, SIZE.name, &limits::SOLID_SIZE, ["w", "d"], &extent)
        })
        .inner;
    if let Some(sentence) = &size.refusal {
        refusal_ui(ui, sentence);
    }
    // Maps start from the level before a drag, so that dragging to nothing and back is nothing.
    let base = form.document.committed_level();
    let from = bounds_of(base, selection);
    let mut apply = |field: Field, change: Change<DAffine2>| {
        let edits = transform::edits(base, selection, &change.value);
        form.edit(field, change.manner, edits);
    };
    if let Some((axis, change)) = position.change {
        apply(
            POSITION,
            change.map(|value| {
                let mut to = bounds.min;
                to[axis] = value;
                DAffine2::from_translation(to - from.min)
            }),
        );
    }
    if let Some((axis, change)) = size.change
        && from.size()[axis] > 0.0
    {
        apply(
            SIZE,
            change.map(|value| {
                let mut factor = DVec2::ONE;
                factor[axis] = value / from.size()[axis];
                DAffine2::from_translation(from.min)
                    * DAffine2::from_scale(factor)
                    * DAffine2::from_translation(-from.min)
            }),
        );
    }
}

fn summary_ui(ui: &mut Ui, form: &Form<'_, Entity>) {
    let mut area = 0.0;
    let mut border = 0.0;
    let mut vertices = 0;
    let mut holes = 0;
    let mut outlines = 0;
    for (_, entity) in form.subjects() {
        if let Some(polygon) = polygon_of(&entity.kind) {
            area += polygon.area();
            border += polygon.edges().map(|(a, b)| a.distance(b)).sum::<f64>();
            holes += polygon.holes.len();
            vertices += polygon.vertex_count();
            outlines += 1;
        } else {
            vertices += entity.vertex_count();
        }
    }
    if outlines > 0 {
        value_ui(
            ui,
            "Area",
            &format!("{}²", format_with_unit(Unit::Metre, area)),
        );
        value_ui(ui, "Perimeter", &format_with_unit(Unit::Metre, border));
    }
    let points = match holes {
        0 => vertices.to_string(),
        1 => format!("{vertices}, one hole"),
        _ => format!("{vertices}, {holes} holes"),
    };
    value_ui(ui, "Vertices", &points);
}

/// A line of the form that is only to be read.
pub fn value_ui(ui: &mut Ui, name: &str, value: &str) {
    Row::new(name).to_the_edge().show(ui, |ui, label| {
        ui.horizontal(|ui| {
            ui.set_min_height(crate::editor::theme::panel::FIELD_ROW);
            ui.add(egui::Label::new(value).wrap()).labelled_by(label);
        });
    });
}

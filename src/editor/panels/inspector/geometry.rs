//! Size and position in plan, shown and set through the bounding box.

use super::overview::Overview;
use crate::base::Unit;
use crate::document::{Annotation, Entity, Kind, KindName, Level, Selection, limits};
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
    "The lower left corner of the bounding box; a new value moves the selection.",
);
const SIZE: Field = field(
    "Size",
    "Width and depth of the bounding box; new values scale the selection about its corner.",
);

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>, overview: &Overview) {
    let measured = form.all(|entity| has_outline(&entity.kind));
    let is_group = |entity: &Entity| entity.kind == Kind::Group;
    let movable = form.all(|entity| entity.kind.name().is_placed() || is_group(entity));
    let has_box = movable && (form.single().is_none() || form.all(is_group));
    if !measured && !has_box {
        return;
    }
    section(ui, "Geometry", |ui| {
        ui.scope(|ui| box_ui(ui, form, overview));
        if measured {
            summary_ui(ui, overview);
        }
    });
}

/// Agents, solids and notes have their own position fields.
fn has_outline(kind: &Kind) -> bool {
    polygon_of(kind).is_some() || matches!(kind, Kind::Route(_))
}

pub(super) fn polygon_of(kind: &Kind) -> Option<&Polygon> {
    match kind {
        Kind::Region(region) => Some(&region.area),
        Kind::Obstacle(obstacle) => Some(&obstacle.area),
        Kind::Annotation(Annotation::Area(area)) => Some(area),
        Kind::Crowd(crowd) => Some(&crowd.area),
        _ => None,
    }
}

/// What the box is drawn around: an outline without the goals of crowds that start in it.
pub(super) fn outline_bounds(entity: &Entity) -> Option<Rect> {
    match polygon_of(&entity.kind) {
        Some(polygon) => Some(polygon.bounds()),
        None => entity.bounds(),
    }
}

/// Bounds of the selection, including members of selected groups.
fn bounds_of(level: &Level, selection: &Selection) -> Rect {
    selection
        .iter()
        .flat_map(|id| match level.kind_of(id) {
            Some(KindName::Group) => level.members(id),
            _ => vec![id],
        })
        .filter_map(|id| outline_bounds(level.get(id)?))
        .fold(Rect::EMPTY, |all, bounds| all.union(&bounds))
}

fn box_ui(ui: &mut Ui, form: &mut Form<'_, Entity>, overview: &Overview) {
    let bounds = overview.bounds;
    if bounds.is_empty() {
        return;
    }
    if overview.locked {
        ui.weak("Locked; unlock it to move or scale it.");
        ui.disable();
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
    if position.change.is_none() && size.change.is_none() {
        return;
    }
    // Maps start from the level before a drag, so that dragging to zero and back loses nothing.
    let base = form.document.committed_level();
    let selection: Selection = form.subjects().map(|(id, _)| id).collect();
    let from = bounds_of(base, &selection);
    let mut apply = |field: Field, change: Change<DAffine2>| {
        let edits = transform::edits(base, &selection, &change.value);
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

fn summary_ui(ui: &mut Ui, overview: &Overview) {
    if overview.outlines > 0 {
        let area = format_with_unit(Unit::Metre, overview.area);
        value_ui(ui, "Area", &format!("{area}²"));
        let perimeter = format_with_unit(Unit::Metre, overview.perimeter);
        value_ui(ui, "Perimeter", &perimeter);
    }
    let vertices = overview.vertices;
    let points = match overview.holes {
        0 => vertices.to_string(),
        1 => format!("{vertices}, one hole"),
        holes => format!("{vertices}, {holes} holes"),
    };
    value_ui(ui, "Vertices", &points);
}

/// A read-only row of the form.
pub fn value_ui(ui: &mut Ui, name: &str, value: &str) {
    Row::new(name).to_the_edge().show(ui, |ui, label| {
        ui.horizontal(|ui| {
            ui.set_min_height(crate::editor::theme::panel::FIELD_ROW);
            ui.add(egui::Label::new(value).wrap()).labelled_by(label);
        });
    });
}

//! Annotations: drawn areas, and areas relative to an object.

use crate::document::entity::Role;
use crate::document::{Annotation, Entity, Kind, Relation, limits};
use crate::editor::panels::field::section;
use crate::editor::panels::form::{Field, Form, field, lens};
use egui::Ui;

const OBJECT: Field = field(
    "Object",
    "The object the area belongs to; it moves with the object.",
);
const RELATION: Field = field("Relation", "Where the area is relative to the object.");
const REACH: Field = field("Reach", "How far the area extends from the object.");
const OTHER: Field = field("And", "The area is between the two objects.");
const RANGE: Field = field("Range", "How far the object sees.");
const ANGLE: Field = field(
    "View angle",
    "Field of view of the object, centred on its facing.",
);

const RELATIONS: [&str; 8] = [
    "Front",
    "Back",
    "Left",
    "Right",
    "Around",
    "Between",
    "Line of sight",
    "Along",
];

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let related =
        |entity: &Entity| matches!(entity.kind, Kind::Annotation(Annotation::Relation { .. }));
    if !form.all(related) {
        return;
    }
    section(ui, "Annotation", |ui| {
        let object = lens!(Kind::Annotation(Annotation::Relation { object, .. }) => *object);
        form.reference(ui, OBJECT, Role::Object, object);
        let current = |entity: &Entity| match &entity.kind {
            Kind::Annotation(Annotation::Relation { relation, .. }) => {
                RELATIONS.iter().position(|name| *name == relation.name())
            }
            _ => None,
        };
        form.variant(ui, RELATION, &RELATIONS, current, |entity, index| {
            if let Kind::Annotation(Annotation::Relation { object, relation }) = &mut entity.kind {
                *relation = relation_of(index, reach_of(relation), *object);
            }
        });
        let reach = lens!(
            Kind::Annotation(Annotation::Relation {
                relation: Relation::Front { reach }
                    | Relation::Back { reach }
                    | Relation::Left { reach }
                    | Relation::Right { reach }
                    | Relation::Around { reach }
                    | Relation::Along { reach },
                ..
            }) => *reach
        );
        form.number(ui, REACH, &limits::REACH, reach);
        let other = lens!(
            Kind::Annotation(Annotation::Relation { relation: Relation::Between { other }, .. })
                => *other
        );
        form.reference(ui, OTHER, Role::Object, other);
        let range = lens!(
            Kind::Annotation(Annotation::Relation {
                relation: Relation::LineOfSight { range, .. },
                ..
            }) => *range
        );
        form.number(ui, RANGE, &limits::REACH, range);
        let angle = lens!(
            Kind::Annotation(Annotation::Relation {
                relation: Relation::LineOfSight { angle, .. },
                ..
            }) => *angle
        );
        form.number(ui, ANGLE, &limits::VIEW_ANGLE, angle);
    });
}

/// The reach of a relation, used to initialise another one.
fn reach_of(relation: &Relation) -> f64 {
    match *relation {
        Relation::Front { reach }
        | Relation::Back { reach }
        | Relation::Left { reach }
        | Relation::Right { reach }
        | Relation::Around { reach }
        | Relation::Along { reach }
        | Relation::LineOfSight { range: reach, .. } => reach,
        Relation::Between { .. } => limits::REACH.default,
    }
}

fn relation_of(index: usize, reach: f64, object: crate::base::EntityId) -> Relation {
    match index {
        0 => Relation::Front { reach },
        1 => Relation::Back { reach },
        2 => Relation::Left { reach },
        3 => Relation::Right { reach },
        4 => Relation::Around { reach },
        // Between the object and itself until another one is picked.
        5 => Relation::Between { other: object },
        6 => Relation::LineOfSight {
            range: reach,
            angle: limits::VIEW_ANGLE.default,
        },
        _ => Relation::Along { reach },
    }
}

//! Annotations: drawn areas, and areas relative to an object.

use crate::base::EntityId;
use crate::document::entity::Role;
use crate::document::{Annotation, Entity, Kind, Relation, RelationKind, limits};
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

const AHEAD: Field = field("Ahead", "Personal distance in front.");
const BEHIND: Field = field("Behind", "Personal distance behind.");

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let related =
        |entity: &Entity| matches!(entity.kind, Kind::Annotation(Annotation::Relation { .. }));
    if !form.all(related) {
        return;
    }
    section(ui, "Area", |ui| {
        let object = lens!(Kind::Annotation(Annotation::Relation { object, .. }) => *object);
        form.reference(ui, OBJECT, Role::Object, object);
        let kinds = RelationKind::ALL;
        let names = kinds.map(RelationKind::name);
        let current = |entity: &Entity| match &entity.kind {
            Kind::Annotation(Annotation::Relation { relation, .. }) => {
                kinds.iter().position(|kind| *kind == relation.kind())
            }
            _ => None,
        };
        form.variant(ui, RELATION, &names, current, |entity, index| {
            if let (Kind::Annotation(Annotation::Relation { object, relation }), Some(kind)) =
                (&mut entity.kind, kinds.get(index))
            {
                *relation = changed(relation, *kind, *object);
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
        let front = lens!(
            Kind::Annotation(Annotation::Relation {
                relation: Relation::PersonalSpace { front, .. },
                ..
            }) => *front
        );
        form.number(ui, AHEAD, &limits::PERSONAL_DISTANCE, front);
        let back = lens!(
            Kind::Annotation(Annotation::Relation {
                relation: Relation::PersonalSpace { back, .. },
                ..
            }) => *back
        );
        form.number(ui, BEHIND, &limits::PERSONAL_DISTANCE, back);
    });
}

/// Another relation, with the reach of the one before. *Between* lies between the object and itself
/// until another one is picked.
fn changed(before: &Relation, kind: RelationKind, object: EntityId) -> Relation {
    let relation = kind.relation(object);
    match (before.reach(), kind) {
        (Some(_), RelationKind::PersonalSpace) | (None, _) => relation,
        (Some(reach), _) => relation.with_reach(reach),
    }
}

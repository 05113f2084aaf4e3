//! What a constraint or a goal refers to: an entity, or an area relative to an object.

use super::rows::{choice_row, first_of, number_row, reference_row};
use crate::base::EntityId;
use crate::document::entity::Role;
use crate::document::{Level, Relation, RelationKind, Target, limits};
use crate::editor::panels::field::Manner;
use egui::Ui;
use std::cell::Cell;

/// What may be picked as the target itself, and as the object of a relation.
#[derive(Clone, Copy, Debug)]
pub struct TargetRoles {
    pub itself: Role,
    pub object: Role,
}

pub fn target_ui(
    ui: &mut Ui,
    level: &Level,
    follow: &Cell<Option<EntityId>>,
    roles: TargetRoles,
    target: &mut Target,
) -> Option<Manner> {
    let mut options = vec!["The target itself"];
    options.extend(RelationKind::ALL.map(RelationKind::name));
    let index = match target {
        Target::Entity(_) => 0,
        Target::Relation { relation, .. } => {
            let kinds = &RelationKind::ALL;
            1 + kinds
                .iter()
                .position(|k| *k == relation.kind())
                .unwrap_or(0)
        }
    };
    if let Some(index) = choice_row(ui, "Where", index, &options)
        && let Some(changed) = related(level, *target, index, roles)
    {
        *target = changed;
        return Some(Manner::Chosen);
    }
    match target {
        Target::Entity(id) => reference_row(ui, level, follow, "Target", roles.itself, id),
        Target::Relation { object, relation } => {
            let manner = reference_row(ui, level, follow, "Object", roles.object, object);
            relation_ui(ui, level, follow, roles.object, relation).or(manner)
        }
    }
}

/// The measures of a relation, and the second object of *between*.
fn relation_ui(
    ui: &mut Ui,
    level: &Level,
    follow: &Cell<Option<EntityId>>,
    role: Role,
    relation: &mut Relation,
) -> Option<Manner> {
    match relation {
        Relation::Front { reach }
        | Relation::Back { reach }
        | Relation::Left { reach }
        | Relation::Right { reach }
        | Relation::Around { reach }
        | Relation::Along { reach } => number_row(ui, "Reach", "", &limits::REACH, reach),
        Relation::Between { other } => reference_row(ui, level, follow, "And", role, other),
        Relation::LineOfSight { range, angle } => {
            let far = number_row(ui, "Range", "", &limits::REACH, range);
            number_row(ui, "View angle", "", &limits::VIEW_ANGLE, angle).or(far)
        }
        Relation::PersonalSpace { front, back } => {
            let ahead = number_row(ui, "Ahead", "", &limits::PERSONAL_DISTANCE, front);
            number_row(ui, "Behind", "", &limits::PERSONAL_DISTANCE, back).or(ahead)
        }
    }
}

/// The target in another form; `None` if the level has nothing that it could refer to.
fn related(level: &Level, target: Target, index: usize, roles: TargetRoles) -> Option<Target> {
    let current = target.entities().next();
    let suiting = |role: Role| {
        current
            .filter(|id| level.kind_of(*id).is_some_and(|kind| role.accepts(kind)))
            .or_else(|| first_of(level, role))
    };
    let Some(kind) = index.checked_sub(1).and_then(|i| RelationKind::ALL.get(i)) else {
        return suiting(roles.itself).map(Target::Entity);
    };
    let object = suiting(roles.object)?;
    let other = level
        .iter()
        .find(|(id, entity)| *id != object && roles.object.accepts(entity.kind.name()))
        .map_or(object, |(id, _)| id);
    Some(Target::Relation {
        object,
        relation: kind.relation(other),
    })
}

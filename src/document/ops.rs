//! Applies edits to a level; the only code that changes one.

use super::{
    edit::Edit,
    forbidding,
    model::{Entity, Kind, Level, Refusal, limits},
    walls,
};
use crate::base::EntityId;
use crate::geometry::HeightField;
use std::collections::BTreeSet;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    #[error("{label}: {refusal}")]
    Refused { label: String, refusal: Refusal },
    #[error("the level's settings: {0}")]
    Settings(Refusal),
    #[error("the height field: {0}")]
    Ground(Refusal),
    #[error("{0} is no longer in the level")]
    Missing(EntityId),
    #[error("{0} is already in use; new objects need new ids")]
    Taken(EntityId),
    #[error("{} is too large a number for an object", .0.number())]
    TooLarge(EntityId),
    #[error(
        "the level is full: it can hold at most {} objects",
        limits::MAX_ENTITIES
    )]
    Full,
}

/// The level after `edits`, or the first rejection. The input is never changed.
///
/// # Errors
/// An edit refers to an unknown id or contains a value outside its limits.
pub fn apply(level: &Level, edits: &[Edit]) -> Result<Level, EditError> {
    let before = level;
    let mut level = before.clone();
    for edit in edits {
        apply_one(&mut level, edit)?;
    }
    let touched = touched_by(edits);
    if level.settings.forbidding != before.settings.forbidding {
        let all: Vec<EntityId> = level.entities().keys().copied().collect();
        forbidding::enforce(&mut level, all);
    } else if !level.settings.forbidding.is_empty() {
        forbidding::enforce(&mut level, touched.iter().copied());
    }
    walls::settle(before, &mut level, &touched);
    Ok(level)
}

fn touched_by(edits: &[Edit]) -> BTreeSet<EntityId> {
    let touched = edits.iter().filter_map(|edit| match edit {
        Edit::Create { id, .. } | Edit::Replace { id, .. } | Edit::Delete { id } => Some(*id),
        _ => None,
    });
    touched.collect()
}

fn apply_one(level: &mut Level, edit: &Edit) -> Result<(), EditError> {
    match edit {
        Edit::Create { id, entity, at } => {
            check_entity(*id, entity)?;
            if id.is_part() || (matches!(entity.kind, Kind::Wall(_)) && id.part(0).is_none()) {
                return Err(EditError::TooLarge(*id));
            }
            if level.contains(*id) {
                return Err(EditError::Taken(*id));
            }
            if level.len() >= limits::MAX_ENTITIES {
                return Err(EditError::Full);
            }
            let drawn = level.drawn_count();
            level.put(*id, Arc::clone(entity));
            let at = at.unwrap_or(usize::MAX).min(drawn);
            if at == level.order.len() {
                level.order.push_back(*id);
            } else {
                level.order.insert(at, *id);
            }
        }
        Edit::Replace { id, entity } => {
            check_entity(*id, entity)?;
            if id.is_part() {
                return Err(EditError::Missing(*id));
            }
            let old = level.get(*id).ok_or(EditError::Missing(*id))?;
            // Equal contents keep their pointer: a no-op must compare as one.
            if old != entity {
                level.put(*id, Arc::clone(entity));
            }
        }
        Edit::Delete { id } if id.is_part() => return Err(EditError::Missing(*id)),
        Edit::Delete { id } => {
            level.take(*id).ok_or(EditError::Missing(*id))?;
            if let Some(at) = level.order.index_of(id) {
                level.order.remove(at);
            }
        }
        Edit::Reorder { id, to } => {
            let from = level.order.index_of(id).ok_or(EditError::Missing(*id))?;
            let to = (*to).min(level.drawn_count().saturating_sub(1));
            if from != to {
                level.order.remove(from);
                level.order.insert(to, *id);
            }
        }
        Edit::Settings(settings) => {
            settings.check().map_err(EditError::Settings)?;
            if level.settings != *settings {
                level.settings = Arc::clone(settings);
            }
        }
        Edit::Ground(ground) => {
            if let Some(field) = ground {
                check_ground(field).map_err(EditError::Ground)?;
            }
            if level.ground != *ground {
                level.ground.clone_from(ground);
            }
        }
        Edit::Heights(patch) => {
            let refuse = |sentence: &str| EditError::Ground(Refusal::new(sentence.to_owned()));
            let field = level
                .ground
                .as_ref()
                .ok_or_else(|| refuse("the level has none; add one first"))?;
            for height in patch.heights.iter() {
                limits::ELEVATION
                    .check(*height)
                    .map_err(|refused| EditError::Ground(refused.into()))?;
            }
            let patched = field
                .patched(patch)
                .ok_or_else(|| refuse("the change extends beyond its posts"))?;
            if !Arc::ptr_eq(&patched.heights, &field.heights) {
                level.ground = Some(Arc::new(patched));
            }
        }
    }
    Ok(())
}

fn check_entity(id: EntityId, entity: &Entity) -> Result<(), EditError> {
    entity.check().map_err(|refusal| EditError::Refused {
        label: entity.label(id),
        refusal,
    })
}

fn check_ground(field: &HeightField) -> Result<(), Refusal> {
    limits::POST_SPACING.check(field.spacing)?;
    limits::COORDINATE.check(field.origin.x)?;
    limits::COORDINATE.check(field.origin.y)?;
    let posts = field.columns.checked_mul(field.rows);
    if field.columns < 2 || field.rows < 2 || posts != Some(field.heights.len()) {
        return Err(Refusal::new(format!(
            "{} × {} posts need as many heights, and at least 2 × 2; there are {}",
            field.columns,
            field.rows,
            field.heights.len()
        )));
    }
    if field.heights.len() > limits::MAX_POSTS {
        return Err(Refusal::new(format!(
            "{} posts are too many; at most {} are allowed",
            field.heights.len(),
            limits::MAX_POSTS
        )));
    }
    for height in field.heights.iter() {
        limits::ELEVATION.check(*height)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec2;

    fn field(columns: usize, rows: usize, posts: usize) -> HeightField {
        HeightField {
            origin: DVec2::ZERO,
            spacing: 1.0,
            columns,
            rows,
            heights: vec![0.0; posts].into(),
        }
    }

    #[test]
    fn ground_is_refused_exactly_where_a_value_is_not_one() {
        let refused = |field: HeightField| {
            check_ground(&field)
                .err()
                .map(|refusal| refusal.to_string())
        };
        assert_eq!(refused(field(2, 2, 4)), None);
        assert_eq!(refused(field(2, 3, 6)), None);
        for (columns, rows, posts) in [
            (1, 2, 2),
            (2, 1, 2),
            (1, 1, 1),
            (0, 0, 0),
            (2, 2, 3),
            (2, 2, 5),
            (3, 2, 4),
            (usize::MAX, 2, 4),
        ] {
            let sentence = refused(field(columns, rows, posts)).expect("refused");
            assert!(
                sentence.contains("posts need as many heights"),
                "{sentence}"
            );
        }
        let most = field(2, limits::MAX_POSTS / 2, limits::MAX_POSTS);
        assert_eq!(refused(most), None);
        let more = field(2, limits::MAX_POSTS / 2 + 1, limits::MAX_POSTS + 2);
        assert!(refused(more).expect("refused").contains("too many"));
        for at in 0..4 {
            for (height, is_refused) in [
                (10_000.0, false),
                (10_000.1, true),
                (-10_000.1, true),
                (f64::NAN, true),
            ] {
                let mut heights = vec![1.0; 4];
                heights[at] = height;
                let field = HeightField {
                    heights: heights.into(),
                    ..field(2, 2, 4)
                };
                assert_eq!(refused(field).is_some(), is_refused, "{height} at {at}");
            }
        }
        for (spacing, is_refused) in [
            (0.01, false),
            (0.009, true),
            (0.0, true),
            (-1.0, true),
            (f64::INFINITY, true),
        ] {
            let field = HeightField {
                spacing,
                ..field(2, 2, 4)
            };
            assert_eq!(refused(field).is_some(), is_refused, "{spacing}");
        }
        for origin in [
            DVec2::new(f64::NAN, 0.0),
            DVec2::new(0.0, f64::NAN),
            DVec2::new(1e9, 0.0),
            DVec2::new(0.0, -1e9),
        ] {
            assert!(
                refused(HeightField {
                    origin,
                    ..field(2, 2, 4)
                })
                .is_some(),
                "{origin}"
            );
        }
    }
}

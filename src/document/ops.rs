//! Applies edits to a level; the only code that changes one.

use super::{
    edit::Edit,
    forbidding,
    model::{Entity, Level, Refusal, limits},
};
use crate::base::EntityId;
use crate::geometry::HeightField;
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
    let before = Arc::clone(&level.settings);
    let mut level = level.clone();
    for edit in edits {
        apply_one(&mut level, edit)?;
    }
    if level.settings.forbidding.is_empty() {
        return Ok(level);
    }
    if level.settings.forbidding == before.forbidding {
        let touched = edits.iter().filter_map(|edit| match edit {
            Edit::Create { id, .. } | Edit::Replace { id, .. } => Some(*id),
            _ => None,
        });
        forbidding::enforce(&mut level, touched);
    } else {
        let all: Vec<EntityId> = level.entities().keys().copied().collect();
        forbidding::enforce(&mut level, all);
    }
    Ok(level)
}

fn apply_one(level: &mut Level, edit: &Edit) -> Result<(), EditError> {
    match edit {
        Edit::Create { id, entity, at } => {
            check_entity(*id, entity)?;
            if level.contains(*id) {
                return Err(EditError::Taken(*id));
            }
            if level.len() >= limits::MAX_ENTITIES {
                return Err(EditError::Full);
            }
            level.put(*id, Arc::clone(entity));
            let at = at.unwrap_or(usize::MAX).min(level.order.len());
            if at == level.order.len() {
                level.order.push_back(*id);
            } else {
                level.order.insert(at, *id);
            }
        }
        Edit::Replace { id, entity } => {
            check_entity(*id, entity)?;
            let old = level.get(*id).ok_or(EditError::Missing(*id))?;
            // Equal contents keep their pointer: a no-op must compare as one.
            if old != entity {
                level.put(*id, Arc::clone(entity));
            }
        }
        Edit::Delete { id } => {
            level.take(*id).ok_or(EditError::Missing(*id))?;
            if let Some(at) = level.order.index_of(id) {
                level.order.remove(at);
            }
        }
        Edit::Reorder { id, to } => {
            let from = level.order.index_of(id).ok_or(EditError::Missing(*id))?;
            let to = (*to).min(level.order.len() - 1);
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

//! Edits and steps as stored in the journal.

use super::v2;
use crate::base::EntityId;
use crate::document::{edit::Edit, history::Step};
use crate::geometry::HeightPatch;
use std::sync::Arc;

impl From<&Edit> for v2::Edit {
    fn from(edit: &Edit) -> Self {
        match edit {
            Edit::Create {
                id,
                entity,
                at: None,
            } => Self::Create(v2::Entity::of(*id, entity)),
            Edit::Create {
                id,
                entity,
                at: Some(at),
            } => Self::CreateAt(*at as u64, v2::Entity::of(*id, entity)),
            Edit::Replace { id, entity } => Self::Replace(v2::Entity::of(*id, entity)),
            Edit::Delete { id } => Self::Delete(id.number()),
            Edit::Reorder { id, to } => Self::Reorder(id.number(), *to as u64),
            Edit::Settings(settings) => Self::Settings((&**settings).into()),
            Edit::Ground(Some(field)) => Self::Ground((&**field).into()),
            Edit::Ground(None) => Self::NoGround,
            Edit::Heights(patch) => Self::Heights {
                column: patch.column as u64,
                row: patch.row as u64,
                rows: patch
                    .heights
                    .chunks(patch.columns.max(1))
                    .map(<[f64]>::to_vec)
                    .collect(),
            },
        }
    }
}

impl From<v2::Edit> for Edit {
    fn from(edit: v2::Edit) -> Self {
        let position = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        match edit {
            v2::Edit::Create(entity) => {
                let (id, entity) = entity.into_entity();
                Self::create(id, entity)
            }
            v2::Edit::CreateAt(at, entity) => {
                let (id, entity) = entity.into_entity();
                Self::Create {
                    id,
                    entity: Arc::new(entity),
                    at: Some(position(at)),
                }
            }
            v2::Edit::Replace(entity) => {
                let (id, entity) = entity.into_entity();
                Self::replace(id, entity)
            }
            v2::Edit::Delete(id) => Self::Delete {
                id: EntityId::new(id),
            },
            v2::Edit::Reorder(id, to) => Self::Reorder {
                id: EntityId::new(id),
                to: position(to),
            },
            v2::Edit::Settings(settings) => Self::Settings(Arc::new(settings.into())),
            v2::Edit::Ground(ground) => Self::Ground(Some(Arc::new(ground.into()))),
            v2::Edit::NoGround => Self::Ground(None),
            // Rows of different lengths give a number of heights that validation rejects, or a
            // valid patch of different shape; never more than the field has posts.
            v2::Edit::Heights { column, row, rows } => Self::Heights(HeightPatch {
                column: position(column),
                row: position(row),
                columns: rows.first().map_or(0, Vec::len),
                heights: rows.into_iter().flatten().collect(),
            }),
        }
    }
}

impl From<&Step> for v2::Step {
    fn from(step: &Step) -> Self {
        match step {
            Step::Commit {
                label,
                edits,
                merged,
            } => Self::Commit {
                label: label.clone(),
                merged: *merged,
                edits: edits.iter().map(Into::into).collect(),
            },
            Step::Undo => Self::Undo,
            Step::Redo => Self::Redo,
        }
    }
}

impl From<v2::Step> for Step {
    fn from(step: v2::Step) -> Self {
        match step {
            v2::Step::Commit {
                label,
                merged,
                edits,
            } => Self::Commit {
                label,
                edits: edits.into_iter().map(Into::into).collect(),
                merged,
            },
            v2::Step::Undo => Self::Undo,
            v2::Step::Redo => Self::Redo,
        }
    }
}

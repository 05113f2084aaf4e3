//! Splits an area: one entity becomes as many as there are pieces.

use super::{
    host::{Host, Refused},
    naming::{Namer, stem_of},
    operations::delete::removal,
    vertices,
};
use crate::base::EntityId;
use crate::document::{Edit, Entity, Level};
use crate::geometry::Polygon;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Ids and names for one gesture: each preview reuses them instead of allocating new ones.
#[derive(Debug, Default)]
pub struct Fresh {
    ids: Vec<EntityId>,
    used: usize,
    namer: Namer,
}

impl Fresh {
    /// Starts over for the next preview.
    pub fn rewind(&mut self) {
        self.used = 0;
        self.namer = Namer::default();
    }

    pub fn id(&mut self, host: &mut dyn Host) -> EntityId {
        if self.used == self.ids.len() {
            self.ids.push(host.allocate_id());
        }
        self.used += 1;
        self.ids[self.used - 1]
    }
}

/// Replaces the area of an entity by pieces. The largest keeps the identity; the others become
/// renamed copies right above it. Without pieces the entity is deleted.
pub fn replace_by_pieces(
    host: &mut dyn Host,
    fresh: &mut Fresh,
    level: &Level,
    id: EntityId,
    mut pieces: Vec<Polygon>,
) -> Vec<Edit> {
    let Some(entity) = level.get(id) else {
        return Vec::new();
    };
    if pieces.is_empty() {
        return vec![Edit::Delete { id }];
    }
    pieces.sort_by(|a, b| b.area().total_cmp(&a.area()));
    let label = entity.label(id);
    pieces
        .into_iter()
        .enumerate()
        .map(|(i, piece)| {
            let mut entity = (**entity).clone();
            if let Some(area) = vertices::area_mut(&mut entity) {
                *area = piece;
            }
            if i == 0 {
                return Edit::replace(id, entity);
            }
            entity.name = fresh.namer.fresh(level, stem_of(&label));
            create_above(level, id, fresh.id(host), entity)
        })
        .collect()
}

/// The edits, extended so that deletions leave no dangling references: references to a deleted
/// entity point to its heir, or are repaired as for a normal deletion.
///
/// # Errors
/// A reference cannot be repaired.
pub fn without_loose_ends(
    level: &Level,
    edits: Vec<Edit>,
    heirs: &BTreeMap<EntityId, EntityId>,
) -> Result<Vec<Edit>, Refused> {
    let gone: BTreeSet<EntityId> = edits
        .iter()
        .filter_map(|edit| match edit {
            Edit::Delete { id } => Some(*id),
            _ => None,
        })
        .collect();
    if gone.is_empty() {
        return Ok(edits);
    }
    let mut kept: Vec<Edit> = edits
        .into_iter()
        .filter(|edit| !matches!(edit, Edit::Delete { .. }))
        .collect();
    kept.extend(removal(level, &gone, heirs)?);
    Ok(kept)
}

/// A new entity right above another one.
#[must_use]
pub fn create_above(level: &Level, below: EntityId, id: EntityId, entity: Entity) -> Edit {
    Edit::Create {
        id,
        entity: Arc::new(entity),
        at: level.order().index_of(&below).map(|at| at + 1),
    }
}

//! Duplication beside the originals.

use super::references::{Fate, followed};
use super::{Change, OperationInput};
use crate::base::EntityId;
use crate::document::{Edit, Entity};
use crate::interaction::host::Refused;
use crate::interaction::naming::{Namer, stem_of};
use crate::interaction::transform::transformed;
use glam::{DAffine2, DVec2};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Copies of the selection, moved by `offset`, right above the originals in the order. References
/// between copied objects point to the copies, all others are kept.
///
/// # Errors
/// Nothing is selected.
pub fn duplicate(on: &OperationInput<'_>, offset: DVec2) -> Result<Change, Refused> {
    let originals = on.expanded();
    if originals.is_empty() {
        return Err(on.nothing_to_do("to duplicate"));
    }
    let copies: BTreeMap<EntityId, EntityId> = originals.iter().copied().zip(on.ids()).collect();
    let map = DAffine2::from_translation(offset);
    let mut namer = Namer::default();
    let top = originals
        .last()
        .and_then(|id| on.level.order().index_of(id))
        .map_or(on.level.len(), |index| index + 1);
    let edits = originals
        .iter()
        .zip(top..)
        .filter_map(|(original, at)| {
            let entity = on.get(*original)?;
            let mut copy = remapped(&transformed(entity, &map), &copies);
            if !copy.name.is_empty() {
                copy.name = namer.fresh(on.level, stem_of(&copy.name));
            }
            copy.locked = false;
            Some(Edit::Create {
                id: *copies.get(original)?,
                entity: Arc::new(copy),
                at: Some(at),
            })
        })
        .collect();
    // Copies of what was selected, not of everything inside groups.
    let selection = on
        .selection
        .iter()
        .filter_map(|id| copies.get(&id).copied())
        .collect();
    Ok(Change::new("Duplicate", edits, selection))
}

/// The entity with references mapped by `to`.
pub(super) fn remapped(entity: &Entity, to: &BTreeMap<EntityId, EntityId>) -> Entity {
    followed(entity, |_, id| {
        to.get(&id).map_or(Fate::Stays, |copy| Fate::Leads(*copy))
    })
    .unwrap_or_else(|| entity.clone())
}

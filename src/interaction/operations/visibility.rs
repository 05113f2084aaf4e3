//! Hide and show.

use super::{Change, OperationInput};
use crate::base::EntityId;
use crate::document::{Edit, Entity, Selection};
use crate::interaction::host::Refused;

/// Hides and deselects the selection.
///
/// # Errors
/// Nothing is selected.
pub fn hide(on: &OperationInput<'_>) -> Result<Change, Refused> {
    if on.selection.is_empty() {
        return Err(on.nothing_to_do("to hide"));
    }
    let edits = changed(on, on.selection.iter(), |entity| entity.visible = false);
    Ok(Change::new("Hide", edits, Selection::default()))
}

/// Shows the selection.
///
/// # Errors
/// Nothing is selected.
pub fn show(on: &OperationInput<'_>) -> Result<Change, Refused> {
    if on.selection.is_empty() {
        return Err(on.nothing_to_do("to show"));
    }
    let edits = changed(on, on.selection.iter(), |entity| entity.visible = true);
    Ok(Change::new("Show", edits, on.selection.clone()))
}

/// Shows everything hidden, including layers and groups, and selects it.
///
/// # Errors
/// Nothing is hidden.
pub fn show_all(on: &OperationInput<'_>) -> Result<Change, Refused> {
    let hidden: Selection = with(on, |entity| !entity.visible).collect();
    if hidden.is_empty() {
        return Err(Refused("nothing is hidden".to_owned()));
    }
    let edits = changed(on, hidden.iter(), |entity| entity.visible = true);
    Ok(Change::new("Show everything", edits, hidden))
}

pub(super) fn with<'a>(
    on: &'a OperationInput<'_>,
    wanted: impl Fn(&Entity) -> bool + 'a,
) -> impl Iterator<Item = EntityId> + 'a {
    on.level
        .iter()
        .filter(move |(_, entity)| wanted(entity))
        .map(|(id, _)| id)
}

pub(super) fn changed(
    on: &OperationInput<'_>,
    ids: impl Iterator<Item = EntityId>,
    change: impl Fn(&mut Entity),
) -> Vec<Edit> {
    ids.filter_map(|id| {
        let mut entity = Entity::clone(on.get(id)?);
        change(&mut entity);
        Some(Edit::replace(id, entity))
    })
    .collect()
}

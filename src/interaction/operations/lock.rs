//! Lock and unlock.

use super::visibility::{changed, with};
use super::{Change, OperationInput};
use crate::document::Selection;
use crate::interaction::host::Refused;

/// Locks and deselects the selection.
///
/// # Errors
/// Nothing is selected.
pub fn lock(on: &OperationInput<'_>) -> Result<Change, Refused> {
    if on.selection.is_empty() {
        return Err(on.nothing_to_do("to lock"));
    }
    let edits = changed(on, on.selection.iter(), |entity| entity.locked = true);
    Ok(Change::new("Lock", edits, Selection::default()))
}

/// Unlocks the selection.
///
/// # Errors
/// Nothing is selected.
pub fn unlock(on: &OperationInput<'_>) -> Result<Change, Refused> {
    if on.selection.is_empty() {
        return Err(on.nothing_to_do("to unlock"));
    }
    let edits = changed(on, on.selection.iter(), |entity| entity.locked = false);
    Ok(Change::new("Unlock", edits, on.selection.clone()))
}

/// Unlocks everything, including layers and groups, and selects it.
///
/// # Errors
/// Nothing is locked.
pub fn unlock_all(on: &OperationInput<'_>) -> Result<Change, Refused> {
    let locked: Selection = with(on, |entity| entity.locked).collect();
    if locked.is_empty() {
        return Err(Refused("nothing is locked".to_owned()));
    }
    let edits = changed(on, locked.iter(), |entity| entity.locked = false);
    Ok(Change::new("Unlock everything", edits, locked))
}

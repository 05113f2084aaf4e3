//! Drop to floor.

use super::{Change, OperationInput};
use crate::interaction::host::Refused;
use crate::interaction::space::floor;
use crate::preview::space::SpaceScene;

/// Lowers the selection onto the ground, or onto what is beneath it in the scene.
///
/// # Errors
/// Nothing movable is selected, or nothing of it has a height in space.
pub fn drop_to_floor(on: &OperationInput<'_>, scene: &SpaceScene) -> Result<Change, Refused> {
    on.movable()?;
    let edits = floor::drop_to_floor(scene, on.level, on.selection);
    if edits.is_empty() {
        return Err(Refused(
            "everything is already on the floor, or has no height".to_owned(),
        ));
    }
    Ok(Change::new("Drop to floor", edits, on.selection.clone()))
}

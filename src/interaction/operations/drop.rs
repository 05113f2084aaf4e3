//! Let things down onto what is beneath them.

use super::{Change, Subject};
use crate::interaction::host::Refused;
use crate::interaction::space::floor;
use crate::preview::space::SpaceScene;

/// Lets the selection down onto the ground, or onto what stands beneath it in the scene.
///
/// # Errors
/// Nothing that can be moved is selected, or nothing of it hangs or stands in space.
pub fn drop_to_floor(on: &Subject<'_>, scene: &SpaceScene) -> Result<Change, Refused> {
    on.movable()?;
    let edits = floor::drop_to_floor(scene, on.level, on.selection);
    if edits.is_empty() {
        return Err(Refused(
            "everything stands on the floor already, or has no height to fall from".to_owned(),
        ));
    }
    Ok(Change::new("Drop to floor", edits, on.selection.clone()))
}

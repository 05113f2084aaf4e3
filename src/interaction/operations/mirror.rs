//! Mirror about the middle of the selection.

use super::{Axis, Change, Subject};
use crate::interaction::host::Refused;
use crate::interaction::transform;
use glam::{DAffine2, DVec2};

/// Swaps left and right, or top and bottom, of the selection; what faces somewhere turns too.
///
/// # Errors
/// Nothing that can be moved is selected.
pub fn mirror(on: &Subject<'_>, axis: Axis) -> Result<Change, Refused> {
    on.movable()?;
    let mut scale = DVec2::ONE;
    scale[axis.index()] = -1.0;
    let map = about(on.bounds().centre(), DAffine2::from_scale(scale));
    let edits = transform::edits(on.level, on.selection, &map);
    Ok(Change::new("Mirror", edits, on.selection.clone()))
}

/// A map that leaves `centre` where it is.
pub(super) fn about(centre: DVec2, map: DAffine2) -> DAffine2 {
    DAffine2::from_translation(centre) * map * DAffine2::from_translation(-centre)
}

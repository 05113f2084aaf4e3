//! Mirroring about the centre of the selection.

use super::{Axis, Change, OperationInput};
use crate::interaction::host::Refused;
use crate::interaction::transform;
use glam::{DAffine2, DVec2};

/// Swaps left and right, or top and bottom, of the selection; headings are mirrored too.
///
/// # Errors
/// Nothing movable is selected.
pub fn mirror(on: &OperationInput<'_>, axis: Axis) -> Result<Change, Refused> {
    on.movable()?;
    let mut scale = DVec2::ONE;
    scale[axis.index()] = -1.0;
    let map = about(on.bounds().centre(), DAffine2::from_scale(scale));
    let edits = transform::edits(on.level, on.selection, &map);
    Ok(Change::new("Mirror", edits, on.selection.clone()))
}

/// `map` applied about a fixed `centre`.
pub(super) fn about(centre: DVec2, map: DAffine2) -> DAffine2 {
    DAffine2::from_translation(centre) * map * DAffine2::from_translation(-centre)
}

//! Scaling by factors.

use super::mirror::about;
use super::{Change, OperationInput};
use crate::interaction::host::Refused;
use crate::interaction::transform;
use glam::{DAffine2, DVec2};

/// Scales the selection about a point, or about the centre of its bounds.
///
/// # Errors
/// Nothing movable is selected, or a factor is zero or not a number.
pub fn scale(
    on: &OperationInput<'_>,
    centre: Option<DVec2>,
    factors: DVec2,
) -> Result<Change, Refused> {
    on.movable()?;
    if !factors.is_finite() || factors.x == 0.0 || factors.y == 0.0 {
        return Err(Refused(format!(
            "the factors are {} and {}; they must be numbers other than zero",
            factors.x, factors.y
        )));
    }
    let centre = centre.unwrap_or_else(|| on.bounds().centre());
    let map = about(centre, DAffine2::from_scale(factors));
    let edits = transform::edits(on.level, on.selection, &map);
    Ok(Change::new("Scale", edits, on.selection.clone()))
}

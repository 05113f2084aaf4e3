//! Growing and shrinking of outlines.

use super::combine::as_pieces;
use super::{Change, OperationInput};
use crate::geometry::offset::{Join, grow};
use crate::interaction::host::Refused;
use crate::interaction::vertices;

/// Corners sharper than some 29° are cut off instead of growing long spikes.
const MITER_LIMIT: f64 = 4.0;

/// Offsets the outlines of the selected shapes outwards, or inwards if `distance` is negative.
/// Shapes that fall apart become several.
///
/// # Errors
/// No shape is selected, one would vanish, or the distance is not a number.
pub fn offset(on: &OperationInput<'_>, distance: f64) -> Result<Change, Refused> {
    if !distance.is_finite() {
        return Err(Refused("the distance is not a number".to_owned()));
    }
    let mut ids = on.ids();
    let mut edits = Vec::new();
    let mut selection = on.selection.clone();
    for id in on.movable()? {
        let Some(entity) = on.get(id) else { continue };
        let Some(area) = vertices::area(entity) else {
            continue;
        };
        let join = Join::Miter { limit: MITER_LIMIT };
        let pieces = grow(std::slice::from_ref(area), distance, join);
        if pieces.is_empty() {
            return Err(Refused(format!(
                "{} would vanish; choose a smaller distance",
                entity.label(id)
            )));
        }
        let (changes, made) = as_pieces(on, &mut ids, id, pieces);
        edits.extend(changes);
        for id in made {
            selection.insert(id);
        }
    }
    if edits.is_empty() {
        return Err(on.nothing_to_do("with an outline"));
    }
    let label = if distance < 0.0 { "Shrink" } else { "Grow" };
    Ok(Change::new(label, edits, selection))
}

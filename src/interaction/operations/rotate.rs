//! Rotation by an angle.

use super::mirror::about;
use super::{Change, OperationInput};
use crate::interaction::host::Refused;
use crate::interaction::transform;
use glam::{DAffine2, DMat2, DVec2};

/// Rotates the selection counter-clockwise about a point, or about the centre of its bounds.
///
/// # Errors
/// Nothing movable is selected, or the angle is not a number.
pub fn rotate(
    on: &OperationInput<'_>,
    centre: Option<DVec2>,
    degrees: f64,
) -> Result<Change, Refused> {
    on.movable()?;
    if !degrees.is_finite() {
        return Err(Refused("the angle is not a number".to_owned()));
    }
    let centre = centre.unwrap_or_else(|| on.bounds().centre());
    let map = about(centre, DAffine2::from_mat2(rotation(degrees)));
    let edits = transform::edits(on.level, on.selection, &map);
    Ok(Change::new("Rotate", edits, on.selection.clone()))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Counter-clockwise.
    Left,
    Right,
}

/// Rotates the selection by 90° about its centre.
///
/// # Errors
/// Nothing movable is selected.
pub fn quarter_turn(on: &OperationInput<'_>, turn: Turn) -> Result<Change, Refused> {
    let (degrees, label) = match turn {
        Turn::Left => (90.0, "Rotate left"),
        Turn::Right => (-90.0, "Rotate right"),
    };
    let change = rotate(on, None, degrees)?;
    Ok(Change {
        label: label.to_owned(),
        ..change
    })
}

/// Exact for multiples of 90°.
fn rotation(degrees: f64) -> DMat2 {
    let quarters = degrees / 90.0;
    if quarters.fract() == 0.0 {
        let along = match quarters.rem_euclid(4.0) {
            q if q < 0.5 => DVec2::X,
            q if q < 1.5 => DVec2::Y,
            q if q < 2.5 => DVec2::NEG_X,
            _ => DVec2::NEG_Y,
        };
        DMat2::from_cols(along, along.perp())
    } else {
        DMat2::from_angle(degrees.to_radians())
    }
}

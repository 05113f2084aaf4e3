//! Movement by grid steps.

use super::{Change, OperationInput};
use crate::document::history::MergeKey;
use crate::interaction::host::Refused;
use crate::interaction::transform;
use glam::{DAffine2, DVec2};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Left,
    Right,
    Up,
    Down,
}

impl Direction {
    const fn unit(self) -> DVec2 {
        match self {
            Self::Left => DVec2::NEG_X,
            Self::Right => DVec2::X,
            Self::Up => DVec2::Y,
            Self::Down => DVec2::NEG_Y,
        }
    }
}

/// Moves the selection by `units` of the level's grid.
///
/// # Errors
/// Nothing movable is selected.
pub fn nudge(on: &OperationInput<'_>, direction: Direction, units: f64) -> Result<Change, Refused> {
    let moved = on.movable()?;
    let by = direction.unit() * units * on.level.settings().grid.spacing;
    let edits = transform::edits(on.level, on.selection, &DAffine2::from_translation(by));
    Ok(Change {
        merge: Some(MergeKey {
            field: "nudge",
            subjects: moved,
        }),
        ..Change::new("Nudge", edits, on.selection.clone())
    })
}

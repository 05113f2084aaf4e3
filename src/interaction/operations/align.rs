//! Alignment of edges or centres.

use super::{Axis, Change, OperationInput};
use crate::document::Edit;
use crate::geometry::Rect;
use crate::interaction::host::Refused;
use crate::interaction::transform::transformed;
use glam::{DAffine2, DVec2};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    Left,
    /// Centres on one vertical line.
    Centre,
    Right,
    Top,
    /// Centres on one horizontal line.
    Middle,
    Bottom,
}

impl Edge {
    const fn axis(self) -> Axis {
        match self {
            Self::Left | Self::Centre | Self::Right => Axis::Across,
            Self::Top | Self::Middle | Self::Bottom => Axis::Down,
        }
    }

    fn of(self, bounds: &Rect) -> f64 {
        let axis = self.axis().index();
        match self {
            Self::Left | Self::Bottom => bounds.min[axis],
            Self::Centre | Self::Middle => bounds.centre()[axis],
            Self::Right | Self::Top => bounds.max[axis],
        }
    }
}

/// Moves the selected objects, groups as units, to an edge or the centre of their common bounds.
///
/// # Errors
/// Fewer than two objects are selected.
pub fn align(on: &OperationInput<'_>, edge: Edge) -> Result<Change, Refused> {
    let units = on.units();
    if units.len() < 2 {
        return Err(Refused("select two or more unlocked objects".to_owned()));
    }
    let goal = edge.of(&on.bounds());
    let mut edits = Vec::new();
    for unit in &units {
        let mut by = DVec2::ZERO;
        by[edge.axis().index()] = goal - edge.of(&unit.bounds);
        edits.extend(shifted(on, &unit.members, by));
    }
    Ok(Change::new("Align", edits, on.selection.clone()))
}

/// The edits that move `ids` by an offset.
pub(super) fn shifted(
    on: &OperationInput<'_>,
    ids: &[crate::base::EntityId],
    by: DVec2,
) -> Vec<Edit> {
    let map = DAffine2::from_translation(by);
    ids.iter()
        .filter_map(|id| Some(Edit::replace(*id, transformed(on.get(*id)?, &map))))
        .collect()
}

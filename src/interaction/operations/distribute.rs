//! Even distribution.

use super::align::shifted;
use super::{Axis, Change, OperationInput};
use crate::interaction::host::Refused;
use glam::DVec2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// Equal gaps between neighbours.
    Gaps,
    /// Equal distances between centres.
    Centres,
}

/// Moves the objects between the two outermost ones so that distances are equal; groups move as
/// units.
///
/// # Errors
/// Fewer than three objects are selected.
pub fn distribute(
    on: &OperationInput<'_>,
    axis: Axis,
    spacing: Spacing,
) -> Result<Change, Refused> {
    let mut units = on.units();
    if units.len() < 3 {
        return Err(Refused("select three or more unlocked objects".to_owned()));
    }
    let i = axis.index();
    units.sort_by(|a, b| a.bounds.centre()[i].total_cmp(&b.bounds.centre()[i]));
    let (first, last) = (&units[0].bounds, &units[units.len() - 1].bounds);
    let steps = (units.len() - 1) as f64;
    // Target centres.
    let centres: Vec<f64> = match spacing {
        Spacing::Centres => {
            let (from, to) = (first.centre()[i], last.centre()[i]);
            (0..units.len())
                .map(|k| from + (to - from) * k as f64 / steps)
                .collect()
        }
        Spacing::Gaps => {
            let sizes: f64 = units.iter().map(|unit| unit.bounds.size()[i]).sum();
            // Negative if objects overlap: then they overlap equally.
            let gap = (last.max[i] - first.min[i] - sizes) / steps;
            let mut at = first.min[i];
            units
                .iter()
                .map(|unit| {
                    let size = unit.bounds.size()[i];
                    let centre = at + size * 0.5;
                    at += size + gap;
                    centre
                })
                .collect()
        }
    };
    let edits = units
        .iter()
        .zip(centres)
        .flat_map(|(unit, centre)| {
            let mut by = DVec2::ZERO;
            by[i] = centre - unit.bounds.centre()[i];
            shifted(on, &unit.members, by)
        })
        .collect();
    Ok(Change::new("Distribute", edits, on.selection.clone()))
}

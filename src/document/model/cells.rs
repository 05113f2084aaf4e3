//! The voxel size a level asks for in human motion planning.

use super::check::Refusal;

/// Maximum cells along one axis of a grid.
const MOST_CELLS: u32 = 65_535;

/// Limits of a cell's side. Unit: metres.
const SIDES: std::ops::RangeInclusive<f64> = 0.001..=100.0;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum CellSize {
    /// Chosen from the level's size.
    #[default]
    Suiting,
    /// Side in plan, and height. Unit: metres.
    Sides { cell: f64, layer: f64 },
    /// Exactly this many columns along x and y, and layers.
    Count([u32; 3]),
}

impl CellSize {
    /// # Errors
    /// An invalid side, or no cells.
    pub fn check(&self) -> Result<(), Refusal> {
        match *self {
            Self::Suiting => Ok(()),
            Self::Sides { cell, layer } => {
                let wrong = [cell, layer].into_iter().find(|side| !SIDES.contains(side));
                wrong.map_or(Ok(()), |side| {
                    Err(Refusal::new(format!(
                        "a cell's side is {side} m; it must be from {} to {} m",
                        SIDES.start(),
                        SIDES.end()
                    )))
                })
            }
            Self::Count(counts) => {
                let wrong = counts
                    .into_iter()
                    .find(|count| !(1..=MOST_CELLS).contains(count));
                wrong.map_or(Ok(()), |count| {
                    Err(Refusal::new(format!(
                        "the grid has {count} cells along one side; it must be from 1 to {MOST_CELLS}"
                    )))
                })
            }
        }
    }
}

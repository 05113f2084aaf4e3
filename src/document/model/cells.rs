//! How space is cut into cells for human motion, as a level says it.

use super::check::Refusal;

/// Cells along one axis of a grid, at most.
const MOST_CELLS: u32 = 65_535;

/// Sides of a cell, at least and at most. Unit: metres.
const SIDES: std::ops::RangeInclusive<f64> = 0.001..=100.0;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum CellSize {
    /// One that suits the level's size.
    #[default]
    Suiting,
    /// Side in plan, and height. Unit: metres.
    Sides { cell: f64, layer: f64 },
    /// Exactly so many columns along x and y and layers, whatever their size.
    Count([u32; 3]),
}

impl CellSize {
    /// # Errors
    /// A side that no cell can have, or no cells.
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

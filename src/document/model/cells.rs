//! Voxels for human motion planning: the size that a level asks for, and the rules by which bodies
//! use them.

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

/// Maximum layers of border.
pub const MAX_BORDER: u8 = 15;

/// Which cells count as adjacent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Neighbours {
    Four,
    #[default]
    Eight,
}

impl Neighbours {
    /// Moves between two cells on level ground: d₄ − 1 and d₈ − 1 of Bandi and Thalmann 2000, §5.2.
    #[must_use]
    pub const fn distance(self, dx: i32, dy: i32) -> u32 {
        let (dx, dy) = (dx.unsigned_abs(), dy.unsigned_abs());
        match self {
            Self::Four => dx + dy,
            Self::Eight => {
                if dx > dy {
                    dx
                } else {
                    dy
                }
            }
        }
    }
}

/// What a search for the shortest path counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Cells: a diagonal step is as long as a straight one (§3.4).
    Cells,
    /// A diagonal step is √2 as long, so that the path goes around the right side of things.
    #[default]
    Length,
}

/// What becomes of a path from cell to cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Smoothing {
    /// Left as it was found.
    None,
    /// Straight between cells where the path changes direction (§7.4).
    Junctions,
    /// Straight between any two cells, which §7.4 calls comprehensive.
    Full,
    /// That, then pulled tight within the cells that the body may enter, and where the ground is
    /// level within the exact free space.
    #[default]
    Taut,
}

impl Smoothing {
    pub const ALL: [Self; 4] = [Self::None, Self::Junctions, Self::Full, Self::Taut];

    /// As files and the command line spell it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Junctions => "junctions",
            Self::Full => "full",
            Self::Taut => "taut",
        }
    }

    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|smoothing| smoothing.id() == id)
    }

    /// For people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "As found",
            Self::Junctions => "Between junctions",
            Self::Full => "Over all cells",
            Self::Taut => "Taut string",
        }
    }
}

/// The rules by which bodies use cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellRules {
    pub neighbours: Neighbours,
    /// Whether corners, too, are tested for the border.
    pub border_neighbours: Neighbours,
    /// Layers of border; `None` for as many as keep the body's radius off the walls.
    pub border_layers: Option<u8>,
    /// Minimum fraction of a cell that must be filled to put a foot on it, from 0 to 1.
    pub threshold: f64,
    pub metric: Metric,
    pub smoothing: Smoothing,
}

impl CellRules {
    /// Bandi and Thalmann 2000: 8-neighbour fronts in which all moves are of one length, borders by
    /// 4 sides, smoothing between junctions.
    pub const AS_PRINTED: Self = Self {
        neighbours: Neighbours::Eight,
        border_neighbours: Neighbours::Four,
        border_layers: None,
        threshold: 0.0,
        metric: Metric::Cells,
        smoothing: Smoothing::Junctions,
    };

    /// # Errors
    /// A share outside 0 to 1, or too many layers.
    pub fn check(&self) -> Result<(), Refusal> {
        if !(0.0..=1.0).contains(&self.threshold) {
            return Err(Refusal::new(format!(
                "the support that a step needs is {}; it must be from 0 to 1",
                self.threshold
            )));
        }
        match self.border_layers {
            Some(layers) if layers > MAX_BORDER => Err(Refusal::new(format!(
                "the border has {layers} layers; at most {MAX_BORDER} are possible"
            ))),
            _ => Ok(()),
        }
    }
}

impl Default for CellRules {
    fn default() -> Self {
        Self {
            border_neighbours: Neighbours::Eight,
            metric: Metric::Length,
            smoothing: Smoothing::Taut,
            ..Self::AS_PRINTED
        }
    }
}

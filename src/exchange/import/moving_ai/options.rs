//! What can be chosen for grid maps.

use crate::base::{Quantity, Unit};
use crate::exchange::options::{Choice, Field, FormatOptions};

/// What becomes of water.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Water {
    /// An obstacle on a region of water: as in the benchmarks, where none can walk into it.
    #[default]
    Blocks,
    /// A region of water that costs more.
    Terrain,
}

impl Water {
    const CHOICES: &'static [Choice] = &[
        Choice::new(
            "blocks",
            "Obstacles",
            "As in the benchmarks: no agent can enter it",
        ),
        Choice::new("terrain", "Terrain", "Ground that costs more"),
    ];

    const fn id(self) -> &'static str {
        match self {
            Self::Blocks => "blocks",
            Self::Terrain => "terrain",
        }
    }
}

/// How many agents a scenario becomes unless told otherwise: enough to look at.
const DEFAULT_AGENTS: usize = 20;

pub(in crate::exchange::import) const CELL: Quantity =
    Quantity::new("cell size", Unit::Metre, 0.01, 10_000.0, 1.0);
const AGENTS: Quantity = Quantity::new("number of agents", Unit::One, 0.0, 100_000.0, 20.0);

#[derive(Clone, Debug, PartialEq)]
pub struct GridMapOptions {
    /// Side of a cell. Unit: metres.
    pub cell: f64,
    /// How many of a scenario's queries become agents, spread over its whole list.
    pub agents: usize,
    pub water: Water,
}

impl Default for GridMapOptions {
    fn default() -> Self {
        Self {
            cell: 1.0,
            agents: DEFAULT_AGENTS,
            water: Water::default(),
        }
    }
}

impl FormatOptions for GridMapOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::number(["cell", "Cell size", "Side of a cell"], CELL, |o| {
            &mut o.cell
        }),
        Field::count(
            [
                "agents",
                "Agents",
                "How many queries of the scenario become agents",
            ],
            AGENTS,
            |o| &mut o.agents,
        ),
        Field::choice(
            ["water", "Water becomes", "What becomes of cells of water"],
            Water::CHOICES,
            |o: &Self| o.water.id(),
            |o, id| {
                o.water = if id == "terrain" {
                    Water::Terrain
                } else {
                    Water::Blocks
                };
            },
        )
        .advanced(),
    ];
}

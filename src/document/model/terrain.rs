//! Terrain types and the regions painted with them.

use super::{
    check::{self, Checked},
    limits,
};
use crate::base::{Colour, EntityId};
use crate::geometry::Polygon;

/// A kind of ground: grass, road, mud.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    pub colour: Colour,
    pub pattern: Pattern,
    /// Cost per metre for profiles without a weight of their own.
    pub weight: f64,
}

/// Distinguishes a terrain without relying on its colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pattern {
    #[default]
    Plain,
    Dots,
    Hatch,
    CrossHatch,
    Waves,
    Tufts,
    Bricks,
}

impl Pattern {
    pub const ALL: [Self; 7] = [
        Self::Plain,
        Self::Dots,
        Self::Hatch,
        Self::CrossHatch,
        Self::Waves,
        Self::Tufts,
        Self::Bricks,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "Plain",
            Self::Dots => "Dots",
            Self::Hatch => "Hatch",
            Self::CrossHatch => "Cross-hatch",
            Self::Waves => "Waves",
            Self::Tufts => "Tufts",
            Self::Bricks => "Bricks",
        }
    }
}

impl Terrain {
    #[must_use]
    pub const fn new(colour: Colour, pattern: Pattern, weight: f64) -> Self {
        Self {
            colour,
            pattern,
            weight,
        }
    }

    pub(super) fn check(&self) -> Checked {
        check::quantity(&limits::TERRAIN_WEIGHT, self.weight)
    }
}

/// A painted area. Where regions overlap, the later one in the level's order is on top.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    pub area: Polygon,
    pub terrain: EntityId,
}

impl Region {
    pub(super) fn check(&self) -> Checked {
        check::polygon(&self.area)
    }
}

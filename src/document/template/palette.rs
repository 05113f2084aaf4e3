//! One palette for all templates: natural tones that stay distinct when toned down towards a dark
//! or light background, and that are also distinguished by pattern.

use super::super::model::{Pattern, Terrain};
use crate::base::Colour;

/// A terrain type that templates use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    pub name: &'static str,
    pub colour: Colour,
    pub pattern: Pattern,
}

impl Ground {
    const fn new(name: &'static str, rgb: u32, pattern: Pattern) -> Self {
        Self {
            name,
            colour: Colour::hex(rgb),
            pattern,
        }
    }

    pub(super) const fn weighing(self, weight: f64) -> Terrain {
        Terrain::new(self.colour, self.pattern, weight)
    }
}

pub(super) const GRASS: Ground = Ground::new("Grass", 0x86a354, Pattern::Tufts);
pub(super) const MEADOW: Ground = Ground::new("Meadow", 0xb3c46e, Pattern::Tufts);
pub(super) const UNDERGROWTH: Ground = Ground::new("Undergrowth", 0x5d7f45, Pattern::Tufts);
pub(super) const ROAD: Ground = Ground::new("Road", 0x6f747d, Pattern::Plain);
pub(super) const SIDEWALK: Ground = Ground::new("Sidewalk", 0xcfc3a8, Pattern::Bricks);
pub(super) const CROSSING: Ground = Ground::new("Crossing", 0xe6e0d0, Pattern::Hatch);
pub(super) const PAVING: Ground = Ground::new("Paving", 0xd8bf92, Pattern::Bricks);
pub(super) const GRAVEL: Ground = Ground::new("Gravel", 0xd6b478, Pattern::Dots);
pub(super) const SAND: Ground = Ground::new("Sand", 0xddc48c, Pattern::Dots);
pub(super) const MUD: Ground = Ground::new("Mud", 0x77492b, Pattern::Waves);
pub(super) const WATER: Ground = Ground::new("Water", 0x4d93b8, Pattern::Waves);
pub(super) const PUDDLE: Ground = Ground::new("Puddle", 0x4f9bc4, Pattern::Waves);
pub(super) const LOG: Ground = Ground::new("Fallen tree", 0x8a5a30, Pattern::Hatch);
pub(super) const LOOKOUT: Ground = Ground::new("Panoramic view", 0xf2e6c8, Pattern::Plain);
pub(super) const STONE: Ground = Ground::new("Stone floor", 0xcfc9bc, Pattern::Plain);
pub(super) const PARQUET: Ground = Ground::new("Parquet", 0xc98f55, Pattern::Bricks);
pub(super) const CARPET: Ground = Ground::new("Carpet", 0xb0443c, Pattern::Dots);

pub(super) const BLUE: Colour = Colour::hex(0x3f7fb5);
pub(super) const ORANGE: Colour = Colour::hex(0xd9863b);
pub(super) const TEAL: Colour = Colour::hex(0x2f9c8c);
pub(super) const RED: Colour = Colour::hex(0xc4564f);
pub(super) const VIOLET: Colour = Colour::hex(0x8667ab);
pub(super) const YELLOW: Colour = Colour::hex(0xd0a636);

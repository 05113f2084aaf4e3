//! One palette for all templates: muted natural tones of similar lightness, told apart by
//! pattern too, that sit well on a dark and on a light page.

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

pub(super) const GRASS: Ground = Ground::new("Grass", 0x8f9f6f, Pattern::Tufts);
pub(super) const MEADOW: Ground = Ground::new("Meadow", 0xa8b483, Pattern::Tufts);
pub(super) const UNDERGROWTH: Ground = Ground::new("Undergrowth", 0x73835c, Pattern::Tufts);
pub(super) const ROAD: Ground = Ground::new("Road", 0x85868a, Pattern::Plain);
pub(super) const SIDEWALK: Ground = Ground::new("Sidewalk", 0xc3bcac, Pattern::Bricks);
pub(super) const CROSSING: Ground = Ground::new("Crossing", 0xd8d4c8, Pattern::Hatch);
pub(super) const PAVING: Ground = Ground::new("Paving", 0xcdbfa5, Pattern::Bricks);
pub(super) const GRAVEL: Ground = Ground::new("Gravel", 0xc7b48c, Pattern::Dots);
pub(super) const SAND: Ground = Ground::new("Sand", 0xd2c29b, Pattern::Dots);
pub(super) const MUD: Ground = Ground::new("Mud", 0x7d604a, Pattern::Waves);
pub(super) const WATER: Ground = Ground::new("Water", 0x7ea2b0, Pattern::Waves);
pub(super) const PUDDLE: Ground = Ground::new("Puddle", 0x86a9b8, Pattern::Waves);
pub(super) const LOG: Ground = Ground::new("Fallen tree", 0x8a6a4b, Pattern::Hatch);
pub(super) const LOOKOUT: Ground = Ground::new("Panoramic view", 0xdfd6c0, Pattern::Plain);
pub(super) const STONE: Ground = Ground::new("Stone floor", 0xc9c4ba, Pattern::Plain);
pub(super) const PARQUET: Ground = Ground::new("Parquet", 0xc2a37d, Pattern::Bricks);
pub(super) const CARPET: Ground = Ground::new("Carpet", 0xa9736a, Pattern::Dots);

pub(super) const BLUE: Colour = Colour::hex(0x3f7fb5);
pub(super) const ORANGE: Colour = Colour::hex(0xd9863b);
pub(super) const TEAL: Colour = Colour::hex(0x2f9c8c);
pub(super) const RED: Colour = Colour::hex(0xc4564f);
pub(super) const VIOLET: Colour = Colour::hex(0x8667ab);
pub(super) const YELLOW: Colour = Colour::hex(0xd0a636);

//! Templates: procedurally drawn levels, from an empty plot to a whole town.
//!
//! Output depends only on template, seed and size, byte for byte: the files in `levels/` are
//! generated here, and larger ones for measurements come from `--size`.

mod blocks;
mod builder;
mod building;
mod city;
mod crossing;
mod empty;
mod factory;
mod forest;
mod guards;
mod labyrinth;
mod mckenna;
mod night;
mod palette;
mod people;
mod rooms;
mod scatter;
mod shape;
mod stairs;
mod station;
mod supermarket;
mod track;
mod zigzag;

use super::model::Level;
use super::ops::EditError;
use crate::base::{OutOfLimits, Quantity};
use glam::DVec2;

/// Name of a level until it is given one.
pub const UNNAMED: &str = "Untitled";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Template {
    Empty,
    Mckenna,
    MckennaRoad,
    Forest,
    Loose,
    Dense,
    Rooms,
    Labyrinth,
    Stairs,
    Supermarket,
    Factory,
    Blocks,
    City,
    Guards,
    Crossing,
    Zigzag,
    Night,
    Bottleneck,
    Evacuation,
    Station,
}

/// Parameters of a template.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Varies the drawing; 0 is the one in `levels/`. Templates without randomness ignore it.
    pub seed: u64,
    /// In the unit of [`Template::size`]; its default if not given.
    pub size: Option<f64>,
    /// The other side, see [`Template::height`]; defaults to the first.
    pub height: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TemplateError {
    #[error("the template `{0}` has one size only; leave the size out")]
    OneSize(&'static str),
    #[error("the template `{0}` has one size only, not width and height; give one number")]
    OneSide(&'static str),
    #[error("the template `{name}`: {limits}")]
    Size {
        name: &'static str,
        limits: OutOfLimits,
    },
    #[error("the template `{name}` cannot be drawn: {error}")]
    Refused {
        name: &'static str,
        error: EditError,
    },
}

impl Template {
    pub const ALL: [Self; 20] = [
        Self::Empty,
        Self::Mckenna,
        Self::MckennaRoad,
        Self::Forest,
        Self::Loose,
        Self::Dense,
        Self::Rooms,
        Self::Labyrinth,
        Self::Stairs,
        Self::Supermarket,
        Self::Factory,
        Self::Blocks,
        Self::City,
        Self::Guards,
        Self::Crossing,
        Self::Zigzag,
        Self::Night,
        Self::Bottleneck,
        Self::Evacuation,
        Self::Station,
    ];

    /// All templates but the empty one.
    pub fn samples() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|t| *t != Self::Empty)
    }

    /// Name on the command line and of the file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Mckenna => "mckenna",
            Self::MckennaRoad => "mckenna_road",
            Self::Forest => "forest",
            Self::Loose => "loose",
            Self::Dense => "dense",
            Self::Rooms => "rooms",
            Self::Labyrinth => "labyrinth",
            Self::Stairs => "stairs",
            Self::Supermarket => "supermarket",
            Self::Factory => "factory",
            Self::Blocks => "blocks",
            Self::City => "city",
            Self::Guards => "guards",
            Self::Crossing => "crossing",
            Self::Zigzag => "zigzag",
            Self::Night => "night",
            Self::Bottleneck => "bottleneck",
            Self::Evacuation => "evacuation",
            Self::Station => "station",
        }
    }

    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Empty => "A meadow with the usual terrains and a pedestrian, to begin on",
            Self::Mckenna => "A small training village: 23 buildings round a crossing",
            Self::MckennaRoad => "The village with road, sidewalk and mud underfoot",
            Self::Forest => "A family on a forest path with puddles, logs and a view",
            Self::Loose => "A wide plain with a hundred rocks and walls",
            Self::Dense => "The plain crowded with two hundred of them",
            Self::Rooms => "A museum's ground floor: doors, furniture, a guard, visitors",
            Self::Labyrinth => "A round hedge maze with a gap that only the slim can use",
            Self::Stairs => "Stairs, a gap, a balcony and a gallery above each other",
            Self::Supermarket => "A shop with shelves, tills and a café upstairs",
            Self::Factory => "A hall with a tank that hangs too low to walk under",
            Self::Blocks => "Three blocks to jump between and a forbidden table",
            Self::City => "A town on a river: quarters, parks, squares, crowds",
            Self::Guards => "A yard with patrols, and people who want to cross it unseen",
            Self::Crossing => "A road with moving vehicles not to walk in front of",
            Self::Zigzag => "Behind a block, along a wall, in a zigzag, in single file",
            Self::Night => "A grid of streets with a quarter to stay out of at night",
            Self::Bottleneck => "A crowd that leaves a hall through a door of 1.2 m",
            Self::Evacuation => "A school after the alarm, with one of two exits blocked",
            Self::Station => "Platforms, stairs, two exits, a ticket office and timed trains",
        }
    }

    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.name() == name)
    }

    /// Meaning and limits of `size`; `None` for templates with a fixed size.
    #[must_use]
    pub const fn size(self) -> Option<Quantity> {
        match self {
            Self::Empty => Some(empty::SIZE),
            Self::Loose => Some(scatter::LOOSE_SIZE),
            Self::Dense => Some(scatter::DENSE_SIZE),
            Self::Labyrinth => Some(labyrinth::SIZE),
            Self::City => Some(city::SIZE),
            Self::Mckenna
            | Self::MckennaRoad
            | Self::Forest
            | Self::Rooms
            | Self::Stairs
            | Self::Supermarket
            | Self::Factory
            | Self::Blocks
            | Self::Guards
            | Self::Crossing
            | Self::Zigzag
            | Self::Night
            | Self::Bottleneck
            | Self::Evacuation
            | Self::Station => None,
        }
    }

    /// Limits of the other side, for templates with independent width and height.
    #[must_use]
    pub const fn height(self) -> Option<Quantity> {
        match self {
            Self::Empty => Some(empty::HEIGHT),
            _ => None,
        }
    }

    /// The grid of a scene in Bandi and Thalmann's Table 1, as columns along x and y and layers;
    /// the paper lists them with its y up.
    #[must_use]
    pub const fn paper_grid(self) -> Option<[u32; 3]> {
        match self {
            Self::Labyrinth => Some([72, 93, 23]),
            Self::Stairs => Some([53, 91, 102]),
            Self::Factory => Some([69, 69, 95]),
            Self::Supermarket => Some([162, 236, 90]),
            _ => None,
        }
    }

    /// Generates the level.
    ///
    /// # Errors
    /// The size is outside its limits, or given for a template with a fixed size.
    pub fn build(self, options: &Options) -> Result<Level, TemplateError> {
        let name = self.name();
        let size = match (self.size(), options.size) {
            (None, None) => 0.0,
            (None, Some(_)) => return Err(TemplateError::OneSize(name)),
            (Some(quantity), size) => {
                let size = size.unwrap_or(quantity.default);
                quantity
                    .check(size)
                    .map_err(|limits| TemplateError::Size { name, limits })?;
                size
            }
        };
        let height = match (self.height(), options.height) {
            (_, None) => size,
            (None, Some(_)) => return Err(TemplateError::OneSide(name)),
            (Some(quantity), Some(height)) => {
                quantity
                    .check(height)
                    .map_err(|limits| TemplateError::Size { name, limits })?;
                height
            }
        };
        let builder = match self {
            Self::Empty => empty::draw(DVec2::new(size, height)),
            Self::Mckenna => mckenna::draw(),
            Self::MckennaRoad => mckenna::draw_with_road(),
            Self::Forest => forest::draw(options.seed),
            Self::Loose => scatter::draw_loose(options.seed, size),
            Self::Dense => scatter::draw_dense(options.seed, size),
            Self::Rooms => rooms::draw(),
            Self::Labyrinth => labyrinth::draw(options.seed, size),
            Self::Stairs => stairs::draw(),
            Self::Supermarket => supermarket::draw(),
            Self::Factory => factory::draw(),
            Self::Blocks => blocks::draw(),
            Self::City => city::draw(options.seed, size),
            Self::Guards => guards::draw(),
            Self::Crossing => crossing::draw(),
            Self::Zigzag => zigzag::draw(),
            Self::Night => night::draw(),
            Self::Bottleneck => people::draw_bottleneck(),
            Self::Evacuation => people::draw_evacuation(),
            Self::Station => station::draw(),
        };
        builder
            .finish()
            .map_err(|error| TemplateError::Refused { name, error })
    }
}

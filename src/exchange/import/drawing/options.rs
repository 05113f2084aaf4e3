//! What can be chosen for drawings in plan, whatever their format.

use crate::base::{Quantity, Unit};
use crate::exchange::Polygons;
use crate::exchange::import::Coordinates;
use crate::exchange::options::{Field, FormatOptions};

pub(in crate::exchange::import) const SCALE: Quantity =
    Quantity::new("scale", Unit::One, 1e-6, 1e6, 1.0);
pub(in crate::exchange::import) const MARGIN: Quantity =
    Quantity::new("margin", Unit::Metre, 0.0, 10_000.0, 1.0);

#[derive(Clone, Debug, PartialEq)]
pub struct DrawingOptions {
    /// Metres per unit of the file's coordinates.
    pub scale: f64,
    pub polygons: Polygons,
    pub coordinates: Coordinates,
    /// Moves the drawing's centre to the origin.
    pub recentre: bool,
    /// Free space around what was drawn; a share of its size if `None`. Unit: metres.
    pub margin: Option<f64>,
}

impl Default for DrawingOptions {
    fn default() -> Self {
        Self {
            scale: 1.0,
            polygons: Polygons::default(),
            coordinates: Coordinates::default(),
            recentre: false,
            margin: None,
        }
    }
}

impl FormatOptions for DrawingOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::number(
            [
                "scale",
                "Metres per unit",
                "Metres per unit of the file’s coordinates",
            ],
            SCALE,
            |o| &mut o.scale,
        ),
        Field::choice(
            ["polygons", "Polygons are", "What polygons stand for"],
            Polygons::CHOICES,
            |o| o.polygons.id(),
            |o, id| o.polygons = Polygons::named(id),
        ),
        Field::choice(
            [
                "coordinates",
                "Coordinates",
                "What the numbers of the file are",
            ],
            Coordinates::CHOICES,
            |o| o.coordinates.id(),
            |o, id| o.coordinates = Coordinates::named(id),
        ),
        Field::switch(
            [
                "recentre",
                "Move the centre to the origin",
                "Move the drawing’s centre to the origin",
            ],
            |o| &mut o.recentre,
        ),
        Field::automatic_number(
            ["margin", "Margin", "Free space around what is drawn"],
            MARGIN,
            |o: &mut Self| &mut o.margin,
        )
        .advanced(),
    ];
}

//! What can be chosen for mesh files.

use crate::document::UpAxis;
use crate::exchange::import::drawing::{MARGIN, SCALE};
use crate::exchange::options::{Choice, Field, FormatOptions};

const UP_AXES: &[Choice] = &[
    Choice::new("y", "y", "As in glTF and most OBJ files"),
    Choice::new("z", "z", "As in CAD programs and some exporters"),
];

#[derive(Clone, Debug, PartialEq)]
pub struct MeshOptions {
    /// Which axis of the file points up.
    pub up: UpAxis,
    /// Metres per unit of the file's coordinates.
    pub scale: f64,
    /// Moves the drawing's centre to the origin.
    pub recentre: bool,
    /// Free space around what was drawn; a share of its size if `None`. Unit: metres.
    pub margin: Option<f64>,
}

impl Default for MeshOptions {
    fn default() -> Self {
        Self {
            up: UpAxis::default(),
            scale: 1.0,
            recentre: false,
            margin: None,
        }
    }
}

impl FormatOptions for MeshOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::choice(
            ["up", "Up axis", "Which axis of the file points up"],
            UP_AXES,
            |o| o.up.id(),
            |o, id| o.up = if id == "z" { UpAxis::Z } else { UpAxis::Y },
        ),
        Field::number(
            [
                "scale",
                "Metres per unit",
                "Metres per unit of the file’s coordinates",
            ],
            SCALE,
            |o| &mut o.scale,
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

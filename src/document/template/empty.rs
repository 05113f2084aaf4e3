//! `empty`: a meadow to start from, with the terrains and the pedestrian that most levels need.

use super::super::model::Profile;
use super::builder::Builder;
use super::palette;
use crate::base::{Quantity, Unit};
use crate::geometry::Rect;
use glam::DVec2;

pub(super) const SIZE: Quantity = Quantity::new("width", Unit::Metre, 1.0, 100_000.0, 100.0);

/// Size along y, if it differs from the size along x.
pub(super) const HEIGHT: Quantity = Quantity {
    name: "height",
    ..SIZE
};

pub(super) fn draw(size: DVec2) -> Builder {
    let bounds = Rect::new(DVec2::ZERO, size);
    let mut b = Builder::new(super::UNNAMED, bounds, 100.0);
    b.base_terrain(palette::GRASS, 1.0);
    let road = b.terrain(palette::ROAD, 1.0);
    let sidewalk = b.terrain(palette::SIDEWALK, 1.0);
    let mud = b.terrain(palette::MUD, 5.0);
    b.terrain(palette::WATER, 20.0);
    b.profile(
        "Pedestrian",
        Profile {
            colour: palette::BLUE,
            terrain_weights: [(sidewalk, 0.5), (road, 4.0), (mud, 40.0)].into(),
            ..Profile::default()
        },
    );
    b.layer("Ground");
    b.layer("Buildings");
    b.layer("People");
    b
}

//! Solids given by the ranges they cover, for levels with several storeys.

use super::super::model::{Heading, Solid, SolidShape};
use super::builder::Builder;
use crate::base::EntityId;
use glam::DVec3;
use std::ops::Range;

/// The direction in which stairs and ramps rise and arches are passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    East,
    North,
}

impl Along {
    fn heading(self) -> Heading {
        Heading::degrees(match self {
            Self::East => 0.0,
            Self::North => 90.0,
        })
    }

    fn is_across(self) -> bool {
        self == Self::North
    }
}

/// Rounds to whole millimetres, so that sums of decimals do not fill files with digits.
fn round(p: DVec3) -> DVec3 {
    (p * 1000.0).round() / 1000.0 + DVec3::ZERO
}

/// A solid that fills a box.
pub(super) fn body(
    b: &mut Builder,
    name: impl Into<String>,
    shape: SolidShape,
    [x, y, z]: [Range<f64>; 3],
    along: Along,
) -> EntityId {
    let middle = DVec3::new((x.start + x.end) * 0.5, (y.start + y.end) * 0.5, z.start);
    let size = DVec3::new(x.end - x.start, y.end - y.start, z.end - z.start);
    // Sizes are given along the body's own axes.
    let own = if along.is_across() {
        DVec3::new(size.y, size.x, size.z)
    } else {
        size
    };
    let mut solid = Solid::new(shape, round(middle), round(own));
    solid.rotation.yaw = along.heading();
    b.solid(name, solid)
}

pub(super) fn block(
    b: &mut Builder,
    name: impl Into<String>,
    x: Range<f64>,
    y: Range<f64>,
    z: Range<f64>,
) -> EntityId {
    body(b, name, SolidShape::Box, [x, y, z], Along::East)
}

/// A deck on posts, walkable above and beneath.
pub(super) fn deck(
    b: &mut Builder,
    name: impl Into<String>,
    x: Range<f64>,
    y: Range<f64>,
    top: f64,
) -> EntityId {
    let shape = SolidShape::Platform {
        thickness: 0.2,
        posts: 0.25,
    };
    body(b, name, shape, [x, y, 0.0..top], Along::East)
}

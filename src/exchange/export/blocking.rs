//! What stands in the way of a body, for formats that know only free and blocked.

use crate::document::{Body, Entity, Level, Solid, SolidShape};
use crate::geometry::Polygon;

/// The outlines of everything at rest that a body can neither step onto nor pass under, with the
/// entity each belongs to.
pub(super) fn blocking<'a>(
    level: &'a Level,
    body: &Body,
) -> impl Iterator<Item = (&'a Entity, Polygon)> {
    let body = *body;
    let in_the_way =
        move |base: f64, height: f64| base < body.height && base + height > body.step_height;
    let obstacles = level.obstacles().filter_map(move |(_, entity, obstacle)| {
        let blocks = obstacle.motion.is_none() && in_the_way(obstacle.base, obstacle.height);
        blocks.then(|| (entity, obstacle.area.clone()))
    });
    let solids = level.solids().filter_map(move |(_, entity, solid)| {
        let blocks = is_wall(solid) && in_the_way(solid.position.z, solid.size.z);
        blocks.then(|| (entity, Polygon::new(solid.footprint())))
    });
    obstacles.chain(solids)
}

/// Ramps and stairs are there to be walked on.
const fn is_wall(solid: &Solid) -> bool {
    !matches!(solid.shape, SolidShape::Ramp | SolidShape::Stairs { .. })
}

/// How many obstacles move, and so are in nobody's way for good.
pub(super) fn moving(level: &Level) -> usize {
    level
        .obstacles()
        .filter(|(_, _, obstacle)| obstacle.motion.is_some())
        .count()
}

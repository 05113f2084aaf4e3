//! Solids that stand in the way of agents who walk on the ground.
//!
//! Planning in plan knows nothing of storeys. But a shelf, a counter or a column is in the way there,
//! too: what a body on the ground would run into, between a step's height and its head, blocks the
//! plan. Under and over everything else planning in space finds its way.

use super::HEAD_ROOM;
use crate::document::{Heading, Solid, SolidShape, limits};
use crate::geometry::{HeightField, Polygon};
use glam::DVec2;

/// What a solid covers in plan between a step's height and [`HEAD_ROOM`] above the ground; `None` if
/// it is all above or below. Arches, meshes and the posts of platforms are left to planning in space,
/// as they may cover several places.
pub(super) fn footprint(solid: &Solid, ground: Option<&HeightField>) -> Option<Polygon> {
    let under = ground.map_or(0.0, |ground| ground.height(solid.position.truncate()));
    let heights = solid.corners().map(|corner| corner.z - under);
    let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let step = limits::STEP_HEIGHT.default;
    // Rounding must not make an obstacle of what is exactly a step high.
    if low >= HEAD_ROOM || high <= step + 1e-6 {
        return None;
    }
    let is_upright = [solid.rotation.pitch, solid.rotation.roll]
        .into_iter()
        .all(|turn| turn == Heading::default());
    match solid.shape {
        SolidShape::Box | SolidShape::Cylinder => Some(Polygon::new(solid.footprint())),
        SolidShape::Ramp | SolidShape::Stairs { .. } if !is_upright => {
            Some(Polygon::new(solid.footprint()))
        }
        // From where it is higher than a step.
        SolidShape::Ramp => behind(solid, (step - low) / (high - low)),
        SolidShape::Stairs { steps } => {
            let steps = f64::from(steps.max(1));
            let rise = (high - low) / steps;
            behind(solid, ((step + 1e-6 - low) / rise).floor().max(0.0) / steps)
        }
        // The deck, where there is no room beneath it.
        SolidShape::Platform { thickness, .. } => {
            let is_low = is_upright && high - thickness < HEAD_ROOM;
            is_low.then(|| Polygon::new(solid.footprint()))
        }
        SolidShape::Arch { .. } | SolidShape::Mesh(_) => None,
    }
}

/// The part of an upright solid's box from a share of its depth on; `None` if nothing is left.
fn behind(solid: &Solid, share: f64) -> Option<Polygon> {
    let share = share.clamp(0.0, 1.0);
    let half = solid.size.truncate() * 0.5;
    let front = -half.x + solid.size.x * share;
    let turn = DVec2::from_angle(solid.rotation.yaw.radians());
    let place = |x: f64, y: f64| solid.position.truncate() + turn.rotate(DVec2::new(x, y));
    (half.x - front > 1e-3).then(|| {
        Polygon::new(vec![
            place(front, -half.y),
            place(half.x, -half.y),
            place(half.x, half.y),
            place(front, half.y),
        ])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rect;
    use glam::DVec3;

    fn solid(shape: SolidShape, z: f64, size: (f64, f64, f64)) -> Solid {
        Solid::new(shape, DVec3::new(5.0, 5.0, z), size.into())
    }

    fn area(solid: &Solid) -> f64 {
        footprint(solid, None).map_or(0.0, |polygon| polygon.area())
    }

    #[test]
    fn furniture_blocks_and_what_is_stepped_on_or_passed_beneath_does_not() {
        let shelf = |z, height| area(&solid(SolidShape::Box, z, (2.0, 1.0, height)));
        assert_eq!(shelf(0.0, 1.8), 2.0);
        assert_eq!(shelf(0.0, 0.1), 0.0, "a doorstep");
        assert_eq!(shelf(2.6, 1.0), 0.0, "a sign overhead");
        assert_eq!(shelf(1.2, 0.6), 2.0, "at breast height");
        assert!((area(&solid(SolidShape::Cylinder, 0.0, (1.0, 1.0, 3.0))) - 0.785).abs() < 0.01);
    }

    #[test]
    fn ramps_and_stairs_block_from_where_they_are_higher_than_a_step() {
        let step = limits::STEP_HEIGHT.default;
        let ramp = area(&solid(SolidShape::Ramp, 0.0, (4.0, 1.0, 4.0 * step)));
        assert!((ramp - 3.0).abs() < 1e-9, "{ramp}");
        let stairs = SolidShape::Stairs { steps: 8 };
        let stairs = area(&solid(stairs, 0.0, (4.0, 1.0, 4.0 * step)));
        assert!(
            (stairs - 3.0).abs() < 1e-9,
            "two of eight are low: {stairs}"
        );
        let deck = |height| {
            let shape = SolidShape::Platform {
                thickness: 0.2,
                posts: 0.1,
            };
            area(&solid(shape, 0.0, (2.0, 2.0, height)))
        };
        assert_eq!((deck(3.0), deck(1.0)), (0.0, 4.0));
    }

    #[test]
    fn solids_are_measured_from_the_ground_beneath_them() {
        let around = Rect::new(DVec2::ZERO, DVec2::splat(10.0));
        let hill = HeightField::flat(around, 5.0, 3.0);
        let on_top = solid(SolidShape::Box, 3.0, (1.0, 1.0, 1.0));
        assert!(footprint(&on_top, Some(&hill)).is_some());
        assert!(
            footprint(&on_top, None).is_none(),
            "it floats over level ground"
        );
    }
}

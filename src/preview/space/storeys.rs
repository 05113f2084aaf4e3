//! The floors of a level, one above the other: where a section is useful.

use super::scene::SpaceScene;
use crate::document::{Kind, SolidShape};

/// Minimum distance between two floors; closer ones are steps and tables. Unit: metres.
const LEAST_HEIGHT: f64 = 1.9;
/// Minimum area of a floor. Unit: m².
const LEAST_AREA: f64 = 4.0;
/// Maximum height of a section above its floor: over people's heads, under what hangs from the
/// ceiling. Unit: metres.
const CUT: f64 = 2.2;

/// One storey: its floor, and where to cut to see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Storey {
    /// Unit: metres.
    pub floor: f64,
    pub cut: f64,
}

/// From the lowest to the highest; a level without upper floors has one.
#[must_use]
pub fn storeys(scene: &SpaceScene) -> Vec<Storey> {
    let level = &scene.level;
    let mut floors: Vec<f64> = scene
        .bodies()
        .filter(|(id, body)| {
            let size = body.bounds.size();
            // A house is not a floor; agents may walk beneath a deck.
            let is_flat = size.z <= LEAST_HEIGHT;
            let is_floor = match level.get(*id).map(|entity| &entity.kind) {
                Some(Kind::Solid(solid)) => match solid.shape {
                    SolidShape::Box => is_flat,
                    SolidShape::Platform { .. } => true,
                    _ => false,
                },
                Some(Kind::Obstacle(obstacle)) => obstacle.base > 0.0 && is_flat,
                _ => false,
            };
            is_floor && size.x * size.y >= LEAST_AREA
        })
        .map(|(_, body)| body.bounds.max.z)
        .collect();
    floors.push(scene.ground().bounds.min.z.min(0.0));
    floors.sort_by(f64::total_cmp);
    let mut kept: Vec<f64> = Vec::new();
    for floor in floors {
        if kept.last().is_none_or(|last| floor - last >= LEAST_HEIGHT) {
            kept.push(floor);
        }
    }
    kept.iter()
        .enumerate()
        .map(|(i, floor)| {
            let next = kept.get(i + 1).map_or(f64::INFINITY, |next| next - floor);
            Storey {
                floor: *floor,
                cut: floor + CUT.min(next * 0.85),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::EntityId;
    use crate::document::{Edit, Entity, Level, MeshLibrary, Solid, ops};
    use crate::jobs::JobContext;
    use crate::preview::Look;
    use glam::DVec3;
    use std::sync::Arc;

    fn of(slabs: &[(f64, DVec3)]) -> Vec<Storey> {
        let edits: Vec<Edit> = slabs
            .iter()
            .zip(1..)
            .map(|((z, size), id)| {
                let at = DVec3::new(50.0, 50.0, *z);
                let solid = Solid::new(SolidShape::Box, at, *size);
                Edit::create(EntityId::new(id), Entity::new("", Kind::Solid(solid)))
            })
            .collect();
        let level = Arc::new(ops::apply(&Level::default(), &edits).expect("a level"));
        let meshes = Arc::new(MeshLibrary::default());
        let ctx = JobContext::default();
        let scene = SpaceScene::build(None, level, meshes, Look::Dark, &ctx);
        storeys(&scene.expect("not cancelled"))
    }

    #[test]
    fn slabs_are_floors_and_tables_walls_and_roof_beams_are_not() {
        let slab = DVec3::new(8.0, 6.0, 0.3);
        let floors = of(&[
            (2.7, slab),
            (5.7, slab),
            (0.0, DVec3::new(3.0, 2.0, 0.8)),
            (0.0, DVec3::new(0.2, 6.0, 2.7)),
            (8.0, DVec3::new(0.2, 6.0, 0.2)),
        ]);
        let heights: Vec<f64> = floors.iter().map(|storey| storey.floor).collect();
        assert_eq!(heights, [0.0, 3.0, 6.0]);
        for pair in floors.windows(2) {
            assert!(pair[0].cut > pair[0].floor && pair[0].cut < pair[1].floor);
        }
        assert_eq!(of(&[]).len(), 1);
    }
}

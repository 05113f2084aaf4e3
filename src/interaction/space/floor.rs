//! Drop to floor in the 3D view.

use crate::base::EntityId;
use crate::document::{Edit, Entity, Goal, Kind, Level, Selection, limits};
use crate::geometry::{Aabb, Ray};
use crate::interaction::transform::movable;
use crate::preview::space::SpaceScene;
use glam::{DVec2, DVec3};
use std::collections::BTreeSet;

/// Objects sunk into the floor by less than this are raised onto it. Unit: metres.
const SUNK: f64 = 0.5;
/// Rays across a footprint, per direction.
const RAYS: usize = 9;

/// The edits that lower the selection onto the ground or onto what is beneath it.
#[must_use]
pub fn drop_to_floor(scene: &SpaceScene, level: &Level, selection: &Selection) -> Vec<Edit> {
    let ids = movable(level, selection);
    ids.iter()
        .filter_map(|id| {
            let entity = level.get(*id)?;
            let dropped = dropped(scene, level, &ids, *id, entity)?;
            (dropped != **entity).then(|| Edit::replace(*id, dropped))
        })
        .collect()
}

fn dropped(
    scene: &SpaceScene,
    level: &Level,
    falling: &BTreeSet<EntityId>,
    id: EntityId,
    entity: &Entity,
) -> Option<Entity> {
    let mut entity = entity.clone();
    let ground = |p: DVec2| match level.ground() {
        // Only bodies can stop the fall.
        _ if !level.settings().has_ground => f64::NEG_INFINITY,
        Some(field) => field.height(p),
        None => 0.0,
    };
    let on_lattice = |z: f64| limits::ELEVATION.clamp((z * 1e6).round() / 1e6);
    match &mut entity.kind {
        Kind::Solid(solid) => {
            let bounds = scene.body(id)?.bounds;
            let floor = highest_under(scene, falling, &bounds, &ground);
            if !floor.is_finite() {
                return None;
            }
            solid.position.z = on_lattice(solid.position.z + floor - bounds.min.z);
        }
        Kind::Obstacle(obstacle) => {
            let bounds = scene.body(id)?.bounds;
            let floor = highest_under(scene, falling, &bounds, &ground);
            if !floor.is_finite() {
                return None;
            }
            let centre = obstacle.area.centroid();
            obstacle.base = on_lattice((floor - ground(centre)).max(0.0));
        }
        Kind::Agent(agent) => {
            let settle = |place: &mut DVec3| {
                let floor = under(scene, falling, *place, &ground);
                if floor.is_finite() {
                    place.z = on_lattice(floor);
                }
            };
            settle(&mut agent.start);
            for goal in &mut agent.mission.goals {
                if let Goal::At(place) = goal {
                    settle(place);
                }
            }
        }
        _ => return None,
    }
    Some(entity)
}

/// The highest floor beneath a box.
fn highest_under(
    scene: &SpaceScene,
    falling: &BTreeSet<EntityId>,
    bounds: &Aabb,
    ground: &dyn Fn(DVec2) -> f64,
) -> f64 {
    let mut highest = f64::NEG_INFINITY;
    for i in 0..RAYS {
        for j in 0..RAYS {
            // Slightly inside the border: next to a wall is not on it.
            let share = |k: usize| 0.01 + 0.98 * k as f64 / (RAYS - 1) as f64;
            let at = DVec2::new(
                bounds.min.x + bounds.size().x * share(i),
                bounds.min.y + bounds.size().y * share(j),
            );
            highest = highest.max(under(scene, falling, at.extend(bounds.min.z), ground));
        }
    }
    highest
}

/// The floor beneath a position, or slightly above it.
fn under(
    scene: &SpaceScene,
    falling: &BTreeSet<EntityId>,
    place: DVec3,
    ground: &dyn Fn(DVec2) -> f64,
) -> f64 {
    let from = place + DVec3::Z * SUNK;
    let ray = Ray::new(from, DVec3::NEG_Z);
    let bodies = scene
        .bodies()
        .filter(|(id, _)| !falling.contains(id))
        .filter_map(|(_, body)| body.first_hit(&ray, f64::INFINITY))
        .map(|t| from.z - t);
    bodies.fold(ground(place.truncate()), f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{MeshLibrary, Solid, SolidShape, ops};
    use crate::jobs::JobContext;
    use crate::preview::Look;
    use std::sync::Arc;

    #[test]
    fn a_box_comes_to_rest_on_the_table_beneath_it_and_the_table_on_the_ground() {
        let solid = |at: DVec3, size: DVec3| {
            Entity::new("", Kind::Solid(Solid::new(SolidShape::Box, at, size)))
        };
        let (table, crate_) = (EntityId::new(1), EntityId::new(2));
        let edits = [
            Edit::create(
                table,
                solid(DVec3::new(10.0, 10.0, 2.0), DVec3::new(4.0, 4.0, 1.0)),
            ),
            Edit::create(crate_, solid(DVec3::new(11.0, 10.0, 7.0), DVec3::ONE)),
        ];
        let level = Arc::new(ops::apply(&Level::default(), &edits).expect("a level"));
        let library = Arc::new(MeshLibrary::default());
        let scene = SpaceScene::build(
            None,
            Arc::clone(&level),
            library,
            Look::Dark,
            &JobContext::default(),
        )
        .expect("not cancelled");
        let height = |id: EntityId| {
            let edits = drop_to_floor(&scene, &level, &Selection::one(id));
            let after = ops::apply(&level, &edits).expect("sound");
            match &after.get(id).expect("kept").kind {
                Kind::Solid(solid) => solid.position.z,
                _ => panic!("still a solid"),
            }
        };
        assert_eq!(height(crate_), 3.0);
        assert_eq!(height(table), 0.0);
    }
}

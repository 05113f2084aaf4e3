//! Incrementally built scenes equal those built from scratch.

use super::scene::SpaceScene;
use crate::base::EntityId;
use crate::base::random::Random;
use crate::document::template::{Options, Template};
use crate::document::{Edit, Entity, Kind, Level, MeshLibrary, Solid, SolidShape, ops, tag};
use crate::geometry::Ray;
use crate::jobs::JobContext;
use crate::preview::Look;
use glam::{DVec2, DVec3};
use std::collections::BTreeSet;
use std::sync::Arc;

fn scene(previous: Option<&SpaceScene>, level: &Level, library: &Arc<MeshLibrary>) -> SpaceScene {
    let (level, library) = (Arc::new(level.clone()), Arc::clone(library));
    let ctx = JobContext::default();
    SpaceScene::build(previous, level, library, Look::Dark, &ctx).expect("not cancelled")
}

fn check(followed: &SpaceScene, level: &Level, library: &Arc<MeshLibrary>) {
    let fresh = scene(None, level, library);
    assert_eq!(followed.bounds(), fresh.bounds());
    assert_eq!(followed.extent(), level.extent());
    check_rays(followed);
    let ids = |scene: &SpaceScene| -> Vec<EntityId> { scene.bodies().map(|(id, _)| id).collect() };
    assert_eq!(ids(followed), ids(&fresh));
    let (a, b): (Vec<_>, Vec<_>) = (followed.layers().collect(), fresh.layers().collect());
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(&b) {
        assert_eq!(a.placement, b.placement);
        assert_eq!(a.layer.vertices, b.layer.vertices);
        assert_eq!(a.layer.indices, b.layer.indices);
        assert_eq!(a.layer.lines, b.layer.lines);
        assert_eq!(a.layer.labels, b.layer.labels);
    }
    let named = followed.bodies().filter_map(|(id, _)| level.get(id));
    let mut named: Vec<&str> = named.map(|entity| entity.name.as_str()).collect();
    named.retain(|name| !name.is_empty());
    let labels = a.iter().flat_map(|placed| &placed.layer.labels);
    let mut labels: Vec<&str> = labels.map(|label| label.text.as_str()).collect();
    named.sort_unstable();
    labels.sort_unstable();
    assert_eq!(labels, named, "every body shows its name once");
}

/// No body that a ray meets is left out.
fn check_rays(scene: &SpaceScene) {
    let mut random = Random::stream(8, 0);
    for _ in 0..20 {
        let mut place = || {
            let p = random.point(DVec2::splat(-30.0), DVec2::splat(50.0));
            p.extend(random.range(-1.0, 12.0))
        };
        let (from, to) = (place(), place());
        let (ray, limit) = (Ray::new(from, to - from), random.range(0.1, 3.0));
        let found: BTreeSet<EntityId> = scene.bodies_along(&ray, limit).map(|(id, _)| id).collect();
        for (id, body) in scene.bodies() {
            if ray.enters(&body.bounds, limit).is_some() {
                assert!(found.contains(&id), "{id:?} on the way from {from} to {to}");
            }
        }
    }
}

#[test]
fn after_any_edits_a_scene_is_as_if_it_were_made_from_nothing() {
    let mut level = Template::Factory.build(&Options::default()).expect("drawn");
    let library = Arc::default();
    let mut followed = scene(None, &level, &library);
    let mut random = Random::stream(7, 0);
    let mut next = level.largest_id().next().number();
    for _ in 0..60 {
        let bodies: Vec<EntityId> = followed.bodies().map(|(id, _)| id).collect();
        let id = bodies[random.below(bodies.len())];
        let mut entity = Entity::clone(level.get(id).expect("there"));
        let at = DVec3::new(random.range(-20.0, 40.0), random.range(-20.0, 40.0), 0.0);
        let edit = match random.below(5) {
            0 => {
                next += 1;
                let solid = Solid::new(SolidShape::Box, at, DVec3::splat(random.range(0.2, 4.0)));
                Edit::create(EntityId::new(next), Entity::new("", Kind::Solid(solid)))
            }
            1 if bodies.len() > 8 => Edit::Delete { id },
            2 => Edit::replace(id, entity.tagged(tag::FORBIDDEN)),
            3 => {
                entity.visible = false;
                Edit::replace(id, entity)
            }
            _ => {
                match &mut entity.kind {
                    Kind::Solid(solid) => solid.position = at,
                    Kind::Obstacle(obstacle) => obstacle.height += 0.5,
                    _ => {}
                }
                Edit::replace(id, entity)
            }
        };
        level = ops::apply(&level, &[edit]).expect("valid");
        followed = scene(Some(&followed), &level, &library);
        check(&followed, &level, &library);
    }
    // Hiding a layer hides what is on it.
    let layer = level
        .iter()
        .find(|(_, entity)| matches!(entity.kind, Kind::Layer))
        .map(|(id, entity)| (id, Entity::clone(entity)));
    let (id, mut layer) = layer.expect("there are layers");
    layer.visible = false;
    level = ops::apply(&level, &[Edit::replace(id, layer)]).expect("valid");
    followed = scene(Some(&followed), &level, &library);
    check(&followed, &level, &library);
}

#[test]
fn people_stand_on_the_surface_that_is_nearest_to_them() {
    let solid = |at: DVec3, size: DVec3| {
        let solid = Solid::new(SolidShape::Box, at, size);
        Entity::new("", Kind::Solid(solid))
    };
    let floor = DVec3::new(10.0, 10.0, -2.0);
    let edits = [
        Edit::create(EntityId::new(1), solid(floor, DVec3::new(8.0, 8.0, 1.0))),
        Edit::create(
            EntityId::new(2),
            solid(floor.with_z(2.0), DVec3::new(4.0, 4.0, 0.5)),
        ),
    ];
    let mut level = ops::apply(&Level::default(), &edits).expect("valid");
    let library = Arc::default();
    for has_ground in [true, false] {
        let settings = crate::document::Settings {
            has_ground,
            ..crate::document::Settings::clone(level.settings())
        };
        level = ops::apply(&level, &[Edit::Settings(Arc::new(settings))]).expect("valid");
        let scene = scene(None, &level, &library);
        let near = |x: f64, z: f64| scene.surface_near(DVec3::new(x, 10.2, z));
        let is_at =
            |found: Option<f64>, z: f64| found.is_some_and(|found| (found - z).abs() < 1e-6);
        // Above, on and under the deck; the ground counts where there is one.
        assert!(is_at(near(10.0, 9.0), 2.5) && is_at(near(10.0, 2.4), 2.5));
        assert!(is_at(near(10.0, 0.1), if has_ground { 0.0 } else { -1.0 }));
        assert!(is_at(near(13.0, 0.1), if has_ground { 0.0 } else { -1.0 }));
        assert_eq!(near(40.0, 0.0).is_some(), has_ground);
    }
}

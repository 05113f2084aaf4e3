//! Click and marquee selection in 3D.

use super::camera::SpaceCamera;
use super::picking::SpacePicker;
use crate::base::EntityId;
use crate::document::{Kind, Level, Profile};
use crate::geometry::{Aabb, Ray, Rect};
use crate::interaction::picking::{Marquee, Picker};
use crate::interaction::view::View;
use glam::{DVec2, DVec3};

/// Everything selectable along a ray, nearest first: bodies and agents, then what is drawn on the
/// ground where the ray meets it.
#[must_use]
pub fn targets(
    space: &SpacePicker<'_>,
    plan: &Picker,
    camera: &SpaceCamera,
    viewport: DVec2,
    ray: &Ray,
) -> Vec<EntityId> {
    let mut found = Vec::new();
    for hit in space.all(ray) {
        match hit.id {
            Some(id) if plan.is_open(id) => found.push(id),
            Some(_) => {}
            None => {
                let view = View {
                    metres_per_point: camera.metres_per_point(hit.at, viewport),
                    visible: Rect::EMPTY,
                };
                let on_ground = plan
                    .hits(hit.at.truncate(), &view)
                    .into_iter()
                    .map(|hit| hit.id)
                    .filter(|id| !has_body(plan.level(), *id));
                found.extend(on_ground);
                // The ground hides what is beneath it.
                break;
            }
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|id| seen.insert(*id));
    found
}

fn has_body(level: &Level, id: EntityId) -> bool {
    matches!(
        level.get(id).map(|entity| &entity.kind),
        Some(Kind::Obstacle(_) | Kind::Solid(_))
    )
}

/// The target of a click: the nearest, or with Alt the one behind the selection.
#[must_use]
pub fn target(targets: &[EntityId], beneath: Option<EntityId>) -> Option<EntityId> {
    let behind = beneath.and_then(|id| targets.iter().position(|found| *found == id));
    match behind {
        Some(at) => targets.get(at + 1).or(targets.first()).copied(),
        None => targets.first().copied(),
    }
}

/// What a screen rectangle selects, by bounding box, in the order of ids.
#[must_use]
pub fn within(
    space: &SpacePicker<'_>,
    plan: &Picker,
    camera: &SpaceCamera,
    viewport: DVec2,
    area: Rect,
    marquee: Marquee,
) -> Vec<EntityId> {
    let level = &space.scene.level;
    let ground = |p: DVec2| level.ground().map_or(0.0, |field| field.height(p));
    let boxes = level.drawn().filter_map(|(id, entity)| {
        if let Some(body) = space.scene.body(id) {
            return Some((id, body.bounds));
        }
        let rect = entity.bounds().filter(|rect| !rect.is_empty())?;
        let bounds = match &entity.kind {
            Kind::Agent(agent) => {
                let body = match level.get(agent.mission.profile).map(|e| &e.kind) {
                    Some(Kind::Profile(profile)) => profile.body,
                    _ => Profile::default().body,
                };
                let half = DVec3::new(body.radius, body.radius, 0.0);
                Aabb::new(
                    agent.start - half,
                    agent.start + half + DVec3::Z * body.height,
                )
            }
            _ => {
                let z = ground(rect.centre());
                Aabb::new(rect.min.extend(z), rect.max.extend(z))
            }
        };
        Some((id, bounds))
    });
    let mut found: Vec<EntityId> = boxes
        .filter(|(id, bounds)| {
            plan.is_open(*id)
                && space.section.is_none_or(|section| bounds.min.z <= section)
                && takes(bounds, camera, viewport, area, marquee)
        })
        .map(|(id, _)| id)
        .collect();
    found.sort_unstable();
    found
}

fn takes(
    bounds: &Aabb,
    camera: &SpaceCamera,
    viewport: DVec2,
    area: Rect,
    marquee: Marquee,
) -> bool {
    let mut seen = Rect::EMPTY;
    for corner in bounds.corners() {
        match camera.screen_from_world(corner, viewport) {
            Some(at) => seen = seen.union(&Rect::new(at, at)),
            // What extends behind the eye is not entirely inside anything.
            None if marquee == Marquee::Inside => return false,
            None => {}
        }
    }
    match marquee {
        Marquee::Inside => !seen.is_empty() && area.contains_rect(&seen),
        Marquee::Touching => !seen.is_empty() && area.overlaps(&seen),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Colour;
    use crate::document::{
        Edit, Entity, MeshLibrary, Pattern, Region, Solid, SolidShape, Terrain, ops,
    };
    use crate::geometry::Polygon;
    use crate::jobs::JobContext;
    use crate::preview::Look;
    use crate::preview::space::SpaceScene;
    use std::sync::Arc;

    const VIEWPORT: DVec2 = DVec2::new(800.0, 600.0);
    const BOX: EntityId = EntityId::new(1);
    const TOWER: EntityId = EntityId::new(2);
    const MEADOW: EntityId = EntityId::new(3);
    const GRASS: EntityId = EntityId::new(4);

    fn stage() -> (SpaceScene, Picker) {
        let solid = |x: f64, height: f64| {
            let size = DVec3::new(4.0, 4.0, height);
            let solid = Solid::new(SolidShape::Box, DVec3::new(x, 50.0, 0.0), size);
            Entity::new("", Kind::Solid(solid))
        };
        let meadow = Region {
            area: Polygon::rect(Rect::new(DVec2::new(10.0, 40.0), DVec2::new(60.0, 60.0))),
            terrain: GRASS,
        };
        let edits = [
            Edit::create(
                GRASS,
                Entity::new(
                    "Grass",
                    Kind::Terrain(Terrain::new(Colour::hex(0x5f8f4e), Pattern::Plain, 1.0)),
                ),
            ),
            Edit::create(BOX, solid(50.0, 1.0)),
            Edit::create(TOWER, solid(70.0, 9.0)),
            Edit::create(MEADOW, Entity::new("", Kind::Region(meadow))),
        ];
        let level = Arc::new(ops::apply(&Level::default(), &edits).expect("a level"));
        let mut picker = Picker::default();
        picker.synchronise(&level);
        let scene = SpaceScene::build(
            None,
            level,
            Arc::new(MeshLibrary::default()),
            Look::Dark,
            &JobContext::default(),
        )
        .expect("not cancelled");
        (scene, picker)
    }

    #[test]
    fn bodies_are_met_from_the_front_and_then_what_lies_on_the_ground() {
        let (scene, plan) = stage();
        let space = SpacePicker {
            scene: &scene,
            section: None,
        };
        let camera = SpaceCamera::default();
        // From high in the east, through the tower and the box, to the meadow.
        let from = DVec3::new(90.0, 50.0, 10.4);
        let to = DVec3::new(48.5, 50.0, 0.0);
        let ray = Ray::new(from, (to - from).normalize());
        let found = targets(&space, &plan, &camera, VIEWPORT, &ray);
        assert_eq!(found, [TOWER, BOX, MEADOW]);
        assert_eq!(target(&found, None), Some(TOWER));
        assert_eq!(target(&found, Some(TOWER)), Some(BOX));
        assert_eq!(target(&found, Some(MEADOW)), Some(TOWER));
        // With the tower cut off above its foot, the ray passes over it.
        let cut = SpacePicker {
            section: Some(1.5),
            ..space
        };
        let found = targets(&cut, &plan, &camera, VIEWPORT, &ray);
        assert_eq!(found, [BOX, MEADOW]);
    }

    #[test]
    fn a_marquee_takes_what_is_seen_inside_it() {
        let (scene, plan) = stage();
        let space = SpacePicker {
            scene: &scene,
            section: None,
        };
        let camera = SpaceCamera::framing(&scene.bounds(), VIEWPORT);
        let at = |p: DVec3| camera.screen_from_world(p, VIEWPORT).expect("seen");
        let centre = at(DVec3::new(50.0, 50.0, 0.5));
        let around = |half: f64| Rect::around(centre, DVec2::splat(half));
        let take = |area, marquee| within(&space, &plan, &camera, VIEWPORT, area, marquee);
        assert_eq!(take(around(1.0), Marquee::Inside), []);
        assert_eq!(take(around(1.0), Marquee::Touching), [BOX, MEADOW]);
        assert_eq!(take(around(60.0), Marquee::Inside), [BOX]);
        let all = Rect::new(DVec2::ZERO, VIEWPORT);
        assert_eq!(take(all, Marquee::Inside), [BOX, TOWER, MEADOW]);
    }
    /// Corners of a box on the screen, projected one by one; `None` where one is behind the eye.
    fn seen(camera: &SpaceCamera, low: DVec3, high: DVec3) -> Option<Rect> {
        let mut rect = Rect::EMPTY;
        for x in [low.x, high.x] {
            for y in [low.y, high.y] {
                for z in [low.z, high.z] {
                    let at = camera.screen_from_world(DVec3::new(x, y, z), VIEWPORT)?;
                    rect = rect.including(at);
                }
            }
        }
        Some(rect)
    }

    #[test]
    fn agents_bodies_and_areas_are_taken_by_what_is_seen_of_them() {
        let body = crate::document::Body {
            radius: 0.8,
            height: 3.0,
            ..Profile::default().body
        };
        let (giant, guard, lost) = (EntityId::new(11), EntityId::new(12), EntityId::new(13));
        let profile = Profile {
            body,
            ..Profile::default()
        };
        let agent = |at: DVec3, profile: EntityId| {
            let agent = crate::document::Agent {
                start: at,
                heading: Default::default(),
                mission: crate::document::Mission::new(profile),
            };
            Entity::new("", Kind::Agent(agent))
        };
        let (scene, _) = stage();
        let places = [DVec3::new(30.0, 30.0, 0.0), DVec3::new(35.0, 62.0, 2.0)];
        let edits = [
            Edit::create(giant, Entity::new("Giant", Kind::Profile(profile))),
            Edit::create(guard, agent(places[0], giant)),
            Edit::create(lost, agent(places[1], giant)),
        ];
        let level = Arc::new(ops::apply(&scene.level, &edits).expect("a level"));
        let mut plan = Picker::default();
        plan.synchronise(&level);
        let meshes = Arc::new(MeshLibrary::default());
        let scene = SpaceScene::build(None, level, meshes, Look::Dark, &JobContext::default());
        let scene = scene.expect("not cancelled");
        let half = DVec3::new(0.8, 0.8, 0.0);
        let person = |at: DVec3| (at - half, at + half + DVec3::Z * 3.0);
        let solid = |x: f64, top: f64| {
            (
                DVec3::new(x - 2.0, 48.0, 0.0),
                DVec3::new(x + 2.0, 52.0, top),
            )
        };
        let boxes = [
            (BOX, solid(50.0, 1.0)),
            (TOWER, solid(70.0, 9.0)),
            (
                MEADOW,
                (DVec3::new(10.0, 40.0, 0.0), DVec3::new(60.0, 60.0, 0.0)),
            ),
            (guard, person(places[0])),
            (lost, person(places[1])),
        ];
        let camera = SpaceCamera::framing(&scene.bounds(), VIEWPORT);
        let mut random = crate::base::Random::new(8);
        let mut taken = 0;
        for _ in 0..500 {
            let corners = [(); 2].map(|()| random.point(DVec2::ZERO, VIEWPORT));
            let area = Rect::new(corners[0].min(corners[1]), corners[0].max(corners[1]));
            let section = [None, Some(-1.0), Some(0.0), Some(1.0), Some(2.0)][random.below(5)];
            let space = SpacePicker {
                scene: &scene,
                section,
            };
            for marquee in [Marquee::Inside, Marquee::Touching] {
                let expected = boxes.iter().filter(|(_, (low, high))| {
                    let rect = seen(&camera, *low, *high).expect("all of it is in front");
                    let is_shown = section.is_none_or(|section| low.z <= section);
                    is_shown
                        && match marquee {
                            Marquee::Inside => {
                                area.min.cmple(rect.min).all() && rect.max.cmple(area.max).all()
                            }
                            Marquee::Touching => {
                                area.min.cmple(rect.max).all() && rect.min.cmple(area.max).all()
                            }
                        }
                });
                let expected: Vec<EntityId> = expected.map(|(id, _)| *id).collect();
                taken += expected.len();
                assert_eq!(
                    within(&space, &plan, &camera, VIEWPORT, area, marquee),
                    expected
                );
            }
        }
        assert!(taken > 500, "{taken}");
    }
}

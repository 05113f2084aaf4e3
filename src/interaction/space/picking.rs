//! Picking in 3D.

use crate::base::EntityId;
use crate::document::{Kind, Level, Profile};
use crate::geometry::Ray;
use crate::preview::space::SpaceScene;
use glam::DVec3;
use std::collections::BTreeSet;

/// Maximum surfaces skipped behind a section cut.
const MAX_LAYERS: usize = 64;

/// A point on an object, or on the ground if `id` is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceHit {
    pub id: Option<EntityId>,
    pub at: DVec3,
    /// Distance along the ray.
    pub t: f64,
}

/// Queries a scene; ignores what the section cuts away.
#[derive(Clone, Copy, Debug)]
pub struct SpacePicker<'a> {
    pub scene: &'a SpaceScene,
    /// Unit: metres.
    pub section: Option<f64>,
}

impl SpacePicker<'_> {
    /// All hits along the ray, nearest first, each object once; the ground comes last among equals.
    #[must_use]
    pub fn all(&self, ray: &Ray) -> Vec<SpaceHit> {
        let level = &self.scene.level;
        let bodies = self.scene.bodies_along(ray, f64::INFINITY);
        let bodies = bodies.filter_map(|(id, body)| {
            let t = self.below_cut(ray, |ray, limit| body.first_hit(ray, limit))?;
            Some((Some(id), t))
        });
        let agents = level.agents().filter_map(|(id, ..)| {
            let t = self.agent(level, id, ray)?;
            Some((Some(id), t))
        });
        let ground = self.scene.ground();
        let ground = self.below_cut(ray, |ray, limit| ground.first_hit(ray, limit));
        let mut hits: Vec<SpaceHit> = bodies
            .chain(agents)
            .chain(ground.map(|t| (None, t)))
            .map(|(id, t)| SpaceHit {
                // A piece of a wall stands for the wall.
                id: id.map(EntityId::owner),
                at: ray.at(t),
                t,
            })
            .collect();
        hits.sort_by(|a, b| {
            a.t.total_cmp(&b.t)
                .then(b.id.is_some().cmp(&a.id.is_some()))
                .then(a.id.cmp(&b.id))
        });
        let mut seen = BTreeSet::new();
        hits.retain(|hit| seen.insert(hit.id));
        hits
    }

    #[must_use]
    pub fn first(&self, ray: &Ray) -> Option<SpaceHit> {
        self.all(ray).into_iter().next()
    }

    /// Whether a body is between a ray's start and a point on it.
    #[must_use]
    pub fn hides(&self, ray: &Ray, t: f64) -> bool {
        self.scene.bodies_along(ray, t).any(|(_, body)| {
            self.below_cut(ray, |ray, limit| body.first_hit(ray, limit))
                .is_some_and(|hit| hit < t)
        })
    }

    /// The first hit below the section.
    fn below_cut(&self, ray: &Ray, hit: impl Fn(&Ray, f64) -> Option<f64>) -> Option<f64> {
        let Some(section) = self.section else {
            return hit(ray, f64::INFINITY);
        };
        let mut from = 0.0;
        for _ in 0..MAX_LAYERS {
            let rest = Ray::new(ray.at(from), ray.direction);
            let t = from + hit(&rest, f64::INFINITY)?;
            if ray.at(t).z <= section {
                return Some(t);
            }
            // Slightly further, or the same triangle is hit again.
            from = t + 1e-6 * (1.0 + t);
        }
        None
    }

    fn agent(&self, level: &Level, id: EntityId, ray: &Ray) -> Option<f64> {
        let Some(Kind::Agent(agent)) = level.get(id).map(|entity| &entity.kind) else {
            return None;
        };
        if !level.is_visible(id) || self.section.is_some_and(|z| agent.start.z > z) {
            return None;
        }
        let body = match level.get(agent.mission.profile).map(|entity| &entity.kind) {
            Some(Kind::Profile(profile)) => profile.body,
            _ => Profile::default().body,
        };
        let radius = body.radius.min(body.height * 0.5);
        let low = agent.start + DVec3::Z * radius;
        let high = agent.start + DVec3::Z * (body.height - radius).max(radius);
        let (t, distance) = ray.nearest_to_segment(low, high);
        let inside = radius * radius - distance * distance;
        let length = ray.direction.length();
        // The entry point, not the deepest one.
        (inside >= 0.0 && length > 0.0).then(|| (t - inside.sqrt() / length).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Edit, Entity, MeshLibrary, Obstacle, Solid, SolidShape, ops, scene};
    use crate::geometry::{Polygon, Rect};
    use crate::jobs::JobContext;
    use crate::preview::Look;
    use glam::DVec2;
    use proptest::prelude::*;
    use std::sync::Arc;

    fn made(edits: &[Edit]) -> SpaceScene {
        let level = Arc::new(ops::apply(&Level::default(), edits).expect("a level"));
        let library = Arc::new(MeshLibrary::default());
        SpaceScene::build(None, level, library, Look::Dark, &JobContext::default())
            .expect("not cancelled")
    }

    fn boxes() -> impl Strategy<Value = Vec<Edit>> {
        let solid = (
            5.0f64..95.0,
            5.0f64..95.0,
            0.0f64..10.0,
            0.5f64..20.0,
            0.0f64..360.0,
        );
        prop::collection::vec(solid, 1..12).prop_map(|all| {
            all.into_iter()
                .zip(1..)
                .map(|((x, y, z, size, turn), id)| {
                    let at = DVec3::new(x, y, z);
                    let shape = if id % 2 == 0 {
                        SolidShape::Ramp
                    } else {
                        SolidShape::Cylinder
                    };
                    let mut solid = Solid::new(shape, at, DVec3::splat(size));
                    solid.rotation.yaw.degrees = turn;
                    solid.rotation.pitch.degrees = turn * 0.1;
                    Edit::create(EntityId::new(id), Entity::new("", Kind::Solid(solid)))
                })
                .collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn picking_finds_the_nearest_triangle_of_all(
            edits in boxes(),
            from in prop::array::uniform3(-20.0f64..120.0),
            to in prop::array::uniform3(0.0f64..100.0),
            section in prop::option::of(0.5f64..15.0),
        ) {
            let space = made(&edits);
            let ray = Ray::new(
                DVec3::from_array(from),
                (DVec3::from_array(to) - DVec3::from_array(from)).normalize_or(DVec3::X),
            );
            let picker = SpacePicker { scene: &space, section };
            let nearest = scene(&space.level, &MeshLibrary::default())
                .iter()
                .flat_map(|object| object.triangles().collect::<Vec<_>>())
                .filter_map(|triangle| ray.crosses(triangle))
                .filter(|t| section.is_none_or(|z| ray.at(*t).z <= z))
                .min_by(f64::total_cmp);
            let found = picker.first(&ray).map(|hit| hit.t);
            match (nearest, found) {
                (Some(a), Some(b)) => prop_assert!((a - b).abs() < 1e-4 * (1.0 + a), "{a} {b}"),
                (a, b) => prop_assert_eq!(a.is_some(), b.is_some()),
            }
        }
    }

    #[test]
    fn what_is_cut_away_is_not_picked() {
        let area = Polygon::rect(Rect::new(DVec2::splat(10.0), DVec2::splat(20.0)));
        let roof = Obstacle {
            base: 3.0,
            height: 0.5,
            ..Obstacle::new(area.clone())
        };
        let table = Obstacle {
            height: 1.0,
            ..Obstacle::new(area)
        };
        let space = made(&[
            Edit::create(EntityId::new(1), Entity::new("", Kind::Obstacle(roof))),
            Edit::create(EntityId::new(2), Entity::new("", Kind::Obstacle(table))),
        ]);
        let down = Ray::new(DVec3::new(15.0, 14.0, 50.0), DVec3::NEG_Z);
        let pick = |section| {
            let picker = SpacePicker {
                scene: &space,
                section,
            };
            picker
                .first(&down)
                .map(|hit| (hit.id.map(EntityId::number), hit.at.z))
        };
        assert_eq!(pick(None), Some((Some(1), 3.5)));
        assert_eq!(pick(Some(2.5)), Some((Some(2), 1.0)));
        let eye = Ray::new(DVec3::new(15.0, 14.0, 50.0), DVec3::NEG_Z);
        for (section, hidden) in [(None, true), (Some(2.5), false)] {
            let picker = SpacePicker {
                scene: &space,
                section,
            };
            assert_eq!(picker.hides(&eye, 48.0), hidden, "the roof is at 3.5 m");
        }
        // Cut open at half a metre, the table's floor is visible.
        assert_eq!(pick(Some(0.5)), Some((Some(2), 0.0)));
    }
}

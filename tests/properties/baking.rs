//! What a bake reuses is what a bake from nothing gives, whatever was changed in between.

use crate::cases;
use glam::{DVec2, DVec3};
use std::sync::Arc;
use wayloom::base::{EntityId, Random};
use wayloom::document::{
    Agent, Edit, Entity, Heading, Kind, Level, Mission, Obstacle, Profile, Region, Settings, Solid,
    SolidShape, Terrain, ops,
};
use wayloom::geometry::{HeightField, Polygon, Rect, boolean};
use wayloom::jobs::JobContext;
use wayloom::nav::{BakeQuality, BakeRequest, NavBundle, Needs};

const SIDE: f64 = 16.0;

const TERRAINS: [EntityId; 2] = [EntityId::new(1), EntityId::new(2)];
const PROFILES: [EntityId; 2] = [EntityId::new(3), EntityId::new(4)];
const AGENTS: [EntityId; 2] = [EntityId::new(5), EntityId::new(6)];

fn bake(level: &Level, quality: BakeQuality, before: Option<&NavBundle>) -> NavBundle {
    let request = BakeRequest {
        quality,
        needs: Needs::EVERYTHING,
        before,
        ..BakeRequest::of(Arc::new(level.clone()))
    };
    NavBundle::bake(request, &JobContext::default()).expect("not cancelled")
}

fn profile(radius: f64) -> Entity {
    let mut profile = Profile::default();
    profile.body.radius = radius;
    Entity::new("", Kind::Profile(profile))
}

fn agent(profile: EntityId) -> Entity {
    let agent = Agent {
        start: DVec3::new(1.0, 1.0, 0.0),
        heading: Heading::default(),
        mission: Mission::new(profile),
    };
    Entity::new("", Kind::Agent(agent))
}

fn shape(random: &mut Random) -> Polygon {
    let at = random.point(DVec2::ZERO, DVec2::splat(SIDE));
    if random.chance(0.5) {
        let half = random.point(DVec2::splat(0.3), DVec2::splat(2.5));
        Polygon::rect(Rect::around(at, half))
    } else {
        let sides = 3 + random.below(5);
        let radius = random.range(0.5, 2.5);
        Polygon::regular(at, radius, sides, random.range(0.0, 6.0))
    }
}

fn settings(random: &mut Random) -> Settings {
    let corner = random.point(DVec2::splat(-2.0), DVec2::splat(1.0));
    let size = random.point(DVec2::splat(0.8 * SIDE), DVec2::splat(1.2 * SIDE));
    Settings {
        bounds: Rect::new(corner, corner + size),
        base_terrain: random.chance(0.5).then_some(TERRAINS[0]),
        ..Settings::default()
    }
}

fn ground(random: &mut Random) -> Option<Arc<HeightField>> {
    let flat = HeightField::flat(Rect::new(DVec2::ZERO, DVec2::splat(SIDE)), 4.0, 0.0);
    let heights = flat
        .heights
        .iter()
        .map(|_| random.range(0.0, 1.5))
        .collect();
    random
        .chance(0.7)
        .then(|| Arc::new(HeightField { heights, ..flat }))
}

fn entity(random: &mut Random) -> Entity {
    let kind = match random.below(6) {
        0..=2 => {
            let mut obstacle = Obstacle::new(shape(random));
            if random.chance(0.2) {
                // Above heads: in space only.
                obstacle.base = 3.0;
            }
            Kind::Obstacle(obstacle)
        }
        3 | 4 => Kind::Region(Region {
            area: shape(random),
            terrain: *random.pick(&TERRAINS).expect("two"),
        }),
        _ => {
            let at = random.point(DVec2::ZERO, DVec2::splat(SIDE)).extend(0.0);
            let size = DVec3::new(random.range(0.5, 3.0), random.range(0.5, 3.0), 1.0);
            Kind::Solid(Solid::new(SolidShape::Box, at, size))
        }
    };
    Entity::new("", kind)
}

fn first_level(random: &mut Random) -> (Level, u64) {
    let mut edits = vec![Edit::Settings(Arc::new(Settings {
        bounds: Rect::new(DVec2::ZERO, DVec2::splat(SIDE)),
        ..Settings::default()
    }))];
    let terrain = |weight| {
        let colour = wayloom::base::Colour::hex(0x00_44_88);
        let pattern = wayloom::document::Pattern::ALL[0];
        Entity::new("", Kind::Terrain(Terrain::new(colour, pattern, weight)))
    };
    edits.extend(TERRAINS.map(|id| Edit::create(id, terrain(2.0))));
    edits.push(Edit::create(PROFILES[0], profile(0.3)));
    edits.push(Edit::create(PROFILES[1], profile(0.8)));
    edits.extend([0, 1].map(|i| Edit::create(AGENTS[i], agent(PROFILES[i]))));
    let mut next = 10;
    for _ in 0..8 {
        edits.push(Edit::create(EntityId::new(next), entity(random)));
        next += 1;
    }
    let level = ops::apply(&Level::default(), &edits).expect("valid");
    (level, next)
}

/// One change of any kind; what a bake reads, and what it does not.
fn change(random: &mut Random, level: &Level, next: &mut u64) -> Vec<Edit> {
    let drawn: Vec<EntityId> = level
        .iter()
        .map(|(id, _)| id)
        .filter(|id| *id >= EntityId::new(10))
        .collect();
    let some = random.pick(&drawn).copied();
    match (random.below(11), some) {
        (0, _) => vec![Edit::Settings(Arc::new(settings(random)))],
        (1, _) => vec![Edit::Ground(ground(random))],
        (2, _) => {
            let radius = *random.pick(&[0.2, 0.3, 0.8, 1.1]).expect("four");
            let id = *random.pick(&PROFILES).expect("two");
            vec![Edit::replace(id, profile(radius))]
        }
        (3, _) => {
            let whose = *random.pick(&PROFILES).expect("two");
            vec![Edit::replace(AGENTS[0], agent(whose))]
        }
        (4, Some(id)) => vec![Edit::Delete { id }],
        (5, Some(id)) => vec![Edit::Reorder {
            id,
            to: random.below(level.len()),
        }],
        (6 | 7, Some(id)) => vec![Edit::replace(id, entity(random))],
        (8, Some(id)) => {
            // A name is none of a bake's business.
            let mut entity = (**level.get(id).expect("picked from it")).clone();
            entity.name = format!("{}", random.below(9));
            vec![Edit::replace(id, entity)]
        }
        _ => {
            *next += 1;
            let at = random.chance(0.5).then(|| random.below(level.len()));
            vec![Edit::Create {
                id: EntityId::new(*next),
                entity: Arc::new(entity(random)),
                at,
            }]
        }
    }
}

/// Whether navigation data is equal, as far as anything can read it.
fn assert_same(kept: &NavBundle, fresh: &NavBundle, random: &mut Random, about: &str) {
    assert_eq!(kept.spaces().len(), fresh.spaces().len(), "{about}: radii");
    for (kept, fresh) in kept.spaces().zip(fresh.spaces()) {
        assert_eq!(kept.radius, fresh.radius, "{about}");
        assert!(
            kept.free == fresh.free,
            "{about}: free space of {}",
            kept.radius
        );
        assert!(
            kept.merged.has_same_cells(&fresh.merged) && kept.plain.has_same_cells(&fresh.plain),
            "{about}: cells of {}",
            kept.radius
        );
    }
    let (kept_map, fresh_map) = (kept.corridors(), fresh.corridors());
    let (Ok(kept_map), Ok(fresh_map)) = (kept_map, fresh_map) else {
        panic!("{about}: corridors");
    };
    assert_eq!(kept_map.blockers, fresh_map.blockers, "{about}");
    let length = |map: &wayloom::nav::Corridors| -> f64 {
        let edges = map.map.edges().iter().zip(0..);
        edges
            .flat_map(|(_, i)| {
                map.map
                    .samples_of(wayloom::nav::corridor::EdgeId(i))
                    .windows(2)
            })
            .map(|pair| pair[0].point.distance(pair[1].point))
            .sum()
    };
    let lengths = [kept_map, fresh_map].map(length);
    assert!(
        (lengths[0] - lengths[1]).abs() < 1e-6 * (1.0 + lengths[1]),
        "{about}: corridors of {lengths:?} m"
    );
    let bounds = fresh.level().settings().bounds;
    for _ in 0..60 {
        let p = random.point(bounds.min, bounds.max);
        assert_eq!(
            kept.terrain().kind_at(p),
            fresh.terrain().kind_at(p),
            "{about}: terrain at {p}"
        );
        let clearances = [kept_map, fresh_map].map(|map| {
            let at = map
                .map
                .nearest(p)
                .map(|at| map.map.sample_at(at.sample, at.share));
            at.map(|sample| sample.point.distance(p))
        });
        if let [Some(kept), Some(fresh)] = clearances {
            assert!(
                (kept - fresh).abs() < 1e-6,
                "{about}: axis near {p}: {kept} {fresh}"
            );
        }
    }
    assert_eq!(kept.terrain().kinds(), fresh.terrain().kinds(), "{about}");
    let (Ok(kept), Ok(fresh)) = (kept.voxels(), fresh.voxels()) else {
        panic!("{about}: voxels");
    };
    assert!(kept.voxels.grid == fresh.voxels.grid, "{about}: voxels");
    assert!(kept.surfaces() == fresh.surfaces(), "{about}: surfaces");
}

#[test]
fn a_bake_after_any_change_is_the_bake_of_the_level_as_it_is() {
    for seed in 0..cases(12) {
        let mut random = Random::new(seed);
        let (mut level, mut next) = first_level(&mut random);
        let mut kept = bake(&level, BakeQuality::Full, None);
        for step in 0..8 {
            let edits = change(&mut random, &level, &mut next);
            level = ops::apply(&level, &edits).expect("made for this level");
            let quality = if random.chance(0.5) {
                BakeQuality::Full
            } else {
                BakeQuality::Preview
            };
            let before = kept;
            kept = bake(&level, quality, Some(&before));
            let fresh = bake(&level, quality, None);
            let about = format!("seed {seed}, step {step}: {edits:?}");
            assert_same(&kept, &fresh, &mut random, &about);
            // What is said to have stayed has stayed.
            let delta = kept.delta();
            let stayed = bake(before.level(), quality, None);
            if delta.obstacles.is_nothing() {
                // Obstacles may have changed places in the list, not in the plan.
                for (was, is) in stayed.spaces().zip(fresh.spaces()) {
                    let differs = || boolean::xor(&was.free.areas, &is.free.areas);
                    assert!(was.radius != is.radius || differs().is_empty(), "{about}");
                }
            }
            if !delta.ground {
                assert_eq!(before.level().ground(), level.ground(), "{about}");
            }
            if !delta.terrain_kinds {
                assert_eq!(stayed.terrain().kinds(), fresh.terrain().kinds(), "{about}");
            }
            assert!(kept.revision() != before.revision(), "{about}");
            assert_eq!(kept.delta_since(&before), *delta, "{about}");
        }
    }
}

//! Bakes from an earlier bundle against bakes from scratch: the same data, for less work.

use super::stages::{CORRIDORS, FREE_SPACE, TERRAIN, VOXELS};
use super::*;
use crate::base::{Colour, EntityId, Random};
use crate::document::{
    Agent, CellSize, Edit, Entity, Goal, Heading, Kind, Level, Mission, Obstacle, Pattern, Profile,
    Region, Solid, SolidShape, Terrain, ops,
};
use crate::geometry::{HeightField, Polygon, Rect};
use crate::jobs::JobContext;
use glam::{DVec2, DVec3};
use proptest::prelude::*;
use std::ops::Range;
use std::sync::Arc;

const OBSTACLES: Range<u64> = 1..6;
const REGIONS: Range<u64> = 6..9;
const SOLIDS: Range<u64> = 9..11;
const TERRAINS: Range<u64> = 11..14;
const PROFILES: Range<u64> = 14..16;
const AGENTS: Range<u64> = 16..18;
const LAST: u64 = 18;

fn bake(level: &Level, before: Option<&NavBundle>, quality: BakeQuality) -> NavBundle {
    let request = BakeRequest {
        needs: Needs::EVERYTHING,
        quality,
        before,
        ..BakeRequest::of(Arc::new(level.clone()))
    };
    NavBundle::bake(request, &JobContext::default()).expect("not cancelled")
}

/// One change of a level; what cannot be done leaves it as it is.
#[derive(Clone, Debug)]
enum Act {
    /// Creates an entity, or replaces it.
    Put(u64, [f64; 3]),
    Delete(u64),
    Rename(u64),
    Reorder(u64, usize),
    Bounds(f64),
    Ground(Option<f64>),
    BaseTerrain(u64),
}

fn act() -> impl Strategy<Value = Act> {
    let number = || (0..40_i32).prop_map(|n| f64::from(n) * 0.5);
    prop_oneof![
        8 => (1..LAST, number(), number(), number()).prop_map(|(id, x, y, s)| Act::Put(id, [x, y, s])),
        2 => (1..LAST).prop_map(Act::Delete),
        1 => (1..LAST).prop_map(Act::Rename),
        2 => (1..LAST, 0..20_usize).prop_map(|(id, to)| Act::Reorder(id, to)),
        1 => (14..22_i32).prop_map(|size| Act::Bounds(f64::from(size))),
        1 => prop::option::of(number()).prop_map(Act::Ground),
        1 => TERRAINS.prop_map(Act::BaseTerrain),
    ]
}

fn entity(id: u64, [x, y, size]: [f64; 3]) -> Entity {
    let at = DVec2::new(x, y);
    let sides = DVec2::new(0.4 + 0.2 * size, 0.6);
    let area = Polygon::rect(Rect::around(at, sides));
    let kind = if OBSTACLES.contains(&id) {
        Kind::Obstacle(Obstacle {
            // Now and then too high to block the plan.
            base: if size > 18.0 { 3.0 } else { 0.0 },
            ..Obstacle::new(area)
        })
    } else if REGIONS.contains(&id) {
        let terrain = EntityId::new(TERRAINS.start + (size as u64) % 3);
        Kind::Region(Region { area, terrain })
    } else if SOLIDS.contains(&id) {
        Kind::Solid(Solid::new(
            SolidShape::Box,
            at.extend(0.0),
            DVec3::new(1.0, 1.0 + 0.1 * size, 1.5),
        ))
    } else if TERRAINS.contains(&id) {
        Kind::Terrain(Terrain {
            colour: Colour::hex(0x80_80_80),
            pattern: Pattern::Plain,
            weight: 1.0 + size,
        })
    } else if PROFILES.contains(&id) {
        let mut profile = Profile::default();
        profile.body.radius = 0.2 + 0.02 * size;
        Kind::Profile(profile)
    } else {
        let profile = EntityId::new(PROFILES.start + (size as u64) % 2);
        let mut mission = Mission::new(profile);
        mission.goals = vec![Goal::At(DVec3::new(y, x, 0.0))];
        Kind::Agent(Agent {
            start: at.extend(0.0),
            heading: Heading::default(),
            mission,
        })
    };
    Entity::new("", kind)
}

fn done(level: &Level, act: &Act) -> Level {
    let edit = match *act {
        Act::Put(id, shape) => {
            let (entity, id) = (entity(id, shape), EntityId::new(id));
            if level.contains(id) {
                Edit::replace(id, entity)
            } else {
                Edit::create(id, entity)
            }
        }
        Act::Delete(id) => Edit::Delete {
            id: EntityId::new(id),
        },
        Act::Rename(id) => {
            let id = EntityId::new(id);
            let Some(entity) = level.get(id) else {
                return level.clone();
            };
            let mut entity = Entity::clone(entity);
            entity.name.push('x');
            Edit::replace(id, entity)
        }
        Act::Reorder(id, to) => Edit::Reorder {
            id: EntityId::new(id),
            to,
        },
        Act::Bounds(size) => {
            let mut settings = (**level.settings()).clone();
            settings.bounds = Rect::new(DVec2::ZERO, DVec2::splat(size));
            Edit::Settings(Arc::new(settings))
        }
        Act::Ground(height) => Edit::Ground(height.map(|height| {
            let bounds = level.settings().bounds;
            Arc::new(HeightField::flat(bounds, 5.0, 0.1 * height))
        })),
        Act::BaseTerrain(id) => {
            let mut settings = (**level.settings()).clone();
            settings.base_terrain = Some(EntityId::new(id));
            Edit::Settings(Arc::new(settings))
        }
    };
    ops::apply(level, &[edit]).unwrap_or_else(|_| level.clone())
}

fn small() -> Level {
    let mut settings = (**Level::default().settings()).clone();
    settings.bounds = Rect::new(DVec2::ZERO, DVec2::splat(20.0));
    settings.cells = CellSize::Sides {
        cell: 0.5,
        layer: 0.25,
    };
    let level = ops::apply(&Level::default(), &[Edit::Settings(Arc::new(settings))]);
    let all = (1..LAST).step_by(2).map(|id| {
        let at = id as f64;
        Act::Put(id, [at, (5.0 * at) % 17.0, (3.0 * at) % 7.0])
    });
    all.fold(level.expect("valid"), |level, act| done(&level, &act))
}

fn assert_same_data(a: &NavBundle, b: &NavBundle, quality: BakeQuality) {
    assert_eq!(a.shared().obstacles(), b.shared().obstacles());
    assert_eq!(a.shared().drawing().patches, b.shared().drawing().patches);
    assert_eq!(a.terrain().kinds(), b.terrain().kinds());
    let radii = |bundle: &NavBundle| bundle.spaces().map(|s| s.radius).collect::<Vec<_>>();
    assert_eq!(radii(a), radii(b));
    for (a, b) in a.spaces().zip(b.spaces()) {
        assert_eq!(a.free, b.free);
        assert!(a.plain.has_same_cells(&b.plain) && a.merged.has_same_cells(&b.merged));
        if quality == BakeQuality::Full {
            assert_eq!((&a.plain, &a.merged), (&b.plain, &b.merged));
        }
    }
    match (a.corridors(), b.corridors()) {
        (Ok(a), Ok(b)) => {
            assert_eq!(a.map, b.map);
            assert_eq!(a.blockers, b.blockers);
        }
        (a, b) => assert_eq!(a.err(), b.err()),
    }
    if quality == BakeQuality::Full {
        assert_eq!(a.terrain().mesh(), b.terrain().mesh());
    }
    let (voxels, others) = (a.voxels().expect("small"), b.voxels().expect("small"));
    assert_eq!(voxels.voxels.grid, others.voxels.grid);
    assert_eq!(voxels.surfaces(), others.surfaces());
    let body = Profile::default();
    assert_eq!(voxels.footing(&body), others.footing(&body));
}

/// What is at a place: blocked, or of a terrain type.
fn at(bundle: &NavBundle, p: DVec2) -> (bool, Option<u16>) {
    let input = bundle.shared().drawing();
    let is_blocked = input.obstacles.iter().any(|area| area.contains(p));
    let top = (input.patches.iter().rev()).find(|patch| patch.area.contains(p));
    (is_blocked, top.map(|patch| patch.kind.0))
}

fn assert_delta_covers_what_changed(before: &NavBundle, after: &NavBundle) {
    let delta = after.delta_since(before);
    let mut random = Random::new(before.revision());
    for _ in 0..200 {
        let p = random.point(DVec2::ZERO, DVec2::splat(20.0));
        let place = Rect::new(p, p);
        let ((was_blocked, old), (is_blocked, new)) = (at(before, p), at(after, p));
        assert!(
            was_blocked == is_blocked || delta.obstacles.touches(&place),
            "{p}"
        );
        assert!(old == new || delta.terrain.touches(&place), "{p}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_is_edited_a_bake_from_before_gives_what_one_from_scratch_gives(
        steps in prop::collection::vec((prop::collection::vec(act(), 1..3), any::<bool>()), 1..6)
    ) {
        let mut level = small();
        let first = bake(&level, None, BakeQuality::Full);
        let mut bundle = first.clone();
        for (acts, is_preview) in steps {
            let quality = if is_preview { BakeQuality::Preview } else { BakeQuality::Full };
            level = acts.iter().fold(level, |level, act| done(&level, act));
            let next = bake(&level, Some(&bundle), quality);
            assert_same_data(&next, &bake(&level, None, quality), quality);
            assert_delta_covers_what_changed(&bundle, &next);
            assert_delta_covers_what_changed(&first, &next);
            bundle = next;
        }
    }
}

#[test]
fn moving_an_agent_bakes_nothing_and_collects_nothing() {
    let level = small();
    let first = bake(&level, None, BakeQuality::Full);
    assert!(first.collected_inputs() > 0 && *first.delta() == NavDelta::everything());
    let agent = AGENTS.start + 1;
    let mission = |at: f64| Act::Put(agent, [at, at, 1.0]);
    let level = done(&level, &mission(2.0));
    let first = bake(&level, Some(&first), BakeQuality::Full);
    let moved = bake(
        &done(&level, &mission(3.0)),
        Some(&first),
        BakeQuality::Preview,
    );
    assert!(moved.was_reused() && moved.collected_inputs() == 0);
    assert!(moved.delta().is_empty());
    for stage in [FREE_SPACE, CORRIDORS, TERRAIN, VOXELS] {
        let work = moved.work(stage).expect("a stage");
        assert!(work.made == 0 && work.of > 0, "{stage}");
    }
}

/// Many small houses, far enough from each other to be clusters of their own.
fn town() -> Level {
    let mut settings = (**Level::default().settings()).clone();
    settings.bounds = Rect::new(DVec2::ZERO, DVec2::splat(200.0));
    let mut edits = vec![Edit::Settings(Arc::new(settings))];
    let terrain = entity(TERRAINS.start, [0.0; 3]);
    edits.push(Edit::create(EntityId::new(TERRAINS.start), terrain));
    for i in 0..400_u32 {
        let at = DVec2::new(f64::from(i % 20), f64::from(i / 20)) * 10.0 + 5.0;
        edits.push(Edit::create(EntityId::new(100 + u64::from(i)), house(at)));
    }
    ops::apply(&Level::default(), &edits).expect("valid")
}

fn house(at: DVec2) -> Entity {
    let area = Polygon::rect(Rect::around(at, DVec2::splat(2.0)));
    Entity::new("", Kind::Obstacle(Obstacle::new(area)))
}

#[test]
fn dragging_one_obstacle_makes_only_what_it_touches() {
    let town = town();
    let mut bundle = bake(&town, None, BakeQuality::Full);
    for step in 1..4 {
        let at = DVec2::new(55.0 + 0.3 * f64::from(step), 55.0);
        let edit = Edit::replace(EntityId::new(205), house(at));
        let level = ops::apply(&town, &[edit]).expect("valid");
        bundle = bake(&level, Some(&bundle), BakeQuality::Preview);
        assert_eq!(bundle.collected_inputs(), 0);
        let work = |stage| bundle.work(stage).expect("a stage");
        let free = work(FREE_SPACE);
        assert!(free.made == 1 && free.of > 400, "{free:?}");
        let corridors = work(CORRIDORS);
        assert!(
            (1..=2).contains(&corridors.made) && corridors.of > 3,
            "{corridors:?}"
        );
        let terrain = work(TERRAIN);
        assert!(
            terrain.made > 0 && terrain.made * 10 < terrain.of,
            "{terrain:?}"
        );
        let voxels = work(VOXELS);
        assert!(
            (1..=4).contains(&voxels.made) && voxels.of > 100,
            "{voxels:?}"
        );
        let near = Rect::around(DVec2::splat(55.0), DVec2::splat(4.0));
        let Changed::Within(boxes) = &bundle.delta().obstacles else {
            panic!("{:?}", bundle.delta());
        };
        assert!(
            boxes.iter().all(|changed| near.contains_rect(changed)),
            "{boxes:?}"
        );
        let far = Rect::around(DVec2::splat(150.0), DVec2::splat(10.0));
        assert!(!bundle.delta().voxels.touches(&far));
        assert!(bundle.delta().terrain.is_nothing());
    }
}

#[test]
fn a_dab_of_terrain_is_triangulated_near_the_brush_alone() {
    let town = town();
    let first = bake(&town, None, BakeQuality::Full);
    let terrain = EntityId::new(TERRAINS.start);
    let painted = |x: f64| {
        let area = Polygon::regular(DVec2::new(x, 60.0), 3.0, 16, 0.0);
        let region = Entity::new("", Kind::Region(Region { area, terrain }));
        let id = town.largest_id().next();
        ops::apply(&town, &[Edit::create(id, region)]).expect("valid")
    };
    let mut bundle = first.clone();
    for step in 0..3 {
        bundle = bake(
            &painted(50.0 + f64::from(step)),
            Some(&bundle),
            BakeQuality::Preview,
        );
        let terrain = bundle.work(TERRAIN).expect("a stage");
        assert!(
            terrain.made > 0 && terrain.made * 10 < terrain.of,
            "{terrain:?}"
        );
        for stage in [FREE_SPACE, CORRIDORS, VOXELS] {
            assert_eq!(bundle.work(stage).map(|work| work.made), Some(0), "{stage}");
        }
        let brush = Rect::around(DVec2::new(51.0, 60.0), DVec2::splat(5.0));
        let Changed::Within(boxes) = &bundle.delta_since(&first).terrain else {
            panic!("{:?}", bundle.delta());
        };
        assert!(
            boxes.iter().all(|changed| brush.contains_rect(changed)),
            "{boxes:?}"
        );
    }
    // Once it is let go of, the terrain is made from scratch, and nothing else changes.
    let last = bake(&painted(52.0), Some(&bundle), BakeQuality::Full);
    let terrain = last.work(TERRAIN).expect("a stage");
    assert_eq!(terrain.made, terrain.of);
    let delta = last.delta();
    assert!(delta.terrain_remade && delta.terrain.is_nothing() && delta.obstacles.is_nothing());
}

#[test]
fn a_bundle_knows_what_changed_since_some_before_the_last() {
    let town = town();
    let moved = |level: &Level, id: u64, at: DVec2| {
        let edit = Edit::replace(EntityId::new(id), house(at));
        ops::apply(level, &[edit]).expect("valid")
    };
    let first = bake(&town, None, BakeQuality::Full);
    let one = moved(&town, 100, DVec2::splat(6.0));
    let second = bake(&one, Some(&first), BakeQuality::Preview);
    let two = moved(&one, 499, DVec2::splat(194.0));
    let third = bake(&two, Some(&second), BakeQuality::Preview);
    let corners = [DVec2::splat(5.0), DVec2::splat(195.0)].map(|at| Rect::new(at, at));
    let touched = |delta: &NavDelta| corners.map(|corner| delta.obstacles.touches(&corner));
    assert_eq!(touched(&second.delta_since(&first)), [true, false]);
    assert_eq!(touched(third.delta()), [false, true]);
    assert_eq!(touched(&third.delta_since(&first)), [true, true]);
    assert!(third.delta_since(&third).is_empty());
    // One that it was not baked from.
    let other = bake(&two, None, BakeQuality::Preview);
    assert_eq!(third.delta_since(&other).obstacles, Changed::Everything);
}

use super::*;
use crate::base::{ContentHash, EntityId};
use crate::document::{
    Crowd, Edit, Entity, Goal, Kind, Level, Mission, Obstacle, Profile, Settings, Spawn, ops,
};
use crate::geometry::Rect;
use crate::sim::models;
use glam::DVec3;
use std::sync::Arc;

const ADULT: EntityId = EntityId::new(1);

fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
    Polygon::rect(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
}

/// A level of that size with obstacles and crowds; a crowd is an area, a number and a goal.
fn level(size: [f64; 2], obstacles: &[Polygon], crowds: &[(Polygon, u32, DVec2)]) -> Arc<Level> {
    let mut profile = Profile::default();
    profile.body.radius = 0.19;
    let settings = Settings {
        bounds: Rect::new(DVec2::ZERO, DVec2::from(size)),
        ..Settings::default()
    };
    let mut edits = vec![
        Edit::Settings(Arc::new(settings)),
        Edit::create(ADULT, Entity::new("Adult", Kind::Profile(profile))),
    ];
    let mut next = ADULT.next();
    for area in obstacles {
        let wall = Kind::Obstacle(Obstacle::new(area.clone()));
        edits.push(Edit::create(next, Entity::new("Wall", wall)));
        next = next.next();
    }
    for (area, count, goal) in crowds {
        let crowd = Kind::Crowd(Crowd {
            variety: Default::default(),
            groups: Default::default(),
            area: area.clone(),
            count: *count,
            spawn: Spawn::AtOnce,
            mission: Mission {
                goals: vec![Goal::At(goal.extend(0.0))],
                ..Mission::new(ADULT)
            },
        });
        edits.push(Edit::create(next, Entity::new("Crowd", crowd)));
        next = next.next();
    }
    Arc::new(ops::apply(&Level::default(), &edits).expect("valid"))
}

/// A room with a door of one metre, and everyone behind it.
fn door(count: u32) -> Arc<Level> {
    let walls = [rect(9.8, 0.0, 10.0, 4.5), rect(9.8, 5.5, 10.0, 10.0)];
    let crowd = (rect(1.0, 1.0, 8.0, 9.0), count, DVec2::new(18.0, 5.0));
    level([20.0, 10.0], &walls, &[crowd])
}

fn world(level: &Arc<Level>, model: &str, seed: u64) -> World {
    let ctx = JobContext::default();
    let scenario = Scenario::bake(Arc::clone(level), &ctx).expect("not cancelled");
    let model = (models::by_name(model).expect("a model").new)();
    let options = WorldOptions {
        seed,
        ..WorldOptions::default()
    };
    World::new(scenario, model, options, &JobContext::default()).expect("not cancelled")
}

fn checksum(world: &World) -> ContentHash {
    let bits = |v: f64| v.to_bits().to_le_bytes();
    let bytes: Vec<u8> = world
        .agents()
        .flat_map(|agent| {
            let DVec3 { x, y, z } = agent.position;
            [x, y, z, agent.velocity.x, agent.velocity.y].map(bits)
        })
        .flatten()
        .chain(world.tick().to_le_bytes())
        .collect();
    ContentHash::of(&bytes)
}

#[test]
fn everyone_gets_through_a_door_with_every_model() {
    let level = door(40);
    for row in models::rows() {
        let mut world = world(&level, row.id, 1);
        let ctx = JobContext::default();
        let mut arrived = 0;
        while !world.is_over() && world.time() < 120.0 {
            world.step(&ctx).expect("not cancelled");
            arrived += world.departures().len();
            for agent in world.agents() {
                let p = agent.position.truncate();
                assert!(p.is_finite() && world.walls().clearance(p) >= agent.radius - 1e-6);
            }
        }
        assert_eq!(arrived, 40, "{} after {} s", row.id, world.time());
        assert!(world.time() > 12.0, "{}: {} s", row.id, world.time());
    }
}

#[test]
fn runs_are_identical_for_any_number_of_threads_and_differ_by_seed() {
    let level = door(60);
    let run = |threads: usize, seed: u64, model: &str| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let mut world = world(&level, model, seed);
            for _ in 0..200 {
                world.step(&JobContext::default()).expect("not cancelled");
            }
            checksum(&world)
        })
    };
    for row in models::rows() {
        let one = run(1, 7, row.id);
        assert_eq!(run(3, 7, row.id), one, "{}", row.id);
        assert_ne!(run(1, 8, row.id), one, "{}", row.id);
    }
}

#[test]
fn a_crowd_that_does_not_fit_and_one_that_cannot_arrive_are_named() {
    let walls = [rect(5.0, 0.0, 5.2, 10.0)];
    let goal = DVec2::new(8.0, 5.0);
    let crowds = [(rect(1.0, 1.0, 2.0, 2.0), 30, goal)];
    let level = level([10.0, 10.0], &walls, &crowds);
    let world = world(&level, "walker", 0);
    let told = |kind| {
        let found = world.events().iter().find(|event| event.kind == kind);
        found.map(|event| event.text.clone()).unwrap_or_default()
    };
    let unplaced = told(RunEventKind::Unplaced);
    assert!(unplaced.contains("of 30 agents"), "{unplaced}");
    assert!(told(RunEventKind::Unreachable).starts_with("Crowd: "));
    assert!(!world.is_empty() && world.len() < 30);
}

#[test]
fn one_alone_walks_its_speed() {
    let crowds = [(rect(0.5, 1.5, 1.0, 2.0), 1, DVec2::new(41.0, 1.7))];
    let level = level([42.0, 4.0], &[], &crowds);
    let mut world = world(&level, "walker", 3);
    while !world.is_over() && world.time() < 60.0 {
        world.step(&JobContext::default()).expect("not cancelled");
    }
    // Some 40 m at 1.4 m/s.
    assert!((27.0..30.0).contains(&world.time()), "{}", world.time());
}

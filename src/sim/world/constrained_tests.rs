//! Agents whose constraints follow others that walk.

use super::*;
use crate::base::EntityId;
use crate::document::template::{Options, Template};
use crate::document::{
    Agent, Constraint, ConstraintOptions, Edit, Entity, Goal, Heading, Kind, Level, Mission,
    Obstacle, PlannerId, Profile, Relation, Rule, Settings, Target, ops,
};
use crate::geometry::Rect;
use crate::sim::models;
use glam::DVec3;
use std::sync::Arc;

const ADULT: EntityId = EntityId::new(1);
const GUARD: EntityId = EntityId::new(2);
const SPY: EntityId = EntityId::new(3);

fn world(level: Arc<Level>) -> World {
    let ctx = JobContext::default();
    let scenario = Scenario::bake(level, &ctx).expect("not cancelled");
    let model = (models::rows()[0].new)();
    World::new(scenario, model, WorldOptions::default(), &ctx).expect("not cancelled")
}

fn person(start: [f64; 2], goal: [f64; 2], planner: PlannerId, rules: Vec<Constraint>) -> Entity {
    let at = |[x, y]: [f64; 2]| DVec3::new(x, y, 0.0);
    let mission = Mission {
        goals: vec![Goal::At(at(goal))],
        planner,
        constraints: rules,
        constraint_options: ConstraintOptions {
            spacing: Some(0.5),
            ..ConstraintOptions::DEFAULT
        },
        ..Mission::new(ADULT)
    };
    let heading = Heading::degrees(90.0);
    let start = at(start);
    Entity::new(
        "",
        Kind::Agent(Agent {
            start,
            heading,
            mission,
        }),
    )
}

/// A hall that a guard walks through; what it sees of the hall must not be entered.
fn hall() -> Arc<Level> {
    let settings = Settings {
        bounds: Rect::new(DVec2::ZERO, DVec2::new(30.0, 20.0)),
        ..Settings::default()
    };
    let wall = |x: f64, y0: f64, y1: f64| {
        let area = Rect::new(DVec2::new(x, y0), DVec2::new(x + 0.4, y1));
        Kind::Obstacle(Obstacle::new(Polygon::rect(area)))
    };
    let sight = Target::Relation {
        object: GUARD,
        relation: Relation::LineOfSight {
            range: 25.0,
            angle: 60.0,
        },
    };
    let hidden = vec![Constraint::new(Rule::NotIn, sight)];
    let edits = [
        Edit::Settings(Arc::new(settings)),
        Edit::create(
            ADULT,
            Entity::new("Adult", Kind::Profile(Profile::default())),
        ),
        // The guard looks up the hall until it has left it behind.
        Edit::create(
            GUARD,
            person([15.0, 2.0], [15.0, 18.5], PlannerId::OPTIMAL, Vec::new()),
        ),
        Edit::create(
            SPY,
            person([3.0, 10.0], [27.0, 10.0], PlannerId::CONSTRAINT, hidden),
        ),
        Edit::create(EntityId::new(4), Entity::new("West", wall(11.0, 0.0, 8.0))),
        Edit::create(
            EntityId::new(5),
            Entity::new("North", wall(11.0, 12.0, 20.0)),
        ),
    ];
    Arc::new(ops::apply(&Level::default(), &edits).expect("valid"))
}

#[test]
fn an_agent_without_a_path_waits_says_why_and_goes_on_when_there_is_one() {
    let mut world = world(hall());
    let ctx = JobContext::default();
    let (mut waited, mut went_on, mut has_arrived) = (None, None, false);
    let mut stood = Vec::new();
    while world.time() < 60.0 && !has_arrived {
        world.step(&ctx).expect("not cancelled");
        for event in world.events() {
            let is_spy = |id| {
                world
                    .agents
                    .ids
                    .iter()
                    .zip(&world.agents.entities)
                    .any(|(known, entity)| *known == id && *entity == SPY)
            };
            if !event.agent.is_some_and(is_spy) {
                continue;
            }
            match event.kind {
                RunEventKind::Unreachable if event.text.starts_with("waits: ") => {
                    assert!(event.text.contains("line of sight"), "{}", event.text);
                    waited.get_or_insert(world.time());
                }
                RunEventKind::Replanned if waited.is_some() => {
                    went_on.get_or_insert(world.time());
                }
                _ => {}
            }
        }
        let spy = world.agents().find(|agent| agent.entity == SPY);
        match spy {
            Some(spy) if waited.is_some() && went_on.is_none() => stood.push(spy.position),
            Some(_) => {}
            None => has_arrived = true,
        }
    }
    let (Some(waited), Some(went_on)) = (waited, went_on) else {
        panic!("waited {waited:?}, went on {went_on:?}");
    };
    assert!(went_on > waited + 1.0, "{waited} {went_on}");
    let moved = stood[0].distance(*stood.last().expect("it stood"));
    assert!(moved < 1.0, "it walked {moved} m while it had no path");
    assert!(has_arrived);
}

#[test]
fn guards_that_walk_bend_the_paths_of_those_who_mind_them() {
    let level = Template::Guards.build(&Options::default()).expect("drawn");
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let mut world = world(Arc::new(level.clone()));
            let ctx = JobContext::default();
            let mut bent = Vec::new();
            while world.time() < 12.0 {
                world.step(&ctx).expect("not cancelled");
                bent.extend(world.events().iter().filter_map(|event| {
                    let is_bent = event.text == "its constraints lead elsewhere now";
                    is_bent.then_some((event.tick, event.agent))
                }));
            }
            let places: Vec<DVec3> = world.agents().map(|agent| agent.position).collect();
            (bent, places)
        })
    };
    let (bent, places) = run(1);
    let agents: std::collections::BTreeSet<_> = bent.iter().map(|(_, agent)| agent).collect();
    assert!(agents.len() >= 3, "{bent:?}");
    assert_eq!(run(2), (bent, places), "on any number of threads");
}

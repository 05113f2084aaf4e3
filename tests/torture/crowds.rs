//! Short runs of a few agents on levels made to break planners: nobody gets into a wall or out of the
//! bounds, and everybody moves or has said why not.

use crate::levels::{self, KINDS, SIZE};
use crate::oracle::clearance;
use glam::DVec2;
use std::sync::Arc;
use wayloom::base::{EntityId, Random};
use wayloom::document::{
    Agent, Edit, Entity, Goal, Heading, Kind, Level, Mission, Obstacle, PlannerId, Profile, ops,
};
use wayloom::geometry::{Polygon, Rect};
use wayloom::jobs::JobContext;
use wayloom::sim::simulation::{SimulationError, SimulationOptions, prepare};

const AGENTS: u64 = 6;

/// Unit: seconds.
const SECONDS: f64 = 6.0;

/// How much of the radius may be lost between walls that are widened and rounded. Unit: metres.
const TOUCHED: f64 = 0.01;

fn peopled(rings: &[Vec<DVec2>], radius: f64, random: &mut Random) -> Level {
    let mut settings = (**Level::default().settings()).clone();
    settings.bounds = Rect::new(DVec2::ZERO, DVec2::splat(SIZE));
    let mut profile = Profile::default();
    profile.body.radius = radius;
    let walker = EntityId::new(1);
    let mut edits = vec![
        Edit::Settings(Arc::new(settings)),
        Edit::create(walker, Entity::new("Walker", Kind::Profile(profile))),
    ];
    let mut next = (2..).map(EntityId::new);
    let mut add = |name: &str, kind| {
        let id = next.next().expect("endless");
        edits.push(Edit::create(id, Entity::new(name, kind)));
    };
    for ring in rings {
        add(
            "",
            Kind::Obstacle(Obstacle::new(Polygon::new(ring.clone()))),
        );
    }
    for number in 0..AGENTS {
        let [start, goal] = [(); 2].map(|()| random.point(DVec2::ZERO, DVec2::splat(SIZE)));
        let mut mission = Mission::new(walker);
        mission.planner = [PlannerId::PORTAL, PlannerId::CORRIDOR][number as usize % 2];
        mission.goals.push(Goal::At(goal.extend(0.0)));
        let agent = Agent {
            start: start.extend(0.0),
            heading: Heading::degrees(0.0),
            mission,
        };
        add("", Kind::Agent(agent));
    }
    ops::apply(&Level::default(), &edits).expect("valid")
}

/// What is wrong with a run on one level, as sentences.
pub fn judged(number: u64) -> Vec<String> {
    let kind = number as usize % KINDS.len();
    let random = &mut Random::stream(78, number);
    let rings = levels::draw(kind, random);
    let radius = [0.1, 0.2, 0.3][random.below(3)];
    let level = peopled(&rings, radius, random);
    let ctx = JobContext::default();
    let options = SimulationOptions {
        model: ["walker", "orca", "social-force"][random.below(3)].to_owned(),
        seed: number,
        ..SimulationOptions::default()
    };
    let about = |what: String| format!("{}, run {number}, {}: {what}", KINDS[kind], options.model);
    let (mut world, _) = match prepare(&level, &options, &ctx) {
        Ok(prepared) => prepared,
        Err(SimulationError::Nobody) => return Vec::new(),
        Err(error) => return vec![about(error.to_string())],
    };
    let size = DVec2::splat(SIZE);
    // Who starts in a wall is pushed out of it; from then on everybody keeps clear.
    let mut was_free = vec![false; AGENTS as usize];
    let mut wrong = Vec::new();
    while world.time() < SECONDS && !world.is_over() {
        if world.step(&ctx).is_err() {
            break;
        }
        for agent in world.agents() {
            let at = agent.position.truncate();
            let gap = clearance(size, &rings, at);
            let is_free = at.is_finite() && gap >= radius - TOUCHED;
            let index = agent.index as usize % was_free.len();
            if was_free[index] && !is_free {
                wrong.push(about(format!(
                    "agent {index} is {gap:.4} m from a wall at {at:.3} after {:.2} s, radius {radius}",
                    world.time()
                )));
                return wrong;
            }
            was_free[index] |= is_free;
        }
    }
    wrong
}

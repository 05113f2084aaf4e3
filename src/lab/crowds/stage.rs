//! Small levels for verification: walls, crowds, and where they go.

use crate::base::{Colour, Distribution, EntityId};
use crate::document::{
    Crowd, Edit, Entity, Exit, Goal, Kind, Level, Mission, Obstacle, Pattern, Profile, Region,
    Repeat, Settings, Spawn, Terrain, ops,
};
use crate::geometry::{HeightField, Polygon, Rect};
use crate::jobs::JobContext;
use crate::lab::LabError;
use crate::sim::models;
use crate::sim::world::{AgentState, Scenario, World, WorldOptions};
use glam::DVec2;
use std::sync::Arc;

/// The body that the walker was calibrated with. Unit: metres.
pub(super) const RADIUS: f64 = 0.18;

/// Preferred speeds (Weidmann 1993). Unit: m/s.
pub(super) const SPEEDS: Distribution = Distribution::Normal {
    mean: 1.34,
    deviation: 0.26,
};

pub(super) fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
    Polygon::rect(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
}

/// Some people.
#[derive(Clone, Debug)]
pub(super) struct People {
    pub area: Polygon,
    pub count: u32,
    pub spawn: Spawn,
    /// Areas that are visited in this order.
    pub goals: Vec<Polygon>,
    pub repeat: Repeat,
    /// Unit: m/s.
    pub speed: Distribution,
    /// Unit: seconds.
    pub delay: Distribution,
}

impl People {
    pub fn new(area: Polygon, count: u32, goal: Polygon) -> Self {
        Self {
            area,
            count,
            spawn: Spawn::AtOnce,
            goals: vec![goal],
            repeat: Repeat::Once,
            speed: SPEEDS,
            delay: Distribution::default(),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub bounds: Rect,
    pub walls: Vec<Polygon>,
    pub people: Vec<People>,
    pub radius: f64,
    pub ground: Option<HeightField>,
    /// People without a goal of their own leave by the nearest of these.
    pub exits: Vec<Polygon>,
}

impl Stage {
    pub fn new(width: f64, height: f64) -> Self {
        Self {
            bounds: Rect::new(DVec2::ZERO, DVec2::new(width, height)),
            walls: Vec::new(),
            people: Vec::new(),
            radius: RADIUS,
            ground: None,
            exits: Vec::new(),
        }
    }

    pub fn wall(mut self, polygon: Polygon) -> Self {
        self.walls.push(polygon);
        self
    }

    pub fn people(mut self, people: People) -> Self {
        self.people.push(people);
        self
    }

    /// Of the wall with that number.
    pub const fn wall_id(number: usize) -> EntityId {
        EntityId::new(3 + number as u64)
    }

    fn level(&self) -> Result<Level, LabError> {
        let (profile_id, terrain) = (EntityId::new(1), EntityId::new(2));
        let mut profile = Profile::default();
        profile.body.radius = self.radius;
        profile.pace.speed = SPEEDS.mean();
        let floor = Terrain::new(Colour::hex(0xcc_cccc), Pattern::Plain, 1.0);
        let settings = Settings {
            bounds: self.bounds,
            ..Settings::default()
        };
        let mut edits = vec![
            Edit::Settings(Arc::new(settings)),
            Edit::Ground(self.ground.clone().map(Arc::new)),
            Edit::create(profile_id, Entity::new("Person", Kind::Profile(profile))),
            Edit::create(terrain, Entity::new("Floor", Kind::Terrain(floor))),
        ];
        let mut next = terrain.next();
        let mut add = |name: &str, kind: Kind| {
            let id = next;
            next = next.next();
            (id, Edit::create(id, Entity::new(name, kind)))
        };
        for area in &self.walls {
            edits.push(add("Wall", Kind::Obstacle(Obstacle::new(area.clone()))).1);
        }
        for area in &self.exits {
            edits.push(add("Exit", Kind::Exit(Exit::new(area.clone()))).1);
        }
        // People who go to one area have one goal.
        let mut known: Vec<(&Polygon, EntityId)> = Vec::new();
        for people in &self.people {
            let mut goals = Vec::new();
            if people.goals.is_empty() {
                goals.push(Goal::NearestExit);
            }
            for area in &people.goals {
                let same = known.iter().find(|(other, _)| *other == area);
                let id = same.map(|(_, id)| *id).unwrap_or_else(|| {
                    let region = Region {
                        area: area.clone(),
                        terrain,
                    };
                    let (id, edit) = add("Goal", Kind::Region(region));
                    edits.push(edit);
                    known.push((area, id));
                    id
                });
                goals.push(Goal::inside(id));
            }
            let crowd = Crowd {
                variety: Default::default(),
                groups: Default::default(),
                area: people.area.clone(),
                count: people.count,
                spawn: people.spawn.clone(),
                mission: Mission {
                    goals,
                    repeat: people.repeat,
                    ..Mission::new(profile_id)
                },
            };
            edits.push(add("People", Kind::Crowd(crowd)).1);
        }
        Ok(ops::apply(&Level::default(), &edits)?)
    }

    /// A world at its beginning.
    pub fn world(&self, model: &str, seed: u64, ctx: &JobContext) -> Result<World, LabError> {
        let mut scenario = Scenario::bake(Arc::new(self.level()?), ctx)?;
        for (source, people) in scenario.sources.iter_mut().zip(&self.people) {
            source.speed = people.speed;
            source.delay = people.delay;
        }
        let row =
            models::by_name(model).map_err(|error| LabError::Unavailable(error.to_string()))?;
        let options = WorldOptions {
            seed,
            ..WorldOptions::default()
        };
        Ok(World::new(scenario, (row.new)(), options, ctx)?)
    }
}

/// A room of 10 m by 10 m with a door of that width; everyone is in it and leaves through the door.
pub(super) fn door(width: f64, count: u32) -> Stage {
    let (low, high) = (5.0 - 0.5 * width, 5.0 + 0.5 * width);
    Stage::new(16.0, 10.0)
        .wall(rect(10.0, 0.0, 10.2, low))
        .wall(rect(10.0, high, 10.2, 10.0))
        .people(People::new(
            rect(0.5, 0.5, 9.5, 9.5),
            count,
            rect(13.0, 0.0, 16.0, 10.0),
        ))
}

/// Crossings of a vertical line, in the order of time. Unit: seconds.
pub(super) struct Counter {
    x: f64,
    behind: Vec<bool>,
    pub times: Vec<f64>,
}

impl Counter {
    pub fn new(x: f64) -> Self {
        Self {
            x,
            behind: Vec::new(),
            times: Vec::new(),
        }
    }

    pub fn note(&mut self, time: f64, agents: impl Iterator<Item = AgentState>) {
        for agent in agents {
            let index = agent.index as usize;
            if self.behind.len() <= index {
                self.behind.resize(index + 1, false);
            }
            if agent.position.x >= self.x && !self.behind[index] {
                self.behind[index] = true;
                self.times.push(time);
            }
        }
    }

    /// People per second while the middle of them pass: without the first and the last.
    pub fn flow(&self) -> f64 {
        let count = self.times.len();
        let (from, to) = (count / 5, count * 4 / 5);
        if to <= from {
            return 0.0;
        }
        (to - from) as f64 / (self.times[to] - self.times[from]).max(1e-9)
    }
}

/// Runs until everyone has left, or for some time; whether everyone did.
pub(super) fn run(
    world: &mut World,
    seconds: f64,
    ctx: &JobContext,
    mut each: impl FnMut(&World),
) -> Result<bool, LabError> {
    while !world.is_over() && world.time() < seconds {
        world.step(ctx)?;
        each(world);
    }
    Ok(world.is_over())
}

//! The simulated world: fixed steps, counted in whole ticks.
//!
//! A step reads the last state and writes the next. Bodies are computed in fixed chunks, sums run
//! in the order of squares and ids, and random numbers are addressed by seed, agent and tick: the
//! result is identical bit by bit for any number of threads, and for debug and release builds.

mod agents;
mod appearing;
#[cfg(test)]
mod behaviour_tests;
mod changes;
mod constrained;
#[cfg(test)]
mod constrained_tests;
mod doors;
mod event;
mod groups;
mod guide;
mod jams;
mod moving;
mod neighbours;
mod placement;
mod planning;
mod progress;
mod scenario;
mod stays;
#[cfg(test)]
mod tests;
mod walls;

pub use agents::{AgentState, Birth, Departure, NewPlan};
pub use event::{AgentIndex, RunEvent, RunEventKind};
pub use guide::{Advice, Follower, Following, Guide, GuideState};
pub use neighbours::{Neighbour, NeighbourGrid};
pub use scenario::{Scenario, Source};
pub use walls::{WallPoint, Walls};

use super::input::TimedInput;
use super::models::{Model, Motion, Mover, Scratch, Step, Surroundings};
use crate::base::Chance;
use crate::document::Level;
use crate::geometry::Polygon;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::free_space::Input;
use agents::Agents;
use appearing::Appearing;
use changes::Changes;
use constrained::Constrained;
use doors::Doors;
use glam::DVec2;
use groups::Companies;
use moving::MovingObstacles;
use rayon::prelude::*;
use stays::Queues;

/// Bodies that one task computes.
const CHUNK: usize = 128;

/// How far walls are felt. Unit: metres.
const WALL_REACH: f64 = 1.0;

/// Densities between which bodies begin to spread over the width of gates: with none near they
/// cut corners, and with two others they keep beside each other. Unit: 1/m².
const CROWDED: [f64; 2] = [0.25, 0.55];

/// Time in which a body notices that it is in a crowd. Unit: seconds.
const NOTICE: f64 = 1.0;

/// Parameters of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldOptions {
    pub seed: u64,
    /// Unit: seconds.
    pub step: f64,
}

impl Default for WorldOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            step: super::STEP,
        }
    }
}

/// All agents at a tick, and what leads them on.
#[derive(Debug)]
pub struct World {
    scenario: Scenario,
    model: Box<dyn Model>,
    options: WorldOptions,
    tick: u64,
    walls: Walls,
    /// Borders of obstacles on their way, where they are now.
    moving: Walls,
    obstacles: MovingObstacles,
    /// Agents, then what is seen of moving obstacles.
    shown: Vec<Neighbour>,
    agents: Agents,
    appearing: Appearing,
    constrained: Constrained,
    grid: NeighbourGrid,
    moved: Vec<Moved>,
    /// Of the last step, in the order of agents.
    events: Vec<RunEvent>,
    births: Vec<Birth>,
    departures: Vec<Departure>,
    plans: Vec<NewPlan>,
    changes: Changes,
    doors: Doors,
    queues: Queues,
    companies: Companies,
}

/// What a step does to a body.
#[derive(Clone, Copy, Debug, Default)]
struct Moved {
    position: DVec2,
    motion: Motion,
    density: f64,
}

impl World {
    /// At its first moment: everyone is there who begins at once.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn new(
        scenario: Scenario,
        model: Box<dyn Model>,
        options: WorldOptions,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let walls = walls_of(&scenario);
        let mut world = Self {
            appearing: Appearing::new(&scenario, &walls, options.seed),
            changes: Changes::new(&scenario),
            doors: Doors::new(&scenario.level),
            queues: Queues::default(),
            companies: Companies::default(),
            walls,
            moving: Walls::default(),
            obstacles: MovingObstacles::new(&scenario.level),
            shown: Vec::new(),
            scenario,
            model,
            options,
            tick: 0,
            agents: Agents::default(),
            constrained: Constrained::default(),
            grid: NeighbourGrid::default(),
            moved: Vec::new(),
            events: Vec::new(),
            births: Vec::new(),
            departures: Vec::new(),
            plans: Vec::new(),
        };
        world.operate_doors(world.doors.are_shut(), ctx)?;
        world.appear(ctx)?;
        Ok(world)
    }

    #[must_use]
    pub const fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    #[must_use]
    pub const fn options(&self) -> &WorldOptions {
        &self.options
    }

    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// Unit: seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.tick as f64 * self.options.step
    }

    #[must_use]
    pub const fn walls(&self) -> &Walls {
        &self.walls
    }

    /// How many agents are there now.
    #[must_use]
    pub fn len(&self) -> usize {
        self.agents.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.agents.len() == 0
    }

    /// Whether no agent is left, and none will come.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_empty() && self.appearing.is_over()
    }

    /// Everyone who is there, ordered by index.
    pub fn agents(&self) -> impl ExactSizeIterator<Item = AgentState> + '_ {
        self.agents.states()
    }

    /// Of the last step.
    #[must_use]
    pub fn events(&self) -> &[RunEvent] {
        &self.events
    }

    /// Who appeared in the last step.
    #[must_use]
    pub fn births(&self) -> &[Birth] {
        &self.births
    }

    /// Who left in the last step.
    #[must_use]
    pub fn departures(&self) -> &[Departure] {
        &self.departures
    }

    /// Plans of the last step.
    #[must_use]
    pub fn plans(&self) -> &[NewPlan] {
        &self.plans
    }

    /// Inputs that acted in the last step.
    #[must_use]
    pub fn inputs(&self) -> &[TimedInput] {
        self.changes.inputs()
    }

    /// How many agents do not get on.
    #[must_use]
    pub fn stuck(&self) -> usize {
        self.agents.records.iter().filter(|r| r.is_stuck).count()
    }

    /// One tick.
    ///
    /// # Errors
    /// The job was cancelled; the world is between two ticks then and must not be used on.
    pub fn step(&mut self, ctx: &JobContext) -> Result<(), Cancelled> {
        ctx.checkpoint()?;
        self.events.clear();
        self.births.clear();
        self.departures.clear();
        self.plans.clear();
        self.change(ctx)?;
        self.move_obstacles();
        self.follow_constraints(ctx)?;
        self.lead(ctx)?;
        self.keep_together();
        self.avoid_jams(ctx)?;
        self.step_aside();
        let longest = self.model.longest_step();
        let parts = (self.options.step / longest - 1e-9).ceil().max(1.0);
        for part in 0..parts as u64 {
            self.sort_bodies();
            self.move_bodies(self.options.step / parts, part);
            self.doors.refill(self.options.step / parts);
        }
        self.tick += 1;
        self.note_progress();
        self.appear(ctx)
    }

    /// Sorts all that agents see of each other.
    fn sort_bodies(&mut self) {
        if self.obstacles.is_empty() {
            self.grid.rebuild(&self.agents.bodies);
            return;
        }
        self.shown.clear();
        self.shown.extend_from_slice(&self.agents.bodies);
        let obstacles = self.obstacles.bodies().iter();
        let slots = self.agents.len() as u32..;
        self.shown.extend(
            obstacles
                .zip(slots)
                .map(|(body, slot)| Neighbour { slot, ..*body }),
        );
        self.grid.rebuild(&self.shown);
    }

    /// Moves every body by one step of the model.
    fn move_bodies(&mut self, dt: f64, part: u64) {
        let Self {
            grid,
            agents,
            walls,
            moving,
            model,
            moved,
            ..
        } = self;
        let step = self.tick.wrapping_mul(64).wrapping_add(part);
        moved.resize(grid.sorted().len(), Moved::default());
        let seed = self.options.seed;
        moved
            .par_chunks_mut(CHUNK)
            .zip(grid.sorted().par_chunks(CHUNK))
            .for_each(|(moved, bodies)| {
                let mut scratch = Scratch::default();
                let mut wall_points = Vec::new();
                for (moved, body) in moved.iter_mut().zip(bodies) {
                    let slot = body.slot as usize;
                    if slot >= agents.len() {
                        continue;
                    }
                    let is_in_space = agents.is_in_space(slot);
                    wall_points.clear();
                    if !is_in_space {
                        walls.points_near(body.position, WALL_REACH, &mut wall_points);
                        moving.points_near(body.position, WALL_REACH, &mut wall_points);
                    }
                    let me = Mover {
                        body,
                        speed: agents.speed(slot),
                        max_speed: agents.max_speeds[slot],
                        heading: agents.headings[slot],
                        agitation: agents.agitations[slot],
                        dt,
                        chance: Chance::new(seed, u64::from(agents.ids[slot]), step),
                    };
                    let seen = Surroundings {
                        grid,
                        walls: [walls, moving],
                        wall_points: &wall_points,
                    };
                    let Step {
                        motion, density, ..
                    } = model.motion(&me, &seen, &mut scratch);
                    let by = motion.velocity * dt;
                    let position = if is_in_space {
                        agents.guides[slot]
                            .as_ref()
                            .map_or(body.position, |guide| guide.kept(body.position + by))
                    } else if wall_points.is_empty() {
                        body.position + by
                    } else {
                        let to = walls.advance(body.position, by, body.radius);
                        moving.advance(body.position, to - body.position, body.radius)
                    };
                    *moved = Moved {
                        position,
                        motion,
                        density,
                    };
                }
            });
        let is_watched = self.doors.are_watched();
        for (moved, body) in moved.iter_mut().zip(grid.sorted()) {
            let slot = body.slot as usize;
            if slot >= agents.len() {
                continue;
            }
            if is_watched {
                let source = agents.records[slot].source as usize;
                let profile = self.scenario.sources[source].mission.profile;
                if !self.doors.let_pass(body.position, moved.position, profile) {
                    moved.position = body.position;
                }
            }
            let target = &mut agents.bodies[slot];
            target.velocity = (moved.position - target.position) / dt;
            target.position = moved.position;
            agents.headings[slot] = moved.motion.heading;
            let [low, high] = CROWDED;
            let crowding = ((moved.density - low) / (high - low)).clamp(0.0, 1.0);
            let share = (dt / NOTICE).min(1.0);
            agents.crowdings[slot] += (crowding - agents.crowdings[slot]) * share;
        }
    }
}

/// What bodies of a scenario cannot pass.
fn walls_of(scenario: &Scenario) -> Walls {
    let obstacles = scenario.bundle.shared().obstacles();
    walls_among(&scenario.level, obstacles, largest_radius(scenario))
}

/// What bodies up to a radius cannot pass in a level; obstacles that move are left out.
#[must_use]
pub fn walls_among(level: &Level, obstacles: &Input, radius: f64) -> Walls {
    let areas: Vec<Polygon> = obstacles
        .blockers
        .iter()
        .filter(|blocker| !moving::is_moving(level, blocker.id))
        .map(|blocker| Polygon::clone(&blocker.area))
        .collect();
    Walls::new(obstacles.bounds, &areas, radius)
}

fn largest_radius(scenario: &Scenario) -> f64 {
    let radii = scenario.sources.iter().map(|s| s.profile.body.radius);
    radii.fold(0.1, f64::max)
}

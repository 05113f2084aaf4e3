//! Optimal reciprocal collision avoidance (van den Berg et al. 2011): the solver of crate
//! `dodgy_2d` with our neighbours.
//!
//! By itself it walks on at full speed in any density. The density filter caps the preferred speed
//! by the gap in front, as people do.

use super::{
    Model, Motion, Mover, Near, Pushes, Scratch, Step, Surroundings, density, set_parameter,
    speed_by_gap,
};
use dodgy_2d::{Agent, AvoidanceOptions, Obstacle, Vec2};
use glam::DVec2;
use std::borrow::Cow;

/// Neighbours that are considered at most: the nearest ones.
const MOST_NEIGHBOURS: usize = 10;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrcaOptions {
    /// Unit: metres.
    pub sight: f64,
    /// Unit: seconds.
    pub horizon: f64,
    /// Unit: seconds.
    pub wall_horizon: f64,
    /// Caps the preferred speed by the gap in front divided by this; 0 for no cap.
    /// Unit: seconds.
    pub time_gap: f64,
}

impl Default for OrcaOptions {
    fn default() -> Self {
        Self {
            sight: 4.0,
            horizon: 2.0,
            wall_horizon: 0.5,
            time_gap: 0.0,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Orca {
    pub options: OrcaOptions,
}

fn single(v: DVec2) -> Vec2 {
    Vec2::new(v.x as f32, v.y as f32)
}

impl Model for Orca {
    fn motion(&self, me: &Mover<'_>, seen: &Surroundings<'_>, scratch: &mut Scratch) -> Step {
        let o = &self.options;
        let body = me.body;
        // Single precision: everything is relative to the body.
        let agents = &mut scratch.agents;
        agents.clear();
        scratch.near.clear();
        let reach = me.speed * o.time_gap;
        seen.visit(body, o.sight, |other, away, squared| {
            let agent = Agent {
                position: single(-away),
                velocity: single(other.velocity),
                radius: other.radius as f32,
                avoidance_responsibility: 1.0,
            };
            agents.push((squared, other.slot, agent));
            let contact = body.radius + other.radius;
            if squared < (contact + reach) * (contact + reach) {
                scratch.near.push(Near {
                    away,
                    contact,
                    width: contact,
                    drift: DVec2::ZERO,
                });
            }
        });
        let crowd = density(agents.len(), o.sight);
        agents.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        agents.truncate(MOST_NEIGHBOURS);
        let others: Vec<Cow<'_, Agent>> = agents
            .iter()
            .map(|(.., agent)| Cow::Borrowed(agent))
            .collect();
        let reach = body.radius + me.max_speed * o.wall_horizon;
        let walls: Vec<Obstacle> = if seen.wall_points.is_empty() {
            Vec::new()
        } else {
            seen.walls
                .iter()
                .flat_map(|walls| walls.segments_near(body.position, reach))
                .map(|[from, to]| Obstacle::Open {
                    // The crate has what is solid on the left.
                    vertices: [to, from].map(|p| single(p - body.position)).to_vec(),
                })
                .collect()
        };
        let walls: Vec<Cow<'_, Obstacle>> = walls.iter().map(Cow::Borrowed).collect();
        let mut speed = me.speed;
        if o.time_gap > 0.0 {
            speed = speed_by_gap(&scratch.near, body.direction, o.time_gap, speed);
        }
        // A little off the straight line: exact symmetry would make two bodies stop.
        let nudge = body.direction.perp() * (0.02 * me.chance.sign(1));
        let agent = Agent {
            position: Vec2::ZERO,
            velocity: single(body.velocity),
            radius: body.radius as f32,
            avoidance_responsibility: 1.0,
        };
        let velocity = agent.compute_avoiding_velocity(
            &others,
            &walls,
            single((body.direction + nudge) * speed),
            me.max_speed as f32,
            me.dt as f32,
            &AvoidanceOptions {
                obstacle_margin: body.radius as f32,
                time_horizon: o.horizon as f32,
                obstacle_time_horizon: o.wall_horizon as f32,
            },
        );
        let velocity = DVec2::new(f64::from(velocity.x), f64::from(velocity.y));
        let velocity = if velocity.is_finite() {
            velocity
        } else {
            DVec2::ZERO
        };
        let heading = if velocity.length_squared() > 0.01 {
            velocity.normalize()
        } else {
            me.heading
        };
        // One programme for all constraints: what walls alone do cannot be told.
        let pushes = Pushes {
            others: velocity / me.speed.max(0.1) - body.direction,
            walls: DVec2::ZERO,
        };
        Step {
            motion: Motion { velocity, heading },
            density: crowd,
            pushes,
        }
    }

    fn set(&mut self, name: &str, value: f64) -> Result<(), String> {
        let o = &mut self.options;
        let mut parameters = [
            ("sight", &mut o.sight, [0.5, 20.0]),
            ("horizon", &mut o.horizon, [0.1, 20.0]),
            ("wall_horizon", &mut o.wall_horizon, [0.1, 20.0]),
            ("time_gap", &mut o.time_gap, [0.0, 10.0]),
        ];
        set_parameter("orca", &mut parameters, name, value)
    }
}

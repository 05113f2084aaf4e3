//! The social force model with contact and friction (Helbing, Farkas and Vicsek 2000).

use super::{Model, Motion, Mover, Pushes, Scratch, Step, Surroundings, density, set_parameter};
use crate::base::elementary::exp;
use glam::DVec2;

/// How far others are felt: beyond, the force is below a newton. Unit: metres.
const SIGHT: f64 = 1.6;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SocialForceOptions {
    /// Unit: newtons.
    pub strength: f64,
    /// Unit: metres.
    pub range: f64,
    /// Unit: kilograms.
    pub mass: f64,
    /// In which the preferred velocity is reached. Unit: seconds.
    pub relaxation: f64,
    /// Of pressed bodies. Unit: kg/s².
    pub stiffness: f64,
    /// Between pressed bodies. Unit: kg/(m·s).
    pub friction: f64,
}

impl Default for SocialForceOptions {
    fn default() -> Self {
        Self {
            strength: 2000.0,
            range: 0.08,
            mass: 80.0,
            relaxation: 0.5,
            stiffness: 1.2e5,
            friction: 2.4e5,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct SocialForce {
    pub options: SocialForceOptions,
}

impl SocialForceOptions {
    /// By something at a distance, along a normal towards the body.
    fn force(&self, normal: DVec2, overlap: f64, slip: DVec2) -> DVec2 {
        let mut force = normal * (self.strength * exp(overlap / self.range));
        if overlap > 0.0 {
            let tangent = normal.perp();
            force += normal * (self.stiffness * overlap);
            force += tangent * (self.friction * overlap * slip.dot(tangent));
        }
        force
    }
}

impl Model for SocialForce {
    fn motion(&self, me: &Mover<'_>, seen: &Surroundings<'_>, _: &mut Scratch) -> Step {
        let o = &self.options;
        let body = me.body;
        let wish = body.direction * me.speed;
        let drive = (wish - body.velocity) * (o.mass / o.relaxation);
        let mut pushes = Pushes::default();
        let mut others = 0;
        seen.visit(body, SIGHT, |other, away, squared| {
            others += 1;
            let distance = squared.sqrt();
            let normal = if distance > 1e-9 {
                away / distance
            } else {
                DVec2::X * if body.slot < other.slot { 1.0 } else { -1.0 }
            };
            let overlap = body.radius + other.radius - distance;
            pushes.others += o.force(normal, overlap, other.velocity - body.velocity);
        });
        for wall in seen.wall_points {
            if let Some(normal) = (body.position - wall.at).try_normalize() {
                pushes.walls += o.force(normal, body.radius - wall.distance, -body.velocity);
            }
        }
        let crowd = density(others, SIGHT);
        // Friction grows with the slip, so it must not turn it round within a step.
        let force = drive + pushes.others + pushes.walls;
        let velocity = body.velocity + force * (me.dt / o.mass);
        let fastest = me.max_speed.max(me.speed);
        let velocity = velocity.clamp_length_max(fastest);
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
        let unit = o.mass * me.speed.max(0.1) / o.relaxation;
        pushes.others /= unit;
        pushes.walls /= unit;
        Step {
            motion: Motion { velocity, heading },
            density: crowd,
            pushes,
        }
    }

    fn longest_step(&self) -> f64 {
        0.01
    }

    fn set(&mut self, name: &str, value: f64) -> Result<(), String> {
        let o = &mut self.options;
        let mut parameters = [
            ("strength", &mut o.strength, [0.0, 1e6]),
            ("range", &mut o.range, [0.001, 5.0]),
            ("mass", &mut o.mass, [1.0, 1e4]),
            ("relaxation", &mut o.relaxation, [0.01, 10.0]),
        ];
        set_parameter("social-force", &mut parameters, name, value)
    }
}

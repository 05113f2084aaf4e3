//! Models of local movement: one trait, one row each.
//!
//! A model says how a body moves next, from what it sees of the others and of the walls. It reads
//! the last state only, so bodies can be computed in any order and by any thread.

mod orca;
mod registry;
mod social_force;
mod walker;

pub use orca::{Orca, OrcaOptions};
pub use registry::{ModelId, ModelRow, UnknownModel, by_name, row, rows};
pub use social_force::{SocialForce, SocialForceOptions};
pub use walker::{Walker, WalkerOptions};

use super::world::{Neighbour, NeighbourGrid, WallPoint, Walls};
use crate::base::Chance;
use glam::DVec2;

/// The body to move.
#[derive(Clone, Copy, Debug)]
pub struct Mover<'a> {
    /// Position, velocity, radius and where it wants to go.
    pub body: &'a Neighbour,
    /// Speed that it wants to have. Unit: m/s.
    pub speed: f64,
    /// Unit: m/s.
    pub max_speed: f64,
    /// Where it faces: of length 1.
    pub heading: DVec2,
    /// Length of the step. Unit: seconds.
    pub dt: f64,
    /// Factor of its noise: more than 1 for one that is stuck.
    pub agitation: f64,
    pub chance: Chance,
}

/// What a body sees.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    pub grid: &'a NeighbourGrid,
    /// Fixed and moving ones.
    pub walls: [&'a Walls; 2],
    /// The nearest point of each wall within reach; empty for bodies that follow their paths in
    /// space, which know where walls are.
    pub wall_points: &'a [WallPoint],
}

impl Surroundings<'_> {
    /// Visits other bodies within a distance that no near wall hides; see [`NeighbourGrid::visit`].
    #[inline]
    pub fn visit(
        &self,
        me: &Neighbour,
        distance: f64,
        mut visit: impl FnMut(&Neighbour, DVec2, f64),
    ) {
        if self.wall_points.is_empty() {
            self.grid.visit(me, distance, visit);
            return;
        }
        self.grid.visit(me, distance, |other, away, squared| {
            let is_hidden = |walls: &&Walls| walls.separates(me.position, other.position);
            if !self.walls.iter().any(is_hidden) {
                visit(other, away, squared);
            }
        });
    }
}

/// How a body moves during a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Unit: m/s.
    pub velocity: DVec2,
    /// Of length 1.
    pub heading: DVec2,
}

/// What a model says about a body's next step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    pub motion: Motion,
    /// Bodies around it for each square metre.
    pub density: f64,
    /// What the others and the walls add to the wish to go on, which has the length 1.
    pub pushes: Pushes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pushes {
    pub others: DVec2,
    pub walls: DVec2,
}

/// Memory that is reused from body to body.
#[derive(Debug, Default)]
pub struct Scratch {
    near: Vec<Near>,
    agents: Vec<(f64, u32, dodgy_2d::Agent)>,
}

/// A neighbour that may stand in the way.
#[derive(Clone, Copy, Debug)]
struct Near {
    /// From the neighbour to the body.
    away: DVec2,
    /// Distance of the centres at which the two touch, one behind the other.
    contact: f64,
    /// Distance of the centres at which the two touch, side by side.
    width: f64,
    /// How far the neighbour moves in the step that comes, if it goes on as it does.
    drift: DVec2,
}

/// A model of local movement.
pub trait Model: std::fmt::Debug + Send + Sync {
    /// How the body moves next, and why. Walls are kept by the world afterwards.
    fn motion(&self, me: &Mover<'_>, seen: &Surroundings<'_>, scratch: &mut Scratch) -> Step;

    /// Steps that are longer are divided. Unit: seconds.
    fn longest_step(&self) -> f64 {
        f64::INFINITY
    }

    /// Sets a parameter by its name.
    ///
    /// # Errors
    /// A sentence: there is no such parameter, or the value is out of its limits.
    fn set(&mut self, name: &str, value: f64) -> Result<(), String>;
}

/// Sets one of the named parameters.
fn set_parameter(
    model: &str,
    parameters: &mut [(&str, &mut f64, [f64; 2])],
    name: &str,
    value: f64,
) -> Result<(), String> {
    let known: Vec<String> = parameters.iter().map(|(n, ..)| (*n).to_owned()).collect();
    let Some((_, parameter, [min, max])) = parameters.iter_mut().find(|(n, ..)| *n == name) else {
        return Err(format!(
            "the model {model} has no parameter `{name}`; it has {}",
            known.join(", ")
        ));
    };
    if !(*min..=*max).contains(&value) {
        return Err(format!(
            "{model}.{name} is {value}; it must be between {min} and {max}"
        ));
    }
    **parameter = value;
    Ok(())
}

/// Bodies for each square metre of a disc, the one in its middle included.
fn density(others: usize, radius: f64) -> f64 {
    (others + 1) as f64 / (std::f64::consts::PI * radius * radius)
}

/// The speed at which nothing in the way is reached within `time_gap`: the free distance along
/// `direction`, up to the contact of the two bodies, divided by it.
fn speed_by_gap(near: &[Near], direction: DVec2, time_gap: f64, fastest: f64) -> f64 {
    let mut gap = fastest * time_gap;
    for other in near {
        let ahead = -other.away.dot(direction);
        let now = other.away.perp_dot(direction);
        let then = now - other.drift.perp_dot(direction);
        // One that crosses the path in this step is in the way, too.
        let aside = if now * then < 0.0 {
            0.0
        } else {
            now.abs().min(then.abs())
        };
        let chord = other.width * other.width - aside * aside;
        if ahead > 0.0 && chord > 0.0 {
            gap = gap.min(ahead - chord.sqrt() * (other.contact / other.width));
        }
    }
    (gap / time_gap).clamp(0.0, fastest)
}

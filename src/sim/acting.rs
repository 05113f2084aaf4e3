//! What acts on one agent of a run at a moment: its wish, and what others and walls add to it.
//!
//! A recording keeps places, not forces. They are computed again by the run's model from the places
//! and the plan, without noise; who yields to whom is taken from who is ahead.

use super::models::{self, Model, Mover, Pushes, Scratch, Surroundings};
use super::wlrec::{Run, RunPose};
use super::world::{AgentIndex, Neighbour, NeighbourGrid, WallPoint, Walls, walls_among};
use crate::base::Chance;
use crate::document::format;
use crate::geometry::polygon::closest_on_segment;
use crate::nav::free_space::Input;
use glam::{DVec2, DVec3};

/// How far walls are felt. Unit: metres.
const WALL_REACH: f64 = 1.0;

/// A corner of the plan that is nearer is passed. Unit: metres.
const PASSED: f64 = 0.4;

/// One within this distance in front is in the way. Unit: metres.
const IN_FRONT: f64 = 1.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acting {
    /// Where the agent is.
    pub at: DVec3,
    /// Where it wants to go: of length 1, or 0 if it stands.
    pub wish: DVec2,
    /// In lengths of the wish.
    pub pushes: Pushes,
    /// As recorded. Unit: m/s.
    pub velocity: DVec2,
    /// How many are in front of it.
    pub in_front: usize,
    /// A wall is nearer to it than twice its radius.
    pub is_at_wall: bool,
}

/// What does not change during a run.
#[derive(Debug)]
pub struct Stage {
    walls: Walls,
    model: Box<dyn Model>,
}

impl Stage {
    /// `None` for recordings without a level or a model, such as films of real people.
    #[must_use]
    pub fn of_run(run: &Run) -> Option<Self> {
        let header = run.header();
        let mut model = (models::row(&header.model)?.new)();
        for (name, value) in &header.set {
            let of_model = name.split_once('.').filter(|(of, _)| *of == header.model);
            if let (Some((_, name)), Ok(value)) = (of_model, value.parse()) {
                // What could not be set did not count in the run either.
                let _ = model.set(name, value);
            }
        }
        let level = format::read(run.level()).ok()?.level;
        let widest = run.births().values().map(|birth| birth.radius);
        let radius = widest.fold(0.1, f64::max);
        let walls = walls_among(&level, &Input::of_level(&level), radius);
        Some(Self { walls, model })
    }

    /// What acts on an agent; `None` if it is not there.
    #[must_use]
    pub fn acting(&self, run: &Run, index: AgentIndex, secs: f64) -> Option<Acting> {
        let poses = run.moment(secs);
        let me = poses.iter().position(|pose| pose.index == index)?;
        let birth = run.births().get(&index)?;
        let here = poses[me].position.truncate();
        let plan = run.plan_of(index, secs).map(|plan| plan.points);
        let has_set_out = secs >= birth.sets_out;
        let wish = plan
            .filter(|_| has_set_out)
            .and_then(|plan| (next_of(&plan, here)? - here).try_normalize())
            .unwrap_or(DVec2::ZERO);
        let body = |(slot, pose): (usize, &RunPose)| {
            let birth = run.births().get(&pose.index);
            let position = pose.position.truncate();
            Neighbour {
                position,
                velocity: pose.velocity,
                direction: if slot == me {
                    wish
                } else {
                    DVec2::from_angle(pose.heading)
                },
                radius: birth.map_or(0.2, |birth| birth.radius),
                // Those who are farther back have farther to go.
                remaining: -position.dot(wish),
                height: pose.position.z,
                goal: birth.map_or(u32::MAX, |birth| birth.entity.number() as u32),
                slot: slot as u32,
            }
        };
        let bodies: Vec<Neighbour> = poses.iter().enumerate().map(body).collect();
        let mut grid = NeighbourGrid::default();
        grid.rebuild(&bodies);
        let mut wall_points: Vec<WallPoint> = Vec::new();
        self.walls.points_near(here, WALL_REACH, &mut wall_points);
        let none = Walls::default();
        let seen = Surroundings {
            grid: &grid,
            walls: [&self.walls, &none],
            wall_points: &wall_points,
        };
        let mover = Mover {
            body: &bodies[me],
            speed: birth.speed,
            max_speed: birth.speed,
            heading: DVec2::from_angle(poses[me].heading),
            dt: run.header().step.min(self.model.longest_step()),
            agitation: 0.0,
            chance: Chance::new(0, 0, 0),
        };
        let pushes = self
            .model
            .motion(&mover, &seen, &mut Scratch::default())
            .pushes;
        let mut in_front = 0;
        seen.visit(&bodies[me], IN_FRONT, |_, away, _| {
            in_front += usize::from(away.dot(wish) < 0.0);
        });
        let near = 2.0 * birth.radius;
        Some(Acting {
            at: poses[me].position,
            wish,
            pushes,
            velocity: poses[me].velocity,
            in_front,
            is_at_wall: wall_points.iter().any(|wall| wall.distance < near),
        })
    }
}

/// The next place of a plan for one who is near it.
fn next_of(plan: &[DVec3], here: DVec2) -> Option<DVec2> {
    let pieces = plan.windows(2).enumerate().map(|(i, piece)| {
        let [from, to] = [piece[0], piece[1]].map(DVec3::truncate);
        (i, closest_on_segment(from, to, here).distance_squared(here))
    });
    let (piece, _) = pieces.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let mut ahead = plan[piece + 1..].iter().map(|p| p.truncate());
    ahead
        .find(|place| place.distance(here) > PASSED)
        .or_else(|| plan.last().map(|p| p.truncate()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::template::{Options, Template};
    use crate::jobs::JobContext;
    use crate::sim::simulation::{SimulationOptions, simulate};

    #[test]
    fn everyone_under_way_has_a_wish_and_those_in_a_jam_are_pushed() {
        let template = Template::by_name("bottleneck").expect("a sample");
        let level = template.build(&Options::default()).expect("builds");
        let options = SimulationOptions {
            seconds: 8.0,
            ..SimulationOptions::of(&level)
        };
        let (bytes, _) =
            simulate(&level, &options, Vec::new(), &JobContext::default()).expect("runs");
        let run = Run::open(bytes).expect("a recording");
        let stage = Stage::of_run(&run).expect("a level and a model");
        let there: Vec<AgentIndex> = run.moment(7.0).iter().map(|pose| pose.index).collect();
        assert!(there.len() > 10);
        let acting: Vec<Acting> = there
            .iter()
            .filter_map(|index| stage.acting(&run, *index, 7.0))
            .collect();
        assert_eq!(acting.len(), there.len());
        assert!(acting.iter().all(|a| (a.wish.length() - 1.0).abs() < 1e-9));
        let pushed = |a: &&Acting| a.pushes.others.length() > 0.1 && a.in_front > 0;
        assert!(acting.iter().filter(pushed).count() > there.len() / 4);
        let anywhere = acting.iter().all(|a| a.pushes.others.is_finite());
        assert!(anywhere && stage.acting(&run, 100_000, 7.0).is_none());
    }
}

//! Obstacles that move along their paths while a run goes on.
//!
//! To agents they are walls where they are, and a row of bodies that never yield.

use super::World;
use super::neighbours::Neighbour;
use super::walls::Walls;
use crate::base::EntityId;
use crate::document::motion::MotionPath;
use crate::document::{Kind, Level};
use crate::geometry::Polygon;
use crate::geometry::polygon::closest_on_segment;
use glam::DVec2;

/// Distance between the bodies that stand for the border of a moving obstacle. Unit: metres.
const SPACING: f64 = 0.5;

/// Radius of these bodies: the border is where they touch. Unit: metres.
const RADIUS: f64 = 0.25;

/// A goal that no agent has: obstacles yield to nobody.
const NO_GOAL: u32 = u32::MAX - 1;

#[derive(Debug, Default)]
pub(super) struct MovingObstacles {
    all: Vec<MovingObstacle>,
    /// Where they are now.
    areas: Vec<Polygon>,
    /// What agents see of them.
    bodies: Vec<Neighbour>,
}

#[derive(Debug)]
struct MovingObstacle {
    path: MotionPath,
    drawn: Polygon,
    centre: DVec2,
}

/// Whether an entity moves by itself.
pub(super) fn is_moving(level: &Level, id: EntityId) -> bool {
    let kind = level.get(id).map(|entity| &entity.kind);
    matches!(kind, Some(Kind::Obstacle(obstacle)) if obstacle.motion.is_some())
}

impl MovingObstacles {
    pub(super) fn new(level: &Level) -> Self {
        let all = level.iter().filter_map(|(id, entity)| {
            let Kind::Obstacle(obstacle) = &entity.kind else {
                return None;
            };
            Some(MovingObstacle {
                path: MotionPath::of(level, id)?,
                drawn: obstacle.area.clone(),
                centre: obstacle.area.centroid(),
            })
        });
        Self {
            all: all.collect(),
            ..Self::default()
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn bodies(&self) -> &[Neighbour] {
        &self.bodies
    }

    /// Moves all to where they are at a time, since the start of the run.
    fn move_to(&mut self, secs: f64) {
        self.areas.clear();
        self.bodies.clear();
        for obstacle in &self.all {
            let (place, direction) = obstacle.path.at(secs).unwrap_or((obstacle.centre, None));
            let by = place - obstacle.centre;
            let area = obstacle.drawn.clone().map(|p| p + by);
            let direction = direction.unwrap_or(DVec2::ZERO);
            let velocity = direction * obstacle.path.speed();
            for (from, to) in area.edges() {
                let count = (from.distance(to) / SPACING).ceil().max(1.0);
                let aside = (to - from).try_normalize().map_or(DVec2::ZERO, DVec2::perp);
                let is_inward = area.contains(from.midpoint(to) + aside * 1e-3);
                let inward = if is_inward { aside } else { -aside };
                self.bodies.extend((0..count as u32).map(|i| Neighbour {
                    position: from.lerp(to, f64::from(i) / count) + inward * RADIUS,
                    velocity,
                    direction,
                    radius: RADIUS,
                    goal: NO_GOAL,
                    ..Neighbour::default()
                }));
            }
            self.areas.push(area);
        }
    }
}

impl World {
    /// Moves obstacles to where they are at this tick, and bodies out of their way.
    pub(super) fn move_obstacles(&mut self) {
        if self.obstacles.is_empty() {
            return;
        }
        let time = self.time();
        self.obstacles.move_to(time);
        let largest = super::largest_radius(&self.scenario);
        self.moving = Walls::around(&self.obstacles.areas, largest);
        for body in &mut self.agents.bodies {
            for area in &self.obstacles.areas {
                let reach = area.bounds().expanded(body.radius);
                if !reach.contains(body.position) {
                    continue;
                }
                let nearest = area
                    .edges()
                    .map(|(from, to)| closest_on_segment(from, to, body.position))
                    .min_by(|a, b| {
                        let far = |p: &DVec2| p.distance_squared(body.position);
                        far(a).total_cmp(&far(b))
                    });
                let Some(nearest) = nearest else { continue };
                let is_inside = area.contains(body.position);
                let offset = body.position - nearest;
                let distance = if is_inside {
                    -offset.length()
                } else {
                    offset.length()
                };
                if distance >= body.radius {
                    continue;
                }
                let away = offset.try_normalize().unwrap_or(DVec2::X);
                let away = if is_inside { -away } else { away };
                let push = away * (body.radius - distance);
                body.position = self.walls.advance(body.position, push, body.radius);
            }
        }
    }
}

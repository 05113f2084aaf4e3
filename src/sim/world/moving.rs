//! Obstacles that move along their paths while a run goes on.
//!
//! To agents they are walls where they are, and a row of bodies that never yield. Agents step out of
//! the way of one that comes, in time, and go round one that is ahead of them.

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

/// A goal that no agent has: obstacles yield to none.
const NO_GOAL: u32 = u32::MAX - 1;

#[derive(Debug, Default)]
pub(super) struct MovingObstacles {
    all: Vec<MovingObstacle>,
    /// Where they are now.
    areas: Vec<Polygon>,
    /// Direction and speed, or zero: of each of `areas`. Unit: m/s.
    velocities: Vec<DVec2>,
    /// What agents see of them.
    bodies: Vec<Neighbour>,
}

/// Distance that agents leave between them and what moves. Unit: metres.
const MARGIN: f64 = 0.15;

/// Time that agents keep to spare when they step aside. Unit: seconds.
const TO_SPARE: f64 = 1.0;

/// Something ahead is gone round that is nearer than this. Unit: metres.
const AHEAD: f64 = 3.0;

/// One that has to step aside is at least so fast. Unit: m/s.
const HURRY: f64 = 1.2;

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

    #[cfg(test)]
    pub(super) fn areas(&self) -> &[Polygon] {
        &self.areas
    }

    pub(super) fn bodies(&self) -> &[Neighbour] {
        &self.bodies
    }

    /// Moves all to where they are at a time, since the start of the run.
    fn move_to(&mut self, secs: f64) {
        self.areas.clear();
        self.velocities.clear();
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
            self.velocities.push(velocity);
        }
    }

    /// Where a body has to go because of what moves near it; `None` if it may go on.
    fn evasion(&self, who: &Walking, walls: [&Walls; 2]) -> Option<DVec2> {
        let all = self.areas.iter().zip(&self.velocities);
        all.filter(|(area, velocity)| {
            let reach = AHEAD + who.radius + velocity.length() * 2.0 * TO_SPARE;
            area.bounds().expanded(reach).contains(who.position)
        })
        .find_map(|(area, velocity)| {
            aside(area, *velocity, who, walls[0]).or_else(|| around(area, who, walls))
        })
    }
}

/// A body that may have to evade.
struct Walking {
    position: DVec2,
    radius: f64,
    /// Where it wants to go: of length 1 or 0.
    direction: DVec2,
    /// Unit: m/s.
    speed: f64,
    /// Unit: metres.
    remaining: f64,
}

/// Out of the track of something that comes, as soon as that is needed to get out in time.
fn aside(area: &Polygon, velocity: DVec2, who: &Walking, walls: &Walls) -> Option<DVec2> {
    let comes = velocity.length();
    let forward = velocity.try_normalize()?;
    let left = forward.perp();
    let extent = |axis: DVec2| {
        let places = area.points().map(|p| (*p - who.position).dot(axis));
        places.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], at| {
            [low.min(at), high.max(at)]
        })
    };
    let [back, front] = extent(forward);
    let [right_edge, left_edge] = extent(left);
    let room = who.radius + MARGIN;
    let is_in_track = right_edge - room < 0.0 && left_edge + room > 0.0;
    // Negative once it has passed.
    if !is_in_track || back > room {
        return None;
    }
    let closing = comes - (who.direction * who.speed).dot(forward);
    let gap = (-front - who.radius).max(0.0);
    let sides = [(left_edge + room, left), ((right_edge - room).abs(), -left)];
    let is_open = |(far, side): &(f64, DVec2)| {
        walls.is_clear(who.position, who.position + *side * *far, who.radius * 0.8)
    };
    let (far, side) = sides
        .into_iter()
        .filter(is_open)
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .unwrap_or((AHEAD, forward));
    let needed = far / who.speed.max(HURRY) + TO_SPARE;
    (gap < closing * needed).then_some(side)
}

/// Past the nearer end of something that is ahead.
fn around(area: &Polygon, who: &Walking, walls: [&Walls; 2]) -> Option<DVec2> {
    let far = AHEAD.min(who.remaining);
    let ahead = who.position + who.direction * far;
    let bounds = area.bounds().expanded(who.radius);
    let is_near = bounds.contains(ahead) || bounds.contains(who.position.midpoint(ahead));
    if who.direction == DVec2::ZERO
        || !is_near && !bounds.expanded(far).contains(who.position)
        || walls[1].is_clear(who.position, ahead, who.radius)
    {
        return None;
    }
    let room = who.radius + MARGIN;
    // Of all corners, those seen farthest to the left and to the right of the direction.
    let side = who.direction.perp();
    let seen = |sign: f64| {
        area.points()
            .filter_map(|p| {
                let offset = *p - who.position;
                let (along, across) = (offset.dot(who.direction), offset.dot(side) * sign);
                // A corner behind is passed already.
                (along > -room).then_some((across / offset.length().max(1e-9), *p))
            })
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, p)| p + side * (sign * room))
    };
    let ways = [seen(1.0), seen(-1.0)].into_iter().flatten();
    let ways = ways.filter(|p| walls[0].is_clear(who.position, *p, who.radius * 0.8));
    let directions = ways.filter_map(|p| (p - who.position).try_normalize());
    directions.max_by(|a, b| a.dot(who.direction).total_cmp(&b.dot(who.direction)))
}

impl World {
    /// Leads agents out of the way of what moves, and round it.
    pub(super) fn step_aside(&mut self) {
        if self.obstacles.is_empty() {
            return;
        }
        for slot in 0..self.agents.len() {
            if self.agents.is_in_space(slot) {
                continue;
            }
            let body = &self.agents.bodies[slot];
            let who = Walking {
                position: body.position,
                radius: body.radius,
                direction: body.direction,
                speed: self.agents.speeds[slot],
                remaining: body.remaining,
            };
            if let Some(direction) = self.obstacles.evasion(&who, [&self.walls, &self.moving]) {
                self.agents.bodies[slot].direction = direction;
                // Those who wait step aside, too.
                let speed = &mut self.agents.speeds[slot];
                *speed = speed.max(HURRY.min(self.agents.max_speeds[slot]));
            }
        }
    }

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

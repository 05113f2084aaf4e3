//! How standing characters push a walking one (paper, §5, and its last paragraph).

use super::motion::TOUCH;
use crate::nav::corridor::Walls;
use glam::DVec2;

/// Share of the safe distance that must be free on a side for it to count as open.
const SPARE: f64 = 0.25;

/// A standing character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Character {
    pub position: DVec2,
    /// Unit: metres.
    pub radius: f64,
}

/// Which characters push, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Avoidance {
    /// All characters in the disc around the attraction point push straight away from them with
    /// c_obs = 1/(d − r_i − r): the experiment of the paper (§5).
    #[default]
    Disc,
    /// Only those in the direction of the attraction point (§5.1, last paragraph).
    InFront,
    /// Characters on the straight line to the attraction point are evaded sideways, with just
    /// enough acceleration to pass in time, so that evasion starts early and gently. (The paper
    /// suggests a "more elaborate approach"; this follows Karamouzas, Heil, van Beek and Overmars
    /// 2009, for standing characters.) Within the safe distance every character pushes like a wall.
    Early,
}

/// The character's position and where it wants to go.
pub(super) struct Situation<'a> {
    pub walls: &'a Walls,
    pub characters: &'a [Character],
    pub position: DVec2,
    pub velocity: DVec2,
    pub attraction_point: DVec2,
    /// Clearance of the attraction point: the paper's R[t].
    pub clearance: f64,
    pub radius: f64,
    pub safe_distance: f64,
    pub speed: f64,
    /// Unit: m/s².
    pub most: f64,
}

impl Situation<'_> {
    fn gap(&self, c: &Character) -> f64 {
        (c.position.distance(self.position) - c.radius - self.radius).max(TOUCH)
    }

    fn direction(&self) -> DVec2 {
        (self.attraction_point - self.position).normalize_or_zero()
    }

    /// F_obs. Unit: m/s².
    pub fn push(&self, avoidance: Avoidance) -> DVec2 {
        let each: &dyn Fn(&Character) -> DVec2 = match avoidance {
            Avoidance::Disc => &|c| self.off_disc(c),
            Avoidance::InFront => &|c| {
                let is_ahead = (c.position - self.position).dot(self.direction()) > 0.0;
                if is_ahead {
                    self.off_disc(c)
                } else {
                    DVec2::ZERO
                }
            },
            Avoidance::Early => &|c| self.as_wall(c) + self.aside(c),
        };
        self.characters.iter().map(each).sum()
    }

    fn away(&self, c: &Character) -> DVec2 {
        (self.position - c.position).normalize_or_zero()
    }

    fn off_disc(&self, c: &Character) -> DVec2 {
        if c.position.distance(self.attraction_point) - c.radius >= self.clearance {
            return DVec2::ZERO;
        }
        self.away(c) * self.gap(c).recip().min(self.most)
    }

    fn as_wall(&self, c: &Character) -> DVec2 {
        let gap = self.gap(c);
        let strength = ((self.safe_distance - gap) / gap).max(0.0);
        self.away(c) * strength.min(self.most)
    }

    /// Sideways, with the constant acceleration that gains the missing room by the time both are
    /// abreast, less the current lateral motion.
    fn aside(&self, c: &Character) -> DVec2 {
        let direction = self.direction();
        let offset = c.position - self.position;
        let ahead = offset.dot(direction);
        let left = direction.perp();
        let off = offset.dot(left);
        let touching = self.radius + c.radius;
        let room = touching + self.safe_distance;
        let reach = self.position.distance(self.attraction_point);
        if ahead <= 0.0 || ahead >= reach || off.abs() >= room {
            return DVec2::ZERO;
        }
        // Away from the obstacle, unless that side alone is blocked.
        let side = if off > 0.0 { -1.0 } else { 1.0 };
        let side = if !self.is_passable(c, left * side) && self.is_passable(c, left * -side) {
            -side
        } else {
            side
        };
        let lacking = room + off * side;
        let secs = ahead.max(touching) / self.speed;
        let moving = (self.velocity.dot(left) * side).max(0.0);
        let strength = 2.0 * (lacking - moving * secs) / (secs * secs);
        left * (side * strength.max(0.0))
    }

    /// Whether the character fits between an obstacle and the wall on that side, with a margin.
    fn is_passable(&self, c: &Character, to: DVec2) -> bool {
        let needed = self.radius + SPARE * self.safe_distance;
        let beside = c.position + to * (c.radius + needed);
        let is_open = self.walls.clearance(beside);
        is_open.is_some_and(|open| open >= needed)
            && self
                .characters
                .iter()
                .all(|other| other == c || other.position.distance(beside) >= other.radius + needed)
    }
}

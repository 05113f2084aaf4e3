//! Where obstacles and solids are that move.

use super::model::{Kind, Level, Motion, Obstacle, Repeat, Solid};
use super::route_line::route_line;
use crate::base::EntityId;
use crate::geometry::curve::Polyline;
use glam::DVec2;

/// Farther than this from the first point of its path, an object first goes there. Unit: metres.
const AT_START: f64 = 0.01;

/// The line that the centre of something follows, with times.
#[derive(Clone, Debug)]
pub struct MotionPath {
    line: Polyline,
    speed: f64,
    repeat: Repeat,
}

impl MotionPath {
    /// `None` for what does not exist or does not move.
    #[must_use]
    pub fn of(level: &Level, id: EntityId) -> Option<Self> {
        let (motion, centre) = match &level.get(id)?.kind {
            Kind::Obstacle(Obstacle { motion, area, .. }) => (motion.as_ref()?, area.centroid()),
            Kind::Solid(Solid {
                motion, position, ..
            }) => (motion.as_ref()?, position.truncate()),
            _ => return None,
        };
        let points = motion_points(level, motion, centre);
        Some(Self {
            line: match motion.repeat {
                Repeat::Loop => Polyline::closed(&points),
                Repeat::Once | Repeat::BackAndForth => Polyline::new(points),
            },
            speed: motion.speed,
            repeat: motion.repeat,
        })
    }

    /// Unit: m/s.
    #[must_use]
    pub const fn speed(&self) -> f64 {
        self.speed
    }

    /// The place of the centre after some time, and the direction of travel while it moves.
    #[must_use]
    pub fn at(&self, seconds: f64) -> Option<(DVec2, Option<DVec2>)> {
        let length = self.line.length();
        let travelled = (seconds * self.speed).max(0.0);
        let (along, turn) = match self.repeat {
            _ if length <= 0.0 => (0.0, 0.0),
            Repeat::Once if travelled >= length => (length, 0.0),
            Repeat::Once => (travelled, 1.0),
            Repeat::Loop => (travelled.rem_euclid(length), 1.0),
            Repeat::BackAndForth => {
                let phase = travelled.rem_euclid(2.0 * length);
                if phase <= length {
                    (phase, 1.0)
                } else {
                    (2.0 * length - phase, -1.0)
                }
            }
        };
        let place = self.line.point_at(along)?;
        let direction = self.line.direction_at(along).filter(|_| turn != 0.0);
        Some((place, direction.map(|direction| direction * turn)))
    }
}

/// The points that a centre passes: from where it is drawn along its path or route.
#[must_use]
pub fn motion_points(level: &Level, motion: &Motion, centre: DVec2) -> Vec<DVec2> {
    let route = motion.route.and_then(|id| match &level.get(id)?.kind {
        Kind::Route(route) => Some(route_line(route).points().to_vec()),
        _ => None,
    });
    let mut points = route.unwrap_or_else(|| motion.path.clone());
    let is_there = |first: &DVec2| first.distance(centre) <= AT_START;
    if !points.first().is_some_and(is_there) {
        points.insert(0, centre);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Edit, Entity, Route, RouteShape, SolidShape, ops};
    use glam::DVec3;

    fn cart(repeat: Repeat) -> Level {
        let line = vec![DVec2::ZERO, DVec2::new(10.0, 0.0), DVec2::new(10.0, 10.0)];
        let mut cart = Solid::new(SolidShape::Box, DVec3::ZERO, DVec3::ONE);
        cart.motion = Some(Motion {
            path: Vec::new(),
            route: Some(EntityId::new(1)),
            speed: 2.0,
            repeat,
        });
        let route = Kind::Route(Route::new(RouteShape::Polyline(line)));
        let edits = [
            Edit::create(EntityId::new(1), Entity::new("Lane", route)),
            Edit::create(EntityId::new(2), Entity::new("Cart", Kind::Solid(cart))),
        ];
        ops::apply(&Level::default(), &edits).expect("valid")
    }

    fn place(repeat: Repeat, seconds: f64) -> (f64, f64) {
        let path = MotionPath::of(&cart(repeat), EntityId::new(2)).expect("moves");
        let (place, _) = path.at(seconds).expect("has a place");
        (place.x, place.y)
    }

    #[test]
    fn a_cart_follows_its_route_and_ends_as_it_is_told() {
        assert_eq!(place(Repeat::Once, 2.5), (5.0, 0.0));
        assert_eq!(place(Repeat::Once, 99.0), (10.0, 10.0));
        assert_eq!(place(Repeat::BackAndForth, 11.0), (10.0, 8.0));
        assert_eq!(place(Repeat::BackAndForth, 20.0), (0.0, 0.0));
        let back = 20.0 + 200.0_f64.sqrt();
        let (x, y) = place(Repeat::Loop, back / 2.0 + 1.0);
        assert!((x - 2.0).abs() < 1e-9 && y.abs() < 1e-9);
    }

    #[test]
    fn it_faces_where_it_goes_and_nothing_else_moves() {
        let level = cart(Repeat::BackAndForth);
        let path = MotionPath::of(&level, EntityId::new(2)).expect("moves");
        let direction = |seconds| path.at(seconds).and_then(|at| at.1).expect("moves");
        assert_eq!(direction(1.0), DVec2::X);
        assert_eq!(direction(11.0), DVec2::NEG_Y);
        assert!(MotionPath::of(&level, EntityId::new(1)).is_none());
        assert!(MotionPath::of(&level, EntityId::new(9)).is_none());
    }
}

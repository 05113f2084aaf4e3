//! Obstacles: polygons extruded upwards.

use super::{
    check::{self, Checked},
    heading::Heading,
    limits,
};
use crate::base::EntityId;
use crate::geometry::Polygon;
use glam::DVec2;

#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    pub area: Polygon,
    /// Height of its underside above the ground. Unit: metres.
    pub base: f64,
    /// From its underside to its top. Unit: metres.
    pub height: f64,
    /// Direction of its front, for annotations such as *in front of*.
    pub facing: Heading,
    /// How it moves during a simulation.
    pub motion: Option<Motion>,
}

impl Obstacle {
    #[must_use]
    pub fn new(area: Polygon) -> Self {
        Self {
            area,
            base: 0.0,
            height: limits::OBSTACLE_HEIGHT.default,
            facing: Heading::default(),
            motion: None,
        }
    }

    pub(super) fn check(&self) -> Checked {
        check::polygon(&self.area)?;
        check::quantity(&limits::ELEVATION, self.base)?;
        check::quantity(&limits::OBSTACLE_HEIGHT, self.height)?;
        self.facing.check()?;
        self.motion.as_ref().map_or(Ok(()), Motion::check)
    }
}

/// How the centre of an obstacle or a solid moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// Followed unless a route is given; may then be empty.
    pub path: Vec<DVec2>,
    /// The route to follow, from its first point to its last.
    pub route: Option<EntityId>,
    pub speed: f64,
    pub repeat: Repeat,
}

/// What happens at the end of a list of waypoints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Repeat {
    /// Stop at the last one.
    #[default]
    Once,
    /// Continue at the first one.
    Loop,
    /// Return in reverse order.
    BackAndForth,
}

impl Repeat {
    pub const ALL: [Self; 3] = [Self::Once, Self::Loop, Self::BackAndForth];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Once => "Once",
            Self::Loop => "Loop",
            Self::BackAndForth => "Back and forth",
        }
    }
}

impl Motion {
    pub(super) fn check(&self) -> Checked {
        let at_least = usize::from(self.route.is_none());
        check::points(&self.path, at_least, "the path of motion")?;
        check::quantity(&limits::SPEED, self.speed)
    }
}

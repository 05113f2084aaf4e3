//! Units and limits of every quantity of the model, and limits on counts and texts.
//!
//! Checked on load and on every edit (see [`Entity::check`](super::Entity::check)), shown by the
//! inspector, quoted in error messages.

use crate::base::{Quantity, Unit};
use crate::geometry::MAX_COORDINATE;

pub const COORDINATE: Quantity = Quantity::new(
    "coordinate",
    Unit::Metre,
    -MAX_COORDINATE,
    MAX_COORDINATE,
    0.0,
);
pub const ELEVATION: Quantity = Quantity::new("elevation", Unit::Metre, -10_000.0, 10_000.0, 0.0);
pub const OBSTACLE_HEIGHT: Quantity = Quantity::new("height", Unit::Metre, 0.01, 10_000.0, 3.0);
pub const WALL_THICKNESS: Quantity = Quantity::new("thickness", Unit::Metre, 0.01, 100.0, 0.2);
pub const SOLID_SIZE: Quantity = Quantity::new("size", Unit::Metre, 0.001, 100_000.0, 1.0);
pub const STAIR_STEPS: Quantity = Quantity::new("steps", Unit::One, 1.0, 10_000.0, 10.0);
pub const OPENING_WIDTH: Quantity =
    Quantity::new("opening's width", Unit::Metre, 0.001, 100_000.0, 1.2);
pub const OPENING_HEIGHT: Quantity =
    Quantity::new("opening's height", Unit::Metre, 0.001, 100_000.0, 2.1);
pub const DECK_THICKNESS: Quantity =
    Quantity::new("deck's thickness", Unit::Metre, 0.001, 100_000.0, 0.2);
pub const POST_THICKNESS: Quantity =
    Quantity::new("posts' thickness", Unit::Metre, 0.0, 100_000.0, 0.2);
pub const HEADING: Quantity = Quantity::new("angle", Unit::Degree, -360.0, 360.0, 0.0);

pub const GRID_SPACING: Quantity = Quantity::new("grid spacing", Unit::Metre, 0.01, 10_000.0, 1.0);
pub const POST_SPACING: Quantity =
    Quantity::new("distance between posts", Unit::Metre, 0.01, 10_000.0, 1.0);
pub const TIME_OF_DAY: Quantity = Quantity::new("time of day", Unit::Hour, 0.0, 24.0, 12.0);
pub const CLOCK_SPEED: Quantity = Quantity::new("clock speed", Unit::One, 0.0, 100_000.0, 1.0);

pub const RADIUS: Quantity = Quantity::new("radius", Unit::Metre, 0.01, 100.0, 0.3);
pub const BODY_HEIGHT: Quantity = Quantity::new("body height", Unit::Metre, 0.05, 100.0, 1.8);
pub const BENT_HEIGHT: Quantity = Quantity::new("bent height", Unit::Metre, 0.05, 100.0, 1.3);
pub const JUMP: Quantity = Quantity::new("jump", Unit::Metre, 0.0, 100.0, 0.5);
pub const FOOT_SPAN: Quantity = Quantity::new("horizontal foot span", Unit::Metre, 0.0, 100.0, 0.7);
pub const STEP_HEIGHT: Quantity =
    Quantity::new("vertical foot span", Unit::Metre, 0.0, 100.0, 0.25);
pub const SPEED: Quantity = Quantity::new("speed", Unit::MetrePerSecond, 0.01, 100.0, 1.4);
pub const MAX_SPEED: Quantity = Quantity::new("top speed", Unit::MetrePerSecond, 0.01, 200.0, 2.0);
pub const ACCELERATION: Quantity = Quantity::new(
    "acceleration",
    Unit::MetrePerSecondSquared,
    0.01,
    1_000.0,
    5.0,
);
pub const TERRAIN_WEIGHT: Quantity =
    Quantity::new("terrain weight", Unit::One, 0.001, 1_000_000.0, 1.0);

pub const CONSTRAINT_WEIGHT: Quantity =
    Quantity::new("constraint weight", Unit::One, -1_000.0, 1_000.0, 1.0);
pub const STATE_SPACING: Quantity =
    Quantity::new("distance between states", Unit::Metre, 0.01, 1_000.0, 0.5);
pub const EPSILON: Quantity = Quantity::new("first ε", Unit::One, 1.0, 100.0, 2.5);
pub const EXPANSIONS: Quantity = Quantity::new(
    "expansions per step",
    Unit::One,
    1.0,
    100_000_000.0,
    1_000.0,
);
/// The personal distance of Hall's proxemics, 1.2 m, in front; half of it behind.
pub const PERSONAL_DISTANCE: Quantity =
    Quantity::new("personal distance", Unit::Metre, 0.01, 1_000.0, 1.2);
/// Range of a line of sight.
pub const SIGHT: Quantity = Quantity::new("range", Unit::Metre, 0.01, 100_000.0, 20.0);
pub const REACH: Quantity = Quantity::new("reach", Unit::Metre, 0.01, 100_000.0, 5.0);
pub const VIEW_ANGLE: Quantity = Quantity::new("view angle", Unit::Degree, 1.0, 360.0, 90.0);
pub const LOOK_AHEAD: Quantity = Quantity::new("look-ahead σ", Unit::Metre, 0.01, 1e6, 40.0);
pub const SAMPLE_STEP: Quantity = Quantity::new("sample distance d", Unit::Metre, 0.01, 1e6, 10.0);
pub const SMOOTHING: Quantity =
    Quantity::new("freehand tolerance", Unit::Metre, 0.0, 1_000.0, 0.25);
pub const CROWD_COUNT: Quantity =
    Quantity::new("number of agents", Unit::One, 1.0, 100_000.0, 20.0);
pub const SPAWN_RATE: Quantity = Quantity::new("spawn rate", Unit::PerSecond, 0.001, 10_000.0, 1.0);
pub const SPEED_DEVIATION: Quantity =
    Quantity::new("deviation of speeds", Unit::MetrePerSecond, 0.0, 10.0, 0.26);
pub const DELAY: Quantity = Quantity::new("delay", Unit::Second, 0.0, 86_400.0, 10.0);
pub const LOG_DELAY: Quantity = Quantity::new("logarithm of the delay", Unit::One, 0.0, 12.0, 1.0);
pub const DELAY_SHAPE: Quantity = Quantity::new("shape", Unit::One, 0.1, 100.0, 1.2);
pub const GROUP_SIZE: Quantity = Quantity::new("group size", Unit::One, 1.0, 100.0, 2.0);
pub const GROUP_SHARE: Quantity = Quantity::new("share of groups", Unit::One, 0.0, 1e6, 1.0);
pub const ARRIVAL: Quantity = Quantity::new("time of arrival", Unit::Second, 0.0, 86_400.0, 60.0);
pub const ALIGHTING: Quantity = Quantity::new("time to alight", Unit::Second, 0.0, 86_400.0, 20.0);
pub const WAITING: Quantity = Quantity::new("waiting time", Unit::Second, 0.0, 86_400.0, 30.0);
pub const SERVICE: Quantity = Quantity::new("service time", Unit::Second, 0.0, 86_400.0, 20.0);
pub const QUEUE_SPACING: Quantity =
    Quantity::new("distance in the line", Unit::Metre, 0.1, 100.0, 0.65);
pub const DOOR_HEIGHT: Quantity = Quantity::new("door's height", Unit::Metre, 0.1, 1_000.0, 2.1);
pub const DOOR_FLOW: Quantity =
    Quantity::new("agents per second", Unit::PerSecond, 0.001, 10_000.0, 1.5);
pub const LINK_COST: Quantity = Quantity::new("cost of the link", Unit::One, 0.0, 1e9, 1.0);
pub const LINK_TIME: Quantity =
    Quantity::new("time for the link", Unit::Second, 0.0, 86_400.0, 5.0);
/// The default is that of [`crate::sim::STEP`].
pub const SIMULATION_STEP: Quantity =
    Quantity::new("simulation step", Unit::Second, 0.001, 1.0, 0.05);
pub const SIMULATION_DURATION: Quantity =
    Quantity::new("longest run", Unit::Second, 0.1, 604_800.0, 3_600.0);
pub const EVACUATION: Quantity = Quantity::new(
    "time until all are out",
    Unit::Second,
    0.1,
    604_800.0,
    180.0,
);
pub const DENSITY: Quantity = Quantity::new("density", Unit::PerSquareMetre, 0.01, 100.0, 4.0);
pub const PATH_LENGTH: Quantity = Quantity::new("path length", Unit::Metre, 0.0, 1e9, 100.0);
pub const PATH_COST: Quantity = Quantity::new("path cost", Unit::One, 0.0, 1e12, 100.0);
pub const SAFE_DISTANCE: Quantity = Quantity::new("safe distance", Unit::Metre, 0.0, 1_000.0, 0.5);
pub const CLEARANCE: Quantity = Quantity::new("clearance", Unit::Metre, 0.0, 1e6, 0.5);

pub const MAX_ENTITIES: usize = 250_000;
pub const MAX_RING_POINTS: usize = 1_000_000;
/// Corners of one wall.
pub const MAX_WALL_POINTS: usize = 1_000;
/// Doors that one wall is cut open for.
pub const MAX_WALL_OPENINGS: usize = 1_000;
pub const MAX_HOLES: usize = 100_000;
pub const MAX_POSTS: usize = 2_097_152;
pub const MAX_GOALS: usize = 10_000;
pub const MAX_CONSTRAINTS: usize = 1_000;
/// Changes of a door: one per quarter of an hour.
pub const MAX_DOOR_CHANGES: usize = 96;
/// Profiles that one door or link names.
pub const MAX_PROFILES: usize = 1_000;
/// Sizes of groups of one crowd.
pub const MAX_GROUP_SIZES: usize = 100;
/// Arrivals of one crowd: one per minute of a day.
pub const MAX_ARRIVALS: usize = 1_440;
/// Hours with a weight of their own: one per quarter of an hour.
pub const MAX_WEIGHT_HOURS: usize = 96;
/// Names and tags. Unit: characters.
pub const MAX_NAME: usize = 200;
/// Notes. Unit: characters.
pub const MAX_TEXT: usize = 100_000;
pub const MAX_TAGS: usize = 64;

//! Version 2 of the level file: the file's structure, independent of the model.
//!
//! Since version 1: constraints on areas relative to objects, with weights by the hour and combined
//! conditions; goals of that form and patrols; personal space; options of the constraint-aware
//! planner; solids that move, and motion along routes; walls, doors, links, exits, waiting areas, queues,
//! measurements, groups and timetables of crowds, settings and tests of simulations. What is not
//! listed here is as in version 1.
//!
//! Frozen once it is released. Until then: a field that is added has a default and is omitted when
//! it has it; a type of version 1 that changes is first copied here, with a `From` in `v1_to_v2`.

use super::fields::{at_most, is_default, is_false, is_zero, is_zero_place};
pub use super::v1::{
    Action, Attraction, Body, Cells, Clock, Control, Ground, Id, Note, Pace, Pattern, Place,
    Planner, PlannerName, Point, Polygon, Profile, Region, Repeat, Route, RouteShape, Snap,
    SolidShape, Terrain, Walk,
};
pub use super::v2_crowds::{
    Arrival, Door, DoorChange, DoorState, Exit, Link, LinkAction, LinkPace, MeasuringArea,
    MeasuringLine, Queue, RunExpectation, Simulation, Swing, Wait, WaitingArea,
};
use crate::document::model::limits::{
    EPSILON, EXPANSIONS, MAX_ARRIVALS, MAX_CONSTRAINTS, MAX_ENTITIES, MAX_GOALS, MAX_GROUP_SIZES,
    MAX_POSTS, MAX_RING_POINTS, MAX_WALL_POINTS, MAX_WEIGHT_HOURS,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename = "Wayloom", deny_unknown_fields)]
pub struct File {
    pub version: u32,
    /// The next free id; lower ids are never assigned again.
    pub next_id: Id,
    pub settings: Settings,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground: Option<Ground>,
    /// From bottom to top.
    #[serde(deserialize_with = "at_most::<MAX_ENTITIES, _, _>")]
    pub entities: Vec<Entity>,
}

/// Entities on the clipboard.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename = "WayloomClip", deny_unknown_fields)]
pub struct Clip {
    pub version: u32,
    #[serde(deserialize_with = "at_most::<MAX_ENTITIES, _, _>")]
    pub entities: Vec<Entity>,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Entity {
    pub id: Id,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<Id>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<Id>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub hidden: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub locked: bool,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub tags: BTreeSet<String>,
    /// Boxed to keep files of many small entities small in memory.
    pub kind: Box<Kind>,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub enum Kind {
    Terrain(Terrain),
    Profile(Profile),
    Flag(bool),
    Layer,
    Group,
    Region(Region),
    Obstacle(Obstacle),
    Wall(Wall),
    Solid(Solid),
    Route(Route),
    Area(Polygon),
    Relation(Relation),
    Agent(Agent),
    Crowd(Crowd),
    Door(Door),
    Link(Link),
    Exit(Exit),
    WaitingArea(WaitingArea),
    Queue(Queue),
    MeasuringLine(MeasuringLine),
    MeasuringArea(MeasuringArea),
    Note(Note),
    Test(Test),
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Obstacle {
    pub area: Polygon,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub base: f64,
    pub height: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub facing: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Wall {
    #[serde(deserialize_with = "at_most::<MAX_WALL_POINTS, _, _>")]
    pub line: Vec<Point>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub closed: bool,
    pub thickness: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub base: f64,
    pub height: f64,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Motion {
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "at_most::<MAX_RING_POINTS, _, _>"
    )]
    pub path: Vec<Point>,
    /// The route to follow instead of the path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<Id>,
    pub speed: f64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub repeat: Repeat,
}

/// Rotation: yaw, pitch, roll.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Solid {
    pub shape: SolidShape,
    pub position: Place,
    #[serde(default, skip_serializing_if = "is_zero_place")]
    pub rotation: Place,
    pub size: Place,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    pub object: Id,
    pub relation: RelationShape,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub enum RelationShape {
    Front { reach: f64 },
    Back { reach: f64 },
    Left { reach: f64 },
    Right { reach: f64 },
    Around { reach: f64 },
    Between { other: Id },
    LineOfSight { range: f64, angle: f64 },
    Along { reach: f64 },
    PersonalSpace { front: f64, back: f64 },
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Mission {
    pub profile: Id,
    #[serde(default, skip_serializing_if = "is_default")]
    pub planner: Planner,
    #[serde(default, skip_serializing_if = "is_default")]
    pub walk: Walk,
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "at_most::<MAX_GOALS, _, _>"
    )]
    pub goals: Vec<Goal>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub repeat: Repeat,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<Id>,
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "at_most::<MAX_CONSTRAINTS, _, _>"
    )]
    pub constraints: Vec<Constraint>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub constraint_options: ConstraintOptions,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
pub enum Goal {
    At(f64, f64, f64),
    Inside(Target),
    Patrol(Target),
    NearestExit,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
pub enum Target {
    Entity(Id),
    Relation(Relation),
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    pub rule: Rule,
    pub target: Target,
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: When,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub enum Rule {
    In { weight: Weight },
    Near { weight: Weight },
    NotIn,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub enum Weight {
    Constant(f64),
    /// Pairs of hour and weight.
    ByHour(#[serde(deserialize_with = "at_most::<MAX_WEIGHT_HOURS, _, _>")] Vec<(f64, f64)>),
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// From and until.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hours: Option<(f64, f64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flag: Option<FlagIs>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
pub enum FlagIs {
    Set(Id),
    Unset(Id),
}

/// Options of the constraint-aware planner.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ConstraintOptions {
    #[serde(default, skip_serializing_if = "is_default")]
    pub domain: ConstraintDomain,
    #[serde(default, skip_serializing_if = "is_default")]
    pub search: ConstraintSearch,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spacing: Option<f64>,
    #[serde(default = "epsilon", skip_serializing_if = "is_first_epsilon")]
    pub epsilon: f64,
    #[serde(default = "expansions", skip_serializing_if = "is_usual_step")]
    pub expansions: u32,
}

impl Default for ConstraintOptions {
    fn default() -> Self {
        Self {
            domain: ConstraintDomain::default(),
            search: ConstraintSearch::default(),
            spacing: None,
            epsilon: epsilon(),
            expansions: expansions(),
        }
    }
}

const fn epsilon() -> f64 {
    EPSILON.default
}

const fn expansions() -> u32 {
    EXPANSIONS.default as u32
}

fn is_first_epsilon(value: &f64) -> bool {
    *value == epsilon()
}

const fn is_usual_step(value: &u32) -> bool {
    *value == expansions()
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub enum ConstraintDomain {
    Triangles,
    Dense,
    Hybrid,
    Adaptive,
    #[default]
    Graded,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub enum ConstraintSearch {
    AStar,
    AraStar,
    #[default]
    AdStar,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    pub start: Place,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub heading: f64,
    pub mission: Mission,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Crowd {
    pub area: Polygon,
    pub count: u32,
    /// Agents per second; all at once if omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_second: Option<f64>,
    /// Batches that appear instead of the count.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "at_most::<MAX_ARRIVALS, _, _>"
    )]
    pub timetable: Vec<Arrival>,
    /// Pairs of a size and its share; everyone walks alone if omitted.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "at_most::<MAX_GROUP_SIZES, _, _>"
    )]
    pub groups: Vec<(u32, f64)>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub speed_deviation: f64,
    /// Everyone sets out at once if omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<Delay>,
    pub mission: Mission,
}

/// How long the agents of a crowd wait before they set out. Unit: seconds.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub enum Delay {
    Constant(f64),
    Uniform { from: f64, to: f64 },
    Normal { mean: f64, deviation: f64 },
    LogNormal { mean: f64, deviation: f64 },
    Gamma { shape: f64, scale: f64 },
    Weibull { shape: f64, scale: f64 },
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
    pub bounds: (Point, Point),
    pub grid: f64,
    #[serde(default, skip_serializing_if = "is_false")]
    pub grid_hidden: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub no_ground: bool,
    pub snap: BTreeSet<Snap>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_terrain: Option<Id>,
    pub clock: Clock,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<Cells>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub cell_rules: CellRules,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbidding: Vec<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub simulation: Simulation,
}

/// How bodies use voxels; what is left out is as usual.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct CellRules {
    /// Without diagonal moves.
    #[serde(default, skip_serializing_if = "is_false")]
    pub four_neighbours: bool,
    /// Corners are not tested for the border.
    #[serde(default, skip_serializing_if = "is_false")]
    pub four_border_sides: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub border_layers: Option<u8>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub support: f64,
    /// A diagonal move is as long as a straight one.
    #[serde(default, skip_serializing_if = "is_false")]
    pub count_cells: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub smoothing: Smoothing,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub enum Smoothing {
    None,
    Junctions,
    Full,
    #[default]
    Taut,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Test {
    pub query: Query,
    #[serde(default, skip_serializing_if = "is_false")]
    pub unreachable: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_clearance: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub never_in: Vec<Id>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub run: RunExpectation,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub enum Query {
    /// A run of all agents and crowds.
    Run,
    Agent(Id),
    Between {
        from: Place,
        to: Place,
        profile: Id,
        #[serde(default, skip_serializing_if = "is_default")]
        planner: Planner,
    },
}

/// A step as recorded in the journal.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub enum Step {
    Commit {
        label: String,
        #[serde(default, skip_serializing_if = "is_false")]
        merged: bool,
        edits: Vec<Edit>,
    },
    Undo,
    Redo,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub enum Edit {
    Create(Entity),
    /// Created at an index in the order, counted from the bottom.
    CreateAt(u64, Entity),
    Replace(Entity),
    Delete(Id),
    Reorder(Id, u64),
    Settings(Settings),
    Ground(Ground),
    NoGround,
    /// Rows of new heights; `column` and `row` locate the lower left post.
    Heights {
        column: u64,
        row: u64,
        #[serde(deserialize_with = "at_most::<MAX_POSTS, _, _>")]
        rows: Vec<Vec<f64>>,
    },
}

//! Version 1 of the level file, frozen: the file's structure, independent of the model.
//!
//! Defaults are omitted, so that files stay short and a changed value is a changed line. Points are
//! pairs, colours `"#rrggbb"`, angles degrees, references ids.

use super::fields::{at_most, colour, is_default, is_false, is_zero, is_zero_place};
use crate::base::Colour;
use crate::document::model::PlannerId;
use crate::document::model::limits::{
    MAX_ENTITIES, MAX_GOALS, MAX_HOLES, MAX_POSTS, MAX_RING_POINTS,
};
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};

pub type Point = (f64, f64);
pub type Place = (f64, f64, f64);
pub type Id = u64;

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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbidding: Vec<String>,
}

/// Cell size, or number of cells along x, y and z.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
pub enum Cells {
    Sides { cell: f64, layer: f64 },
    Count(u32, u32, u32),
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
pub enum Snap {
    Grid,
    Vertices,
    Edges,
    Axes,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    pub start: f64,
    pub speed: f64,
}

/// Heights row by row from the lower left.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Ground {
    pub origin: Point,
    pub spacing: f64,
    #[serde(deserialize_with = "at_most::<MAX_POSTS, _, _>")]
    pub rows: Vec<Vec<f64>>,
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
    Solid(Solid),
    Route(Route),
    Area(Polygon),
    Relation(Relation),
    Agent(Agent),
    Crowd(Crowd),
    Note(Note),
    Test(Test),
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Polygon {
    #[serde(deserialize_with = "at_most::<MAX_RING_POINTS, _, _>")]
    pub outer: Vec<Point>,
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "at_most::<MAX_HOLES, _, _>"
    )]
    pub holes: Vec<Vec<Point>>,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Terrain {
    #[serde(with = "colour")]
    pub colour: Colour,
    #[serde(default, skip_serializing_if = "is_default")]
    pub pattern: Pattern,
    pub weight: f64,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub enum Pattern {
    #[default]
    Plain,
    Dots,
    Hatch,
    CrossHatch,
    Waves,
    Tufts,
    Bricks,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Region {
    pub terrain: Id,
    pub area: Polygon,
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
pub struct Motion {
    #[serde(deserialize_with = "at_most::<MAX_RING_POINTS, _, _>")]
    pub path: Vec<Point>,
    pub speed: f64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub repeat: Repeat,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub enum Repeat {
    #[default]
    Once,
    Loop,
    BackAndForth,
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
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub enum SolidShape {
    Box,
    Ramp,
    Stairs {
        steps: u32,
    },
    Cylinder,
    Arch {
        /// Width and height.
        opening: (f64, f64),
        #[serde(default, skip_serializing_if = "is_false")]
        round: bool,
    },
    Platform {
        thickness: f64,
        #[serde(default, skip_serializing_if = "is_zero")]
        posts: f64,
    },
    Mesh {
        file: String,
        #[serde(default, skip_serializing_if = "is_false")]
        z_up: bool,
        /// Lower and upper corner, in the file's units.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        frame: Option<(Place, Place)>,
    },
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Route {
    pub shape: RouteShape,
    #[serde(default, skip_serializing_if = "is_false")]
    pub closed: bool,
    pub look_ahead: f64,
    pub sample_step: f64,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub enum RouteShape {
    Polyline(Vec<Point>),
    Freehand {
        stroke: Vec<Point>,
        tolerance: f64,
    },
    /// Each knot: its point, the handle before it, the handle after it.
    Bezier(Vec<(Point, Point, Point)>),
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Constraint>,
}

/// Corridor-following options.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Walk {
    #[serde(default, skip_serializing_if = "is_default")]
    pub attraction: Attraction,
    #[serde(default, skip_serializing_if = "is_default")]
    pub control: Control,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub safe_distance: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub enum Attraction {
    Disc,
    Speed,
    Distance,
    #[default]
    Visibility,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub enum Control {
    Axis,
    #[default]
    Shortcuts,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub enum Planner {
    #[default]
    Portal,
    Optimal,
    CorridorOriginal,
    Corridor,
    Irm,
    Miran,
    Constraint,
    Human,
    /// A planner that was added to the program; no file of Wayloom's own has one.
    Named(PlannerName),
}

/// The name of a planner that this program knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannerName(pub PlannerId);

impl Serialize for PlannerName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl<'de> Deserialize<'de> for PlannerName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        PlannerId::named(&name).map(Self).ok_or_else(|| {
            let unknown = format!("there is no planner called \"{name}\" in this program");
            D::Error::custom(unknown)
        })
    }
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
pub enum Goal {
    At(f64, f64, f64),
    Inside(Id),
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    pub rule: Rule,
    pub target: Id,
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: When,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub enum Rule {
    In { weight: f64 },
    Near { weight: f64 },
    NotIn,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub enum When {
    #[default]
    Always,
    Flag(Id),
    Between {
        from: f64,
        until: f64,
    },
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
    pub mission: Mission,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    #[serde(with = "colour")]
    pub colour: Colour,
    pub body: Body,
    pub pace: Pace,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub terrain_weights: BTreeMap<Id, f64>,
    pub action_priority: [Action; 5],
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Body {
    pub radius: f64,
    pub height: f64,
    pub bent_height: f64,
    pub jump: f64,
    pub foot_span: f64,
    pub step_height: f64,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    pub speed: f64,
    pub max_speed: f64,
    pub acceleration: f64,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub enum Action {
    Walk,
    StepUp,
    StepDown,
    Bend,
    Jump,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Note {
    pub at: Point,
    pub text: String,
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
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub enum Query {
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

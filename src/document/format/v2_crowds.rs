//! Version 2 of the level file: doors, links, and what simulations need.

use super::fields::{at_most, is_default, is_false, is_zero};
use super::v2::{Delay, FlagIs, Id, Place, Point, Polygon, When};
use crate::document::model::limits::{
    DOOR_HEIGHT, MAX_CONSTRAINTS, MAX_DOOR_CHANGES, MAX_PROFILES, MAX_RING_POINTS, QUEUE_SPACING,
    SIMULATION_DURATION, SIMULATION_STEP,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Door {
    /// The jambs.
    pub from: Point,
    pub to: Point,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub base: f64,
    #[serde(default = "door_height", skip_serializing_if = "is_door_height")]
    pub height: f64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub state: DoorState,
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "at_most::<MAX_DOOR_CHANGES, _, _>"
    )]
    pub changes: Vec<DoorChange>,
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "at_most::<MAX_PROFILES, _, _>"
    )]
    pub locked_for: Vec<Id>,
    /// Agents per second; unlimited if omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<f64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub swing: Swing,
    /// The wall in which it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall: Option<Id>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub enum DoorState {
    #[default]
    Open,
    Shut,
    Locked,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct DoorChange {
    pub to: DoorState,
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: When,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub enum Swing {
    #[default]
    Left,
    Right,
    Double,
    Sliding,
    None,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Link {
    pub action: LinkAction,
    pub from: Place,
    pub to: Place,
    #[serde(default, skip_serializing_if = "is_false")]
    pub one_way: bool,
    /// Its length if omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub pace: LinkPace,
    /// All profiles if omitted.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "at_most::<MAX_PROFILES, _, _>"
    )]
    pub profiles: Vec<Id>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub animation: String,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub enum LinkAction {
    Jump,
    Ladder,
    Drop,
    Lift,
    Teleport,
    Door,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq)]
pub enum LinkPace {
    #[default]
    Profile,
    Speed(f64),
    Time(f64),
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Exit {
    pub area: Polygon,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub base: f64,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct WaitingArea {
    pub area: Polygon,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub base: f64,
    pub wait: Wait,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
pub enum Wait {
    For(Delay),
    UntilHour(f64),
    Until(FlagIs),
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Queue {
    /// From the counter backwards.
    #[serde(deserialize_with = "at_most::<MAX_RING_POINTS, _, _>")]
    pub line: Vec<Point>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub base: f64,
    #[serde(default = "queue_spacing", skip_serializing_if = "is_queue_spacing")]
    pub spacing: f64,
    pub service: Delay,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct MeasuringLine {
    pub from: Point,
    pub to: Point,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub base: f64,
}

#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct MeasuringArea {
    pub area: Polygon,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub base: f64,
}

/// One batch of a crowd. Unit of times: seconds.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Arrival {
    pub at: f64,
    pub count: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub over: f64,
}

/// How a level is simulated. Unit of times: seconds.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Simulation {
    #[serde(default, skip_serializing_if = "is_default")]
    pub seed: u64,
    #[serde(default = "step", skip_serializing_if = "is_step")]
    pub step: f64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub model: String,
    #[serde(default = "duration", skip_serializing_if = "is_duration")]
    pub duration: f64,
}

impl Default for Simulation {
    fn default() -> Self {
        Self {
            seed: 0,
            step: step(),
            model: String::new(),
            duration: duration(),
        }
    }
}

/// What a test expects of a run.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct RunExpectation {
    /// Unit: seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_out_within: Option<f64>,
    /// Pairs of a measuring area and a density. Unit: 1/m².
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "at_most::<MAX_CONSTRAINTS, _, _>"
    )]
    pub max_density: Vec<(Id, f64)>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub none_stuck: bool,
}

const fn door_height() -> f64 {
    DOOR_HEIGHT.default
}

fn is_door_height(value: &f64) -> bool {
    *value == door_height()
}

const fn queue_spacing() -> f64 {
    QUEUE_SPACING.default
}

fn is_queue_spacing(value: &f64) -> bool {
    *value == queue_spacing()
}

const fn step() -> f64 {
    SIMULATION_STEP.default
}

fn is_step(value: &f64) -> bool {
    *value == step()
}

const fn duration() -> f64 {
    SIMULATION_DURATION.default
}

fn is_duration(value: &f64) -> bool {
    *value == duration()
}

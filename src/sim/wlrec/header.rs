//! What a recording says about itself.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a run was made, or where it comes from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Name and version of the program.
    pub program: String,
    /// Name of the level.
    pub level: String,
    /// Checksum of the level's text.
    pub level_hash: String,
    /// Id of the model; the name of the source for imported people.
    pub model: String,
    /// What was set on the command line or in the panel, by name.
    #[serde(default)]
    pub set: BTreeMap<String, String>,
    pub seed: u64,
    /// Length of a tick. Unit: seconds.
    pub step: f64,
    /// Ticks between two recorded positions.
    pub every: u32,
    /// Unit of positions. Unit: metres.
    pub unit: f64,
}

impl Header {
    /// Time between two recorded positions. Unit: seconds.
    #[must_use]
    pub fn interval(&self) -> f64 {
        self.step * f64::from(self.every)
    }

    pub(super) fn is_sound(&self) -> bool {
        let is_positive = |v: f64| v.is_finite() && v > 0.0;
        is_positive(self.step)
            && self.step <= 100.0
            && self.every > 0
            && self.every <= 100_000
            && is_positive(self.unit)
            && self.unit <= 10.0
    }
}

/// What is known once a run has ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct End {
    pub ticks: u64,
    pub appeared: u64,
    pub arrived: u64,
    /// Of every agent's exact position at every tick: tells whether two runs are identical.
    pub positions: String,
}

//! Navigation tests: saved queries with their expected results.

use super::{
    check::{self, Checked},
    limits,
    planner_id::PlannerId,
};
use crate::base::EntityId;
use glam::DVec3;

#[derive(Clone, Debug, PartialEq)]
pub struct NavTest {
    pub query: Query,
    pub expectation: Expectation,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Query {
    /// A run of the level's agents and crowds, as its simulation settings say.
    Run,
    /// The path planned for an agent of the level.
    Agent(EntityId),
    Between {
        from: DVec3,
        to: DVec3,
        profile: EntityId,
        planner: PlannerId,
    },
}

/// All given expectations must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Whether a path must exist.
    pub reachable: bool,
    pub max_length: Option<f64>,
    pub max_cost: Option<f64>,
    pub min_clearance: Option<f64>,
    /// Terrain types and annotations that the path must not enter.
    pub never_in: Vec<EntityId>,
    /// What a run must fulfil.
    pub run: RunExpectation,
}

/// All given expectations on a run must hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunExpectation {
    /// Everyone has left by then. Unit: seconds.
    pub all_out_within: Option<f64>,
    pub max_density: Vec<DensityLimit>,
    /// Every agent gets on.
    pub none_stuck: bool,
}

/// The density in a measuring area stays at or below a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DensityLimit {
    pub area: EntityId,
    /// Unit: 1/m².
    pub limit: f64,
}

impl Default for Expectation {
    fn default() -> Self {
        Self {
            reachable: true,
            max_length: None,
            max_cost: None,
            min_clearance: None,
            never_in: Vec::new(),
            run: RunExpectation::default(),
        }
    }
}

impl NavTest {
    pub(super) fn check(&self) -> Checked {
        if let Query::Between { from, to, .. } = self.query {
            check::place(from)?;
            check::place(to)?;
        }
        let Expectation {
            max_length,
            max_cost,
            min_clearance,
            never_in,
            run,
            ..
        } = &self.expectation;
        for (quantity, value) in [
            (&limits::PATH_LENGTH, max_length),
            (&limits::PATH_COST, max_cost),
            (&limits::CLEARANCE, min_clearance),
            (&limits::EVACUATION, &run.all_out_within),
        ] {
            if let Some(value) = value {
                check::quantity(quantity, *value)?;
            }
        }
        check::count(
            run.max_density.len(),
            limits::MAX_CONSTRAINTS,
            "the list of density limits",
        )?;
        for density in &run.max_density {
            check::quantity(&limits::DENSITY, density.limit)?;
        }
        check::count(
            never_in.len(),
            limits::MAX_CONSTRAINTS,
            "the list `never in`",
        )
    }
}

//! Settings of a level as a whole.

use super::cells::{CellRules, CellSize};
use super::simulation_settings::SimulationSettings;
use super::{
    check::{self, Checked, Refusal},
    limits,
};
use crate::base::EntityId;
use crate::geometry::Rect;
use glam::DVec2;

#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub name: String,
    /// Free text: purpose of the level, attribution of its data.
    pub notes: String,
    /// Agents never leave this rectangle.
    pub bounds: Rect,
    pub grid: Grid,
    /// Whether there is ground to stand on, flat or given by heights. Levels made of meshes with
    /// their own floors have none.
    pub has_ground: bool,
    /// The terrain outside all regions; without one, weight 1 for every profile.
    pub base_terrain: Option<EntityId>,
    pub clock: Clock,
    /// Voxel size for human motion planning.
    pub cells: CellSize,
    /// How bodies use voxels.
    pub cell_rules: CellRules,
    /// Name patterns of forbidden entities, including those added later; `*` matches any
    /// characters. See [`crate::document::forbidding`].
    pub forbidding: Vec<String>,
    pub simulation: SimulationSettings,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Unit: metres.
    pub spacing: f64,
    pub visible: bool,
    pub snap: Snap,
}

/// What the pointer snaps to while drawing and moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snap {
    pub grid: bool,
    pub vertices: bool,
    pub edges: bool,
    pub axes: bool,
}

/// The level's clock, on which weights and constraints may depend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Time of day when a simulation starts. Unit: hours.
    pub start: f64,
    /// Level seconds per simulated second.
    pub speed: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            name: String::new(),
            notes: String::new(),
            bounds: Rect::new(DVec2::ZERO, DVec2::splat(100.0)),
            grid: Grid {
                spacing: limits::GRID_SPACING.default,
                visible: true,
                snap: Snap {
                    grid: true,
                    vertices: true,
                    edges: true,
                    axes: true,
                },
            },
            has_ground: true,
            base_terrain: None,
            clock: Clock {
                start: limits::TIME_OF_DAY.default,
                speed: limits::CLOCK_SPEED.default,
            },
            cells: CellSize::default(),
            cell_rules: CellRules::default(),
            forbidding: Vec::new(),
            simulation: SimulationSettings::default(),
        }
    }
}

impl Settings {
    /// # Errors
    /// A sentence about the first value outside its limits.
    pub fn check(&self) -> Checked {
        check::name(&self.name, "the level's name")?;
        check::text(&self.notes, limits::MAX_TEXT, "the level's note")?;
        check::point(self.bounds.min)?;
        check::point(self.bounds.max)?;
        let size = self.bounds.max - self.bounds.min;
        if size.min_element() < 0.1 {
            return Err(Refusal::new(format!(
                "the level's bounds are {} m × {} m; they must be at least 0.1 m in each direction",
                size.x, size.y
            )));
        }
        check::quantity(&limits::GRID_SPACING, self.grid.spacing)?;
        check::quantity(&limits::TIME_OF_DAY, self.clock.start)?;
        check::quantity(&limits::CLOCK_SPEED, self.clock.speed)?;
        if self.forbidding.len() > limits::MAX_TAGS {
            return Err(Refusal::new(format!(
                "there are {} forbidding rules; at most {} are allowed",
                self.forbidding.len(),
                limits::MAX_TAGS
            )));
        }
        for rule in &self.forbidding {
            if rule.trim().is_empty() {
                return Err(Refusal::new(
                    "a forbidding rule is empty; enter a name pattern such as Table*".to_owned(),
                ));
            }
            check::name(rule, "a forbidding rule")?;
        }
        self.simulation.check()?;
        self.cells.check()?;
        self.cell_rules.check()
    }
}

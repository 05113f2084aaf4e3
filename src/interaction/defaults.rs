//! Defaults for new objects, shown and changed by the editor.

use super::furniture::{self, Furniture};
use super::sculpt::Sculpt;
use crate::base::{EntityId, Quantity, Unit};
use crate::document::{
    ArchHead, DoorState, KindName, Level, LinkAction, Opening, RelationKind, Swing, limits,
};

pub const BRUSH_RADIUS: Quantity = Quantity::new("brush radius", Unit::Metre, 0.05, 1_000.0, 4.0);
/// Height change per pass of the height brush.
pub const SCULPT_STEP: Quantity = Quantity::new("strength", Unit::Metre, 0.01, 100.0, 0.5);
/// Fraction by which one pass smooths or flattens.
pub const SCULPT_SHARE: Quantity = Quantity::new("strength", Unit::One, 0.01, 1.0, 0.5);
pub const DOOR_WIDTH: Quantity = Quantity::new("door's width", Unit::Metre, 0.1, 100.0, 1.0);
pub const SIDES: Quantity = Quantity::new("corners", Unit::One, 3.0, 64.0, 6.0);

/// What the shape tools draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AreaKind {
    #[default]
    Obstacle,
    Region,
    Annotation,
    Crowd,
    Exit,
    WaitingArea,
    MeasuringArea,
}

impl AreaKind {
    pub const ALL: [Self; 7] = [
        Self::Obstacle,
        Self::Region,
        Self::Annotation,
        Self::Crowd,
        Self::Exit,
        Self::WaitingArea,
        Self::MeasuringArea,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Obstacle => "Obstacle",
            Self::Region => "Terrain region",
            Self::Annotation => "Area (drawn)",
            Self::Crowd => "Crowd",
            Self::Exit => "Exit",
            Self::WaitingArea => "Waiting area",
            Self::MeasuringArea => "Measuring area",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct ToolDefaults {
    /// Name patterns for forbidding; `*` matches any characters.
    pub forbid_pattern: String,
    pub layer: Option<EntityId>,
    /// What brush and terrain polygon paint; the level's first terrain if unset or deleted.
    pub terrain: Option<EntityId>,
    /// The profile of new agents and crowds; the level's first profile if unset or deleted.
    pub profile: Option<EntityId>,
    /// What rectangle, polygon, ellipse, regular polygon and freehand draw.
    pub area: AreaKind,
    /// Height of new obstacles. Unit: metres.
    pub obstacle_height: f64,
    /// Height of new solids. Unit: metres.
    pub solid_height: f64,
    /// Height of new arches: more than the opening. Unit: metres.
    pub arch_height: f64,
    /// Height of new objects above the ground: the current storey. Unit: metres.
    pub elevation: f64,
    pub stair_steps: u32,
    /// The opening of a new arch.
    pub opening: Opening,
    pub arch_head: ArchHead,
    /// Corners of a regular polygon.
    pub sides: usize,
    /// Unit: metres.
    pub brush_radius: f64,
    /// What the height brush does.
    pub sculpt: Sculpt,
    /// Height change per pass. Unit: metres.
    pub sculpt_step: f64,
    /// Fraction by which one pass smooths or flattens, from 0 to 1.
    pub sculpt_share: f64,
    /// Simplification tolerance of freehand strokes. Unit: metres.
    pub smoothing: f64,
    pub relation: RelationKind,
    /// Reach of new relations. Unit: metres.
    pub reach: f64,
    /// View angle of a line of sight. Unit: degrees.
    pub view_angle: f64,
    pub crowd_count: u32,
    /// What is done on new links.
    pub link: LinkAction,
    /// Thickness of new walls. Unit: metres.
    pub wall_thickness: f64,
    /// Width of doors that are put into walls. Unit: metres.
    pub door_width: f64,
    /// Whether a room that is named gets a floor of the current terrain.
    pub room_floor: bool,
    /// What the furniture tool places, how many by a click, and how far apart. Unit: metres.
    pub furniture: Furniture,
    pub furniture_count: u32,
    pub furniture_gap: f64,
    /// A drag strews copies instead of laying a row.
    pub furniture_scatters: bool,
    /// State and leaf of new doors.
    pub door: DoorState,
    pub swing: Swing,
    /// Whether the level's snap settings apply; Ctrl inverts this during a drag.
    pub snap: bool,
}

impl Default for ToolDefaults {
    fn default() -> Self {
        Self {
            forbid_pattern: String::new(),
            layer: None,
            terrain: None,
            profile: None,
            area: AreaKind::Obstacle,
            obstacle_height: limits::OBSTACLE_HEIGHT.default,
            solid_height: 1.0,
            arch_height: 2.5,
            elevation: 0.0,
            stair_steps: limits::STAIR_STEPS.default as u32,
            opening: Opening::default(),
            arch_head: ArchHead::default(),
            sides: SIDES.default as usize,
            brush_radius: BRUSH_RADIUS.default,
            sculpt: Sculpt::default(),
            sculpt_step: SCULPT_STEP.default,
            sculpt_share: SCULPT_SHARE.default,
            smoothing: limits::SMOOTHING.default,
            relation: RelationKind::Front,
            reach: limits::REACH.default,
            view_angle: limits::VIEW_ANGLE.default,
            crowd_count: limits::CROWD_COUNT.default as u32,
            link: LinkAction::default(),
            wall_thickness: limits::WALL_THICKNESS.default,
            door_width: DOOR_WIDTH.default,
            room_floor: false,
            furniture: Furniture::default(),
            furniture_count: furniture::COUNT.default as u32,
            furniture_gap: furniture::GAP.default,
            furniture_scatters: false,
            door: DoorState::default(),
            swing: Swing::default(),
            snap: true,
        }
    }
}

impl ToolDefaults {
    /// The opening of a new arch: never higher than the arch.
    #[must_use]
    pub fn fitting_opening(&self) -> Opening {
        Opening {
            height: self.opening.height.min(self.arch_height),
            ..self.opening
        }
    }

    /// The chosen terrain, or the level's first.
    #[must_use]
    pub fn terrain_in(&self, level: &Level) -> Option<EntityId> {
        chosen(level, self.terrain, KindName::Terrain)
            .or_else(|| level.terrains().next().map(|(id, ..)| id))
    }

    /// The chosen profile, or the level's first.
    #[must_use]
    pub fn profile_in(&self, level: &Level) -> Option<EntityId> {
        chosen(level, self.profile, KindName::Profile)
            .or_else(|| level.profiles().next().map(|(id, ..)| id))
    }

    /// The chosen layer, if it still exists.
    #[must_use]
    pub fn layer_in(&self, level: &Level) -> Option<EntityId> {
        chosen(level, self.layer, KindName::Layer)
    }
}

fn chosen(level: &Level, id: Option<EntityId>, kind: KindName) -> Option<EntityId> {
    id.filter(|id| level.kind_of(*id) == Some(kind))
}

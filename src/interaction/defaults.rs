//! What new objects get unless told otherwise. The editor shows and changes these.

use super::sculpt::Sculpt;
use crate::base::{EntityId, Quantity, Unit};
use crate::document::{ArchHead, KindName, Level, Opening, limits};

pub const BRUSH_RADIUS: Quantity = Quantity::new("brush radius", Unit::Metre, 0.05, 1_000.0, 4.0);
/// What one pass of the height brush raises or lowers.
pub const SCULPT_STEP: Quantity = Quantity::new("strength", Unit::Metre, 0.01, 100.0, 0.5);
/// The share of the way that one pass smooths or flattens.
pub const SCULPT_SHARE: Quantity = Quantity::new("strength", Unit::One, 0.01, 1.0, 0.5);
pub const SIDES: Quantity = Quantity::new("corners", Unit::One, 3.0, 64.0, 6.0);

/// What the shape tools draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AreaKind {
    #[default]
    Obstacle,
    Region,
    Annotation,
    Crowd,
}

impl AreaKind {
    pub const ALL: [Self; 4] = [Self::Obstacle, Self::Region, Self::Annotation, Self::Crowd];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Obstacle => "Obstacle",
            Self::Region => "Terrain region",
            Self::Annotation => "Named area",
            Self::Crowd => "Crowd",
        }
    }
}

/// The relations one can choose; a route always gives *along*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelationKind {
    #[default]
    Front,
    Back,
    Left,
    Right,
    Around,
    LineOfSight,
    /// Takes two objects.
    Between,
}

impl RelationKind {
    pub const ALL: [Self; 7] = [
        Self::Front,
        Self::Back,
        Self::Left,
        Self::Right,
        Self::Around,
        Self::LineOfSight,
        Self::Between,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Front => "in front",
            Self::Back => "behind",
            Self::Left => "to the left",
            Self::Right => "to the right",
            Self::Around => "around",
            Self::LineOfSight => "in sight",
            Self::Between => "between two",
        }
    }

    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|kind| *kind == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    #[must_use]
    pub fn previous(self) -> Self {
        let at = Self::ALL.iter().position(|kind| *kind == self).unwrap_or(0);
        Self::ALL[(at + Self::ALL.len() - 1) % Self::ALL.len()]
    }

    /// The next one that takes a single object.
    #[must_use]
    pub fn next_single(self) -> Self {
        match self.next() {
            Self::Between => Self::Front,
            next => next,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct ToolDefaults {
    /// Names of what is forbidden by rule; `*` stands for any letters.
    pub forbid_pattern: String,
    pub layer: Option<EntityId>,
    /// What brush and terrain polygon paint; the first terrain of the level if unset or gone.
    pub terrain: Option<EntityId>,
    /// The profile of new agents and crowds; the first of the level if unset or gone.
    pub profile: Option<EntityId>,
    /// What rectangle, polygon, ellipse, regular polygon and freehand draw.
    pub area: AreaKind,
    /// Of new obstacles. Unit: metres.
    pub obstacle_height: f64,
    /// Of new solids. Unit: metres.
    pub solid_height: f64,
    /// Of new arches: more than what one walks through. Unit: metres.
    pub arch_height: f64,
    /// Where new things stand above the ground: the storey one works on. Unit: metres.
    pub elevation: f64,
    pub stair_steps: u32,
    /// The way through a new arch, and how it ends above.
    pub opening: Opening,
    pub arch_head: ArchHead,
    /// Corners of a regular polygon.
    pub sides: usize,
    /// Unit: metres.
    pub brush_radius: f64,
    /// What the height brush does.
    pub sculpt: Sculpt,
    /// How far it raises or lowers in one pass. Unit: metres.
    pub sculpt_step: f64,
    /// How much of the way it smooths or flattens in one pass, from 0 to 1.
    pub sculpt_share: f64,
    /// How far a freehand stroke may be simplified. Unit: metres.
    pub smoothing: f64,
    pub relation: RelationKind,
    /// Of new relations. Unit: metres.
    pub reach: f64,
    /// Of a line of sight. Unit: degrees.
    pub view_angle: f64,
    pub crowd_count: u32,
    /// Whether the level's snap settings are in force; Ctrl turns this around during a drag.
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
            snap: true,
        }
    }
}

impl ToolDefaults {
    /// The way through a new arch: never higher than the arch.
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

    /// The chosen layer, if it is still there.
    #[must_use]
    pub fn layer_in(&self, level: &Level) -> Option<EntityId> {
        chosen(level, self.layer, KindName::Layer)
    }
}

fn chosen(level: &Level, id: Option<EntityId>, kind: KindName) -> Option<EntityId> {
    id.filter(|id| level.kind_of(*id) == Some(kind))
}

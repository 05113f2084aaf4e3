//! Profiles: body, speeds and preferences of a kind of agent.

use super::{
    check::{self, Checked, Refusal},
    limits,
};
use crate::base::{Colour, EntityId};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    pub colour: Colour,
    pub body: Body,
    pub pace: Pace,
    /// Cost per metre by terrain type, where it differs from the terrain's own weight.
    pub terrain_weights: BTreeMap<EntityId, f64>,
    /// Preference among actions that lead to the same cell.
    pub action_priority: [Action; 5],
}

/// Unit of every field: metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    pub radius: f64,
    pub height: f64,
    /// Headroom it can pass when bent.
    pub bent_height: f64,
    /// Longest gap it can jump.
    pub jump: f64,
    /// Longest step in plan.
    pub foot_span: f64,
    /// Highest step up or down.
    pub step_height: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Preferred speed. Unit: m/s.
    pub speed: f64,
    /// Unit: m/s.
    pub max_speed: f64,
    /// Unit: m/s².
    pub acceleration: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    Walk,
    StepUp,
    StepDown,
    Bend,
    Jump,
}

impl Action {
    pub const ALL: [Self; 5] = [
        Self::Walk,
        Self::StepUp,
        Self::StepDown,
        Self::Bend,
        Self::Jump,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Walk => "Walk",
            Self::StepUp => "Step up",
            Self::StepDown => "Step down",
            Self::Bend => "Bend",
            Self::Jump => "Jump",
        }
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            colour: Colour::hex(0x3b82c4),
            body: Body {
                radius: limits::RADIUS.default,
                height: limits::BODY_HEIGHT.default,
                bent_height: limits::BENT_HEIGHT.default,
                jump: limits::JUMP.default,
                foot_span: limits::FOOT_SPAN.default,
                step_height: limits::STEP_HEIGHT.default,
            },
            pace: Pace {
                speed: limits::SPEED.default,
                max_speed: limits::MAX_SPEED.default,
                acceleration: limits::ACCELERATION.default,
            },
            terrain_weights: BTreeMap::new(),
            action_priority: Action::ALL,
        }
    }
}

impl Profile {
    pub(super) fn check(&self) -> Checked {
        let Body {
            radius,
            height,
            bent_height,
            jump,
            foot_span,
            step_height,
        } = self.body;
        check::quantity(&limits::RADIUS, radius)?;
        check::quantity(&limits::BODY_HEIGHT, height)?;
        check::quantity(&limits::BENT_HEIGHT, bent_height)?;
        check::quantity(&limits::JUMP, jump)?;
        check::quantity(&limits::FOOT_SPAN, foot_span)?;
        check::quantity(&limits::STEP_HEIGHT, step_height)?;
        check::quantity(&limits::SPEED, self.pace.speed)?;
        check::quantity(&limits::MAX_SPEED, self.pace.max_speed)?;
        check::quantity(&limits::ACCELERATION, self.pace.acceleration)?;
        for weight in self.terrain_weights.values() {
            check::quantity(&limits::TERRAIN_WEIGHT, *weight)?;
        }
        if Action::ALL
            .iter()
            .any(|action| !self.action_priority.contains(action))
        {
            return Err(Refusal::new(
                "the order of actions must name each action once",
            ));
        }
        Ok(())
    }
}

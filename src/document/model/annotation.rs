//! Annotations: named areas that constraints refer to.

use super::{
    check::{self, Checked},
    limits,
};
use crate::base::EntityId;
use crate::geometry::Polygon;

#[derive(Clone, Debug, PartialEq)]
pub enum Annotation {
    /// A free polygon.
    Area(Polygon),
    /// An area derived from an object; moves with it.
    Relation {
        object: EntityId,
        relation: Relation,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    /// The strip in front of one side of the object's oriented box, `reach` metres deep.
    Front {
        reach: f64,
    },
    Back {
        reach: f64,
    },
    Left {
        reach: f64,
    },
    Right {
        reach: f64,
    },
    /// Everything within `reach` of the object's outline.
    Around {
        reach: f64,
    },
    /// The convex hull of the object and another one, minus both.
    Between {
        other: EntityId,
    },
    /// What the object sees from its centre, towards its facing.
    LineOfSight {
        range: f64,
        angle: f64,
    },
    /// Within `reach` of the object, which is a route.
    Along {
        reach: f64,
    },
    /// The space that a person claims, larger ahead than behind.
    PersonalSpace {
        front: f64,
        back: f64,
    },
}

/// Relations without their measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelationKind {
    #[default]
    Front,
    Back,
    Left,
    Right,
    Around,
    /// Needs two objects.
    Between,
    LineOfSight,
    /// For routes; around other objects.
    Along,
    PersonalSpace,
}

impl RelationKind {
    pub const ALL: [Self; 9] = [
        Self::Front,
        Self::Back,
        Self::Left,
        Self::Right,
        Self::Around,
        Self::Between,
        Self::LineOfSight,
        Self::Along,
        Self::PersonalSpace,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Front => "Front",
            Self::Back => "Back",
            Self::Left => "Left",
            Self::Right => "Right",
            Self::Around => "Around",
            Self::Between => "Between",
            Self::LineOfSight => "Line of sight",
            Self::Along => "Along",
            Self::PersonalSpace => "Personal space",
        }
    }

    /// With its default measures. `other` is the second object of *between*.
    #[must_use]
    pub const fn relation(self, other: EntityId) -> Relation {
        let reach = limits::REACH.default;
        match self {
            Self::Front => Relation::Front { reach },
            Self::Back => Relation::Back { reach },
            Self::Left => Relation::Left { reach },
            Self::Right => Relation::Right { reach },
            Self::Around => Relation::Around { reach },
            Self::Between => Relation::Between { other },
            Self::LineOfSight => Relation::LineOfSight {
                range: limits::SIGHT.default,
                angle: limits::VIEW_ANGLE.default,
            },
            Self::Along => Relation::Along { reach },
            Self::PersonalSpace => Relation::PersonalSpace {
                front: limits::PERSONAL_DISTANCE.default,
                back: limits::PERSONAL_DISTANCE.default * 0.5,
            },
        }
    }
}

impl Relation {
    #[must_use]
    pub const fn kind(&self) -> RelationKind {
        match self {
            Self::Front { .. } => RelationKind::Front,
            Self::Back { .. } => RelationKind::Back,
            Self::Left { .. } => RelationKind::Left,
            Self::Right { .. } => RelationKind::Right,
            Self::Around { .. } => RelationKind::Around,
            Self::Between { .. } => RelationKind::Between,
            Self::LineOfSight { .. } => RelationKind::LineOfSight,
            Self::Along { .. } => RelationKind::Along,
            Self::PersonalSpace { .. } => RelationKind::PersonalSpace,
        }
    }

    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.kind().name()
    }

    /// How far it extends from its object; `None` for *between*.
    #[must_use]
    pub const fn reach(&self) -> Option<f64> {
        match self {
            Self::Front { reach }
            | Self::Back { reach }
            | Self::Left { reach }
            | Self::Right { reach }
            | Self::Around { reach }
            | Self::Along { reach }
            | Self::LineOfSight { range: reach, .. }
            | Self::PersonalSpace { front: reach, .. } => Some(*reach),
            Self::Between { .. } => None,
        }
    }

    /// With another reach. Personal space keeps its shape; *between* has none and stays.
    #[must_use]
    pub fn with_reach(mut self, to: f64) -> Self {
        match &mut self {
            Self::Front { reach }
            | Self::Back { reach }
            | Self::Left { reach }
            | Self::Right { reach }
            | Self::Around { reach }
            | Self::Along { reach }
            | Self::LineOfSight { range: reach, .. } => *reach = to,
            Self::PersonalSpace { front, back } => {
                let share = *back / *front;
                *front = limits::PERSONAL_DISTANCE.clamp(to);
                *back = limits::PERSONAL_DISTANCE.clamp(*front * share);
            }
            Self::Between { .. } => {}
        }
        self
    }

    /// The second object of *between*.
    #[must_use]
    pub const fn other(&self) -> Option<EntityId> {
        match self {
            Self::Between { other } => Some(*other),
            _ => None,
        }
    }

    pub(super) fn check(&self) -> Checked {
        match self {
            Self::Front { reach }
            | Self::Back { reach }
            | Self::Left { reach }
            | Self::Right { reach }
            | Self::Around { reach }
            | Self::Along { reach } => check::quantity(&limits::REACH, *reach),
            Self::Between { .. } => Ok(()),
            Self::LineOfSight { range, angle } => {
                check::quantity(&limits::REACH, *range)?;
                check::quantity(&limits::VIEW_ANGLE, *angle)
            }
            Self::PersonalSpace { front, back } => {
                check::quantity(&limits::PERSONAL_DISTANCE, *front)?;
                check::quantity(&limits::PERSONAL_DISTANCE, *back)
            }
        }
    }
}

impl Annotation {
    pub(super) fn check(&self) -> Checked {
        match self {
            Self::Area(area) => check::polygon(area),
            Self::Relation { relation, .. } => relation.check(),
        }
    }
}

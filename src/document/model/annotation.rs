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
}

impl Relation {
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Front { .. } => "Front",
            Self::Back { .. } => "Back",
            Self::Left { .. } => "Left",
            Self::Right { .. } => "Right",
            Self::Around { .. } => "Around",
            Self::Between { .. } => "Between",
            Self::LineOfSight { .. } => "Line of sight",
            Self::Along { .. } => "Along",
        }
    }

    fn check(&self) -> Checked {
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

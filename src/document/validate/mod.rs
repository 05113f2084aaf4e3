//! Problems of a level: not errors, but a list to review and fix.
//!
//! Values outside their limits are rejected on entry (see [`Entity::check`](super::Entity::check));
//! this is about what is well-formed but cannot be intended.

mod agents;
mod constraints;
mod definitions;
mod fix;
mod meshes;
mod obstacles;
mod outlines;
mod places;
mod references;
mod routes;

pub use constraints::contradicting;
pub use fix::Fix;
pub use meshes::check_meshes;

use super::model::Level;
use crate::base::EntityId;
use crate::jobs::{Cancelled, JobContext, assert_off_window_thread};
use constraints::ConstraintCheck;
use glam::DVec2;
use obstacles::ObstacleIndex;
use std::fmt;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; no action needed.
    Information,
    /// Probably not intended.
    Warning,
    /// Agents cannot do what the level requires.
    Error,
}

impl Severity {
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Information];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Information => "information",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The kind of problem, for filters and scripts. The names are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    SelfCrossing,
    NoArea,
    TinyArea,
    /// An obstacle that would vanish among whole millimetres.
    TooThin,
    DuplicatePoints,
    CollinearPoints,
    HoleOutside,
    OutsideBounds,
    OverlappingObstacles,
    DanglingReference,
    WrongReference,
    GroupCycle,
    MissingMesh,
    UnreadableMesh,
    OutgrownMesh,
    OpeningTooLarge,
    StartBlocked,
    GoalBlocked,
    NoGoal,
    /// Two constraints that cannot both be kept.
    Contradiction,
    /// A start where a hard constraint forbids to be.
    StartForbidden,
    /// An area relative to an object that is empty.
    EmptyRelation,
    CrowdTooDense,
    RouteBlocked,
    RouteTooShort,
    LookAheadTooShort,
    DuplicateName,
    BodyContradiction,
    MotionMismatch,
    TestContradiction,
    GroundTooSmall,
    DoorWithoutWidth,
    /// A door with a jamb that touches no wall.
    DoorInMidAir,
    /// A link, a queue or a measuring line.
    LineTooShort,
    LinkBlocked,
    QueueBlocked,
    ExitBlocked,
    NoExit,
    /// A test of a run that expects nothing.
    NoExpectation,
    /// Found by baking and planning, like the next five.
    NothingLeft,
    TooComplex,
    Unreachable,
    ThroughSolid,
    OtherStorey,
    TestFailed,
}

impl Code {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SelfCrossing => "self-crossing",
            Self::NoArea => "no-area",
            Self::TinyArea => "tiny-area",
            Self::TooThin => "too-thin",
            Self::DuplicatePoints => "duplicate-points",
            Self::CollinearPoints => "collinear-points",
            Self::HoleOutside => "hole-outside",
            Self::OutsideBounds => "outside-bounds",
            Self::OverlappingObstacles => "overlapping-obstacles",
            Self::DanglingReference => "dangling-reference",
            Self::WrongReference => "wrong-reference",
            Self::GroupCycle => "group-cycle",
            Self::MissingMesh => "missing-mesh",
            Self::UnreadableMesh => "unreadable-mesh",
            Self::OutgrownMesh => "outgrown-mesh",
            Self::OpeningTooLarge => "opening-too-large",
            Self::StartBlocked => "start-blocked",
            Self::GoalBlocked => "goal-blocked",
            Self::NoGoal => "no-goal",
            Self::Contradiction => "contradiction",
            Self::StartForbidden => "start-forbidden",
            Self::EmptyRelation => "empty-relation",
            Self::CrowdTooDense => "crowd-too-dense",
            Self::RouteBlocked => "route-blocked",
            Self::RouteTooShort => "route-too-short",
            Self::LookAheadTooShort => "look-ahead-too-short",
            Self::DuplicateName => "duplicate-name",
            Self::BodyContradiction => "body-contradiction",
            Self::MotionMismatch => "motion-mismatch",
            Self::TestContradiction => "test-contradiction",
            Self::GroundTooSmall => "ground-too-small",
            Self::DoorWithoutWidth => "door-without-width",
            Self::DoorInMidAir => "door-in-mid-air",
            Self::LineTooShort => "line-too-short",
            Self::LinkBlocked => "link-blocked",
            Self::QueueBlocked => "queue-blocked",
            Self::ExitBlocked => "exit-blocked",
            Self::NoExit => "no-exit",
            Self::NoExpectation => "no-expectation",
            Self::NothingLeft => "nothing-left",
            Self::TooComplex => "too-complex",
            Self::Unreachable => "unreachable",
            Self::ThroughSolid => "through-solid",
            Self::OtherStorey => "other-storey",
            Self::TestFailed => "test-failed",
        }
    }
}

/// What a problem is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    Level,
    Entity(EntityId),
}

impl Subject {
    #[must_use]
    pub fn label(self, level: &Level) -> String {
        match self {
            Self::Level => "level".to_owned(),
            Self::Entity(id) => level.label(id),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub severity: Severity,
    pub code: Code,
    pub subject: Subject,
    /// One sentence: what is wrong, then how to fix it.
    pub message: String,
    /// Where to look, if the problem has a position.
    pub at: Option<DVec2>,
    /// A safe fix.
    pub fix: Option<Fix>,
}

impl Problem {
    #[must_use]
    pub fn new(severity: Severity, code: Code, id: EntityId, message: impl Into<String>) -> Self {
        Self {
            severity,
            code,
            subject: Subject::Entity(id),
            message: message.into(),
            at: None,
            fix: None,
        }
    }

    #[must_use]
    pub fn at(self, at: DVec2) -> Self {
        Self {
            at: Some(at),
            ..self
        }
    }

    fn fixed_by(self, fix: Fix) -> Self {
        Self {
            fix: Some(fix),
            ..self
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity.name(), self.message)
    }
}

/// Every problem of a level, in the level's order. `folder` is where its file is; without it, mesh
/// references are not checked.
#[must_use]
pub fn validate(level: &Level, folder: Option<&Path>) -> Vec<Problem> {
    // Without a job to cancel there is always an answer.
    validate_with(level, folder, &JobContext::default()).unwrap_or_default()
}

/// [`validate`], as a job.
///
/// # Errors
/// It was cancelled.
pub fn validate_with(
    level: &Level,
    folder: Option<&Path>,
    ctx: &JobContext,
) -> Result<Vec<Problem>, Cancelled> {
    assert_off_window_thread("validation");
    let obstacles = ObstacleIndex::of(level);
    let constraints = ConstraintCheck::new(level, &obstacles);
    let mut problems = Vec::new();
    definitions::check_level(level, &mut problems);
    for (id, entity) in level.drawn() {
        ctx.checkpoint()?;
        references::check(level, id, entity, folder, &mut problems);
        outlines::check(level, id, entity, &mut problems);
        definitions::check(id, entity, &mut problems);
        agents::check(level, &obstacles, id, entity, &mut problems);
        constraints.check(id, entity, &mut problems);
        routes::check(&obstacles, id, entity, &mut problems);
        places::check(level, &obstacles, id, entity, &mut problems);
    }
    obstacles.check_thickness(&mut problems, ctx)?;
    obstacles.check_overlaps(&mut problems, ctx)?;
    Ok(problems)
}

#[cfg(test)]
mod tests;

//! What happens during a run, for the timeline.

use glam::DVec3;

/// Index of an agent of a run: in the order in which they appear, never reused.
pub type AgentIndex = u32;

/// Kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RunEventKind {
    /// Reached its last goal and left.
    Arrived,
    /// Wants to move and does not get on.
    Stuck,
    /// Gets on again.
    Freed,
    /// Was pushed off its path and planned a new one.
    Replanned,
    /// Chose another route because of a jam.
    Rerouted,
    /// No path leads to its goal.
    Unreachable,
    /// Not all agents of a crowd find a place.
    Unplaced,
    /// A door was opened or shut.
    Door,
    /// Something was changed from outside.
    Input,
}

impl RunEventKind {
    pub const ALL: [Self; 9] = [
        Self::Arrived,
        Self::Stuck,
        Self::Freed,
        Self::Replanned,
        Self::Rerouted,
        Self::Unreachable,
        Self::Unplaced,
        Self::Door,
        Self::Input,
    ];

    /// In files and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arrived => "arrived",
            Self::Stuck => "stuck",
            Self::Freed => "freed",
            Self::Replanned => "replanned",
            Self::Rerouted => "rerouted",
            Self::Unreachable => "unreachable",
            Self::Unplaced => "unplaced",
            Self::Door => "door",
            Self::Input => "input",
        }
    }

    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct RunEvent {
    pub tick: u64,
    /// `None` for an event of the level as a whole.
    pub agent: Option<AgentIndex>,
    pub kind: RunEventKind,
    pub at: DVec3,
    /// A sentence; empty where the kind says it all.
    pub text: String,
}

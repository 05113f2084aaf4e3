//! Links in paths: walks between the ends of links, joined by going through them.
//!
//! A best path is a chain of walks from link to link. Each walk is a query of its own to the planner,
//! so that every planner whose walks are best between two places finds the best path with links as
//! well. Walks are searched lazily: those alone that a chain needs which may still be the best
//! (Dellin and Srinivasa 2016), told by a lower bound of their cost.

mod chain;
mod join;
mod session;

#[cfg(test)]
mod tests;

pub use session::{LinkedSession, Walker};

use crate::base::EntityId;
use crate::document::{Action, LinkAction};

/// A link that a path goes through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkUse {
    /// Index of the path's point that it leads to.
    pub point: usize,
    pub link: EntityId,
    pub action: LinkAction,
    /// From its end to its start.
    pub is_reversed: bool,
    /// Time that it takes. Unit: seconds.
    pub seconds: f64,
}

/// The nearest of the actions that a body has of its own; `rise` is how far the link leads up.
#[must_use]
pub fn bodily(action: LinkAction, rise: f64) -> Action {
    match action {
        LinkAction::Jump => Action::Jump,
        LinkAction::Drop => Action::StepDown,
        LinkAction::Ladder | LinkAction::Lift if rise > 0.0 => Action::StepUp,
        LinkAction::Ladder | LinkAction::Lift if rise < 0.0 => Action::StepDown,
        LinkAction::Ladder | LinkAction::Lift | LinkAction::Teleport | LinkAction::Door => {
            Action::Walk
        }
    }
}

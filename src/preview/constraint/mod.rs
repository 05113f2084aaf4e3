//! Constraints as shapes: the field that a planner searched in, the regions that make it, the states
//! of its search, and the times of day along a path.
//!
//! All of it is read from the session that planned, never resolved or planned a second time.

mod field_map;
mod focus;
mod hours;
mod regions;
mod states;
#[cfg(test)]
mod tests;

pub use field_map::{FieldMap, SCALE_STEPS};
pub use focus::{Focus, draw_focus};
pub use hours::draw_hours;
pub use regions::{acting, colour_of, draw_regions, regions_in_space, sentence_of};
pub use states::{StateMap, draw_states};

use crate::document::PlannerId;
use crate::nav::constraint::{Field, Term};
use crate::planner::constraint::Replan;
use crate::planner::missions::AgentPlan;
use crate::planner::{PathRequest, Session};
use std::sync::Arc;

/// The legs of a plan that constraints bent.
fn legs(plan: &AgentPlan) -> &[Box<dyn Session>] {
    let session = plan.session();
    if session.planner() == PlannerId::CONSTRAINT {
        session.legs()
    } else {
        &[]
    }
}

/// The query of a plan's first leg, if it was planned with constraints.
#[must_use]
pub fn request_of(plan: &AgentPlan) -> Option<&PathRequest> {
    Some(&legs(plan).first()?.task().request)
}

/// The field that an agent was planned in; `None` for other planners and without constraints that
/// act now.
#[must_use]
pub fn field_of(plan: &AgentPlan) -> Option<&Arc<Field>> {
    let field = &request_of(plan)?.constraints.field;
    (!field.terms().is_empty()).then_some(field)
}

/// The constraint of that key in an agent's plan.
#[must_use]
pub fn term_of(plan: &AgentPlan, key: u64) -> Option<&Term> {
    let mut terms = field_of(plan)?.terms().iter();
    terms.find(|term| term.key == key)
}

/// What plans and repairs of an agent cost, leg by leg, oldest first.
pub fn replans_of(plan: &AgentPlan) -> impl Iterator<Item = (usize, &[Replan])> {
    let legs = legs(plan).iter();
    legs.enumerate()
        .map(|(leg, session)| (leg, session.replans()))
}

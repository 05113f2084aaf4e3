//! The constraints of a query, resolved for one situation, and how to plan with them.

use crate::document::{Constraint, ConstraintOptions, Level, Rule, Target, Weight};
use crate::nav::constraint::{Field, Situation, resolve};
use std::sync::Arc;

/// Part of a [`PathRequest`](crate::planner::PathRequest).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConstraintQuery {
    pub field: Arc<Field>,
    pub options: ConstraintOptions,
    /// The time of day that they were resolved for, if it matters to them. Unit: hours.
    pub hour: Option<f64>,
}

impl ConstraintQuery {
    /// Resolves constraints in a situation.
    #[must_use]
    pub fn of(
        level: &Level,
        constraints: &[Constraint],
        options: ConstraintOptions,
        situation: &Situation,
    ) -> Self {
        let name = |constraint: &Constraint| described(level, constraint);
        Self {
            field: Arc::new(resolve(level, constraints, situation, name)),
            options,
            hour: constraints
                .iter()
                .any(depends_on_clock)
                .then_some(situation.hour),
        }
    }
}

fn depends_on_clock(constraint: &Constraint) -> bool {
    let by_hour = matches!(constraint.rule.weight(), Some(Weight::ByHour(_)));
    by_hour || constraint.when.hours.is_some()
}

/// A constraint in a few words, without weight and time.
#[must_use]
pub fn described(level: &Level, constraint: &Constraint) -> String {
    let repels = constraint
        .rule
        .weight()
        .is_none_or(|weight| weight.max() < 0.0);
    let preposition = match constraint.rule {
        Rule::In { .. } | Rule::NotIn => "in",
        Rule::Near { .. } => "near",
    };
    let not = if repels { "not " } else { "" };
    let target = match constraint.target {
        Target::Entity(id) => level.label(id),
        Target::Relation { object, relation } => match relation.other() {
            Some(other) => format!("between {} and {}", level.label(object), level.label(other)),
            None => format!(
                "{} of {}",
                relation.name().to_lowercase(),
                level.label(object)
            ),
        },
    };
    format!("{not}{preposition} {target}")
}

//! From goals and constraints to a sentence.

use super::names::Names;
use super::{Itinerary, Sentence, phrase};
use crate::document::entity::Role;
use crate::document::model::{
    Constraint, FlagIs, Goal, Relation, RelationKind, Repeat, Rule, Target, Weight, limits,
};
use std::fmt::Write as _;

/// One line.
#[must_use]
pub fn print(sentence: &Sentence, names: &Names) -> String {
    clauses(sentence, names).join("; ")
}

/// One line per clause.
#[must_use]
pub fn print_lines(sentence: &Sentence, names: &Names) -> String {
    clauses(sentence, names).join(";\n")
}

fn clauses(sentence: &Sentence, names: &Names) -> Vec<String> {
    let goals = sentence.itinerary.iter();
    goals
        .filter(|itinerary| !itinerary.goals.is_empty())
        .map(|itinerary| print_itinerary(itinerary, names))
        .chain(
            sentence
                .constraints
                .iter()
                .map(|constraint| print_constraint(constraint, names)),
        )
        .collect()
}

fn print_itinerary(itinerary: &Itinerary, names: &Names) -> String {
    let mut text = String::new();
    for (index, goal) in itinerary.goals.iter().enumerate() {
        text += match (index, goal) {
            (0, Goal::Patrol(_)) => "patrol ",
            (0, _) => "go to ",
            (_, Goal::Patrol(_)) => ", then patrol ",
            (_, _) => ", then ",
        };
        match goal {
            Goal::At(place) if place.z.to_bits() == 0 => {
                let _ = write!(text, "({}, {})", number(place.x), number(place.y));
            }
            Goal::At(place) => {
                let _ = write!(
                    text,
                    "({}, {}, {})",
                    number(place.x),
                    number(place.y),
                    number(place.z)
                );
            }
            Goal::Inside(target) | Goal::Patrol(target) => {
                text += &print_target(target, Role::GoalArea, Role::GoalObject, names);
            }
            Goal::NearestExit => text += phrase::NEAREST_EXIT.0,
        }
    }
    text += match itinerary.repeat {
        Repeat::Once => "",
        Repeat::Loop => ", then repeat",
        Repeat::BackAndForth => ", then back and forth",
    };
    text
}

/// One clause.
#[must_use]
pub fn print_constraint(constraint: &Constraint, names: &Names) -> String {
    let (itself, object) = (Role::ConstraintTarget, Role::ConstraintObject);
    let target = print_target(&constraint.target, itself, object, names);
    let is_hard = constraint.rule == Rule::NotIn;
    // What repels is written with a positive weight; weights by the hour may do both.
    let is_negative = match constraint.rule.weight() {
        Some(Weight::Constant(weight)) => weight.is_sign_negative(),
        _ => false,
    };
    let mut text = String::new();
    if is_hard || is_negative {
        text += "not ";
    }
    text += match (&constraint.rule, &constraint.target) {
        (Rule::Near { .. }, _) => "near ",
        (_, Target::Relation { relation, .. }) if stands_alone(relation) => "",
        _ => "in ",
    };
    text += &target;
    match constraint.rule.weight() {
        Some(Weight::Constant(weight)) => {
            let size = weight.abs();
            // Without a weight, *not in* is hard.
            let is_soft_not_in = is_negative && matches!(constraint.rule, Rule::In { .. });
            if size != limits::CONSTRAINT_WEIGHT.default || is_soft_not_in {
                let _ = write!(text, " with weight {}", number(size));
            }
        }
        Some(Weight::ByHour(list)) => {
            for (index, (hour, weight)) in list.iter().enumerate() {
                text += if index == 0 { " with weight " } else { ", " };
                let _ = write!(text, "{} at {}", number(*weight), time(*hour));
            }
        }
        None => {}
    }
    if let Some(hours) = constraint.when.hours {
        let _ = write!(text, " from {} to {}", time(hours.from), time(hours.until));
    }
    match constraint.when.flag {
        Some(FlagIs::Set(flag)) => text = text + " while " + &names.reference(Role::Flag, flag),
        Some(FlagIs::Unset(flag)) => {
            text = text + " while not " + &names.reference(Role::Flag, flag);
        }
        None => {}
    }
    text
}

/// Whether a relation reads as a place of its own: `behind X`, not `in behind X`.
const fn stands_alone(relation: &Relation) -> bool {
    matches!(
        relation.kind(),
        RelationKind::Back
            | RelationKind::Left
            | RelationKind::Right
            | RelationKind::Around
            | RelationKind::Along
            | RelationKind::Between
    )
}

fn print_target(target: &Target, itself: Role, of_relation: Role, names: &Names) -> String {
    let (object, relation) = match *target {
        Target::Entity(id) => return names.reference(itself, id),
        Target::Relation { object, relation } => (object, relation),
    };
    let name = names.reference(of_relation, object);
    let phrase = match relation.kind() {
        RelationKind::Front => "front of",
        RelationKind::Back => "behind",
        RelationKind::Left => "left of",
        RelationKind::Right => "right of",
        RelationKind::Around => "around",
        RelationKind::Between => "between",
        RelationKind::LineOfSight => "line of sight of",
        RelationKind::Along => "along",
        RelationKind::PersonalSpace => "personal space of",
    };
    let mut text = format!("{phrase} {name}");
    let usual = relation.kind().relation(object);
    match relation {
        Relation::Between { other } => {
            text = text + " and " + &names.reference(of_relation, other);
        }
        _ if relation == usual => {}
        Relation::LineOfSight { range, angle } => {
            let _ = write!(text, " within {} m and {}°", number(range), number(angle));
        }
        Relation::PersonalSpace { front, back } => {
            let _ = write!(
                text,
                " within {} m and {} m behind",
                number(front),
                number(back)
            );
        }
        _ => {
            let reach = relation.reach().unwrap_or_default();
            let _ = write!(text, " within {} m", number(reach));
        }
    }
    text
}

/// The shortest text that is read as this number.
fn number(value: f64) -> String {
    if value == 0.0 || (1e-6..1e15).contains(&value.abs()) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// A time of day: `22:00`, `6:30:15`, or hours with decimals where nothing else is exact.
fn time(hours: f64) -> String {
    let seconds = (hours * 3600.0).round();
    let (hour, minute, second) = (
        (seconds / 3600.0).floor(),
        (seconds / 60.0).floor() % 60.0,
        seconds % 60.0,
    );
    // As the reader computes it.
    let is_exact = hour + (minute + second / 60.0) / 60.0 == hours;
    match (is_exact, second == 0.0) {
        (false, _) => number(hours),
        (true, true) => format!("{hour}:{minute:02}"),
        (true, false) => format!("{hour}:{minute:02}:{second:02}"),
    }
}

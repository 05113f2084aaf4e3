//! The list of constraints, each with a sentence that describes it.

use super::list::list_ui;
use super::rows::{choice_row, first_of, number_row, reference_row};
use super::target::{TargetRoles, target_ui};
use crate::base::EntityId;
use crate::document::entity::Role;
use crate::document::sentence::{Names, print_constraint};
use crate::document::{Constraint, FlagIs, Hours, Level, Rule, Weight, When, limits};
use crate::editor::panels::field::Manner;
use egui::{Label, RichText, Ui};
use std::cell::Cell;

const ROLES: TargetRoles = TargetRoles {
    itself: Role::ConstraintTarget,
    object: Role::ConstraintObject,
};

/// `follow` receives the target of a reference that was followed.
pub fn constraints_ui(
    ui: &mut Ui,
    names: &Names,
    follow: &Cell<Option<EntityId>>,
    list: &mut Vec<Constraint>,
) -> Option<Manner> {
    let level = names.level();
    let mut manner = list_ui(ui, "Constraint", list, |ui, constraint| {
        let sentence = print_constraint(constraint, names);
        ui.add(Label::new(RichText::new(sentence).italics()).wrap());
        constraint_ui(ui, level, follow, constraint)
    });
    let target = first_of(level, Role::ConstraintTarget);
    let add = ui
        .add_enabled(target.is_some(), egui::Button::new("Add a constraint"))
        .on_hover_text("Where the path should run, or must not.")
        .on_disabled_hover_text("There is nothing yet that a constraint could refer to.");
    if let Some(target) = target
        && add.clicked()
    {
        let weight = limits::CONSTRAINT_WEIGHT.default.into();
        list.push(Constraint::new(Rule::Near { weight }, target.into()));
        manner = Some(Manner::Chosen);
    }
    manner
}

fn constraint_ui(
    ui: &mut Ui,
    level: &Level,
    follow: &Cell<Option<EntityId>>,
    constraint: &mut Constraint,
) -> Option<Manner> {
    let rule = rule_ui(ui, &mut constraint.rule);
    let target = target_ui(ui, level, follow, ROLES, &mut constraint.target);
    let when = when_ui(ui, level, follow, &mut constraint.when);
    when.or(target).or(rule)
}

fn rule_ui(ui: &mut Ui, rule: &mut Rule) -> Option<Manner> {
    let index = match rule {
        Rule::In { .. } => 0,
        Rule::Near { .. } => 1,
        Rule::NotIn => 2,
    };
    let picked = choice_row(ui, "Rule", index, &["In", "Near", "Not in"]);
    let mut manner = None;
    if let Some(index) = picked {
        let usual = || limits::CONSTRAINT_WEIGHT.default.into();
        let weight = rule.weight().cloned().unwrap_or_else(usual);
        *rule = match index {
            0 => Rule::In { weight },
            1 => Rule::Near { weight },
            _ => Rule::NotIn,
        };
        manner = Some(Manner::Chosen);
    }
    match rule.weight_mut() {
        Some(weight) => weight_ui(ui, weight).or(manner),
        None => manner,
    }
}

fn weight_ui(ui: &mut Ui, weight: &mut Weight) -> Option<Manner> {
    const HELP: &str = "Above 0 attracts, below 0 repels.";
    let index = match weight {
        Weight::Constant(_) => 0,
        Weight::ByHour(_) => 1,
    };
    let mut manner = None;
    if let Some(index) = choice_row(ui, "Strength", index, &["Constant", "By the hour"]) {
        *weight = match (index, &*weight) {
            (0, Weight::ByHour(list)) => list.first().map_or(1.0, |(_, weight)| *weight).into(),
            (1, Weight::Constant(weight)) => Weight::ByHour(vec![(6.0, *weight), (22.0, *weight)]),
            (_, unchanged) => unchanged.clone(),
        };
        manner = Some(Manner::Chosen);
    }
    match weight {
        Weight::Constant(weight) => {
            number_row(ui, "Weight", HELP, &limits::CONSTRAINT_WEIGHT, weight).or(manner)
        }
        Weight::ByHour(list) => by_hour_ui(ui, list).or(manner),
    }
}

/// Hours with their weights. Whatever was entered, the list stays sorted and valid.
fn by_hour_ui(ui: &mut Ui, list: &mut Vec<(f64, f64)>) -> Option<Manner> {
    let mut manner = list_ui(ui, "Hour", list, |ui, (hour, weight)| {
        let time = number_row(ui, "At", "", &limits::TIME_OF_DAY, hour);
        number_row(ui, "Weight", "", &limits::CONSTRAINT_WEIGHT, weight).or(time)
    });
    if list.len() < limits::MAX_WEIGHT_HOURS && ui.button("Add an hour").clicked() {
        let (hour, weight) = list.last().copied().unwrap_or((0.0, 1.0));
        list.push(((hour + 1.0) % 24.0, weight));
        manner = Some(Manner::Chosen);
    }
    if manner.is_some() {
        sort_hours(list);
    }
    manner
}

fn sort_hours(list: &mut Vec<(f64, f64)>) {
    for (hour, _) in list.iter_mut() {
        *hour = hour.rem_euclid(24.0);
    }
    list.sort_by(|a, b| a.0.total_cmp(&b.0));
    list.dedup_by(|later, earlier| later.0 == earlier.0);
    if list.is_empty() {
        list.push((0.0, limits::CONSTRAINT_WEIGHT.default));
    }
}

pub(super) fn when_ui(
    ui: &mut Ui,
    level: &Level,
    follow: &Cell<Option<EntityId>>,
    when: &mut When,
) -> Option<Manner> {
    let mut manner = None;
    let timed = usize::from(when.hours.is_some());
    if let Some(index) = choice_row(ui, "Hours", timed, &["All day", "Between two times"]) {
        when.hours = (index == 1).then_some(Hours {
            from: 8.0,
            until: 18.0,
        });
        manner = Some(Manner::Chosen);
    }
    if let Some(Hours { from, until }) = &mut when.hours {
        manner = number_row(ui, "From", "", &limits::TIME_OF_DAY, from).or(manner);
        let help = "If earlier than the start, it passes midnight.";
        manner = number_row(ui, "Until", help, &limits::TIME_OF_DAY, until).or(manner);
    }
    let switched = match when.flag {
        None => 0,
        Some(FlagIs::Set(_)) => 1,
        Some(FlagIs::Unset(_)) => 2,
    };
    let options = [
        "Whatever the flags",
        "While a flag is set",
        "While a flag is not set",
    ];
    if let Some(index) = choice_row(ui, "Flag", switched, &options) {
        let flag = when
            .flag
            .map(FlagIs::flag)
            .or_else(|| first_of(level, Role::Flag));
        let changed = match (index, flag) {
            (0, _) | (_, None) => None,
            (1, Some(flag)) => Some(FlagIs::Set(flag)),
            (_, Some(flag)) => Some(FlagIs::Unset(flag)),
        };
        if changed != when.flag {
            when.flag = changed;
            manner = Some(Manner::Chosen);
        }
    }
    if let Some(FlagIs::Set(flag) | FlagIs::Unset(flag)) = &mut when.flag {
        manner = reference_row(ui, level, follow, "Which", Role::Flag, flag).or(manner);
    }
    manner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_stay_sorted_and_unique() {
        let mut list = vec![(22.0, 1.0), (24.0, 2.0), (6.0, 3.0), (22.0, 4.0)];
        sort_hours(&mut list);
        assert_eq!(list, [(0.0, 2.0), (6.0, 3.0), (22.0, 1.0)]);
        let mut none = Vec::new();
        sort_hours(&mut none);
        assert_eq!(none.len(), 1);
    }
}

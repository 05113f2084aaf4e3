//! The list of constraints, each with a sentence that describes it.

use super::list::{list_ui, take};
use crate::base::{EntityId, Quantity};
use crate::document::entity::Role;
use crate::document::{Constraint, Level, Rule, When, limits};
use crate::editor::panels::field::choice::choice_ui;
use crate::editor::panels::field::quantity_text;
use crate::editor::panels::field::row::refusal_ui;
use crate::editor::panels::field::{Manner, Number, Row, Shared};
use crate::editor::panels::form::reference::{Picker, Presence};
use egui::{Label, RichText, Ui};
use std::cell::Cell;

/// `follow` receives the target of a reference that was followed.
pub fn constraints_ui(
    ui: &mut Ui,
    level: &Level,
    follow: &Cell<Option<EntityId>>,
    list: &mut Vec<Constraint>,
) -> Option<Manner> {
    let mut manner = list_ui(ui, "Constraint", list, |ui, constraint| {
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
        list.push(Constraint {
            rule: Rule::Near {
                weight: limits::CONSTRAINT_WEIGHT.default,
            },
            target,
            when: When::Always,
        });
        manner = Some(Manner::Chosen);
    }
    manner
}

fn first_of(level: &Level, role: Role) -> Option<EntityId> {
    level
        .iter()
        .find(|(_, entity)| role.accepts(entity.kind.name()))
        .map(|(id, _)| id)
}

fn constraint_ui(
    ui: &mut Ui,
    level: &Level,
    follow: &Cell<Option<EntityId>>,
    constraint: &mut Constraint,
) -> Option<Manner> {
    let sentence = sentence(level, constraint);
    ui.add(Label::new(RichText::new(sentence).italics()).wrap());
    let mut manner = rule_ui(ui, &mut constraint.rule);
    let target = reference_ui(
        ui,
        level,
        follow,
        "Target",
        Role::ConstraintTarget,
        constraint.target,
    );
    if let Some(target) = target {
        constraint.target = target;
        manner = Some(Manner::Chosen);
    }
    when_ui(ui, level, follow, &mut constraint.when).or(manner)
}

fn rule_ui(ui: &mut Ui, rule: &mut Rule) -> Option<Manner> {
    let (index, weight) = match *rule {
        Rule::In { weight } => (0, weight),
        Rule::Near { weight } => (1, weight),
        Rule::NotIn => (2, limits::CONSTRAINT_WEIGHT.default),
    };
    let picked = choice_row(ui, "Rule", index, &["In", "Near", "Not in"]);
    let mut manner = None;
    if let Some(index) = picked {
        *rule = match index {
            0 => Rule::In { weight },
            1 => Rule::Near { weight },
            _ => Rule::NotIn,
        };
        manner = Some(Manner::Chosen);
    }
    if let Rule::In { weight } | Rule::Near { weight } = rule {
        let help = "Above 0 attracts, below 0 repels.";
        let changed = number_row(ui, "Weight", help, &limits::CONSTRAINT_WEIGHT, weight);
        manner = changed.or(manner);
    }
    manner
}

fn when_ui(
    ui: &mut Ui,
    level: &Level,
    follow: &Cell<Option<EntityId>>,
    when: &mut When,
) -> Option<Manner> {
    let index = match when {
        When::Always => 0,
        When::Flag(_) => 1,
        When::Between { .. } => 2,
    };
    let flag = first_of(level, Role::Flag);
    let options: &[&str] = &["Always", "While a flag is set", "Between two times"];
    let mut manner = None;
    if let Some(index) = choice_row(ui, "When", index, options) {
        let changed = match (index, flag) {
            (0, _) => Some(When::Always),
            (1, Some(flag)) => Some(When::Flag(flag)),
            (1, None) => None,
            _ => Some(When::Between {
                from: 8.0,
                until: 18.0,
            }),
        };
        if let Some(changed) = changed {
            *when = changed;
            manner = Some(Manner::Chosen);
        }
    }
    match when {
        When::Always => manner,
        When::Flag(flag) => {
            let picked = reference_ui(ui, level, follow, "Flag", Role::Flag, *flag)?;
            *flag = picked;
            Some(Manner::Chosen)
        }
        When::Between { from, until } => {
            let first = number_row(ui, "From", "", &limits::TIME_OF_DAY, from);
            let help = "If earlier than the start, it passes midnight.";
            let last = number_row(ui, "Until", help, &limits::TIME_OF_DAY, until);
            first.or(last).or(manner)
        }
    }
}

fn choice_row(ui: &mut Ui, name: &str, index: usize, options: &[&str]) -> Option<usize> {
    Row::new(name)
        .show(ui, |ui, label| {
            choice_ui(ui, label, name, Shared::Same(index), options)
        })
        .inner
}

fn number_row(
    ui: &mut Ui,
    name: &str,
    help: &str,
    quantity: &Quantity,
    value: &mut f64,
) -> Option<Manner> {
    let (change, refusal) = Row::new(name)
        .help(help)
        .show(ui, |ui, label| {
            let width = ui.available_width();
            let output = Number::new(quantity, Shared::Same(*value)).show(ui, width);
            output.response.labelled_by(label);
            (output.change, output.refusal)
        })
        .inner;
    if let Some(sentence) = refusal {
        refusal_ui(ui, &sentence);
    }
    take(value, change)
}

fn reference_ui(
    ui: &mut Ui,
    level: &Level,
    follow: &Cell<Option<EntityId>>,
    name: &str,
    role: Role,
    current: EntityId,
) -> Option<EntityId> {
    let picker = Picker {
        level,
        role,
        presence: Presence::Required,
        current: Shared::Same(Some(current)),
    };
    Row::new(name)
        .to_the_edge()
        .show(ui, |ui, label| {
            let output = picker.show(ui);
            output.response.labelled_by(label);
            follow.set(output.follow.or(follow.get()));
            output.picked.flatten()
        })
        .inner
}

/// The constraint as a sentence.
fn sentence(level: &Level, constraint: &Constraint) -> String {
    let target = level.label(constraint.target);
    let number = |value: f64| quantity_text::format(limits::CONSTRAINT_WEIGHT.unit, value);
    let rule = match constraint.rule {
        Rule::In { weight } => format!("in {target} with weight {}", number(weight)),
        Rule::Near { weight } => format!("near {target} with weight {}", number(weight)),
        Rule::NotIn => format!("not in {target}"),
    };
    let clock = |hours: f64| quantity_text::format(limits::TIME_OF_DAY.unit, hours);
    match constraint.when {
        When::Always => rule,
        When::Flag(flag) => format!("{rule} while {}", level.label(flag)),
        When::Between { from, until } => {
            format!("{rule} from {} until {}", clock(from), clock(until))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Edit, Entity, Kind, ops};

    #[test]
    fn a_constraint_reads_as_a_sentence() {
        let flag = EntityId::new(1);
        let level = ops::apply(
            &Level::default(),
            &[Edit::create(flag, Entity::new("Alarm", Kind::Flag(false)))],
        )
        .expect("valid");
        let mut constraint = Constraint {
            rule: Rule::Near { weight: 2.0 },
            target: EntityId::new(7),
            when: When::Flag(flag),
        };
        assert_eq!(
            sentence(&level, &constraint),
            "near missing #7 with weight 2 while Alarm"
        );
        constraint.rule = Rule::NotIn;
        constraint.when = When::Between {
            from: 22.0,
            until: 6.5,
        };
        assert_eq!(
            sentence(&level, &constraint),
            "not in missing #7 from 22:00 until 06:30"
        );
    }
}

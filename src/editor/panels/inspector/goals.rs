//! The list of goals.

use super::list::list_ui;
use super::places::place_ui;
use crate::base::EntityId;
use crate::document::entity::Role;
use crate::document::{Goal, Level};
use crate::editor::panels::field::choice::choice_ui;
use crate::editor::panels::field::{Manner, Row, Shared};
use crate::editor::panels::form::reference::{Picker, Presence};
use egui::Ui;
use glam::DVec3;
use std::cell::Cell;

/// Distance of a new goal from the previous one. Unit: metres.
const STRIDE: f64 = 5.0;

/// `follow` receives the target of a reference that was followed.
pub fn goals_ui(
    ui: &mut Ui,
    level: &Level,
    near: Option<DVec3>,
    follow: &Cell<Option<EntityId>>,
    goals: &mut Vec<Goal>,
) -> Option<Manner> {
    if goals.is_empty() {
        ui.weak("No goal yet: it will not move.");
    }
    let mut manner = list_ui(ui, "Goal", goals, |ui, goal| {
        goal_ui(ui, level, follow, goal)
    });
    ui.horizontal_wrapped(|ui| {
        if ui.button("Add a point").clicked() {
            let last = goals.iter().rev().find_map(|goal| match goal {
                Goal::At(place) => Some(*place),
                Goal::Inside(_) => None,
            });
            let from = last.or(near).unwrap_or(DVec3::ZERO);
            goals.push(Goal::At(from + DVec3::new(STRIDE, 0.0, 0.0)));
            manner = Some(Manner::Chosen);
        }
        let first_area = first_area(level);
        let add_area = ui
            .add_enabled(first_area.is_some(), egui::Button::new("Add an area"))
            .on_disabled_hover_text("Draw a region or an annotation first.");
        if let Some(area) = first_area
            && add_area.clicked()
        {
            goals.push(Goal::Inside(area));
            manner = Some(Manner::Chosen);
        }
    });
    manner
}

fn first_area(level: &Level) -> Option<EntityId> {
    level
        .iter()
        .find(|(_, entity)| Role::GoalArea.accepts(entity.kind.name()))
        .map(|(id, _)| id)
}

fn goal_ui(
    ui: &mut Ui,
    level: &Level,
    follow: &Cell<Option<EntityId>>,
    goal: &mut Goal,
) -> Option<Manner> {
    let index = match goal {
        Goal::At(_) => 0,
        Goal::Inside(_) => 1,
    };
    let picked = Row::new("Go")
        .show(ui, |ui, label| {
            let options = ["To a point", "Into an area"];
            choice_ui(ui, label, "Go", Shared::Same(index), &options)
        })
        .inner;
    let changed = match picked {
        Some(0) => {
            let centre = match goal {
                Goal::Inside(area) => level.get(*area).and_then(|entity| entity.bounds()),
                Goal::At(_) => None,
            };
            let place = centre.map_or(DVec3::ZERO, |bounds| bounds.centre().extend(0.0));
            Some(Goal::At(place))
        }
        Some(_) => first_area(level).map(Goal::Inside),
        None => None,
    };
    if let Some(changed) = changed {
        *goal = changed;
        return Some(Manner::Chosen);
    }
    match goal {
        Goal::At(place) => place_ui(ui, "At", place),
        Goal::Inside(area) => {
            let picker = Picker {
                level,
                role: Role::GoalArea,
                presence: Presence::Required,
                current: Shared::Same(Some(*area)),
            };
            let output = Row::new("Area")
                .to_the_edge()
                .show(ui, |ui, label| {
                    let output = picker.show(ui);
                    output.response.labelled_by(label);
                    follow.set(output.follow.or(follow.get()));
                    output.picked
                })
                .inner;
            let picked = output.flatten()?;
            *area = picked;
            Some(Manner::Chosen)
        }
    }
}

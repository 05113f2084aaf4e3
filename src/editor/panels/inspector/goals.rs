//! The list of goals.

use super::list::list_ui;
use super::places::place_ui;
use super::rows::{choice_row, first_of};
use super::target::{TargetRoles, target_ui};
use crate::base::EntityId;
use crate::document::entity::Role;
use crate::document::goal_area::goal_area;
use crate::document::{Goal, Level, Target};
use crate::editor::panels::field::Manner;
use crate::geometry::Polygon;
use egui::Ui;
use glam::DVec3;
use std::cell::Cell;

/// Distance of a new goal from the previous one. Unit: metres.
const STRIDE: f64 = 5.0;

const ROLES: TargetRoles = TargetRoles {
    itself: Role::GoalArea,
    object: Role::GoalObject,
};

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
            let last = goals.iter().rev().find_map(Goal::place);
            let from = last.or(near).unwrap_or(DVec3::ZERO);
            goals.push(Goal::At(from + DVec3::new(STRIDE, 0.0, 0.0)));
            manner = Some(Manner::Chosen);
        }
        let first_area = first_of(level, Role::GoalArea);
        let add_area = ui
            .add_enabled(first_area.is_some(), egui::Button::new("Add an area"))
            .on_disabled_hover_text("Draw a region or an area first.");
        if let Some(area) = first_area
            && add_area.clicked()
        {
            goals.push(Goal::inside(area));
            manner = Some(Manner::Chosen);
        }
    });
    manner
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
        Goal::Patrol(_) => 2,
        Goal::NearestExit => 3,
    };
    let options = [
        "To a point",
        "Into an area",
        "On patrol",
        "To the nearest exit",
    ];
    if let Some(index) = choice_row(ui, "Go", index, &options)
        && let Some(changed) = changed(level, goal, index)
    {
        *goal = changed;
        return Some(Manner::Chosen);
    }
    match goal {
        Goal::At(place) => place_ui(ui, "At", place),
        Goal::Inside(target) | Goal::Patrol(target) => target_ui(ui, level, follow, ROLES, target),
        Goal::NearestExit => {
            if level.exits().next().is_none() {
                ui.weak("The level has no exit yet: draw one.");
            }
            None
        }
    }
}

/// The goal in another form; `None` if the level has nothing that it could lead to.
fn changed(level: &Level, goal: &Goal, index: usize) -> Option<Goal> {
    let target = || {
        let first = || first_of(level, Role::GoalArea).map(Target::Entity);
        goal.target().or_else(first)
    };
    match index {
        0 => {
            let areas = goal.target().map(|target| goal_area(level, target));
            let centre = areas.iter().flatten().next().map(Polygon::centroid);
            Some(Goal::At(centre.map_or(DVec3::ZERO, |at| at.extend(0.0))))
        }
        1 => target().map(Goal::Inside),
        2 => target().map(Goal::Patrol),
        _ => Some(Goal::NearestExit),
    }
}

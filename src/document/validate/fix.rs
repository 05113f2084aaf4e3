//! Safe fixes for problems: one click, one undo step.

use super::{Problem, Subject, meshes::fitted, outlines::area_of};
use crate::base::EntityId;
use crate::document::{
    edit::Edit,
    model::{
        Agent, Crowd, Entity, FlagIs, Goal, Kind, Level, Motion, Obstacle, PlannerId, Settings,
        Solid, SolidShape, Target, entity::Role,
    },
};
use crate::geometry::{Aabb, Polygon, boolean, simplify};
use glam::DVec3;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fix {
    /// Make the outline simple; it may become several.
    RepairOutline,
    /// Drop duplicate and collinear points.
    TidyOutline,
    Remove,
    EnlargeBounds,
    /// Refer to another entity instead.
    Redirect {
        from: EntityId,
        to: EntityId,
    },
    /// Clears the field or removes the list entry.
    DropReference {
        to: EntityId,
        role: Role,
    },
    LeaveGroup,
    MoveStart(DVec3),
    MoveGoal {
        index: usize,
        to: DVec3,
    },
    SetCount(u32),
    /// Removes a constraint of the mission, by its index.
    RemoveConstraint(usize),
    RaiseLookAhead,
    /// Reroute around what a route runs through. Needs a planner: see `planner::repair`.
    RerouteAround,
    LowerBentHeight,
    RaiseMaxSpeed,
    /// Append the first free number.
    NumberName,
    AddTag(&'static str),
    /// Fit the box of a mesh to these bounds of its file.
    FitMesh(Aabb),
    /// Use the human motion planner.
    PlanInSpace,
}

impl Fix {
    /// Button label.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        match self {
            Self::RepairOutline => "Repair outline",
            Self::TidyOutline => "Clean up outline",
            Self::Remove => "Remove",
            Self::EnlargeBounds => "Enlarge bounds",
            Self::Redirect { .. } => "Use another",
            Self::DropReference { .. } => "Clear reference",
            Self::LeaveGroup => "Leave group",
            Self::MoveStart(_) => "Move start",
            Self::MoveGoal { .. } => "Move goal",
            Self::SetCount(_) => "Reduce count",
            Self::RemoveConstraint(_) => "Remove constraint",
            Self::RaiseLookAhead => "Raise σ",
            Self::RerouteAround => "Reroute",
            Self::LowerBentHeight => "Lower bent height",
            Self::RaiseMaxSpeed => "Raise top speed",
            Self::NumberName => "Append number",
            Self::AddTag(_) => "Add tag",
            Self::FitMesh(_) => "Fit box",
            Self::PlanInSpace => "Plan in 3D",
        }
    }
}

impl Problem {
    /// The edits that fix this problem in a level that may have changed since; empty if there is
    /// nothing left to do. `fresh` allocates ids for new entities.
    pub fn fix_edits(&self, level: &Level, fresh: &mut dyn FnMut() -> EntityId) -> Vec<Edit> {
        let Some(fix) = self.fix else {
            return Vec::new();
        };
        match self.subject {
            Subject::Level => fix_level(level, fix),
            Subject::Entity(id) => level
                .get(id)
                .map_or_else(Vec::new, |entity| fix_entity(level, id, entity, fix, fresh)),
        }
    }
}

fn fix_level(level: &Level, fix: Fix) -> Vec<Edit> {
    let mut settings = Settings::clone(level.settings());
    if let Fix::DropReference { to, .. } = fix
        && settings.base_terrain == Some(to)
    {
        settings.base_terrain = None;
    }
    vec![Edit::Settings(Arc::new(settings))]
}

fn fix_entity(
    level: &Level,
    id: EntityId,
    entity: &Entity,
    fix: Fix,
    fresh: &mut dyn FnMut() -> EntityId,
) -> Vec<Edit> {
    let mut new = entity.clone();
    match (fix, &mut new.kind) {
        (Fix::Remove, _) => return vec![Edit::Delete { id }],
        (Fix::RepairOutline, _) => return repair(id, entity, fresh),
        (Fix::EnlargeBounds, _) => {
            let Some(own) = entity.drawn_bounds() else {
                return Vec::new();
            };
            let mut settings = Settings::clone(level.settings());
            settings.bounds = settings.bounds.union(&own);
            return vec![Edit::Settings(Arc::new(settings))];
        }
        (Fix::TidyOutline, kind) => {
            for ring in area_of_mut(kind).into_iter().flat_map(Polygon::rings_mut) {
                *ring = simplify::tidy(ring);
            }
        }
        (Fix::Redirect { from, to }, _) => {
            new.visit_references(|_, reference| {
                if *reference == from {
                    *reference = to;
                }
            });
        }
        (Fix::DropReference { to, role }, _) => drop_reference(&mut new, to, role),
        (Fix::LeaveGroup, _) => new.group = None,
        (Fix::MoveStart(to), Kind::Agent(agent)) => agent.start = to,
        (Fix::MoveGoal { index, to }, Kind::Agent(agent)) => {
            move_goal(&mut agent.mission.goals, index, to);
        }
        (Fix::MoveGoal { index, to }, Kind::Crowd(crowd)) => {
            move_goal(&mut crowd.mission.goals, index, to);
        }
        (Fix::SetCount(count), Kind::Crowd(crowd)) => crowd.count = count,
        (
            Fix::RemoveConstraint(index),
            Kind::Agent(Agent { mission, .. }) | Kind::Crowd(Crowd { mission, .. }),
        ) if index < mission.constraints.len() => {
            mission.constraints.remove(index);
        }
        (Fix::RaiseLookAhead, Kind::Route(route)) => route.look_ahead = route.sample_step,
        (Fix::LowerBentHeight, Kind::Profile(profile)) => {
            profile.body.bent_height = profile.body.height;
        }
        (Fix::RaiseMaxSpeed, Kind::Profile(profile)) => {
            profile.pace.max_speed = profile.pace.speed;
        }
        (Fix::FitMesh(bounds), Kind::Solid(solid)) => {
            let SolidShape::Mesh(source) = solid.shape.clone() else {
                return Vec::new();
            };
            *solid = fitted(solid, &source, bounds);
        }
        (Fix::PlanInSpace, Kind::Agent(agent)) => agent.mission.planner = PlannerId::HUMAN,
        (Fix::NumberName, _) => new.name = free_name(level, entity),
        (Fix::AddTag(tag), _) => {
            new.tags.insert(tag.to_owned());
        }
        // The entity has changed since the problem was found.
        _ => return Vec::new(),
    }
    vec![Edit::replace(id, new)]
}

/// The parts of a repaired outline: the largest keeps the id, the others become copies.
fn repair(id: EntityId, entity: &Entity, fresh: &mut dyn FnMut() -> EntityId) -> Vec<Edit> {
    let Some(area) = area_of(&entity.kind) else {
        return Vec::new();
    };
    let mut parts = boolean::repaired(area);
    parts.sort_by(|a, b| b.area().total_cmp(&a.area()));
    if parts.is_empty() {
        return vec![Edit::Delete { id }];
    }
    parts
        .into_iter()
        .enumerate()
        .map(|(i, part)| {
            let mut new = entity.clone();
            if let Some(area) = area_of_mut(&mut new.kind) {
                *area = part;
            }
            if i == 0 {
                Edit::replace(id, new)
            } else {
                Edit::create(fresh(), new)
            }
        })
        .collect()
}

fn area_of_mut(kind: &mut Kind) -> Option<&mut Polygon> {
    use crate::document::model::{Annotation, Measure, MeasureShape};
    match kind {
        Kind::Region(region) => Some(&mut region.area),
        Kind::Obstacle(obstacle) => Some(&mut obstacle.area),
        Kind::Crowd(crowd) => Some(&mut crowd.area),
        Kind::Annotation(Annotation::Area(area)) => Some(area),
        Kind::Exit(exit) => Some(&mut exit.area),
        Kind::WaitingArea(waiting) => Some(&mut waiting.area),
        Kind::Measure(Measure {
            shape: MeasureShape::Area(area),
            ..
        }) => Some(area),
        _ => None,
    }
}

fn move_goal(goals: &mut [Goal], index: usize, to: DVec3) {
    if let Some(goal @ Goal::At(_)) = goals.get_mut(index) {
        *goal = Goal::At(to);
    }
}

fn drop_reference(entity: &mut Entity, to: EntityId, role: Role) {
    match role {
        Role::Layer => entity.layer = None,
        Role::Group => entity.group = None,
        _ => {}
    }
    let mission = match &mut entity.kind {
        Kind::Agent(agent) => Some(&mut agent.mission),
        Kind::Crowd(crowd) => Some(&mut crowd.mission),
        Kind::Profile(profile) => {
            profile.terrain_weights.remove(&to);
            None
        }
        Kind::Test(test) => {
            test.expectation.never_in.retain(|area| *area != to);
            let densities = &mut test.expectation.run.max_density;
            densities.retain(|density| density.area != to);
            None
        }
        Kind::Door(door) => {
            door.locked_for.remove(&to);
            let is_kept = |flag: FlagIs| flag.flag() != to;
            door.changes
                .retain(|change| change.when.flag.is_none_or(is_kept));
            None
        }
        Kind::Link(link) => {
            link.profiles.remove(&to);
            None
        }
        Kind::Obstacle(Obstacle { motion, .. }) | Kind::Solid(Solid { motion, .. }) => {
            leave_route(motion);
            None
        }
        _ => None,
    };
    let Some(mission) = mission else {
        return;
    };
    let leads_there = |target: Target| target.entities().any(|id| id == to);
    match role {
        Role::Route => mission.route = None,
        Role::GoalArea | Role::GoalObject => mission
            .goals
            .retain(|goal| !goal.target().is_some_and(leads_there)),
        Role::ConstraintTarget | Role::ConstraintObject => {
            mission.constraints.retain(|c| !leads_there(c.target));
        }
        Role::Flag => mission
            .constraints
            .retain(|c| c.when.flag.map(FlagIs::flag) != Some(to)),
        _ => {}
    }
}

/// The drawn path is followed again; without one there is no motion.
fn leave_route(motion: &mut Option<Motion>) {
    if let Some(moving) = motion {
        moving.route = None;
        if moving.path.is_empty() {
            *motion = None;
        }
    }
}

fn free_name(level: &Level, entity: &Entity) -> String {
    let kind = entity.kind.name();
    let stem = entity
        .name
        .trim_end_matches(|c: char| c.is_ascii_digit())
        .trim_end();
    (2..)
        .map(|number| format!("{stem} {number}"))
        .find(|name| level.find(kind, name).is_none())
        .unwrap_or_default()
}

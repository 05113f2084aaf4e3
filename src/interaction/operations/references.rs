//! Updates references when their target is deleted or converted.

use crate::base::{Distribution, EntityId};
use crate::document::entity::Role;
use crate::document::{
    Annotation, Entity, Kind, Mission, Motion, Obstacle, Query, Relation, Solid, Target, Wait,
    WaitingArea, When, limits,
};
use std::collections::BTreeSet;

/// What becomes of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::interaction) enum Fate {
    Stays,
    Leads(EntityId),
    Ends,
}

/// The entity with updated references; `None` if it cannot exist without one that was cut: a region
/// without terrain, a mission without profile, a relation without its object, a door without its
/// wall.
pub(in crate::interaction) fn followed(
    entity: &Entity,
    mut fate: impl FnMut(Role, EntityId) -> Fate,
) -> Option<Entity> {
    let mut entity = entity.clone();
    let mut follow = |role: Role, id: EntityId| match fate(role, id) {
        Fate::Stays => Some(id),
        Fate::Leads(to) => Some(to),
        Fate::Ends => None,
    };
    entity.layer = entity.layer.and_then(|id| follow(Role::Layer, id));
    entity.group = entity.group.and_then(|id| follow(Role::Group, id));
    match &mut entity.kind {
        Kind::Region(region) => region.terrain = follow(Role::Terrain, region.terrain)?,
        Kind::Profile(profile) => {
            profile.terrain_weights = std::mem::take(&mut profile.terrain_weights)
                .into_iter()
                .filter_map(|(terrain, weight)| Some((follow(Role::Terrain, terrain)?, weight)))
                .collect();
        }
        Kind::Annotation(Annotation::Relation { object, relation }) => {
            *object = follow(Role::Object, *object)?;
            if let Relation::Between { other } = relation {
                *other = follow(Role::Object, *other)?;
            }
        }
        Kind::Obstacle(Obstacle { motion, .. }) | Kind::Solid(Solid { motion, .. }) => {
            follow_motion(motion, &mut follow);
        }
        Kind::Agent(agent) => follow_mission(&mut agent.mission, &mut follow)?,
        Kind::Crowd(crowd) => follow_mission(&mut crowd.mission, &mut follow)?,
        Kind::Test(test) => {
            match &mut test.query {
                Query::Run => {}
                Query::Agent(agent) => *agent = follow(Role::TestedAgent, *agent)?,
                Query::Between { profile, .. } => *profile = follow(Role::Profile, *profile)?,
            }
            test.expectation.never_in = test
                .expectation
                .never_in
                .iter()
                .filter_map(|area| follow(Role::TestedArea, *area))
                .collect();
            test.expectation.run.max_density.retain_mut(|density| {
                follow(Role::MeasuredArea, density.area).is_some_and(|to| {
                    density.area = to;
                    true
                })
            });
        }
        Kind::Door(door) => {
            door.changes
                .retain_mut(|change| follow_when(&mut change.when, &mut follow));
            follow_set(&mut door.locked_for, Role::Profile, &mut follow);
            if let Some(wall) = &mut door.wall {
                *wall = follow(Role::Wall, *wall)?;
            }
        }
        Kind::Link(link) => {
            let had_profiles = !link.profiles.is_empty();
            follow_set(&mut link.profiles, Role::Profile, &mut follow);
            // Without any it would be open to all.
            if had_profiles && link.profiles.is_empty() {
                return None;
            }
        }
        Kind::WaitingArea(WaitingArea { wait, .. }) => {
            if let Wait::Until(condition) = wait {
                *wait = match follow(Role::Flag, condition.flag()) {
                    Some(to) => Wait::Until(condition.on(to)),
                    None => Wait::For(Distribution::Constant(limits::WAITING.default)),
                };
            }
        }
        Kind::Terrain(_)
        | Kind::Flag(_)
        | Kind::Layer
        | Kind::Group
        | Kind::Wall(_)
        | Kind::Route(_)
        | Kind::Annotation(Annotation::Area(_))
        | Kind::Exit(_)
        | Kind::Queue(_)
        | Kind::Measure(_)
        | Kind::Note(_) => {}
    }
    Some(entity)
}

fn follow_mission(
    mission: &mut Mission,
    follow: &mut impl FnMut(Role, EntityId) -> Option<EntityId>,
) -> Option<()> {
    mission.profile = follow(Role::Profile, mission.profile)?;
    mission.route = mission.route.and_then(|route| follow(Role::Route, route));
    mission.goals.retain_mut(|goal| match goal.target_mut() {
        None => true,
        Some(target) => follow_target(target, Role::GoalArea, Role::GoalObject, follow).is_some(),
    });
    // A constraint without its target or switch would mean something else: remove it.
    mission.constraints.retain_mut(|constraint| {
        let (itself, object) = (Role::ConstraintTarget, Role::ConstraintObject);
        if follow_target(&mut constraint.target, itself, object, follow).is_none() {
            return false;
        }
        follow_when(&mut constraint.when, follow)
    });
    Some(())
}

/// Whether the condition can still be told: its flag was not cut.
fn follow_when(
    when: &mut When,
    follow: &mut impl FnMut(Role, EntityId) -> Option<EntityId>,
) -> bool {
    match &mut when.flag {
        Some(condition) => follow(Role::Flag, condition.flag()).is_some_and(|to| {
            *condition = condition.on(to);
            true
        }),
        None => true,
    }
}

fn follow_set(
    set: &mut BTreeSet<EntityId>,
    role: Role,
    follow: &mut impl FnMut(Role, EntityId) -> Option<EntityId>,
) {
    *set = set.iter().filter_map(|id| follow(role, *id)).collect();
}

/// `None` if something it refers to was cut.
fn follow_target(
    target: &mut Target,
    itself: Role,
    object_of_relation: Role,
    follow: &mut impl FnMut(Role, EntityId) -> Option<EntityId>,
) -> Option<()> {
    match target {
        Target::Entity(id) => *id = follow(itself, *id)?,
        Target::Relation { object, relation } => {
            *object = follow(object_of_relation, *object)?;
            if let Relation::Between { other } = relation {
                *other = follow(object_of_relation, *other)?;
            }
        }
    }
    Some(())
}

/// A motion along a route that was cut goes on along the drawn path, if there is one.
fn follow_motion(
    motion: &mut Option<Motion>,
    follow: &mut impl FnMut(Role, EntityId) -> Option<EntityId>,
) {
    let Some(moving) = motion else { return };
    moving.route = moving.route.and_then(|route| follow(Role::Route, route));
    if moving.route.is_none() && moving.path.is_empty() {
        *motion = None;
    }
}

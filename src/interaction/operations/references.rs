//! Updates references when their target is deleted or converted.

use crate::base::EntityId;
use crate::document::entity::Role;
use crate::document::{
    Annotation, Entity, Kind, Mission, Motion, Obstacle, Query, Relation, Solid, Target,
};

/// What becomes of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::interaction) enum Fate {
    Stays,
    Leads(EntityId),
    Ends,
}

/// The entity with updated references; `None` if it cannot exist without one that was cut: a region
/// without terrain, a mission without profile, a relation without its object.
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
                Query::Agent(agent) => *agent = follow(Role::TestedAgent, *agent)?,
                Query::Between { profile, .. } => *profile = follow(Role::Profile, *profile)?,
            }
            test.expectation.never_in = test
                .expectation
                .never_in
                .iter()
                .filter_map(|area| follow(Role::TestedArea, *area))
                .collect();
        }
        Kind::Terrain(_)
        | Kind::Flag(_)
        | Kind::Layer
        | Kind::Group
        | Kind::Route(_)
        | Kind::Annotation(Annotation::Area(_))
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
        match &mut constraint.when.flag {
            Some(condition) => follow(Role::Flag, condition.flag()).is_some_and(|to| {
                *condition = condition.on(to);
                true
            }),
            None => true,
        }
    });
    Some(())
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

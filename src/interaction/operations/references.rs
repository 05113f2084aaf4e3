//! Updates references when their target is deleted or converted.

use crate::base::EntityId;
use crate::document::entity::Role;
use crate::document::{Annotation, Entity, Goal, Kind, Mission, Query, Relation, When};

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
        | Kind::Obstacle(_)
        | Kind::Solid(_)
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
    mission.goals.retain_mut(|goal| match goal {
        Goal::At(_) => true,
        Goal::Inside(area) => follow(Role::GoalArea, *area).is_some_and(|to| {
            *area = to;
            true
        }),
    });
    // A constraint without its target or switch would mean something else: remove it.
    mission.constraints.retain_mut(|constraint| {
        let Some(target) = follow(Role::ConstraintTarget, constraint.target) else {
            return false;
        };
        constraint.target = target;
        match &mut constraint.when {
            When::Flag(flag) => follow(Role::Flag, *flag).is_some_and(|to| {
                *flag = to;
                true
            }),
            When::Always | When::Between { .. } => true,
        }
    });
    Some(())
}

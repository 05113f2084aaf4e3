//! Constraints: can they be meant as they stand?

use super::agents::{body_of, nearest_free};
use super::{Code, Fix, Problem, Severity, obstacles::ObstacleIndex};
use crate::base::EntityId;
use crate::document::annotation_area::{annotation_area, outline, relation_area};
use crate::document::model::{
    Annotation, Constraint, Entity, FlagIs, Hours, Kind, Level, Mission, Rule, Target, When,
};
use crate::document::sentence::{Names, print_constraint};
use glam::DVec2;
use std::cell::OnceCell;

/// What is made once for all entities, if it is needed at all.
pub(super) struct ConstraintCheck<'a> {
    level: &'a Level,
    obstacles: &'a ObstacleIndex<'a>,
    names: OnceCell<Names>,
}

impl<'a> ConstraintCheck<'a> {
    pub(super) const fn new(level: &'a Level, obstacles: &'a ObstacleIndex<'a>) -> Self {
        Self {
            level,
            obstacles,
            names: OnceCell::new(),
        }
    }

    pub(super) fn check(&self, id: EntityId, entity: &Entity, problems: &mut Vec<Problem>) {
        if let Kind::Annotation(Annotation::Relation { object, relation }) = entity.kind
            && self.level.contains(object)
            && relation_area(self.level, object, relation).is_empty()
        {
            let message = "it covers nothing here; choose another relation or object";
            problems.push(
                Problem::new(Severity::Warning, Code::EmptyRelation, id, message)
                    .fixed_by(Fix::Remove),
            );
        }
        let Some(mission) = entity.mission() else {
            return;
        };
        for (index, constraint) in mission.constraints.iter().enumerate() {
            self.check_relation(id, index, constraint, problems);
            self.check_contradiction(id, index, mission, problems);
        }
        self.check_start(id, entity, mission, problems);
    }

    fn sentence(&self, constraint: &Constraint) -> String {
        let names = self.names.get_or_init(|| Names::of(self.level));
        print_constraint(constraint, names)
    }

    fn check_relation(
        &self,
        id: EntityId,
        index: usize,
        constraint: &Constraint,
        problems: &mut Vec<Problem>,
    ) {
        let Target::Relation { object, relation } = constraint.target else {
            return;
        };
        let exist = constraint
            .target
            .entities()
            .all(|id| self.level.contains(id));
        if exist && relation_area(self.level, object, relation).is_empty() {
            let message = format!(
                "its constraint “{}” covers nothing here; choose another object",
                self.sentence(constraint)
            );
            problems.push(
                Problem::new(Severity::Warning, Code::EmptyRelation, id, message)
                    .fixed_by(Fix::RemoveConstraint(index)),
            );
        }
    }

    fn check_contradiction(
        &self,
        id: EntityId,
        index: usize,
        mission: &Mission,
        problems: &mut Vec<Problem>,
    ) {
        let soft = &mission.constraints[index];
        let other = contradicting(&mission.constraints, soft);
        if let Some(other) = other {
            let message = format!(
                "its constraints “{}” and “{}” contradict each other; remove one",
                self.sentence(soft),
                self.sentence(other)
            );
            problems.push(
                Problem::new(Severity::Warning, Code::Contradiction, id, message)
                    .fixed_by(Fix::RemoveConstraint(index)),
            );
        }
    }

    /// An agent that begins where it must never be, when the level's clock starts.
    fn check_start(
        &self,
        id: EntityId,
        entity: &Entity,
        mission: &Mission,
        problems: &mut Vec<Problem>,
    ) {
        let Kind::Agent(agent) = &entity.kind else {
            return;
        };
        let level = self.level;
        let acting: Vec<&Constraint> = mission
            .constraints
            .iter()
            .filter(|c| c.rule == Rule::NotIn)
            .filter(|c| {
                c.when
                    .holds(level.settings().clock.start, |flag| is_set(level, flag))
            })
            .collect();
        let forbids = |p: DVec2| acting.iter().find(|c| covers(level, c.target, p));
        let Some(hard) = forbids(agent.start.truncate()) else {
            return;
        };
        let message = format!(
            "its start is where its constraint “{}” does not let it be; move it out",
            self.sentence(hard)
        );
        let problem = Problem::new(Severity::Error, Code::StartForbidden, id, message)
            .at(agent.start.truncate());
        let body = body_of(level, mission);
        let free = nearest_free(level, self.obstacles, agent.start, &body, |p| {
            forbids(p).is_none()
        });
        problems.push(match free {
            Some(to) => problem.fixed_by(Fix::MoveStart(to)),
            None => problem,
        });
    }
}

fn is_set(level: &Level, flag: EntityId) -> bool {
    matches!(
        level.get(flag).map(|entity| &entity.kind),
        Some(Kind::Flag(true))
    )
}

/// The constraint that an attracting one contradicts: attracted into what is forbidden, where the soft
/// one has no effect; or attracted and repelled by one target.
#[must_use]
pub fn contradicting<'a>(all: &'a [Constraint], soft: &Constraint) -> Option<&'a Constraint> {
    if soft.rule.weight()?.max() <= 0.0 {
        return None;
    }
    let opposes = |other: &Constraint| match (&soft.rule, &other.rule) {
        (Rule::In { .. }, Rule::NotIn) => true,
        (Rule::In { .. }, Rule::In { weight }) | (Rule::Near { .. }, Rule::Near { weight }) => {
            weight.max() < 0.0
        }
        _ => false,
    };
    all.iter().find(|other| {
        opposes(other) && other.target == soft.target && may_act_together(&other.when, &soft.when)
    })
}

/// Whether two conditions can hold at one time.
fn may_act_together(a: &When, b: &When) -> bool {
    let flags = match (a.flag, b.flag) {
        (Some(FlagIs::Set(one)), Some(FlagIs::Unset(other)))
        | (Some(FlagIs::Unset(one)), Some(FlagIs::Set(other))) => one != other,
        _ => true,
    };
    let hours = match (a.hours, b.hours) {
        (Some(a), Some(b)) => overlap(a, b),
        _ => true,
    };
    flags && hours
}

/// Two spans of a day overlap if one begins within the other.
fn overlap(a: Hours, b: Hours) -> bool {
    a.contains(b.from) || b.contains(a.from)
}

/// Whether a target covers a point; what is missing covers none.
fn covers(level: &Level, target: Target, p: DVec2) -> bool {
    let holds = |areas: &[crate::geometry::Polygon]| areas.iter().any(|area| area.contains(p));
    match target {
        Target::Relation { object, relation } => holds(&relation_area(level, object, relation)),
        Target::Entity(id) => match level.get(id).map(|entity| &entity.kind) {
            Some(Kind::Annotation(_)) => holds(&annotation_area(level, id)),
            Some(Kind::Region(region)) => region.area.contains(p),
            Some(Kind::Terrain(_)) => terrain_at(level, p) == Some(id),
            Some(Kind::Obstacle(_) | Kind::Solid(_)) => holds(&outline(level, id)),
            _ => false,
        },
    }
}

/// The topmost region's terrain, or the base terrain outside all regions.
fn terrain_at(level: &Level, p: DVec2) -> Option<EntityId> {
    let mut found = level.settings().base_terrain;
    for (_, entity) in level.iter() {
        if let Kind::Region(region) = &entity.kind
            && region.area.contains(p)
        {
            found = Some(region.terrain);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_that_exclude_each_other_are_no_contradiction() {
        let flag = EntityId::new(1);
        let day = When::between(6.0, 22.0);
        let night = When::between(22.0, 6.0);
        assert!(!may_act_together(&day, &night));
        assert!(may_act_together(&day, &When::ALWAYS));
        assert!(may_act_together(&night, &When::between(23.0, 1.0)));
        let unset = When {
            hours: None,
            flag: Some(FlagIs::Unset(flag)),
        };
        assert!(!may_act_together(&When::while_set(flag), &unset));
        assert!(may_act_together(&When::while_set(flag), &night));
    }
}

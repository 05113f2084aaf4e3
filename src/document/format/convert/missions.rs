//! Missions with their constraints, and navigation tests.

use super::{from_place, id, place, v2};
use crate::base::EntityId;
use crate::document::model::{
    Constraint, ConstraintOptions, Expectation, Goal, Mission, NavTest, Query, Rule, Target,
    WalkOptions, Weight,
};
use glam::DVec3;

impl From<&Mission> for v2::Mission {
    fn from(mission: &Mission) -> Self {
        Self {
            profile: id(mission.profile),
            planner: mission.planner.into(),
            walk: v2::Walk {
                attraction: mission.walk.attraction.into(),
                control: mission.walk.control.into(),
                safe_distance: mission.walk.safe_distance,
            },
            goals: mission
                .goals
                .iter()
                .map(|goal| match goal {
                    Goal::At(p) => v2::Goal::At(p.x, p.y, p.z),
                    Goal::Inside(target) => v2::Goal::Inside(target.into()),
                    Goal::Patrol(target) => v2::Goal::Patrol(target.into()),
                    Goal::NearestExit => v2::Goal::NearestExit,
                })
                .collect(),
            repeat: mission.repeat.into(),
            route: mission.route.map(id),
            constraints: mission.constraints.iter().map(Into::into).collect(),
            constraint_options: v2::ConstraintOptions {
                domain: mission.constraint_options.domain.into(),
                search: mission.constraint_options.search.into(),
                spacing: mission.constraint_options.spacing,
                epsilon: mission.constraint_options.epsilon,
                expansions: mission.constraint_options.expansions,
            },
        }
    }
}

impl From<v2::Mission> for Mission {
    fn from(mission: v2::Mission) -> Self {
        Self {
            profile: EntityId::new(mission.profile),
            goals: mission
                .goals
                .into_iter()
                .map(|goal| match goal {
                    v2::Goal::At(x, y, z) => Goal::At(DVec3::new(x, y, z)),
                    v2::Goal::Inside(target) => Goal::Inside(target.into()),
                    v2::Goal::Patrol(target) => Goal::Patrol(target.into()),
                    v2::Goal::NearestExit => Goal::NearestExit,
                })
                .collect(),
            repeat: mission.repeat.into(),
            planner: mission.planner.into(),
            walk: WalkOptions {
                attraction: mission.walk.attraction.into(),
                control: mission.walk.control.into(),
                safe_distance: mission.walk.safe_distance,
            },
            route: mission.route.map(EntityId::new),
            constraints: mission.constraints.into_iter().map(Into::into).collect(),
            constraint_options: ConstraintOptions {
                domain: mission.constraint_options.domain.into(),
                search: mission.constraint_options.search.into(),
                spacing: mission.constraint_options.spacing,
                epsilon: mission.constraint_options.epsilon,
                expansions: mission.constraint_options.expansions,
            },
        }
    }
}

impl From<&Target> for v2::Target {
    fn from(target: &Target) -> Self {
        match *target {
            Target::Entity(entity) => Self::Entity(id(entity)),
            Target::Relation { object, relation } => Self::Relation(v2::Relation {
                object: id(object),
                relation: relation.into(),
            }),
        }
    }
}

impl From<v2::Target> for Target {
    fn from(target: v2::Target) -> Self {
        match target {
            v2::Target::Entity(entity) => Self::Entity(EntityId::new(entity)),
            v2::Target::Relation(v2::Relation { object, relation }) => Self::Relation {
                object: EntityId::new(object),
                relation: relation.into(),
            },
        }
    }
}

impl From<&Weight> for v2::Weight {
    fn from(weight: &Weight) -> Self {
        match weight {
            Weight::Constant(weight) => Self::Constant(*weight),
            Weight::ByHour(list) => Self::ByHour(list.clone()),
        }
    }
}

impl From<v2::Weight> for Weight {
    fn from(weight: v2::Weight) -> Self {
        match weight {
            v2::Weight::Constant(weight) => Self::Constant(weight),
            v2::Weight::ByHour(list) => Self::ByHour(list),
        }
    }
}

impl From<&Constraint> for v2::Constraint {
    fn from(constraint: &Constraint) -> Self {
        Self {
            rule: match &constraint.rule {
                Rule::In { weight } => v2::Rule::In {
                    weight: weight.into(),
                },
                Rule::Near { weight } => v2::Rule::Near {
                    weight: weight.into(),
                },
                Rule::NotIn => v2::Rule::NotIn,
            },
            target: (&constraint.target).into(),
            when: constraint.when.into(),
        }
    }
}

impl From<v2::Constraint> for Constraint {
    fn from(constraint: v2::Constraint) -> Self {
        Self {
            rule: match constraint.rule {
                v2::Rule::In { weight } => Rule::In {
                    weight: weight.into(),
                },
                v2::Rule::Near { weight } => Rule::Near {
                    weight: weight.into(),
                },
                v2::Rule::NotIn => Rule::NotIn,
            },
            target: constraint.target.into(),
            when: constraint.when.into(),
        }
    }
}

impl From<&NavTest> for v2::Test {
    fn from(test: &NavTest) -> Self {
        let Expectation {
            reachable,
            max_length,
            max_cost,
            min_clearance,
            never_in,
            run,
        } = &test.expectation;
        Self {
            query: match test.query {
                Query::Run => v2::Query::Run,
                Query::Agent(agent) => v2::Query::Agent(id(agent)),
                Query::Between {
                    from,
                    to,
                    profile,
                    planner,
                } => v2::Query::Between {
                    from: place(from),
                    to: place(to),
                    profile: id(profile),
                    planner: planner.into(),
                },
            },
            unreachable: !reachable,
            max_length: *max_length,
            max_cost: *max_cost,
            min_clearance: *min_clearance,
            never_in: never_in.iter().copied().map(id).collect(),
            run: run.into(),
        }
    }
}

impl From<v2::Test> for NavTest {
    fn from(test: v2::Test) -> Self {
        Self {
            query: match test.query {
                v2::Query::Run => Query::Run,
                v2::Query::Agent(agent) => Query::Agent(EntityId::new(agent)),
                v2::Query::Between {
                    from,
                    to,
                    profile,
                    planner,
                } => Query::Between {
                    from: from_place(from),
                    to: from_place(to),
                    profile: EntityId::new(profile),
                    planner: planner.into(),
                },
            },
            expectation: Expectation {
                reachable: !test.unreachable,
                max_length: test.max_length,
                max_cost: test.max_cost,
                min_clearance: test.min_clearance,
                never_in: test.never_in.into_iter().map(EntityId::new).collect(),
                run: test.run.into(),
            },
        }
    }
}

//! Missions with their constraints, and navigation tests.

use super::{from_place, id, place, v1};
use crate::base::EntityId;
use crate::document::model::{
    Constraint, Expectation, Goal, Mission, NavTest, Query, Rule, WalkOptions, When,
};
use glam::DVec3;

impl From<&Mission> for v1::Mission {
    fn from(mission: &Mission) -> Self {
        Self {
            profile: id(mission.profile),
            planner: mission.planner.into(),
            walk: v1::Walk {
                attraction: mission.walk.attraction.into(),
                control: mission.walk.control.into(),
                safe_distance: mission.walk.safe_distance,
            },
            goals: mission
                .goals
                .iter()
                .map(|goal| match goal {
                    Goal::At(p) => v1::Goal::At(p.x, p.y, p.z),
                    Goal::Inside(area) => v1::Goal::Inside(id(*area)),
                })
                .collect(),
            repeat: mission.repeat.into(),
            route: mission.route.map(id),
            constraints: mission.constraints.iter().map(Into::into).collect(),
        }
    }
}

impl From<v1::Mission> for Mission {
    fn from(mission: v1::Mission) -> Self {
        Self {
            profile: EntityId::new(mission.profile),
            goals: mission
                .goals
                .into_iter()
                .map(|goal| match goal {
                    v1::Goal::At(x, y, z) => Goal::At(DVec3::new(x, y, z)),
                    v1::Goal::Inside(area) => Goal::Inside(EntityId::new(area)),
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
        }
    }
}

impl From<&Constraint> for v1::Constraint {
    fn from(constraint: &Constraint) -> Self {
        Self {
            rule: match constraint.rule {
                Rule::In { weight } => v1::Rule::In { weight },
                Rule::Near { weight } => v1::Rule::Near { weight },
                Rule::NotIn => v1::Rule::NotIn,
            },
            target: id(constraint.target),
            when: match constraint.when {
                When::Always => v1::When::Always,
                When::Flag(flag) => v1::When::Flag(id(flag)),
                When::Between { from, until } => v1::When::Between { from, until },
            },
        }
    }
}

impl From<v1::Constraint> for Constraint {
    fn from(constraint: v1::Constraint) -> Self {
        Self {
            rule: match constraint.rule {
                v1::Rule::In { weight } => Rule::In { weight },
                v1::Rule::Near { weight } => Rule::Near { weight },
                v1::Rule::NotIn => Rule::NotIn,
            },
            target: EntityId::new(constraint.target),
            when: match constraint.when {
                v1::When::Always => When::Always,
                v1::When::Flag(flag) => When::Flag(EntityId::new(flag)),
                v1::When::Between { from, until } => When::Between { from, until },
            },
        }
    }
}

impl From<&NavTest> for v1::Test {
    fn from(test: &NavTest) -> Self {
        let Expectation {
            reachable,
            max_length,
            max_cost,
            min_clearance,
            never_in,
        } = &test.expectation;
        Self {
            query: match test.query {
                Query::Agent(agent) => v1::Query::Agent(id(agent)),
                Query::Between {
                    from,
                    to,
                    profile,
                    planner,
                } => v1::Query::Between {
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
        }
    }
}

impl From<v1::Test> for NavTest {
    fn from(test: v1::Test) -> Self {
        Self {
            query: match test.query {
                v1::Query::Agent(agent) => Query::Agent(EntityId::new(agent)),
                v1::Query::Between {
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
            },
        }
    }
}

//! Migration from version 1 to version 2.

use super::{v1, v2};

impl From<v1::File> for v2::File {
    fn from(old: v1::File) -> Self {
        Self {
            version: 2,
            next_id: old.next_id,
            settings: old.settings.into(),
            ground: old.ground,
            entities: old.entities.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<v1::Clip> for v2::Clip {
    fn from(old: v1::Clip) -> Self {
        Self {
            version: 2,
            entities: old.entities.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<v1::Entity> for v2::Entity {
    fn from(old: v1::Entity) -> Self {
        Self {
            id: old.id,
            name: old.name,
            layer: old.layer,
            group: old.group,
            hidden: old.hidden,
            locked: old.locked,
            tags: old.tags,
            kind: Box::new((*old.kind).into()),
        }
    }
}

impl From<v1::Kind> for v2::Kind {
    fn from(old: v1::Kind) -> Self {
        use v1::Kind as Old;
        match old {
            Old::Terrain(terrain) => Self::Terrain(terrain),
            Old::Profile(profile) => Self::Profile(profile),
            Old::Flag(set) => Self::Flag(set),
            Old::Layer => Self::Layer,
            Old::Group => Self::Group,
            Old::Region(region) => Self::Region(region),
            Old::Obstacle(obstacle) => Self::Obstacle(obstacle.into()),
            Old::Solid(solid) => Self::Solid(v2::Solid {
                shape: solid.shape,
                position: solid.position,
                rotation: solid.rotation,
                size: solid.size,
                motion: None,
            }),
            Old::Route(route) => Self::Route(route),
            Old::Area(area) => Self::Area(area),
            Old::Relation(relation) => Self::Relation(v2::Relation {
                object: relation.object,
                relation: relation.relation.into(),
            }),
            Old::Agent(agent) => Self::Agent(v2::Agent {
                start: agent.start,
                heading: agent.heading,
                mission: agent.mission.into(),
            }),
            Old::Crowd(crowd) => Self::Crowd(v2::Crowd {
                area: crowd.area,
                count: crowd.count,
                per_second: crowd.per_second,
                timetable: Vec::new(),
                groups: Vec::new(),
                speed_deviation: 0.0,
                delay: None,
                mission: crowd.mission.into(),
            }),
            Old::Note(note) => Self::Note(note),
            Old::Test(test) => Self::Test(test.into()),
        }
    }
}

impl From<v1::Settings> for v2::Settings {
    fn from(old: v1::Settings) -> Self {
        Self {
            name: old.name,
            notes: old.notes,
            bounds: old.bounds,
            grid: old.grid,
            grid_hidden: old.grid_hidden,
            no_ground: old.no_ground,
            snap: old.snap,
            base_terrain: old.base_terrain,
            clock: old.clock,
            cells: old.cells,
            cell_rules: v2::CellRules::default(),
            forbidding: old.forbidding,
            simulation: v2::Simulation::default(),
        }
    }
}

impl From<v1::Test> for v2::Test {
    fn from(old: v1::Test) -> Self {
        Self {
            query: match old.query {
                v1::Query::Agent(agent) => v2::Query::Agent(agent),
                v1::Query::Between {
                    from,
                    to,
                    profile,
                    planner,
                } => v2::Query::Between {
                    from,
                    to,
                    profile,
                    planner,
                },
            },
            unreachable: old.unreachable,
            max_length: old.max_length,
            max_cost: old.max_cost,
            min_clearance: old.min_clearance,
            never_in: old.never_in,
            run: v2::RunExpectation::default(),
        }
    }
}

impl From<v1::Obstacle> for v2::Obstacle {
    fn from(old: v1::Obstacle) -> Self {
        Self {
            area: old.area,
            base: old.base,
            height: old.height,
            facing: old.facing,
            motion: old.motion.map(|motion| v2::Motion {
                path: motion.path,
                route: None,
                speed: motion.speed,
                repeat: motion.repeat,
            }),
        }
    }
}

impl From<v1::RelationShape> for v2::RelationShape {
    fn from(old: v1::RelationShape) -> Self {
        use v1::RelationShape as Old;
        match old {
            Old::Front { reach } => Self::Front { reach },
            Old::Back { reach } => Self::Back { reach },
            Old::Left { reach } => Self::Left { reach },
            Old::Right { reach } => Self::Right { reach },
            Old::Around { reach } => Self::Around { reach },
            Old::Between { other } => Self::Between { other },
            Old::LineOfSight { range, angle } => Self::LineOfSight { range, angle },
            Old::Along { reach } => Self::Along { reach },
        }
    }
}

impl From<v1::Mission> for v2::Mission {
    fn from(old: v1::Mission) -> Self {
        Self {
            profile: old.profile,
            planner: old.planner,
            walk: old.walk,
            goals: old.goals.into_iter().map(Into::into).collect(),
            repeat: old.repeat,
            route: old.route,
            constraints: old.constraints.into_iter().map(Into::into).collect(),
            constraint_options: v2::ConstraintOptions::default(),
        }
    }
}

impl From<v1::Goal> for v2::Goal {
    fn from(old: v1::Goal) -> Self {
        match old {
            v1::Goal::At(x, y, z) => Self::At(x, y, z),
            v1::Goal::Inside(id) => Self::Inside(v2::Target::Entity(id)),
        }
    }
}

impl From<v1::Constraint> for v2::Constraint {
    fn from(old: v1::Constraint) -> Self {
        Self {
            rule: match old.rule {
                v1::Rule::In { weight } => v2::Rule::In {
                    weight: v2::Weight::Constant(weight),
                },
                v1::Rule::Near { weight } => v2::Rule::Near {
                    weight: v2::Weight::Constant(weight),
                },
                v1::Rule::NotIn => v2::Rule::NotIn,
            },
            target: v2::Target::Entity(old.target),
            when: match old.when {
                v1::When::Always => v2::When::default(),
                v1::When::Flag(flag) => v2::When {
                    hours: None,
                    flag: Some(v2::FlagIs::Set(flag)),
                },
                v1::When::Between { from, until } => v2::When {
                    hours: Some((from, until)),
                    flag: None,
                },
            },
        }
    }
}

impl From<v1::Step> for v2::Step {
    fn from(old: v1::Step) -> Self {
        match old {
            v1::Step::Commit {
                label,
                merged,
                edits,
            } => Self::Commit {
                label,
                merged,
                edits: edits.into_iter().map(Into::into).collect(),
            },
            v1::Step::Undo => Self::Undo,
            v1::Step::Redo => Self::Redo,
        }
    }
}

impl From<v1::Edit> for v2::Edit {
    fn from(old: v1::Edit) -> Self {
        use v1::Edit as Old;
        match old {
            Old::Create(entity) => Self::Create(entity.into()),
            Old::CreateAt(at, entity) => Self::CreateAt(at, entity.into()),
            Old::Replace(entity) => Self::Replace(entity.into()),
            Old::Delete(id) => Self::Delete(id),
            Old::Reorder(id, to) => Self::Reorder(id, to),
            Old::Settings(settings) => Self::Settings(settings.into()),
            Old::Ground(ground) => Self::Ground(ground),
            Old::NoGround => Self::NoGround,
            Old::Heights { column, row, rows } => Self::Heights { column, row, rows },
        }
    }
}

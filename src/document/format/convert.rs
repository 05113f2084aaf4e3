//! Between the program's model and the newest file version. Pure renaming: limits are checked
//! where edits are applied.

use super::v1;
use crate::base::EntityId;
use crate::document::{
    edit::Edit,
    history::Step,
    model::{
        Action, Agent, Annotation, Body, Clock, Constraint, Crowd, Entity, Expectation, Goal, Grid,
        Heading, Kind, Knot, Mission, Motion, NavTest, Note, Obstacle, Pace, Pattern, PlannerKind,
        Profile, Query, Region, Relation, Repeat, Rotation, Route, RouteShape, Rule, Settings,
        Snap, Solid, SolidShape, Spawn, Terrain, When,
    },
};
use crate::geometry::{HeightField, Polygon, Rect};
use glam::{DVec2, DVec3};
use std::sync::Arc;

fn point(p: DVec2) -> v1::Point {
    (p.x, p.y)
}

fn from_point((x, y): v1::Point) -> DVec2 {
    DVec2::new(x, y)
}

fn points(points: &[DVec2]) -> Vec<v1::Point> {
    points.iter().copied().map(point).collect()
}

fn from_points(points: Vec<v1::Point>) -> Vec<DVec2> {
    points.into_iter().map(from_point).collect()
}

fn place(p: DVec3) -> v1::Place {
    (p.x, p.y, p.z)
}

fn from_place((x, y, z): v1::Place) -> DVec3 {
    DVec3::new(x, y, z)
}

fn id(id: EntityId) -> v1::Id {
    id.number()
}

/// Two enums with the same variants, both ways.
macro_rules! same_variants {
    ($($model:ident = $file:ident { $($variant:ident),* $(,)? })*) => {$(
        impl From<$model> for v1::$file {
            fn from(value: $model) -> Self {
                match value { $($model::$variant => Self::$variant),* }
            }
        }
        impl From<v1::$file> for $model {
            fn from(value: v1::$file) -> Self {
                match value { $(v1::$file::$variant => Self::$variant),* }
            }
        }
    )*};
}

same_variants! {
    Pattern = Pattern { Plain, Dots, Hatch, CrossHatch, Waves, Tufts, Bricks }
    Repeat = Repeat { Once, Loop, BackAndForth }
    Action = Action { Walk, StepUp, StepDown, Bend, Jump }
    PlannerKind = Planner {
        Portal, Optimal, CorridorOriginal, Corridor, Irm, Miran, Constraint, Human,
    }
}

impl From<&Polygon> for v1::Polygon {
    fn from(polygon: &Polygon) -> Self {
        Self {
            outer: points(&polygon.outer),
            holes: polygon.holes.iter().map(|hole| points(hole)).collect(),
        }
    }
}

impl From<v1::Polygon> for Polygon {
    fn from(polygon: v1::Polygon) -> Self {
        Self {
            outer: from_points(polygon.outer),
            holes: polygon.holes.into_iter().map(from_points).collect(),
        }
    }
}

impl From<&Settings> for v1::Settings {
    fn from(settings: &Settings) -> Self {
        let Snap {
            grid,
            vertices,
            edges,
            axes,
        } = settings.grid.snap;
        let snap = [
            (grid, v1::Snap::Grid),
            (vertices, v1::Snap::Vertices),
            (edges, v1::Snap::Edges),
            (axes, v1::Snap::Axes),
        ];
        Self {
            name: settings.name.clone(),
            notes: settings.notes.clone(),
            bounds: (point(settings.bounds.min), point(settings.bounds.max)),
            grid: settings.grid.spacing,
            grid_hidden: !settings.grid.visible,
            snap: snap.into_iter().filter(|s| s.0).map(|s| s.1).collect(),
            base_terrain: settings.base_terrain.map(id),
            clock: v1::Clock {
                start: settings.clock.start,
                speed: settings.clock.speed,
            },
        }
    }
}

impl From<v1::Settings> for Settings {
    fn from(settings: v1::Settings) -> Self {
        let has = |snap| settings.snap.contains(&snap);
        Self {
            bounds: Rect::new(from_point(settings.bounds.0), from_point(settings.bounds.1)),
            grid: Grid {
                spacing: settings.grid,
                visible: !settings.grid_hidden,
                snap: Snap {
                    grid: has(v1::Snap::Grid),
                    vertices: has(v1::Snap::Vertices),
                    edges: has(v1::Snap::Edges),
                    axes: has(v1::Snap::Axes),
                },
            },
            base_terrain: settings.base_terrain.map(EntityId::new),
            clock: Clock {
                start: settings.clock.start,
                speed: settings.clock.speed,
            },
            name: settings.name,
            notes: settings.notes,
        }
    }
}

impl From<&HeightField> for v1::Ground {
    fn from(field: &HeightField) -> Self {
        Self {
            origin: point(field.origin),
            spacing: field.spacing,
            rows: field
                .heights
                .chunks(field.columns.max(1))
                .map(<[f64]>::to_vec)
                .collect(),
        }
    }
}

impl From<v1::Ground> for HeightField {
    /// Rows of different lengths give a number of heights that the door refuses.
    fn from(ground: v1::Ground) -> Self {
        let columns = ground.rows.iter().map(Vec::len).max().unwrap_or(0);
        Self {
            origin: from_point(ground.origin),
            spacing: ground.spacing,
            columns,
            rows: ground.rows.len(),
            heights: ground.rows.into_iter().flatten().collect(),
        }
    }
}

impl v1::Entity {
    #[must_use]
    pub fn of(entity_id: EntityId, entity: &Entity) -> Self {
        Self {
            id: id(entity_id),
            name: entity.name.clone(),
            layer: entity.layer.map(id),
            group: entity.group.map(id),
            hidden: !entity.visible,
            locked: entity.locked,
            tags: entity.tags.clone(),
            kind: Box::new(v1::Kind::from(&entity.kind)),
        }
    }

    #[must_use]
    pub fn into_entity(self) -> (EntityId, Entity) {
        let entity = Entity {
            name: self.name,
            layer: self.layer.map(EntityId::new),
            group: self.group.map(EntityId::new),
            visible: !self.hidden,
            locked: self.locked,
            tags: self.tags,
            kind: Kind::from(*self.kind),
        };
        (EntityId::new(self.id), entity)
    }
}

impl From<&Kind> for v1::Kind {
    fn from(kind: &Kind) -> Self {
        match kind {
            Kind::Terrain(terrain) => Self::Terrain(v1::Terrain {
                colour: terrain.colour,
                pattern: terrain.pattern.into(),
                weight: terrain.weight,
            }),
            Kind::Profile(profile) => Self::Profile(profile.into()),
            Kind::Flag(value) => Self::Flag(*value),
            Kind::Layer => Self::Layer,
            Kind::Group => Self::Group,
            Kind::Region(region) => Self::Region(v1::Region {
                terrain: id(region.terrain),
                area: (&region.area).into(),
            }),
            Kind::Obstacle(obstacle) => Self::Obstacle(obstacle.into()),
            Kind::Solid(solid) => Self::Solid(solid.into()),
            Kind::Route(route) => Self::Route(route.into()),
            Kind::Annotation(Annotation::Area(area)) => Self::Area(area.into()),
            Kind::Annotation(Annotation::Relation { object, relation }) => {
                Self::Relation(v1::Relation {
                    object: id(*object),
                    relation: (*relation).into(),
                })
            }
            Kind::Agent(agent) => Self::Agent(v1::Agent {
                start: place(agent.start),
                heading: agent.heading.degrees,
                mission: (&agent.mission).into(),
            }),
            Kind::Crowd(crowd) => Self::Crowd(v1::Crowd {
                area: (&crowd.area).into(),
                count: crowd.count,
                per_second: match crowd.spawn {
                    Spawn::AtOnce => None,
                    Spawn::Stream { per_second } => Some(per_second),
                },
                mission: (&crowd.mission).into(),
            }),
            Kind::Note(note) => Self::Note(v1::Note {
                at: point(note.at),
                text: note.text.clone(),
            }),
            Kind::Test(test) => Self::Test(test.into()),
        }
    }
}

impl From<v1::Kind> for Kind {
    fn from(kind: v1::Kind) -> Self {
        match kind {
            v1::Kind::Terrain(terrain) => Self::Terrain(Terrain {
                colour: terrain.colour,
                pattern: terrain.pattern.into(),
                weight: terrain.weight,
            }),
            v1::Kind::Profile(profile) => Self::Profile(profile.into()),
            v1::Kind::Flag(value) => Self::Flag(value),
            v1::Kind::Layer => Self::Layer,
            v1::Kind::Group => Self::Group,
            v1::Kind::Region(region) => Self::Region(Region {
                area: region.area.into(),
                terrain: EntityId::new(region.terrain),
            }),
            v1::Kind::Obstacle(obstacle) => Self::Obstacle(obstacle.into()),
            v1::Kind::Solid(solid) => Self::Solid(solid.into()),
            v1::Kind::Route(route) => Self::Route(route.into()),
            v1::Kind::Area(area) => Self::Annotation(Annotation::Area(area.into())),
            v1::Kind::Relation(relation) => Self::Annotation(Annotation::Relation {
                object: EntityId::new(relation.object),
                relation: relation.relation.into(),
            }),
            v1::Kind::Agent(agent) => Self::Agent(Agent {
                start: from_place(agent.start),
                heading: Heading::degrees(agent.heading),
                mission: agent.mission.into(),
            }),
            v1::Kind::Crowd(crowd) => Self::Crowd(Crowd {
                area: crowd.area.into(),
                count: crowd.count,
                spawn: crowd
                    .per_second
                    .map_or(Spawn::AtOnce, |per_second| Spawn::Stream { per_second }),
                mission: crowd.mission.into(),
            }),
            v1::Kind::Note(note) => Self::Note(Note {
                at: from_point(note.at),
                text: note.text,
            }),
            v1::Kind::Test(test) => Self::Test(test.into()),
        }
    }
}

impl From<&Profile> for v1::Profile {
    fn from(profile: &Profile) -> Self {
        let Body {
            radius,
            height,
            bent_height,
            jump,
            foot_span,
            step_height,
        } = profile.body;
        let Pace {
            speed,
            max_speed,
            acceleration,
        } = profile.pace;
        Self {
            colour: profile.colour,
            body: v1::Body {
                radius,
                height,
                bent_height,
                jump,
                foot_span,
                step_height,
            },
            pace: v1::Pace {
                speed,
                max_speed,
                acceleration,
            },
            terrain_weights: profile
                .terrain_weights
                .iter()
                .map(|(terrain, weight)| (id(*terrain), *weight))
                .collect(),
            action_priority: profile.action_priority.map(Into::into),
        }
    }
}

impl From<v1::Profile> for Profile {
    fn from(profile: v1::Profile) -> Self {
        let v1::Body {
            radius,
            height,
            bent_height,
            jump,
            foot_span,
            step_height,
        } = profile.body;
        let v1::Pace {
            speed,
            max_speed,
            acceleration,
        } = profile.pace;
        Self {
            colour: profile.colour,
            body: Body {
                radius,
                height,
                bent_height,
                jump,
                foot_span,
                step_height,
            },
            pace: Pace {
                speed,
                max_speed,
                acceleration,
            },
            terrain_weights: profile
                .terrain_weights
                .into_iter()
                .map(|(terrain, weight)| (EntityId::new(terrain), weight))
                .collect(),
            action_priority: profile.action_priority.map(Into::into),
        }
    }
}

impl From<&Obstacle> for v1::Obstacle {
    fn from(obstacle: &Obstacle) -> Self {
        Self {
            area: (&obstacle.area).into(),
            base: obstacle.base,
            height: obstacle.height,
            facing: obstacle.facing.degrees,
            motion: obstacle.motion.as_ref().map(|motion| v1::Motion {
                path: points(&motion.path),
                speed: motion.speed,
                repeat: motion.repeat.into(),
            }),
        }
    }
}

impl From<v1::Obstacle> for Obstacle {
    fn from(obstacle: v1::Obstacle) -> Self {
        Self {
            area: obstacle.area.into(),
            base: obstacle.base,
            height: obstacle.height,
            facing: Heading::degrees(obstacle.facing),
            motion: obstacle.motion.map(|motion| Motion {
                path: from_points(motion.path),
                speed: motion.speed,
                repeat: motion.repeat.into(),
            }),
        }
    }
}

impl From<&Solid> for v1::Solid {
    fn from(solid: &Solid) -> Self {
        let Rotation { yaw, pitch, roll } = solid.rotation;
        Self {
            shape: match &solid.shape {
                SolidShape::Box => v1::SolidShape::Box,
                SolidShape::Ramp => v1::SolidShape::Ramp,
                SolidShape::Stairs { steps } => v1::SolidShape::Stairs { steps: *steps },
                SolidShape::Cylinder => v1::SolidShape::Cylinder,
                SolidShape::Mesh { file } => v1::SolidShape::Mesh { file: file.clone() },
            },
            position: place(solid.position),
            rotation: (yaw.degrees, pitch.degrees, roll.degrees),
            size: place(solid.size),
        }
    }
}

impl From<v1::Solid> for Solid {
    fn from(solid: v1::Solid) -> Self {
        let (yaw, pitch, roll) = solid.rotation;
        Self {
            shape: match solid.shape {
                v1::SolidShape::Box => SolidShape::Box,
                v1::SolidShape::Ramp => SolidShape::Ramp,
                v1::SolidShape::Stairs { steps } => SolidShape::Stairs { steps },
                v1::SolidShape::Cylinder => SolidShape::Cylinder,
                v1::SolidShape::Mesh { file } => SolidShape::Mesh { file },
            },
            position: from_place(solid.position),
            rotation: Rotation {
                yaw: Heading::degrees(yaw),
                pitch: Heading::degrees(pitch),
                roll: Heading::degrees(roll),
            },
            size: from_place(solid.size),
        }
    }
}

impl From<&Route> for v1::Route {
    fn from(route: &Route) -> Self {
        Self {
            shape: match &route.shape {
                RouteShape::Polyline(line) => v1::RouteShape::Polyline(points(line)),
                RouteShape::Freehand { stroke, tolerance } => v1::RouteShape::Freehand {
                    stroke: points(stroke),
                    tolerance: *tolerance,
                },
                RouteShape::Bezier(knots) => v1::RouteShape::Bezier(
                    knots
                        .iter()
                        .map(|k| (point(k.point), point(k.handle_in), point(k.handle_out)))
                        .collect(),
                ),
            },
            closed: route.closed,
            look_ahead: route.look_ahead,
            sample_step: route.sample_step,
        }
    }
}

impl From<v1::Route> for Route {
    fn from(route: v1::Route) -> Self {
        Self {
            shape: match route.shape {
                v1::RouteShape::Polyline(line) => RouteShape::Polyline(from_points(line)),
                v1::RouteShape::Freehand { stroke, tolerance } => RouteShape::Freehand {
                    stroke: from_points(stroke),
                    tolerance,
                },
                v1::RouteShape::Bezier(knots) => RouteShape::Bezier(
                    knots
                        .into_iter()
                        .map(|(at, before, after)| Knot {
                            point: from_point(at),
                            handle_in: from_point(before),
                            handle_out: from_point(after),
                        })
                        .collect(),
                ),
            },
            closed: route.closed,
            look_ahead: route.look_ahead,
            sample_step: route.sample_step,
        }
    }
}

impl From<Relation> for v1::RelationShape {
    fn from(relation: Relation) -> Self {
        match relation {
            Relation::Front { reach } => Self::Front { reach },
            Relation::Back { reach } => Self::Back { reach },
            Relation::Left { reach } => Self::Left { reach },
            Relation::Right { reach } => Self::Right { reach },
            Relation::Around { reach } => Self::Around { reach },
            Relation::Between { other } => Self::Between { other: id(other) },
            Relation::LineOfSight { range, angle } => Self::LineOfSight { range, angle },
            Relation::Along { reach } => Self::Along { reach },
        }
    }
}

impl From<v1::RelationShape> for Relation {
    fn from(relation: v1::RelationShape) -> Self {
        use v1::RelationShape as File;
        match relation {
            File::Front { reach } => Self::Front { reach },
            File::Back { reach } => Self::Back { reach },
            File::Left { reach } => Self::Left { reach },
            File::Right { reach } => Self::Right { reach },
            File::Around { reach } => Self::Around { reach },
            File::Between { other } => Self::Between {
                other: EntityId::new(other),
            },
            File::LineOfSight { range, angle } => Self::LineOfSight { range, angle },
            File::Along { reach } => Self::Along { reach },
        }
    }
}

impl From<&Mission> for v1::Mission {
    fn from(mission: &Mission) -> Self {
        Self {
            profile: id(mission.profile),
            planner: mission.planner.into(),
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

impl From<&Edit> for v1::Edit {
    fn from(edit: &Edit) -> Self {
        match edit {
            Edit::Create {
                id,
                entity,
                at: None,
            } => Self::Create(v1::Entity::of(*id, entity)),
            Edit::Create {
                id,
                entity,
                at: Some(at),
            } => Self::CreateAt(*at as u64, v1::Entity::of(*id, entity)),
            Edit::Replace { id, entity } => Self::Replace(v1::Entity::of(*id, entity)),
            Edit::Delete { id } => Self::Delete(id.number()),
            Edit::Reorder { id, to } => Self::Reorder(id.number(), *to as u64),
            Edit::Settings(settings) => Self::Settings((&**settings).into()),
            Edit::Ground(Some(field)) => Self::Ground((&**field).into()),
            Edit::Ground(None) => Self::NoGround,
        }
    }
}

impl From<v1::Edit> for Edit {
    fn from(edit: v1::Edit) -> Self {
        let position = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        match edit {
            v1::Edit::Create(entity) => {
                let (id, entity) = entity.into_entity();
                Self::create(id, entity)
            }
            v1::Edit::CreateAt(at, entity) => {
                let (id, entity) = entity.into_entity();
                Self::Create {
                    id,
                    entity: Arc::new(entity),
                    at: Some(position(at)),
                }
            }
            v1::Edit::Replace(entity) => {
                let (id, entity) = entity.into_entity();
                Self::replace(id, entity)
            }
            v1::Edit::Delete(id) => Self::Delete {
                id: EntityId::new(id),
            },
            v1::Edit::Reorder(id, to) => Self::Reorder {
                id: EntityId::new(id),
                to: position(to),
            },
            v1::Edit::Settings(settings) => Self::Settings(Arc::new(settings.into())),
            v1::Edit::Ground(ground) => Self::Ground(Some(Arc::new(ground.into()))),
            v1::Edit::NoGround => Self::Ground(None),
        }
    }
}

impl From<&Step> for v1::Step {
    fn from(step: &Step) -> Self {
        match step {
            Step::Commit {
                label,
                edits,
                merged,
            } => Self::Commit {
                label: label.clone(),
                merged: *merged,
                edits: edits.iter().map(Into::into).collect(),
            },
            Step::Undo => Self::Undo,
            Step::Redo => Self::Redo,
        }
    }
}

impl From<v1::Step> for Step {
    fn from(step: v1::Step) -> Self {
        match step {
            v1::Step::Commit {
                label,
                merged,
                edits,
            } => Self::Commit {
                label,
                edits: edits.into_iter().map(Into::into).collect(),
                merged,
            },
            v1::Step::Undo => Self::Undo,
            v1::Step::Redo => Self::Redo,
        }
    }
}

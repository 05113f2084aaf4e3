//! Conversion between the model and the newest file version. Pure mapping: limits are checked when
//! edits are applied.

/// Converts between two enums with identical variants, in both directions.
macro_rules! same_variants {
    ($($model:ident = $file:ident { $($variant:ident),* $(,)? })*) => {$(
        impl From<$model> for v2::$file {
            fn from(value: $model) -> Self {
                match value { $($model::$variant => Self::$variant),* }
            }
        }
        impl From<v2::$file> for $model {
            fn from(value: v2::$file) -> Self {
                match value { $(v2::$file::$variant => Self::$variant),* }
            }
        }
    )*};
}

mod crowds;
mod missions;
mod objects;
mod steps;

use super::v2;
use crate::base::EntityId;
use crate::document::model::{
    Action, Agent, Annotation, AttractionKind, CellRules, CellSize, Clock, ConstraintDomain,
    ConstraintSearch, Control, Entity, Grid, Heading, Kind, Metric, Neighbours, Note, Pattern,
    PlannerId, Region, Repeat, Settings, Smoothing, Snap, Terrain,
};
use crate::geometry::{HeightField, Polygon, Rect};
use glam::{DVec2, DVec3};

fn point(p: DVec2) -> v2::Point {
    (p.x, p.y)
}

fn from_point((x, y): v2::Point) -> DVec2 {
    DVec2::new(x, y)
}

fn points(points: &[DVec2]) -> Vec<v2::Point> {
    points.iter().copied().map(point).collect()
}

fn from_points(points: Vec<v2::Point>) -> Vec<DVec2> {
    points.into_iter().map(from_point).collect()
}

fn place(p: DVec3) -> v2::Place {
    (p.x, p.y, p.z)
}

fn from_place((x, y, z): v2::Place) -> DVec3 {
    DVec3::new(x, y, z)
}

fn id(id: EntityId) -> v2::Id {
    id.number()
}

same_variants! {
    Pattern = Pattern { Plain, Dots, Hatch, CrossHatch, Waves, Tufts, Bricks }
    Repeat = Repeat { Once, Loop, BackAndForth }
    Action = Action { Walk, StepUp, StepDown, Bend, Jump }
    AttractionKind = Attraction { Disc, Speed, Distance, Visibility }
    Control = Control { Axis, Shortcuts }
    ConstraintDomain = ConstraintDomain { Triangles, Dense, Hybrid, Adaptive, Graded }
    ConstraintSearch = ConstraintSearch { AStar, AraStar, AdStar }
}

impl From<PlannerId> for v2::Planner {
    fn from(id: PlannerId) -> Self {
        match id {
            PlannerId::PORTAL => Self::Portal,
            PlannerId::OPTIMAL => Self::Optimal,
            PlannerId::CORRIDOR_ORIGINAL => Self::CorridorOriginal,
            PlannerId::CORRIDOR => Self::Corridor,
            PlannerId::IRM => Self::Irm,
            PlannerId::MIRAN => Self::Miran,
            PlannerId::CONSTRAINT => Self::Constraint,
            PlannerId::HUMAN => Self::Human,
            other => Self::Named(v2::PlannerName(other)),
        }
    }
}

impl From<v2::Planner> for PlannerId {
    fn from(planner: v2::Planner) -> Self {
        match planner {
            v2::Planner::Portal => Self::PORTAL,
            v2::Planner::Optimal => Self::OPTIMAL,
            v2::Planner::CorridorOriginal => Self::CORRIDOR_ORIGINAL,
            v2::Planner::Corridor => Self::CORRIDOR,
            v2::Planner::Irm => Self::IRM,
            v2::Planner::Miran => Self::MIRAN,
            v2::Planner::Constraint => Self::CONSTRAINT,
            v2::Planner::Human => Self::HUMAN,
            v2::Planner::Named(v2::PlannerName(id)) => id,
        }
    }
}

impl From<&Polygon> for v2::Polygon {
    fn from(polygon: &Polygon) -> Self {
        Self {
            outer: points(&polygon.outer),
            holes: polygon.holes.iter().map(|hole| points(hole)).collect(),
        }
    }
}

impl From<v2::Polygon> for Polygon {
    fn from(polygon: v2::Polygon) -> Self {
        Self {
            outer: from_points(polygon.outer),
            holes: polygon.holes.into_iter().map(from_points).collect(),
        }
    }
}

impl From<&Settings> for v2::Settings {
    fn from(settings: &Settings) -> Self {
        let Snap {
            grid,
            vertices,
            edges,
            axes,
        } = settings.grid.snap;
        let snap = [
            (grid, v2::Snap::Grid),
            (vertices, v2::Snap::Vertices),
            (edges, v2::Snap::Edges),
            (axes, v2::Snap::Axes),
        ];
        Self {
            name: settings.name.clone(),
            notes: settings.notes.clone(),
            bounds: (point(settings.bounds.min), point(settings.bounds.max)),
            grid: settings.grid.spacing,
            grid_hidden: !settings.grid.visible,
            no_ground: !settings.has_ground,
            snap: snap.into_iter().filter(|s| s.0).map(|s| s.1).collect(),
            base_terrain: settings.base_terrain.map(id),
            clock: v2::Clock {
                start: settings.clock.start,
                speed: settings.clock.speed,
            },
            cells: match settings.cells {
                CellSize::Suiting => None,
                CellSize::Sides { cell, layer } => Some(v2::Cells::Sides { cell, layer }),
                CellSize::Count([x, y, z]) => Some(v2::Cells::Count(x, y, z)),
            },
            cell_rules: settings.cell_rules.into(),
            forbidding: settings.forbidding.clone(),
            simulation: (&settings.simulation).into(),
        }
    }
}

impl From<v2::Settings> for Settings {
    fn from(settings: v2::Settings) -> Self {
        let has = |snap| settings.snap.contains(&snap);
        Self {
            bounds: Rect::new(from_point(settings.bounds.0), from_point(settings.bounds.1)),
            grid: Grid {
                spacing: settings.grid,
                visible: !settings.grid_hidden,
                snap: Snap {
                    grid: has(v2::Snap::Grid),
                    vertices: has(v2::Snap::Vertices),
                    edges: has(v2::Snap::Edges),
                    axes: has(v2::Snap::Axes),
                },
            },
            has_ground: !settings.no_ground,
            base_terrain: settings.base_terrain.map(EntityId::new),
            clock: Clock {
                start: settings.clock.start,
                speed: settings.clock.speed,
            },
            cells: match settings.cells {
                None => CellSize::Suiting,
                Some(v2::Cells::Sides { cell, layer }) => CellSize::Sides { cell, layer },
                Some(v2::Cells::Count(x, y, z)) => CellSize::Count([x, y, z]),
            },
            cell_rules: settings.cell_rules.into(),
            forbidding: settings.forbidding,
            simulation: settings.simulation.into(),
            name: settings.name,
            notes: settings.notes,
        }
    }
}

impl From<CellRules> for v2::CellRules {
    fn from(rules: CellRules) -> Self {
        Self {
            four_neighbours: rules.neighbours == Neighbours::Four,
            four_border_sides: rules.border_neighbours == Neighbours::Four,
            border_layers: rules.border_layers,
            support: rules.threshold,
            count_cells: rules.metric == Metric::Cells,
            smoothing: match rules.smoothing {
                Smoothing::None => v2::Smoothing::None,
                Smoothing::Junctions => v2::Smoothing::Junctions,
                Smoothing::Full => v2::Smoothing::Full,
                Smoothing::Taut => v2::Smoothing::Taut,
            },
        }
    }
}

impl From<v2::CellRules> for CellRules {
    fn from(rules: v2::CellRules) -> Self {
        let neighbours = |are_four: bool| {
            if are_four {
                Neighbours::Four
            } else {
                Neighbours::Eight
            }
        };
        Self {
            neighbours: neighbours(rules.four_neighbours),
            border_neighbours: neighbours(rules.four_border_sides),
            border_layers: rules.border_layers,
            threshold: rules.support,
            metric: if rules.count_cells {
                Metric::Cells
            } else {
                Metric::Length
            },
            smoothing: match rules.smoothing {
                v2::Smoothing::None => Smoothing::None,
                v2::Smoothing::Junctions => Smoothing::Junctions,
                v2::Smoothing::Full => Smoothing::Full,
                v2::Smoothing::Taut => Smoothing::Taut,
            },
        }
    }
}

impl From<&HeightField> for v2::Ground {
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

impl From<v2::Ground> for HeightField {
    /// Rows of different lengths give a number of heights that validation rejects.
    fn from(ground: v2::Ground) -> Self {
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

impl v2::Entity {
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
            kind: Box::new(v2::Kind::from(&entity.kind)),
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

impl From<&Kind> for v2::Kind {
    fn from(kind: &Kind) -> Self {
        match kind {
            Kind::Terrain(terrain) => Self::Terrain(v2::Terrain {
                colour: terrain.colour,
                pattern: terrain.pattern.into(),
                weight: terrain.weight,
            }),
            Kind::Profile(profile) => Self::Profile(profile.into()),
            Kind::Flag(value) => Self::Flag(*value),
            Kind::Layer => Self::Layer,
            Kind::Group => Self::Group,
            Kind::Region(region) => Self::Region(v2::Region {
                terrain: id(region.terrain),
                area: (&region.area).into(),
            }),
            Kind::Obstacle(obstacle) => Self::Obstacle(obstacle.into()),
            Kind::Wall(wall) => Self::Wall(wall.into()),
            Kind::Solid(solid) => Self::Solid(solid.into()),
            Kind::Route(route) => Self::Route(route.into()),
            Kind::Annotation(Annotation::Area(area)) => Self::Area(area.into()),
            Kind::Annotation(Annotation::Relation { object, relation }) => {
                Self::Relation(v2::Relation {
                    object: id(*object),
                    relation: (*relation).into(),
                })
            }
            Kind::Agent(agent) => Self::Agent(v2::Agent {
                start: place(agent.start),
                heading: agent.heading.degrees,
                mission: (&agent.mission).into(),
            }),
            Kind::Crowd(crowd) => Self::Crowd(crowd.into()),
            Kind::Door(door) => Self::Door(door.into()),
            Kind::Link(link) => Self::Link(link.into()),
            Kind::Exit(exit) => Self::Exit(exit.into()),
            Kind::WaitingArea(waiting) => Self::WaitingArea(waiting.into()),
            Kind::Queue(queue) => Self::Queue(queue.into()),
            Kind::Measure(measure) => measure.into(),
            Kind::Note(note) => Self::Note(v2::Note {
                at: point(note.at),
                text: note.text.clone(),
            }),
            Kind::Test(test) => Self::Test(test.into()),
        }
    }
}

impl From<v2::Kind> for Kind {
    fn from(kind: v2::Kind) -> Self {
        match kind {
            v2::Kind::Terrain(terrain) => Self::Terrain(Terrain {
                colour: terrain.colour,
                pattern: terrain.pattern.into(),
                weight: terrain.weight,
            }),
            v2::Kind::Profile(profile) => Self::Profile(profile.into()),
            v2::Kind::Flag(value) => Self::Flag(value),
            v2::Kind::Layer => Self::Layer,
            v2::Kind::Group => Self::Group,
            v2::Kind::Region(region) => Self::Region(Region {
                area: region.area.into(),
                terrain: EntityId::new(region.terrain),
            }),
            v2::Kind::Obstacle(obstacle) => Self::Obstacle(obstacle.into()),
            v2::Kind::Wall(wall) => Self::Wall(wall.into()),
            v2::Kind::Solid(solid) => Self::Solid(solid.into()),
            v2::Kind::Route(route) => Self::Route(route.into()),
            v2::Kind::Area(area) => Self::Annotation(Annotation::Area(area.into())),
            v2::Kind::Relation(relation) => Self::Annotation(Annotation::Relation {
                object: EntityId::new(relation.object),
                relation: relation.relation.into(),
            }),
            v2::Kind::Agent(agent) => Self::Agent(Agent {
                start: from_place(agent.start),
                heading: Heading::degrees(agent.heading),
                mission: agent.mission.into(),
            }),
            v2::Kind::Crowd(crowd) => Self::Crowd(crowd.into()),
            v2::Kind::Door(door) => Self::Door(door.into()),
            v2::Kind::Link(link) => Self::Link(link.into()),
            v2::Kind::Exit(exit) => Self::Exit(exit.into()),
            v2::Kind::WaitingArea(waiting) => Self::WaitingArea(waiting.into()),
            v2::Kind::Queue(queue) => Self::Queue(queue.into()),
            v2::Kind::MeasuringLine(line) => Self::Measure(line.into()),
            v2::Kind::MeasuringArea(area) => Self::Measure(area.into()),
            v2::Kind::Note(note) => Self::Note(Note {
                at: from_point(note.at),
                text: note.text,
            }),
            v2::Kind::Test(test) => Self::Test(test.into()),
        }
    }
}

//! The level as coloured bodies and lines in space, for formats of 3D programs.

use super::left_out::{LeftOut, left_out, motions};
use crate::base::{Colour, EntityId};
use crate::document::annotation_area::annotation_area;
use crate::document::route_line::route_line;
use crate::document::{
    Door, Entity, Goal, Kind, Level, Link, LinkDirection, MeasureShape, Target, scene, tag,
};
use crate::exchange::nav_mesh::{Division, NavMesh};
use crate::exchange::options::Choice;
use crate::exchange::writer::ExportInput;
use crate::geometry::TriMesh;
use crate::geometry::triangulation::Triangulation;
use crate::jobs::JobContext;
use glam::{DVec2, DVec3};
use serde_json::{Map, Value, json};

/// Painted ground lies so far above the ground, so that it is seen. Unit: metres.
const ABOVE_GROUND: f64 = 0.01;

const GROUND: Colour = Colour::hex(0x00b8_b4ac);
const OBSTACLE: Colour = Colour::hex(0x008a_8f98);
const SOLID: Colour = Colour::hex(0x00a3_9c8f);
const PLANT: Colour = Colour::hex(0x004f_8a4c);
const WATER: Colour = Colour::hex(0x004a_7fb5);
pub(super) const NAVIGATION: Colour = Colour::hex(0x003f_a7d6);
const LINE: Colour = Colour::hex(0x00d6_7a3f);
const LINK: Colour = Colour::hex(0x008e_5bd0);

/// What a 3D file is to hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contents {
    #[default]
    Both,
    Level,
    Navigation,
}

impl Contents {
    pub const CHOICES: &'static [Choice] = &[
        Choice::new("both", "Level and navigation mesh", ""),
        Choice::new("level", "Level", "Bodies, terrain, routes, agents"),
        Choice::new("navigation", "Navigation mesh", "Where a profile may walk"),
    ];

    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Level => "level",
            Self::Navigation => "navigation",
        }
    }

    /// `Both` for what is no id.
    #[must_use]
    pub fn named(id: &str) -> Self {
        match id {
            "level" => Self::Level,
            "navigation" => Self::Navigation,
            _ => Self::Both,
        }
    }

    pub const fn has_level(self) -> bool {
        matches!(self, Self::Both | Self::Level)
    }

    pub const fn has_navigation(self) -> bool {
        matches!(self, Self::Both | Self::Navigation)
    }
}

pub(super) enum Shape {
    /// In world space, counter-clockwise seen from outside.
    Body(TriMesh),
    /// In world space.
    Line { points: Vec<DVec3>, closed: bool },
    /// A place to stand, and where to look. Unit: radians.
    Place { at: DVec3, heading: f64 },
}

/// One thing of the level.
pub(super) struct Part {
    pub id: Option<EntityId>,
    /// As people call it.
    pub name: String,
    pub kind: &'static str,
    pub colour: Colour,
    pub shape: Shape,
    /// What else there is to know, for programs.
    pub extras: Map<String, Value>,
}

/// Everything that has a place, in the level's order; the ground first.
pub(super) fn parts(input: &ExportInput) -> Vec<Part> {
    let level = &*input.level;
    let base = level.settings().base_terrain;
    let ground = scene::ground(level);
    let mut parts = Vec::new();
    if !ground.mesh.triangles.is_empty() {
        parts.push(Part {
            id: None,
            name: "Ground".to_owned(),
            kind: "ground",
            colour: base.map_or(GROUND, |id| terrain_colour(level, id)),
            shape: Shape::Body((*ground.mesh).clone()),
            extras: Map::new(),
        });
    }
    for (id, entity) in level.iter() {
        if let Some((shape, colour, extras)) = shape_of(input, id, entity) {
            parts.push(Part {
                id: Some(id),
                name: entity.label(id),
                kind: kind_of(entity),
                colour,
                shape,
                extras: common(level, id, entity, extras),
            });
        }
    }
    parts
}

fn kind_of(entity: &Entity) -> &'static str {
    match entity.kind {
        Kind::Region(_) => "region",
        Kind::Obstacle(_) => "obstacle",
        Kind::Solid(_) => "solid",
        Kind::Route(_) => "route",
        Kind::Annotation(_) => "annotation",
        Kind::Agent(_) => "agent",
        Kind::Crowd(_) => "crowd",
        Kind::Note(_) => "note",
        Kind::Door(_) => "door",
        Kind::Link(_) => "link",
        Kind::Exit(_) => "exit",
        Kind::WaitingArea(_) => "waiting_area",
        Kind::Queue(_) => "queue",
        Kind::Measure(_) => "measurement",
        _ => "thing",
    }
}

fn terrain_colour(level: &Level, id: EntityId) -> Colour {
    match level.get(id).map(|entity| &entity.kind) {
        Some(Kind::Terrain(terrain)) => terrain.colour,
        _ => GROUND,
    }
}

fn profile_colour(level: &Level, id: EntityId) -> Colour {
    match level.get(id).map(|entity| &entity.kind) {
        Some(Kind::Profile(profile)) => profile.colour,
        _ => LINE,
    }
}

fn shape_of(input: &ExportInput, id: EntityId, entity: &Entity) -> Option<(Shape, Colour, Value)> {
    let level = &*input.level;
    let lift = |p: DVec2, above: f64| {
        let ground = level.ground().map_or(0.0, |field| field.height(p));
        p.extend(ground + above)
    };
    let outline = |ring: &[DVec2]| -> Vec<DVec3> {
        ring.iter().map(|p| lift(*p, 2.0 * ABOVE_GROUND)).collect()
    };
    Some(match &entity.kind {
        Kind::Obstacle(_) | Kind::Solid(_) => {
            let object = scene::object(level, &input.voxels.meshes, id, entity)?;
            let place = |p: &DVec3| object.placement.transform_point3(*p);
            let mesh = TriMesh {
                vertices: object.mesh.vertices.iter().map(place).collect(),
                triangles: object.mesh.triangles.clone(),
            };
            let colour = match &entity.kind {
                _ if entity.has_tag(tag::PLANT) => PLANT,
                _ if entity.has_tag(tag::WATER) => WATER,
                Kind::Solid(_) => object.colours.first().copied().unwrap_or(SOLID),
                _ => OBSTACLE,
            };
            let extras = match &entity.kind {
                Kind::Obstacle(obstacle) => json!({
                    "base": obstacle.base,
                    "height": obstacle.height,
                    "moves": obstacle.motion.is_some(),
                }),
                Kind::Solid(solid) => json!({ "shape": solid.shape.name() }),
                _ => Value::Null,
            };
            (Shape::Body(mesh), colour, extras)
        }
        Kind::Region(region) => {
            let flat = Triangulation::of_polygon(&region.area);
            let mesh = TriMesh {
                vertices: flat.points.iter().map(|p| lift(*p, ABOVE_GROUND)).collect(),
                triangles: flat.triangles,
            };
            let extras = json!({ "terrain": level.label(region.terrain) });
            (
                Shape::Body(mesh),
                terrain_colour(level, region.terrain),
                extras,
            )
        }
        Kind::Route(route) => {
            let line = route_line(route);
            let extras = json!({ "closed": route.closed });
            let shape = Shape::Line {
                points: outline(line.points()),
                closed: false,
            };
            (shape, LINE, extras)
        }
        Kind::Annotation(_) => {
            let areas = annotation_area(level, id);
            let shape = Shape::Line {
                points: outline(&areas.first()?.outer),
                closed: true,
            };
            (shape, LINE, json!({ "areas": areas.len() }))
        }
        Kind::Agent(agent) => {
            let shape = Shape::Place {
                at: agent.start,
                heading: agent.heading.radians(),
            };
            let colour = profile_colour(level, agent.mission.profile);
            let extras = json!({
                "profile": level.label(agent.mission.profile),
                "planner": agent.mission.planner.as_str(),
                "goals": goals(&agent.mission.goals),
            });
            (shape, colour, extras)
        }
        Kind::Crowd(crowd) => {
            let shape = Shape::Line {
                points: outline(&crowd.area.outer),
                closed: true,
            };
            let colour = profile_colour(level, crowd.mission.profile);
            let extras = json!({
                "profile": level.label(crowd.mission.profile),
                "count": crowd.count,
                "goals": goals(&crowd.mission.goals),
            });
            (shape, colour, extras)
        }
        Kind::Note(note) => {
            let at = lift(note.at, 0.0);
            (
                Shape::Place { at, heading: 0.0 },
                LINE,
                json!({ "text": note.text }),
            )
        }
        Kind::Door(door) => {
            let shape = Shape::Line {
                points: door.jambs.map(|p| lift(p, door.base + ABOVE_GROUND)).into(),
                closed: false,
            };
            (shape, LINE, door_extras(door))
        }
        Kind::Link(link) => {
            let shape = Shape::Line {
                points: vec![link.from, link.to],
                closed: false,
            };
            (shape, LINK, link_extras(level, link))
        }
        Kind::Exit(exit) => (closed(&outline(&exit.area.outer)), LINE, json!({})),
        Kind::WaitingArea(waiting) => (closed(&outline(&waiting.area.outer)), LINE, json!({})),
        Kind::Queue(queue) => {
            let shape = Shape::Line {
                points: outline(&queue.line),
                closed: false,
            };
            (shape, LINE, json!({ "spacing": queue.spacing }))
        }
        Kind::Measure(measure) => match &measure.shape {
            MeasureShape::Line(ends) => {
                let shape = Shape::Line {
                    points: outline(ends),
                    closed: false,
                };
                (shape, LINE, json!({ "measures": "flow" }))
            }
            MeasureShape::Area(area) => (
                closed(&outline(&area.outer)),
                LINE,
                json!({ "measures": "density" }),
            ),
        },
        // Its pieces are obstacles.
        Kind::Wall(_)
        | Kind::Terrain(_)
        | Kind::Profile(_)
        | Kind::Flag(_)
        | Kind::Layer
        | Kind::Group
        | Kind::Test(_) => return None,
    })
}

fn closed(points: &[DVec3]) -> Shape {
    Shape::Line {
        points: points.to_vec(),
        closed: true,
    }
}

/// What engines need to know of a link besides its ends.
pub(in crate::exchange) fn link_extras(level: &Level, link: &Link) -> Value {
    let profiles: Vec<String> = link.profiles.iter().map(|id| level.label(*id)).collect();
    json!({
        "action": link.action.id(),
        "bidirectional": link.direction == LinkDirection::BothWays,
        "cost": link.path_cost(),
        "profiles": profiles,
        "animation": link.animation,
    })
}

/// What engines need to know of a door besides its jambs.
pub(in crate::exchange) fn door_extras(door: &Door) -> Value {
    json!({
        "state": door.state.name().to_lowercase(),
        "base": door.base,
        "height": door.height,
        "flow": door.flow,
        "swing": door.swing.name(),
    })
}

/// The id of what a goal refers to, and where to go beside it.
fn target_of(target: &Target) -> Value {
    match target {
        Target::Entity(id) => json!(id.number()),
        Target::Relation { object, relation } => {
            json!({ "object": object.number(), "relation": relation.name() })
        }
    }
}

/// In the level's coordinates.
pub(in crate::exchange) fn goals(goals: &[Goal]) -> Vec<Value> {
    goals
        .iter()
        .map(|goal| match goal {
            Goal::At(place) => json!(place.to_array()),
            Goal::Inside(target) => json!({ "inside": target_of(target) }),
            Goal::Patrol(target) => json!({ "patrol": target_of(target) }),
            Goal::NearestExit => json!("nearest exit"),
        })
        .collect()
}

fn common(level: &Level, id: EntityId, entity: &Entity, extras: Value) -> Map<String, Value> {
    let mut all = Map::new();
    all.insert("wayloom_id".to_owned(), id.number().into());
    all.insert("kind".to_owned(), kind_of(entity).into());
    if !entity.name.is_empty() {
        all.insert("name".to_owned(), entity.name.clone().into());
    }
    if !entity.tags.is_empty() {
        all.insert("tags".to_owned(), json!(entity.tags));
    }
    if let Some(layer) = entity.layer {
        all.insert("layer".to_owned(), level.label(layer).into());
    }
    if let Value::Object(extras) = extras {
        all.extend(extras);
    }
    all
}

/// Triangles of the navigation mesh, those of one terrain together, with the range of each.
pub(super) struct NavTriangles {
    pub mesh: NavMesh,
    pub triangles: Vec<[u32; 3]>,
    pub extras: Map<String, Value>,
}

impl NavTriangles {
    pub fn bake(
        input: &ExportInput,
        profile: Option<&str>,
        detail: Option<f64>,
        ctx: &JobContext,
    ) -> Result<Self, super::ExportError> {
        let division = Division {
            detail,
            // Whoever reads triangles knows no costs.
            for_costs: false,
            ..Division::with_corners(3)
        };
        let mesh = NavMesh::bake(&input.level, profile, &division, ctx)?;
        let mut triangles = Vec::with_capacity(mesh.polygons.len());
        let mut terrains = Vec::new();
        for (kind, polygons) in mesh.by_terrain() {
            let first = triangles.len();
            triangles.extend(
                polygons
                    .iter()
                    .filter_map(|polygon| <[u32; 3]>::try_from(&polygon.corners[..]).ok()),
            );
            terrains.push(json!({
                "name": mesh.terrain_name(kind),
                "cost": mesh.costs.get(kind.index()),
                "first_triangle": first,
                "triangles": triangles.len() - first,
            }));
        }
        let mut extras = Map::new();
        extras.insert("kind".to_owned(), "navmesh".into());
        extras.insert("radius".to_owned(), mesh.radius.into());
        if let Some(id) = mesh.profile {
            extras.insert("profile".to_owned(), input.level.label(id).into());
        }
        extras.insert("terrains".to_owned(), terrains.into());
        Ok(Self {
            mesh,
            triangles,
            extras,
        })
    }
}

/// What 3D files leave out.
pub(super) fn beside_bodies(level: &Level, contents: Contents) -> Vec<LeftOut> {
    if !contents.has_level() {
        let carries = super::left_out::MeshCarries {
            areas: true,
            heights: true,
            links: false,
        };
        return super::left_out::beside_a_mesh(level, carries);
    }
    let reason = |entity: &Entity| match entity.kind {
        Kind::Flag(_) | Kind::Test(_) => Some("only Wayloom has a use for it"),
        _ => None,
    };
    let mut found = left_out(level, &reason, None);
    found.extend(motions(level));
    found
}

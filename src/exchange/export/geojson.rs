//! GeoJSON with everything that it can carry; see the reader for the properties.

use super::{ExportError, Exported, left_out};
use crate::document::{
    Agent, Annotation, Crowd, Entity, Goal, Kind, Level, Mission, Obstacle, Profile, Region, Route,
    RouteShape, Terrain,
};
use crate::exchange::import::body_and_pace;
use crate::geometry::curve::Cubic;
use crate::geometry::polygon::signed_area;
use crate::geometry::{Polygon, simplify};
use glam::{DVec2, DVec3};
use serde_json::{Map, Value, json};

/// Largest distance between a Bézier route and the chords that are written. Unit: metres.
const ROUTE_TOLERANCE: f64 = 0.01;

pub(super) fn write(level: &Level) -> Result<Exported, ExportError> {
    let mut not_carried = Vec::new();
    let mut features = Vec::new();
    for (_, entity) in level.iter() {
        match geometry_and_properties(level, entity) {
            Some((geometry, properties)) => features.push(json!({
                "type": "Feature",
                "geometry": geometry,
                "properties": common(entity, properties),
            })),
            None if matches!(entity.kind, Kind::Terrain(_) | Kind::Profile(_)) => {}
            None => not_carried.push(entity.kind.name()),
        }
    }
    let document = json!({
        "type": "FeatureCollection",
        "wayloom": settings(level),
        "features": features,
    });
    let mut warnings = left_out(level, not_carried.into_iter());
    let missions = level.iter().filter_map(|(_, entity)| entity.mission());
    let inside = missions
        .flat_map(|mission| &mission.goals)
        .filter(|goal| matches!(goal, Goal::Inside(_)))
        .count();
    if inside > 0 {
        warnings.push(format!(
            "{inside} goals anywhere in an area were left out; only places are written"
        ));
    }
    let mut bytes = serde_json::to_vec_pretty(&document)
        .map_err(|error| ExportError::Refused(error.to_string()))?;
    bytes.push(b'\n');
    Ok(Exported { bytes, warnings })
}

fn settings(level: &Level) -> Value {
    let settings = level.settings();
    let terrains: Vec<Value> = level
        .terrains()
        .map(|(id, entity, terrain)| {
            let Terrain {
                colour,
                pattern,
                weight,
            } = terrain;
            json!({
                "name": entity.label(id),
                "colour": colour.to_string(),
                "pattern": pattern.name(),
                "weight": weight,
            })
        })
        .collect();
    let profiles: Vec<Value> = level
        .profiles()
        .map(|(id, entity, profile)| profile_members(level, &entity.label(id), profile))
        .collect();
    let mut members = json!({
        "coordinates": "metres",
        "name": settings.name,
        "notes": settings.notes,
        "bounds": [xy(settings.bounds.min), xy(settings.bounds.max)],
        "terrains": terrains,
        "profiles": profiles,
    });
    if let Some(terrain) = settings.base_terrain {
        members["base_terrain"] = level.label(terrain).into();
    }
    members
}

fn profile_members(level: &Level, name: &str, profile: &Profile) -> Value {
    let mut members = json!({"name": name, "colour": profile.colour.to_string()});
    for (key, _, value) in body_and_pace(&mut profile.clone()) {
        members[key] = (*value).into();
    }
    let weights: Map<String, Value> = profile
        .terrain_weights
        .iter()
        .map(|(terrain, weight)| (level.label(*terrain), (*weight).into()))
        .collect();
    if !weights.is_empty() {
        members["terrain_weights"] = weights.into();
    }
    members
}

fn geometry_and_properties(level: &Level, entity: &Entity) -> Option<(Value, Value)> {
    Some(match &entity.kind {
        Kind::Obstacle(Obstacle {
            area,
            base,
            height,
            facing,
            motion: _,
        }) => (
            polygon(area),
            json!({"kind": "obstacle", "base": base, "height": height, "facing": facing.degrees}),
        ),
        Kind::Region(Region { area, terrain }) => (
            polygon(area),
            json!({"kind": "region", "terrain": level.label(*terrain)}),
        ),
        Kind::Annotation(Annotation::Area(area)) => (polygon(area), json!({"kind": "annotation"})),
        Kind::Crowd(Crowd {
            area,
            count,
            mission,
            spawn: _,
        }) => {
            let mut properties = mission_properties(level, mission);
            properties["kind"] = "crowd".into();
            properties["count"] = (*count).into();
            (polygon(area), properties)
        }
        Kind::Agent(Agent {
            start,
            heading,
            mission,
        }) => {
            let mut properties = mission_properties(level, mission);
            properties["kind"] = "agent".into();
            properties["facing"] = heading.degrees.into();
            (
                json!({"type": "Point", "coordinates": xyz(*start)}),
                properties,
            )
        }
        Kind::Route(route) => {
            let mut points: Vec<Value> = route_points(route).into_iter().map(xy).collect();
            if let [only] = &points[..] {
                // A line of one point is none.
                points.push(only.clone());
            }
            (
                json!({"type": "LineString", "coordinates": points}),
                json!({"kind": "route", "closed": route.closed}),
            )
        }
        Kind::Note(note) => (
            json!({"type": "Point", "coordinates": xy(note.at)}),
            json!({"kind": "note", "text": note.text}),
        ),
        Kind::Terrain(_)
        | Kind::Profile(_)
        | Kind::Flag(_)
        | Kind::Layer
        | Kind::Group
        | Kind::Solid(_)
        | Kind::Annotation(Annotation::Relation { .. })
        | Kind::Test(_) => return None,
    })
}

fn mission_properties(level: &Level, mission: &Mission) -> Value {
    let goals: Vec<Value> = mission
        .goals
        .iter()
        .filter_map(|goal| match goal {
            Goal::At(place) => Some(xyz(*place)),
            Goal::Inside(_) => None,
        })
        .collect();
    json!({"profile": level.label(mission.profile), "goals": goals})
}

/// Name and tags, where there are any, before the rest.
fn common(entity: &Entity, properties: Value) -> Value {
    let mut all = Map::new();
    if !entity.name.is_empty() {
        all.insert("name".to_owned(), entity.name.clone().into());
    }
    if !entity.tags.is_empty() {
        all.insert("tags".to_owned(), json!(entity.tags));
    }
    if let Value::Object(properties) = properties {
        all.extend(properties);
    }
    Value::Object(all)
}

/// The line that a route draws, without its closing piece.
pub(super) fn route_points(route: &Route) -> Vec<DVec2> {
    match &route.shape {
        RouteShape::Polyline(points) => points.clone(),
        RouteShape::Freehand { stroke, tolerance } => simplify::simplified(stroke, *tolerance),
        RouteShape::Bezier(knots) => {
            let closing = knots.first().filter(|_| route.closed);
            let chain: Vec<_> = knots.iter().chain(closing).collect();
            let mut points: Vec<DVec2> = knots.first().map(|k| k.point).into_iter().collect();
            for pair in chain.windows(2) {
                let (from, to) = (pair[0], pair[1]);
                Cubic {
                    from: from.point,
                    from_control: from.point + from.handle_out,
                    to_control: to.point + to.handle_in,
                    to: to.point,
                }
                .flatten_into(ROUTE_TOLERANCE, &mut points);
            }
            if closing.is_some() {
                points.pop();
            }
            points
        }
    }
}

/// Rings closed and wound as RFC 7946 §3.1.6 asks.
fn polygon(area: &Polygon) -> Value {
    let rings: Vec<Value> = area
        .rings()
        .enumerate()
        .map(|(i, ring)| {
            let mut ring = ring.clone();
            if (signed_area(&ring) < 0.0) == (i == 0) {
                // The first point stays the first.
                ring[1..].reverse();
            }
            ring.extend(ring.first().copied());
            ring.into_iter().map(xy).collect()
        })
        .collect();
    json!({"type": "Polygon", "coordinates": rings})
}

fn xy(p: DVec2) -> Value {
    json!([p.x, p.y])
}

fn xyz(p: DVec3) -> Value {
    if p.z == 0.0 {
        json!([p.x, p.y])
    } else {
        json!([p.x, p.y, p.z])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Colour, EntityId};
    use crate::document::{Heading, Knot, Note, Pattern, Repeat, Spawn};
    use crate::exchange::import::{ImportOptions, Source, import_unguarded};
    use crate::exchange::test_level::apply;
    use crate::exchange::{ExportOptions, Format, export};
    use crate::geometry::Rect;
    use crate::jobs::JobContext;

    fn again(level: &Level) -> Level {
        let context = JobContext::default();
        let exported = export(level, Format::GeoJson, &ExportOptions::default(), &context)
            .expect("can be written");
        let sources = [Source {
            name: "again.geojson".to_owned(),
            bytes: exported.bytes,
        }];
        let imported = import_unguarded(&sources, &ImportOptions::default(), &context);
        let imported = imported.expect("own files can be read");
        assert_eq!(imported.warnings, [] as [String; 0]);
        imported.level
    }

    /// One of everything that GeoJSON carries, with ids as an import hands them out.
    fn level() -> Level {
        let square = |at: f64, size: f64| {
            Polygon::rect(Rect::new(DVec2::splat(at), DVec2::splat(at + size)))
        };
        let mut holed = square(10.0, 20.0);
        holed.holes.push(square(12.0, 3.0).normalised().outer);
        holed.holes[0].reverse();
        let (mud, walker) = (EntityId::new(1), EntityId::new(2));
        let mut mission = Mission::new(walker);
        mission.goals = vec![
            Goal::At(DVec3::new(7.0, 8.0, 0.0)),
            Goal::At(DVec3::new(1.0, 2.0, 3.5)),
        ];
        let mut guard = Profile {
            colour: Colour::hex(0x00ff7f),
            ..Profile::default()
        };
        guard.body.radius = 0.45;
        guard.pace.max_speed = 3.5;
        guard.terrain_weights.insert(mud, 7.25);
        let entities = vec![
            Entity::new(
                "Mud",
                Kind::Terrain(Terrain::new(Colour::hex(0x123456), Pattern::Dots, 2.5)),
            ),
            Entity::new("Guard", Kind::Profile(guard)),
            Entity::new(
                "",
                Kind::Region(Region {
                    area: square(0.0, 9.0),
                    terrain: mud,
                }),
            ),
            Entity::new(
                "Tower",
                Kind::Obstacle(Obstacle {
                    base: 0.5,
                    height: 20.25,
                    facing: Heading::degrees(-45.0),
                    ..Obstacle::new(holed)
                }),
            )
            .tagged("stone"),
            Entity::new(
                "Yard",
                Kind::Annotation(Annotation::Area(square(40.0, 5.0))),
            ),
            Entity::new(
                "Patrol",
                Kind::Route(Route {
                    closed: true,
                    ..Route::new(RouteShape::Polyline(
                        [(1.0, 1.0), (5.0, 1.0), (5.0, 9.0)]
                            .map(DVec2::from)
                            .to_vec(),
                    ))
                }),
            ),
            Entity::new(
                "Crowd",
                Kind::Crowd(Crowd {
                    area: square(60.0, 7.0),
                    count: 35,
                    spawn: Spawn::AtOnce,
                    mission: mission.clone(),
                }),
            ),
            Entity::new(
                "Anna",
                Kind::Agent(Agent {
                    start: DVec3::new(0.1, 0.2, 1.5),
                    heading: Heading::degrees(30.0),
                    mission: Mission {
                        repeat: Repeat::Once,
                        ..mission
                    },
                }),
            ),
            Entity::new(
                "",
                Kind::Note(Note {
                    at: DVec2::new(3.0, 0.125),
                    text: "mind\nthe step".to_owned(),
                }),
            ),
        ];
        apply(DVec2::new(100.0, 80.0), entities)
    }

    #[test]
    fn what_geojson_carries_comes_back_as_it_was() {
        let level = level();
        assert_eq!(again(&level), level);
    }

    #[test]
    fn curves_come_back_as_lines_and_the_rest_is_said_to_be_missing() {
        let mut knot = Knot::corner(DVec2::ZERO);
        knot.handle_out = DVec2::new(0.0, 9.0);
        let bezier = RouteShape::Bezier(vec![knot, Knot::corner(DVec2::new(9.0, 0.0))]);
        let level = apply(
            DVec2::splat(50.0),
            vec![
                Entity::new("Curve", Kind::Route(Route::new(bezier))),
                Entity::new("Door open", Kind::Flag(true)),
            ],
        );
        let exported = write(&level).expect("can be written");
        assert_eq!(exported.warnings, ["1 flag was left out"]);
        let level = again(&level);
        let (_, _, route) = level.routes().next().expect("is there");
        let points = route.shape.anchors();
        assert!(points.len() > 9 && points[0] == DVec2::ZERO, "{points:?}");
    }
}

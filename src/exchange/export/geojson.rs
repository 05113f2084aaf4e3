//! GeoJSON with everything that it can carry; see the reader for the properties.

use super::left_out::{LeftOut, is_internal, left_out};
use super::{ExportError, Exported};
use crate::document::{
    Agent, Annotation, Crowd, Entity, Kind, Level, Mission, Obstacle, Profile, Region, Route,
    RouteShape, Terrain,
};
use crate::exchange::import::body_and_pace;
use crate::exchange::options::NoOptions;
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::geometry::curve::Cubic;
use crate::geometry::polygon::signed_area;
use crate::geometry::{Polygon, simplify};
use crate::jobs::JobContext;
use glam::{DVec2, DVec3};
use serde_json::{Map, Value, json};

/// Largest distance between a Bézier route and the chords that are written. Unit: metres.
const ROUTE_TOLERANCE: f64 = 0.01;

#[derive(Debug)]
pub struct GeoJsonWriter;

impl Writer for GeoJsonWriter {
    type Options = NoOptions;

    fn left_out(&self, level: &Level, _: &NoOptions) -> Vec<LeftOut> {
        let reason = |entity: &Entity| {
            let is_written = geometry_and_properties(level, entity).is_some();
            (!is_written && !is_internal(entity)).then_some("GeoJSON has no such feature")
        };
        let mut found = left_out(level, &reason, Some("GeoJSON is a plan"));
        let areas = level
            .iter()
            .filter_map(|(_, entity)| entity.mission())
            .flat_map(|mission| &mission.goals)
            .filter(|goal| goal.target().is_some())
            .count();
        let what = match areas {
            0 => return found,
            1 => "1 goal that is an area".to_owned(),
            _ => format!("{areas} goals that are areas"),
        };
        found.push(LeftOut::new(areas, what, "goals are written as points"));
        found
    }

    fn write(
        &self,
        input: &ExportInput,
        _: &NoOptions,
        sink: &mut dyn ExportSink,
        _: &JobContext,
    ) -> Result<Exported, ExportError> {
        sink.write_main(document(&input.level)?)?;
        Ok(Exported::default())
    }
}

fn document(level: &Level) -> Result<Vec<u8>, ExportError> {
    let mut features = Vec::new();
    for (_, entity) in level.iter() {
        if let Some((geometry, properties)) = geometry_and_properties(level, entity) {
            features.push(json!({
                "type": "Feature",
                "geometry": geometry,
                "properties": common(entity, properties),
            }));
        }
    }
    let document = json!({
        "type": "FeatureCollection",
        "wayloom": settings(level),
        "features": features,
    });
    let mut bytes = serde_json::to_vec_pretty(&document)
        .map_err(|error| ExportError::Refused(error.to_string()))?;
    bytes.push(b'\n');
    Ok(bytes)
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
            variety: _,
            groups: _,
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
        // Its pieces are obstacles.
        | Kind::Wall(_)
        | Kind::Solid(_)
        | Kind::Annotation(Annotation::Relation { .. })
        | Kind::Door(_)
        | Kind::Link(_)
        | Kind::Exit(_)
        | Kind::WaitingArea(_)
        | Kind::Queue(_)
        | Kind::Measure(_)
        | Kind::Test(_) => return None,
    })
}

fn mission_properties(level: &Level, mission: &Mission) -> Value {
    let goals: Vec<Value> = mission
        .goals
        .iter()
        .filter_map(|goal| goal.place().map(xyz))
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
mod tests;

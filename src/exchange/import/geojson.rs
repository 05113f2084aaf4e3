//! GeoJSON (RFC 7946).
//!
//! Features say what they are by the property `kind` — obstacle, region, annotation, crowd,
//! route, agent, note, walkable — and carry `name`, `tags`, and what belongs to their kind:
//! `base`, `height`, `facing`, `terrain`, `text`, `profile`, `goals`, `count`, `closed`. Without
//! `kind`, polygons are obstacles, lines routes and points notes. What Wayloom wrote itself has
//! a member `wayloom` beside the features, with the level's name, notes, bounds, terrains and
//! profiles; it also says that coordinates are metres, which the standard has no word for.

mod own_member;

pub(in crate::exchange) use own_member::body_and_pace;

use super::{
    DrawingOptions, ImportError, Imported, Source,
    drawing::{self, Drawing, Feature, MAX_POINTS, Role, Shape},
    json::Json,
};
use crate::document::limits;
use crate::exchange::Polygons;
use crate::exchange::reader::{ImportInput, Reader};
use crate::geometry::Polygon;
use crate::jobs::JobContext;
use glam::{DVec2, DVec3};
use std::collections::BTreeSet;

/// Geometry collections within collections beyond this are refused.
const MAX_NESTING: usize = 16;

/// Coordinates beyond this belong to no map in any unit.
const MAX_NUMBER: f64 = 1e12;

#[derive(Debug)]
pub struct GeoJsonReader;

impl Reader for GeoJsonReader {
    type Options = DrawingOptions;

    fn read(
        &self,
        input: &ImportInput<'_>,
        options: &DrawingOptions,
        ctx: &JobContext,
    ) -> Result<Imported, ImportError> {
        let drawing = read(input.sources, ctx)?;
        drawing::level(drawing, input.sources, options, ctx)
    }
}

fn read(sources: &[Source], context: &JobContext) -> Result<Drawing, ImportError> {
    let mut parser = Parser {
        drawing: Drawing {
            polygons: Polygons::Obstacles,
            ..Drawing::default()
        },
        points: 0,
    };
    for source in sources {
        context.checkpoint()?;
        let json = Json::read(source)?;
        parser
            .top(&json, context)
            .map_err(|misfit| misfit.into_error(&source.name))?;
        context.checkpoint()?;
    }
    Ok(parser.drawing)
}

/// What does not fit, and the path to it from the top of the file.
struct Misfit {
    path: Vec<String>,
    message: String,
}

impl Misfit {
    fn new(message: impl Into<String>) -> Self {
        Self {
            path: Vec::new(),
            message: message.into(),
        }
    }

    fn into_error(mut self, file: &str) -> ImportError {
        self.path.reverse();
        let path = self.path.concat();
        let path = path.trim_start_matches('.');
        ImportError::within(
            file,
            match path {
                "" => self.message,
                _ => format!("{path}: {}", self.message),
            },
        )
    }
}

type Read<T> = Result<T, Misfit>;

trait Within<T> {
    /// Notes the step towards what does not fit.
    fn member(self, name: &str) -> Read<T>;
    fn item(self, index: usize) -> Read<T>;
}

impl<T> Within<T> for Read<T> {
    fn member(self, name: &str) -> Self {
        self.map_err(|mut misfit| {
            misfit.path.push(format!(".{name}"));
            misfit
        })
    }

    fn item(self, index: usize) -> Self {
        self.map_err(|mut misfit| {
            misfit.path.push(format!("[{index}]"));
            misfit
        })
    }
}

struct Parser {
    drawing: Drawing,
    points: usize,
}

impl Parser {
    fn top(&mut self, json: &Json, context: &JobContext) -> Read<()> {
        match type_of(json)? {
            "FeatureCollection" => {
                if let Some(level) = json.get("wayloom") {
                    own_member::read(&mut self.drawing, level);
                }
                let features = list(json, "features")?;
                for (i, feature) in features.iter().enumerate() {
                    if i % 1024 == 0 && context.is_cancelled() {
                        // The caller looks again and says so.
                        return Ok(());
                    }
                    self.feature(feature).item(i).member("features")?;
                }
                Ok(())
            }
            "Feature" => self.feature(json),
            _ => self.geometry(json, &Json::Null, 0),
        }
    }

    fn feature(&mut self, json: &Json) -> Read<()> {
        if type_of(json)? != "Feature" {
            return Err(Misfit::new("`type` must be \"Feature\" here"));
        }
        match json.get("geometry") {
            // Features without a place are allowed, and nothing to us.
            None | Some(Json::Null) => Ok(()),
            Some(geometry) => {
                let properties = json.get("properties").unwrap_or(&Json::Null);
                self.geometry(geometry, properties, 0).member("geometry")
            }
        }
    }

    fn geometry(&mut self, json: &Json, properties: &Json, depth: usize) -> Read<()> {
        let coordinates = || json.get("coordinates").unwrap_or(&Json::Null);
        match type_of(json)? {
            "Point" => self.point(coordinates(), properties),
            "MultiPoint" => self.each(coordinates(), |parser, one| parser.point(one, properties)),
            "LineString" => self.line(coordinates(), properties),
            "MultiLineString" => {
                self.each(coordinates(), |parser, one| parser.line(one, properties))
            }
            "Polygon" => self.polygon(coordinates(), properties),
            "MultiPolygon" => {
                self.each(coordinates(), |parser, one| parser.polygon(one, properties))
            }
            "GeometryCollection" => {
                if depth >= MAX_NESTING {
                    return Err(Misfit::new(format!(
                        "collections are nested more than {MAX_NESTING} deep"
                    )));
                }
                let geometries = list(json, "geometries")?;
                for (i, one) in geometries.iter().enumerate() {
                    self.geometry(one, properties, depth + 1)
                        .item(i)
                        .member("geometries")?;
                }
                return Ok(());
            }
            other => {
                let other: String = other.chars().take(40).collect();
                return Err(Misfit::new(format!("`{other}` is not a GeoJSON type")));
            }
        }
        .member("coordinates")
    }

    fn each(
        &mut self,
        json: &Json,
        mut read: impl FnMut(&mut Self, &Json) -> Read<()>,
    ) -> Read<()> {
        for (i, one) in items(json)?.iter().enumerate() {
            read(self, one).item(i)?;
        }
        Ok(())
    }

    fn point(&mut self, json: &Json, properties: &Json) -> Read<()> {
        let place = self.position(json)?;
        self.add(Shape::Point(place), properties);
        Ok(())
    }

    fn line(&mut self, json: &Json, properties: &Json) -> Read<()> {
        let points = self.chain(json)?;
        let closed = properties.get("closed") == Some(&Json::Bool(true));
        self.add(Shape::Line { points, closed }, properties);
        Ok(())
    }

    fn polygon(&mut self, json: &Json, properties: &Json) -> Read<()> {
        let mut rings = Vec::new();
        self.each(json, |parser, ring| {
            rings.push(parser.chain(ring)?);
            Ok(())
        })?;
        let mut rings = rings.into_iter();
        let polygon = Polygon {
            outer: rings.next().unwrap_or_default(),
            holes: rings.collect(),
        };
        self.add(Shape::Polygon(polygon), properties);
        Ok(())
    }

    fn chain(&mut self, json: &Json) -> Read<Vec<DVec2>> {
        let mut points = Vec::new();
        self.each(json, |parser, position| {
            points.push(parser.position(position)?.truncate());
            Ok(())
        })?;
        Ok(points)
    }

    fn position(&mut self, json: &Json) -> Read<DVec3> {
        self.points += 1;
        if self.points > MAX_POINTS {
            return Err(Misfit::new(format!(
                "there are more than {MAX_POINTS} points; simplify the file or take a part of it"
            )));
        }
        position(json)
    }

    fn add(&mut self, shape: Shape, properties: &Json) {
        let mut feature = Feature::new(shape);
        let words = |key: &str| properties.get(key).and_then(Json::text);
        feature.role = match words("kind") {
            None => Role::Unsaid,
            Some(kind) => role(kind).unwrap_or_else(|| {
                let kind = drawing::name(kind);
                self.drawing.warnings.add(format!(
                    "`{kind}` is not a kind that Wayloom knows; the shape decided instead"
                ));
                Role::Unsaid
            }),
        };
        feature.name = words("name").map(drawing::name).unwrap_or_default();
        feature.text = words("text").unwrap_or_default().to_owned();
        feature.terrain = words("terrain").map(str::to_owned);
        feature.profile = words("profile").map(str::to_owned);
        feature.tags = properties.get("tags").map(tags).unwrap_or_default();
        let number = |key: &str| properties.get(key).and_then(Json::number);
        feature.base = number("base");
        feature.height = number("height");
        feature.facing = number("facing").or_else(|| number("heading"));
        feature.count = number("count");
        feature.goals = properties
            .get("goals")
            .and_then(Json::list)
            .unwrap_or_default()
            .iter()
            .filter_map(|goal| position(goal).ok())
            .collect();
        self.drawing.features.push(feature);
    }
}

fn role(kind: &str) -> Option<Role> {
    Some(match kind.to_ascii_lowercase().as_str() {
        "obstacle" | "building" => Role::Obstacle,
        "walkable" => Role::Walkable,
        "region" | "terrain" => Role::Region,
        "annotation" | "area" => Role::Annotation,
        "crowd" => Role::Crowd,
        "route" => Role::Route,
        "note" => Role::Note,
        "agent" => Role::Agent,
        _ => return None,
    })
}

/// A list of words, or words with commas between them.
fn tags(json: &Json) -> BTreeSet<String> {
    let words: Vec<&str> = match json {
        Json::Text(text) => text.split(',').collect(),
        Json::List(list) => list.iter().filter_map(Json::text).collect(),
        _ => Vec::new(),
    };
    words
        .into_iter()
        .map(drawing::name)
        .filter(|tag| !tag.is_empty())
        .take(limits::MAX_TAGS)
        .collect()
}

fn type_of(json: &Json) -> Read<&str> {
    json.get("type").and_then(Json::text).ok_or_else(|| {
        Misfit::new("this is not GeoJSON: an object with a `type` should stand here")
    })
}

fn list<'a>(json: &'a Json, key: &str) -> Read<&'a [Json]> {
    items(json.get(key).unwrap_or(&Json::Null)).member(key)
}

fn items(json: &Json) -> Read<&[Json]> {
    json.list()
        .ok_or_else(|| Misfit::new(format!("a list should stand here, not {}", json.kind())))
}

fn position(json: &Json) -> Read<DVec3> {
    let numbers = items(json)?;
    let number = |i: usize| match numbers.get(i) {
        Some(Json::Number(n)) if n.abs() <= MAX_NUMBER => Ok(*n),
        Some(Json::Number(n)) => Err(Misfit::new(format!("{n:e} is no coordinate")).at(i)),
        Some(other) => Err(Misfit::new(format!(
            "a coordinate should stand here, not {}",
            other.kind()
        ))
        .at(i)),
        None => Err(Misfit::new("a position needs two numbers, x and y")),
    };
    let z = if numbers.len() > 2 { number(2)? } else { 0.0 };
    Ok(DVec3::new(number(0)?, number(1)?, z))
}

impl Misfit {
    fn at(mut self, index: usize) -> Self {
        self.path.push(format!("[{index}]"));
        self
    }
}

#[cfg(test)]
mod tests;

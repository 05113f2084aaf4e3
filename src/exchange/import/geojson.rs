//! GeoJSON (RFC 7946).
//!
//! Features say what they are by the property `kind` — obstacle, region, annotation, crowd,
//! route, agent, note, walkable — and carry `name`, `tags`, and what belongs to their kind:
//! `base`, `height`, `facing`, `terrain`, `text`, `profile`, `goals`, `count`, `closed`. Without
//! `kind`, polygons are obstacles, lines routes and points notes. What Wayloom wrote itself has
//! a member `wayloom` beside the features, with the level's name, notes, bounds, terrains and
//! profiles; it also says that coordinates are metres, which the standard has no word for.

use super::{
    Coordinates, ImportError, Source,
    drawing::{self, Drawing, Feature, KnownProfile, MAX_POINTS, Role, Shape},
    json::Json,
};
use crate::base::{Colour, Quantity};
use crate::document::{Pattern, Profile, Terrain, limits};
use crate::exchange::registry::Polygons;
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use glam::{DVec2, DVec3};
use std::collections::{BTreeMap, BTreeSet};

/// Geometry collections within collections beyond this are refused.
const MAX_NESTING: usize = 16;

/// Coordinates beyond this belong to no map in any unit.
const MAX_NUMBER: f64 = 1e12;

pub(super) fn read(sources: &[Source], context: &JobContext) -> Result<Drawing, ImportError> {
    let mut reader = Reader {
        drawing: Drawing {
            polygons: Polygons::Obstacles,
            ..Drawing::default()
        },
        points: 0,
    };
    for source in sources {
        context.checkpoint()?;
        let json = Json::read(source)?;
        reader
            .top(&json, context)
            .map_err(|misfit| misfit.into_error(&source.name))?;
        context.checkpoint()?;
    }
    Ok(reader.drawing)
}

/// What does not fit, and the way to it from the top of the file.
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

struct Reader {
    drawing: Drawing,
    points: usize,
}

impl Reader {
    fn top(&mut self, json: &Json, context: &JobContext) -> Read<()> {
        match type_of(json)? {
            "FeatureCollection" => {
                if let Some(level) = json.get("wayloom") {
                    self.level(level);
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
            "MultiPoint" => self.each(coordinates(), |reader, one| reader.point(one, properties)),
            "LineString" => self.line(coordinates(), properties),
            "MultiLineString" => {
                self.each(coordinates(), |reader, one| reader.line(one, properties))
            }
            "Polygon" => self.polygon(coordinates(), properties),
            "MultiPolygon" => {
                self.each(coordinates(), |reader, one| reader.polygon(one, properties))
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
        self.each(json, |reader, ring| {
            rings.push(reader.chain(ring)?);
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
        self.each(json, |reader, position| {
            points.push(reader.position(position)?.truncate());
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

    /// What we wrote beside the features. Whatever does not fit is passed over: the drawing
    /// matters more.
    fn level(&mut self, json: &Json) {
        let words = |key: &str| json.get(key).and_then(Json::text);
        if words("coordinates") == Some("metres") {
            self.drawing.coordinates = Coordinates::Plane;
        }
        self.drawing.name = words("name").map(drawing::name);
        self.drawing.notes = words("notes").map(|notes| {
            let notes: String = notes.chars().take(limits::MAX_TEXT).collect();
            notes
        });
        self.drawing.base_terrain = words("base_terrain").map(str::to_owned);
        if let Some([min, max]) = json.get("bounds").and_then(Json::list)
            && let (Ok(min), Ok(max)) = (position(min), position(max))
            && (max - min).truncate().min_element() >= 0.1
        {
            self.drawing.bounds = Some(Rect::new(min.truncate(), max.truncate()));
        }
        for terrain in json
            .get("terrains")
            .and_then(Json::list)
            .unwrap_or_default()
        {
            let Some(name) = terrain.get("name").and_then(Json::text) else {
                continue;
            };
            let name = drawing::name(name);
            let style = read_terrain(&name, terrain);
            self.drawing.terrains.insert(name, style);
        }
        for profile in json
            .get("profiles")
            .and_then(Json::list)
            .unwrap_or_default()
        {
            if let Some(name) = profile.get("name").and_then(Json::text) {
                let known = read_profile(profile);
                self.drawing.profiles.insert(drawing::name(name), known);
            }
        }
    }
}

fn read_profile(json: &Json) -> KnownProfile {
    let mut profile = Profile::default();
    if let Some(Ok(colour)) = json.get("colour").and_then(Json::text).map(str::parse) {
        profile.colour = colour;
    }
    for (key, quantity, value) in body_and_pace(&mut profile) {
        if let Some(number) = json.get(key).and_then(Json::number) {
            *value = quantity.clamp(number);
        }
    }
    let mut terrain_weights = BTreeMap::new();
    if let Some(Json::Object(weights)) = json.get("terrain_weights") {
        for (terrain, weight) in weights.iter().take(limits::MAX_CONSTRAINTS) {
            if let Some(weight) = weight.number() {
                let weight = limits::TERRAIN_WEIGHT.clamp(weight);
                terrain_weights.insert(drawing::name(terrain), weight);
            }
        }
    }
    KnownProfile {
        profile,
        terrain_weights,
    }
}

/// Every number of a profile under the name it has in a file.
pub(in crate::exchange) fn body_and_pace(
    profile: &mut Profile,
) -> [(&'static str, Quantity, &mut f64); 9] {
    let Profile { body, pace, .. } = profile;
    [
        ("radius", limits::RADIUS, &mut body.radius),
        ("height", limits::BODY_HEIGHT, &mut body.height),
        ("bent_height", limits::BENT_HEIGHT, &mut body.bent_height),
        ("jump", limits::JUMP, &mut body.jump),
        ("foot_span", limits::FOOT_SPAN, &mut body.foot_span),
        ("step_height", limits::STEP_HEIGHT, &mut body.step_height),
        ("speed", limits::SPEED, &mut pace.speed),
        ("max_speed", limits::MAX_SPEED, &mut pace.max_speed),
        ("acceleration", limits::ACCELERATION, &mut pace.acceleration),
    ]
}

fn read_terrain(name: &str, json: &Json) -> Terrain {
    let usual = drawing::usual_terrain(name);
    let words = |key: &str| json.get(key).and_then(Json::text);
    let weight = json.get("weight").and_then(Json::number);
    Terrain {
        colour: words("colour")
            .and_then(|colour| colour.parse::<Colour>().ok())
            .unwrap_or(usual.colour),
        pattern: Pattern::ALL
            .into_iter()
            .find(|pattern| Some(pattern.name()) == words("pattern"))
            .unwrap_or(usual.pattern),
        weight: weight.map_or(usual.weight, |w| limits::TERRAIN_WEIGHT.clamp(w)),
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
mod tests {
    use super::super::tests::{read, read_with, refusal};
    use super::super::{ImportOptions, Imported};
    use super::*;
    use crate::document::{Goal, KindName, Level};

    fn feature(geometry: &str, properties: &str) -> String {
        format!(
            r#"{{"type": "FeatureCollection", "features": [{{"type": "Feature",
               "geometry": {geometry}, "properties": {properties}}}]}}"#
        )
    }

    const SQUARE: &str =
        r#"{"type": "Polygon", "coordinates": [[[0, 0], [40, 0], [40, 40], [0, 40], [0, 0]]]}"#;

    fn only(imported: &Imported, kind: KindName) -> crate::document::Entity {
        let mut of_kind = imported.level.iter().filter(|(_, e)| e.kind.name() == kind);
        let (_, entity) = of_kind.next().expect("is there");
        assert!(of_kind.next().is_none());
        (**entity).clone()
    }

    #[test]
    fn features_become_what_they_say_they_are() {
        let house = feature(
            SQUARE,
            r#"{"kind": "Obstacle", "name": "Town\nhall", "height": "12.5", "base": 1,
                "facing": 90, "tags": ["old", " ", "stone"], "building": {"x": [1]}}"#,
        );
        let imported = read("a.geojson", house).expect("sound");
        let house = only(&imported, KindName::Obstacle);
        assert_eq!(house.name, "Town hall");
        assert!(house.has_tag("old") && house.has_tag("stone") && house.tags.len() == 2);
        let (_, _, obstacle) = imported.level.obstacles().next().expect("is there");
        assert_eq!(
            (obstacle.base, obstacle.height, obstacle.facing.degrees),
            (1.0, 12.5, 90.0)
        );
        assert_eq!(obstacle.area.outer.len(), 4);

        let meadow = read(
            "a.json",
            feature(SQUARE, r#"{"kind": "region", "terrain": "Grass"}"#),
        );
        let meadow = meadow.expect("sound");
        let (_, _, region) = meadow.level.regions().next().expect("is there");
        assert_eq!(meadow.level.label(region.terrain), "Grass");

        let agent = read(
            "a.json",
            feature(
                r#"{"type": "Point", "coordinates": [1, 50, 3]}"#,
                r#"{"kind": "agent", "profile": "Guard", "goals": [[4, 5], "no", [6]]}"#,
            ),
        )
        .expect("sound");
        let (_, _, agent_found) = agent.level.agents().next().expect("is there");
        assert_eq!(
            agent_found.mission.goals,
            [Goal::At(DVec3::new(4.0, 5.0, 0.0))]
        );
        assert_eq!(agent.level.label(agent_found.mission.profile), "Guard");
        assert_eq!(agent.level.profiles().count(), 1);
    }

    #[test]
    fn bare_geometries_become_what_their_shape_suggests() {
        let text = format!(
            r#"{{"type": "GeometryCollection", "geometries": [{SQUARE},
               {{"type": "LineString", "coordinates": [[0, 0], [50, 50]]}},
               {{"type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]}}]}}"#
        );
        let level = read("a.geojson", text).expect("sound").level;
        let count =
            |level: &Level, kind| level.iter().filter(|(_, e)| e.kind.name() == kind).count();
        assert_eq!(count(&level, KindName::Obstacle), 1);
        assert_eq!(count(&level, KindName::Route), 1);
        assert_eq!(count(&level, KindName::Note), 2);
    }

    #[test]
    fn small_extents_on_earth_are_degrees() {
        let block = r#"{"type": "Polygon", "coordinates":
            [[[13.40, 52.51], [13.41, 52.51], [13.41, 52.52], [13.40, 52.52], [13.40, 52.51]]]}"#;
        let imported = read("a.geojson", feature(block, "{}")).expect("sound");
        let size = imported
            .level
            .obstacles()
            .next()
            .expect("is there")
            .2
            .area
            .bounds()
            .size();
        assert!(
            (size.x - 679.0).abs() < 1.0 && (size.y - 1112.7).abs() < 1.0,
            "{size}"
        );
        assert!(imported.warnings[0].contains("--coordinates plane"));
        let options = ImportOptions {
            coordinates: Coordinates::Plane,
            scale: 1000.0,
            ..ImportOptions::default()
        };
        let plane = read_with("a.geojson", feature(block, "{}"), &options).expect("sound");
        let bounds = plane
            .level
            .obstacles()
            .next()
            .expect("is there")
            .2
            .area
            .bounds();
        assert_eq!(bounds.min, DVec2::new(13_400.0, 52_510.0));
        assert!(plane.warnings.is_empty());
    }

    #[test]
    fn what_is_odd_is_left_out_with_a_warning() {
        let text = r#"{"type": "FeatureCollection", "features": [
            {"type": "Feature", "geometry": null, "properties": null},
            {"type": "Feature", "properties": {"kind": "crater", "height": -5}, "geometry":
              {"type": "Polygon", "coordinates": [[[0,0],[90,0],[90,90]], [[1,1]]]}},
            {"type": "Feature", "properties": {"kind": "route"}, "geometry":
              {"type": "Polygon", "coordinates": [[[0,0],[90,0],[90,90]]]}},
            {"type": "Feature", "properties": {"kind": "obstacle"}, "geometry":
              {"type": "Point", "coordinates": [0,0]}}]}"#;
        let imported = read("a.geojson", text).expect("sound");
        assert_eq!(imported.level.obstacles().count(), 1);
        let all = imported.warnings.join("\n");
        for part in ["`crater`", "hole", "height is -5 m", "Route", "Obstacle"] {
            assert!(all.contains(part), "{part} in {all}");
        }
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let point = |coordinates: &str| {
            feature(
                &format!(r#"{{"type": "Point", "coordinates": {coordinates}}}"#),
                "{}",
            )
        };
        for (text, sentence) in [
            (
                "{\n  nope}".to_owned(),
                "a.json:2:3: this is not JSON: key must be a string",
            ),
            (
                "[1, 2".to_owned(),
                "a.json:1:5: the text ends too early; the file seems to be cut off",
            ),
            (
                "[]".to_owned(),
                "a.json: this is not GeoJSON: an object with a `type` should stand here",
            ),
            (
                r#"{"type": "Topology"}"#.to_owned(),
                "a.json: `Topology` is not a GeoJSON type",
            ),
            (
                point("[1]"),
                "a.json: features[0].geometry.coordinates: a position needs two numbers, x and y",
            ),
            (
                point("[1, \"2\"]"),
                "a.json: features[0].geometry.coordinates[1]: a coordinate should stand here, not text",
            ),
            (
                point("[1e300, 2]"),
                "a.json: features[0].geometry.coordinates[0]: 1e300 is no coordinate",
            ),
            (
                point("7"),
                "a.json: features[0].geometry.coordinates: a list should stand here, not a number",
            ),
        ] {
            assert_eq!(refusal("a.json", text), sentence);
        }
    }

    #[test]
    fn nesting_and_counts_are_bounded() {
        assert!(refusal("a.json", "[".repeat(1_000_000)).contains("recursion limit"));
        let deep = format!(
            "{}{SQUARE}{}",
            r#"{"type": "GeometryCollection", "geometries": ["#.repeat(20),
            "]}".repeat(20)
        );
        assert!(refusal("a.json", deep).contains("nested more than 16 deep"));
        let many = format!("[{}0]", "0,".repeat(4_000_000));
        assert!(refusal("a.json", many).contains("more than 2000000 values"));
    }
}

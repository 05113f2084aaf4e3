//! Features, what they become, and what is refused.

use super::*;
use crate::document::{Goal, KindName, Level};
use crate::exchange::import::tests::{read, read_with, refusal};
use crate::exchange::import::{Coordinates, ImportRequest};

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
    let (_, entity) = of_kind.next().expect("exists");
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
    let (_, _, obstacle) = imported.level.obstacles().next().expect("exists");
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
    let (_, _, region) = meadow.level.regions().next().expect("exists");
    assert_eq!(meadow.level.label(region.terrain), "Grass");

    let agent = read(
        "a.json",
        feature(
            r#"{"type": "Point", "coordinates": [1, 50, 3]}"#,
            r#"{"kind": "agent", "profile": "Guard", "goals": [[4, 5], "no", [6]]}"#,
        ),
    )
    .expect("sound");
    let (_, _, agent_found) = agent.level.agents().next().expect("exists");
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
    let count = |level: &Level, kind| level.iter().filter(|(_, e)| e.kind.name() == kind).count();
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
        .expect("exists")
        .2
        .area
        .bounds()
        .size();
    assert!(
        (size.x - 679.0).abs() < 1.0 && (size.y - 1112.7).abs() < 1.0,
        "{size}"
    );
    assert!(imported.warnings[0].contains("--coordinates plane"));
    let request = ImportRequest::with(DrawingOptions {
        coordinates: Coordinates::Plane,
        scale: 1000.0,
        ..DrawingOptions::default()
    });
    let plane = read_with("a.geojson", feature(block, "{}"), &request).expect("sound");
    let bounds = plane
        .level
        .obstacles()
        .next()
        .expect("exists")
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
            "a.json:2:3: this is not JSON: a name in quotation marks is missing",
        ),
        (
            "[1, 2".to_owned(),
            "a.json:1:5: the text ends unexpectedly; the file seems to be truncated",
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
    assert!(refusal("a.json", "[".repeat(1_000_000)).contains("nested too deeply"));
    let deep = format!(
        "{}{SQUARE}{}",
        r#"{"type": "GeometryCollection", "geometries": ["#.repeat(20),
        "]}".repeat(20)
    );
    assert!(refusal("a.json", deep).contains("nested more than 16 deep"));
    let many = format!("[{}0]", "0,".repeat(4_000_000));
    assert!(refusal("a.json", many).contains("more than 2000000 values"));
}

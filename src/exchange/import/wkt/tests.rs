//! Geometries, what they become, and mistakes with their place.

use super::super::ImportRequest;
use super::super::tests::{read, read_with, refusal};
use super::*;
use crate::document::{KindName, RouteShape};
use crate::exchange::Polygons;
use crate::geometry::Rect;

fn obstacles(imported: &Imported) -> Vec<(String, Polygon)> {
    imported
        .level
        .obstacles()
        .map(|(_, entity, obstacle)| (entity.name.clone(), obstacle.area.clone()))
        .collect()
}

#[test]
fn a_walkable_polygon_becomes_bounds_and_what_is_around_it() {
    let imported = read(
        "hall.wkt",
        "POLYGON ((0 0, 20.0625 0, 20 10, 0 10, 0 0), (5 5, 5 6, 6 6, 6 5, 5 5))",
    )
    .expect("sound");
    assert_eq!(imported.level.settings().name, "hall");
    let bounds = imported.level.settings().bounds;
    assert_eq!(bounds.min, DVec2::splat(-2.0));
    let found = obstacles(&imported);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].0, "Outside");
    // Coordinates off the lattice stay as they were.
    assert!(found[0].1.holes[0].contains(&DVec2::new(20.0625, 0.0)));
    assert_eq!(found[1].1.area(), 1.0);
    assert_eq!(imported.level.profiles().count(), 1);
    assert_eq!(imported.warnings.len(), 1);
    assert!(imported.warnings[0].contains("--polygons obstacles"));
}

#[test]
fn rooms_that_touch_are_walkable_and_houses_that_do_not_are_obstacles() {
    let rooms = read(
        "rooms.wkt",
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4, 0 4)), POLYGON ((4 1, 9 1, 9 2, 4 2)))",
    )
    .expect("sound");
    let inside = |p: DVec2| obstacles(&rooms).iter().any(|(_, area)| area.contains(p));
    assert!(!inside(DVec2::new(4.0, 1.5)) && inside(DVec2::new(6.0, 3.0)));
    let text = "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4)), ((6 1, 9 1, 9 2, 6 2)))";
    let houses = read("houses.wkt", text).expect("sound");
    assert_eq!(obstacles(&houses).len(), 2);
    assert!(
        houses
            .level
            .settings()
            .bounds
            .contains_rect(&Rect::new(DVec2::splat(-1.0), DVec2::new(10.0, 5.0)))
    );
    let request = ImportRequest::with(DrawingOptions {
        polygons: Polygons::Walkable,
        ..DrawingOptions::default()
    });
    let parts = read_with("houses.wkt", text, &request).expect("sound");
    assert_eq!(obstacles(&parts).len(), 1);
    assert!(parts.warnings.is_empty());
}

#[test]
fn every_geometry_and_spelling_is_read() {
    let imported = read(
        "mixed.wkt",
        "SRID=25832; linestring Z (0 0 1, 5 5 2)\n\
         MULTIPOINT ((1 2), (3 4));MULTIPOINT(5 6,7 8)\nPOINT M (9 9 4)\n\
         GEOMETRYCOLLECTION(POINT EMPTY, POLYGON EMPTY, GEOMETRYCOLLECTION EMPTY,\n\
         MULTILINESTRING((0 0,1 1),EMPTY,(2 2,3 3,3 2, 2 2)))\nPOLYGONZM EMPTY LINEARRING (0 0, 1 0, 1 1)",
    )
    .expect("sound");
    let routes: Vec<_> = imported.level.routes().map(|(_, _, route)| route).collect();
    assert_eq!(routes.len(), 4);
    assert_eq!(
        routes[0].shape,
        RouteShape::Polyline(vec![DVec2::ZERO, DVec2::splat(5.0)])
    );
    assert!(!routes[1].closed && routes[2].closed && routes[3].closed);
    let notes = imported
        .level
        .iter()
        .filter(|(_, e)| e.kind.name() == KindName::Note);
    assert_eq!(notes.count(), 5);
}

#[test]
fn mistakes_are_named_with_their_place() {
    for (text, sentence) in [
        (
            "POLYGON ((0 0, 1 x, 1 1))",
            "a.wkt:1:18: `x` is not a number",
        ),
        (
            "\n  POLYGON ((0 0, 1 NaN, 1 1))",
            "a.wkt:2:20: `NaN` is not a finite number",
        ),
        (
            "POINT (1e999 0)",
            "a.wkt:1:8: `1e999` is not a finite number",
        ),
        ("POINT (1e15 0)", "a.wkt:1:8: 1e15 is no coordinate"),
        (
            "POINT (1)",
            "a.wkt:1:9: a number should stand here, not `)`",
        ),
        (
            "POINT (1 2",
            "a.wkt:1:11: `)` should stand here, not the end of the file",
        ),
        (
            "POINT (1 2 3 4 5)",
            "a.wkt:1:16: `)` should stand here, not `5`",
        ),
        (
            "CIRCLE (1 2)",
            "a.wkt:1:1: a geometry such as POLYGON should begin here, not `CIRCLE`",
        ),
        (
            "{}",
            "a.wkt:1:1: a geometry such as POLYGON should begin here, not `{`",
        ),
        (
            "",
            "a.wkt: there is nothing in it to import: no polygon, line or point",
        ),
        (
            "POLYGON ((0 0, 0 0, 1 1))",
            "a.wkt: there is nothing in it to import: no polygon, line or point",
        ),
    ] {
        assert_eq!(refusal("a.wkt", text), sentence);
    }
}

#[test]
fn deep_nesting_is_refused_not_followed() {
    let deep = "GEOMETRYCOLLECTION (".repeat(100_000);
    assert_eq!(
        refusal("a.wkt", deep),
        "a.wkt:1:321: collections are nested more than 16 deep"
    );
}

#[test]
fn a_tangle_is_refused_in_time() {
    let mut random = crate::base::Random::new(5);
    let points: Vec<String> = (0..100_000)
        .map(|_| {
            format!(
                "{:.3} {:.3}",
                random.range(0.0, 900.0),
                random.range(0.0, 900.0)
            )
        })
        .collect();
    let text = format!("POLYGON (({}))", points.join(","));
    assert!(refusal("a.wkt", &text).contains("--polygons obstacles"));
    let request = ImportRequest::with(DrawingOptions {
        polygons: Polygons::Obstacles,
        ..DrawingOptions::default()
    });
    assert!(read_with("a.wkt", &text, &request).is_ok());
}

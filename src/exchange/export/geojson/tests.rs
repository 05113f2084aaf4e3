//! What is written is read again as it was.

use super::*;
use crate::base::{Colour, EntityId};
use crate::document::{Goal, Heading, Knot, Note, Pattern, Repeat, Spawn};
use crate::exchange::import::{ImportRequest, Source, import_unguarded};
use crate::exchange::test_level::apply;
use crate::geometry::Rect;

fn again(level: &Level) -> Level {
    let bytes = document(level).expect("can be written");
    let sources = [Source::new("again.geojson", bytes)];
    let request = ImportRequest::default();
    let imported = import_unguarded(&sources, &request, &JobContext::default());
    let imported = imported.expect("own files can be read");
    assert_eq!(imported.warnings, [] as [String; 0]);
    imported.level
}

/// One of everything that GeoJSON carries, with ids as an import hands them out.
fn level() -> Level {
    let square =
        |at: f64, size: f64| Polygon::rect(Rect::new(DVec2::splat(at), DVec2::splat(at + size)));
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
                variety: Default::default(),
                groups: Default::default(),
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
    let told = GeoJsonWriter.left_out(&level, &NoOptions);
    let told: Vec<String> = told.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["1 flag was left out: GeoJSON has no such feature"]);
    let level = again(&level);
    let (_, _, route) = level.routes().next().expect("exists");
    let points = route.shape.anchors();
    assert!(points.len() > 9 && points[0] == DVec2::ZERO, "{points:?}");
}

#[test]
fn goals_that_are_areas_are_named_as_left_out() {
    let options = crate::document::template::Options::default();
    let rooms = crate::document::template::Template::Rooms.build(&options);
    let left_out = GeoJsonWriter.left_out(&rooms.expect("drawn"), &NoOptions);
    let told = |words: &str| left_out.iter().any(|l| l.to_string().contains(words));
    assert!(told("goals that are areas were left out"), "{left_out:?}");
}

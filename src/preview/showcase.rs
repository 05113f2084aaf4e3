//! A small hand-made level with one of everything, for the tests of this room.

use crate::base::{Colour, EntityId};
use crate::document::{
    Agent, Annotation, Crowd, Edit, Entity, Goal, Heading, Kind, Knot, Level, MeshSource, Mission,
    Motion, Note, Obstacle, Pattern, Profile, Region, Relation, Repeat, Route, RouteShape,
    Settings, Solid, SolidShape, Spawn, Terrain, ops, tag,
};
use crate::geometry::{HeightField, Polygon, Rect};
use glam::{DVec2, DVec3};
use std::sync::Arc;

pub const PROFILE: EntityId = EntityId::new(10);
pub const HALL: EntityId = EntityId::new(30);

fn rect(x: f64, y: f64, w: f64, h: f64) -> Polygon {
    Polygon::rect(Rect::new(DVec2::new(x, y), DVec2::new(x + w, y + h)))
}

/// 60 m × 40 m: terrains of every pattern along the bottom, solids along the top, the rest
/// between them.
pub fn level() -> Level {
    let mut edits = Vec::new();
    let mut add = |id: u64, entity: Entity| edits.push(Edit::create(EntityId::new(id), entity));

    let grounds = [
        ("Grass", 0x6fae5a, Pattern::Tufts),
        ("Road", 0x8a8f98, Pattern::Plain),
        ("Gravel", 0xc2ae84, Pattern::Dots),
        ("Mud", 0x8a6142, Pattern::Hatch),
        ("Thicket", 0x3f7d4f, Pattern::CrossHatch),
        ("Water", 0x4a8fd0, Pattern::Waves),
        ("Paving", 0xb5714f, Pattern::Bricks),
    ];
    for ((name, colour, pattern), i) in grounds.into_iter().zip(0..) {
        let terrain = Terrain::new(Colour::hex(colour), pattern, 1.0);
        add(1 + i, Entity::new(name, Kind::Terrain(terrain)));
        let area = rect(1.0 + 8.4 * i as f64, 1.0, 7.6, 6.0);
        let terrain = EntityId::new(1 + i);
        let name = if i == 5 { "Pond" } else { "" };
        add(
            20 + i,
            Entity::new(name, Kind::Region(Region { area, terrain })),
        );
    }
    add(10, Entity::new("Adult", Kind::Profile(Profile::default())));
    let child = Profile {
        colour: Colour::hex(0xe8743b),
        ..Profile::default()
    };
    add(11, Entity::new("Child", Kind::Profile(child)));

    let mut hall = rect(22.0, 14.0, 12.0, 9.0);
    hall.holes.push(rect(26.0, 17.0, 4.0, 3.0).outer);
    let mut hall = Obstacle::new(hall);
    hall.height = 8.0;
    hall.facing = Heading::degrees(-90.0);
    add(30, Entity::new("Hall", Kind::Obstacle(hall)));
    let mut table = Obstacle::new(Polygon::regular(DVec2::new(40.0, 12.5), 2.0, 6, 0.3));
    table.height = 0.8;
    add(
        31,
        Entity::new("", Kind::Obstacle(table)).tagged(tag::FORBIDDEN),
    );
    let mut tower = Obstacle::new(Polygon::regular(DVec2::new(15.0, 22.0), 2.6, 8, 0.39));
    tower.height = 25.0;
    add(32, Entity::new("Tower", Kind::Obstacle(tower)));
    let mut bridge = Obstacle::new(rect(44.0, 16.0, 9.0, 2.4));
    bridge.base = 3.0;
    bridge.height = 0.5;
    add(33, Entity::new("Bridge", Kind::Obstacle(bridge)));
    let mut cart = Obstacle::new(rect(3.0, 11.0, 2.4, 1.6));
    cart.height = 1.4;
    cart.motion = Some(Motion {
        path: vec![DVec2::new(12.0, 11.8), DVec2::new(12.0, 16.0)],
        route: None,
        speed: 1.0,
        repeat: Repeat::BackAndForth,
    });
    add(
        34,
        Entity::new("Cart", Kind::Obstacle(cart)).tagged(tag::DYNAMIC),
    );

    let shapes = [
        ("Box", SolidShape::Box),
        ("", SolidShape::Ramp),
        ("", SolidShape::Stairs { steps: 9 }),
        ("Silo", SolidShape::Cylinder),
        ("Statue", SolidShape::Mesh(MeshSource::new("statue.obj"))),
    ];
    for ((name, shape), i) in shapes.into_iter().zip(0..) {
        let at = DVec3::new(5.5 + 8.0 * i as f64, 35.0, 0.0);
        let mut solid = Solid::new(shape, at, DVec3::new(6.0, 3.6, 2.5));
        solid.rotation.yaw = Heading::degrees(if i == 1 { 12.0 } else { 0.0 });
        add(40 + i, Entity::new(name, Kind::Solid(solid)));
    }

    let knots = [(3.0, 27.0), (16.0, 29.0), (36.0, 26.0), (57.0, 30.0)].map(|(x, y)| Knot {
        point: DVec2::new(x, y),
        handle_in: DVec2::new(-5.0, 2.5),
        handle_out: DVec2::new(5.0, -2.5),
    });
    let walk = Route::new(RouteShape::Bezier(knots.to_vec()));
    add(50, Entity::new("Walk", Kind::Route(walk)));

    add(
        55,
        Entity::new(
            "",
            Kind::Annotation(Annotation::Relation {
                object: HALL,
                relation: Relation::Front { reach: 3.5 },
            }),
        ),
    );
    let yard = Polygon::regular(DVec2::new(51.0, 23.5), 3.6, 7, 0.0);
    add(
        56,
        Entity::new("Yard", Kind::Annotation(Annotation::Area(yard))),
    );

    let mut mission = Mission::new(PROFILE);
    mission.goals = vec![
        Goal::At(DVec3::new(19.0, 16.0, 0.0)),
        Goal::inside(EntityId::new(56)),
    ];
    let agent = Agent {
        start: DVec3::new(8.0, 18.0, 0.0),
        heading: Heading::degrees(30.0),
        mission,
    };
    add(60, Entity::new("Ada", Kind::Agent(agent)));
    let mut mission = Mission::new(EntityId::new(11));
    mission.goals = vec![Goal::At(DVec3::new(56.0, 12.0, 0.0))];
    let crowd = Crowd {
        variety: Default::default(),
        groups: Default::default(),
        area: rect(44.0, 32.0, 13.0, 6.0),
        count: 24,
        spawn: Spawn::AtOnce,
        mission,
    };
    add(61, Entity::new("Class", Kind::Crowd(crowd)));
    let note = Note {
        at: DVec2::new(55.0, 19.0),
        text: "Gate opens at six\nand closes at nine".to_owned(),
    };
    add(70, Entity::new("", Kind::Note(note)));

    let settings = Settings {
        name: "Showcase <1>".to_owned(),
        bounds: Rect::new(DVec2::ZERO, DVec2::new(60.0, 40.0)),
        ..Settings::default()
    };
    edits.push(Edit::Settings(Arc::new(settings)));
    ops::apply(&Level::default(), &edits).expect("the showcase is within the limits")
}

/// A hill in the middle of the showcase.
pub fn hilly() -> Level {
    let mut field = HeightField::flat(Rect::new(DVec2::ZERO, DVec2::new(60.0, 40.0)), 1.0, 0.0);
    let hill = DVec2::new(34.0, 22.0);
    field.heights = (0..field.rows * field.columns)
        .map(|i| {
            let p = DVec2::new((i % field.columns) as f64, (i / field.columns) as f64);
            6.0 * (-(p - hill).length_squared() / 260.0).exp() + 0.05 * p.x
        })
        .collect();
    let edit = Edit::Ground(Some(Arc::new(field)));
    ops::apply(&level(), &[edit]).expect("the hill is within the limits")
}

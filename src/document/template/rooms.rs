//! `rooms`: the ground floor of a museum.

use super::super::model::{
    Body, Constraint, Crowd, Expectation, Goal, Heading, Kind, Mission, Pace, PlannerId, Profile,
    Query, Relation, Repeat, Spawn, When, tag,
};
use super::builder::{Builder, inside, near, never_in};
use super::palette;
use super::shape::{rect, rounded};
use crate::base::EntityId;
use crate::geometry::{Polygon, Rect, boolean};
use glam::DVec2;
use std::ops::Range;

const WALL_HEIGHT: f64 = 4.0;

/// Rooms that serve as goals.
struct Floors {
    great_hall: EntityId,
    cafe: EntityId,
    print_room: EntityId,
}

/// Entities that annotations refer to.
struct Pieces {
    triptych: EntityId,
    statue: EntityId,
    desk: EntityId,
}

pub(super) fn draw() -> Builder {
    let mut b = Builder::new("Museum", rect(0.0..60.0, 0.0..42.0), 100.0);
    b.settings.notes = "The ground floor of a small museum. Doors are 1 m for staff and 1.6 m or \
        more for everybody; tables carry the tag `forbidden`: solid, and no agent may step on them."
        .to_owned();
    b.settings.grid.spacing = 1.0;
    b.settings.clock.start = 10.0;

    b.base_terrain(palette::GRASS, 1.5);
    let paving = b.terrain(palette::PAVING, 1.0);
    let stone = b.terrain(palette::STONE, 1.0);
    let parquet = b.terrain(palette::PARQUET, 1.0);
    let carpet = b.terrain(palette::CARPET, 0.7);
    let visitor = b.profile(
        "Visitor",
        Profile {
            colour: palette::BLUE,
            ..Profile::default()
        },
    );
    let guard = b.profile(
        "Guard",
        Profile {
            colour: palette::RED,
            ..Profile::default()
        },
    );
    let wheelchair = b.profile(
        "Wheelchair user",
        Profile {
            colour: palette::TEAL,
            body: Body {
                radius: 0.45,
                height: 1.3,
                bent_height: 1.3,
                jump: 0.0,
                foot_span: 0.1,
                step_height: 0.02,
            },
            ..Profile::default()
        },
    );
    let pupil = b.profile(
        "Pupil",
        Profile {
            colour: palette::YELLOW,
            body: Body {
                radius: 0.2,
                height: 1.3,
                bent_height: 0.9,
                ..Profile::default().body
            },
            pace: Pace {
                speed: 1.3,
                max_speed: 3.0,
                ..Profile::default().pace
            },
            ..Profile::default()
        },
    );
    let staff = b.profile(
        "Staff",
        Profile {
            colour: palette::VIOLET,
            ..Profile::default()
        },
    );
    let alarm = b.flag("Alarm", false);

    b.layer("Floor");
    let floors = floors(&mut b, paving, stone, parquet, carpet);
    b.layer("Walls");
    walls(&mut b);
    b.layer("Furniture");
    let pieces = furnish(&mut b);

    b.layer("Plan");
    let staff_only = b.area("Staff only", room(37.0..56.0, 6.0..15.5));
    let before_triptych = b.relation(
        "In front of the triptych",
        pieces.triptych,
        Relation::Front { reach: 3.5 },
    );
    let round_statue = b.relation(
        "Round the statue",
        pieces.statue,
        Relation::Around { reach: 1.2 },
    );
    b.relation("Queue", pieces.desk, Relation::Front { reach: 1.5 });
    let patrol = b.polyline(
        "Patrol",
        &[
            (11.5, 17.2),
            (11.5, 21.2),
            (8.2, 24.0),
            (8.2, 35.4),
            (17.0, 35.4),
            (21.4, 35.4),
            (21.4, 22.0),
            (27.0, 22.0),
            (38.6, 22.0),
            (38.6, 33.0),
            (44.0, 33.0),
            (48.5, 31.0),
            (48.5, 20.5),
            (48.5, 17.2),
            (30.0, 17.2),
        ],
    );
    b.close(patrol);
    b.tune(patrol, 8.0, 2.0);

    b.layer("People");
    let watch = b.agent(
        "Guard",
        (11.5, 17.2),
        Mission {
            goals: b.goals(&[(8.2, 35.4), (38.6, 22.0), (48.5, 20.5), (30.0, 17.2)]),
            repeat: Repeat::Loop,
            planner: PlannerId::MIRAN,
            route: Some(patrol),
            constraints: vec![Constraint {
                when: When::while_set(alarm),
                ..inside(floors.great_hall, 5.0)
            }],
            ..Mission::new(guard)
        },
    );
    b.relation(
        "Seen by the guard",
        watch,
        Relation::LineOfSight {
            range: 12.0,
            angle: 100.0,
        },
    );
    let art_lover = b.agent(
        "Visitor",
        (29.2, 2.0),
        Mission {
            goals: vec![Goal::inside(before_triptych), Goal::inside(floors.cafe)],
            planner: PlannerId::CONSTRAINT,
            constraints: vec![
                never_in(staff_only),
                near(before_triptych, 3.0),
                inside(round_statue, -2.0),
                Constraint {
                    when: When::between(17.0, 18.0),
                    ..near(floors.cafe, -3.0)
                },
            ],
            ..Mission::new(visitor)
        },
    );
    let wheels = b.agent(
        "Wheelchair user",
        (31.0, 3.2),
        Mission {
            goals: b.goals(&[(45.0, 21.0), (43.2, 35.6)]),
            planner: PlannerId::CORRIDOR,
            constraints: vec![never_in(staff_only)],
            ..Mission::new(wheelchair)
        },
    );
    b.agent(
        "Curator",
        (44.6, 11.1),
        Mission {
            goals: vec![Goal::inside(floors.print_room)],
            planner: PlannerId::OPTIMAL,
            ..Mission::new(staff)
        },
    );
    b.crowd(
        "School class",
        Crowd {
            variety: Default::default(),
            groups: Default::default(),
            area: Polygon::rect(rect(33.0..36.6, 1.0..5.0)),
            count: 14,
            spawn: Spawn::Stream { per_second: 0.7 },
            mission: Mission {
                goals: vec![Goal::inside(floors.great_hall)],
                constraints: vec![never_in(staff_only)],
                ..Mission::new(pupil)
            },
        },
    );

    b.layer("Remarks");
    b.note(
        "Cabinet room",
        (53.4, 20.4),
        "The cases stand 1.4 m apart. Push them to 0.8 m and the wheelchair user is stopped.",
    );
    b.test(
        "The visitor sees the triptych without entering staff rooms",
        Query::Agent(art_lover),
        Expectation {
            never_in: vec![staff_only],
            max_length: Some(120.0),
            ..Expectation::default()
        },
    );
    b.test(
        "The wheelchair user reaches the print room",
        Query::Agent(wheels),
        Expectation {
            min_clearance: Some(0.45),
            ..Expectation::default()
        },
    );
    b.test(
        "From the shop to the café by the inner door",
        Query::Between {
            from: b.place((21.9, 12.6)),
            to: b.place((14.6, 14.4)),
            profile: visitor,
            planner: PlannerId::PORTAL,
        },
        Expectation {
            max_length: Some(14.0),
            ..Expectation::default()
        },
    );
    b
}

/// The interior of a room, given the centre lines of its walls.
fn room(x: Range<f64>, y: Range<f64>) -> Polygon {
    Polygon::rect(rect(x, y).expanded(-0.25))
}

fn floors(
    b: &mut Builder,
    paving: EntityId,
    stone: EntityId,
    parquet: EntityId,
    carpet: EntityId,
) -> Floors {
    let strip = |x: Range<f64>, y: Range<f64>| Polygon::rect(rect(x, y));
    b.region("Forecourt", paving, strip(20.0..40.0, 0.0..6.0));
    b.region("Terrace", paving, strip(4.0..16.0, 1.6..6.0));
    b.region("Delivery path", paving, strip(56.0..60.0, 9.2..11.6));
    b.region("", stone, strip(4.0..56.0, 6.0..38.0));
    b.region("West gallery", parquet, room(4.0..19.0, 19.0..38.0));
    b.region("Cabinet room", parquet, room(41.0..56.0, 19.0..28.5));
    b.region("Shop", parquet, room(16.0..23.0, 6.0..15.5));
    let floors = Floors {
        great_hall: b.region("Great hall", stone, room(19.0..41.0, 19.0..38.0)),
        cafe: b.region("Café", stone, room(4.0..16.0, 6.0..15.5)),
        print_room: b.region("Print room", parquet, room(41.0..56.0, 28.5..38.0)),
    };
    b.region("", carpet, strip(29.0..31.0, 6.6..24.6));
    b.region("", carpet, rounded(rect(25.4..34.6, 24.6..33.4), 1.2));
    floors
}

fn walls(b: &mut Builder) {
    let thick = |area: Rect| {
        let inner = area.expanded(-0.25);
        boolean::difference(
            &[Polygon::rect(area.expanded(0.25))],
            &[Polygon::rect(inner)],
        )
    };
    let mut walls = thick(rect(4.0..56.0, 6.0..38.0));
    let across = |x: Range<f64>, y: f64| Polygon::rect(rect(x, y - 0.15..y + 0.15));
    let upright = |x: f64, y: Range<f64>| Polygon::rect(rect(x - 0.15..x + 0.15, y));
    walls.extend([
        across(4.0..56.0, 15.5),
        across(4.0..56.0, 19.0),
        across(41.0..56.0, 28.5),
        upright(16.0, 6.0..15.5),
        upright(23.0, 6.0..15.5),
        upright(37.0, 6.0..15.5),
        upright(46.0, 6.0..15.5),
        upright(19.0, 19.0..38.0),
        upright(41.0, 19.0..38.0),
    ]);
    let door = |x: f64, y: f64, wide: f64| {
        Polygon::rect(Rect::around(DVec2::new(x, y), DVec2::new(wide * 0.5, 0.5)))
    };
    let side_door = |x: f64, y: f64, wide: f64| {
        Polygon::rect(Rect::around(DVec2::new(x, y), DVec2::new(0.5, wide * 0.5)))
    };
    let doors = [
        door(30.0, 6.0, 3.0),
        door(10.0, 6.0, 1.8),
        side_door(56.0, 10.4, 1.8),
        door(30.0, 15.5, 7.0),
        door(12.4, 15.5, 1.8),
        door(41.5, 15.5, 1.0),
        door(11.5, 19.0, 2.0),
        door(30.0, 19.0, 2.6),
        door(48.5, 19.0, 1.6),
        door(48.5, 28.5, 1.6),
        side_door(16.0, 12.6, 1.2),
        side_door(23.0, 10.6, 1.6),
        side_door(46.0, 11.1, 1.2),
        side_door(19.0, 35.4, 2.0),
        side_door(41.0, 33.0, 1.8),
    ];
    let mut pieces = boolean::difference(&boolean::union(&walls), &doors);
    pieces.sort_by(|a, b| {
        let (a, b) = (a.bounds().min, b.bounds().min);
        a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x))
    });
    for (i, piece) in pieces.into_iter().enumerate() {
        let id = b.obstacle(format!("Wall {}", i + 1), piece, WALL_HEIGHT);
        b.tag(id, "wall");
    }
}

fn furnish(b: &mut Builder) -> Pieces {
    let piece = |b: &mut Builder, name: &str, x: Range<f64>, y: Range<f64>, height: f64| {
        b.obstacle(name, Polygon::rect(rect(x, y)), height)
    };

    b.group("Entrance hall");
    let desk = piece(b, "Ticket desk", 24.6..25.8, 12.2..14.6, 1.1);
    face(b, desk, 0.0);
    piece(b, "Lockers", 36.0..36.7, 7.4..13.8, 1.9);
    piece(b, "Bench", 33.2..33.8, 8.0..10.4, 0.45);

    b.group("Café");
    piece(b, "Counter", 4.6..5.5, 8.4..14.2, 1.1);
    for (i, (x, y)) in [(8.0, 8.9), (8.0, 12.4), (11.6, 9.2), (14.3, 8.4)]
        .into_iter()
        .enumerate()
    {
        table(b, &format!("Café table {}", i + 1), DVec2::new(x, y));
    }

    b.group("Shop");
    piece(b, "Bookcase", 16.5..17.1, 7.0..11.4, 2.0);
    let island = b.obstacle("Card table", rounded(rect(19.2..20.6, 7.8..12.0), 0.4), 0.9);
    b.tag(island, tag::FORBIDDEN);
    piece(b, "Till", 18.2..20.6, 14.0..14.8, 1.1);

    b.group("Workshop");
    for (i, y) in [8.6, 12.6].into_iter().enumerate() {
        let bench = b.obstacle(
            format!("Workbench {}", i + 1),
            Polygon::rect(rect(38.4..43.2, y..y + 1.1)),
            0.9,
        );
        b.tag(bench, tag::FORBIDDEN);
    }
    b.group("Store");
    for (i, y) in [7.2, 9.0, 12.6, 14.4].into_iter().enumerate() {
        piece(b, &format!("Rack {}", i + 1), 48.4..54.4, y..y + 0.6, 2.2);
    }

    b.group("West gallery");
    piece(b, "Picture wall", 11.35..11.65, 25.0..33.0, 3.0);
    for (i, y) in [23.5, 29.0, 34.0].into_iter().enumerate() {
        pedestal(b, &format!("Vase {}", i + 1), DVec2::new(5.9, y));
        pedestal(b, &format!("Bust {}", i + 1), DVec2::new(16.4, y - 1.0));
    }
    piece(b, "Gallery bench", 14.0..14.5, 27.6..30.4, 0.45);

    b.group("Great hall");
    for (i, y) in [22.6, 26.0, 29.4, 32.8].into_iter().enumerate() {
        for (side, x) in [("West", 23.4), ("East", 36.6)] {
            b.obstacle(
                format!("{side} column {}", i + 1),
                Polygon::regular(DVec2::new(x, y), 0.5, 12, 0.0),
                WALL_HEIGHT,
            );
        }
    }
    let statue = b.obstacle(
        "Statue",
        Polygon::regular(DVec2::new(30.0, 29.0), 1.3, 16, 0.0),
        3.6,
    );
    face(b, statue, -90.0);
    let triptych = b.obstacle(
        "Triptych",
        Polygon::new(
            [
                (26.6, 36.7),
                (28.2, 37.1),
                (31.8, 37.1),
                (33.4, 36.7),
                (33.5, 37.0),
                (31.9, 37.4),
                (28.1, 37.4),
                (26.5, 37.0),
            ]
            .map(DVec2::from)
            .to_vec(),
        ),
        2.8,
    );
    face(b, triptych, -90.0);

    b.group("Cabinet room");
    for (j, y) in [21.6, 24.6].into_iter().enumerate() {
        for (i, x) in [42.6, 50.8].into_iter().enumerate() {
            let case = rect(x..x + 3.4, y..y + 1.6);
            b.obstacle(format!("Case {}", j * 2 + i + 1), rounded(case, 0.15), 1.2);
        }
    }

    b.group("Print room");
    for (i, x) in [45.2, 50.6].into_iter().enumerate() {
        let desk = b.obstacle(
            format!("Reading table {}", i + 1),
            Polygon::rect(rect(x..x + 3.0, 34.0..35.4)),
            0.8,
        );
        b.tag(desk, tag::FORBIDDEN);
    }
    piece(b, "Plan chest", 51.6..55.2, 29.2..30.2, 1.1);

    b.group("Grounds");
    for (i, x) in [21.4, 38.6].into_iter().enumerate() {
        b.obstacle(
            format!("Planter {}", i + 1),
            rounded(Rect::around(DVec2::new(x, 3.2), DVec2::new(0.7, 1.6)), 0.3),
            0.8,
        );
    }
    for (x, y) in [
        (1.9, 9.0),
        (1.9, 17.0),
        (1.9, 25.0),
        (1.9, 33.0),
        (58.1, 16.0),
        (58.1, 24.0),
        (58.1, 32.0),
        (10.0, 40.1),
        (20.0, 40.1),
        (30.0, 40.1),
        (40.0, 40.1),
        (50.0, 40.1),
        (44.0, 2.8),
        (49.0, 2.8),
        (54.0, 2.8),
    ] {
        let tree = b.obstacle("", Polygon::regular(DVec2::new(x, y), 0.9, 10, 0.0), 5.0);
        b.tag(tree, tag::PLANT);
    }
    b.end_group();
    Pieces {
        triptych,
        statue,
        desk,
    }
}

fn face(b: &mut Builder, id: EntityId, degrees: f64) {
    if let Kind::Obstacle(obstacle) = &mut b.get(id).kind {
        obstacle.facing = Heading::degrees(degrees);
    }
}

/// A round table with four chairs.
fn table(b: &mut Builder, name: &str, at: DVec2) {
    let top = b.obstacle(name, Polygon::regular(at, 0.5, 12, 0.0), 0.75);
    b.tag(top, tag::FORBIDDEN);
    for i in 0..4 {
        let angle = std::f64::consts::FRAC_PI_4 * (2.0 * f64::from(i) + 1.0);
        let chair = super::shape::turned_box(
            at + DVec2::from_angle(angle) * 0.86,
            DVec2::splat(0.42),
            angle,
        );
        b.obstacle(format!("{name}, chair {}", i + 1), chair, 0.45);
    }
}

fn pedestal(b: &mut Builder, name: &str, at: DVec2) {
    b.obstacle(
        name,
        Polygon::rect(Rect::around(at, DVec2::splat(0.45))),
        1.6,
    );
}

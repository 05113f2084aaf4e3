//! `supermarket`: a shop with a car park in front and a café above its far end.
//!
//! Bandi and Thalmann 2000, Fig. 18, left: an agent enters from outside. Displays are low enough to
//! step on, and forbidden.

use super::super::model::{
    ArchHead, Body, Crowd, Expectation, Goal, Mission, Opening, Pace, PlannerId, Profile, Query,
    Repeat, SolidShape, Spawn, tag,
};
use super::builder::Builder;
use super::building::{Along, block, body, deck};
use super::palette;
use super::shape::rect;
use crate::base::EntityId;
use crate::geometry::{Polygon, boolean};
use glam::DVec3;
use std::ops::Range;

/// Where the shop begins, behind the car park. Unit: metres.
const FRONT: f64 = 14.0;
const BACK: f64 = 57.5;
const WEST: f64 = 1.0;
const EAST: f64 = 39.0;
const WALL: f64 = 0.3;
const WALL_HEIGHT: f64 = 7.0;
/// Floor of the café.
const CAFE: f64 = 3.4;

pub(super) fn draw() -> Builder {
    let mut b = Builder::new("Supermarket", rect(0.0..40.0, 0.0..58.5), 100.0);
    b.settings.notes = "From the car park through the doors, between shelves and displays, past the tills. Displays carry \
        the tag `forbidden`: low enough to step on, and no agent does. The café is upstairs: by the stairs, or by the \
        ramp with a trolley."
        .to_owned();
    b.settings.grid.spacing = 1.0;
    b.base_terrain(palette::ROAD, 1.0);
    let tiles = b.terrain(palette::STONE, 1.0);
    let paving = b.terrain(palette::PAVING, 1.0);
    let shopper = b.profile(
        "Shopper",
        Profile {
            colour: palette::BLUE,
            ..Profile::default()
        },
    );
    let trolley = b.profile(
        "Shopper with trolley",
        Profile {
            colour: palette::ORANGE,
            body: Body {
                radius: 0.4,
                height: 1.8,
                bent_height: 1.8,
                jump: 0.0,
                foot_span: 0.3,
                step_height: 0.08,
            },
            pace: Pace {
                speed: 1.0,
                max_speed: 1.6,
                ..Profile::default().pace
            },
            ..Profile::default()
        },
    );
    let staff = b.profile(
        "Staff",
        Profile {
            colour: palette::TEAL,
            ..Profile::default()
        },
    );

    b.layer("Floor");
    b.region(
        "Forecourt",
        paving,
        Polygon::rect(rect(0.0..40.0, 9.0..FRONT)),
    );
    b.region("Shop", tiles, Polygon::rect(rect(WEST..EAST, FRONT..BACK)));
    b.layer("Walls");
    walls(&mut b);
    b.layer("Shelves");
    shelves(&mut b);
    b.layer("Tills");
    tills(&mut b);
    b.layer("Upstairs");
    upstairs(&mut b);
    b.layer("Car park");
    car_park(&mut b);

    b.layer("Plan");
    let dairy = b.area("Dairy", Polygon::rect(rect(20.0..28.0, 42.6..44.2)));
    b.layer("People");
    people(&mut b, [shopper, trolley, staff], dairy);
    b
}

fn people(b: &mut Builder, [shopper, trolley, staff]: [EntityId; 3], dairy: EntityId) {
    let at = |x: f64, y: f64, z: f64| Goal::At(DVec3::new(x, y, z));
    let mission = |profile, goals: Vec<Goal>| Mission {
        goals,
        planner: PlannerId::HUMAN,
        ..Mission::new(profile)
    };
    let buys = b.agent_at(
        "Shopper",
        DVec3::new(9.0, 3.0, 0.0),
        mission(
            shopper,
            vec![
                at(8.0, 24.0, 0.0),
                Goal::inside(dairy),
                at(31.0, 19.9, 0.0),
                at(30.0, 11.0, 0.0),
            ],
        ),
    );
    let pushes = b.agent_at(
        "Trolley",
        DVec3::new(17.0, 11.5, 0.0),
        mission(trolley, vec![at(33.0, 53.0, CAFE)]),
    );
    b.agent_at(
        "Baker",
        DVec3::new(4.0, 55.5, 0.0),
        Mission {
            repeat: Repeat::BackAndForth,
            ..mission(staff, vec![at(12.0, 52.0, CAFE), at(6.0, 38.0, 0.0)])
        },
    );
    b.crowd(
        "Customers",
        Crowd {
            variety: Default::default(),
            groups: Default::default(),
            area: Polygon::rect(rect(12.0..24.0, 9.6..12.6)),
            count: 20,
            spawn: Spawn::Stream { per_second: 0.5 },
            mission: mission(shopper, vec![Goal::inside(dairy)]),
        },
    );
    b.layer("Remarks");
    b.test(
        "The shopper makes his round",
        Query::Agent(buys),
        Expectation::default(),
    );
    b.test(
        "The trolley gets to the café by the ramp",
        Query::Agent(pushes),
        Expectation {
            max_length: Some(95.0),
            ..Expectation::default()
        },
    );
    b.test(
        "From the foot of the stairs, too, a trolley takes the ramp",
        Query::Between {
            from: DVec3::new(4.0, 55.5, 0.0),
            to: DVec3::new(12.0, 52.0, CAFE),
            profile: trolley,
            planner: PlannerId::HUMAN,
        },
        Expectation::default(),
    );
}

fn walls(b: &mut Builder) {
    let shop = rect(WEST..EAST, FRONT..BACK);
    let doors = [14.5..18.5, 28.5..32.5];
    let mut openings = vec![Polygon::rect(shop.expanded(-WALL))];
    openings.extend(
        doors
            .iter()
            .map(|x| Polygon::rect(rect(x.clone(), FRONT - 1.0..FRONT + 1.0))),
    );
    for (i, wall) in boolean::difference(&[Polygon::rect(shop)], &openings)
        .into_iter()
        .enumerate()
    {
        let id = b.obstacle(format!("Wall {}", i + 1), wall, WALL_HEIGHT);
        b.tag(id, "wall");
    }
    for (name, x) in ["Entrance", "Exit"].into_iter().zip(doors) {
        let shape = SolidShape::Arch {
            opening: Opening {
                width: 3.0,
                height: 2.4,
            },
            head: ArchHead::Flat,
        };
        body(
            b,
            name,
            shape,
            [x, FRONT..FRONT + WALL, 0.0..4.0],
            Along::North,
        );
    }
    block(b, "Porch", 12.5..34.5, 10.6..FRONT, 3.2..3.4);
    for (i, x) in [12.7, 23.3, 34.0].into_iter().enumerate() {
        block(
            b,
            format!("Porch post {}", i + 1),
            x..x + 0.3,
            10.8..11.1,
            0.0..3.2,
        );
    }
}

fn shelves(b: &mut Builder) {
    // Two fields of gondolas with an aisle across between them; the walls of the aisles are 2 m high.
    let rows = |b: &mut Builder, field: &str, y: Range<f64>| {
        b.group(format!("{field} field"));
        for row in 0..9 {
            let x = 4.4 + 3.5 * f64::from(row);
            block(
                b,
                format!("{field} shelf {}", row + 1),
                x..x + 1.1,
                y.clone(),
                0.0..2.0,
            );
        }
        b.end_group();
    };
    rows(b, "Front", 26.0..33.0);
    rows(b, "Rear", 35.4..41.8);
    block(b, "Dairy cabinet", 16.0..31.0, 44.8..45.6, 0.0..1.9);
    block(b, "Bread shelf", WEST + WALL..2.0, 30.0..40.0, 0.0..1.8);
    b.group("Displays");
    for (i, (x, y)) in [
        (7.0, 21.4),
        (11.0, 21.4),
        (7.0, 23.6),
        (11.0, 23.6),
        (21.6, 33.7),
    ]
    .into_iter()
    .enumerate()
    {
        let id = block(
            b,
            format!("Display {}", i + 1),
            x..x + 1.6,
            y..y + 1.0,
            0.0..0.22,
        );
        b.tag(id, tag::FORBIDDEN);
    }
    b.end_group();
    // Signs above the aisles, high enough for every agent.
    for (i, x) in [6.6, 13.6, 20.6, 27.6].into_iter().enumerate() {
        block(
            b,
            format!("Sign {}", i + 1),
            x..x + 1.4,
            34.1..34.2,
            2.4..3.0,
        );
    }
}

fn tills(b: &mut Builder) {
    for till in 0..6 {
        let x = 20.6 + 2.3 * f64::from(till);
        let counter = block(
            b,
            format!("Till {}", till + 1),
            x..x + 0.9,
            18.0..21.6,
            0.0..0.95,
        );
        b.tag(counter, tag::FORBIDDEN);
    }
    block(b, "Barrier", 19.0..20.6, 19.6..19.8, 0.0..1.0);
    block(b, "Barrier east", 33.0..EAST - WALL, 19.6..19.8, 0.0..1.0);
    block(b, "Bread counter", 3.0..4.0, 46.0..51.0, 0.0..1.1);
}

fn upstairs(b: &mut Builder) {
    // The café lies over the store, which is as wide as the shop.
    deck(b, "Café floor", 8.0..38.7, 49.0..57.2, CAFE);
    for (i, x) in [15.5, 23.2, 30.9].into_iter().enumerate() {
        block(
            b,
            format!("Store column {}", i + 1),
            x..x + 0.3,
            49.2..49.5,
            0.0..CAFE - 0.2,
        );
    }
    let flight = SolidShape::Stairs { steps: 20 };
    body(
        b,
        "Stairs",
        flight,
        [2.4..8.0, 54.0..56.0, 0.0..CAFE],
        Along::East,
    );
    // Twenty metres at one in six, along the east wall.
    body(
        b,
        "Ramp",
        SolidShape::Ramp,
        [36.2..38.7, 28.6..49.0, 0.0..CAFE],
        Along::North,
    );
    b.group("Café railing");
    block(b, "", 8.0..36.2, 49.0..49.1, CAFE..CAFE + 1.0);
    block(b, "", 8.0..8.1, 49.1..54.0, CAFE..CAFE + 1.0);
    block(b, "", 8.0..8.1, 56.0..57.2, CAFE..CAFE + 1.0);
    block(b, "", 36.1..36.2, 28.6..49.0, 0.0..CAFE + 1.0);
    b.end_group();
    b.group("Café tables");
    for (i, (x, y)) in [(13.0, 54.4), (17.5, 51.8), (22.0, 54.6), (27.0, 52.0)]
        .into_iter()
        .enumerate()
    {
        let top = [x..x + 0.9, y..y + 0.9, CAFE..CAFE + 0.75];
        let id = body(
            b,
            format!("Café table {}", i + 1),
            SolidShape::Cylinder,
            top,
            Along::East,
        );
        b.tag(id, tag::FORBIDDEN);
    }
    b.end_group();
}

fn car_park(b: &mut Builder) {
    for (i, x) in [2.0, 5.0, 11.0, 20.0, 26.0, 32.0].into_iter().enumerate() {
        b.group(format!("Car {}", i + 1));
        let bonnet = block(b, "", x..x + 1.8, 1.6..6.0, 0.25..0.9);
        let cabin = block(b, "", x + 0.1..x + 1.7, 2.8..5.2, 0.9..1.5);
        b.tag(bonnet, tag::FORBIDDEN);
        b.tag(cabin, tag::FORBIDDEN);
        b.end_group();
    }
    block(b, "Kerb", 0.0..40.0, 8.9..9.0, 0.0..0.06);
    let trolleys = block(b, "Trolley park", 35.0..37.0, 10.0..13.6, 0.0..1.1);
    b.tag(trolleys, tag::FORBIDDEN);
}

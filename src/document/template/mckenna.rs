//! `mckenna` and `mckenna_road`: a small training village.
//!
//! After the scenes described in Jaklin et al. 2013, §5: an area of 200 × 200 with 23 convex
//! buildings of 96 corners in all; with the road, 10 convex terrain polygons of 39 corners. The
//! drawing itself is ours.

use super::super::model::{
    Crowd, Expectation, Mission, Pace, PlannerId, Profile, Query, Relation, Repeat, Spawn, When,
};
use super::builder::{Builder, inside, near, never_in};
use super::palette;
use super::shape::{Frame, rect};
use crate::base::EntityId;
use crate::geometry::Polygon;
use glam::DVec2;
use std::f64::consts::FRAC_PI_8;
use std::ops::Range;

/// The main street bends here, and the north street leaves it.
const CROSSING: DVec2 = DVec2::new(100.0, 100.0);
const WEST_END: DVec2 = DVec2::new(0.0, 88.0);
const EAST_END: DVec2 = DVec2::new(200.0, 92.0);

/// From the main street's axis to the kerb, and to the sidewalk's far side. Unit: metres.
const KERB: f64 = 4.0;
const WALK: f64 = 6.5;
/// Half the width of the north street.
const NORTH_KERB: f64 = 3.5;

/// Along the main street west of the crossing, its left is north.
fn west() -> Frame {
    Frame::towards(WEST_END, CROSSING)
}

/// Along the main street east of the crossing; the north street is its v axis.
fn east() -> Frame {
    Frame::towards(CROSSING, EAST_END)
}

struct Village {
    town_hall: EntityId,
    chapel: EntityId,
    barn: EntityId,
}

pub(super) fn draw() -> Builder {
    let mut b = Builder::new("McKenna", rect(0.0..200.0, 0.0..200.0), 10.0);
    b.settings.notes = "A village for training, drawn after the description of the McKenna site \
        in the literature on indicative routes: 200 × 200 m, 23 convex buildings, 96 corners. \
        The patrol's route loops through the south of the village: vary its look-ahead from 100 \
        to 1250 and watch how much of the loop is skipped."
        .to_owned();
    b.settings.grid.spacing = 5.0;
    b.base_terrain(palette::SAND, 1.0);
    let scout = b.profile(
        "Scout",
        Profile {
            colour: palette::TEAL,
            ..Profile::default()
        },
    );
    let squad = b.profile(
        "Squad",
        Profile {
            colour: palette::BLUE,
            pace: Pace {
                speed: 2.2,
                max_speed: 4.0,
                ..Profile::default().pace
            },
            ..Profile::default()
        },
    );
    let villager = b.profile(
        "Villager",
        Profile {
            colour: palette::ORANGE,
            ..Profile::default()
        },
    );
    let alert = b.flag("Alert", false);
    let village = buildings(&mut b);

    b.layer("Plan");
    let (w, e) = (west(), east());
    let patrol = b.polyline(
        "Patrol",
        &[
            w.at(3.0, 0.0),
            w.at(97.0, 0.5),
            e.at(28.5, -2.0),
            e.at(28.5, -39.0),
            e.at(-3.0, -39.0),
            w.at(86.0, -79.0),
            w.at(51.0, -77.5),
            w.at(47.5, -42.0),
            w.at(51.0, -12.0),
            w.at(57.5, -2.0),
            w.at(57.5, 29.0),
            w.at(94.0, 27.0),
            e.at(-1.0, 58.0),
            e.at(36.0, 58.0),
            e.at(92.0, 66.0),
        ],
    );
    b.tune(patrol, 100.0, 20.0);
    let green = b.area("Chapel green", e.block(34.0..53.0, 30.0..64.0));
    let crossing = b.area("Crossing", Polygon::regular(CROSSING, 9.0, 8, FRAC_PI_8));
    let cover = b.relation(
        "Behind the barn",
        village.barn,
        Relation::Around { reach: 4.0 },
    );
    b.relation(
        "In front of the town hall",
        village.town_hall,
        Relation::Front { reach: 8.0 },
    );
    let seen = b.relation(
        "Seen from the chapel",
        village.chapel,
        Relation::LineOfSight {
            range: 45.0,
            angle: 50.0,
        },
    );

    b.layer("People");
    let guard = b.agent(
        "Guard",
        w.at(3.0, 0.0),
        Mission {
            goals: b.goals(&[e.at(92.0, 66.0)]),
            planner: PlannerId::MIRAN,
            route: Some(patrol),
            ..Mission::new(scout)
        },
    );
    let sneak = b.agent(
        "Infiltrator",
        w.at(47.0, -82.0),
        Mission {
            goals: b.goals(&[e.at(50.0, 53.0)]),
            planner: PlannerId::CONSTRAINT,
            constraints: vec![
                never_in(crossing),
                near(cover, 3.0),
                super::super::model::Constraint {
                    when: When::while_set(alert),
                    ..inside(seen, -4.0)
                },
            ],
            ..Mission::new(scout)
        },
    );
    b.crowd(
        "Squad",
        Crowd {
            variety: Default::default(),
            groups: Default::default(),
            area: e.block(76.0..92.0, -50.0..-38.0),
            count: 9,
            spawn: Spawn::AtOnce,
            mission: Mission {
                goals: b.goals(&[e.at(0.0, 0.0), w.at(10.0, -30.0)]),
                planner: PlannerId::CORRIDOR,
                ..Mission::new(squad)
            },
        },
    );
    b.crowd(
        "Churchgoers",
        Crowd {
            variety: Default::default(),
            groups: Default::default(),
            area: w.block(62.0..84.0, 24.0..30.0),
            count: 12,
            spawn: Spawn::Stream { per_second: 0.5 },
            mission: Mission {
                goals: vec![super::super::model::Goal::inside(green)],
                ..Mission::new(villager)
            },
        },
    );

    b.layer("Remarks");
    b.note(
        "The loop",
        w.at(70.0, -78.5),
        "With a look-ahead of 300 m the guard neither follows this loop nor skips it entirely.",
    );
    b.test(
        "Guard reaches the chapel",
        Query::Agent(guard),
        Expectation::default(),
    );
    b.test(
        "Infiltrator never crosses the crossing",
        Query::Agent(sneak),
        Expectation {
            max_length: Some(260.0),
            never_in: vec![crossing],
            ..Expectation::default()
        },
    );
    b.test(
        "A squad gets from the gate to the warehouse",
        Query::Between {
            from: b.place(w.at(4.0, 0.0)),
            to: b.place(e.at(50.0, -6.0)),
            profile: squad,
            planner: PlannerId::OPTIMAL,
        },
        Expectation {
            max_length: Some(150.0),
            ..Expectation::default()
        },
    );
    b
}

pub(super) fn draw_with_road() -> Builder {
    let mut b = Builder::new("McKenna with road", rect(0.0..200.0, 0.0..200.0), 10.0);
    b.settings.notes = "The training village with road, sidewalk and mud: 10 convex terrain \
        polygons of 39 corners. The pedestrian's weights are those of Jaklin et al. 2013, §5: \
        sidewalk 0.5, road 4, mud 40, everything else 1."
        .to_owned();
    b.settings.grid.spacing = 5.0;
    b.base_terrain(palette::GRASS, 1.0);
    let road = b.terrain(palette::ROAD, 1.0);
    let sidewalk = b.terrain(palette::SIDEWALK, 1.0);
    let mud = b.terrain(palette::MUD, 10.0);
    let pedestrian = b.profile(
        "Pedestrian",
        Profile {
            colour: palette::BLUE,
            terrain_weights: [(sidewalk, 0.5), (road, 4.0), (mud, 40.0)].into(),
            ..Profile::default()
        },
    );
    let runner = b.profile(
        "Late runner",
        Profile {
            colour: palette::RED,
            pace: Pace {
                speed: 3.0,
                max_speed: 5.0,
                ..Profile::default().pace
            },
            terrain_weights: [(sidewalk, 1.0), (road, 1.0), (mud, 2.0)].into(),
            ..Profile::default()
        },
    );
    let cart = b.profile(
        "Delivery cart",
        Profile {
            colour: palette::YELLOW,
            body: super::super::model::Body {
                radius: 1.0,
                ..Profile::default().body
            },
            terrain_weights: [(sidewalk, 8.0), (road, 0.5), (mud, 20.0)].into(),
            ..Profile::default()
        },
    );

    b.layer("Ground");
    ground(&mut b, road, sidewalk, mud);
    let village = buildings(&mut b);

    b.layer("Plan");
    let (w, e) = (west(), east());
    // A hurried sketch: across the road, cutting the muddy corner.
    let sketch = b.polyline(
        "To the chapel",
        &[
            w.at(3.0, 5.2),
            w.at(60.0, 3.0),
            w.at(92.0, 9.0),
            e.at(-4.0, 29.0),
            e.at(30.0, 30.5),
            e.at(51.5, 40.0),
            e.at(51.5, 53.0),
        ],
    );
    b.tune(sketch, 40.0, 10.0);
    let round = b.polyline(
        "Delivery round",
        &[
            e.at(97.0, -1.5),
            e.at(6.0, -1.5),
            e.at(1.5, 70.0),
            e.at(-2.0, 70.0),
            w.at(97.0, 1.5),
            w.at(4.0, -1.5),
        ],
    );
    b.tune(round, 40.0, 10.0);
    b.relation(
        "In front of the town hall",
        village.town_hall,
        Relation::Front { reach: 2.5 },
    );

    b.layer("People");
    let walker = b.agent(
        "Pedestrian",
        w.at(3.0, 5.2),
        Mission {
            goals: b.goals(&[e.at(51.5, 53.0)]),
            planner: PlannerId::MIRAN,
            route: Some(sketch),
            ..Mission::new(pedestrian)
        },
    );
    b.agent(
        "Late runner",
        w.at(3.0, -5.2),
        Mission {
            goals: b.goals(&[e.at(51.5, 49.0)]),
            planner: PlannerId::MIRAN,
            route: Some(sketch),
            ..Mission::new(runner)
        },
    );
    b.agent(
        "Delivery cart",
        e.at(97.0, -1.5),
        Mission {
            goals: b.goals(&[w.at(4.0, -1.5)]),
            repeat: Repeat::BackAndForth,
            planner: PlannerId::MIRAN,
            route: Some(round),
            ..Mission::new(cart)
        },
    );
    b.crowd(
        "Evening walkers",
        Crowd {
            variety: Default::default(),
            groups: Default::default(),
            area: e.block(66.0..92.0, -6.2..-4.3),
            count: 8,
            spawn: Spawn::Stream { per_second: 0.25 },
            mission: Mission {
                goals: b.goals(&[w.at(8.0, -5.2)]),
                planner: PlannerId::MIRAN,
                ..Mission::new(pedestrian)
            },
        },
    );

    b.layer("Remarks");
    b.note(
        "Muddy corner",
        w.at(74.0, 27.5),
        "The sketched route cuts this corner. A pedestrian goes round by the sidewalk; someone \
         late runs through.",
    );
    b.test(
        "Pedestrian keeps out of the mud",
        Query::Agent(walker),
        Expectation {
            never_in: vec![mud],
            ..Expectation::default()
        },
    );
    b
}

/// Ten convex polygons: three of road, four of sidewalk, three of mud.
fn ground(b: &mut Builder, road: EntityId, sidewalk: EntityId, mud: EntityId) {
    let (w, e) = (west(), east());
    let left = |v: f64| w.meet(v, DVec2::ZERO, DVec2::X);
    let right = |v: f64| e.meet(v, DVec2::new(200.0, 0.0), DVec2::X);
    let bisector = (w.at(1.0, 0.0) - WEST_END) + (e.at(1.0, 0.0) - CROSSING);
    let bend = |v: f64| w.meet(v, CROSSING, bisector);
    let north_kerb = |v: f64, side: f64| {
        let frame = if side < 0.0 { w } else { e };
        frame.meet(v, e.at(side * NORTH_KERB, 0.0), e.at(1.0, 0.0) - CROSSING)
    };
    let north_edge = |u: f64| {
        let up = Frame::towards(e.at(u, 0.0), e.at(u, 1.0));
        up.meet(0.0, DVec2::new(0.0, 200.0), DVec2::Y)
    };
    let quad = |points: [DVec2; 4]| Polygon::new(points.to_vec()).normalised();

    b.region(
        "Main street, west",
        road,
        quad([left(-KERB), bend(-KERB), bend(KERB), left(KERB)]),
    );
    b.region(
        "Main street, east",
        road,
        quad([bend(-KERB), right(-KERB), right(KERB), bend(KERB)]),
    );
    b.region(
        "North street",
        road,
        quad([
            north_kerb(KERB, -1.0),
            north_kerb(KERB, 1.0),
            north_edge(NORTH_KERB),
            north_edge(-NORTH_KERB),
        ]),
    );
    b.region(
        "Sidewalk, north-west",
        sidewalk,
        quad([
            left(KERB),
            north_kerb(KERB, -1.0),
            north_kerb(WALK, -1.0),
            left(WALK),
        ]),
    );
    b.region(
        "Sidewalk, north-east",
        sidewalk,
        quad([
            north_kerb(KERB, 1.0),
            right(KERB),
            right(WALK),
            north_kerb(WALK, 1.0),
        ]),
    );
    b.region(
        "Sidewalk, south-west",
        sidewalk,
        quad([left(-WALK), bend(-WALK), bend(-KERB), left(-KERB)]),
    );
    b.region(
        "Sidewalk, south-east",
        sidewalk,
        quad([bend(-WALK), right(-WALK), right(-KERB), bend(-KERB)]),
    );
    b.region(
        "Muddy corner",
        mud,
        Polygon::new(vec![
            w.at(88.0, WALK),
            north_kerb(WALK, -1.0),
            e.at(-NORTH_KERB, 24.0),
        ])
        .normalised(),
    );
    b.region(
        "Mud by the sidewalk",
        mud,
        quad([
            e.at(33.5, WALK),
            e.at(36.0, WALK),
            e.at(37.0, 20.0),
            e.at(32.5, 20.0),
        ]),
    );
    let lane_end = |u: f64| {
        let down = Frame::towards(w.at(u, 0.0), w.at(u, -1.0));
        down.meet(0.0, DVec2::ZERO, DVec2::Y)
    };
    b.region(
        "Cart track",
        mud,
        quad([
            w.at(50.0, -WALK),
            w.at(54.5, -WALK),
            lane_end(54.0),
            lane_end(50.5),
        ]),
    );
}

/// Twenty-three buildings: twenty of four corners, two with a cut corner, and the chapel.
fn buildings(b: &mut Builder) -> Village {
    let (w, e) = (west(), east());
    b.layer("Buildings");

    b.group("North-west");
    house(b, "Gatehouse", w, 5.0..15.0, 9.0..18.0, 7.0, Street::South);
    house(b, "Bakery", w, 21.0..35.0, 9.0..21.0, 5.0, Street::South);
    house(
        b,
        "Post office",
        w,
        41.0..54.0,
        9.0..24.0,
        6.0,
        Street::South,
    );
    house(b, "Inn", w, 61.0..86.0, 9.0..22.0, 8.0, Street::South);
    house(
        b,
        "Schoolhouse",
        w,
        12.0..40.0,
        45.0..61.0,
        6.5,
        Street::South,
    );
    let barn = house(b, "Barn", w, 54.0..68.0, 36.0..62.0, 9.0, Street::East);
    house(b, "Smithy", w, 78.0..91.0, 35.0..46.0, 4.5, Street::East);
    house(b, "Stables", e, -40.0..-13.0, 68.0..81.0, 5.0, Street::East);

    b.group("North-east");
    let town_hall = b.building(
        "Town hall",
        e.shape(&[
            (13.5, 9.0),
            (31.0, 9.0),
            (31.0, 26.0),
            (8.5, 26.0),
            (8.5, 14.0),
        ]),
        11.0,
        e.left_degrees() + 180.0,
    );
    house(b, "Bank", e, 38.0..54.0, 9.0..22.0, 8.0, Street::South);
    house(b, "Parsonage", e, 68.0..86.0, 9.0..20.0, 6.0, Street::South);
    let chapel = b.building(
        "Chapel",
        e.shape(&[
            (56.0, 46.0),
            (79.0, 46.0),
            (86.0, 50.0),
            (86.0, 56.0),
            (79.0, 60.0),
            (56.0, 60.0),
        ]),
        15.0,
        e.left_degrees() + 90.0,
    );
    house(
        b,
        "Cobbler's house",
        e,
        9.0..24.0,
        34.0..48.0,
        5.5,
        Street::West,
    );
    house(b, "Workshop", e, 9.0..30.0, 66.0..84.0, 6.0, Street::West);

    b.group("South-east");
    b.building(
        "Corner shop",
        e.shape(&[
            (14.0, -9.0),
            (9.0, -13.5),
            (9.0, -24.0),
            (26.0, -24.0),
            (26.0, -9.0),
        ]),
        7.0,
        e.left_degrees() + 45.0,
    );
    house(
        b,
        "Warehouse",
        e,
        36.0..64.0,
        -27.0..-10.0,
        9.0,
        Street::North,
    );
    house(
        b,
        "Pump house",
        e,
        75.0..88.0,
        -20.0..-10.0,
        4.0,
        Street::North,
    );
    house(
        b,
        "Motor pool",
        e,
        38.0..70.0,
        -84.0..-64.0,
        6.0,
        Street::North,
    );
    house(
        b,
        "Miller's house",
        e,
        10.0..26.0,
        -60.0..-43.0,
        5.5,
        Street::West,
    );

    b.group("South-west");
    house(b, "Dairy", w, 22.0..43.0, -24.0..-10.0, 5.0, Street::North);
    house(b, "Tavern", w, 61.0..80.0, -23.0..-9.0, 7.0, Street::North);
    house(
        b,
        "Storehouse",
        w,
        14.0..40.0,
        -76.0..-54.0,
        6.0,
        Street::East,
    );
    house(b, "Garage", w, 66.0..82.0, -72.0..-48.0, 4.5, Street::West);
    b.end_group();
    Village {
        town_hall,
        chapel,
        barn,
    }
}

/// The side of a house its door is on, seen from the house.
#[derive(Clone, Copy)]
enum Street {
    North,
    East,
    South,
    West,
}

fn house(
    b: &mut Builder,
    name: &str,
    frame: Frame,
    u: Range<f64>,
    v: Range<f64>,
    height: f64,
    door: Street,
) -> EntityId {
    let turn = match door {
        Street::North => 0.0,
        Street::West => 90.0,
        Street::South => 180.0,
        Street::East => -90.0,
    };
    b.building(name, frame.block(u, v), height, frame.left_degrees() + turn)
}

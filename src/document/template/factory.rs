//! `factory`: a hall with a tank that hangs too low to walk under.
//!
//! Bandi and Thalmann 2000, Fig. 18, right: the path to the far corner leads past the overhanging
//! obstacle, since there is no headroom beneath it.

use super::super::model::{
    ArchHead, Body, Expectation, Goal, Heading, Kind, Mission, Opening, Pace, PlannerId, Profile,
    Query, Repeat, SolidShape, tag,
};
use super::builder::Builder;
use super::building::{Along, block, body, deck};
use super::palette;
use super::shape::rect;
use crate::geometry::{Polygon, boolean};
use glam::DVec3;

/// Unit: metres.
const HALL: f64 = 17.0;
const WALL: f64 = 0.25;
const WALL_HEIGHT: f64 = 7.5;
const CATWALK: f64 = 3.06;
/// Underside of the tank: too low for anyone upright who is not small.
const TANK: f64 = 1.2;

pub(super) fn draw() -> Builder {
    let mut b = Builder::new("Factory", rect(0.0..HALL, 0.0..HALL), 100.0);
    b.settings.notes = "A tank hangs 1.2 m above the floor, across the straight path from the gate to the far corner. \
        The worker goes round it; the fitter bends lower and passes beneath. A crane's beam, pipes and a catwalk lie \
        over the machines."
        .to_owned();
    b.settings.grid.spacing = 1.0;
    b.base_terrain(palette::STONE, 1.0);
    let worker = b.profile(
        "Worker",
        Profile {
            colour: palette::ORANGE,
            ..Profile::default()
        },
    );
    let fitter = b.profile(
        "Fitter",
        Profile {
            colour: palette::TEAL,
            body: Body {
                bent_height: 1.0,
                ..Profile::default().body
            },
            ..Profile::default()
        },
    );
    let trolley = b.profile(
        "Trolley",
        Profile {
            colour: palette::VIOLET,
            body: Body {
                radius: 0.5,
                height: 0.9,
                bent_height: 0.9,
                jump: 0.0,
                foot_span: 0.1,
                step_height: 0.03,
            },
            pace: Pace {
                speed: 1.0,
                max_speed: 1.5,
                ..Profile::default().pace
            },
            ..Profile::default()
        },
    );

    b.layer("Hall");
    hall(&mut b);
    b.layer("Machines");
    machines(&mut b);
    b.layer("Overhead");
    overhead(&mut b);

    b.layer("People");
    let at = |x: f64, y: f64, z: f64| Goal::At(DVec3::new(x, y, z));
    let mission = |profile, goals: Vec<Goal>| Mission {
        goals,
        planner: PlannerId::HUMAN,
        ..Mission::new(profile)
    };
    let works = b.agent_at(
        "Worker",
        DVec3::new(2.2, 1.6, 0.0),
        mission(worker, vec![at(15.2, 15.4, 0.0)]),
    );
    let fits = b.agent_at(
        "Fitter",
        DVec3::new(3.4, 1.6, 0.0),
        mission(fitter, vec![at(14.4, 15.4, 0.0)]),
    );
    b.agent_at(
        "Foreman",
        DVec3::new(15.0, 2.0, 0.0),
        Mission {
            repeat: Repeat::BackAndForth,
            ..mission(
                worker,
                vec![at(15.6, 12.4, CATWALK), at(2.4, 14.4, CATWALK)],
            )
        },
    );
    b.agent_at(
        "Trolley",
        DVec3::new(12.4, 1.6, 0.0),
        mission(trolley, vec![at(8.4, 10.4, 0.0)]),
    );

    b.layer("Remarks");
    b.note(
        "The tank",
        (8.5, 4.2),
        "1.2 m of room: too little for the worker, who bends to 1.3 m; enough for the fitter and the trolley.",
    );
    b.test(
        "The worker reaches the far corner, past the tank",
        Query::Agent(works),
        Expectation::default(),
    );
    b.test(
        "The fitter passes under the tank",
        Query::Agent(fits),
        Expectation {
            max_length: Some(21.5),
            ..Expectation::default()
        },
    );
    b.test(
        "No agent stands upright under the tank",
        Query::Between {
            from: DVec3::new(2.2, 1.6, 0.0),
            to: DVec3::new(8.5, 8.5, 0.0),
            profile: worker,
            planner: PlannerId::HUMAN,
        },
        Expectation {
            reachable: false,
            ..Expectation::default()
        },
    );
    b
}

fn hall(b: &mut Builder) {
    let whole = rect(0.0..HALL, 0.0..HALL);
    let walls = boolean::difference(
        &[Polygon::rect(whole)],
        &[
            Polygon::rect(whole.expanded(-WALL)),
            Polygon::rect(rect(1.2..4.4, -1.0..1.0)),
        ],
    );
    for (i, wall) in walls.into_iter().enumerate() {
        let id = b.obstacle(format!("Wall {}", i + 1), wall, WALL_HEIGHT);
        b.tag(id, "wall");
    }
    let gate = SolidShape::Arch {
        opening: Opening {
            width: 2.8,
            height: 3.0,
        },
        head: ArchHead::Flat,
    };
    body(
        b,
        "Gate",
        gate,
        [1.2..4.4, 0.02..WALL, 0.0..4.0],
        Along::North,
    );
}

fn machines(b: &mut Builder) {
    block(b, "Press", 1.2..3.6, 6.0..9.4, 0.0..2.6);
    block(b, "Lathe", 12.4..14.2, 6.2..8.8, 0.0..1.5);
    block(b, "Mill", 6.4..8.2, 12.8..14.0, 0.0..2.2);
    let belt = block(b, "Conveyor", 10.6..11.4, 11.4..15.8, 0.5..0.9);
    b.tag(belt, tag::FORBIDDEN);
    for (i, y) in [11.6, 13.5, 15.4].into_iter().enumerate() {
        block(
            b,
            format!("Conveyor leg {}", i + 1),
            10.8..11.2,
            y..y + 0.2,
            0.0..0.5,
        );
    }
    for (i, (x, y)) in [(1.4, 11.4), (2.3, 11.5), (1.8, 12.3)]
        .into_iter()
        .enumerate()
    {
        let drum = [x..x + 0.6, y..y + 0.6, 0.0..0.9];
        body(
            b,
            format!("Drum {}", i + 1),
            SolidShape::Cylinder,
            drum,
            Along::East,
        );
    }
    let pallet = block(b, "Pallet", 5.6..6.8, 2.0..3.2, 0.0..0.15);
    b.tag(pallet, tag::FORBIDDEN);
}

fn overhead(b: &mut Builder) {
    // The tank stands on four legs far apart, so only its underside obstructs.
    let tank = [5.2..11.8, 5.8..10.0, TANK..3.4];
    block(b, "Tank", tank[0].clone(), tank[1].clone(), tank[2].clone());
    for (i, (x, y)) in [(5.2, 5.8), (11.5, 5.8), (5.2, 9.7), (11.5, 9.7)]
        .into_iter()
        .enumerate()
    {
        block(
            b,
            format!("Tank leg {}", i + 1),
            x..x + 0.3,
            y..y + 0.3,
            0.0..TANK,
        );
    }
    // A pipe lies on its side: a cylinder turned about its own y.
    let pipe = body(
        b,
        "Pipe",
        SolidShape::Cylinder,
        [0.0..0.5, 0.0..0.5, 0.0..11.0],
        Along::East,
    );
    if let Kind::Solid(solid) = &mut b.get(pipe).kind {
        solid.position = DVec3::new(3.0, 16.2, 4.4);
        solid.rotation.pitch = Heading::degrees(90.0);
    }
    block(b, "Crane beam", 0.25..16.75, 8.0..8.5, 6.2..6.9);
    block(b, "Crane trolley", 8.0..9.0, 7.7..8.8, 5.7..6.2);
    block(b, "Hook", 8.4..8.6, 8.1..8.4, 4.2..5.7);
    // A catwalk along two walls, with stairs in the east.
    deck(b, "Catwalk east", 14.4..16.6, 9.4..13.4, CATWALK);
    deck(b, "Catwalk north", 1.2..16.6, 13.4..14.9, CATWALK);
    let flight = [14.8..16.2, 4.36..9.4, 0.0..CATWALK];
    let shape = SolidShape::Stairs { steps: 18 };
    body(b, "Catwalk stairs", shape, flight, Along::North);
}

//! `bottleneck` and `evacuation`: crowds to be simulated.

use super::super::model::{
    Crowd, Door, Exit, Expectation, Goal, Kind, Measure, Mission, Profile, Query, RunExpectation,
    Spawn, Variety,
};
use super::builder::Builder;
use super::palette;
use crate::base::{Distribution, EntityId};
use crate::geometry::{Polygon, Rect};
use glam::DVec2;

/// Deviation of walking speeds (Weidmann 1993). Unit: m/s.
pub(super) const DEVIATION: f64 = 0.26;

pub(super) fn rect(x: [f64; 2], y: [f64; 2]) -> Polygon {
    Polygon::rect(Rect::new(DVec2::new(x[0], y[0]), DVec2::new(x[1], y[1])))
}

/// The body and the speed with which the default model was calibrated.
pub(super) fn pedestrian() -> Profile {
    let mut profile = Profile {
        colour: palette::BLUE,
        ..Profile::default()
    };
    profile.body.radius = 0.18;
    profile.pace.speed = 1.34;
    profile
}

/// A hall, a door of 1.2 m, and everyone on one side of it.
pub(super) fn draw_bottleneck() -> Builder {
    let bounds = Rect::new(DVec2::ZERO, DVec2::new(24.0, 12.0));
    let mut b = Builder::new("Bottleneck", bounds, 100.0);
    b.settings.notes =
        "150 people leave a hall through a door of 1.2 m. Real people pass about 1.9 \
        for each metre and second: change the door's width and simulate again."
            .to_owned();
    b.base_terrain(palette::STONE, 1.0);
    let adult = b.profile("Pedestrian", pedestrian());
    b.layer("Walls");
    b.obstacle("Wall", rect([14.0, 14.2], [0.0, 5.4]), 3.0);
    b.obstacle("Wall", rect([14.0, 14.2], [6.6, 12.0]), 3.0);
    b.layer("Measurements");
    let line = Measure::line(DVec2::new(14.1, 5.4), DVec2::new(14.1, 6.6));
    b.entity("Door", Kind::Measure(line));
    let area = Measure::area(rect([10.0, 14.0], [4.0, 8.0]));
    b.entity("Before the door", Kind::Measure(area));
    b.layer("People");
    let outside = b.area("Outside", rect([20.0, 23.8], [0.2, 11.8]));
    b.crowd(
        "Visitors",
        Crowd {
            area: rect([0.4, 11.0], [0.4, 11.6]),
            count: 150,
            spawn: Spawn::AtOnce,
            groups: Default::default(),
            variety: Variety {
                speed_deviation: DEVIATION,
                delay: Distribution::default(),
            },
            mission: Mission {
                goals: vec![Goal::inside(outside)],
                ..Mission::new(adult)
            },
        },
    );
    b
}

/// Rooms of a school on both sides of a corridor. Unit: metres.
const ROOMS: usize = 5;
const ROOM: [f64; 2] = [8.0, 7.0];
const CORRIDOR: f64 = 3.0;
const WALL: f64 = 0.2;
const DOOR: f64 = 1.0;

/// A school with ten classrooms: everyone leaves after an alarm, and one of two exits is blocked.
pub(super) fn draw_evacuation() -> Builder {
    let inside = ROOMS as f64 * ROOM[0];
    let outside = 8.0;
    let size = DVec2::new(inside + 2.0 * outside, 2.0 * ROOM[1] + CORRIDOR);
    let mut b = Builder::new("Evacuation", Rect::new(DVec2::ZERO, size), 100.0);
    b.settings.notes =
        "A school after the alarm. The exit in the west is blocked by a skip: drag it \
        away while the simulation runs, or shut a door."
            .to_owned();
    b.base_terrain(palette::STONE, 1.0);
    let pupil = b.profile(
        "Pupil",
        Profile {
            colour: palette::ORANGE,
            ..pedestrian()
        },
    );
    b.layer("Walls");
    let (low, high) = (ROOM[1], ROOM[1] + CORRIDOR);
    let (west, east) = (outside, outside + inside);
    for (x, name) in [(west - WALL, "West wall"), (east, "East wall")] {
        let gap = [0.5 * size.y - 0.8, 0.5 * size.y + 0.8];
        b.obstacle(name, rect([x, x + WALL], [0.0, gap[0]]), 3.0);
        b.obstacle(name, rect([x, x + WALL], [gap[1], size.y]), 3.0);
    }
    for (y0, y1) in [(low - WALL, low), (high, high + WALL)] {
        let mut from = west;
        for room in 0..ROOMS {
            let door = west + (room as f64 + 0.5) * ROOM[0] - 0.5 * DOOR;
            b.obstacle("Corridor wall", rect([from, door], [y0, y1]), 3.0);
            from = door + DOOR;
        }
        b.obstacle("Corridor wall", rect([from, east], [y0, y1]), 3.0);
    }
    for room in 1..ROOMS {
        let x = west + room as f64 * ROOM[0] - 0.5 * WALL;
        b.obstacle("Wall", rect([x, x + WALL], [0.0, low - WALL]), 3.0);
        b.obstacle("Wall", rect([x, x + WALL], [high + WALL, size.y]), 3.0);
    }
    let middle = 0.5 * size.y;
    b.obstacle(
        "Skip",
        rect([west - 2.2, west - 0.3], [middle - 1.4, middle + 1.4]),
        1.5,
    );
    b.layer("Doors and exits");
    for (name, x) in [
        ("West yard", [0.2, west - 5.0]),
        ("East yard", [east + 5.0, size.x - 0.2]),
    ] {
        let yard = Exit::new(rect(x, [0.2, size.y - 0.2]));
        b.entity(name, Kind::Exit(yard));
    }
    for (name, x) in [
        ("West door", west - 0.5 * WALL),
        ("East door", east + 0.5 * WALL),
    ] {
        let [from, to] = [-0.8, 0.8].map(|y| DVec2::new(x, middle + y));
        b.entity(name, Kind::Door(Door::new(from, to)));
        b.entity(
            &format!("{name}, flow"),
            Kind::Measure(Measure::line(from, to)),
        );
    }
    for (side, y) in [(1, low - 0.5 * WALL), (2, high + 0.5 * WALL)] {
        for room in 0..ROOMS {
            let x = west + (room as f64 + 0.5) * ROOM[0];
            let [from, to] = [-0.5, 0.5].map(|share| DVec2::new(x + share * DOOR, y));
            let name = format!("Door of class {}", 2 * room + side);
            b.entity(&name, Kind::Door(Door::new(from, to)));
        }
    }
    let corridor = Measure::area(rect([west, east], [low, high]));
    b.entity("Corridor", Kind::Measure(corridor));
    b.layer("People");
    for room in 0..ROOMS {
        let x = west + room as f64 * ROOM[0];
        class(&mut b, format!("Class {}", 2 * room + 1), [x, 0.0], pupil);
        class(
            &mut b,
            format!("Class {}", 2 * room + 2),
            [x, high + WALL],
            pupil,
        );
    }
    b.test(
        "Everyone is out within four minutes",
        Query::Run,
        Expectation {
            run: RunExpectation {
                all_out_within: Some(240.0),
                max_density: Vec::new(),
                none_stuck: true,
            },
            ..Expectation::default()
        },
    );
    b
}

fn class(b: &mut Builder, name: String, [x, y]: [f64; 2], pupil: EntityId) {
    b.crowd(
        &name,
        Crowd {
            area: rect(
                [x + 0.6, x + ROOM[0] - 0.6],
                [y + 0.6, y + ROOM[1] - WALL - 0.6],
            ),
            count: 24,
            spawn: Spawn::AtOnce,
            groups: Default::default(),
            variety: Variety {
                speed_deviation: DEVIATION,
                delay: Distribution::Uniform {
                    from: 0.0,
                    to: 20.0,
                },
            },
            mission: Mission {
                goals: vec![Goal::NearestExit],
                ..Mission::new(pupil)
            },
        },
    );
}

//! `station`: two platforms, stairs to a concourse between them, two exits, and timed trains.

use super::super::model::{
    Arrival, Crowd, Exit, Expectation, Goal, GroupSize, Groups, Kind, Measure, Mission, Query,
    Queue, RunExpectation, Spawn, Variety, Wait, WaitingArea,
};
use super::builder::Builder;
use super::palette;
use super::people::{DEVIATION, pedestrian, rect};
use crate::base::{Distribution, EntityId};
use crate::geometry::{HeightField, Rect};
use glam::DVec2;

const WIDTH: f64 = 60.0;
const DEPTH: f64 = 36.0;

/// From the platforms, where the concourse begins and ends. Unit: metres.
const STAIRS: [[f64; 2]; 2] = [[8.0, 14.0], [22.0, 28.0]];
const RISE: f64 = 3.0;

/// Where the flights of stairs are.
const FLIGHTS: [[f64; 2]; 2] = [[14.0, 17.0], [43.0, 46.0]];

const TRACK: f64 = 3.0;

pub(super) fn draw() -> Builder {
    let bounds = Rect::new(DVec2::ZERO, DVec2::new(WIDTH, DEPTH));
    let mut b = Builder::new("Station", bounds, 100.0);
    b.settings.notes = "Trains arrive at two platforms; their passengers climb the stairs to the \
        concourse and leave by the exit that is nearest, or faster. Others buy a ticket and wait \
        for their train. Stairs are climbed at less than half the speed."
        .to_owned();
    b.base_terrain(palette::STONE, 1.0);
    b.ground(ground());
    let passenger = b.profile("Passenger", pedestrian());
    b.layer("Walls");
    for (name, y) in [("Track 1", 0.0), ("Track 2", DEPTH - TRACK)] {
        b.obstacle(name, rect([0.0, WIDTH], [y, y + TRACK]), 1.0);
    }
    for y in STAIRS {
        let mut from = 0.0;
        for [x0, x1] in FLIGHTS {
            b.obstacle("Wall", rect([from, x0], y), 4.0);
            from = x1;
        }
        b.obstacle("Wall", rect([from, WIDTH], y), 4.0);
    }
    b.layer("Places");
    let [(_, low), (high, _)] = STAIRS.map(|[a, b]| (a, b));
    for (name, x) in [
        ("West exit", [0.2, 1.6]),
        ("East exit", [WIDTH - 1.6, WIDTH - 0.2]),
    ] {
        let area = rect(x, [low + 1.0, high - 1.0]);
        b.entity(name, Kind::Exit(Exit { area, base: 0.0 }));
    }
    let tickets = tickets(&mut b, high);
    let platforms = [[TRACK, STAIRS[0][0]], [STAIRS[1][1], DEPTH - TRACK]];
    let waiting = platforms.map(|[y0, y1]| {
        let mut area = WaitingArea::new(rect([24.0, 36.0], [y0 + 0.6, y1 - 0.6]));
        area.wait = Wait::For(Distribution::Uniform {
            from: 20.0,
            to: 60.0,
        });
        b.entity("Waiting for the train", Kind::WaitingArea(area))
    });
    measures(&mut b);
    b.layer("People");
    trains(&mut b, passenger);
    travellers(&mut b, passenger, tickets, waiting);
    b.test(
        "Everyone gets where they want to, and nobody is stuck",
        Query::Run,
        Expectation {
            run: RunExpectation {
                all_out_within: Some(420.0),
                max_density: Vec::new(),
                none_stuck: true,
            },
            ..Expectation::default()
        },
    );
    b
}

/// Platforms at 0 m, the concourse above them.
fn ground() -> HeightField {
    let area = Rect::new(DVec2::ZERO, DVec2::new(WIDTH, DEPTH));
    let mut field = HeightField::flat(area, 1.0, 0.0);
    let height = |y: f64| {
        let [[a, b], [c, d]] = STAIRS;
        let up = ((y - a) / (b - a)).clamp(0.0, 1.0);
        let down = ((d - y) / (d - c)).clamp(0.0, 1.0);
        RISE * up.min(down)
    };
    let heights =
        (0..field.rows).flat_map(|row| std::iter::repeat_n(height(row as f64), field.columns));
    field.heights = heights.collect();
    field
}

fn tickets(b: &mut Builder, high: f64) -> EntityId {
    let counter = DVec2::new(30.0, high - 1.2);
    b.obstacle("Ticket office", rect([28.0, 32.0], [high - 0.8, high]), 2.5);
    let mut queue = Queue::new(vec![counter, DVec2::new(30.0, high - 5.2)]);
    queue.service = Distribution::Uniform { from: 3.0, to: 7.0 };
    b.entity("Tickets", Kind::Queue(queue))
}

fn measures(b: &mut Builder) {
    for (side, [foot, _]) in [("south", STAIRS[0]), ("north", [STAIRS[1][1], 0.0])] {
        for (name, [x0, x1]) in [("West", FLIGHTS[0]), ("East", FLIGHTS[1])] {
            let (from, to) = (DVec2::new(x0, foot), DVec2::new(x1, foot));
            let line = Kind::Measure(Measure::line(from, to));
            b.entity(&format!("{name} stairs, {side}"), line);
        }
    }
    let area = rect([12.5, 18.5], [5.0, 8.0]);
    b.entity(
        "At the foot of the stairs",
        Kind::Measure(Measure::area(area)),
    );
}

fn trains(b: &mut Builder, passenger: EntityId) {
    let times = [
        ("Train on track 1", [TRACK + 0.4, TRACK + 1.6], [4.0, 150.0]),
        (
            "Train on track 2",
            [DEPTH - TRACK - 1.6, DEPTH - TRACK - 0.4],
            [60.0, 200.0],
        ),
    ];
    for (name, y, times) in times {
        let arrivals = times.map(|at| Arrival {
            at,
            count: 70,
            over: 12.0,
        });
        b.crowd(
            name,
            Crowd {
                area: rect([6.0, WIDTH - 6.0], y),
                count: 140,
                spawn: Spawn::Timetable(arrivals.to_vec()),
                groups: Groups {
                    sizes: [(1, 6.0), (2, 3.0), (3, 1.0)]
                        .map(|(size, share)| GroupSize { size, share })
                        .to_vec(),
                },
                variety: Variety {
                    speed_deviation: DEVIATION,
                    delay: Distribution::default(),
                },
                mission: Mission {
                    goals: vec![Goal::NearestExit],
                    ..Mission::new(passenger)
                },
            },
        );
    }
}

/// Come in by the exits, one in three for a ticket, and wait.
fn travellers(
    b: &mut Builder,
    passenger: EntityId,
    tickets: EntityId,
    [south, north]: [EntityId; 2],
) {
    let [(_, low), (high, _)] = STAIRS.map(|[a, b]| (a, b));
    let entrances = [[2.0, 4.0], [WIDTH - 4.0, WIDTH - 2.0]];
    let plans = [
        (
            "Travellers from the west",
            0,
            0.3,
            vec![Goal::inside(south)],
        ),
        (
            "Travellers from the east",
            1,
            0.3,
            vec![Goal::inside(north)],
        ),
        (
            "Travellers without a ticket",
            0,
            0.12,
            vec![Goal::inside(tickets), Goal::inside(north)],
        ),
    ];
    for (name, entrance, per_second, goals) in plans {
        b.crowd(
            name,
            Crowd {
                area: rect(entrances[entrance], [low + 1.5, high - 1.5]),
                count: (per_second * 150.0_f64).round() as u32,
                spawn: Spawn::Stream { per_second },
                groups: Groups::default(),
                variety: Variety {
                    speed_deviation: DEVIATION,
                    delay: Distribution::default(),
                },
                mission: Mission {
                    goals,
                    ..Mission::new(passenger)
                },
            },
        );
    }
}

//! `stairs`: a flight of open treads, a landing, a gap, a balcony and a gallery above it.
//!
//! Bandi and Thalmann 2000, Fig. 9: above one point of the floor (a1) lie the balcony (a2) and the
//! top of its canopy (a3); the landing (b2) is a long step away. And Fig. 17: stairs with other
//! things around.

use super::super::model::{
    Body, Expectation, Goal, Mission, Pace, PlannerId, Profile, Query, Repeat, SolidShape, tag,
};
use super::builder::Builder;
use super::building::{Along, block, body, deck};
use super::palette;
use super::shape::rect;
use crate::geometry::Polygon;
use glam::{DVec2, DVec3};

const STEPS: u32 = 18;
const RISE: f64 = 0.17;
const RUN: f64 = 0.28;
/// Height of the landing and the balcony, and twice that of the gallery. Unit: metres.
const STOREY: f64 = STEPS as f64 * RISE;
const FLIGHT: f64 = STEPS as f64 * RUN;

/// Where the landing begins, after the first flight.
const LANDING: f64 = 2.0 + FLIGHT;

pub(super) fn draw() -> Builder {
    let mut b = Builder::new("Stairs", rect(0.0..13.0, 0.0..22.4), 100.0);
    b.settings.notes = "Open stairs lead to a landing; the balcony beyond is a long step away, over a gap of half \
        a metre. Adults take it, children do not. Above the balcony's canopy there is room, but none to stand in. Drag \
        the crate on the balcony onto the path and watch only its middle change."
        .to_owned();
    b.settings.grid.spacing = 1.0;
    b.base_terrain(palette::STONE, 1.0);
    let adult = b.profile(
        "Adult",
        Profile {
            colour: palette::BLUE,
            ..Profile::default()
        },
    );
    let child = b.profile(
        "Child",
        Profile {
            colour: palette::YELLOW,
            body: Body {
                radius: 0.2,
                height: 1.1,
                bent_height: 0.8,
                jump: 0.0,
                foot_span: 0.4,
                step_height: 0.2,
            },
            pace: Pace {
                speed: 1.1,
                max_speed: 2.2,
                ..Profile::default().pace
            },
            ..Profile::default()
        },
    );

    b.layer("Stairs");
    stairs(&mut b);
    b.layer("Gallery");
    gallery(&mut b);
    b.layer("Things");
    things(&mut b);

    b.layer("People");
    let at = |x: f64, y: f64, z: f64| Goal::At(DVec3::new(x, y, z));
    let visitor = b.agent_at(
        "Visitor",
        DVec3::new(10.5, 3.0, 0.0),
        Mission {
            goals: vec![at(10.0, 8.5, STOREY), at(10.0, 8.5, 0.0)],
            planner: PlannerId::HUMAN,
            ..Mission::new(adult)
        },
    );
    b.agent_at(
        "Caretaker",
        DVec3::new(5.5, 19.5, 0.0),
        Mission {
            goals: vec![at(11.2, 20.0, 2.0 * STOREY), at(7.4, 8.2, 2.0 * STOREY)],
            repeat: Repeat::BackAndForth,
            planner: PlannerId::HUMAN,
            ..Mission::new(adult)
        },
    );
    let boy = b.agent_at(
        "Boy",
        DVec3::new(8.0, 2.0, 0.0),
        Mission {
            goals: vec![at(5.4, 19.6, 2.0 * STOREY)],
            planner: PlannerId::HUMAN,
            ..Mission::new(child)
        },
    );

    b.layer("Remarks");
    b.note(
        "The gap",
        (5.75, 12.2),
        "Half a metre between landing and balcony: a long step for an adult, too far for a child.",
    );
    b.test(
        "The visitor gets to the balcony and to the floor beneath it",
        Query::Agent(visitor),
        Expectation::default(),
    );
    b.test(
        "The boy gets up to the gallery",
        Query::Agent(boy),
        Expectation::default(),
    );
    b.test(
        "No child crosses the gap",
        Query::Between {
            from: DVec3::new(4.5, 9.0, STOREY),
            to: DVec3::new(8.0, 9.0, STOREY),
            profile: child,
            planner: PlannerId::HUMAN,
        },
        Expectation {
            reachable: false,
            ..Expectation::default()
        },
    );
    b.test(
        "No agent stands on the canopy",
        Query::Between {
            from: DVec3::new(4.5, 9.0, STOREY),
            to: DVec3::new(8.0, 9.0, CANOPY),
            profile: adult,
            planner: PlannerId::HUMAN,
        },
        Expectation {
            reachable: false,
            ..Expectation::default()
        },
    );
    b
}

/// Top of the canopy over the balcony: the gallery's underside is 0.57 m above it. Unit: metres.
const CANOPY: f64 = 5.4;

fn stairs(b: &mut Builder) {
    // Treads without risers: they can be looked through, but there is no room beneath the lower
    // half.
    b.group("Open flight");
    for step in 0..STEPS {
        let front = 2.0 + f64::from(step) * RUN;
        let top = f64::from(step + 1) * RISE;
        block(
            b,
            format!("Tread {}", step + 1),
            1.0..3.0,
            front..front + RUN + 0.02,
            top - 0.06..top,
        );
    }
    b.end_group();
    deck(b, "Landing", 0.5..5.5, LANDING..LANDING + 4.0, STOREY);
    let upper = [
        1.0..3.0,
        LANDING + 4.0..LANDING + 4.0 + FLIGHT,
        STOREY..2.0 * STOREY,
    ];
    let shape = SolidShape::Stairs { steps: STEPS };
    body(b, "Upper flight", shape, upper, Along::North);
}

fn gallery(b: &mut Builder) {
    let far = LANDING + 4.0 + FLIGHT;
    deck(b, "Balcony", 6.0..12.5, LANDING..LANDING + 4.0, STOREY);
    block(
        b,
        "Canopy",
        6.4..12.5,
        LANDING..LANDING + 4.0,
        CANOPY - 0.15..CANOPY,
    );
    let top = 2.0 * STOREY;
    block(b, "Gallery", 6.0..12.5, LANDING..far, top - 0.15..top);
    block(b, "Bridge", 0.5..12.5, far..21.8, top - 0.15..top);
    b.group("Railings");
    for (x, y) in [
        (12.4..12.5, LANDING..21.8),
        (0.5..12.4, 21.7..21.8),
        (0.5..0.6, far..21.7),
        (6.0..12.4, LANDING..LANDING + 0.1),
        (6.0..6.1, LANDING + 0.1..far),
        (3.1..6.0, far..far + 0.1),
    ] {
        block(b, "", x, y, top..top + 1.0);
    }
    b.end_group();
}

fn things(b: &mut Builder) {
    for (i, (x, y)) in [(7.0, 14.0), (11.5, 14.0), (7.0, 18.5), (11.5, 18.5)]
        .into_iter()
        .enumerate()
    {
        b.obstacle(
            format!("Column {}", i + 1),
            Polygon::regular(DVec2::new(x, y), 0.25, 12, 0.0),
            2.0 * STOREY - 0.15,
        );
    }
    block(
        b,
        "Crate on the balcony",
        8.2..9.0,
        10.0..10.8,
        STOREY..STOREY + 0.8,
    );
    block(b, "Kerb", 4.2..12.8, 4.6..5.0, 0.0..0.18);
    block(b, "Crate", 5.6..6.6, 2.6..3.6, 0.0..0.9);
    let bench = block(b, "Bench", 4.6..5.0, 14.6..16.4, 0.0..0.2);
    b.tag(bench, tag::FORBIDDEN);
}

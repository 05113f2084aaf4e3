//! `blocks`: three blocks to jump between and a table that agents may not step on.
//!
//! Bandi and Thalmann 2000, Fig. 19 (and Fig. 11): from the large block A an agent can step down to
//! the floor B or jump to the higher block C in the middle, but there is no path from B to C.

use super::super::model::{Expectation, Goal, Mission, PlannerId, Profile, Query, tag};
use super::builder::Builder;
use super::building::block;
use super::palette;
use super::shape::rect;
use glam::DVec3;

/// Heights of the large blocks and of the one between them; a step is 0.25 m. Unit: metres.
const LOW: f64 = 0.2;
const HIGH: f64 = 0.4;

pub(super) fn draw() -> Builder {
    let mut b = Builder::new("Blocks", rect(0.0..12.0, 0.0..12.0), 100.0);
    b.settings.notes = "The middle block is too high to step onto from the floor, but not from the large ones: the path \
        onto it is a jump. The table in the south carries the tag `forbidden`; take the tag off and the walker steps \
        over the table."
        .to_owned();
    b.settings.grid.spacing = 0.5;
    b.base_terrain(palette::PAVING, 1.0);
    let walker = b.profile(
        "Walker",
        Profile {
            colour: palette::BLUE,
            ..Profile::default()
        },
    );
    let mut heavy = Profile {
        colour: palette::ORANGE,
        ..Profile::default()
    };
    heavy.body.jump = 0.0;
    heavy.body.foot_span = 0.4;
    let heavy = b.profile("With a suitcase", heavy);

    b.layer("Blocks");
    block(&mut b, "Block A", 1.5..4.4, 5.5..10.5, 0.0..LOW);
    block(&mut b, "Block C", 4.92..6.9, 6.7..9.3, 0.0..HIGH);
    block(&mut b, "Block D", 7.42..10.5, 5.5..10.5, 0.0..LOW);
    b.layer("Furniture");
    let table = block(&mut b, "Table", 5.2..6.8, 1.4..3.6, 0.0..LOW);
    b.tag(table, tag::FORBIDDEN);

    b.layer("People");
    let at = |x: f64, y: f64, z: f64| Goal::At(DVec3::new(x, y, z));
    let mission = |goals: Vec<Goal>| Mission {
        goals,
        planner: PlannerId::HUMAN,
        ..Mission::new(walker)
    };
    let jumper = b.agent_at(
        "Jumper",
        DVec3::new(3.0, 8.0, LOW),
        mission(vec![at(6.0, 8.0, HIGH), at(9.0, 8.0, LOW)]),
    );
    let walks = b.agent_at(
        "Walker",
        DVec3::new(3.0, 2.5, 0.0),
        mission(vec![at(9.0, 2.5, 0.0)]),
    );

    b.layer("Remarks");
    b.note(
        "Heights",
        (6.0, 11.2),
        "Large blocks 0.2 m, the middle one 0.4 m; 0.5 m between them.",
    );
    b.test(
        "The jumper gets onto the middle block and on",
        Query::Agent(jumper),
        Expectation::default(),
    );
    b.test(
        "No agent with a suitcase gets onto the middle block",
        Query::Between {
            from: DVec3::new(3.0, 8.0, LOW),
            to: DVec3::new(6.0, 8.0, HIGH),
            profile: heavy,
            planner: PlannerId::HUMAN,
        },
        Expectation {
            reachable: false,
            ..Expectation::default()
        },
    );
    b.test(
        "The walker goes round the table",
        Query::Agent(walks),
        Expectation {
            max_length: Some(8.0),
            ..Expectation::default()
        },
    );
    b
}

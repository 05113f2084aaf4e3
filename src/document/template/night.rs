//! `night`: a grid of blocks with a quarter to stay out of at night, after Fig. 14 of Ninomiya et
//! al. 2014.

use super::super::model::{
    Constraint, ConstraintOptions, Expectation, Mission, PlannerId, Profile, Query, Rule, Weight,
    When,
};
use super::builder::Builder;
use super::palette;
use super::shape::rect;
use crate::geometry::Polygon;

/// From one street to the next, and how wide streets are. Unit: metres.
const BLOCK: f64 = 24.0;
const STREET: f64 = 8.0;
const BLOCKS: i32 = 6;

pub(super) fn draw() -> Builder {
    let side = f64::from(BLOCKS) * BLOCK + STREET;
    let mut b = Builder::new("Quarters at night", rect(0.0..side, 0.0..side), 10.0);
    b.settings.notes = "A town's grid of streets. By night the south quarter is avoided, the more \
        so the later it gets; during the day the straight path leads through it. Turn the level's \
        clock to see when the path changes."
        .to_owned();
    b.settings.grid.spacing = 4.0;
    b.settings.clock.start = 22.0;
    b.base_terrain(palette::ROAD, 1.0);
    let citizen = b.profile(
        "Citizen",
        Profile {
            colour: palette::BLUE,
            ..Profile::default()
        },
    );
    for row in 0..BLOCKS {
        for column in 0..BLOCKS {
            let (x, y) = (
                f64::from(column) * BLOCK + STREET,
                f64::from(row) * BLOCK + STREET,
            );
            let block = rect(x..x + BLOCK - STREET, y..y + BLOCK - STREET);
            let name = format!("Block {}{}", char::from(b'A' + column as u8), row + 1);
            b.building(name, Polygon::rect(block), 12.0, 90.0);
        }
    }
    let from = BLOCK + STREET * 0.5;
    let quarter = b.area(
        "South quarter",
        Polygon::rect(rect(from..from + 3.0 * BLOCK, from..from + 2.0 * BLOCK)),
    );
    let mission = |b: &Builder, constraints: Vec<Constraint>| Mission {
        goals: b.goals(&[(side - 4.0, 3.0 * BLOCK + 4.0)]),
        planner: PlannerId::CONSTRAINT,
        constraints,
        constraint_options: ConstraintOptions {
            spacing: Some(1.0),
            ..ConstraintOptions::DEFAULT
        },
        ..Mission::new(citizen)
    };
    let weight = Weight::ByHour(vec![(6.0, 0.0), (20.0, 0.0), (22.0, -6.0), (23.9, -12.0)]);
    let wary = vec![Constraint::new(Rule::Near { weight }, quarter.into())];
    let wary = mission(&b, wary);
    let wary = b.agent("Wary", (4.0, 4.0), wary);
    let strict = vec![Constraint::new(Rule::NotIn, quarter.into()).when(When::between(22.0, 6.0))];
    let strict = mission(&b, strict);
    b.agent("Strict", (5.0, 3.0), strict);
    let fearless = mission(&b, Vec::new());
    b.agent("Fearless", (3.0, 5.0), fearless);
    b.test(
        "Wary arrives",
        Query::Agent(wary),
        Expectation {
            max_length: Some(320.0),
            ..Expectation::default()
        },
    );
    b
}

//! `zigzag`: compound constraints after Fig. 11 of Ninomiya et al. 2014, four agents side by side.

use super::super::model::{
    Constraint, ConstraintOptions, Expectation, Mission, PlannerId, Profile, Query, Relation, Rule,
    Target,
};
use super::builder::Builder;
use super::palette;
use super::shape::rect;
use crate::base::EntityId;
use crate::geometry::Polygon;

/// Height of one lane. Unit: metres.
const LANE: f64 = 20.0;

fn side(object: EntityId, relation: Relation, weight: f64) -> Constraint {
    let weight = weight.into();
    Constraint::new(Rule::In { weight }, Target::Relation { object, relation })
}

pub(super) fn draw() -> Builder {
    let mut b = Builder::new("Zigzag", rect(0.0..60.0, 0.0..4.0 * LANE), 10.0);
    b.settings.notes = "Four lanes, from the bottom: behind an obstacle and not in front of it; \
        along a wall; alternately in front of and behind obstacles; three agents under one list of \
        constraints, in single file. After Fig. 11 of Ninomiya et al. 2014."
        .to_owned();
    b.settings.grid.spacing = 1.0;
    b.base_terrain(palette::SAND, 1.0);
    let walker = b.profile(
        "Walker",
        Profile {
            colour: palette::TEAL,
            ..Profile::default()
        },
    );
    for lane in 1..4 {
        let y = f64::from(lane) * LANE;
        let wall = Polygon::rect(rect(0.0..60.0, y - 0.3..y + 0.3));
        b.obstacle(format!("Divider {lane}"), wall, 2.5);
    }
    let mission = |b: &Builder, y: f64, constraints: Vec<Constraint>| Mission {
        goals: b.goals(&[(56.0, y)]),
        planner: PlannerId::CONSTRAINT,
        constraints,
        constraint_options: ConstraintOptions {
            spacing: Some(0.5),
            ..ConstraintOptions::DEFAULT
        },
        ..Mission::new(walker)
    };
    let (front, back) = (
        Relation::Front { reach: 5.0 },
        Relation::Back { reach: 5.0 },
    );
    // (a)
    let block = b.building(
        "Block",
        Polygon::rect(rect(26.0..34.0, 7.5..12.5)),
        3.0,
        -90.0,
    );
    let constraints = vec![side(block, back, 8.0), side(block, front, -8.0)];
    let first = mission(&b, 10.0, constraints);
    let around = b.agent("Behind the block", (4.0, 10.0), first);
    // (b)
    let mut along = Vec::new();
    for (index, x) in [8.0, 24.0, 40.0].into_iter().enumerate() {
        let wall = Polygon::rect(rect(x..x + 12.0, LANE + 13.0..LANE + 14.0));
        let wall = b.building(format!("Wall {}", index + 1), wall, 2.5, -90.0);
        along.push(side(wall, Relation::Front { reach: 1.5 }, 8.0));
    }
    let second = mission(&b, LANE + 6.0, along);
    b.agent("Along the wall", (4.0, LANE + 6.0), second);
    // (c)
    let mut zigzag = Vec::new();
    for (index, x) in [12.0, 22.0, 32.0, 42.0].into_iter().enumerate() {
        let post = Polygon::rect(rect(x - 1.5..x + 1.5, 2.0 * LANE + 8.5..2.0 * LANE + 11.5));
        let post = b.building(format!("Post {}", index + 1), post, 2.5, -90.0);
        let (wanted, other) = if index % 2 == 0 {
            (front, back)
        } else {
            (back, front)
        };
        zigzag.push(side(post, wanted, 9.0));
        zigzag.push(side(post, other, -9.0));
    }
    let third = mission(&b, 2.0 * LANE + 10.0, zigzag);
    let zigzag = b.agent("Zigzag", (4.0, 2.0 * LANE + 10.0), third);
    // (d)
    let lane = b.area(
        "Lane",
        Polygon::rect(rect(8.0..52.0, 3.0 * LANE + 13.0..3.0 * LANE + 14.5)),
    );
    let weight = 8.0;
    for (index, y) in [5.0, 9.0, 16.0].into_iter().enumerate() {
        let rule = Rule::Near {
            weight: weight.into(),
        };
        let file = vec![Constraint::new(rule, lane.into())];
        let one = mission(&b, 3.0 * LANE + 10.0, file);
        b.agent(&format!("File {}", index + 1), (3.0, 3.0 * LANE + y), one);
    }
    for (name, agent) in [("Behind the block", around), ("Zigzag", zigzag)] {
        b.test(
            &format!("{name} arrives"),
            Query::Agent(agent),
            Expectation {
                max_length: Some(110.0),
                ..Expectation::default()
            },
        );
    }
    b
}

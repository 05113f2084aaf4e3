//! `guards`: a yard with patrols, and ten agents that cross it under different constraints.

use super::super::model::{
    Constraint, ConstraintOptions, Expectation, Goal, Mission, PlannerId, Profile, Query, Relation,
    Repeat, Rule, Target, When,
};
use super::builder::{Builder, inside, near, never_in};
use super::palette;
use super::shape::rect;
use crate::base::EntityId;
use crate::geometry::Polygon;

/// What a guard sees: metres and degrees.
const SIGHT: Relation = Relation::LineOfSight {
    range: 12.0,
    angle: 70.0,
};

fn sight_of(guard: EntityId) -> Target {
    Target::Relation {
        object: guard,
        relation: SIGHT,
    }
}

pub(super) fn draw() -> Builder {
    let mut b = Builder::new("Guarded yard", rect(0.0..64.0, 0.0..44.0), 10.0);
    b.settings.notes =
        "A storage yard with three guards. Ten agents with constraints of their own want \
        from the gate to the depot: drag a guard, and its sight, the field and the paths follow. \
        Set the flag *alerted*, and Shadow avoids the night watch, too."
            .to_owned();
    b.settings.grid.spacing = 1.0;
    b.settings.clock.start = 21.0;
    let grass = b.base_terrain(palette::GRASS, 1.0);
    let gravel = b.terrain(palette::GRAVEL, 1.0);
    let guard_body = b.profile(
        "Guard",
        Profile {
            colour: palette::RED,
            ..Profile::default()
        },
    );
    let sneak = b.profile(
        "Infiltrator",
        Profile {
            colour: palette::VIOLET,
            ..Profile::default()
        },
    );
    let alerted = b.flag("alerted", false);
    for (x, y) in [
        (0.0..64.0, 18.0..24.0),
        (28.0..34.0, 0.0..44.0),
        (50.0..64.0, 30.0..44.0),
    ] {
        b.region("Gravel", gravel, Polygon::rect(rect(x, y)));
    }
    let buildings = [
        ("Barn", 8.0..20.0, 26.0..36.0, -90.0),
        ("Workshop", 8.0..22.0, 6.0..15.0, 90.0),
        ("Store", 38.0..48.0, 27.0..37.0, -90.0),
        ("Garage", 38.0..52.0, 7.0..15.0, 90.0),
    ]
    .map(|(name, x, y, facing)| b.building(name, Polygon::rect(rect(x, y)), 5.0, facing));
    for (index, (x, y)) in [
        (25.0, 29.0),
        (25.0, 12.0),
        (35.5, 20.0),
        (55.0, 20.5),
        (44.0, 22.0),
    ]
    .into_iter()
    .enumerate()
    {
        let crates = Polygon::rect(rect(x - 0.8..x + 0.8, y - 0.6..y + 0.6));
        b.obstacle(format!("Crates {}", index + 1), crates, 1.9);
    }
    let patrol = |goals: Vec<Goal>| Mission {
        goals,
        repeat: Repeat::Loop,
        planner: PlannerId::OPTIMAL,
        ..Mission::new(guard_body)
    };
    let places = b.goals(&[(31.0, 40.0), (31.0, 4.0)]);
    let guard = b.agent("Guard", (31.0, 24.0), patrol(places));
    let places = b.goals(&[(60.0, 21.0), (4.0, 21.0)]);
    let sentry = b.agent("Sentry", (50.0, 21.0), patrol(places));
    let places = b.goals(&[(54.0, 40.0), (54.0, 26.0)]);
    let watch = b.agent("Night watch", (54.0, 34.0), patrol(places));
    let goal = b.goals(&[(61.0, 37.0)]);
    let crossing = |constraints: Vec<Constraint>| Mission {
        goals: goal.clone(),
        planner: PlannerId::CONSTRAINT,
        constraints,
        constraint_options: ConstraintOptions {
            spacing: Some(0.5),
            ..ConstraintOptions::DEFAULT
        },
        ..Mission::new(sneak)
    };
    let soft = |target: Target, weight: f64| {
        let weight = weight.into();
        Constraint::new(Rule::Near { weight }, target)
    };
    let hard = |guard: EntityId| Constraint::new(Rule::NotIn, sight_of(guard));
    let of = |object: EntityId, relation: Relation| Target::Relation { object, relation };
    let [barn, workshop, store, garage] = buildings;
    b.agent("Straight", (2.0, 2.0), crossing(Vec::new()));
    let shadow = b.agent(
        "Shadow",
        (4.0, 3.0),
        crossing(vec![
            soft(sight_of(guard), -8.0),
            soft(sight_of(sentry), -8.0),
            soft(sight_of(watch), -8.0).when(When::while_set(alerted)),
        ]),
    );
    let reach = 4.0;
    let space = Relation::PersonalSpace {
        front: 4.0,
        back: 2.0,
    };
    let between = Relation::Between { other: store };
    for (name, start, constraints) in [
        (
            "Wall walker",
            (5.0, 3.0),
            vec![
                soft(of(barn, Relation::Back { reach }), 4.0),
                near(store, 2.0),
                hard(guard),
            ],
        ),
        (
            "Off the grass",
            (6.0, 4.0),
            vec![never_in(workshop), near(grass, -3.0), hard(sentry)],
        ),
        (
            "Ghost",
            (7.0, 3.0),
            vec![hard(guard), hard(sentry), hard(watch)],
        ),
        (
            "Courier",
            (8.0, 2.5),
            vec![inside(gravel, 4.0), soft(of(guard, space), -6.0)],
        ),
        (
            "Show-off",
            (9.0, 3.0),
            vec![soft(sight_of(guard), 5.0), soft(sight_of(sentry), 3.0)],
        ),
        (
            "Polite",
            (10.0, 2.5),
            vec![
                soft(of(guard, space), -8.0),
                soft(of(sentry, space), -8.0),
                soft(of(watch, space), -8.0),
            ],
        ),
        (
            "Night owl",
            (11.0, 3.0),
            vec![
                soft(of(garage, Relation::Front { reach }), -6.0).when(When::between(20.0, 6.0)),
                soft(of(garage, Relation::Front { reach }), 4.0).when(When::between(6.0, 20.0)),
                soft(sight_of(sentry), -6.0),
            ],
        ),
        (
            "Go-between",
            (12.0, 2.5),
            vec![soft(of(barn, between), 5.0), soft(sight_of(guard), -4.0)],
        ),
        (
            "Back door",
            (13.0, 3.0),
            vec![
                soft(of(store, Relation::Back { reach }), 4.0),
                soft(of(store, Relation::Front { reach }), -5.0),
                soft(sight_of(watch), -6.0),
            ],
        ),
    ] {
        b.agent(name, start, crossing(constraints));
    }
    b.test(
        "Shadow reaches the depot",
        Query::Agent(shadow),
        Expectation {
            max_length: Some(140.0),
            ..Expectation::default()
        },
    );
    b
}

//! `crossing`: a road with moving vehicles, after Fig. 6 of Ninomiya et al. 2014.

use super::super::model::{
    Constraint, ConstraintOptions, Expectation, Heading, Kind, Mission, Motion, PlannerId, Profile,
    Query, Relation, Repeat, Rule, Target, tag,
};
use super::builder::Builder;
use super::palette;
use super::shape::rect;
use crate::geometry::Polygon;

pub(super) fn draw() -> Builder {
    let mut b = Builder::new("Road crossing", rect(0.0..60.0, 0.0..36.0), 10.0);
    b.settings.notes = "Pedestrians cross a road and keep from walking in front of vehicles. Drag \
        one, or let them drive: the paths are repaired."
        .to_owned();
    b.settings.grid.spacing = 1.0;
    b.base_terrain(palette::PAVING, 1.0);
    let road = b.terrain(palette::ROAD, 1.0);
    let stripes = b.terrain(palette::CROSSING, 1.0);
    let pedestrian = b.profile(
        "Pedestrian",
        Profile {
            colour: palette::BLUE,
            ..Profile::default()
        },
    );
    b.region("Road", road, Polygon::rect(rect(0.0..60.0, 12.0..24.0)));
    let zebra = b.region(
        "Crossing",
        stripes,
        Polygon::rect(rect(40.0..44.0, 12.0..24.0)),
    );
    b.building(
        "Kiosk",
        Polygon::rect(rect(8.0..14.0, 28.0..33.0)),
        3.0,
        -90.0,
    );
    b.building("Shop", Polygon::rect(rect(24.0..36.0, 2.0..8.0)), 5.0, 90.0);
    let mut vehicles = Vec::new();
    for (name, x, y, towards) in [
        ("Lorry", 12.0, 15.0, 1.0),
        ("Car", 30.0, 15.0, 1.0),
        ("Van", 46.0, 21.0, -1.0),
        ("Taxi", 22.0, 21.0, -1.0),
    ] {
        let body = Polygon::rect(rect(x - 2.2..x + 2.2, y - 1.0..y + 1.0));
        let end = if towards > 0.0 { 57.0 } else { 3.0 };
        let route = b.polyline(&format!("Route of the {name}"), &[(x, y), (end, y)]);
        let id = b.obstacle(name, body, 2.0);
        b.tag(id, tag::DYNAMIC);
        if let Kind::Obstacle(obstacle) = &mut b.get(id).kind {
            obstacle.facing = Heading::degrees(if towards > 0.0 { 0.0 } else { 180.0 });
            obstacle.motion = Some(Motion {
                path: Vec::new(),
                route: Some(route),
                speed: 5.0,
                repeat: Repeat::BackAndForth,
            });
        }
        vehicles.push(id);
    }
    let constraints: Vec<Constraint> = vehicles
        .iter()
        .map(|vehicle| {
            let ahead = Target::Relation {
                object: *vehicle,
                relation: Relation::Front { reach: 8.0 },
            };
            let weight = (-6.0).into();
            Constraint::new(Rule::Near { weight }, ahead)
        })
        .collect();
    let mission = |goals, constraints| Mission {
        goals,
        planner: PlannerId::CONSTRAINT,
        constraints,
        constraint_options: ConstraintOptions {
            spacing: Some(0.5),
            ..ConstraintOptions::DEFAULT
        },
        ..Mission::new(pedestrian)
    };
    let across = b.goals(&[(20.0, 32.0)]);
    let hurried = b.agent("Hurried", (20.0, 4.0), mission(across, constraints.clone()));
    let weight = 5.0.into();
    let mut careful = constraints;
    careful.push(Constraint::new(Rule::In { weight }, zebra.into()));
    let across = b.goals(&[(30.0, 32.0)]);
    b.agent("Careful", (38.0, 4.0), mission(across, careful));
    b.test(
        "Hurried gets across",
        Query::Agent(hurried),
        Expectation {
            max_length: Some(80.0),
            ..Expectation::default()
        },
    );
    b
}

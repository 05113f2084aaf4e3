//! The labyrinth of the paper's Figure 16, of a size at which its 72 × 93 cells are 0.25 m.
//!
//! At A there is room for cells, but not for the border; the path with a border takes the longer route
//! through B.

use super::super::LabError;
use crate::base::EntityId;
use crate::document::{
    Agent, Edit, Entity, Goal, Heading, Kind, Level, Mission, Obstacle, PlannerId, Profile,
    Settings, ops,
};
use crate::geometry::{Polygon, Rect};
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// Unit: metres.
const SIZE: DVec2 = DVec2::new(17.75, 23.0);
const HEIGHT: f64 = 2.8;

/// From the lower left to the upper right corner. Unit: metres.
const WALLS: [[f64; 4]; 22] = [
    // Around it.
    [0.0, 0.0, 17.75, 0.25],
    [0.0, 22.75, 17.75, 23.0],
    [0.0, 0.25, 0.25, 22.75],
    [17.5, 0.25, 17.75, 22.75],
    // Four walls from the left, with the gaps at A in the first and B at the right end of it.
    [0.25, 4.5, 8.3, 4.75],
    [8.95, 4.5, 15.0, 4.75],
    [3.0, 9.0, 17.75, 9.25],
    [0.25, 13.5, 14.75, 13.75],
    [3.0, 18.0, 17.75, 18.25],
    // Chambers between them.
    [4.5, 0.25, 4.75, 2.5],
    [12.0, 2.0, 12.25, 4.5],
    [13.5, 0.25, 13.75, 2.5],
    [6.0, 6.5, 6.25, 9.0],
    [10.5, 4.75, 10.75, 7.0],
    [6.0, 9.25, 6.25, 11.5],
    [10.5, 11.25, 10.75, 13.5],
    [14.5, 9.25, 14.75, 11.5],
    [5.0, 15.5, 5.25, 18.0],
    [9.5, 13.75, 9.75, 16.0],
    [13.0, 15.5, 13.25, 18.0],
    [6.0, 20.0, 6.25, 23.0],
    [11.0, 18.25, 11.25, 21.0],
];

pub(super) const START: DVec3 = DVec3::new(8.0, 1.5, 0.0);
pub(super) const GOAL: DVec3 = DVec3::new(15.0, 21.5, 0.0);

pub(super) fn level() -> Result<Level, LabError> {
    let profile = EntityId::new(1);
    let settings = Settings {
        name: "Labyrinth".to_owned(),
        bounds: Rect::new(DVec2::ZERO, SIZE),
        ..Settings::default()
    };
    let mut edits = vec![
        Edit::Settings(Arc::new(settings)),
        Edit::create(
            profile,
            Entity::new("Adult", Kind::Profile(Profile::default())),
        ),
    ];
    let agent = Agent {
        start: START,
        heading: Heading::default(),
        mission: Mission {
            goals: vec![Goal::At(GOAL)],
            planner: PlannerId::HUMAN,
            ..Mission::new(profile)
        },
    };
    edits.push(Edit::create(
        EntityId::new(2),
        Entity::new("Visitor", Kind::Agent(agent)),
    ));
    for (index, [left, low, right, high]) in WALLS.into_iter().enumerate() {
        let area = Polygon::rect(Rect::new(DVec2::new(left, low), DVec2::new(right, high)));
        let obstacle = Obstacle {
            height: HEIGHT,
            ..Obstacle::new(area)
        };
        let id = EntityId::new(10 + index as u64);
        edits.push(Edit::create(
            id,
            Entity::new(format!("Wall {}", index + 1), Kind::Obstacle(obstacle)),
        ));
    }
    Ok(ops::apply(&Level::default(), &edits)?)
}

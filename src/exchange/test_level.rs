//! Small levels for this room's tests.

use crate::base::EntityId;
use crate::document::{Edit, Entity, Kind, Level, Obstacle, Settings, ops};
use crate::geometry::{Polygon, Rect};
use glam::DVec2;
use std::sync::Arc;

pub fn obstacle(area: Polygon) -> Entity {
    Entity::new("", Kind::Obstacle(Obstacle::new(area)))
}

/// A level from the origin to `size`; entities get the ids 1, 2, ….
pub fn apply(size: DVec2, entities: Vec<Entity>) -> Level {
    let settings = Settings {
        name: "Test".to_owned(),
        bounds: Rect::new(DVec2::ZERO, size),
        ..Settings::default()
    };
    let mut edits = vec![Edit::Settings(Arc::new(settings))];
    edits.extend(
        (1..)
            .zip(entities)
            .map(|(id, entity)| Edit::create(EntityId::new(id), entity)),
    );
    ops::apply(&Level::default(), &edits).expect("the entities are sound")
}

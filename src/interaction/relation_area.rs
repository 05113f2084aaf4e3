//! Placeholder until the document derives these areas itself.

use crate::base::EntityId;
use crate::document::Level;
use crate::geometry::Polygon;

pub fn relation_area(_level: &Level, _id: EntityId) -> Option<Polygon> {
    None
}

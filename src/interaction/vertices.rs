//! The points of an entity that a hand can move.

use crate::base::EntityId;

/// Names one movable point of one entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexRef {
    pub entity: EntityId,
    /// Which chain of points: 0 is the outline, then the holes.
    pub chain: usize,
    pub index: usize,
}

//! Where the centre of a round agent may be: the bounds less the obstacles, both drawn in by the
//! agent's radius.

use crate::geometry::{Polygon, Rect};

#[derive(Clone, Debug, PartialEq)]
pub struct FreeSpace {
    /// Unit: metres.
    pub radius: f64,
    /// The level's bounds, before the radius is taken off.
    pub bounds: Rect,
    /// Each is connected inside, so each is one component; they share single points at most.
    pub areas: Vec<Polygon>,
}

//! From any free place onto the axis.

use super::map::{AxisPoint, CorridorMap};
use glam::DVec2;

impl CorridorMap {
    /// The place of the axis that `p` is pushed to by its nearest wall, and beyond which another
    /// one is nearer. The clearance there is at least that of `p`, and its disc holds all of
    /// `p`'s. `None` for places that are not free and for maps without edges.
    ///
    /// On a pruned map, a place in a corner that was cut is joined to the nearest edge that its
    /// disc reaches.
    #[must_use]
    pub fn retract(&self, p: DVec2) -> Option<AxisPoint> {
        // A place within rounding of the axis has no direction to be pushed in, or a wrong one.
        let (centre, _) = self.walls.largest_ball(p)?;
        self.nearest(centre)
    }
}

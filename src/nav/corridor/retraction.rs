//! Retraction of free points onto the axis.

use super::map::{AxisPoint, CorridorMap};
use glam::DVec2;

impl CorridorMap {
    /// Moves `p` away from its nearest wall until another wall is equally near. The clearance there
    /// is at least that of `p`, and its disc contains that of `p`. `None` for points that are not
    /// free and for maps without edges.
    ///
    /// On a pruned map, a point in a corner that was cut is connected to the nearest edge that its
    /// disc reaches.
    #[must_use]
    pub fn retract(&self, p: DVec2) -> Option<AxisPoint> {
        // A point within rounding of the axis has no direction to move in, or a wrong one.
        let (centre, _) = self.walls.largest_ball(p)?;
        self.nearest(centre)
    }
}

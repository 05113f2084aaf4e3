//! What part of a level a search has read.

use crate::geometry::Rect;
use crate::nav::Changed;
use glam::DVec2;

/// All places over which a path between two points is not longer than some length: an ellipse.
///
/// A search that is led by the distance to the goal reads nothing outside of the ellipse of the
/// longest path that it considered, so changes there leave its answer as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    pub start: DVec2,
    pub goal: DVec2,
    /// Unit: metres.
    pub length: f64,
}

impl Extent {
    /// Whether something may have changed inside.
    #[must_use]
    pub fn is_touched_by(&self, changed: &Changed) -> bool {
        match changed {
            Changed::Nothing => false,
            Changed::Within(boxes) => boxes.iter().any(|rect| self.meets(rect)),
            Changed::Everything => true,
        }
    }

    /// Whether it may meet a box: the distances to the box never add up to more than a path over it.
    fn meets(&self, rect: &Rect) -> bool {
        let to_box = |p: DVec2| p.distance(rect.clamp(p));
        to_box(self.start) + to_box(self.goal) <= self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = DVec2> {
        (-10.0..10.0_f64, -10.0..10.0_f64).prop_map(DVec2::from)
    }

    proptest! {
        #[test]
        fn a_box_with_a_place_that_a_path_could_lead_over_is_met(
            start in point(), goal in point(), over in point(), corner in point(), more in 0.0..5.0_f64,
        ) {
            let length = start.distance(over) + over.distance(goal);
            let rect = Rect::of_points(&[over, corner]);
            let extent = Extent { start, goal, length: length + more };
            prop_assert!(extent.is_touched_by(&Changed::within(vec![rect])));
        }

        #[test]
        fn a_box_further_away_than_the_path_is_long_is_not_met(
            start in point(), goal in point(), corner in point(), more in 0.0..5.0_f64,
        ) {
            let length = start.distance(goal) + more;
            let far = corner + DVec2::X * (20.0 + length);
            let far = Rect::of_points(&[far, far + DVec2::ONE]);
            let extent = Extent { start, goal, length };
            prop_assert!(!extent.is_touched_by(&Changed::within(vec![far])));
            prop_assert!(extent.is_touched_by(&Changed::Everything));
            prop_assert!(!extent.is_touched_by(&Changed::Nothing));
        }
    }
}

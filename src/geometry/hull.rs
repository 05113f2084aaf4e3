//! Convex hulls and oriented boxes.

use super::{
    Rect, Ring,
    predicates::{self, Side, side},
};
use glam::DVec2;

/// The convex hull, counter-clockwise, without points on its edges; fewer than three points if all
/// are collinear. Andrew's monotone chain (1979).
#[must_use]
pub fn convex_hull(points: impl IntoIterator<Item = DVec2>) -> Ring {
    let mut points: Vec<DVec2> = points.into_iter().filter(|p| p.is_finite()).collect();
    points.sort_by(|a, b| predicates::order(*a, *b));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let chain = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut hull: Ring = Vec::new();
        for p in points {
            while let [.., a, b] = hull[..]
                && side(a, b, p) != Side::Left
            {
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
        hull
    };
    let mut hull = chain(&mut points.iter().copied());
    hull.extend(chain(&mut points.iter().rev().copied()));
    hull
}

/// A rectangle aligned with a facing direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    pub centre: DVec2,
    /// Half the extent along the facing (x) and to its left (y).
    pub half_size: DVec2,
    /// Unit vector.
    pub facing: DVec2,
}

impl OrientedBox {
    /// The smallest box aligned with `facing` that contains the points; `None` without points.
    #[must_use]
    pub fn around<'a>(points: impl IntoIterator<Item = &'a DVec2>, facing: DVec2) -> Option<Self> {
        let facing = facing.try_normalize().unwrap_or(DVec2::X);
        let back = DVec2::new(facing.x, -facing.y);
        let own = points
            .into_iter()
            .filter(|p| p.is_finite())
            .fold(Rect::EMPTY, |r, p| r.including(back.rotate(*p)));
        (!own.is_empty()).then(|| Self {
            centre: facing.rotate(own.centre()),
            half_size: own.size() * 0.5,
            facing,
        })
    }

    /// World position of a point given as fractions of the half extents, −1 to 1.
    #[must_use]
    pub fn place(&self, share: DVec2) -> DVec2 {
        self.centre + self.facing.rotate(share * self.half_size)
    }

    /// Counter-clockwise: back right, front right, front left, back left.
    #[must_use]
    pub fn corners(&self) -> [DVec2; 4] {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| self.place(DVec2::new(x, y)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::hostile::any_point;
    use proptest::prelude::*;

    #[test]
    fn a_box_follows_its_facing() {
        let points = [(0.0, 0.0), (2.0, 0.0), (2.0, 6.0), (0.0, 6.0)].map(DVec2::from);
        let up = OrientedBox::around(&points, DVec2::Y).expect("has points");
        assert!((up.centre - DVec2::new(1.0, 3.0)).length() < 1e-12);
        assert!((up.half_size - DVec2::new(3.0, 1.0)).length() < 1e-12);
        let front = up.place(DVec2::X);
        assert!((front - DVec2::new(1.0, 6.0)).length() < 1e-12);
        let aslant = OrientedBox::around(&points, DVec2::ONE).expect("has points");
        assert!((aslant.half_size.x - 8.0 / 2.0_f64.sqrt() / 2.0).abs() < 1e-12);
        assert_eq!(OrientedBox::around(&[DVec2::NAN], DVec2::X), None);
        assert_eq!(
            OrientedBox::around(&points, DVec2::ZERO).map(|b| b.facing),
            Some(DVec2::X)
        );
    }

    #[test]
    fn points_on_a_line_have_a_flat_hull() {
        let line = (0..9).map(|i| DVec2::splat(f64::from(i) * 0.1));
        assert_eq!(convex_hull(line.clone().chain(line)).len(), 2);
        assert_eq!(
            convex_hull([DVec2::ONE, DVec2::ONE, DVec2::NAN]),
            [DVec2::ONE]
        );
    }

    proptest! {
        #[test]
        fn the_hull_turns_left_everywhere_and_holds_every_point(
            points in prop::collection::vec(any_point(), 0..30)
        ) {
            let hull = convex_hull(points.iter().copied());
            let n = hull.len();
            for i in 0..if n < 3 { 0 } else { n } {
                let (a, b) = (hull[i], hull[(i + 1) % n]);
                prop_assert_eq!(side(a, b, hull[(i + 2) % n]), Side::Left);
                for p in &points {
                    prop_assert_ne!(side(a, b, *p), Side::Right);
                }
            }
        }
    }
}

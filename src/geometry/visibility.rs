//! Visibility polygons.
//!
//! The area in range minus the shadows of all segments, computed with robust booleans: segments may
//! cross, touch and repeat. Corners lie on the 1 mm lattice.

use super::{
    Polygon, Rect, Ring,
    boolean::overlaid,
    lattice::{self, Collinear},
    offset::arc_step,
    polygon::closest_on_segment,
    predicates::on_segment,
};
use glam::DVec2;
use i_overlay::core::overlay_rule::OverlayRule;
use std::f64::consts::{PI, TAU};

/// Largest distance between the range's arc and its chords, as a fraction of the range.
const ARC_SAG: f64 = 0.001;

/// A viewpoint with range and field of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    pub eye: DVec2,
    /// Viewing range. Unit: metres.
    pub range: f64,
    /// Viewing direction. Unit: radians.
    pub facing: f64,
    /// Field of view, half on either side; 2π for all around. Unit: radians.
    pub angle: f64,
}

/// The area visible among opaque segments; `None` where nothing is visible. Segments that pass
/// through the eye hide nothing.
#[must_use]
pub fn visible(view: &View, segments: impl IntoIterator<Item = (DVec2, DVec2)>) -> Option<Polygon> {
    let View { eye, range, .. } = *view;
    if !(lattice::is_in_range(eye) && range > 0.0 && range.is_finite()) {
        return None;
    }
    let scope = Rect::around(eye, DVec2::splat(range));
    let shadows: Vec<Polygon> = segments
        .into_iter()
        .filter(|(a, b)| a.is_finite() && b.is_finite())
        .filter(|(a, b)| scope.overlaps(&Rect::spanning(*a, *b)))
        .filter(|(a, b)| closest_on_segment(*a, *b, eye).distance(eye) < range)
        .filter_map(|(a, b)| shadow(eye, range, a, b))
        .map(Polygon::new)
        .collect();
    let area = lattice::shapes(&[Polygon::new(field(view))], Collinear::Drop);
    let shadows = lattice::shapes(&shadows, Collinear::Drop);
    let seen = overlaid(OverlayRule::Difference, &area, &shadows, Collinear::Drop);
    // The visible area is connected at the eye; other fragments are rounding artefacts.
    lattice::polygons(&seen).into_iter().min_by(|a, b| {
        let distance = |polygon: &Polygon| {
            if polygon.contains(eye) {
                0.0
            } else {
                polygon.distance_to_edge(eye)
            }
        };
        distance(a).total_cmp(&distance(b))
    })
}

/// The disc or sector in range.
fn field(view: &View) -> Ring {
    let View {
        eye,
        range,
        facing,
        angle,
    } = *view;
    let angle = if angle.is_finite() {
        angle.clamp(0.0, TAU)
    } else {
        TAU
    };
    let steps = (angle / arc_step(range, range * ARC_SAG)).ceil().max(3.0) as usize;
    let rim = |i: usize| {
        let turn = facing - angle * 0.5 + angle * i as f64 / steps as f64;
        eye + range * DVec2::from_angle(turn)
    };
    if angle >= TAU {
        (0..steps).map(rim).collect()
    } else {
        std::iter::once(eye).chain((0..=steps).map(rim)).collect()
    }
}

/// The segment's shadow: itself and everything behind it, to beyond the range.
fn shadow(eye: DVec2, range: f64, a: DVec2, b: DVec2) -> Option<Ring> {
    if on_segment(a, b, eye) {
        return None;
    }
    let (from, to) = (a - eye, b - eye);
    let (start, turn) = (from.to_angle(), from.angle_to(to));
    // Steps of at most π/3 at twice the range keep the chords out of it.
    let steps = (turn.abs() / (PI / 3.0)).ceil().max(1.0) as usize;
    let reach = 2.0 * range.max(from.length()).max(to.length());
    let far = (0..=steps).map(|i| {
        let angle = start + turn * i as f64 / steps as f64;
        eye + reach * DVec2::from_angle(angle)
    });
    Some([b, a].into_iter().chain(far).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{
        hostile::{any_point, small_point},
        predicates::{Meeting, meeting},
    };
    use proptest::prelude::*;

    const AROUND: View = View {
        eye: DVec2::ZERO,
        range: 10.0,
        facing: 0.0,
        angle: TAU,
    };

    #[test]
    fn an_open_view_is_the_disc_or_the_sector() {
        let disc = visible(&AROUND, []).expect("sees");
        assert!((disc.area() / (PI * 100.0) - 1.0).abs() < 0.01);
        let quarter = View {
            angle: PI / 2.0,
            ..AROUND
        };
        let sector = visible(&quarter, []).expect("sees");
        assert!((sector.area() / (PI * 25.0) - 1.0).abs() < 0.01);
        assert!(sector.contains(DVec2::new(5.0, 0.0)) && !sector.contains(DVec2::new(0.0, 5.0)));
    }

    #[test]
    fn a_wall_hides_what_is_behind_it() {
        let wall = (DVec2::new(2.0, -1.0), DVec2::new(2.0, 1.0));
        let seen = visible(&AROUND, [wall]).expect("sees");
        assert!(seen.contains(DVec2::new(1.9, 0.0)));
        assert!(!seen.contains(DVec2::new(2.1, 0.0)) && !seen.contains(DVec2::new(8.0, 3.9)));
        assert!(seen.contains(DVec2::new(8.0, 4.1)) && seen.contains(DVec2::new(-9.0, 0.0)));
    }

    #[test]
    fn nothing_is_seen_without_an_eye_or_a_range() {
        for view in [
            View {
                eye: DVec2::NAN,
                ..AROUND
            },
            View {
                range: 0.0,
                ..AROUND
            },
            View {
                range: f64::NAN,
                ..AROUND
            },
            View {
                angle: 0.0,
                ..AROUND
            },
        ] {
            assert_eq!(visible(&view, []), None, "{view:?}");
        }
        let bad = (DVec2::NAN, DVec2::ONE);
        assert!(visible(&AROUND, [bad]).is_some());
    }

    proptest! {
        #[test]
        fn a_point_is_visible_if_no_segment_blocks_the_view(
            segments in prop::collection::vec((small_point(), small_point()), 0..8),
            probes in prop::collection::vec((-6.0..6.0, -6.0..6.0), 20),
        ) {
            let view = View { eye: DVec2::new(0.31, 0.17), range: 6.0, ..AROUND };
            let seen = visible(&view, segments.iter().copied()).expect("the eye is on no segment");
            for p in probes.into_iter().map(DVec2::from) {
                let border = seen.distance_to_edge(p);
                if border < 0.02 || view.eye.distance(p) > 5.9 {
                    continue;
                }
                let hidden = segments
                    .iter()
                    .any(|(a, b)| meeting(view.eye, p, *a, *b) != Meeting::Apart);
                prop_assert_eq!(seen.contains(p), !hidden, "{}", p);
            }
        }

        #[test]
        fn any_input_is_accepted(
            segments in prop::collection::vec((any_point(), any_point()), 0..8),
            eye in any_point(), range in 0.001..1e6, angle in 0.0..7.0,
        ) {
            let view = View { eye, range, facing: angle, angle };
            if let Some(seen) = visible(&view, segments) {
                prop_assert!(seen.points().all(|p| p.is_finite()));
            }
        }
    }
}

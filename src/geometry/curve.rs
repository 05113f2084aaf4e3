//! Smooth curves, and polylines parameterised by length.

use super::{Rect, polygon::closest_on_segment};
use glam::DVec2;

/// Upper bound of chords per cubic.
const MAX_CHORDS: f64 = 65_536.0;

/// A cubic Bézier segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cubic {
    pub from: DVec2,
    pub from_control: DVec2,
    pub to_control: DVec2,
    pub to: DVec2,
}

impl Cubic {
    /// The point at `t`, from 0 to 1.
    #[must_use]
    pub fn point(&self, t: f64) -> DVec2 {
        let s = 1.0 - t;
        self.from * (s * s * s)
            + self.from_control * (3.0 * s * s * t)
            + self.to_control * (3.0 * s * t * t)
            + self.to * (t * t * t)
    }

    /// Derivative at `t`.
    #[must_use]
    pub fn velocity(&self, t: f64) -> DVec2 {
        let s = 1.0 - t;
        (self.from_control - self.from) * (3.0 * s * s)
            + (self.to_control - self.from_control) * (6.0 * s * t)
            + (self.to - self.to_control) * (3.0 * t * t)
    }

    /// Tight bounds of the curve; its control points may lie outside.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        // A coordinate has an extremum where its derivative a t² + b t + c is zero.
        let [p, q, r] = [
            self.from_control - self.from,
            self.to_control - self.from_control,
            self.to - self.to_control,
        ];
        let (a, b, c) = (p - 2.0 * q + r, 2.0 * (q - p), p);
        let mut points = vec![self.from, self.to];
        for axis in 0..2 {
            let (a, b, c) = (a[axis], b[axis], c[axis]);
            // This form stays accurate when `a` is small compared with `b`.
            let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
            let s = -0.5 * (b + root.copysign(b));
            for t in [s / a, c / s] {
                if (0.0..=1.0).contains(&t) {
                    points.push(self.point(t));
                }
            }
        }
        Rect::of_points(&points)
    }

    /// Appends points after `from`, up to and including `to`; chords deviate from the curve by at
    /// most `tolerance`.
    ///
    /// Wang's bound on the second derivative gives the number of equal steps (Goldman 2003,
    /// *Pyramid Algorithms*, §5.6.3).
    pub fn flatten_into(&self, tolerance: f64, points: &mut Vec<DVec2>) {
        let bends = [
            self.from - 2.0 * self.from_control + self.to_control,
            self.from_control - 2.0 * self.to_control + self.to,
        ];
        let bend = if bends.iter().all(|b| b.is_finite()) {
            bends[0].length().max(bends[1].length())
        } else {
            0.0
        };
        let chords = (0.75 * bend / tolerance.max(f64::MIN_POSITIVE)).sqrt();
        let chords = chords.ceil().clamp(1.0, MAX_CHORDS);
        let count = chords as usize;
        points.extend((1..count).map(|i| self.point(i as f64 / chords)));
        points.push(self.to);
    }
}

/// A smooth curve's handles at one knot, as offsets from its point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Handles {
    pub before: DVec2,
    pub after: DVec2,
}

/// Handles of a smooth curve through `points`. The tangent at a knot is parallel to the line
/// between its neighbours (Catmull and Rom 1974); each handle is a third of the distance to the
/// neighbour on its side, so uneven spacing makes no loops.
#[must_use]
pub fn smooth_handles(points: &[DVec2], closed: bool) -> Vec<Handles> {
    let n = points.len();
    let neighbour = |i: usize, step: usize| -> Option<DVec2> {
        let j = i + n + step - 1;
        (n > 1 && (closed || (n..2 * n).contains(&j))).then(|| points[j % n])
    };
    let mut handles: Vec<Handles> = (0..n)
        .map(|i| {
            let (Some(before), Some(after)) = (neighbour(i, 0), neighbour(i, 2)) else {
                return Handles::default();
            };
            let tangent = (after - before).normalize_or_zero();
            Handles {
                before: tangent * (-before.distance(points[i]) / 3.0),
                after: tangent * (after.distance(points[i]) / 3.0),
            }
        })
        .collect();
    if !closed && n > 1 {
        // End tangents point at the neighbour's handle.
        handles[0].after = (points[1] + handles[1].before - points[0]) * 0.5;
        handles[n - 1].before = (points[n - 2] + handles[n - 2].after - points[n - 1]) * 0.5;
        if n == 2 {
            let along = points[1] - points[0];
            handles[0].after = along / 3.0;
            handles[1].before = -along / 3.0;
        }
    }
    handles
}

/// A chain of points with arc lengths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polyline {
    points: Vec<DVec2>,
    /// Arc length from the first point to each point.
    along: Vec<f64>,
}

/// The point of a polyline nearest to a query point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    pub point: DVec2,
    /// Arc length from the start.
    pub along: f64,
    pub distance: f64,
}

impl Polyline {
    /// Drops repeated points and points that are not finite.
    #[must_use]
    pub fn new(points: impl IntoIterator<Item = DVec2>) -> Self {
        let mut line = Self::default();
        for p in points.into_iter().filter(|p| p.is_finite()) {
            match (line.points.last(), line.along.last()) {
                (Some(&last), Some(&along)) if last != p => {
                    line.along.push(along + last.distance(p));
                    line.points.push(p);
                }
                (None, _) => {
                    line.along.push(0.0);
                    line.points.push(p);
                }
                _ => {}
            }
        }
        line
    }

    /// A closed loop: the first point is repeated at the end.
    #[must_use]
    pub fn closed(points: &[DVec2]) -> Self {
        Self::new(points.iter().chain(points.first()).copied())
    }

    #[must_use]
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }

    #[must_use]
    pub fn length(&self) -> f64 {
        self.along.last().copied().unwrap_or(0.0)
    }

    /// The point at arc length `along`, clamped to the ends. `None` only if there are no points.
    #[must_use]
    pub fn point_at(&self, along: f64) -> Option<DVec2> {
        let i = self.piece_at(along)?;
        let Some(&to) = self.points.get(i + 1) else {
            return self.points.get(i).copied();
        };
        let (from, length) = (self.points[i], self.along[i + 1] - self.along[i]);
        let share = ((along - self.along[i]) / length).clamp(0.0, 1.0);
        Some(from.lerp(to, share))
    }

    /// Direction of travel at arc length `along`; at a corner, that of the segment that follows.
    #[must_use]
    pub fn direction_at(&self, along: f64) -> Option<DVec2> {
        let i = self.piece_at(along)?;
        (self.points.get(i + 1)? - self.points[i]).try_normalize()
    }

    /// Index of the point at or before `along`, chosen so that a segment follows if possible.
    fn piece_at(&self, along: f64) -> Option<usize> {
        let last_piece = self.points.len().saturating_sub(2);
        let after = self.along.partition_point(|&a| a <= along);
        (!self.points.is_empty()).then(|| after.saturating_sub(1).min(last_piece))
    }

    /// The nearest point; the first one of several at equal distance.
    #[must_use]
    pub fn closest(&self, p: DVec2) -> Option<Closest> {
        let place = |i: usize, point: DVec2| Closest {
            point,
            along: self.along[i] + self.points[i].distance(point),
            distance: point.distance(p),
        };
        let start = place(0, *self.points.first()?);
        let pieces = self.points.windows(2).enumerate();
        Some(
            pieces
                .map(|(i, ends)| place(i, closest_on_segment(ends[0], ends[1], p)))
                .fold(start, |best, next| {
                    if next.distance < best.distance {
                        next
                    } else {
                        best
                    }
                }),
        )
    }

    /// The part between two arc lengths, corners included; empty unless `from` is before `to`.
    #[must_use]
    pub fn part(&self, from: f64, to: f64) -> Vec<DVec2> {
        let (from, to) = (from.max(0.0), to.min(self.length()));
        if from >= to || from.is_nan() || to.is_nan() {
            return Vec::new();
        }
        let first = self.along.partition_point(|&a| a <= from);
        let last = self.along.partition_point(|&a| a < to).max(first);
        self.point_at(from)
            .into_iter()
            .chain(self.points[first..last].iter().copied())
            .chain(self.point_at(to))
            .collect()
    }

    /// Equidistant points at most `step` apart, ends included.
    #[must_use]
    pub fn sampled(&self, step: f64) -> Vec<DVec2> {
        let count = (self.length() / step).ceil().clamp(1.0, 1e6) as usize;
        (0..=count)
            .filter_map(|i| self.point_at(self.length() * i as f64 / count as f64))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::hostile::any_point;
    use proptest::prelude::*;

    #[test]
    fn a_polyline_is_walked_by_length() {
        let line = Polyline::new([(0.0, 0.0), (0.0, 0.0), (3.0, 0.0), (3.0, 4.0)].map(DVec2::from));
        assert_eq!(line.length(), 7.0);
        assert_eq!(line.point_at(-1.0), Some(DVec2::ZERO));
        assert_eq!(line.point_at(5.0), Some(DVec2::new(3.0, 2.0)));
        assert_eq!(line.point_at(99.0), Some(DVec2::new(3.0, 4.0)));
        assert_eq!(line.direction_at(3.0), Some(DVec2::Y));
        assert_eq!(line.direction_at(7.0), Some(DVec2::Y));
        let near = line.closest(DVec2::new(5.0, 1.0)).expect("has points");
        assert_eq!(
            (near.point, near.along, near.distance),
            (DVec2::new(3.0, 1.0), 4.0, 2.0)
        );
        assert_eq!(line.sampled(2.0).len(), 5);
    }

    #[test]
    fn short_polylines_have_answers() {
        let none = Polyline::new([DVec2::NAN]);
        assert_eq!(
            (none.length(), none.point_at(0.0), none.closest(DVec2::ZERO)),
            (0.0, None, None)
        );
        assert_eq!(none.sampled(1.0), []);
        let dot = Polyline::closed(&[DVec2::ONE]);
        assert_eq!(dot.point_at(3.0), Some(DVec2::ONE));
        assert_eq!(dot.direction_at(0.0), None);
        assert_eq!(dot.closest(DVec2::ZERO).map(|c| c.along), Some(0.0));
    }

    #[test]
    fn handles_carry_a_smooth_curve_through_the_knots() {
        let square = [(0.0, 0.0), (3.0, 0.0), (3.0, 3.0), (0.0, 3.0)].map(DVec2::from);
        for h in smooth_handles(&square, true) {
            assert!(
                (h.before + h.after).length() < 1e-12 && (h.after.length() - 1.0).abs() < 1e-12
            );
        }
        let open = smooth_handles(&square, false);
        assert_eq!(open[0].before, DVec2::ZERO);
        assert_eq!(open[3].after, DVec2::ZERO);
        assert!(open[0].after.x > 0.0);
        let line = smooth_handles(&[DVec2::ZERO, DVec2::new(3.0, 0.0)], false);
        assert_eq!(line[0].after, DVec2::X);
        for n in 0..4 {
            assert_eq!(smooth_handles(&[DVec2::ONE; 4][..n], n % 2 == 0).len(), n);
        }
    }

    #[test]
    fn a_cubic_that_is_not_finite_is_one_chord() {
        let mut points = Vec::new();
        Cubic {
            from: DVec2::NAN,
            from_control: DVec2::ZERO,
            to_control: DVec2::ZERO,
            to: DVec2::ONE,
        }
        .flatten_into(0.01, &mut points);
        assert_eq!(points, [DVec2::ONE]);
    }

    proptest! {
        #[test]
        fn chords_stay_within_the_tolerance(
            from in any_point(), from_control in any_point(),
            to_control in any_point(), to in any_point(), t in 0.0..1.0,
        ) {
            let cubic = Cubic { from, from_control, to_control, to };
            let extent = from.distance(from_control) + from_control.distance(to_control)
                + to_control.distance(to);
            let tolerance = (extent * 1e-4).max(0.01);
            let mut points = vec![from];
            cubic.flatten_into(tolerance, &mut points);
            let chord = ((points.len() - 1) as f64 * t) as usize;
            let at = cubic.point(t);
            let near = closest_on_segment(points[chord], points[chord + 1], at);
            prop_assert!(near.distance(at) <= tolerance * 1.001 + 1e-6);
            prop_assert_eq!(points.last(), Some(&to));
        }

        #[test]
        fn the_bounds_hold_the_curve_and_nothing_more(
            from in any_point(), from_control in any_point(),
            to_control in any_point(), to in any_point(),
        ) {
            let cubic = Cubic { from, from_control, to_control, to };
            let bounds = cubic.bounds();
            let walked: Vec<DVec2> = (0..=1000).map(|i| cubic.point(f64::from(i) / 1000.0)).collect();
            let walked = Rect::of_points(&walked);
            let hull = Rect::of_points(&[from, from_control, to_control, to]);
            let size = hull.size().max_element().max(1.0);
            prop_assert!(bounds.expanded(size * 1e-9).contains_rect(&walked));
            // Between two samples a coordinate changes by less than this.
            prop_assert!(walked.expanded(size * 1e-5).contains_rect(&bounds));
        }

        #[test]
        fn a_part_has_the_requested_length_and_lies_on_the_line(
            line in prop::collection::vec(any_point(), 1..9), a in -0.2..1.2, b in -0.2..1.2
        ) {
            let line = Polyline::new(line);
            let length = line.length();
            let part = Polyline::new(line.part(a * length, b * length));
            let wanted = (f64::min(b, 1.0) - f64::max(a, 0.0)).max(0.0) * length;
            prop_assert!((part.length() - wanted).abs() <= 1e-6 * (1.0 + length));
            for p in part.points() {
                let near = line.closest(*p).expect("has a point");
                prop_assert!(near.distance <= 1e-6);
            }
        }

        #[test]
        fn the_closest_point_lies_at_the_reported_length(
            line in prop::collection::vec(any_point(), 1..9), p in any_point()
        ) {
            let line = Polyline::new(line);
            let near = line.closest(p).expect("has a point");
            let again = line.point_at(near.along).expect("has a point");
            prop_assert!(again.distance(near.point) < 1e-6);
            for corner in line.points() {
                prop_assert!(near.distance <= corner.distance(p) + 1e-9);
            }
        }
    }
}

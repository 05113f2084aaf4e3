//! Whether a segment passes through the square around a lattice point, and the lattice point
//! nearest to a crossing: both exact, in integers.
//!
//! A square extends half a step to each side of its point; its left and lower borders belong to it,
//! its right and upper ones to its neighbours. So each point of the plane is in exactly one square.

use super::arrangement::Segment;
use glam::DVec2;

/// Integer coordinates of at most 2⁵³, all of which floats represent.
fn whole(p: DVec2) -> [i128; 2] {
    [p.x as i128, p.y as i128]
}

/// The part of a segment within half a step of a coordinate, as fractions of its length with a
/// common positive denominator.
struct Share {
    from: i128,
    to: i128,
    /// Whether the ends themselves belong to it.
    has_from: bool,
    has_to: bool,
    of: i128,
}

impl Share {
    /// Where `start + t · along` is within −1 and 1 of `middle`, −1 included; `None` if nowhere.
    fn of(start: i128, along: i128, middle: i128) -> Option<Self> {
        let (low, high) = (middle - 1 - start, middle + 1 - start);
        match along.signum() {
            0 => (low <= 0 && 0 < high).then_some(Self {
                from: 0,
                to: 1,
                has_from: true,
                has_to: true,
                of: 1,
            }),
            1 => Some(Self {
                from: low,
                to: high,
                has_from: true,
                has_to: false,
                of: along,
            }),
            _ => Some(Self {
                from: -high,
                to: -low,
                has_from: false,
                has_to: true,
                of: -along,
            }),
        }
    }

    /// Whether this begins before the other ends, or at its end if both include that point.
    fn begins_within(&self, other: &Self) -> bool {
        let (from, to) = (self.from * other.of, other.to * self.of);
        from < to || (from == to && self.has_from && other.has_to)
    }

    fn is_within_the_segment(&self) -> bool {
        let begins = self.from < self.of || (self.from == self.of && self.has_from);
        let ends = self.to > 0 || (self.to == 0 && self.has_to);
        begins && ends
    }
}

/// Whether a segment passes through the square around a lattice point.
pub(super) fn passes([a, b]: Segment, point: DVec2) -> bool {
    let [a, b, point] = [a, b, point].map(whole);
    // In half steps, so that the borders are integers too.
    let share = |axis: usize| {
        let (start, end) = (2 * a[axis], 2 * b[axis]);
        Share::of(start, end - start, 2 * point[axis])
    };
    let (Some(x), Some(y)) = (share(0), share(1)) else {
        return false;
    };
    x.is_within_the_segment()
        && y.is_within_the_segment()
        && x.begins_within(&y)
        && y.begins_within(&x)
}

/// The lattice point in whose square two segments cross, given that they do.
pub(super) fn crossing([a, b]: Segment, [c, d]: Segment) -> DVec2 {
    let [a, b, c, d] = [a, b, c, d].map(whole);
    let minus = |p: [i128; 2], q: [i128; 2]| [p[0] - q[0], p[1] - q[1]];
    let cross = |p: [i128; 2], q: [i128; 2]| p[0] * q[1] - p[1] * q[0];
    let (along, across) = (minus(b, a), minus(d, c));
    let mut share = cross(minus(c, a), across);
    let mut whole = cross(along, across);
    if whole < 0 {
        (share, whole) = (-share, -whole);
    }
    // Segments that cross are not parallel.
    let whole = whole.max(1);
    let at = |axis: usize| {
        let offset = (2 * along[axis] * share + whole).div_euclid(2 * whole);
        (a[axis] + offset) as f64
    };
    DVec2::new(at(0), at(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    #[test]
    fn each_place_is_in_the_square_of_one_point() {
        // Along the border between two rows of squares: it belongs to the upper one.
        let level = [p(-4.0, 0.0), p(4.0, 1.0)];
        assert!(passes(level, p(0.0, 1.0)) && !passes(level, p(1.0, 0.0)));
        assert!(passes(level, p(-1.0, 0.0)) && !passes(level, p(-1.0, 1.0)));
        // Through a corner of four squares: it belongs to the upper right one.
        let steep = [p(0.0, 1.0), p(1.0, 0.0)];
        assert!(passes(steep, p(1.0, 1.0)) && !passes(steep, p(0.0, 0.0)));
        let rising = [p(0.0, 0.0), p(1.0, 1.0)];
        assert!(!passes(rising, p(0.0, 1.0)) && !passes(rising, p(1.0, 0.0)));
        // Not beyond the ends.
        assert!(!passes(rising, p(2.0, 2.0)) && passes(rising, p(1.0, 1.0)));
        assert!(!passes([p(0.0, 0.0), p(4.0, 0.0)], p(5.0, 0.0)));
        assert!(!passes([p(0.0, 0.0), p(0.0, 4.0)], p(1.0, 2.0)));
    }

    #[test]
    fn squares_are_distinguished_beyond_float_precision() {
        let far = 1e9;
        // Half a step up in its middle, and hardly less or more on either side of it.
        let long = [p(-far, 0.0), p(far, 1.0)];
        assert!(passes(long, p(0.0, 1.0)) && passes(long, p(0.0, 0.0)));
        assert!(passes(long, p(1.0, 1.0)) && !passes(long, p(1.0, 0.0)));
        assert!(passes(long, p(-1.0, 0.0)) && !passes(long, p(-1.0, 1.0)));
        assert_eq!(crossing(long, [p(0.0, -far), p(0.0, far)]), p(0.0, 1.0));
        assert_eq!(crossing(long, [p(-1.0, -far), p(-1.0, far)]), p(-1.0, 0.0));
        assert_eq!(
            crossing([p(0.0, 0.0), p(3.0, 3.0)], [p(0.0, 1.0), p(1.0, 0.0)]),
            p(1.0, 1.0)
        );
        assert_eq!(
            crossing([p(0.0, 0.0), p(-3.0, -3.0)], [p(0.0, -1.0), p(-1.0, 0.0)]),
            p(0.0, 0.0)
        );
    }
}

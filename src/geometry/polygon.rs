//! Polygons with holes, as drawn; not assumed to be simple.

use super::Rect;
use glam::DVec2;

/// A closed chain of points; the last is joined to the first.
pub type Ring = Vec<DVec2>;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygon {
    pub outer: Ring,
    pub holes: Vec<Ring>,
}

impl Polygon {
    #[must_use]
    pub const fn new(outer: Ring) -> Self {
        Self {
            outer,
            holes: Vec::new(),
        }
    }

    #[must_use]
    pub fn rect(rect: Rect) -> Self {
        Self::new(rect.corners().to_vec())
    }

    /// A regular polygon with `sides` corners, the first one at `angle`.
    #[must_use]
    pub fn regular(centre: DVec2, radius: f64, sides: usize, angle: f64) -> Self {
        Self::ellipse(centre, DVec2::splat(radius), sides, angle)
    }

    /// An ellipse with axes along x and y, approximated by `sides` corners.
    #[must_use]
    pub fn ellipse(centre: DVec2, radii: DVec2, sides: usize, angle: f64) -> Self {
        let step = std::f64::consts::TAU / sides.max(3) as f64;
        Self::new(
            (0..sides.max(3))
                .map(|i| centre + radii * DVec2::from_angle(angle + step * i as f64))
                .collect(),
        )
    }

    /// The outer ring first, then the holes.
    pub fn rings(&self) -> impl Iterator<Item = &Ring> {
        std::iter::once(&self.outer).chain(&self.holes)
    }

    pub fn rings_mut(&mut self) -> impl Iterator<Item = &mut Ring> {
        std::iter::once(&mut self.outer).chain(&mut self.holes)
    }

    pub fn points(&self) -> impl Iterator<Item = &DVec2> {
        self.rings().flatten()
    }

    /// Every edge of every ring, in drawing direction.
    pub fn edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
        self.rings().flat_map(|ring| ring_edges(ring))
    }

    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.rings().map(Vec::len).sum()
    }

    #[must_use]
    pub fn bounds(&self) -> Rect {
        Rect::of_points(&self.outer)
    }

    /// Area inside the outer ring and outside the holes, for simple rings. Unit: m².
    #[must_use]
    pub fn area(&self) -> f64 {
        let holes: f64 = self.holes.iter().map(|h| signed_area(h).abs()).sum();
        signed_area(&self.outer).abs() - holes
    }

    /// Inside by the even–odd rule over all rings; points on an edge may fall on either side.
    #[must_use]
    pub fn contains(&self, p: DVec2) -> bool {
        self.rings().filter(|ring| ring_contains(ring, p)).count() % 2 == 1
    }

    /// Distance from `p` to the nearest edge. Infinite for a polygon without edges.
    #[must_use]
    pub fn distance_to_edge(&self, p: DVec2) -> f64 {
        self.edges()
            .map(|(a, b)| closest_on_segment(a, b, p).distance(p))
            .fold(f64::INFINITY, f64::min)
    }

    /// Centroid of the outer ring; the mean of its corners where it has no area.
    #[must_use]
    pub fn centroid(&self) -> DVec2 {
        let Some(&origin) = self.outer.first() else {
            return DVec2::ZERO;
        };
        // Relative to the first corner: far from the origin the products would cancel.
        let (sum, twice_area) = ring_edges(&self.outer).fold((DVec2::ZERO, 0.0), |acc, (a, b)| {
            let (a, b) = (a - origin, b - origin);
            let cross = a.perp_dot(b);
            (acc.0 + (a + b) * cross, acc.1 + cross)
        });
        let centre = origin + sum / (3.0 * twice_area);
        if centre.is_finite() && self.bounds().contains(centre) {
            centre
        } else {
            self.outer.iter().copied().sum::<DVec2>() / self.outer.len() as f64
        }
    }

    /// Outer ring counter-clockwise, holes clockwise.
    #[must_use]
    pub fn normalised(mut self) -> Self {
        if signed_area(&self.outer) < 0.0 {
            self.outer.reverse();
        }
        for hole in &mut self.holes {
            if signed_area(hole) > 0.0 {
                hole.reverse();
            }
        }
        self
    }

    /// Maps every point.
    #[must_use]
    pub fn map(mut self, mut f: impl FnMut(DVec2) -> DVec2) -> Self {
        for p in self.rings_mut().flatten() {
            *p = f(*p);
        }
        self
    }
}

/// The edges of one ring, the closing edge last.
pub fn ring_edges(ring: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    ring.iter()
        .zip(ring.iter().cycle().skip(1))
        .map(|(&a, &b)| (a, b))
        .take(if ring.len() < 2 { 0 } else { ring.len() })
}

/// Positive for counter-clockwise rings. Unit: m².
#[must_use]
pub fn signed_area(ring: &[DVec2]) -> f64 {
    let Some(&origin) = ring.first() else {
        return 0.0;
    };
    ring_edges(ring)
        .map(|(a, b)| (a - origin).perp_dot(b - origin))
        .sum::<f64>()
        * 0.5
}

/// Even–odd rule, with an exact predicate for points near an edge.
#[must_use]
pub fn ring_contains(ring: &[DVec2], p: DVec2) -> bool {
    let coord = |v: DVec2| robust::Coord { x: v.x, y: v.y };
    ring_edges(ring)
        .filter(|&(a, b)| {
            if (a.y <= p.y) == (b.y <= p.y) {
                return false;
            }
            let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
            robust::orient2d(coord(low), coord(high), coord(p)) > 0.0
        })
        .count()
        % 2
        == 1
}

/// The point of segment `a`–`b` nearest to `p`.
#[inline]
#[must_use]
pub fn closest_on_segment(a: DVec2, b: DVec2, p: DVec2) -> DVec2 {
    let along = b - a;
    let length_squared = along.length_squared();
    if length_squared > 0.0 {
        a + along * ((p - a).dot(along) / length_squared).clamp(0.0, 1.0)
    } else {
        a
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(min: f64, max: f64) -> Ring {
        Rect::new(DVec2::splat(min), DVec2::splat(max))
            .corners()
            .to_vec()
    }

    #[test]
    fn a_hole_is_outside_and_not_counted_in_the_area() {
        let polygon = Polygon {
            outer: square(0.0, 10.0),
            holes: vec![square(4.0, 6.0)],
        };
        assert_eq!(polygon.area(), 96.0);
        assert!(polygon.contains(DVec2::splat(1.0)));
        assert!(!polygon.contains(DVec2::splat(5.0)));
        assert!(!polygon.contains(DVec2::new(11.0, 5.0)));
        assert_eq!(polygon.distance_to_edge(DVec2::splat(5.0)), 1.0);
    }

    #[test]
    fn normalising_turns_the_outer_ring_left_and_the_holes_right() {
        let mut outer = square(0.0, 10.0);
        outer.reverse();
        let polygon = Polygon {
            outer,
            holes: vec![square(4.0, 6.0)],
        }
        .normalised();
        assert_eq!(signed_area(&polygon.outer), 100.0);
        assert_eq!(signed_area(&polygon.holes[0]), -4.0);
    }

    #[test]
    fn degenerate_rings_have_answers() {
        for ring in [vec![], vec![DVec2::ONE], vec![DVec2::ONE; 3]] {
            let polygon = Polygon::new(ring);
            assert_eq!(polygon.area(), 0.0);
            assert!(!polygon.contains(DVec2::ONE));
            assert!(polygon.centroid().is_finite());
        }
    }

    #[test]
    fn the_centroid_is_exact_far_from_the_origin() {
        let far = Polygon::new(square(999_990.0, 999_992.0));
        assert_eq!(far.centroid(), DVec2::splat(999_991.0));
    }
}

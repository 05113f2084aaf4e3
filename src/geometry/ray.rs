//! Rays in space and their intersections.

use super::Aabb;
use glam::{DAffine3, DVec3};

/// Starts at `origin`. `direction` need not have length 1: distances along a ray are in lengths of
/// its direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    pub origin: DVec3,
    pub direction: DVec3,
}

impl Ray {
    #[must_use]
    pub const fn new(origin: DVec3, direction: DVec3) -> Self {
        Self { origin, direction }
    }

    #[must_use]
    pub fn at(&self, t: f64) -> DVec3 {
        self.origin + self.direction * t
    }

    /// The ray in another frame; distances along it are unchanged.
    #[must_use]
    pub fn transformed(&self, map: &DAffine3) -> Self {
        Self {
            origin: map.transform_point3(self.origin),
            direction: map.transform_vector3(self.direction),
        }
    }

    /// Where the ray enters a box, if before `limit`; 0 if it starts inside.
    #[must_use]
    pub fn enters(&self, bounds: &Aabb, limit: f64) -> Option<f64> {
        let inverse = self.direction.recip();
        let a = (bounds.min - self.origin) * inverse;
        let b = (bounds.max - self.origin) * inverse;
        // A ray in the plane of a face gives 0 · ∞; such an axis does not decide.
        let (mut first, mut last) = (0.0_f64, limit);
        for (a, b) in [(a.x, b.x), (a.y, b.y), (a.z, b.z)] {
            if !a.is_nan() && !b.is_nan() {
                first = first.max(a.min(b));
                last = last.min(a.max(b));
            }
        }
        (first <= last).then_some(first)
    }

    /// Where the ray crosses a triangle, from either side (Möller and Trumbore 1997).
    #[must_use]
    pub fn crosses(&self, [a, b, c]: [DVec3; 3]) -> Option<f64> {
        let (ab, ac) = (b - a, c - a);
        let p = self.direction.cross(ac);
        let determinant = ab.dot(p);
        if determinant == 0.0 {
            return None;
        }
        let s = self.origin - a;
        let u = s.dot(p) / determinant;
        let q = s.cross(ab);
        let v = self.direction.dot(q) / determinant;
        let t = ac.dot(q) / determinant;
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0).then_some(t)
    }

    /// Where the ray meets the plane through `point` perpendicular to `normal`.
    #[must_use]
    pub fn meets_plane(&self, point: DVec3, normal: DVec3) -> Option<f64> {
        let t = (point - self.origin).dot(normal) / self.direction.dot(normal);
        (t.is_finite() && t >= 0.0).then_some(t)
    }

    /// Position on the line through `point` along `axis` that is nearest to the ray, in lengths of
    /// `axis`; `None` if they are parallel.
    #[must_use]
    pub fn nearest_on_line(&self, point: DVec3, axis: DVec3) -> Option<f64> {
        let (d, e) = (self.direction, axis);
        let (dd, de, ee) = (d.dot(d), d.dot(e), e.dot(e));
        let between = point - self.origin;
        let denominator = dd * ee - de * de;
        if denominator <= 1e-12 * dd * ee {
            return None;
        }
        let s = (de * d.dot(between) - dd * e.dot(between)) / denominator;
        s.is_finite().then_some(s)
    }

    /// Closest approach to the segment `a`–`b`: distance along the ray (at least 0) and the gap
    /// between the two.
    #[must_use]
    pub fn nearest_to_segment(&self, a: DVec3, b: DVec3) -> (f64, f64) {
        let axis = b - a;
        let along = self.nearest_on_line(a, axis).unwrap_or(0.0).clamp(0.0, 1.0);
        let on_segment = a + axis * along;
        let length = self.direction.length_squared();
        let t = if length > 0.0 {
            ((on_segment - self.origin).dot(self.direction) / length).max(0.0)
        } else {
            0.0
        };
        let onto = self.at(t);
        // The segment parameter was clamped; project it onto the ray again.
        let share = if axis.length_squared() > 0.0 {
            ((onto - a).dot(axis) / axis.length_squared()).clamp(0.0, 1.0)
        } else {
            0.0
        };
        (t, onto.distance(a + axis * share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-10.0f64..10.0).prop_map(DVec3::from_array)
    }

    #[test]
    fn a_ray_along_a_face_still_finds_its_box() {
        let cube = Aabb::new(DVec3::ZERO, DVec3::ONE);
        let ray = Ray::new(DVec3::new(0.5, 0.0, -1.0), DVec3::Z);
        assert_eq!(ray.enters(&cube, 10.0), Some(1.0));
        assert_eq!(ray.enters(&cube, 0.5), None);
        let beside = Ray::new(DVec3::new(0.5, 1.5, -1.0), DVec3::Z);
        assert_eq!(beside.enters(&cube, 10.0), None);
    }

    proptest! {
        #[test]
        fn what_is_hit_lies_in_the_triangle(o in vector(), d in vector(), t in [vector(), vector(), vector()]) {
            let ray = Ray::new(o, d);
            if let Some(at) = ray.crosses(t) {
                let hit = ray.at(at);
                let area = |a: DVec3, b: DVec3, c: DVec3| (b - a).cross(c - a).length();
                let whole = area(t[0], t[1], t[2]);
                prop_assume!(whole > 1e-3);
                let parts = area(hit, t[0], t[1]) + area(hit, t[1], t[2]) + area(hit, t[2], t[0]);
                prop_assert!((parts - whole).abs() < 1e-5 * whole.max(1.0) * (1.0 + at));
            }
        }

        #[test]
        fn no_place_of_the_segment_is_nearer(o in vector(), d in vector(), a in vector(), b in vector()) {
            prop_assume!(d.length() > 0.1);
            let ray = Ray::new(o, d);
            let (_, nearest) = ray.nearest_to_segment(a, b);
            for i in 0..=40 {
                let p = a.lerp(b, f64::from(i) / 40.0);
                let t = ((p - o).dot(d) / d.length_squared()).max(0.0);
                // One alternating projection is within a few per cent where the start is clamped.
                prop_assert!(ray.at(t).distance(p) >= nearest * 0.7 - 1e-6);
            }
        }
    }
}

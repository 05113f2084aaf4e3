//! What a region is like around one place.
//!
//! The cost of a state's transitions reads a field at some twenty places that lie close together.
//! All of them have the same few edges of a region nearest to them, so these are found once.

use super::region::Region;
use glam::{DVec2, DVec3};

/// The edges of a region that can be nearest to places within a distance of one.
#[derive(Clone, Debug)]
pub struct Surroundings<'a> {
    region: &'a Region,
    at: DVec2,
    is_inside: bool,
    /// Distance to the nearest edge, or to where none is looked for. Unit: metres.
    gap: f64,
    /// The nearest is the first.
    edges: Vec<Edge>,
}

/// An edge of a region, ready for many distances.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// From the place that the surroundings are of. Unit: metres.
    distance: f64,
    from: DVec2,
    along: DVec2,
    /// One divided by the square of its length, or 0.
    per_length: f64,
}

impl Edge {
    fn new([a, b]: [DVec2; 2], at: DVec2) -> Self {
        let along = b - a;
        let length = along.length_squared();
        let mut edge = Self {
            distance: 0.0,
            from: a,
            along,
            per_length: if length > 0.0 { 1.0 / length } else { 0.0 },
        };
        edge.distance = edge.distance_squared(at).sqrt();
        edge
    }

    #[inline]
    fn distance_squared(&self, p: DVec2) -> f64 {
        let off = p - self.from;
        let share = (off.dot(self.along) * self.per_length).clamp(0.0, 1.0);
        (off - self.along * share).length_squared()
    }
}

impl<'a> Surroundings<'a> {
    /// For places within `reach` of one, and distances up to `limit`.
    #[must_use]
    pub fn new(region: &'a Region, p: DVec3, reach: f64, limit: f64) -> Self {
        let at = p.truncate();
        let most = limit + reach;
        let mut found: Vec<Edge> = Vec::with_capacity(16);
        // What is nearest to a place within reach is at most twice the reach farther from here
        // than what is nearest to here.
        let mut least = most;
        region.edges_between(at.y - most, at.y + most, |edge| {
            let aside = (edge[0].x.min(edge[1].x) - at.x).max(at.x - edge[0].x.max(edge[1].x));
            if aside > (least + 2.0 * reach).min(most) {
                return;
            }
            let edge = Edge::new(*edge, at);
            if edge.distance <= (least + 2.0 * reach).min(most) {
                least = least.min(edge.distance);
                found.push(edge);
            }
        });
        let bound = least + 2.0 * reach;
        found.retain(|edge| edge.distance <= bound);
        if let Some(nearest) = found.iter().position(|edge| edge.distance == least) {
            found.swap(0, nearest);
        }
        Self {
            region,
            at,
            is_inside: region.contains_in_plan(at),
            gap: least,
            edges: found,
        }
    }

    /// As [`Region::contains`], for a place within reach.
    #[must_use]
    pub fn contains(&self, p: DVec3) -> bool {
        let plan = p.truncate();
        if !self.region.is_at_height(p.z) {
            return false;
        }
        if plan.distance_squared(self.at) < self.gap * self.gap {
            self.is_inside
        } else {
            self.region.contains_in_plan(plan)
        }
    }

    /// As [`Region::distance_within`], for a place within reach and a limit that is not larger.
    #[must_use]
    pub fn distance_within(&self, p: DVec3, limit: f64) -> Option<f64> {
        if self.contains(p) {
            return Some(0.0);
        }
        if !self.region.is_at_height(p.z) {
            return None;
        }
        let plan = p.truncate();
        let by = plan.distance(self.at);
        if self.gap - by >= limit {
            return None;
        }
        let mut least = f64::INFINITY;
        // An edge can be nearer by no more than the place is away.
        let mut nearer = f64::INFINITY;
        for edge in &self.edges {
            if edge.distance - by <= nearer {
                let squared = edge.distance_squared(plan);
                if squared < least {
                    least = squared;
                    nearer = squared.sqrt() * (1.0 + 1e-12);
                }
            }
        }
        (least < limit * limit).then(|| least.sqrt())
    }

    /// Whether all places within a distance are inside, or all outside; `None` if that is not known.
    #[must_use]
    pub fn is_all_inside(&self, distance: f64) -> Option<bool> {
        let is_one = self.gap > distance && self.region.heights().is_none();
        is_one.then_some(self.is_inside)
    }

    /// Whether the region is within a distance of the place itself, in plan.
    #[must_use]
    pub const fn is_within(&self, distance: f64) -> bool {
        self.is_inside || self.gap < distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Random;
    use crate::geometry::Polygon;

    #[test]
    fn places_nearby_are_as_far_from_a_region_as_without_it() {
        let mut random = Random::new(4);
        for case in 0..400 {
            let corners = 3 + random.below(40);
            let centre = random.point(DVec2::ZERO, DVec2::splat(10.0));
            let star = (0..corners).map(|i| {
                let angle = std::f64::consts::TAU * i as f64 / corners as f64;
                centre + random.range(0.5, 6.0) * DVec2::from_angle(angle)
            });
            let mut region = Region::of_polygons(&[Polygon::new(star.collect())]);
            if case % 4 == 0 {
                region = region.between_heights(0.0, 2.0);
            }
            for _ in 0..40 {
                let p = random.point(DVec2::splat(-12.0), DVec2::splat(22.0));
                let (reach, limit) = (random.range(0.0, 3.0), random.range(0.0, 9.0));
                let z = random.range(-1.0, 3.0);
                let around = Surroundings::new(&region, p.extend(z), reach, limit);
                for _ in 0..10 {
                    let by = DVec2::from_angle(random.range(0.0, 7.0)) * random.range(0.0, reach);
                    let q = (p + by).extend(random.range(-1.0, 3.0));
                    assert_eq!(around.contains(q), region.contains(q), "case {case}: {q}");
                    let (found, exact) = (
                        around.distance_within(q, limit),
                        region.distance_within(q, limit),
                    );
                    let is_same = match (found, exact) {
                        (Some(found), Some(exact)) => (found - exact).abs() < 1e-9,
                        (None, None) => true,
                        (Some(at), None) | (None, Some(at)) => (at - limit).abs() < 1e-9,
                    };
                    assert!(is_same, "case {case}: {q} from {p}: {found:?} {exact:?}");
                }
            }
        }
    }
}

//! What a region is like around one place.
//!
//! The cost of a state's transitions reads a field at some twenty places that lie close together.
//! All of them have the same few edges of a region nearest to them, so these are found once.

use super::region::Region;
use crate::geometry::polygon::closest_on_segment;
use glam::{DVec2, DVec3};

/// The edges of a region that can be nearest to places within a distance of one.
#[derive(Clone, Debug)]
pub struct Surroundings<'a> {
    region: &'a Region,
    at: DVec2,
    is_inside: bool,
    /// Distance to the nearest edge, or to where none is looked for. Unit: metres.
    gap: f64,
    /// Each with its distance from the place; the nearest is the first.
    edges: Vec<(f64, [DVec2; 2])>,
}

impl<'a> Surroundings<'a> {
    /// For places within `reach` of one, and distances up to `limit`.
    #[must_use]
    pub fn new(region: &'a Region, p: DVec3, reach: f64, limit: f64) -> Self {
        let at = p.truncate();
        let most = limit + reach;
        let mut found: Vec<(f64, [DVec2; 2])> = Vec::with_capacity(16);
        // What is nearest to a place within reach is at most twice the reach farther from here
        // than what is nearest to here.
        let mut least = most;
        region.edges_between(at.y - most, at.y + most, |edge| {
            let aside = (edge[0].x.min(edge[1].x) - at.x).max(at.x - edge[0].x.max(edge[1].x));
            if aside > (least + 2.0 * reach).min(most) {
                return;
            }
            let distance = closest_on_segment(edge[0], edge[1], at).distance(at);
            if distance <= (least + 2.0 * reach).min(most) {
                least = least.min(distance);
                found.push((distance, *edge));
            }
        });
        let bound = least + 2.0 * reach;
        found.retain(|(distance, _)| *distance <= bound);
        if let Some(nearest) = found.iter().position(|(distance, _)| *distance == least) {
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
        let mut least = f64::INFINITY;
        // An edge can be nearer by no more than the place is away.
        let mut nearer = f64::INFINITY;
        for (distance, [a, b]) in &self.edges {
            if distance - by <= nearer {
                let squared = closest_on_segment(*a, *b, plan).distance_squared(plan);
                if squared < least {
                    least = squared;
                    nearer = squared.sqrt() * (1.0 + 1e-12);
                }
            }
        }
        (least < limit * limit).then(|| least.sqrt())
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
                    assert_eq!(found, exact, "case {case}: {q} from {p}");
                }
            }
        }
    }
}

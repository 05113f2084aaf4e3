//! The area that a constraint refers to, with exact queries: inside, distance, and whether a
//! segment enters it.
//!
//! Edges are indexed by slabs of equal height, so that a query reads the few edges around a point.

use crate::geometry::polygon::closest_on_segment;
use crate::geometry::predicates::{Meeting, Side, meeting, side};
use crate::geometry::{Polygon, Rect};
use glam::{DVec2, DVec3};

/// Largest number of slabs: more gain nothing for the outlines of levels.
const MOST_SLABS: usize = 1024;

/// An area in plan, by the even–odd rule over all of its edges, and the heights it applies to.
#[derive(Clone, Debug, Default)]
pub struct Region {
    edges: Vec<[DVec2; 2]>,
    /// Slab `i` has the edges `order[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    order: Vec<u32>,
    bounds: Option<Rect>,
    /// Lowest and highest place that it applies to; `None` for all. Unit: metres.
    heights: Option<[f64; 2]>,
}

impl PartialEq for Region {
    /// The index follows from the edges.
    fn eq(&self, other: &Self) -> bool {
        self.edges == other.edges && self.heights == other.heights
    }
}

impl Region {
    /// Polygons that do not overlap; parts that are not finite are left out.
    #[must_use]
    pub fn of_polygons(polygons: &[Polygon]) -> Self {
        let rings = polygons.iter().flat_map(Polygon::rings);
        let finite = rings.filter(|ring| ring.iter().all(|p| p.is_finite()));
        let edges =
            finite.flat_map(|ring| (0..ring.len()).map(|i| [ring[i], ring[(i + 1) % ring.len()]]));
        Self::of_edges(edges.filter(|[a, b]| a != b).collect())
    }

    fn of_edges(edges: Vec<[DVec2; 2]>) -> Self {
        let bounds = Rect::of_points(edges.iter().flatten());
        if bounds.is_empty() {
            return Self::default();
        }
        let mut region = Self {
            bounds: Some(bounds),
            ..Self::default()
        };
        let slabs = edges.len().clamp(1, MOST_SLABS);
        let mut counts = vec![0_u32; slabs + 1];
        for edge in &edges {
            for slab in region.slabs_of(edge, slabs) {
                counts[slab + 1] += 1;
            }
        }
        for slab in 0..slabs {
            counts[slab + 1] += counts[slab];
        }
        let mut order = vec![0; counts[slabs] as usize];
        let mut next = counts.clone();
        for (edge, index) in edges.iter().zip(0..) {
            for slab in region.slabs_of(edge, slabs) {
                order[next[slab] as usize] = index;
                next[slab] += 1;
            }
        }
        region.edges = edges;
        region.starts = counts;
        region.order = order;
        region
    }

    /// Restricts the region to places between two heights.
    #[must_use]
    pub const fn between_heights(mut self, low: f64, high: f64) -> Self {
        self.heights = Some([low, high]);
        self
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Around the region in plan; empty if there is none.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        self.bounds.unwrap_or(Rect::EMPTY)
    }

    #[must_use]
    pub fn edges(&self) -> &[[DVec2; 2]] {
        &self.edges
    }

    /// Lowest and highest place that it applies to; `None` for all. Unit: metres.
    #[must_use]
    pub const fn heights(&self) -> Option<[f64; 2]> {
        self.heights
    }

    /// Its outlines, each closed: edges are kept ring by ring.
    #[must_use]
    pub fn rings(&self) -> Vec<Vec<DVec2>> {
        let mut rings: Vec<Vec<DVec2>> = Vec::new();
        let mut end = None;
        for [from, to] in &self.edges {
            match rings.last_mut() {
                Some(ring) if end == Some(*from) && ring.first() != Some(from) => ring.push(*from),
                _ => rings.push(vec![*from]),
            }
            end = Some(*to);
        }
        rings
    }

    fn slab_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn slab_at(&self, y: f64, slabs: usize) -> usize {
        let bounds = self.bounds();
        let height = (bounds.max.y - bounds.min.y).max(f64::MIN_POSITIVE);
        // The cast saturates.
        (((y - bounds.min.y) / height * slabs as f64) as usize).min(slabs - 1)
    }

    fn slabs_of(&self, edge: &[DVec2; 2], slabs: usize) -> std::ops::RangeInclusive<usize> {
        let [a, b] = edge.map(|p| self.slab_at(p.y, slabs));
        a.min(b)..=a.max(b)
    }

    fn in_slab(&self, slab: usize) -> impl Iterator<Item = &[DVec2; 2]> {
        let range = self.starts[slab] as usize..self.starts[slab + 1] as usize;
        self.order[range]
            .iter()
            .map(|index| &self.edges[*index as usize])
    }

    /// Whether it applies to places at this height.
    #[must_use]
    pub fn is_at_height(&self, z: f64) -> bool {
        self.heights.is_none_or(|[low, high]| low <= z && z <= high)
    }

    /// Visits the edges that may be between two heights of the plan; some more than once.
    pub(super) fn edges_between<'a>(
        &'a self,
        low: f64,
        high: f64,
        mut visit: impl FnMut(&'a [DVec2; 2]),
    ) {
        let bounds = self.bounds();
        if self.is_empty() || low > bounds.max.y || high < bounds.min.y {
            return;
        }
        let slabs = self.slab_count();
        let (low, high) = (self.slab_at(low, slabs), self.slab_at(high, slabs));
        if 2 * (high - low) > slabs {
            // Edges are in several slabs: each of them once is less.
            self.edges.iter().for_each(visit);
        } else {
            (low..=high).for_each(|slab| self.in_slab(slab).for_each(&mut visit));
        }
    }

    /// Whether a place is inside; either answer on an edge.
    #[must_use]
    pub fn contains(&self, p: DVec3) -> bool {
        self.is_at_height(p.z) && self.contains_in_plan(p.truncate())
    }

    pub(super) fn contains_in_plan(&self, plan: DVec2) -> bool {
        if !self.bounds().contains(plan) {
            return false;
        }
        let slab = self.slab_at(plan.y, self.slab_count());
        let crossings = self
            .in_slab(slab)
            .filter(|[a, b]| is_right_of(plan, *a, *b));
        crossings.count() % 2 == 1
    }

    /// Distance in plan to the nearest point of the region: 0 inside, and `None` from `limit` on
    /// and at other heights.
    #[must_use]
    pub fn distance_within(&self, p: DVec3, limit: f64) -> Option<f64> {
        let plan = p.truncate();
        let bounds = self.bounds();
        if self.is_empty() || !self.is_at_height(p.z) {
            return None;
        }
        let mut best = limit * limit;
        if bounds.clamp(plan).distance_squared(plan) >= best && !bounds.contains(plan) {
            return None;
        }
        if self.contains(p) {
            return Some(0.0);
        }
        let slabs = self.slab_count();
        let height = (bounds.max.y - bounds.min.y) / slabs as f64;
        let home = self.slab_at(plan.y, slabs);
        let look = |slab: usize, best: &mut f64| {
            for [a, b] in self.in_slab(slab) {
                let aside = (a.x.min(b.x) - plan.x).max(plan.x - a.x.max(b.x));
                if aside > 0.0 && aside * aside >= *best {
                    continue;
                }
                *best = best.min(closest_on_segment(*a, *b, plan).distance_squared(plan));
            }
        };
        let found = best;
        look(home, &mut best);
        // Outwards from the slab of the point, as long as the next one may be nearer.
        for slab in home + 1..slabs {
            let gap = bounds.min.y + height * slab as f64 - plan.y;
            if gap > 0.0 && gap * gap >= best {
                break;
            }
            look(slab, &mut best);
        }
        for slab in (0..home).rev() {
            let gap = plan.y - (bounds.min.y + height * (slab + 1) as f64);
            if gap > 0.0 && gap * gap >= best {
                break;
            }
            look(slab, &mut best);
        }
        (best < found).then(|| best.sqrt())
    }

    /// Whether a straight line enters the region or touches it.
    #[must_use]
    pub fn meets(&self, from: DVec3, to: DVec3) -> bool {
        let (a, b) = (from.truncate(), to.truncate());
        let around = Rect::spanning(a, b);
        if !self.bounds().overlaps(&around)
            || !(self.is_at_height(from.z) || self.is_at_height(to.z))
        {
            return false;
        }
        if self.contains(from) || self.contains(to) {
            return true;
        }
        let slabs = self.slab_count();
        let (low, high) = (
            self.slab_at(around.min.y, slabs),
            self.slab_at(around.max.y, slabs),
        );
        (low..=high).any(|slab| {
            self.in_slab(slab)
                .any(|[c, d]| meeting(a, b, *c, *d) != Meeting::Apart)
        })
    }

    /// Bytes that it occupies.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.edges[..]) + 4 * (self.order.len() + self.starts.len())
    }
}

/// Whether the edge crosses the ray from `p` to the right; an edge owns its lower end alone.
fn is_right_of(p: DVec2, a: DVec2, b: DVec2) -> bool {
    if (a.y <= p.y) == (b.y <= p.y) {
        return false;
    }
    let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
    side(low, high, p) == Side::Left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Random;

    fn star(random: &mut Random, corners: usize) -> Polygon {
        let centre = random.point(DVec2::ZERO, DVec2::splat(10.0));
        Polygon::new(
            (0..corners)
                .map(|i| {
                    let angle = std::f64::consts::TAU * i as f64 / corners as f64;
                    centre + random.range(1.0, 6.0) * DVec2::from_angle(angle)
                })
                .collect(),
        )
    }

    #[test]
    fn queries_agree_with_the_polygon_itself() {
        let mut random = Random::new(7);
        for corners in [3, 4, 9, 40, 300] {
            let polygon = star(&mut random, corners);
            let region = Region::of_polygons(std::slice::from_ref(&polygon));
            for _ in 0..400 {
                let p = random.point(DVec2::splat(-12.0), DVec2::splat(22.0));
                let inside = polygon.contains(p);
                assert_eq!(region.contains(p.extend(3.0)), inside, "{p}");
                let exact = if inside {
                    0.0
                } else {
                    polygon.distance_to_edge(p)
                };
                let limit = random.range(0.1, 30.0);
                match region.distance_within(p.extend(0.0), limit) {
                    Some(found) => assert!((found - exact).abs() < 1e-9, "{found} {exact}"),
                    None => assert!(exact >= limit - 1e-9, "{exact} {limit}"),
                }
                let q = random.point(DVec2::splat(-12.0), DVec2::splat(22.0));
                let is_met = inside
                    || polygon.contains(q)
                    || polygon
                        .edges()
                        .any(|(a, b)| meeting(p, q, a, b) != Meeting::Apart);
                assert_eq!(region.meets(p.extend(0.0), q.extend(0.0)), is_met);
            }
        }
    }

    #[test]
    fn outlines_come_back_ring_by_ring() {
        let mut random = Random::new(9);
        let polygons = [star(&mut random, 5), star(&mut random, 9)];
        let rings: Vec<Vec<DVec2>> = polygons
            .iter()
            .flat_map(|polygon| polygon.rings().map(|ring| ring.to_vec()))
            .collect();
        assert_eq!(Region::of_polygons(&polygons).rings(), rings);
        assert!(Region::default().rings().is_empty());
    }

    #[test]
    fn a_region_of_one_storey_is_not_felt_on_another() {
        let square = Polygon::rect(Rect::new(DVec2::ZERO, DVec2::splat(4.0)));
        let region = Region::of_polygons(&[square]).between_heights(2.0, 4.0);
        assert!(region.contains(DVec3::new(1.0, 1.0, 3.0)));
        assert!(!region.contains(DVec3::new(1.0, 1.0, 0.0)));
        assert_eq!(region.distance_within(DVec3::new(1.0, 1.0, 0.0), 5.0), None);
        assert!(!region.meets(DVec3::new(-1.0, 1.0, 0.0), DVec3::new(5.0, 1.0, 0.0)));
    }

    #[test]
    fn nothing_is_in_or_near_an_empty_region() {
        for region in [
            Region::of_polygons(&[]),
            Region::of_polygons(&[Polygon::new(vec![DVec2::NAN; 3])]),
            Region::of_polygons(&[Polygon::new(vec![DVec2::ONE; 3])]),
        ] {
            assert!(region.is_empty() && region.bounds().is_empty());
            assert!(!region.contains(DVec3::ONE));
            assert_eq!(region.distance_within(DVec3::ONE, 1e9), None);
            assert!(!region.meets(DVec3::ZERO, DVec3::ONE));
        }
    }
}

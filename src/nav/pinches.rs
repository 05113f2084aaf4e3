//! Which cells a place belongs to: several, where it lies on a portal or a corner.

use super::cell_map::{CellId, CellMap};
use crate::geometry::predicates::on_segment;
use glam::DVec2;
use std::collections::HashSet;

/// Corners at which free space meets itself in a single point. No portal leads from one side to
/// the other there, so a place exactly on it must be looked up. Rare, hence a sorted list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pinches {
    corners: Vec<([u64; 2], Vec<CellId>)>,
}

fn key(p: DVec2) -> [u64; 2] {
    // −0 and 0 are one place.
    [(p.x + 0.0).to_bits(), (p.y + 0.0).to_bits()]
}

impl Pinches {
    #[must_use]
    pub fn of(map: &CellMap) -> Self {
        match map.touching() {
            Some([]) => Self::default(),
            Some(touching) => {
                let touching: HashSet<_> = touching.iter().map(|p| key(*p)).collect();
                Self::among(map, |corner| touching.contains(corner))
            }
            None => Self::among(map, |_| true),
        }
    }

    fn among(map: &CellMap, may_be: impl Fn(&[u64; 2]) -> bool) -> Self {
        let mut all: Vec<([u64; 2], CellId)> = map
            .cells()
            .flat_map(|cell| map.corners(cell).iter().map(move |p| (key(*p), cell)))
            .filter(|(corner, _)| may_be(corner))
            .collect();
        all.sort_unstable();
        all.dedup();
        let mut reached = Vec::new();
        let corners = all
            .chunk_by(|a, b| a.0 == b.0)
            .filter_map(|group| {
                let [x, y] = group[0].0.map(f64::from_bits);
                reached.clear();
                reached.push(group[0].1);
                spread(map, DVec2::new(x, y), &mut reached, 0);
                (reached.len() < group.len())
                    .then(|| (group[0].0, group.iter().map(|(_, cell)| *cell).collect()))
            })
            .collect();
        Self { corners }
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    /// Every cell that contains `p`, borders included; none outside free space.
    pub fn cells_at(&self, map: &CellMap, p: DVec2, found: &mut Vec<CellId>) {
        found.clear();
        let Some(first) = map.locate(p) else {
            return;
        };
        found.push(first);
        spread(map, p, found, 0);
        if self.corners.is_empty() {
            return;
        }
        if let Ok(at) = self.corners.binary_search_by_key(&key(p), |(key, _)| *key) {
            for &cell in &self.corners[at].1 {
                if !found.contains(&cell) {
                    found.push(cell);
                }
            }
        }
    }
}

/// Adds cells behind portals on which `p` lies, from `found[from..]` onwards.
fn spread(map: &CellMap, p: DVec2, found: &mut Vec<CellId>, from: usize) {
    let mut next = from;
    while let Some(&cell) = found.get(next) {
        next += 1;
        for &portal in map.sides(cell).iter().flatten() {
            let portal = map.portal(portal);
            if on_segment(portal.ends[0], portal.ends[1], p) {
                for other in portal.cells {
                    if !found.contains(&other) {
                        found.push(other);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Polygon, Rect, hostile::small_polygon};
    use crate::jobs::JobContext;
    use crate::nav::{FreeSpace, Trapezoids, free_space::Input};
    use proptest::prelude::*;
    use std::sync::Arc;

    fn cells(obstacles: Vec<Polygon>) -> Arc<CellMap> {
        let bounds = Rect::new(DVec2::splat(-5.0), DVec2::splat(5.0));
        let ctx = JobContext::default();
        let free = FreeSpace::build(Input::of_polygons(bounds, obstacles), 0.0, &ctx);
        let trapezoids = Trapezoids::build(&free.expect("not cancelled"), &ctx);
        trapezoids.expect("not cancelled").merged
    }

    #[test]
    fn two_boxes_that_touch_at_a_corner_pinch_free_space_there() {
        let [a, b] = [DVec2::splat(-1.0), DVec2::splat(1.0)]
            .map(|p| Polygon::rect(Rect::of_points(&[DVec2::ZERO, p])));
        let map = cells(vec![a, b]);
        let mut found = Vec::new();
        Pinches::of(&map).cells_at(&map, DVec2::ZERO, &mut found);
        assert_eq!(found.len(), 2);
    }

    proptest! {
        #[test]
        fn corners_where_rings_touch_are_the_only_pinches(
            obstacles in prop::collection::vec(small_polygon(), 0..6)
        ) {
            let map = cells(obstacles);
            prop_assert_eq!(Pinches::of(&map), Pinches::among(&map, |_| true));
        }
    }
}

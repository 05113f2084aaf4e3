//! The edges of obstacles as drawn, for distance queries.
//!
//! Neighbouring edges are stored in runs, each one a leaf of a tree: sorting a tree of all edges
//! would take as long as the rest of a bake during a drag.

use crate::geometry::{Polygon, Rect, polygon::closest_on_segment};
use glam::DVec2;
use rstar::{AABB, PointDistance, RTree, RTreeObject};
use std::sync::Arc;

/// Edges per run.
const LENGTH: usize = 12;

/// Consecutive edges.
#[derive(Debug, PartialEq)]
struct Run {
    bounds: Rect,
    edges: Vec<[DVec2; 2]>,
}

/// A run in a tree; shared between snapshots of a level.
#[derive(Clone, Debug, PartialEq)]
struct Leaf(Arc<Run>);

impl RTreeObject for Leaf {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        let Rect { min, max } = self.0.bounds;
        AABB::from_corners(min.to_array(), max.to_array())
    }
}

impl PointDistance for Leaf {
    fn distance_2(&self, p: &[f64; 2]) -> f64 {
        let p = DVec2::from_array(*p);
        self.0
            .edges
            .iter()
            .map(|[a, b]| closest_on_segment(*a, *b, p).distance_squared(p))
            .fold(f64::INFINITY, f64::min)
    }
}

/// All edges of one polygon.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct EdgeRuns(Vec<Leaf>);

impl EdgeRuns {
    pub fn of(polygon: &Polygon) -> Self {
        let edges: Vec<[DVec2; 2]> = polygon
            .edges()
            .map(|(a, b)| [a, b])
            .filter(|[a, b]| a.is_finite() && b.is_finite())
            .collect();
        let run = |edges: &[[DVec2; 2]]| {
            Leaf(Arc::new(Run {
                bounds: Rect::of_points(edges.as_flattened()),
                edges: edges.to_vec(),
            }))
        };
        Self(edges.chunks(LENGTH).map(run).collect())
    }
}

/// The edges of many polygons.
#[derive(Clone, Debug)]
pub(super) struct EdgeTree(RTree<Leaf>);

impl EdgeTree {
    pub fn new<'a>(polygons: impl Iterator<Item = &'a EdgeRuns>) -> Self {
        Self(RTree::bulk_load(
            polygons.flat_map(|runs| &runs.0).cloned().collect(),
        ))
    }

    /// Distance from a finite `p` to the nearest edge; `None` without edges. Unit: metres.
    pub fn distance(&self, p: DVec2) -> Option<f64> {
        let at = p.to_array();
        let nearest = self.0.nearest_neighbor(at)?;
        Some(nearest.distance_2(&at).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::hostile;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_nearest_edge_is_as_near_as_any(
            polygons in prop::collection::vec(hostile::small_polygon(), 1..5),
            p in (-120.0..120.0, -120.0..120.0),
        ) {
            let p = DVec2::from(p);
            let runs: Vec<EdgeRuns> = polygons.iter().map(EdgeRuns::of).collect();
            let found = EdgeTree::new(runs.iter()).distance(p);
            let least = polygons
                .iter()
                .flat_map(Polygon::edges)
                .filter(|(a, b)| a.is_finite() && b.is_finite())
                .map(|(a, b)| closest_on_segment(a, b, p).distance(p))
                .reduce(f64::min);
            match (found, least) {
                (Some(found), Some(least)) => prop_assert!((found - least).abs() <= 1e-9 * least.max(1.0)),
                (found, least) => prop_assert_eq!(found, least),
            }
        }
    }
}

//! A spatial index of the axis: runs of a few line segments from sample to sample.

use super::map::{Edge, EdgeId, Sample};
use crate::geometry::{Rect, polygon::closest_on_segment};
use glam::DVec2;
use rstar::{AABB, PointDistance, RTree, RTreeObject};

/// Line segments per run: indexing runs is faster than indexing segments by this factor.
const LINES: usize = 8;

#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    tree: RTree<Run>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    edge: EdgeId,
    /// Index of the first sample.
    sample: u32,
    /// Number of valid points.
    count: usize,
    points: [DVec2; LINES + 1],
}

impl Run {
    fn points(&self) -> &[DVec2] {
        &self.points[..self.count]
    }

    /// The nearest point: squared distance, segment, and fraction along it.
    fn nearest(&self, p: DVec2) -> (f64, u32, f64) {
        let mut best = (f64::INFINITY, 0, 0.0);
        for (line, index) in self.points().windows(2).zip(0..) {
            let closest = closest_on_segment(line[0], line[1], p);
            let distance = closest.distance_squared(p);
            if distance < best.0 {
                let length = line[0].distance(line[1]);
                let share = if length > 0.0 {
                    (line[0].distance(closest) / length).min(1.0)
                } else {
                    0.0
                };
                best = (distance, index, share);
            }
        }
        best
    }
}

impl RTreeObject for Run {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        let extent = Rect::of_points(self.points());
        AABB::from_corners(extent.min.to_array(), extent.max.to_array())
    }
}

impl PointDistance for Run {
    fn distance_2(&self, p: &[f64; 2]) -> f64 {
        self.nearest(DVec2::from_array(*p)).0
    }
}

impl Runs {
    pub fn new(edges: &[Edge], samples: &[Sample]) -> Self {
        let mut runs = Vec::with_capacity(samples.len() / LINES + edges.len());
        for (edge, index) in edges.iter().zip(0..) {
            let last = edge.samples.end.saturating_sub(1);
            for first in (edge.samples.start..last).step_by(LINES) {
                let mut run = Run {
                    edge: EdgeId(index),
                    sample: first,
                    count: 0,
                    points: [DVec2::ZERO; LINES + 1],
                };
                let of_run = &samples[first as usize..=last as usize];
                for (slot, sample) in run.points.iter_mut().zip(of_run) {
                    *slot = sample.point;
                    run.count += 1;
                }
                runs.push(run);
            }
        }
        Self {
            tree: RTree::bulk_load(runs),
        }
    }

    /// Edge, sample, and fraction to the next sample, of the nearest point.
    pub fn nearest(&self, p: DVec2) -> Option<(EdgeId, u32, f64)> {
        let run = self.tree.nearest_neighbor(p.to_array())?;
        let (_, line, share) = run.nearest(p);
        Some((run.edge, run.sample + line, share))
    }
}

//! The corridor map: vertices, edges and their samples in flat tables.

use super::{
    runs::Runs,
    tiling::Tiling,
    walls::{Blocker, Walls},
};
use crate::geometry::Rect;
use crate::nav::stages::Work;
use glam::DVec2;
use std::ops::Range;

/// Index into [`CorridorMap::vertices`]. Valid only for its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexId(pub u32);

/// Index into [`CorridorMap::edges`]. Valid only for its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

/// Where edges meet or end.
#[derive(Clone, Debug, PartialEq)]
pub struct Vertex {
    pub point: DVec2,
    /// Distance to the nearest wall. Unit: metres.
    pub clearance: f64,
    /// The nearest wall points, counter-clockwise: one in a corner, two at the end of a pruned
    /// branch, three or more elsewhere.
    pub touches: Vec<DVec2>,
}

/// A point on the medial axis between two vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub point: DVec2,
    /// Distance to the nearest wall. Unit: metres.
    pub clearance: f64,
    /// The nearest wall points on either side, looking along the edge.
    pub left: DVec2,
    pub right: DVec2,
    /// The obstacles they belong to.
    pub left_blocker: Blocker,
    pub right_blocker: Blocker,
}

impl Sample {
    /// The sample seen in the opposite direction.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self {
            left: self.right,
            right: self.left,
            left_blocker: self.right_blocker,
            right_blocker: self.left_blocker,
            ..self
        }
    }

    /// Interpolates between two samples of one piece.
    #[must_use]
    pub fn lerp(&self, next: &Self, share: f64) -> Self {
        let nearer = if share < 0.5 { self } else { next };
        Self {
            point: self.point.lerp(next.point, share),
            clearance: self.clearance + (next.clearance - self.clearance) * share,
            left: self.left.lerp(next.left, share),
            right: self.right.lerp(next.right, share),
            left_blocker: nearer.left_blocker,
            right_blocker: nearer.right_blocker,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    pub ends: [VertexId; 2],
    /// Into [`CorridorMap::samples`]; the first and the last lie on the vertices.
    pub samples: Range<u32>,
    /// Unit: metres.
    pub length: f64,
    /// The minimum along the edge.
    pub min_clearance: f64,
    /// On no cycle and on no connection between cycles.
    pub is_dead_end: bool,
}

/// A point on an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisPoint {
    pub edge: EdgeId,
    /// Index into [`CorridorMap::samples`] of the sample at or before it.
    pub sample: u32,
    /// Fraction of the distance to the next sample, from 0 to 1.
    pub share: f64,
    pub point: DVec2,
    pub clearance: f64,
}

#[derive(Clone, Debug, Default)]
pub struct CorridorMap {
    pub(super) vertices: Vec<Vertex>,
    pub(super) edges: Vec<Edge>,
    pub(super) samples: Vec<Sample>,
    /// Arc length from the start of its edge to each sample.
    pub(super) along: Vec<f64>,
    /// Edges around vertex `i`: `around[starts[i]..starts[i + 1]]`; a loop is listed twice.
    pub(super) starts: Vec<u32>,
    pub(super) around: Vec<EdgeId>,
    pub(super) walls: Walls,
    runs: Runs,
    /// Reusable parts for the next map.
    pub(super) tiling: Tiling,
}

impl PartialEq for CorridorMap {
    fn eq(&self, other: &Self) -> bool {
        // Everything else is derived from these.
        self.vertices == other.vertices
            && self.edges == other.edges
            && self.samples == other.samples
            && self.walls == other.walls
    }
}

/// Violated invariants; for tests.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    #[error("sample {sample}: closest points at {left} m and {right} m, clearance {clearance} m")]
    NotEquallyFar {
        sample: u32,
        left: f64,
        right: f64,
        clearance: f64,
    },
    #[error("sample {sample}: a wall is {distance} m away, clearance {clearance} m")]
    WallIsNearer {
        sample: u32,
        distance: f64,
        clearance: f64,
    },
    #[error("edge {edge}: its ends are not where its vertices are")]
    LooseEnd { edge: u32 },
    #[error("vertex {vertex}: a closest point is at another distance than its clearance")]
    WrongTouch { vertex: u32 },
    #[error("the tables do not fit together")]
    Tables,
}

impl CorridorMap {
    /// Boxes that were swept for it, of all.
    pub(in crate::nav) fn work(&self) -> Work {
        self.tiling.work()
    }

    /// Derives the remaining tables from vertices, edges and samples.
    pub(super) fn assembled(
        vertices: Vec<Vertex>,
        mut edges: Vec<Edge>,
        samples: Vec<Sample>,
        walls: Walls,
    ) -> Self {
        let mut along = vec![0.0; samples.len()];
        let mut counts = vec![0_u32; vertices.len() + 1];
        for edge in &mut edges {
            for i in edge.samples.start..edge.samples.end.saturating_sub(1) {
                let (a, b) = (samples[i as usize].point, samples[i as usize + 1].point);
                along[i as usize + 1] = along[i as usize] + a.distance(b);
            }
            let of_edge = &samples[edge.samples.start as usize..edge.samples.end as usize];
            edge.length = along[edge.samples.end as usize - 1];
            edge.min_clearance = of_edge
                .iter()
                .map(|s| s.clearance)
                .fold(f64::INFINITY, f64::min);
            for end in edge.ends {
                counts[end.0 as usize + 1] += 1;
            }
        }
        for i in 1..counts.len() {
            counts[i] += counts[i - 1];
        }
        let mut next = counts.clone();
        let mut around = vec![EdgeId(0); edges.len() * 2];
        for (edge, index) in edges.iter().zip(0..) {
            for end in edge.ends {
                let slot = &mut next[end.0 as usize];
                around[*slot as usize] = EdgeId(index);
                *slot += 1;
            }
        }
        Self {
            runs: Runs::new(&edges, &samples),
            vertices,
            edges,
            samples,
            along,
            starts: counts,
            around,
            walls,
            tiling: Tiling::default(),
        }
    }

    #[must_use]
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    #[must_use]
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The borders of the free space that the map was built for.
    #[must_use]
    pub const fn walls(&self) -> &Walls {
        &self.walls
    }

    #[must_use]
    pub fn extent(&self) -> Rect {
        self.walls.extent()
    }

    #[must_use]
    pub fn vertex(&self, id: VertexId) -> &Vertex {
        &self.vertices[id.0 as usize]
    }

    #[must_use]
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    #[must_use]
    pub fn samples_of(&self, id: EdgeId) -> &[Sample] {
        let range = &self.edge(id).samples;
        &self.samples[range.start as usize..range.end as usize]
    }

    /// Edges that end at a vertex; a loop is listed twice.
    #[must_use]
    pub fn edges_at(&self, id: VertexId) -> &[EdgeId] {
        let at = id.0 as usize;
        &self.around[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Edges wide enough over their full length for a disc of that radius.
    pub fn edges_for(&self, radius: f64) -> impl Iterator<Item = EdgeId> + '_ {
        let wide = move |edge: &Edge| edge.min_clearance >= radius;
        self.edges
            .iter()
            .zip(0..)
            .filter(move |(edge, _)| wide(edge))
            .map(|(_, index)| EdgeId(index))
    }

    /// The nearest point of the axis, ignoring walls; `None` for an empty map.
    #[must_use]
    pub fn nearest(&self, p: DVec2) -> Option<AxisPoint> {
        if !p.is_finite() {
            return None;
        }
        let (edge, sample, share) = self.runs.nearest(p)?;
        Some(self.axis_point(edge, sample, share))
    }

    /// The point at fraction `share` between a sample of the edge and the next.
    pub(super) fn axis_point(&self, edge: EdgeId, sample: u32, share: f64) -> AxisPoint {
        let at = self.sample_at(sample, share);
        AxisPoint {
            edge,
            sample,
            share,
            point: at.point,
            clearance: at.clearance,
        }
    }

    /// The interpolated sample there.
    #[must_use]
    pub fn sample_at(&self, sample: u32, share: f64) -> Sample {
        let here = self.samples[sample as usize];
        match self.samples.get(sample as usize + 1) {
            Some(next) if share > 0.0 => here.lerp(next, share),
            _ => here,
        }
    }

    /// Arc length from the start of its edge.
    #[must_use]
    pub fn along(&self, at: &AxisPoint) -> f64 {
        let here = self.along[at.sample as usize];
        match self.along.get(at.sample as usize + 1) {
            Some(next) if at.share > 0.0 => here + (next - here) * at.share,
            _ => here,
        }
    }

    /// The point at an arc length from the start of an edge, clamped to its ends.
    #[must_use]
    pub fn at_along(&self, edge: EdgeId, along: f64) -> AxisPoint {
        let range = &self.edge(edge).samples;
        let lengths = &self.along[range.start as usize..range.end as usize];
        let after = lengths.partition_point(|&length| length <= along);
        let here = after.saturating_sub(1).min(lengths.len().saturating_sub(2));
        let share = match lengths.get(here + 1) {
            Some(next) if *next > lengths[here] => {
                ((along - lengths[here]) / (next - lengths[here])).clamp(0.0, 1.0)
            }
            _ => 0.0,
        };
        self.axis_point(edge, range.start + here as u32, share)
    }

    /// Appends the samples of an edge from one arc length to another, in this direction, ends
    /// included.
    pub fn stretch_into(&self, edge: EdgeId, from: f64, to: f64, out: &mut Vec<Sample>) {
        let range = &self.edge(edge).samples;
        let (low, high) = (from.min(to), from.max(to));
        let inside = (range.start..range.end).filter(|&i| {
            let along = self.along[i as usize];
            along > low && along < high
        });
        let at = |along: f64| {
            let at = self.at_along(edge, along);
            self.sample_at(at.sample, at.share)
        };
        if from <= to {
            out.push(at(from));
            out.extend(inside.map(|i| self.samples[i as usize]));
            out.push(at(to));
        } else {
            out.push(at(from).reversed());
            out.extend(inside.rev().map(|i| self.samples[i as usize].reversed()));
            out.push(at(to).reversed());
        }
    }

    /// The narrowest sample of an edge between two arc lengths.
    #[must_use]
    pub fn narrowest(&self, edge: EdgeId, from: f64, to: f64) -> Sample {
        let mut samples = Vec::new();
        self.stretch_into(edge, from, to, &mut samples);
        let least = samples
            .iter()
            .copied()
            .min_by(|a, b| a.clearance.total_cmp(&b.clearance));
        least.unwrap_or(self.samples[self.edge(edge).samples.start as usize])
    }

    /// Checks all invariants, comparing the walls one by one: for tests.
    ///
    /// # Errors
    /// The first violation.
    pub fn check_invariants(&self) -> Result<(), Fault> {
        let tolerance = 1e-6 * self.extent().size().max_element().max(1.0);
        let differ = |a: f64, b: f64| (a - b).is_nan() || (a - b).abs() > tolerance;
        for (sample, index) in self.samples.iter().zip(0..) {
            let left = sample.left.distance(sample.point);
            let right = sample.right.distance(sample.point);
            let clearance = sample.clearance;
            if differ(left, clearance) || differ(right, clearance) {
                return Err(Fault::NotEquallyFar {
                    sample: index,
                    left,
                    right,
                    clearance,
                });
            }
            let distance = self
                .walls
                .list()
                .iter()
                .map(|wall| wall.closest(sample.point).distance(sample.point))
                .fold(f64::INFINITY, f64::min);
            if distance < clearance - tolerance {
                return Err(Fault::WallIsNearer {
                    sample: index,
                    distance,
                    clearance,
                });
            }
        }
        for (edge, index) in self.edges.iter().zip(0..) {
            let samples = self.samples_of(EdgeId(index));
            let ends = [samples.first(), samples.last()];
            for (end, sample) in edge.ends.iter().zip(ends) {
                let at = self.vertices.get(end.0 as usize).ok_or(Fault::Tables)?;
                if sample.is_none_or(|s| s.point != at.point) {
                    return Err(Fault::LooseEnd { edge: index });
                }
                if !self.edges_at(*end).contains(&EdgeId(index)) {
                    return Err(Fault::Tables);
                }
            }
        }
        for (vertex, index) in self.vertices.iter().zip(0..) {
            let wrong = |touch: &DVec2| differ(touch.distance(vertex.point), vertex.clearance);
            if vertex.touches.iter().any(wrong) {
                return Err(Fault::WrongTouch { vertex: index });
            }
        }
        Ok(())
    }
}

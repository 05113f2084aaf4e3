//! Point location: a nearby triangle from a grid of buckets, then a walk from neighbour to
//! neighbour.

use super::mesh::{NONE, TerrainMesh, TriangleId};
use super::walk::side_of;
use crate::geometry::lattice::PER_METRE;
use glam::DVec2;

/// Maximum buckets along one side.
const MAX_SIDE: f64 = 1024.0;

/// A triangle near the centre of each square.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Buckets {
    origin: DVec2,
    per_step: DVec2,
    columns: u32,
    rows: u32,
    triangles: Vec<u32>,
}

impl Buckets {
    pub fn new(mesh: &TerrainMesh) -> Self {
        let bounds = mesh.bounds.0;
        let size = bounds.size();
        if mesh.is_empty() {
            return Self::default();
        }
        let square = (2.0 * size.x * size.y / mesh.len() as f64).sqrt();
        let count = |length: f64| (length / square).ceil().clamp(1.0, MAX_SIDE);
        let counts = DVec2::new(count(size.x), count(size.y));
        let mut buckets = Self {
            origin: bounds.min,
            per_step: counts / size,
            columns: counts.x as u32,
            rows: counts.y as u32,
            triangles: Vec::new(),
        };
        let mut triangles = vec![NONE; buckets.columns as usize * buckets.rows as usize];
        for index in 0..mesh.len() as u32 {
            triangles[buckets.at(mesh.middle(index))] = index;
        }
        // Empty squares get the previous triangle in row order.
        let mut last = triangles.iter().copied().find(|t| *t != NONE).unwrap_or(0);
        let columns = buckets.columns as usize;
        for row in 0..buckets.rows as usize {
            for step in 0..columns {
                let column = if row % 2 == 0 {
                    step
                } else {
                    columns - 1 - step
                };
                let slot = &mut triangles[row * columns + column];
                if *slot == NONE {
                    *slot = last;
                } else {
                    last = *slot;
                }
            }
        }
        buckets.triangles = triangles;
        buckets
    }

    fn at(&self, p: DVec2) -> usize {
        let at = (p - self.origin) * self.per_step;
        let column = (at.x as u32).min(self.columns - 1);
        let row = (at.y as u32).min(self.rows - 1);
        row as usize * self.columns as usize + column as usize
    }

    pub fn is_sound(&self, triangles: usize) -> bool {
        self.triangles.iter().all(|t| (*t as usize) < triangles)
    }
}

impl TerrainMesh {
    /// The triangle at a point, borders included; `None` outside the level. A nearby hint makes it
    /// faster.
    #[must_use]
    pub fn locate(&self, p: DVec2, hint: Option<TriangleId>) -> Option<TriangleId> {
        let p = p * PER_METRE;
        // Half a step beyond the border is within the rounding of the bounds.
        if self.is_empty() || !p.is_finite() || !self.bounds.0.expanded(1.0).contains(p) {
            return None;
        }
        self.locate_step(self.bounds.0.clamp(p), hint)
            .map(TriangleId)
    }

    /// Locates a point given in lattice steps, within the bounds.
    pub(super) fn locate_step(&self, p: DVec2, hint: Option<TriangleId>) -> Option<u32> {
        let start = match hint {
            Some(TriangleId(index)) if (index as usize) < self.len() => index,
            _ => *self.buckets.triangles.get(self.buckets.at(p))?,
        };
        let mut here = start;
        // With a fixed order of sides the walk can cycle in a constrained triangulation; the order
        // changes with each step.
        for step in 0..self.len() + 64 {
            let corners = self.corners(here);
            let beside = &self.triangles[here as usize].beside;
            let beyond = (0..3)
                .map(|i| (i + step) % 3)
                .find(|&i| beside[i] != NONE && side_of(corners[i], corners[(i + 1) % 3], p) < 0.0);
            match beyond {
                Some(i) => here = beside[i],
                None => return Some(here),
            }
        }
        // Not reached in practice: exhaustive search.
        (0..self.len() as u32).find(|&index| {
            let corners = self.corners(index);
            (0..3).all(|i| side_of(corners[i], corners[(i + 1) % 3], p) >= 0.0)
        })
    }
}

//! Divides triangles until no side is longer than wanted.
//!
//! Rivara's longest-edge bisection (1984): a triangle is divided at its longest side together with
//! its neighbour there, after that one has been divided until the side is its longest, too. Shapes
//! never get worse than those at the beginning by more than a half of the angle, and there is no
//! T-junction at any time. Middles of middles of lattice points are exact in `f64`.

use super::triangles::{NONE, Triangles};
use crate::jobs::{Cancelled, JobContext};

/// Most triangles; then it stops. Far beyond what an engine can use.
const MOST: usize = 2_000_000;

/// Triangles between two looks at whether the job was cancelled.
const BETWEEN_CHECKPOINTS: usize = 10_000;

impl Triangles {
    /// `limit` is the longest side. Unit: lattice steps.
    pub fn refine(&mut self, limit: f64, ctx: &JobContext) -> Result<(), Cancelled> {
        let limit = limit * limit;
        let mut next = 0;
        while next < self.list.len() && self.list.len() < MOST {
            if next.is_multiple_of(BETWEEN_CHECKPOINTS) {
                ctx.checkpoint()?;
            }
            // Dividing puts halves at the end and keeps one here.
            while self.longest(next as u32).1.0 > limit && self.list.len() < MOST {
                self.bisect(next as u32);
            }
            next += 1;
        }
        Ok(())
    }

    /// The longest side, and what it is compared by: of equally long ones, the points decide, so
    /// that two neighbours agree.
    fn longest(&self, triangle: u32) -> (usize, (f64, [u32; 2])) {
        let corners = self.list[triangle as usize].corners;
        let measure = |i: usize| {
            let [a, b] = [corners[i], corners[(i + 1) % 3]];
            let [p, q] = [a, b].map(|corner| self.points[corner as usize]);
            (p.distance_squared(q), [a.min(b), a.max(b)])
        };
        let mut best = (0, measure(0));
        for i in 1..3 {
            let here = measure(i);
            if here > best.1 {
                best = (i, here);
            }
        }
        best
    }

    /// Divides a triangle at its longest side, and those that must be divided before.
    fn bisect(&mut self, triangle: u32) {
        // Each is divided at a longer side than the one before it, so the chain ends.
        let mut chain = vec![triangle];
        while let Some(&last) = chain.last() {
            let (side, _) = self.longest(last);
            let across = self.list[last as usize].beside[side];
            if across == NONE || self.is_longest_towards(across, last) {
                self.divide(last, side);
                chain.pop();
            } else {
                chain.push(across);
            }
        }
    }

    fn is_longest_towards(&self, triangle: u32, other: u32) -> bool {
        let (side, _) = self.longest(triangle);
        self.list[triangle as usize].beside[side] == other
    }

    fn divide(&mut self, first: u32, side: usize) {
        let triangle = self.list[first as usize];
        let ends = [triangle.corners[side], triangle.corners[(side + 1) % 3]];
        let [p, q] = ends.map(|end| self.points[end as usize]);
        let middle = self.add_point(p.midpoint(q));
        let across = triangle.beside[side];
        let other_side = (across != NONE)
            .then(|| self.side_towards(across, first))
            .flatten();
        let first_far = self.split_one(first, side, middle);
        let Some(other_side) = other_side else {
            return;
        };
        let across_far = self.split_one(across, other_side, middle);
        // `first` has (p, middle), `first_far` (middle, q); `across` has (q, middle).
        self.set_beside(first, middle, across_far);
        self.set_beside_from(first_far, middle, across);
        self.set_beside(across, middle, first_far);
        self.set_beside_from(across_far, middle, first);
    }

    /// Across the side that ends at a corner.
    fn set_beside(&mut self, triangle: u32, to: u32, beside: u32) {
        let triangle = &mut self.list[triangle as usize];
        if let Some(i) = (0..3).find(|i| triangle.corners[(i + 1) % 3] == to) {
            triangle.beside[i] = beside;
        }
    }

    /// Across the side that begins at a corner.
    fn set_beside_from(&mut self, triangle: u32, from: u32, beside: u32) {
        let triangle = &mut self.list[triangle as usize];
        if let Some(i) = (0..3).find(|i| triangle.corners[*i] == from) {
            triangle.beside[i] = beside;
        }
    }
}

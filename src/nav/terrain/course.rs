//! Costs of straight lines: a copy of the triangles in which each holds all that a line through it
//! needs.

use super::map::KindId;
use super::mesh::{BLOCKED, NONE, TerrainMesh, TriangleId};
use crate::geometry::lattice::PER_METRE;
use glam::DVec2;
use std::sync::OnceLock;

/// No triangle, as a number combined with a side.
const OUTSIDE: u32 = u32::MAX;

/// A triangle in one cache line: looking up its corners elsewhere takes longer than all
/// computations with them.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Passage {
    corners: [DVec2; 3],
    /// Across the side from corner `i` to the next: the number of the triangle, times 4, plus the
    /// side through which it is entered; [`OUTSIDE`] at the border of the level.
    beside: [u32; 3],
    kind: KindId,
}

/// All triangles, numbered as in [`TerrainMesh`].
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    passages: Vec<Passage>,
}

impl Course {
    fn new(mesh: &TerrainMesh) -> Self {
        let entry = |index: u32, from: u32| {
            let beside = mesh.triangles.get(index as usize)?.beside;
            let side = (0..3).find(|&side| beside[side as usize] == from)?;
            (index < OUTSIDE / 4).then_some(4 * index + side)
        };
        let passages = mesh
            .triangles
            .iter()
            .zip(0..)
            .map(|(triangle, index)| Passage {
                corners: mesh.corners(index),
                beside: triangle.beside.map(|beside| {
                    let beside = (beside != NONE).then(|| entry(beside, index));
                    beside.flatten().unwrap_or(OUTSIDE)
                }),
                kind: triangle.kind,
            });
        Self {
            passages: passages.collect(),
        }
    }
}

/// Built on first use. Derived from the triangles, so it does not affect equality.
#[derive(Debug, Default)]
pub(super) struct LazyCourse(OnceLock<Course>);

impl Clone for LazyCourse {
    /// A copy starts empty: the copied triangles may be changed.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for LazyCourse {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

/// A corner relative to a line: distance ahead of its start and to its left. Unit: lattice steps,
/// times the length of the line.
#[derive(Clone, Copy)]
struct Seen {
    ahead: f64,
    left: f64,
}

impl TerrainMesh {
    /// The cost of a straight line from a point in a triangle, ignoring walls. `weight` is the cost
    /// per metre of a kind and never below `least`. `None` as soon as the cost is certain to exceed
    /// the limit.
    ///
    /// Corners on the line to within rounding may count as on either side, which changes the cost
    /// by no more than that.
    pub fn cost_within(
        &self,
        start: TriangleId,
        [from, to]: [DVec2; 2],
        weight: impl Fn(Option<KindId>) -> f64,
        least: f64,
        limit: f64,
    ) -> Option<f64> {
        let length = from.distance(to);
        let (a, b) = (self.bounds.0.clamp(from * PER_METRE), to * PER_METRE);
        let line = b - a;
        let whole = line.length_squared();
        if !(length.is_finite() && whole.is_finite()) {
            return None;
        }
        let see = |corner: DVec2| Seen {
            ahead: line.dot(corner - a),
            left: line.perp_dot(corner - a),
        };
        let of_kind = |kind: KindId| weight(Some(kind).filter(|kind| *kind != BLOCKED));
        let within = |cost: f64| (cost <= limit).then_some(cost);
        let passages = &self.course.0.get_or_init(|| Course::new(self)).passages;
        let mut passage = &passages[start.0 as usize];
        let seen = passage.corners.map(see);
        let leaves_by = |i: usize| seen[i].left <= 0.0 && seen[(i + 1) % 3].left > 0.0;
        let mut side = match (0..3).find(|&i| leaves_by(i)) {
            Some(side) => side,
            // It only touches the triangle, or ends where it starts.
            None => match self.first_exit(start.0, a, b) {
                Some((here, exit)) => {
                    passage = &passages[here as usize];
                    exit.side
                }
                None => return within(of_kind(passage.kind) * length),
            },
        };
        let [mut right, mut left] = [side, (side + 1) % 3].map(|i| see(passage.corners[i]));
        // Costs and positions along the line are fractions of `whole` until the end.
        let metres = length / whole;
        let most = limit * (1.0 + 1e-12) / metres;
        let (mut kind, mut price) = (passage.kind, of_kind(passage.kind));
        let (mut sum, mut walked) = (0.0, 0.0);
        // By how much the limit would be exceeded at the least weight.
        let mut excess = least * whole - most;
        // A line enters each triangle at most once.
        for _ in 0..=passages.len() {
            // It leaves at `crossing / across`; the division is rarely needed.
            let across = left.left - right.left;
            let crossing = right.ahead * left.left - left.ahead * right.left;
            if crossing >= whole * across {
                break;
            }
            if excess * across + (price - least) * crossing > 0.0 {
                return None;
            }
            let next = passage.beside[side];
            let beyond = passages.get(next as usize / 4);
            if beyond.is_none_or(|beyond| beyond.kind != kind) {
                let at = (crossing / across).max(walked).min(whole);
                sum += price * (at - walked);
                walked = at;
                // Nothing is known outside the level.
                kind = beyond.map_or(BLOCKED, |beyond| beyond.kind);
                price = of_kind(kind);
                excess = sum - price * walked + least * whole - most;
            }
            let Some(beyond) = beyond else { break };
            // Its side runs the other way round: from the left end to the right one.
            let entry = (next % 4) as usize;
            let apex = if entry == 0 { 2 } else { entry - 1 };
            let corner = see(beyond.corners[apex]);
            if corner.left > 0.0 {
                (side, left) = (if entry == 2 { 0 } else { entry + 1 }, corner);
            } else {
                (side, right) = (apex, corner);
            }
            passage = beyond;
        }
        within((sum + price * (whole - walked)) * metres)
    }
}

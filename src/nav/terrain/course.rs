//! What straight ways cost: the triangles once more, each with all that a line through it needs.

use super::map::KindId;
use super::mesh::{BLOCKED, NONE, TerrainMesh, TriangleId};
use super::walk::side_of;
use crate::geometry::lattice::PER_METRE;
use glam::DVec2;
use std::sync::OnceLock;

/// No triangle, as a number with a side.
const OUTSIDE: u32 = u32::MAX;

/// A triangle in one piece of memory: looking up its corners elsewhere takes longer than all that
/// is computed from them.
#[derive(Clone, Copy, Debug)]
struct Passage {
    corners: [DVec2; 3],
    /// Across the side from corner `i` to the next one: the number of the triangle, times 4, and
    /// the side of it on which one comes in; [`OUTSIDE`] at the border of the level.
    beside: [u32; 3],
    kind: KindId,
}

/// All triangles, as [`TerrainMesh`] numbers them.
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

/// Made when first asked for. Follows from the triangles: whether somebody asked makes no
/// difference.
#[derive(Debug, Default)]
pub(super) struct LazyCourse(OnceLock<Course>);

impl Clone for LazyCourse {
    /// Whoever copies triangles may want to change them.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for LazyCourse {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl TerrainMesh {
    /// What a straight way costs through everything, where `weight` tells the cost per metre of a
    /// kind and is nowhere below `least`; `None` as soon as it is certain to be above the limit.
    /// Mostly only borders between kinds are measured.
    pub fn cost_within(
        &self,
        [from, to]: [DVec2; 2],
        hint: Option<TriangleId>,
        weight: impl Fn(Option<KindId>) -> f64,
        least: f64,
        limit: f64,
    ) -> Option<f64> {
        let length = from.distance(to);
        let within = |cost: f64| (cost <= limit).then_some(cost);
        let of_kind = |kind: KindId| weight(Some(kind).filter(|kind| *kind != BLOCKED));
        let (a, b) = (self.bounds.0.clamp(from * PER_METRE), to * PER_METRE);
        let Some(start) = self.locate(from, hint).filter(|_| to.is_finite()) else {
            return within(weight(None) * length);
        };
        let Some((here, exit)) = (a != b).then(|| self.first_exit(start.0, a, b)).flatten() else {
            return within(of_kind(self.triangle_kind(start)) * length);
        };
        let course = &self.course.0;
        let passages = &course.get_or_init(|| Course::new(self)).passages;
        let mut passage = &passages[here as usize];
        let mut side = exit.side;
        let [mut right, mut left] = [side, (side + 1) % 3].map(|i| passage.corners[i]);
        let (mut sum, mut walked) = (0.0, 0.0);
        let (mut kind, mut price) = (passage.kind, of_kind(passage.kind));
        // All the way on this kind would be too much: each triangle may be the last.
        let mut is_dear = price * length > limit;
        // A line enters each triangle once at most.
        for _ in 0..=passages.len() {
            let of_end = side_of(right, left, b);
            if of_end >= 0.0 {
                break;
            }
            let next = passage.beside[side];
            let beyond = passages.get(next as usize / 4);
            let is_border = beyond.is_none_or(|beyond| beyond.kind != kind);
            if is_border || is_dear {
                let of_start = side_of(right, left, a).max(0.0);
                let share = (of_start / (of_start - of_end)).clamp(walked, 1.0);
                let so_far = sum + price * length * (share - walked);
                if so_far + least * length * (1.0 - share) > limit * (1.0 + 1e-12) {
                    return None;
                }
                if is_border {
                    (sum, walked) = (so_far, share);
                }
            }
            let Some(beyond) = beyond else {
                // Outside the level nothing is known.
                return within(sum + weight(None) * length * (1.0 - walked));
            };
            if is_border {
                kind = beyond.kind;
                price = of_kind(kind);
                is_dear = sum + price * length * (1.0 - walked) > limit;
            }
            // Its side runs the other way: from the left end to the right one.
            let entry = (next % 4) as usize;
            let apex = if entry == 0 { 2 } else { entry - 1 };
            let corner = beyond.corners[apex];
            if side_of(a, b, corner) > 0.0 {
                (side, left) = (if entry == 2 { 0 } else { entry + 1 }, corner);
            } else {
                (side, right) = (apex, corner);
            }
            passage = beyond;
        }
        within(sum + price * length * (1.0 - walked))
    }
}

//! Point location in the trapezoids.

use super::{
    construction::{Fork, Test},
    segments::Plan,
};
use crate::geometry::predicates::{Side, side};
use glam::DVec2;

/// The query structure of the construction: an acyclic graph of comparisons with expected depth
/// O(log n).
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    nodes: Vec<Fork>,
    /// Heights of the vertices. Unit: metres.
    heights: Vec<f64>,
    /// Lower and upper end of each segment. Unit: metres.
    segments: Vec<[DVec2; 2]>,
}

/// How to break ties.
#[derive(Clone, Copy)]
struct Ties {
    goes_up: bool,
    goes_left: bool,
}

impl Query {
    pub(super) fn new(plan: &Plan, nodes: Vec<Fork>) -> Self {
        let point = |v: u32| plan.vertices[v as usize].point();
        Self {
            nodes,
            heights: plan.vertices.iter().map(|node| node.point().y).collect(),
            segments: plan
                .segments
                .iter()
                .map(|s| [point(s.bottom), point(s.top)])
                .collect(),
        }
    }

    /// The first answer of `accept` for a trapezoid that contains `p`. On a border there are
    /// several: those above, below, left and right are tried in turn, so that borders belong to the
    /// free space.
    pub(in crate::nav) fn find(
        &self,
        p: DVec2,
        accept: impl Fn(u32) -> Option<u32>,
    ) -> Option<u32> {
        if !p.is_finite() {
            return None;
        }
        for goes_up in [true, false] {
            for goes_left in [true, false] {
                let (trapezoid, was_tied) = self.descend(p, Ties { goes_up, goes_left })?;
                let answer = accept(trapezoid);
                if answer.is_some() || !was_tied {
                    return answer;
                }
            }
        }
        None
    }

    /// The trapezoid, and whether any comparison was a tie.
    fn descend(&self, p: DVec2, ties: Ties) -> Option<(u32, bool)> {
        let mut was_tied = false;
        let mut at = self.nodes.first()?;
        loop {
            let goes_first = match at.test {
                Test::Vertex(vertex) => {
                    let height = self.heights[vertex as usize];
                    was_tied |= p.y == height;
                    p.y > height || (p.y == height && ties.goes_up)
                }
                Test::Segment(segment) => {
                    let [bottom, top] = self.segments[segment as usize];
                    match side(bottom, top, p) {
                        Side::Left => true,
                        Side::Right => false,
                        Side::On => {
                            was_tied = true;
                            ties.goes_left
                        }
                    }
                }
                Test::Leaf(trapezoid) => return Some((trapezoid, was_tied)),
            };
            let next = if goes_first { at.first } else { at.second };
            at = &self.nodes[next as usize];
        }
    }
}

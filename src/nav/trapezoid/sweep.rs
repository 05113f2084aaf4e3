//! Finds the trapezoids by a sweep from bottom to top.
//!
//! The trapezoids depend on the segments alone, not on the order of processing. A sweep finds them
//! several times faster than Seidel's construction but builds no query structure: the right choice
//! during a drag, when the next state follows at once.

use super::{
    construction::NONE,
    inner::Inner,
    segments::{Plan, Segment, orientation},
};
use crate::jobs::{Cancelled, JobContext};

/// Vertices between checks for cancellation.
const CHECKPOINT_EVERY: usize = 4096;

/// The segments that cross the sweep line, and the trapezoids between them.
///
/// A sorted list moves half of itself at each local minimum and maximum of the outlines; at the
/// size of a level, copying those bytes is faster than any tree.
struct Sweep<'a> {
    plan: &'a Plan,
    /// From left to right.
    crossed: Vec<u32>,
    /// For each segment the open trapezoid to its right.
    open: Vec<u32>,
    found: Vec<Inner>,
}

/// In the order of [`Inner::key`].
pub(super) fn trapezoids(plan: &Plan, ctx: &JobContext) -> Result<Vec<Inner>, Cancelled> {
    let mut sweep = Sweep {
        plan,
        crossed: Vec::new(),
        open: vec![NONE; plan.segments.len()],
        found: Vec::with_capacity(plan.segments.len() + plan.segments.len() / 8),
    };
    let mut rising = plan.by_bottom.iter().copied().peekable();
    let mut here = Vec::new();
    for vertex in 0..plan.vertices.len() as u32 {
        if (vertex as usize).is_multiple_of(CHECKPOINT_EVERY) {
            ctx.checkpoint()?;
        }
        here.clear();
        let starts_here = |s: &u32| plan.segments[*s as usize].bottom == vertex;
        while let Some(segment) = rising.next_if(starts_here) {
            here.push(segment);
        }
        sweep.pass(vertex, &mut here);
    }
    Ok(sweep.found)
}

impl Sweep<'_> {
    fn segment(&self, segment: u32) -> Segment {
        self.plan.segments[segment as usize]
    }

    /// Replaces the segments that end at the vertex by those that start there.
    fn pass(&mut self, vertex: u32, rising: &mut [u32]) {
        let Plan { vertices, ends, .. } = self.plan;
        let p = vertices[vertex as usize];
        let leftness = |segment: u32, p| {
            let [bottom, top] = ends[segment as usize];
            orientation(bottom, top, p)
        };
        let first = self.crossed.partition_point(|s| leftness(*s, p) < 0);
        let ending = self.crossed[first..]
            .iter()
            .take_while(|s| self.segment(**s).top == vertex)
            .count();
        // With a common lower end, the upper ones decide.
        rising.sort_unstable_by(|&a, &b| leftness(a, ends[b as usize][1]).cmp(&0));
        for at in first.saturating_sub(1)..first + ending {
            self.close(self.crossed[at], vertex);
        }
        if ending == rising.len() {
            self.crossed[first..first + ending].copy_from_slice(rising);
        } else {
            self.crossed
                .splice(first..first + ending, rising.iter().copied());
        }
        let begun = self.found.len();
        let right_end = first + rising.len();
        for at in first.saturating_sub(1)..right_end {
            self.begin(at, vertex);
        }
        self.found[begun..].sort_unstable_by_key(Inner::key);
        for (index, trapezoid) in (begun as u32..).zip(&self.found[begun..]) {
            self.open[trapezoid.left as usize] = index;
        }
    }

    fn close(&mut self, left: u32, vertex: u32) {
        let open = std::mem::replace(&mut self.open[left as usize], NONE);
        if let Some(trapezoid) = self.found.get_mut(open as usize) {
            trapezoid.top = vertex;
        }
    }

    /// Opens a trapezoid to the right of the segment at an index of the list.
    fn begin(&mut self, at: usize, vertex: u32) {
        let left = self.crossed[at];
        if let (true, Some(&right)) = (self.segment(left).is_left_border, self.crossed.get(at + 1))
        {
            self.found.push(Inner {
                left,
                right,
                bottom: vertex,
                top: NONE,
            });
        }
    }
}

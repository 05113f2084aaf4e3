//! Where a body gets stuck: among all paths to a goal that include impossible steps, the one whose
//! worst step is closest to being possible.
//!
//! Stairs that are too steep are many steps, each slightly too high: only the path over all of them
//! shows that the rise is to blame, not the floor above.
//!
//! This is asked about a search that found nothing, and must not be dearer than that was: cells that
//! are looked at are counted, and there are no more of them than the search looked at.

use super::reach::{Borders, Reach};
use super::surface::SurfaceId;
use super::why_not::{Explainer, Met, Obstacle, WhyNot};
use crate::jobs::{Cancelled, JobContext};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

/// Cells that are looked through at most, however many the search has expanded.
const MOST_CELLS: usize = 50_000;

/// A search of fewer cells is still worth looking at so many: some milliseconds.
const LEAST_CELLS: usize = 5_000;

/// Cells between two looks at whether the job was cancelled.
const CANCEL_INTERVAL: usize = 1_000;

/// How far beyond a body's reach standable cells are considered. Unit: cells.
const LOOK: i32 = 4;

/// By how much the steps to the goal are impossible, as measured by [`Explainer::between`].
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lack {
    worst: f64,
    whole: f64,
}

impl Lack {
    const NONE: Self = Self {
        worst: 0.0,
        whole: 0.0,
    };

    const fn and(self, excess: f64) -> Self {
        Self {
            worst: self.worst.max(excess),
            whole: self.whole + excess,
        }
    }

    fn is_less_than(self, other: Self) -> bool {
        let by_worst = self.worst.total_cmp(&other.worst);
        by_worst.then(self.whole.total_cmp(&other.whole)) == Ordering::Less
    }
}

/// An open cell; the greatest is expanded first.
#[derive(Clone, Copy, Debug)]
struct Open {
    lack: Lack,
    cell: SurfaceId,
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_worst = other.lack.worst.total_cmp(&self.lack.worst);
        by_worst
            .then(other.lack.whole.total_cmp(&self.lack.whole))
            .then(other.cell.cmp(&self.cell))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

/// The continuation from a cell.
#[derive(Clone, Copy, Debug)]
struct Link {
    lack: Lack,
    /// The next cell towards the goal; `None` at the goal.
    next: Option<SurfaceId>,
    /// What blocks that step and by how much, if it is impossible.
    trouble: Option<(f64, Met)>,
    is_settled: bool,
}

/// Why there is nothing to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unexplained {
    /// No steps lead there, however large.
    NotConnected,
    /// What is in the way is farther from the goal than is looked for.
    TooFar,
}

impl Explainer<'_> {
    /// Why a cell cannot be reached from those that a search of so many expansions has reached.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn reaching(
        &self,
        goal: SurfaceId,
        is_reached: impl Fn(SurfaceId) -> bool,
        expanded: usize,
        ctx: &JobContext,
    ) -> Result<Result<WhyNot, Unexplained>, Cancelled> {
        if is_reached(goal) {
            return Ok(Err(Unexplained::NotConnected));
        }
        if let Some(why) = self.standing(goal) {
            return Ok(Ok(why));
        }
        // What one expansion looks at is what a body can step to.
        let moves = self.footing.body.strides.len().max(1);
        let mut left = expanded.clamp(LEAST_CELLS, MOST_CELLS) * moves;
        let surfaces = &self.voxels.surfaces;
        let reach = Reach::new(surfaces, self.footing, Borders::Ignore);
        let first = Link {
            lack: Lack::NONE,
            next: None,
            trouble: None,
            is_settled: false,
        };
        let mut links = HashMap::from([(goal, first)]);
        let mut open = BinaryHeap::from([Open {
            lack: Lack::NONE,
            cell: goal,
        }]);
        let mut settled = 0;
        // The best path known so far, in case the search is cut short.
        let mut known: Option<(Lack, SurfaceId)> = None;
        while let Some(Open { lack, cell: id }) = open.pop() {
            let Some(link) = links.get_mut(&id).filter(|link| !link.is_settled) else {
                continue;
            };
            link.is_settled = true;
            if is_reached(id) {
                return Ok(Ok(self.worst_of(id, &links)));
            }
            if settled % CANCEL_INTERVAL == 0 {
                ctx.checkpoint()?;
            }
            settled += 1;
            if left == 0 {
                let known = known.map(|(_, from)| self.worst_of(from, &links));
                return Ok(known.ok_or(Unexplained::TooFar));
            }
            left = left.saturating_sub(moves);
            let mut offer = |cell: SurfaceId, lack: Lack, trouble: Option<(f64, Met)>| {
                let is_known = links
                    .get(&cell)
                    .is_some_and(|known| !lack.is_less_than(known.lack));
                if !is_known {
                    let link = Link {
                        lack,
                        next: Some(id),
                        trouble,
                        is_settled: false,
                    };
                    links.insert(cell, link);
                    if is_reached(cell) && known.is_none_or(|(best, _)| lack.is_less_than(best)) {
                        known = Some((lack, cell));
                    }
                    open.push(Open { lack, cell });
                }
            };
            reach.moves_into(id, |step| offer(step.cell, lack, None));
            // Nothing ends on level ground.
            let Some(cell) = surfaces.get(id).filter(|_| !self.footing.is_flat(id)) else {
                continue;
            };
            let span = self.footing.body.reach + LOOK;
            left = left.saturating_sub(((2 * span + 1) * (2 * span + 1)) as usize);
            for dy in -span..=span {
                for dx in -span..=span {
                    let column = surfaces.column(i32::from(cell.x) + dx, i32::from(cell.y) + dy);
                    for other in column.map(SurfaceId) {
                        if other == id || !self.footing.is_standable(other) {
                            continue;
                        }
                        let there = &surfaces.cells()[other.index()];
                        let (excess, met) = self.between(there, cell);
                        let met = met.unwrap_or(Met::BORDER);
                        offer(other, lack.and(excess), Some((excess, met)));
                    }
                }
            }
        }
        let known = known.map(|(_, from)| self.worst_of(from, &links));
        Ok(known.ok_or(Unexplained::NotConnected))
    }

    /// The worst step of a path; among equals the first.
    fn worst_of(&self, from: SurfaceId, links: &HashMap<SurfaceId, Link>) -> WhyNot {
        let surfaces = &self.voxels.surfaces;
        let mut at = from;
        let mut worst: Option<(f64, Met, [SurfaceId; 2])> = None;
        while let Some((link, next)) = links.get(&at).and_then(|link| Some((link, link.next?))) {
            if let Some((excess, met)) = link.trouble
                && worst.is_none_or(|(known, ..)| excess > known)
            {
                worst = Some((excess, met, [at, next]));
            }
            at = next;
        }
        let worst = worst.map(|(_, met, step)| (met.named(self), step));
        match worst {
            Some((obstacle, [from, to])) if obstacle != Obstacle::Border => WhyNot {
                obstacle,
                at: surfaces.point(to),
                from: Some(surfaces.point(from)),
            },
            // Every step is possible, but too close to walls.
            _ => WhyNot {
                obstacle: Obstacle::Border,
                at: surfaces.point(at),
                from: None,
            },
        }
    }
}

//! The navigation front: a bushfire that numbers every cell by its distance (§4.1, §7.1).

use super::cell_path::{CellPath, Cost, trace_back};
use super::goals::Goals;
use super::traversable_cells::TraversableCells;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::voxel::SurfaceId;
use crate::planner::session::CANCEL_INTERVAL;

const UNSEEN: u32 = u32::MAX;

/// Levels of all cells that a body reaches, in the order in which it reaches them.
#[derive(Clone, Debug, PartialEq)]
pub struct Front {
    /// By cell; `u32::MAX` where the front has not arrived.
    levels: Vec<u32>,
    /// By cell: the lowest penalty of all paths of that length.
    penalties: Vec<u32>,
    /// Cells by level, nearest first.
    order: Vec<SurfaceId>,
    /// Level `i` has the cells `starts[i]` up to `starts[i + 1]` of `order`.
    starts: Vec<u32>,
    /// The goal reached first.
    reached: Option<SurfaceId>,
}

/// When the front stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until<'a> {
    /// All reachable cells have burnt.
    Burnt,
    /// The first goal is reached.
    First(&'a Goals),
    /// Every goal is reached, or all reachable cells have burnt.
    All(&'a Goals),
}

impl Front {
    /// Spreads from the starts, which are level 0 even where they are blocked.
    ///
    /// # Errors
    /// The job was cancelled; that takes effect within [`CANCEL_INTERVAL`] cells.
    pub fn spread(
        traversable: &TraversableCells<'_>,
        starts: &[SurfaceId],
        until: Until<'_>,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let mut front = Self {
            levels: vec![UNSEEN; traversable.surfaces().len()],
            penalties: vec![0; traversable.surfaces().len()],
            order: Vec::new(),
            starts: vec![0],
            reached: None,
        };
        let body = traversable.reach.body();
        let longest = body.strides.iter().map(|stride| stride.cost).max();
        // Moves span several cells: one bucket for each level that may still get cells.
        let mut buckets: Vec<Vec<SurfaceId>> = vec![Vec::new(); longest.unwrap_or(1) as usize + 1];
        let mut waiting = 0;
        for start in starts {
            if let Some(level) = front.levels.get_mut(start.index()) {
                if *level == UNSEEN {
                    waiting += 1;
                    buckets[0].push(*start);
                }
                *level = 0;
            }
        }
        let mut left = match until {
            Until::Burnt => usize::MAX,
            Until::First(goals) => goals.cells().len().min(1),
            Until::All(goals) => goals.cells().len(),
        };
        let mut level = 0_u32;
        while waiting > 0 && left > 0 {
            let slot = level as usize % buckets.len();
            let burning = std::mem::take(&mut buckets[slot]);
            waiting -= burning.len();
            for cell in &burning {
                // A shorter path may have reached it since.
                if front.levels[cell.index()] != level {
                    continue;
                }
                if front.order.len().is_multiple_of(CANCEL_INTERVAL) {
                    ctx.checkpoint()?;
                }
                front.order.push(*cell);
                if let Until::First(goals) | Until::All(goals) = until
                    && goals.contains(*cell)
                {
                    front.reached = front.reached.or(Some(*cell));
                    left = left.saturating_sub(1);
                }
                let here = Cost {
                    length: level,
                    penalty: front.penalties[cell.index()],
                };
                traversable.moves_from(*cell, |found| {
                    let next = here.after(body, &found, found.cost);
                    let index = found.cell.index();
                    if next.length < front.levels[index] {
                        front.levels[index] = next.length;
                        front.penalties[index] = next.penalty;
                        let slot = next.length as usize % buckets.len();
                        buckets[slot].push(found.cell);
                        waiting += 1;
                    } else if next.length == front.levels[index] {
                        // It burns later than this cell, so what it passes on is settled by then.
                        let known = &mut front.penalties[index];
                        *known = next.penalty.min(*known);
                    }
                });
            }
            front.starts.push(front.order.len() as u32);
            level += 1;
        }
        // Cells seen beyond the last level but not burnt have no level yet.
        if waiting > 0 {
            for id in buckets.into_iter().flatten() {
                if front.levels[id.index()] >= level {
                    front.levels[id.index()] = UNSEEN;
                }
            }
        }
        Ok(front)
    }

    #[must_use]
    pub fn level(&self, id: SurfaceId) -> Option<u32> {
        self.levels
            .get(id.index())
            .copied()
            .filter(|level| *level != UNSEEN)
    }

    /// Number of levels.
    #[must_use]
    pub const fn level_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Cells of one level: what an animation adds in one step.
    #[must_use]
    pub fn cells_at(&self, level: usize) -> &[SurfaceId] {
        match (self.starts.get(level), self.starts.get(level + 1)) {
            (Some(start), Some(end)) => &self.order[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// All cells reached, nearest first.
    #[must_use]
    pub fn cells(&self) -> &[SurfaceId] {
        &self.order
    }

    /// The nearest goal.
    #[must_use]
    pub const fn reached(&self) -> Option<SurfaceId> {
        self.reached
    }

    /// The path to a cell that the front has reached.
    #[must_use]
    pub fn path_to(&self, traversable: &TraversableCells<'_>, goal: SurfaceId) -> Option<CellPath> {
        let cost = |id: SurfaceId| {
            Some(Cost {
                length: self.level(id)?,
                penalty: self.penalties[id.index()],
            })
        };
        trace_back(traversable, goal, |step| step.cost, cost)
    }
}

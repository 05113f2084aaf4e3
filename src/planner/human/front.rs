//! The navigation front: a bushfire that numbers every cell by how far it is (§4.1, §7.1).

use super::cell_path::{CellPath, Cost, trace_back};
use super::goals::Goals;
use super::ways::Ways;
use crate::nav::voxel::SurfaceId;

const UNSEEN: u32 = u32::MAX;

/// Levels of all cells that a body gets to, in the order in which it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Front {
    /// By cell; `u32::MAX` where the front has not come.
    levels: Vec<u32>,
    /// By cell: of all ways of that length, how well the best is liked.
    penalties: Vec<u32>,
    /// By level, the nearest first.
    order: Vec<SurfaceId>,
    /// Level `i` has the cells `starts[i]` up to `starts[i + 1]` of `order`.
    starts: Vec<u32>,
    /// The goal that was come to first.
    reached: Option<SurfaceId>,
}

/// When the front stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until<'a> {
    /// Nothing is left.
    Burnt,
    /// A goal is reached.
    First(&'a Goals),
    /// Every goal is reached, or nothing is left.
    All(&'a Goals),
}

impl Front {
    /// Spreads from the starts, which are level 0 whether they may be entered or not.
    #[must_use]
    pub fn spread(ways: &Ways<'_>, starts: &[SurfaceId], until: Until<'_>) -> Self {
        let mut front = Self {
            levels: vec![UNSEEN; ways.surfaces().len()],
            penalties: vec![0; ways.surfaces().len()],
            order: Vec::new(),
            starts: vec![0],
            reached: None,
        };
        let body = ways.reach.body();
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
                // It may have been come to on a shorter way since.
                if front.levels[cell.index()] != level {
                    continue;
                }
                front.order.push(*cell);
                if let Until::First(goals) | Until::All(goals) = until
                    && goals.contains(*cell)
                {
                    front.reached = front.reached.or(Some(*cell));
                    left = left.saturating_sub(1);
                }
                let here = Cost {
                    cells: level,
                    penalty: front.penalties[cell.index()],
                };
                ways.moves_from(*cell, |found| {
                    let next = here.after(body, &found);
                    let index = found.cell.index();
                    if next.cells < front.levels[index] {
                        front.levels[index] = next.cells;
                        front.penalties[index] = next.penalty;
                        let slot = next.cells as usize % buckets.len();
                        buckets[slot].push(found.cell);
                        waiting += 1;
                    } else if next.cells == front.levels[index] {
                        // It burns later than this one: what it hands on is settled by then.
                        let known = &mut front.penalties[index];
                        *known = next.penalty.min(*known);
                    }
                });
            }
            front.starts.push(front.order.len() as u32);
            level += 1;
        }
        // What was seen from the last level on but not burnt has no level yet.
        if waiting > 0 {
            for id in buckets.into_iter().flatten() {
                if front.levels[id.index()] >= level {
                    front.levels[id.index()] = UNSEEN;
                }
            }
        }
        front
    }

    #[must_use]
    pub fn level(&self, id: SurfaceId) -> Option<u32> {
        self.levels
            .get(id.index())
            .copied()
            .filter(|level| *level != UNSEEN)
    }

    /// How many levels there are.
    #[must_use]
    pub const fn level_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The cells of one level: what an animation adds in one step.
    #[must_use]
    pub fn cells_at(&self, level: usize) -> &[SurfaceId] {
        match (self.starts.get(level), self.starts.get(level + 1)) {
            (Some(start), Some(end)) => &self.order[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// All cells that were come to, the nearest first.
    #[must_use]
    pub fn cells(&self) -> &[SurfaceId] {
        &self.order
    }

    /// The nearest goal.
    #[must_use]
    pub const fn reached(&self) -> Option<SurfaceId> {
        self.reached
    }

    /// The way to a cell that the front has come to.
    #[must_use]
    pub fn path_to(&self, ways: &Ways<'_>, goal: SurfaceId) -> Option<CellPath> {
        trace_back(ways, goal, |id| {
            Some(Cost {
                cells: self.level(id)?,
                penalty: self.penalties[id.index()],
            })
        })
    }
}

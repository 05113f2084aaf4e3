//! The part of a map that matters to one query.

use crate::nav::{Blocks, CellId};

/// The [blocks](Blocks) between start and goal; keeps its memory from query to query.
#[derive(Clone, Debug, Default)]
pub struct ActiveBlocks {
    /// For each block the last query that it mattered to.
    marks: Vec<u32>,
    query: u32,
}

impl ActiveBlocks {
    /// Finds the blocks between the cells of a start and those of a goal.
    pub fn find(&mut self, blocks: &Blocks, starts: &[CellId], goals: &[CellId]) {
        self.query = self.query.wrapping_add(1);
        if self.query == 0 || self.marks.len() != blocks.count() {
            self.marks.clear();
            self.marks.resize(blocks.count(), 0);
            self.query = 1;
        }
        let (Some(&start), Some(&goal)) = (starts.first(), goals.first()) else {
            return;
        };
        let (marks, query) = (&mut self.marks, self.query);
        let mut mark = |a, b| blocks.between(a, b, |block| marks[block as usize] = query);
        mark(start, goal);
        // In a tree the way from any cell to any other is part of these.
        starts.iter().for_each(|other| mark(start, *other));
        goals.iter().for_each(|other| mark(goal, *other));
    }

    /// Whether a shortest path can lead through a block.
    #[inline]
    #[must_use]
    pub fn contains(&self, block: u32) -> bool {
        self.marks[block as usize] == self.query
    }
}

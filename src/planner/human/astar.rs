//! A* with the distance metric of the neighbourhood (§5.4), step by step.

use super::cell_path::{CellPath, Cost, trace_back};
use super::goals::Goals;
use super::traversable_cells::TraversableCells;
use crate::nav::voxel::{SurfaceCells, SurfaceId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The state of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Running,
    Found(SurfaceId),
    Exhausted,
}

#[derive(Clone, Copy, Debug, Default)]
struct Label {
    /// The run that wrote it, so that labels of earlier runs need not be cleared.
    run: u32,
    cost: Cost,
    is_closed: bool,
}

/// An open-list entry packed into one number: estimated total cost, penalty, then ties by longest
/// path so far, smallest distance from the straight line, smallest cell.
type Key = u128;

/// Bits of each of the four figures before the cell.
const BITS: u32 = 24;
const LARGEST: u32 = (1 << BITS) - 1;

fn key(estimate: u32, cost: Cost, off_line: u32, cell: SurfaceId) -> Key {
    let figures = [
        estimate.min(LARGEST),
        cost.penalty.min(LARGEST),
        LARGEST - cost.length.min(LARGEST),
        off_line.min(LARGEST),
    ];
    let packed = figures
        .into_iter()
        .fold(0, |packed: Key, figure| packed << BITS | Key::from(figure));
    packed << 32 | Key::from(cell.0)
}

/// Search memory, reused between searches.
#[derive(Clone, Debug, Default)]
pub struct Astar {
    labels: Vec<Label>,
    run: u32,
    open: BinaryHeap<Reverse<Key>>,
    expanded: Vec<SurfaceId>,
    /// Ends of the straight line.
    line: [[i32; 2]; 2],
}

impl Astar {
    pub fn begin(&mut self, traversable: &TraversableCells<'_>, start: SurfaceId, goals: &Goals) {
        self.run = self.run.wrapping_add(1);
        if self.run == 0 || self.labels.len() != traversable.surfaces().len() {
            self.run = 1;
            self.labels.clear();
            self.labels
                .resize(traversable.surfaces().len(), Label::default());
        }
        self.open.clear();
        self.expanded.clear();
        if let Some(cell) = traversable.surfaces().get(start)
            && !goals.is_empty()
        {
            self.line = [[i32::from(cell.x), i32::from(cell.y)], goals.middle()];
            self.labels[start.index()] = Label {
                run: self.run,
                ..Label::default()
            };
            let ahead = goals.distance(&traversable.reach.body().conduct, cell.x, cell.y);
            let key = key(ahead, Cost::default(), 0, start);
            self.open.push(Reverse(key));
        }
    }

    /// Expands up to `budget` cells.
    pub fn run(
        &mut self,
        traversable: &TraversableCells<'_>,
        goals: &Goals,
        budget: usize,
    ) -> Outcome {
        let surfaces: &SurfaceCells = traversable.surfaces();
        let body = traversable.reach.body();
        let Self {
            labels,
            run,
            open,
            expanded,
            line,
        } = self;
        let run = *run;
        for _ in 0..budget {
            let (cell, cost) = loop {
                let Some(Reverse(key)) = open.pop() else {
                    return Outcome::Exhausted;
                };
                let cell = SurfaceId(key as u32);
                let label = &mut labels[cell.index()];
                // The estimate is consistent: the first pop of a cell has its lowest cost.
                if !std::mem::replace(&mut label.is_closed, true) {
                    break (cell, label.cost);
                }
            };
            if goals.contains(cell) {
                return Outcome::Found(cell);
            }
            expanded.push(cell);
            traversable.moves_from(cell, |found| {
                let next = cost.after(body, &found, found.length);
                let label = &mut labels[found.cell.index()];
                if label.run == run && label.cost <= next {
                    return;
                }
                *label = Label {
                    run,
                    cost: next,
                    is_closed: false,
                };
                let there = &surfaces.cells()[found.cell.index()];
                let ahead = goals.distance(&body.conduct, there.x, there.y);
                let off_line = distance_to(*line, [i32::from(there.x), i32::from(there.y)]);
                open.push(Reverse(key(
                    next.length.saturating_add(ahead),
                    next,
                    off_line,
                    found.cell,
                )));
            });
        }
        Outcome::Running
    }

    /// Lowest cost to a cell found so far.
    #[must_use]
    pub fn cost(&self, id: SurfaceId) -> Option<Cost> {
        self.labels
            .get(id.index())
            .filter(|label| label.run == self.run)
            .map(|label| label.cost)
    }

    /// Expanded cells, in order.
    #[must_use]
    pub fn expanded(&self) -> &[SurfaceId] {
        &self.expanded
    }

    #[must_use]
    pub fn path_to(&self, traversable: &TraversableCells<'_>, goal: SurfaceId) -> Option<CellPath> {
        trace_back(traversable, goal, |step| step.length, |id| self.cost(id))
    }

    /// Runs the whole search at once.
    pub fn plan(
        &mut self,
        traversable: &TraversableCells<'_>,
        start: SurfaceId,
        goals: &Goals,
    ) -> Option<CellPath> {
        self.begin(traversable, start, goals);
        match self.run(traversable, goals, usize::MAX) {
            Outcome::Found(goal) => self.path_to(traversable, goal),
            Outcome::Running | Outcome::Exhausted => None,
        }
    }
}

/// Distance of a column from a line. Unit: 16ths of a cell.
fn distance_to([from, to]: [[i32; 2]; 2], at: [i32; 2]) -> u32 {
    let [ux, uy] = [to[0] - from[0], to[1] - from[1]];
    let [vx, vy] = [at[0] - from[0], at[1] - from[1]];
    let across = (i64::from(ux) * i64::from(vy) - i64::from(uy) * i64::from(vx)).unsigned_abs();
    let along = u64::from(ux.unsigned_abs().max(uy.unsigned_abs()).max(1));
    (16 * across / along).min(u64::from(LARGEST)) as u32
}

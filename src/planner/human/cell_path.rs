//! A path from cell to cell, and how it is traced back from a search's costs.

use super::traversable_cells::TraversableCells;
use crate::document::Action;
use crate::nav::voxel::{BodyCells, Move, SurfaceCells, SurfaceId};
use glam::DVec3;

/// A sequence of cells, each immediately reachable from the previous one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellPath {
    pub cells: Vec<SurfaceId>,
    /// The action that leads to each cell; the first is standing.
    pub actions: Vec<Action>,
    /// Indices into `cells`. Between two successive junctions the path is almost straight.
    pub junctions: Vec<usize>,
    /// In the metric of the search.
    pub cost: u32,
}

impl CellPath {
    /// Uses the path's corners as junctions.
    #[must_use]
    pub fn new(
        surfaces: &SurfaceCells,
        cells: Vec<SurfaceId>,
        actions: Vec<Action>,
        cost: u32,
    ) -> Self {
        let junctions = corners(surfaces, &cells);
        Self {
            cells,
            actions,
            junctions,
            cost,
        }
    }

    /// The path as points on the ground: in plan on the straight line between junctions, at the
    /// height of the cells.
    #[must_use]
    pub fn points(&self, surfaces: &SurfaceCells) -> Vec<DVec3> {
        let mut points: Vec<DVec3> = self.cells.iter().map(|id| surfaces.point(*id)).collect();
        for pair in self.junctions.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let (a, b) = (points[from], points[to]);
            let count = (to - from) as f64;
            for (index, point) in points.iter_mut().enumerate().take(to).skip(from + 1) {
                let share = (index - from) as f64 / count;
                *point = a.truncate().lerp(b.truncate(), share).extend(point.z);
            }
        }
        points
    }
}

/// Both ends and every cell where the direction changes.
#[must_use]
pub fn corners(surfaces: &SurfaceCells, cells: &[SurfaceId]) -> Vec<usize> {
    let place = |index: usize| {
        surfaces
            .get(cells[index])
            .map_or([0, 0], |cell| [i32::from(cell.x), i32::from(cell.y)])
    };
    let direction = |index: usize| {
        let (a, b) = (place(index), place(index + 1));
        [b[0] - a[0], b[1] - a[1]]
    };
    let last = cells.len().saturating_sub(1);
    (0..cells.len())
        .filter(|index| *index == 0 || *index == last || direction(index - 1) != direction(*index))
        .collect()
}

/// Cost of a path: its length, then the least preferred actions (§8.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// In cells, or in the metric of the search.
    pub length: u32,
    pub penalty: u32,
}

/// By rank: one action outweighs five of the next better one.
const PENALTIES: [u32; 5] = [0, 1, 6, 36, 216];

/// Penalty of an action over some cells: a long stride is as much of it as several short ones.
#[must_use]
pub fn penalty(body: &BodyCells, action: Action, cells: u32) -> u32 {
    let rank = usize::from(body.rank(action));
    let each = PENALTIES.get(rank).copied().unwrap_or(PENALTIES[4]);
    each.saturating_mul(cells)
}

impl Cost {
    #[must_use]
    pub fn after(self, body: &BodyCells, step: &Move, length: u32) -> Self {
        let penalty = penalty(body, step.action, step.cost);
        Self {
            length: self.length.saturating_add(length),
            penalty: self.penalty.saturating_add(penalty),
        }
    }
}

/// Traces back from goal to start: each move lowers the cost by its own cost. Ties go to orthogonal
/// moves (§5.5), then to the shortest.
pub fn trace_back(
    traversable: &TraversableCells<'_>,
    goal: SurfaceId,
    length: impl Fn(&Move) -> u32,
    cost: impl Fn(SurfaceId) -> Option<Cost>,
) -> Option<CellPath> {
    let total = cost(goal)?;
    let body = traversable.reach.body();
    let (mut cells, mut actions) = (vec![goal], Vec::new());
    let (mut at, mut left) = (goal, total);
    while left.length > 0 {
        let mut best: Option<((bool, u32), Move, Cost)> = None;
        // The start may be a blocked cell, so moves from all cells are considered, not only from
        // open ones.
        traversable.reach.moves_into(at, |found| {
            let Some(before) = cost(found.cell) else {
                return;
            };
            let key = (found.is_diagonal, found.cost);
            let next = before.after(body, &found, length(&found));
            if next == left && best.is_none_or(|(known, ..)| key < known) {
                best = Some((key, found, before));
            }
        });
        let (_, step, before) = best?;
        actions.push(step.action);
        cells.push(step.cell);
        (at, left) = (step.cell, before);
    }
    actions.push(Action::Walk);
    cells.reverse();
    actions.reverse();
    Some(CellPath::new(
        traversable.surfaces(),
        cells,
        actions,
        total.length,
    ))
}

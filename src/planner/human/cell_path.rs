//! A way from cell to cell, and how it is read off a search's costs.

use super::ways::Ways;
use crate::document::Action;
use crate::nav::voxel::{BodyCells, Move, SurfaceCells, SurfaceId};
use glam::DVec3;

/// From cell to cell, each immediately reachable from the one before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellPath {
    pub cells: Vec<SurfaceId>,
    /// What is done to get to each cell; the first is only stood on.
    pub actions: Vec<Action>,
    /// Between one of these and the next the way is as good as straight; indices into `cells`.
    pub junctions: Vec<usize>,
    /// In the metric of the search. Unit: cells.
    pub cost: u32,
}

impl CellPath {
    /// With the corners of the way as its junctions.
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

    /// The way as points on the ground: on the straight line between junctions, as high as the
    /// cells are.
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

/// Both ends and every cell at which the direction changes.
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

/// What a way costs: first of all the cells that it spans; of equal ones the actions that are liked
/// least decide (§8.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    pub cells: u32,
    pub penalty: u32,
}

/// By rank: one action counts for more than five of the next better one.
const PENALTIES: [u32; 5] = [0, 1, 6, 36, 216];

/// What doing something takes from how well a way is liked.
#[must_use]
pub fn penalty(body: &BodyCells, action: Action) -> u32 {
    let rank = usize::from(body.rank(action));
    PENALTIES.get(rank).copied().unwrap_or(PENALTIES[4])
}

impl Cost {
    #[must_use]
    pub fn after(self, body: &BodyCells, step: &Move) -> Self {
        Self {
            cells: self.cells.saturating_add(step.cost),
            penalty: self.penalty.saturating_add(penalty(body, step.action)),
        }
    }
}

/// From the goal to the start along costs that fall by what each move costs. Of several such
/// moves an orthogonal one (§5.5), then the shortest.
pub fn trace_back(
    ways: &Ways<'_>,
    goal: SurfaceId,
    cost: impl Fn(SurfaceId) -> Option<Cost>,
) -> Option<CellPath> {
    let total = cost(goal)?;
    let body = ways.reach.body();
    let (mut cells, mut actions) = (vec![goal], Vec::new());
    let (mut at, mut left) = (goal, total);
    while left.cells > 0 {
        let mut best: Option<((bool, u32), Move, Cost)> = None;
        // The start may be a cell that nobody may enter: not only open ones are asked.
        ways.reach.moves_into(at, |found| {
            let Some(before) = cost(found.cell) else {
                return;
            };
            let key = (found.is_diagonal, found.cost);
            if before.after(body, &found) == left && best.is_none_or(|(known, ..)| key < known) {
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
    Some(CellPath::new(ways.surfaces(), cells, actions, total.cells))
}

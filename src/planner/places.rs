//! Whether two points are connected.

use crate::nav::{CellId, CellMap};
use glam::DVec2;

/// Whether start and goal have cells in one component. If the known cells have not, all cells at
/// both points are checked: a point on a wall may touch more than one component.
pub fn connect(
    map: &CellMap,
    start: DVec2,
    goal: DVec2,
    start_cells: &mut Vec<CellId>,
    goal_cells: &mut Vec<CellId>,
) -> bool {
    let is_connected = |a: &[CellId], b: &[CellId]| {
        a.iter().any(|a| {
            let component = map.component(*a);
            b.iter().any(|b| map.component(*b) == component)
        })
    };
    if is_connected(start_cells, goal_cells) {
        return true;
    }
    for (p, cells) in [(start, &mut *start_cells), (goal, &mut *goal_cells)] {
        for cell in map.cells() {
            if map.covers(cell, p) && !cells.contains(&cell) {
                cells.push(cell);
            }
        }
    }
    is_connected(start_cells, goal_cells)
}

//! The walls of a radius' free space, sorted into squares: what is in sight, and what hides it, is
//! mostly told by the few walls along a line, in less time than it takes to go through its cells.

use super::segment_grid::SegmentGrid;
use super::walk::Stop;
use crate::nav::{CellId, CellMap};
use glam::DVec2;
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// Sides of cells that are no portals.
#[derive(Clone, Debug, Default)]
pub struct SightWalls {
    /// The free space is on their left.
    walls: Vec<[DVec2; 2]>,
    sides: Vec<(CellId, usize)>,
    grid: SegmentGrid,
}

impl SightWalls {
    #[must_use]
    pub fn new(cells: &CellMap) -> Self {
        let (mut walls, mut sides) = (Vec::new(), Vec::new());
        for cell in cells.cells() {
            let corners = cells.corners(cell);
            for (i, side) in cells.sides(cell).iter().enumerate() {
                if side.is_none() {
                    walls.push([corners[i], corners[(i + 1) % corners.len()]]);
                    sides.push((cell, i));
                }
            }
        }
        Self {
            grid: SegmentGrid::new(&walls),
            walls,
            sides,
        }
    }

    /// Straight from a free place to another one: whether it is in sight, or what is in the way.
    /// `None` where a wall is touched, or rounding leaves it open: then cells must be asked.
    #[must_use]
    pub fn look(&self, from: DVec2, to: DVec2) -> Option<Result<(), Stop>> {
        if self.walls.is_empty() || !(from.is_finite() && to.is_finite()) {
            return None;
        }
        let mut first: Option<(f64, u32)> = None;
        let mut is_behind = false;
        let is_certain = self.grid.all_along([from, to], |done, items| {
            for &index in items {
                let [a, b] = self.walls[index as usize];
                let [of_a, of_b] = [a, b].map(|p| certain_side(from, to, p));
                if of_a * of_b > 0.0 {
                    continue;
                }
                let (of_from, of_to) = (certain_side(a, b, from), certain_side(a, b, to));
                if of_from * of_to > 0.0 {
                    continue;
                }
                if of_a * of_b * of_from * of_to == 0.0 {
                    return ControlFlow::Break(false);
                }
                if of_from < 0.0 {
                    // From behind: another one must have been left before.
                    is_behind = true;
                    continue;
                }
                let share = of_from / (of_from - of_to);
                if first.is_none_or(|(least, _)| share < least) {
                    first = Some((share, index));
                }
            }
            // What comes in later squares is farther away.
            let rise = to.y - from.y;
            match first {
                Some((share, _)) if share * rise.abs() <= (done - from.y) * rise.signum() => {
                    ControlFlow::Break(true)
                }
                _ => ControlFlow::Continue(()),
            }
        });
        if !is_certain || (is_behind && first.is_none()) {
            return None;
        }
        Some(first.map_or(Ok(()), |(share, index)| {
            let along = to - from;
            Err(Stop {
                at: from + along * share,
                distance: along.length() * share,
                wall: self.walls[index as usize],
                side: Some(self.sides[index as usize]),
            })
        }))
    }
}

/// Positive if `p` is left of the line from `a` to `b`, negative if right, 0 where rounding leaves
/// it open.
#[inline]
fn certain_side(a: DVec2, b: DVec2, p: DVec2) -> f64 {
    let (left, right) = ((a.x - p.x) * (b.y - p.y), (a.y - p.y) * (b.x - p.x));
    let area = left - right;
    // Shewchuk's first filter, as in `side_of`.
    if area.abs() > 3.330_669_062_177_372e-16 * (left.abs() + right.abs()) {
        area
    } else {
        0.0
    }
}

/// Made when first asked for. Follows from the cells: whether somebody asked makes no difference.
#[derive(Debug, Default)]
pub struct LazySightWalls(OnceLock<SightWalls>);

impl Clone for LazySightWalls {
    /// Whoever copies cells may want to change them.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl LazySightWalls {
    pub fn of(&self, cells: &CellMap) -> &SightWalls {
        self.0.get_or_init(|| SightWalls::new(cells))
    }
}

impl PartialEq for LazySightWalls {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

//! Blocked cells of a grid → polygons with holes, exact on the cells' borders.
//!
//! Cells that share a side form a patch; each patch becomes one polygon. Patches that touch only at
//! a corner stay separate polygons sharing that corner: the gap between them has no width, so
//! nothing can pass. Every ring is simple. Time and memory are linear in the number of cells.

use super::{Polygon, Ring};
use glam::DVec2;

/// A grid of square cells with its lower left corner at `origin`; rows count upwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellGrid {
    pub origin: DVec2,
    /// Unit: metres.
    pub cell: f64,
    pub columns: usize,
    pub rows: usize,
}

impl CellGrid {
    /// The lattice point at the lower left of a cell; also valid one past the last.
    #[must_use]
    pub fn corner(&self, column: usize, row: usize) -> DVec2 {
        self.origin + DVec2::new(column as f64, row as f64) * self.cell
    }
}

/// The outlines of all cells for which `is_blocked(column, row)` holds, from the lower left.
#[must_use]
pub fn traced(grid: &CellGrid, is_blocked: impl Fn(usize, usize) -> bool) -> Vec<Polygon> {
    Patches::of(grid, is_blocked).polygons()
}

/// The direction in which a border is followed, its blocked cell on the left.
#[derive(Clone, Copy, PartialEq)]
enum Heading {
    East,
    North,
    West,
    South,
}

impl Heading {
    const fn bit(self) -> u8 {
        1 << self as u8
    }

    const fn left(self) -> Self {
        match self {
            Self::East => Self::North,
            Self::North => Self::West,
            Self::West => Self::South,
            Self::South => Self::East,
        }
    }

    const fn right(self) -> Self {
        self.left().left().left()
    }

    const fn offset(self) -> (i64, i64) {
        match self {
            Self::East => (1, 0),
            Self::North => (0, 1),
            Self::West => (-1, 0),
            Self::South => (0, -1),
        }
    }
}

/// One side of a blocked cell, followed in `heading`, with the cell on the left.
#[derive(Clone, Copy, PartialEq)]
struct Step {
    column: i64,
    row: i64,
    heading: Heading,
}

impl Step {
    const fn moved(self, towards: Heading, heading: Heading) -> Self {
        let (x, y) = towards.offset();
        Self {
            column: self.column + x,
            row: self.row + y,
            heading,
        }
    }

    /// The corner where the side ends.
    const fn end(self) -> (i64, i64) {
        match self.heading {
            Heading::East => (self.column + 1, self.row),
            Heading::North => (self.column + 1, self.row + 1),
            Heading::West => (self.column, self.row + 1),
            Heading::South => (self.column, self.row),
        }
    }
}

/// Which patch each blocked cell belongs to, numbered from the lower left.
///
/// Separate from the outlines so that callers can check the count before drawing them.
#[derive(Clone, Debug)]
pub struct Patches {
    grid: CellGrid,
    /// Patch + 1; 0 for free cells.
    labels: Vec<u32>,
    count: usize,
}

impl Patches {
    #[must_use]
    pub fn of(grid: &CellGrid, is_blocked: impl Fn(usize, usize) -> bool) -> Self {
        const PENDING: u32 = u32::MAX;
        let mut patches = Self {
            grid: *grid,
            labels: vec![0; grid.columns * grid.rows],
            count: 0,
        };
        for row in 0..grid.rows {
            for column in 0..grid.columns {
                if is_blocked(column, row) {
                    patches.labels[row * grid.columns + column] = PENDING;
                }
            }
        }
        let mut open = Vec::new();
        for seed in 0..patches.labels.len() {
            if patches.labels[seed] != PENDING {
                continue;
            }
            patches.count += 1;
            let label = patches.count as u32;
            patches.labels[seed] = label;
            open.push(seed);
            while let Some(i) = open.pop() {
                let (column, row) = (i % grid.columns, i / grid.columns);
                let sides = [
                    (column > 0).then(|| i - 1),
                    (column + 1 < grid.columns).then(|| i + 1),
                    (row > 0).then(|| i - grid.columns),
                    (row + 1 < grid.rows).then(|| i + grid.columns),
                ];
                for next in sides.into_iter().flatten() {
                    if patches.labels[next] == PENDING {
                        patches.labels[next] = label;
                        open.push(next);
                    }
                }
            }
        }
        patches
    }

    /// Number of patches.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// One polygon per patch.
    #[must_use]
    pub fn polygons(&self) -> Vec<Polygon> {
        let mut polygons: Vec<Polygon> = vec![Polygon::default(); self.count];
        let mut seen = vec![0_u8; self.labels.len()];
        for row in 0..self.grid.rows as i64 {
            for column in 0..self.grid.columns as i64 {
                let Some(patch) = self.at(column, row) else {
                    continue;
                };
                // Every ring runs in both directions along x.
                for heading in [Heading::East, Heading::West] {
                    let start = Step {
                        column,
                        row,
                        heading,
                    };
                    if !self.is_border(start) || seen[self.index(start)] & heading.bit() != 0 {
                        continue;
                    }
                    let ring = self.walk(start, &mut seen);
                    let polygon = &mut polygons[patch];
                    // Scanning from below reaches a patch first at the bottom of its outer ring.
                    if polygon.outer.is_empty() {
                        polygon.outer = ring;
                    } else {
                        polygon.holes.push(ring);
                    }
                }
            }
        }
        polygons
    }

    fn at(&self, column: i64, row: i64) -> Option<usize> {
        let within = |at: i64, count: usize| usize::try_from(at).ok().filter(|at| *at < count);
        let column = within(column, self.grid.columns)?;
        let row = within(row, self.grid.rows)?;
        (self.labels[row * self.grid.columns + column] as usize).checked_sub(1)
    }

    fn index(&self, step: Step) -> usize {
        step.row as usize * self.grid.columns + step.column as usize
    }

    /// Whether the cell beyond this side is free.
    fn is_border(&self, step: Step) -> bool {
        let beyond = step.moved(step.heading.right(), step.heading);
        self.at(beyond.column, beyond.row).is_none()
    }

    fn walk(&self, start: Step, seen: &mut [u8]) -> Ring {
        let mut ring = Ring::new();
        let mut step = start;
        loop {
            seen[self.index(step)] |= step.heading.bit();
            let next = self.next(step);
            if next.heading != step.heading {
                let (column, row) = step.end();
                ring.push(self.grid.corner(column as usize, row as usize));
            }
            step = next;
            if step == start {
                return ring;
            }
        }
    }

    fn next(&self, step: Step) -> Step {
        let heading = step.heading;
        let ahead = step.moved(heading, heading);
        let aside = ahead.moved(heading.right(), heading.right());
        let own = self.at(step.column, step.row);
        let is_ahead = self.at(ahead.column, ahead.row).is_some();
        let beside = self.at(aside.column, aside.row);
        // Diagonal cells of one patch: the free cells between them are separated, so each side gets
        // its own ring. Diagonal cells of two patches: each ring stays with its patch.
        if beside.is_some() && (is_ahead || beside == own) {
            aside
        } else if is_ahead {
            ahead
        } else {
            Step {
                heading: heading.left(),
                ..step
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{crossing, polygon::signed_area};
    use proptest::prelude::*;

    /// Rows as drawn, top row first.
    fn trace(rows: &[&str]) -> Vec<Polygon> {
        let grid = CellGrid {
            origin: DVec2::ZERO,
            cell: 1.0,
            columns: rows.first().map_or(0, |r| r.len()),
            rows: rows.len(),
        };
        traced(&grid, |column, row| {
            rows[rows.len() - 1 - row].as_bytes()[column] == b'#'
        })
    }

    #[test]
    fn a_ring_of_cells_has_a_hole_and_an_island_in_it() {
        let found = trace(&["#####", "#...#", "#.#.#", "#...#", "#####"]);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].outer.len(), 4);
        assert_eq!(found[0].area(), 16.0);
        assert_eq!(found[1].area(), 1.0);
    }

    #[test]
    fn cells_that_touch_at_a_corner_share_it_and_leave_no_gap() {
        let found = trace(&["#.", ".#"]);
        assert_eq!(found.len(), 2);
        assert_eq!(
            crossing::overlap(&found[0], &found[1]),
            crossing::Overlap::Touching
        );
        let line = [DVec2::ZERO, DVec2::splat(2.0)];
        assert!(found.iter().all(|p| p.outer.contains(&DVec2::ONE)));
        assert!(!found.iter().any(|p| crossing::passes_through(p, &line)));
    }

    #[test]
    fn a_pocket_closed_by_a_diagonal_is_a_hole() {
        let found = trace(&["####", "#..#", "#.#.", "####"]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].holes.len(), 1);
        assert_eq!(found[0].area(), 12.0);
    }

    #[test]
    fn nothing_and_everything() {
        assert!(trace(&[]).is_empty());
        assert!(trace(&["..", ".."]).is_empty());
        assert_eq!(trace(&["###", "###"])[0].outer.len(), 4);
    }

    proptest! {
        #[test]
        fn the_polygons_are_exactly_the_blocked_cells(
            cells in prop::collection::vec(any::<bool>(), 0..150), columns in 1_usize..13
        ) {
            let rows = cells.len() / columns;
            let grid = CellGrid { origin: DVec2::new(-3.5, 7.25), cell: 0.5, columns, rows };
            let blocked = |column: usize, row: usize| cells[row * columns + column];
            let found = traced(&grid, blocked);
            for row in 0..rows {
                for column in 0..columns {
                    let centre = grid.corner(column, row) + DVec2::splat(0.25);
                    let holders = found.iter().filter(|p| p.contains(centre)).count();
                    prop_assert_eq!(holders, usize::from(blocked(column, row)));
                }
            }
            for polygon in &found {
                prop_assert!(signed_area(&polygon.outer) > 0.0);
                prop_assert!(polygon.holes.iter().all(|h| signed_area(h) < 0.0));
                // Rings may touch each other, never themselves.
                let alone = crossing::contacts(polygon, usize::MAX)
                    .iter()
                    .all(|c| c.kind == crossing::ContactKind::Touching
                        && c.edges[0].ring != c.edges[1].ring);
                prop_assert!(alone);
            }
        }
    }
}

//! The walls around free space, sorted into the squares of a lattice: a line meets few of them.

use crate::geometry::predicates::{Meeting, Side, meeting, side};
use crate::nav::{CellId, CellMap};
use glam::DVec2;

/// A wall of free space and the convex cell that it bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wall {
    pub ends: [DVec2; 2],
    pub cell: CellId,
}

/// All walls, by squares between the points of a lattice.
#[derive(Clone, Debug, Default)]
pub(super) struct Walls {
    origin: DVec2,
    spacing: f64,
    /// Squares in a row, and rows: one more on each side, as walls lie beyond the outermost points.
    size: [usize; 2],
    list: Vec<Wall>,
    /// Square `i` has `in_squares[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    in_squares: Vec<u32>,
}

impl Walls {
    /// Those around cells, for a lattice of so many columns and rows.
    pub fn of(cells: &CellMap, origin: DVec2, spacing: f64, [columns, rows]: [usize; 2]) -> Self {
        let mut walls = Self {
            origin,
            spacing,
            size: [columns + 1, rows + 1],
            list: walls_of(cells),
            starts: Vec::new(),
            in_squares: Vec::new(),
        };
        walls.sort();
        walls
    }

    pub fn iter(&self) -> impl Iterator<Item = &Wall> {
        self.list.iter()
    }

    /// The four squares around a point of the lattice.
    pub const fn squares_around(&self, column: usize, row: usize) -> [usize; 4] {
        let first = row * self.size[0] + column;
        [
            first,
            first + 1,
            first + self.size[0],
            first + self.size[0] + 1,
        ]
    }

    pub fn is_empty_square(&self, square: usize) -> bool {
        self.starts[square] == self.starts[square + 1]
    }

    pub const fn bytes(&self) -> usize {
        self.list.len() * size_of::<Wall>() + 4 * (self.starts.len() + self.in_squares.len())
    }

    /// Squares that a segment may touch, row by row.
    fn squares_along(&self, [a, b]: [DVec2; 2], mut visit: impl FnMut(usize)) {
        // Rounding must not lose a square.
        const PAD: f64 = 1e-9;
        let [wide, high] = self.size;
        let [a, b] = [a, b].map(|p| (p - self.origin) / self.spacing + 1.0);
        let clamp = |at: f64, most: usize| (at.max(0.0) as usize).min(most - 1);
        let (low, top) = (a.y.min(b.y) - PAD, a.y.max(b.y) + PAD);
        if top < 0.0 || low >= high as f64 {
            return;
        }
        for row in clamp(low, high)..=clamp(top, high) {
            let cut = |y: f64| {
                let y = y.clamp(low, top);
                let t = if a.y == b.y {
                    0.0
                } else {
                    ((y - a.y) / (b.y - a.y)).clamp(0.0, 1.0)
                };
                a.x + (b.x - a.x) * t
            };
            let (from, to) = if a.y == b.y {
                (a.x, b.x)
            } else {
                (cut(row as f64 - PAD), cut(row as f64 + 1.0 + PAD))
            };
            let (from, to) = (from.min(to) - PAD, from.max(to) + PAD);
            if to < 0.0 || from >= wide as f64 {
                continue;
            }
            for column in clamp(from, wide)..=clamp(to, wide) {
                visit(row * wide + column);
            }
        }
    }

    fn sort(&mut self) {
        let [wide, high] = self.size;
        let mut counts = vec![0_u32; wide * high + 1];
        for wall in &self.list {
            self.squares_along(wall.ends, |square| counts[square + 1] += 1);
        }
        for square in 0..wide * high {
            counts[square + 1] += counts[square];
        }
        let mut sorted = vec![0; counts[wide * high] as usize];
        let mut next = counts.clone();
        for (wall, index) in self.list.iter().zip(0..) {
            self.squares_along(wall.ends, |square| {
                sorted[next[square] as usize] = index;
                next[square] += 1;
            });
        }
        self.starts = counts;
        self.in_squares = sorted;
    }

    /// The walls that may lie in a square.
    pub fn in_square(&self, square: usize) -> impl Iterator<Item = &Wall> {
        let range = self.starts[square] as usize..self.starts[square + 1] as usize;
        self.in_squares[range]
            .iter()
            .map(|wall| &self.list[*wall as usize])
    }

    /// Whether no wall is met between two points of which one is free.
    pub fn is_line_free(&self, a: DVec2, b: DVec2) -> bool {
        let mut is_free = true;
        self.squares_along([a, b], |square| {
            is_free = is_free
                && self
                    .in_square(square)
                    .all(|wall| meeting(a, b, wall.ends[0], wall.ends[1]) == Meeting::Apart);
        });
        is_free
    }

    /// Whether a straight line is free; its ends may lie on walls.
    pub fn is_free(&self, from: DVec2, to: DVec2) -> bool {
        let mut is_free = true;
        self.squares_along([from, to], |square| {
            is_free = is_free && self.in_square(square).all(|wall| !wall.stops(from, to));
        });
        is_free
    }
}

impl Wall {
    /// Whether it blocks a line. Free space lies to its left and includes the wall itself: a line
    /// may begin and end on it and run along it, but not pass to its right.
    fn stops(&self, from: DVec2, to: DVec2) -> bool {
        let [a, b] = self.ends;
        match meeting(from, to, a, b) {
            Meeting::Apart | Meeting::Overlapping(..) => false,
            Meeting::Crossing(_) => true,
            Meeting::Touching(at) => {
                let behind = |p: DVec2| side(a, b, p) == Side::Right;
                // An end of the line is on the wall, or a corner on the line: the walls next to it
                // decide what is behind a corner.
                (at == from && behind(to))
                    || (at == to && behind(from))
                    || (at != from && at != to && (behind(from) || behind(to)))
            }
        }
    }
}

/// Sides of cells that are no portals, with free space on their left.
fn walls_of(cells: &CellMap) -> Vec<Wall> {
    let mut walls = Vec::new();
    for cell in cells.cells() {
        let corners = cells.corners(cell);
        for (i, side) in cells.sides(cell).iter().enumerate() {
            if side.is_none() {
                let ends = [corners[i], corners[(i + 1) % corners.len()]];
                walls.push(Wall { ends, cell });
            }
        }
    }
    walls
}

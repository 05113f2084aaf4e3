//! A lattice over the free space of a body, in plan.
//!
//! A point of the lattice that is not free becomes a state where free space is near: it is moved to
//! the nearest free place (the paper clamps states to the navigation mesh). Points beside a passage
//! that is narrower than the spacing are moved to its middle line, whether they are free or not: so
//! states lead through every door that the body fits through.

use super::lattice::{DIRECTIONS, OFFSETS, PAGE, opposite};
use super::narrow;
use crate::geometry::Rect;
use crate::geometry::polygon::closest_on_segment;
use crate::geometry::predicates::{Meeting, meeting};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::{CellId, CellMap};
use glam::DVec2;
use rayon::prelude::*;
use std::collections::HashMap;
use std::f64::consts::FRAC_1_SQRT_2;
use std::sync::{Arc, OnceLock};

/// Side of a block of states.
const BLOCK: usize = 8;

/// Most points of a lattice; a level that needs more gets a wider spacing.
const MOST_POINTS: f64 = (1_u64 << 26) as f64;

/// Largest distance that a point is moved, in spacings: half a diagonal, plus what rounding takes.
const MOST_MOVED: f64 = 0.75;

/// How far from walls moved points keep, in spacings: the most of these that there is room for.
const MARGINS: [f64; 3] = [0.02, 0.01, 0.005];

/// No component.
const NONE: u32 = u32::MAX;

/// By the direction from a state back to the one before it, and the directions that are open there:
/// those directions from the state that lead to the one before it, or to where it leads itself.
const BESIDE_BOTH: [[u8; 256]; DIRECTIONS] = {
    let mut table = [[0; 256]; DIRECTIONS];
    let mut back = 0;
    while back < DIRECTIONS {
        let mut open = 0;
        while open < 256 {
            let mut mask = 1_u8 << back;
            let mut direction = 0;
            while direction < DIRECTIONS {
                let dx = OFFSETS[direction][0] - OFFSETS[back][0];
                let dy = OFFSETS[direction][1] - OFFSETS[back][1];
                let mut from_there = 0;
                while from_there < DIRECTIONS {
                    let is_it = OFFSETS[from_there][0] == dx && OFFSETS[from_there][1] == dy;
                    if is_it && open >> from_there & 1 == 1 {
                        mask |= 1 << direction;
                    }
                    from_there += 1;
                }
                direction += 1;
            }
            table[back][open] = mask;
            open += 1;
        }
        back += 1;
    }
    table
};

/// A wall of free space and the convex cell that it bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wall {
    ends: [DVec2; 2],
    cell: CellId,
}

#[derive(Clone, Debug, Default)]
pub struct Plane {
    origin: DVec2,
    spacing: f64,
    /// The spacing that was asked for.
    asked: f64,
    columns: usize,
    rows: usize,
    /// Blocks in a row, and one divided by it.
    width: usize,
    per_width: f64,
    /// Directions with a transition, by state; 0 for points that are no states.
    open: Vec<u8>,
    /// How far each point is moved, in 127ths of [`MOST_MOVED`] spacings.
    moved: Vec<[i8; 2]>,
    /// By page, one bit for each state: neither it nor a neighbour of it is moved.
    regular: Vec<u64>,
    walls: Vec<Wall>,
    /// Walls by squares between points: square `i` has `in_squares[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    in_squares: Vec<u32>,
    /// By state, a number that connected states share: found when it is first asked for.
    components: OnceLock<Arc<[u32]>>,
}

impl PartialEq for Plane {
    fn eq(&self, other: &Self) -> bool {
        self.changed_since(other)
            .is_some_and(|changed| changed.is_empty())
    }
}

impl Plane {
    pub fn build(
        bounds: Rect,
        cells: &CellMap,
        spacing: f64,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let size = bounds.size();
        let least = (size.x * size.y / MOST_POINTS).sqrt();
        let asked = spacing;
        let spacing = spacing.max(least).max(1e-3);
        let count = |length: f64| (length / spacing + 1e-9) as usize + 1;
        let (columns, rows) = (count(size.x), count(size.y));
        let width = columns.div_ceil(BLOCK);
        let points = width * rows.div_ceil(BLOCK) * PAGE;
        let mut plane = Self {
            origin: if bounds.is_empty() {
                DVec2::ZERO
            } else {
                bounds.min
            },
            spacing,
            asked,
            columns,
            rows,
            width,
            per_width: 1.0 / width.max(1) as f64,
            open: vec![0; points],
            moved: vec![[0; 2]; points],
            regular: vec![0; points / PAGE],
            walls: walls_of(cells),
            starts: Vec::new(),
            in_squares: Vec::new(),
            components: OnceLock::new(),
        };
        plane.sort_walls();
        ctx.checkpoint()?;
        let free = plane.free_points();
        ctx.checkpoint()?;
        plane.move_points(cells, &free);
        ctx.checkpoint()?;
        plane.connect(&free);
        plane.note_regular();
        Ok(plane)
    }

    pub const fn state_count(&self) -> usize {
        self.open.len()
    }

    pub const fn spacing(&self) -> f64 {
        self.spacing
    }

    pub const fn asked(&self) -> f64 {
        self.asked
    }

    pub const fn bytes(&self) -> usize {
        self.open.len() * 3
            + self.regular.len() * 8
            + self.walls.len() * size_of::<Wall>()
            + 4 * (self.starts.len() + self.in_squares.len())
    }

    #[inline]
    pub fn open(&self, state: u32) -> u8 {
        self.open.get(state as usize).copied().unwrap_or(0)
    }

    #[inline]
    pub fn is_moved(&self, state: u32) -> bool {
        self.moved[state as usize] != [0; 2]
    }

    #[inline]
    pub fn place(&self, state: u32) -> [i32; 2] {
        let state = state as usize;
        let (block, local) = (state / PAGE, state % PAGE);
        // Multiplying is much faster than dividing, and exact for as many blocks as there may be.
        let y = ((block as f64 + 0.5) * self.per_width) as usize;
        let x = block - y * self.width;
        [
            (x * BLOCK + local % BLOCK) as i32,
            (y * BLOCK + local / BLOCK) as i32,
        ]
    }

    fn number(&self, column: usize, row: usize) -> usize {
        let block = row / BLOCK * self.width + column / BLOCK;
        block * PAGE + row % BLOCK * BLOCK + column % BLOCK
    }

    fn state_at(&self, column: i64, row: i64) -> Option<u32> {
        let (column, row) = (usize::try_from(column).ok()?, usize::try_from(row).ok()?);
        (column < self.columns && row < self.rows).then(|| self.number(column, row) as u32)
    }

    /// By how much the number of a state differs from those of its neighbours, by direction.
    #[inline]
    fn differences(&self, state: u32) -> [i32; DIRECTIONS] {
        // A step out of a block leads to the next one, on its far side.
        const INTO_NEXT: i32 = (PAGE - (BLOCK - 1)) as i32;
        let local = state as usize % PAGE;
        let (x, y) = (local % BLOCK, local / BLOCK);
        let east = if x + 1 == BLOCK { INTO_NEXT } else { 1 };
        let west = if x == 0 { -INTO_NEXT } else { -1 };
        let next_row = (self.width * PAGE - (BLOCK - 1) * BLOCK) as i32;
        let north = if y + 1 == BLOCK {
            next_row
        } else {
            BLOCK as i32
        };
        let south = if y == 0 { -next_row } else { -(BLOCK as i32) };
        [
            east,
            east + north,
            north,
            west + north,
            west,
            west + south,
            south,
            east + south,
        ]
    }

    /// The state beside another that has a transition in this direction.
    #[inline]
    pub fn beside(&self, state: u32, direction: usize) -> u32 {
        state.wrapping_add_signed(self.differences(state)[direction])
    }

    #[inline]
    pub fn point(&self, state: u32) -> DVec2 {
        let [column, row] = self.place(state);
        let [x, y] = self.moved[state as usize];
        let shift = MOST_MOVED / 127.0;
        let at = DVec2::new(
            f64::from(column) + f64::from(x) * shift,
            f64::from(row) + f64::from(y) * shift,
        );
        self.origin + at * self.spacing
    }

    #[inline]
    pub fn step_length(&self, state: u32, direction: usize, other: u32) -> f64 {
        if self.is_moved(state) || self.is_moved(other) {
            self.point(state).distance(self.point(other))
        } else if direction.is_multiple_of(2) {
            self.spacing
        } else {
            self.spacing * std::f64::consts::SQRT_2
        }
    }

    /// Visits the neighbours of a state with the lengths of the steps there. Those that `before`
    /// leads to, as well, may be left out: the straight step there is not longer than both steps.
    #[inline]
    pub fn visit(&self, state: u32, before: Option<u32>, mut visit: impl FnMut(u32, f64)) {
        let differences = self.differences(state);
        let is_regular = self.regular[state as usize / PAGE] >> (state as usize % PAGE) & 1 == 1;
        let steps = [self.spacing, self.spacing * std::f64::consts::SQRT_2];
        let mut open = self.open(state);
        if let Some(before) = before {
            let by = before.wrapping_sub(state) as i32;
            if let Some(back) = differences.iter().position(|other| *other == by) {
                open &= !BESIDE_BOTH[back][usize::from(self.open(before))];
            }
        }
        while open != 0 {
            let direction = open.trailing_zeros() as usize;
            open &= open - 1;
            let other = state.wrapping_add_signed(differences[direction]);
            let length = if is_regular {
                steps[direction % 2]
            } else {
                self.step_length(state, direction, other)
            };
            visit(other, length);
        }
    }

    /// Whether all neighbours of a state are in its page.
    #[inline]
    pub const fn is_inside_page(state: u32) -> bool {
        let local = state as usize % PAGE;
        let (x, y) = (local % BLOCK, local / BLOCK);
        x > 0 && x + 1 < BLOCK && y > 0 && y + 1 < BLOCK
    }

    pub fn page_bounds(&self, page: usize) -> Rect {
        let corner = DVec2::new((page % self.width) as f64, (page / self.width) as f64);
        let min = self.origin + corner * (BLOCK as f64 * self.spacing);
        let size = DVec2::splat((BLOCK - 1) as f64 * self.spacing);
        Rect::new(min, min + size).expanded(MOST_MOVED * self.spacing)
    }

    /// Squares between points, one more on each side: walls lie beyond the outermost points, too.
    fn square_counts(&self) -> [usize; 2] {
        [self.columns + 1, self.rows + 1]
    }

    /// Squares that a segment may touch, row by row.
    fn squares_along(&self, [a, b]: [DVec2; 2], mut visit: impl FnMut(usize)) {
        // Rounding must not lose a square.
        const PAD: f64 = 1e-9;
        let [wide, high] = self.square_counts();
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

    fn sort_walls(&mut self) {
        let [wide, high] = self.square_counts();
        let mut counts = vec![0_u32; wide * high + 1];
        for wall in &self.walls {
            self.squares_along(wall.ends, |square| counts[square + 1] += 1);
        }
        for square in 0..wide * high {
            counts[square + 1] += counts[square];
        }
        let mut sorted = vec![0; counts[wide * high] as usize];
        let mut next = counts.clone();
        for (wall, index) in self.walls.iter().zip(0..) {
            self.squares_along(wall.ends, |square| {
                sorted[next[square] as usize] = index;
                next[square] += 1;
            });
        }
        self.starts = counts;
        self.in_squares = sorted;
    }

    fn walls_in(&self, square: usize) -> impl Iterator<Item = &Wall> {
        let range = self.starts[square] as usize..self.starts[square + 1] as usize;
        self.in_squares[range]
            .iter()
            .map(|wall| &self.walls[*wall as usize])
    }

    /// Whether each point is in free space, by the even–odd rule along its row.
    fn free_points(&self) -> Vec<bool> {
        let mut crossings: Vec<Vec<f64>> = vec![Vec::new(); self.rows];
        for Wall { ends: [a, b], .. } in &self.walls {
            let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
            let row_of = |y: f64| (y - self.origin.y) / self.spacing;
            let first = (row_of(low.y) - 1.0).max(0.0) as usize;
            let last = ((row_of(high.y) + 1.0).max(0.0) as usize).min(self.rows - 1);
            for (row, crossings) in crossings.iter_mut().enumerate().take(last + 1).skip(first) {
                let y = self.origin.y + row as f64 * self.spacing;
                if low.y <= y && y < high.y {
                    let t = (y - low.y) / (high.y - low.y);
                    crossings.push(low.x + (high.x - low.x) * t);
                }
            }
        }
        let mut free = vec![false; self.open.len()];
        for (row, mut crossings) in crossings.into_iter().enumerate() {
            crossings.sort_unstable_by(f64::total_cmp);
            for pair in crossings.chunks_exact(2) {
                let column_of = |x: f64| (x - self.origin.x) / self.spacing;
                let first = column_of(pair[0]).ceil().max(0.0) as usize;
                let last = column_of(pair[1]).floor();
                if last < 0.0 {
                    continue;
                }
                for column in first..=(last as usize).min(self.columns - 1) {
                    free[self.number(column, row)] = true;
                }
            }
        }
        free
    }

    /// The column and row nearest to a place.
    fn nearest_point(&self, p: DVec2) -> Option<usize> {
        let at = ((p - self.origin) / self.spacing).round();
        let state = self.state_at(at.x as i64, at.y as i64)?;
        Some(state as usize)
    }

    /// A place in units by which points can be moved; `None` if it is too far.
    fn shift_to(&self, number: usize, q: DVec2) -> Option<([i8; 2], DVec2)> {
        let unit = MOST_MOVED / 127.0 * self.spacing;
        let p = self.place_of(number);
        let shift = ((q - p) / unit).round();
        let is_possible = shift.abs().max_element() <= 127.0 && shift != DVec2::ZERO;
        is_possible.then(|| ([shift.x as i8, shift.y as i8], p + shift * unit))
    }

    /// A point's own column and row, wherever it is moved.
    fn place_of(&self, number: usize) -> DVec2 {
        let [column, row] = self.place(number as u32);
        self.origin + DVec2::new(f64::from(column), f64::from(row)) * self.spacing
    }

    /// A place in units by which points can be moved: the nearest of these that is free. `None` if it
    /// is too far, or none is free.
    fn shift_to_free(&self, cells: &CellMap, number: usize, q: DVec2) -> Option<[i8; 2]> {
        let unit = MOST_MOVED / 127.0 * self.spacing;
        let p = self.place_of(number);
        let exact = (q - p) / unit;
        let mut best: Option<(f64, [i8; 2])> = None;
        for x in [exact.x.floor(), exact.x.ceil()] {
            for y in [exact.y.floor(), exact.y.ceil()] {
                let shift = DVec2::new(x, y);
                let off = shift.distance_squared(exact);
                if shift.abs().max_element() <= 127.0
                    && best.is_none_or(|(least, _)| off < least)
                    && cells.locate(p + shift * unit).is_some()
                {
                    best = Some((off, [x as i8, y as i8]));
                }
            }
        }
        best.map(|(_, shift)| shift)
    }

    /// Points that are moved to the middle of narrow passages, and how.
    fn narrow_shifts(&self, cells: &CellMap) -> HashMap<usize, [i8; 2]> {
        let mut found: HashMap<usize, [i8; 2]> = HashMap::new();
        let axes = narrow::axes(cells, self.spacing, |a, b| self.is_free(a, b));
        for axis in &axes {
            axis.crossings(self.origin, self.spacing, |at| {
                let nearest = at.round();
                let Some(state) = self.state_at(nearest.x as i64, nearest.y as i64) else {
                    return;
                };
                let number = state as usize;
                if found.contains_key(&number) {
                    return;
                }
                let q = self.origin + at * self.spacing;
                if let Some(shift) = self.shift_to_free(cells, number, q) {
                    found.insert(number, shift);
                }
            });
        }
        // Short passages may lie between the columns: their middles, where a point is left for them.
        for axis in axes.iter().filter(|axis| !axis.is_mouth) {
            for q in axis.ends {
                let nearest = self.nearest_point(q);
                if let Some(number) = nearest.filter(|number| !found.contains_key(number))
                    && let Some(shift) = self.shift_to_free(cells, number, q)
                {
                    found.insert(number, shift);
                }
            }
        }
        found
    }

    /// Moves points that are not free to free space nearby, and those beside narrow passages to their
    /// middles.
    fn move_points(&mut self, cells: &CellMap, free: &[bool]) {
        let [wide, _] = self.square_counts();
        let narrow = self.narrow_shifts(cells);
        let rows: Vec<Vec<(usize, [i8; 2])>> = (0..self.rows)
            .into_par_iter()
            .map(|row| {
                let mut moved = Vec::new();
                for column in 0..self.columns {
                    let number = self.number(column, row);
                    let squares = [0, 1, wide, wide + 1].map(|more| row * wide + column + more);
                    if squares
                        .iter()
                        .all(|s| self.starts[*s] == self.starts[*s + 1])
                        && !narrow.contains_key(&number)
                    {
                        continue;
                    }
                    let shift = match narrow.get(&number) {
                        Some(shift) => Some(*shift),
                        None if free[number] => None,
                        None => self.shift_off_walls(cells, number, squares),
                    };
                    moved.extend(shift.map(|shift| (number, shift)));
                }
                moved
            })
            .collect();
        for (number, shift) in rows.into_iter().flatten() {
            self.moved[number] = shift;
        }
    }

    /// How to move a point to the free side of the nearest wall in the squares around it.
    fn shift_off_walls(
        &self,
        cells: &CellMap,
        number: usize,
        squares: [usize; 4],
    ) -> Option<[i8; 2]> {
        let p = self.point(number as u32);
        let near = |wall: &Wall| closest_on_segment(wall.ends[0], wall.ends[1], p);
        let walls = squares.into_iter().flat_map(|square| self.walls_in(square));
        let (squared, q, wall) = walls
            .map(|wall| (near(wall).distance_squared(p), near(wall), wall))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cell.cmp(&b.2.cell)))?;
        if squared > (FRAC_1_SQRT_2 * self.spacing).powi(2) {
            return None;
        }
        let corners = cells.corners(wall.cell);
        let middle = corners.iter().sum::<DVec2>() / corners.len() as f64;
        let to_middle = middle - q;
        let normal = (wall.ends[1] - wall.ends[0]).perp().normalize_or_zero();
        // Towards the middle of the cell, unless that leads along the wall.
        let inward = to_middle.normalize_or_zero();
        let directions = [inward, normal, (inward + normal).normalize_or_zero()];
        let tries = MARGINS
            .iter()
            .flat_map(|margin| directions.map(|direction| (*margin, direction)));
        // The cell of a wall may be a sliver: what counts is the room to the walls around.
        let room = |q: DVec2| {
            let walls = squares.into_iter().flat_map(|square| self.walls_in(square));
            walls
                .map(|wall| closest_on_segment(wall.ends[0], wall.ends[1], q).distance(q))
                .fold(f64::INFINITY, f64::min)
        };
        let mut best: Option<(f64, [i8; 2])> = None;
        for (margin, direction) in tries {
            let depth = margin * self.spacing;
            let Some((shift, moved)) = self.shift_to(number, q + direction * depth) else {
                continue;
            };
            if cells.locate(moved).is_none() {
                continue;
            }
            let room = room(moved);
            if best.is_none_or(|(most, _)| room > most) {
                best = Some((room, shift));
            }
            if room >= 0.5 * depth {
                break;
            }
        }
        best.map(|(_, shift)| shift)
    }

    /// Finds the transitions.
    fn connect(&mut self, free: &[bool]) {
        let is_state = |number: usize| free[number] || self.moved[number] != [0; 2];
        let half = DIRECTIONS / 2;
        let rows: Vec<Vec<(usize, usize, u8)>> = (0..self.rows)
            .into_par_iter()
            .map(|row| {
                let mut found = Vec::new();
                for column in 0..self.columns {
                    let number = self.number(column, row);
                    if !is_state(number) {
                        continue;
                    }
                    for (direction, [dx, dy]) in OFFSETS[..half].iter().enumerate() {
                        let (x, y) = (column as i64 + i64::from(*dx), row as i64 + i64::from(*dy));
                        let Some(other) = self.state_at(x, y) else {
                            continue;
                        };
                        if is_state(other as usize)
                            && self.is_line_free(self.point(number as u32), self.point(other))
                        {
                            found.push((number, other as usize, direction as u8));
                        }
                    }
                }
                found
            })
            .collect();
        for (from, to, direction) in rows.into_iter().flatten() {
            self.open[from] |= 1 << direction;
            self.open[to] |= 1 << opposite(usize::from(direction));
        }
    }

    /// Notes which states have steps of the usual lengths alone.
    fn note_regular(&mut self) {
        for state in 0..self.state_count() as u32 {
            let open = self.open(state);
            let is_regular = !self.is_moved(state)
                && (0..DIRECTIONS)
                    .filter(|direction| open >> direction & 1 == 1)
                    .all(|direction| !self.is_moved(self.beside(state, direction)));
            self.regular[state as usize / PAGE] |= u64::from(is_regular) << (state as usize % PAGE);
        }
    }

    /// Whether no wall is met between two points of which one is free.
    fn is_line_free(&self, a: DVec2, b: DVec2) -> bool {
        let mut is_free = true;
        self.squares_along([a, b], |square| {
            is_free = is_free
                && self
                    .walls_in(square)
                    .all(|wall| meeting(a, b, wall.ends[0], wall.ends[1]) == Meeting::Apart);
        });
        is_free
    }

    /// Whether a straight line is free; its ends may lie on walls.
    pub fn is_free(&self, from: DVec2, to: DVec2) -> bool {
        let mut is_free = true;
        self.squares_along([from, to], |square| {
            is_free = is_free && self.walls_in(square).all(|wall| !wall.stops(from, to));
        });
        is_free
    }

    /// See [`super::Lattice::around`]. The place may be on a wall, as free space includes its border.
    pub fn around(&self, p: DVec2) -> Vec<(u32, f64)> {
        let at = ((p - self.origin) / self.spacing).floor();
        if !at.is_finite() {
            return Vec::new();
        }
        let (column, row) = (at.x as i64, at.y as i64);
        for ring in 0..3 {
            let mut found = Vec::new();
            for y in row - ring..=row + 1 + ring {
                for x in column - ring..=column + 1 + ring {
                    let Some(state) = self.state_at(x, y).filter(|s| self.open(*s) != 0) else {
                        continue;
                    };
                    let q = self.point(state);
                    if self.is_free(p, q) {
                        found.push((state, p.distance(q)));
                    }
                }
            }
            if !found.is_empty() {
                found.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
                return found;
            }
        }
        Vec::new()
    }

    pub fn nearest(&self, p: DVec2) -> Option<u32> {
        self.around(p).first().map(|(state, _)| *state)
    }

    /// Whether steps lead from one place to another.
    pub fn connects(&self, from: DVec2, to: DVec2) -> bool {
        let components = self.components.get_or_init(|| self.connected());
        let of = |p: DVec2| {
            let states = self.around(p).into_iter();
            states.map(|(state, _)| components[state as usize])
        };
        let ends: Vec<u32> = of(to).collect();
        of(from).any(|component| ends.contains(&component))
    }

    fn connected(&self) -> Arc<[u32]> {
        let mut components = vec![NONE; self.state_count()];
        let mut waiting = Vec::new();
        for first in 0..self.state_count() as u32 {
            if components[first as usize] != NONE || self.open(first) == 0 {
                continue;
            }
            components[first as usize] = first;
            waiting.push(first);
            while let Some(state) = waiting.pop() {
                let open = self.open(state);
                for direction in (0..DIRECTIONS).filter(|k| open >> k & 1 == 1) {
                    let other = self.beside(state, direction);
                    if components[other as usize] == NONE {
                        components[other as usize] = first;
                        waiting.push(other);
                    }
                }
            }
        }
        components.into()
    }

    pub fn changed_since(&self, before: &Self) -> Option<Vec<u32>> {
        if self.origin != before.origin
            || self.spacing != before.spacing
            || [self.columns, self.rows] != [before.columns, before.rows]
        {
            return None;
        }
        let differs = |i: &u32| {
            let i = *i as usize;
            self.open[i] != before.open[i] || self.moved[i] != before.moved[i]
        };
        let mut changed = Vec::new();
        for page in 0..self.state_count() / PAGE {
            let range = page * PAGE..(page + 1) * PAGE;
            if self.open[range.clone()] != before.open[range.clone()]
                || self.moved[range.clone()] != before.moved[range.clone()]
            {
                changed.extend((range.start as u32..range.end as u32).filter(differs));
            }
        }
        Some(changed)
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
                use crate::geometry::predicates::{Side, side};
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

//! A lattice over the free space of a body, in plan.
//!
//! A point of the lattice that is not free becomes a state where free space is near: it is moved to
//! the nearest free place (the paper clamps states to the navigation mesh). Points beside a passage
//! that is narrower than the spacing are moved to its middle line, whether they are free or not: so
//! states lead through every door that the body fits through.

mod narrow;
mod placing;
mod walls;

use super::lattice::{DIRECTIONS, OFFSETS, PAGE};
use crate::geometry::Rect;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::CellMap;
use glam::DVec2;
use std::sync::{Arc, OnceLock};
use walls::Walls;

/// Side of a block of states.
const BLOCK: usize = 8;

/// Most points of a lattice; a level that needs more gets a wider spacing.
const MOST_POINTS: f64 = (1_u64 << 26) as f64;

/// Largest distance that a point is moved, in spacings: half a diagonal, plus what rounding takes.
const MOST_MOVED: f64 = 0.75;

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
    walls: Walls,
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
        let origin = if bounds.is_empty() {
            DVec2::ZERO
        } else {
            bounds.min
        };
        let mut plane = Self {
            origin,
            spacing,
            asked,
            columns,
            rows,
            width,
            per_width: 1.0 / width.max(1) as f64,
            open: vec![0; points],
            moved: vec![[0; 2]; points],
            regular: vec![0; points / PAGE],
            walls: Walls::of(cells, origin, spacing, [columns, rows]),
            components: OnceLock::new(),
        };
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
        self.open.len() * 3 + self.regular.len() * 8 + self.walls.bytes()
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

    /// Whether a straight line is free; its ends may lie on walls.
    pub fn is_free(&self, from: DVec2, to: DVec2) -> bool {
        self.walls.is_free(from, to)
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

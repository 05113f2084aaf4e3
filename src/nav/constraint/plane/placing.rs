//! Where the states of a lattice in plan are, and which of them are connected.

use super::narrow;
use super::walls::Wall;
use super::{MOST_MOVED, Plane};
use crate::geometry::polygon::closest_on_segment;
use crate::nav::CellMap;
use crate::nav::constraint::lattice::{DIRECTIONS, OFFSETS, PAGE, opposite};
use glam::DVec2;
use rayon::prelude::*;
use std::collections::HashMap;
use std::f64::consts::FRAC_1_SQRT_2;

/// How far from walls moved points keep, in spacings: the most of these that there is room for.
const MARGINS: [f64; 3] = [0.02, 0.01, 0.005];

impl Plane {
    /// Whether each point is in free space, by the even–odd rule along its row.
    pub(super) fn free_points(&self) -> Vec<bool> {
        let mut crossings: Vec<Vec<f64>> = vec![Vec::new(); self.rows];
        for Wall { ends: [a, b], .. } in self.walls.iter() {
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
        let axes = narrow::axes(cells, self.spacing, |a, b| self.walls.is_free(a, b));
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
    pub(super) fn move_points(&mut self, cells: &CellMap, free: &[bool]) {
        let narrow = self.narrow_shifts(cells);
        let rows: Vec<Vec<(usize, [i8; 2])>> = (0..self.rows)
            .into_par_iter()
            .map(|row| {
                let mut moved = Vec::new();
                for column in 0..self.columns {
                    let number = self.number(column, row);
                    let squares = self.walls.squares_around(column, row);
                    if squares.iter().all(|s| self.walls.is_empty_square(*s))
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
        let walls = squares
            .into_iter()
            .flat_map(|square| self.walls.in_square(square));
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
            let walls = squares
                .into_iter()
                .flat_map(|square| self.walls.in_square(square));
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
    pub(super) fn connect(&mut self, free: &[bool]) {
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
                            && self
                                .walls
                                .is_line_free(self.point(number as u32), self.point(other))
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
    pub(super) fn note_regular(&mut self) {
        for state in 0..self.state_count() as u32 {
            let open = self.open(state);
            let is_regular = !self.is_moved(state)
                && (0..DIRECTIONS)
                    .filter(|direction| open >> direction & 1 == 1)
                    .all(|direction| !self.is_moved(self.beside(state, direction)));
            self.regular[state as usize / PAGE] |= u64::from(is_regular) << (state as usize % PAGE);
        }
    }
}

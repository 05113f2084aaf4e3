//! Who is near: bodies sorted into squares every step, within a square in the order of their ids.
//!
//! Sums over neighbours therefore run in one order, whatever thread computes them.

use crate::geometry::Rect;
use glam::DVec2;
use std::ops::Range;

/// Side of a square where agents are dense. Unit: metres.
const SQUARE: f64 = 1.0;

/// Bodies farther apart in height than this are on different storeys. Unit: metres.
pub(super) const STOREY: f64 = 1.5;

/// The border of a square is known up to this. Unit: metres.
const ROUNDING: f64 = 1e-6;

/// What a body shows to the others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Neighbour {
    pub position: DVec2,
    /// Unit: m/s.
    pub velocity: DVec2,
    /// Where it wants to go: of length 1, or 0 for a body that stands.
    pub direction: DVec2,
    /// Unit: metres.
    pub radius: f64,
    /// Length of the path ahead of it. Unit: metres.
    pub remaining: f64,
    /// Height of its feet. Unit: metres.
    pub height: f64,
    /// Bodies with equal numbers want to go to one place.
    pub goal: u32,
    /// Its index among all agents, which are ordered by id.
    pub slot: u32,
}

#[derive(Clone, Debug, Default)]
pub struct NeighbourGrid {
    origin: DVec2,
    square: f64,
    columns: usize,
    rows: usize,
    starts: Vec<u32>,
    next: Vec<u32>,
    squares: Vec<u32>,
    sorted: Vec<Neighbour>,
    /// Positions of `sorted`, close together: most bodies that are looked at are too far away.
    places: Vec<DVec2>,
}

impl NeighbourGrid {
    /// Sorts all bodies, given in the order of their ids.
    pub fn rebuild(&mut self, all: &[Neighbour]) {
        let extent = all
            .iter()
            .fold(Rect::EMPTY, |extent, body| extent.including(body.position));
        self.sorted.clear();
        self.places.clear();
        if all.is_empty() {
            (self.columns, self.rows) = (0, 0);
            return;
        }
        let size = extent.size().max(DVec2::ZERO);
        // Far apart bodies get larger squares, so that there are not many more squares than bodies.
        let most = 4.0 * all.len() as f64 + 1024.0;
        self.square = SQUARE.max((size.x * size.y / most).sqrt());
        self.square = self.square.max(size.max_element() / most);
        self.origin = extent.min;
        self.columns = (size.x / self.square) as usize + 1;
        self.rows = (size.y / self.square) as usize + 1;
        let count = self.columns * self.rows;
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        self.squares.clear();
        for body in all {
            let (column, row) = self.square_at(body.position);
            let square = row * self.columns + column;
            self.squares.push(square as u32);
            self.starts[square + 1] += 1;
        }
        for i in 1..=count {
            self.starts[i] += self.starts[i - 1];
        }
        self.next.clear();
        self.next.extend_from_slice(&self.starts[..count]);
        self.sorted.resize(all.len(), Neighbour::default());
        for (body, square) in all.iter().zip(&self.squares) {
            let place = &mut self.next[*square as usize];
            self.sorted[*place as usize] = *body;
            *place += 1;
        }
        self.places.extend(self.sorted.iter().map(|b| b.position));
    }

    fn square_at(&self, p: DVec2) -> (usize, usize) {
        // Casts saturate.
        let at = (p - self.origin) / self.square;
        let column = (at.x as usize).min(self.columns.saturating_sub(1));
        (column, (at.y as usize).min(self.rows.saturating_sub(1)))
    }

    /// All bodies, square by square.
    #[must_use]
    pub fn sorted(&self) -> &[Neighbour] {
        &self.sorted
    }

    /// Visits every other body on the storey within a distance of `me`, with the vector from it to
    /// `me` and the squared distance; in one order on every machine.
    #[inline]
    pub fn visit(
        &self,
        me: &Neighbour,
        distance: f64,
        mut visit: impl FnMut(&Neighbour, DVec2, f64),
    ) {
        let squared = distance * distance;
        self.visit_squares(me.position, distance, |run| {
            for (i, place) in run.clone().zip(&self.places[run]) {
                let away = me.position - *place;
                let apart = away.length_squared();
                if apart > squared {
                    continue;
                }
                let other = &self.sorted[i];
                if other.slot != me.slot && (other.height - me.height).abs() < STOREY {
                    visit(other, away, apart);
                }
            }
        });
    }

    /// Visits runs of bodies that include all within a distance.
    #[inline]
    fn visit_squares(&self, p: DVec2, distance: f64, mut visit: impl FnMut(Range<usize>)) {
        if self.sorted.is_empty() {
            return;
        }
        let low = self.square_at(p - distance).1;
        let high = self.square_at(p + distance).1;
        for row in low..=high {
            // Rows above and below meet less of the disc.
            let bottom = self.origin.y + row as f64 * self.square;
            let aside = (bottom - p.y).max(p.y - bottom - self.square) - ROUNDING;
            let aside = aside.max(0.0);
            let half = (distance * distance - aside * aside).max(0.0).sqrt();
            let left = self.square_at(DVec2::new(p.x - half, p.y)).0;
            let right = self.square_at(DVec2::new(p.x + half, p.y)).0;
            // The squares of a row follow each other, and so do their bodies.
            let from = self.starts[row * self.columns + left] as usize;
            let to = self.starts[row * self.columns + right + 1] as usize;
            visit(from..to);
        }
    }

    /// Whether a body of that radius would overlap another one.
    #[must_use]
    pub fn is_occupied(&self, p: DVec2, height: f64, radius: f64, largest: f64) -> bool {
        let mut is_occupied = false;
        self.visit_squares(p, radius + largest, |run| {
            is_occupied |= self.sorted[run].iter().any(|other| {
                let least = radius + other.radius;
                other.position.distance_squared(p) < least * least
                    && (other.height - height).abs() < STOREY
            });
        });
        is_occupied
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Random;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn neighbours_are_those_of_brute_force_in_one_order(
            seed in any::<u64>(),
            count in 0_u32..200,
            extent in 0.0..200.0_f64,
            distance in 0.1..6.0_f64,
        ) {
            let mut random = Random::new(seed);
            let all: Vec<Neighbour> = (0..count)
                .map(|slot| Neighbour {
                    position: random.point(DVec2::ZERO, DVec2::splat(extent)),
                    height: if random.chance(0.2) { 3.0 } else { 0.0 },
                    slot,
                    ..Neighbour::default()
                })
                .collect();
            let mut grid = NeighbourGrid::default();
            grid.rebuild(&all);
            prop_assert_eq!(grid.sorted().len(), all.len());
            for me in &all {
                let mut found = Vec::new();
                grid.visit(me, distance, |other, away, squared| {
                    assert_eq!(away, me.position - other.position);
                    assert_eq!(squared, away.length_squared());
                    found.push(other.slot);
                });
                found.sort_unstable();
                let expected: Vec<u32> = all
                    .iter()
                    .filter(|other| {
                        other.slot != me.slot
                            && other.height == me.height
                            && other.position.distance(me.position) <= distance
                    })
                    .map(|other| other.slot)
                    .collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}

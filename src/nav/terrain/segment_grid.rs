//! Segments sorted into the squares of a grid that they pass through.

use crate::geometry::Rect;
use glam::DVec2;
use std::ops::ControlFlow;

/// Most squares along one side.
const MAX_SIDE: f64 = 2048.0;

/// Which segments may be near a place. Flat tables: square `i` holds
/// `items[starts[i]..starts[i + 1]]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SegmentGrid {
    origin: DVec2,
    per_unit: f64,
    columns: u32,
    rows: u32,
    /// Squares that a segment passes this near are among its squares, too.
    margin: f64,
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl SegmentGrid {
    /// About one square for each segment, over the bounds of all of them.
    pub fn new(segments: &[[DVec2; 2]]) -> Self {
        Self::with_margin(segments, 0.0)
    }

    /// The same, with segments in all squares that they come near to along both axes.
    pub fn with_margin(segments: &[[DVec2; 2]], margin: f64) -> Self {
        let extent = Rect::of_points(segments.iter().flatten());
        let size = extent.size();
        if segments.is_empty() || !size.is_finite() {
            return Self::default();
        }
        let long = size.max_element();
        let square = (size.x * size.y / segments.len() as f64)
            .sqrt()
            .max(long / MAX_SIDE)
            .max(long / (2.0 * segments.len() as f64 + 16.0))
            .max(f64::MIN_POSITIVE);
        let count = |length: f64| (length / square).floor().clamp(0.0, MAX_SIDE) as u32 + 1;
        let mut grid = Self {
            origin: extent.min,
            per_unit: 1.0 / square,
            columns: count(size.x),
            rows: count(size.y),
            margin,
            starts: Vec::new(),
            items: Vec::new(),
        };
        let squares = grid.columns as usize * grid.rows as usize;
        let mut starts = vec![0_u32; squares + 1];
        for segment in segments {
            grid.squares_of(*segment, |at| starts[at + 1] += 1);
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut items = vec![0_u32; starts[squares] as usize];
        for (segment, index) in segments.iter().zip(0..) {
            grid.squares_of(*segment, |at| {
                items[next[at] as usize] = index;
                next[at] += 1;
            });
        }
        grid.starts = starts;
        grid.items = items;
        grid
    }

    fn column(&self, x: f64) -> u32 {
        // Casts keep to what fits.
        (((x - self.origin.x) * self.per_unit) as u32).min(self.columns - 1)
    }

    fn row(&self, y: f64) -> u32 {
        (((y - self.origin.y) * self.per_unit) as u32).min(self.rows - 1)
    }

    /// Every square that a segment passes, and at times a neighbour: row by row.
    fn squares_of(&self, segment: [DVec2; 2], mut visit: impl FnMut(usize)) {
        let rows = self.rows_of(segment);
        for (_, squares) in rows {
            squares.for_each(&mut visit);
        }
    }

    /// The same row by row from the first end to the second, with how much of the segment is
    /// certain to lie in the rows up to there.
    fn rows_of(
        &self,
        [a, b]: [DVec2; 2],
    ) -> impl Iterator<Item = (f64, std::ops::Range<usize>)> + '_ {
        let margin = self.margin;
        let is_up = a.y <= b.y;
        let beyond = if is_up { margin } else { -margin };
        let (first, last) = (self.row(a.y - beyond), self.row(b.y + beyond));
        let slope = (b.x - a.x) / (b.y - a.y);
        let (side, slack) = (1.0 / self.per_unit, 1e-6 / self.per_unit);
        let (least, most) = (a.x.min(b.x) - margin, a.x.max(b.x) + margin);
        let (low, high) = (first.min(last), first.max(last));
        (low..=high).map(move |step| {
            let row = if is_up { step } else { low + (high - step) };
            let (mut from, mut to, mut covered) = (least, most, 1.0);
            // Flat segments have no place at a height.
            if first != last && slope.is_finite() {
                let y = |row: f64| self.origin.y + row * side;
                let [under, over] = [y(f64::from(row)), y(f64::from(row) + 1.0)];
                let at = |y: f64| a.x + (y - a.y) * slope;
                let [p, q] = [at(under - margin), at(over + margin)];
                from = from.max(p.min(q) - slack - margin);
                to = to.min(p.max(q) + slack + margin);
                let end = if is_up { over - slack } else { under + slack };
                covered = if row == last {
                    1.0
                } else {
                    (end - a.y) / (b.y - a.y)
                };
            }
            let (from, to) = (self.column(from), self.column(to));
            let base = row as usize * self.columns as usize;
            (
                covered,
                base + from as usize..base + to.max(from) as usize + 1,
            )
        })
    }

    /// Segments that may meet one, in groups from its first end to its second, each with how much
    /// of it is certain to be met by none but the groups so far; until somebody knows an answer,
    /// which is `true` if nobody does.
    #[inline]
    pub fn all_along(
        &self,
        segment: [DVec2; 2],
        mut visit: impl FnMut(f64, &[u32]) -> ControlFlow<bool>,
    ) -> bool {
        // Squares of a row lie one after the other, and so do their segments.
        for (covered, squares) in self.rows_of(segment) {
            let items = self.starts[squares.start] as usize..self.starts[squares.end] as usize;
            if let ControlFlow::Break(answer) = visit(covered, &self.items[items]) {
                return answer;
            }
        }
        true
    }

    /// The segments of each square that has several.
    pub fn crowds(&self) -> impl Iterator<Item = &[u32]> {
        self.starts
            .windows(2)
            .map(|range| &self.items[range[0] as usize..range[1] as usize])
            .filter(|items| items.len() > 1)
    }

    /// Segments that may come into a rectangle; some of them several times.
    pub fn near(&self, scope: Rect) -> impl Iterator<Item = u32> + '_ {
        let (columns, rows) = if self.starts.is_empty() || scope.is_empty() {
            (0..0, 0..0)
        } else {
            (
                self.column(scope.min.x)..self.column(scope.max.x) + 1,
                self.row(scope.min.y)..self.row(scope.max.y) + 1,
            )
        };
        rows.flat_map(move |row| {
            let base = row as usize * self.columns as usize;
            columns.clone().flat_map(move |column| {
                let at = base + column as usize;
                &self.items[self.starts[at] as usize..self.starts[at + 1] as usize]
            })
        })
        .copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Random;
    use crate::nav::corridor::segment_distance;

    #[test]
    fn whatever_meets_a_rectangle_is_named() {
        let mut random = Random::new(5);
        for size in [0.01, 1.0, 50.0] {
            let segments: Vec<[DVec2; 2]> = (0..200)
                .map(|_| {
                    let a = random.point(DVec2::ZERO, DVec2::new(100.0, 40.0));
                    let b = a + random.point(DVec2::splat(-size), DVec2::splat(size));
                    [a, b]
                })
                .collect();
            let grid = SegmentGrid::new(&segments);
            for _ in 0..50 {
                let p = random.point(DVec2::splat(-5.0), DVec2::new(105.0, 45.0));
                let scope = Rect::around(p, DVec2::splat(2.0));
                let named: Vec<u32> = grid.near(scope).collect();
                for (segment, index) in segments.iter().zip(0..) {
                    if segment_distance(segment[0], segment[1], p, p) <= 2.0 {
                        assert!(named.contains(&index));
                    }
                }
            }
        }
        assert_eq!(
            SegmentGrid::new(&[])
                .near(Rect::around(DVec2::ZERO, DVec2::ONE))
                .count(),
            0
        );
        let dot = [[DVec2::ONE; 2]];
        let near = Rect::around(DVec2::ONE, DVec2::ONE);
        assert_eq!(SegmentGrid::new(&dot).near(near).count(), 1);
    }
}

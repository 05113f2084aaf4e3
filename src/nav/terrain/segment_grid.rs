//! A uniform grid over segments.

use crate::geometry::Rect;
use glam::DVec2;
use std::ops::ControlFlow;

/// Maximum squares along one side.
const MAX_SIDE: f64 = 2048.0;

/// Flat tables: square `i` holds `items[starts[i]..starts[i + 1]]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::nav) struct SegmentGrid {
    origin: DVec2,
    per_unit: f64,
    /// Side of a square.
    square: f64,
    columns: u32,
    rows: u32,
    /// A segment is also listed in squares that it misses by up to this margin.
    margin: f64,
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl SegmentGrid {
    /// About one square per segment, over the bounds of all of them.
    pub fn new(segments: &[[DVec2; 2]]) -> Self {
        Self::with_margin(segments, 0.0)
    }

    /// [`Self::new`], listing segments in all squares within `margin` along both axes.
    pub fn with_margin(segments: &[[DVec2; 2]], margin: f64) -> Self {
        let own_numbers = segments.iter().copied().zip(0..);
        Self::of_numbered(own_numbers, segments.len(), margin)
    }

    /// About one square per chain. `segments` carry the number of their chain and are grouped by
    /// chain.
    pub fn of_chains(segments: &[([DVec2; 2], u32)]) -> Self {
        let count = segments.last().map_or(0, |(_, last)| *last as usize + 1);
        Self::of_numbered(segments.iter().copied(), count, 0.0)
    }

    fn of_numbered(
        segments: impl Iterator<Item = ([DVec2; 2], u32)> + Clone,
        total: usize,
        margin: f64,
    ) -> Self {
        let mut extent = Rect::EMPTY;
        for (ends, _) in segments.clone() {
            extent = extent.including(ends[0]).including(ends[1]);
        }
        let size = extent.size();
        if total == 0 || !size.is_finite() {
            return Self::default();
        }
        let long = size.max_element();
        let square = (size.x * size.y / total as f64)
            .sqrt()
            .max(long / MAX_SIDE)
            .max(long / (2.0 * total as f64 + 16.0))
            .max(f64::MIN_POSITIVE);
        let count = |length: f64| (length / square).floor().clamp(0.0, MAX_SIDE) as u32 + 1;
        let mut grid = Self {
            origin: extent.min,
            per_unit: 1.0 / square,
            square,
            columns: count(size.x),
            rows: count(size.y),
            margin,
            starts: Vec::new(),
            items: Vec::new(),
        };
        let squares = grid.columns as usize * grid.rows as usize;
        let mut starts = vec![0_u32; squares + 1];
        // The last item in each square, to avoid duplicates.
        let mut last = vec![u32::MAX; squares];
        for (segment, number) in segments.clone() {
            grid.squares_of(segment, |at| {
                starts[at + 1] += u32::from(last[at] != number);
                last[at] = number;
            });
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut items = vec![0_u32; starts[squares] as usize];
        last.fill(u32::MAX);
        for (segment, number) in segments {
            grid.squares_of(segment, |at| {
                if last[at] != number {
                    items[next[at] as usize] = number;
                    next[at] += 1;
                    last[at] = number;
                }
            });
        }
        grid.starts = starts;
        grid.items = items;
        grid
    }

    fn column(&self, x: f64) -> u32 {
        // Casts saturate.
        (((x - self.origin.x) * self.per_unit) as u32).min(self.columns - 1)
    }

    fn row(&self, y: f64) -> u32 {
        (((y - self.origin.y) * self.per_unit) as u32).min(self.rows - 1)
    }

    /// Visits every square that a segment passes, and sometimes a neighbour, row by row.
    fn squares_of(&self, segment: [DVec2; 2], mut visit: impl FnMut(usize)) {
        let rows = self.rows_of(segment);
        for (_, squares) in rows {
            squares.for_each(&mut visit);
        }
    }

    /// The squares that a segment passes, row by row from the first end to the second, with the y
    /// at which each row ends.
    #[inline]
    fn rows_of(
        &self,
        [a, b]: [DVec2; 2],
    ) -> impl Iterator<Item = (f64, std::ops::Range<usize>)> + '_ {
        let margin = self.margin;
        let is_up = a.y <= b.y;
        let beyond = if is_up { margin } else { -margin };
        let (first, last) = (self.row(a.y - beyond), self.row(b.y + beyond));
        let slope = (b.x - a.x) / (b.y - a.y);
        let slack = 1e-6 * self.square;
        let (least, most) = (a.x.min(b.x) - margin, a.x.max(b.x) + margin);
        let (low, high) = (first.min(last), first.max(last));
        // Where the line enters a row from the left, and where it leaves it on the right.
        let (lefts, rights) = if slope >= 0.0 {
            (-margin, self.square + margin)
        } else {
            (self.square + margin, -margin)
        };
        (low..=high).map(move |step| {
            let row = if is_up { step } else { low + (high - step) };
            let (mut from, mut to) = (least, most);
            let mut done = if is_up {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            };
            // A horizontal segment has no intersection with a height.
            if first != last && slope.is_finite() {
                let under = self.origin.y + f64::from(row) * self.square;
                let over = under + self.square;
                let at = |y: f64| a.x + (y - a.y) * slope;
                let [p, q] = [at(under + lefts), at(under + rights)];
                from = larger(from, p - slack - margin);
                to = smaller(to, q + slack + margin);
                done = if is_up { over - slack } else { under + slack };
            }
            if row == last {
                done = b.y;
            }
            let (from, to) = (self.column(from), self.column(to));
            let base = row as usize * self.columns as usize;
            (done, base + from as usize..base + to.max(from) as usize + 1)
        })
    }

    /// Visits segments that may meet `segment`, in groups from its first end to its second, each
    /// with the y up to which no later group can meet it. Stops at the first answer; `true` if
    /// there is none.
    #[inline]
    pub fn all_along(
        &self,
        segment: [DVec2; 2],
        mut visit: impl FnMut(f64, &[u32]) -> ControlFlow<bool>,
    ) -> bool {
        if self.starts.is_empty() {
            return true;
        }
        // Squares of a row are contiguous, and so are their segments.
        for (done, squares) in self.rows_of(segment) {
            let items = self.starts[squares.start] as usize..self.starts[squares.end] as usize;
            if let ControlFlow::Break(answer) = visit(done, &self.items[items]) {
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

    /// Segments that may intersect a rectangle; some occur several times.
    pub fn near(&self, scope: Rect) -> impl Iterator<Item = u32> + '_ {
        self.rows_near(scope).flatten().copied()
    }

    /// Visits all segments that may intersect a rectangle; some occur several times.
    #[inline]
    pub fn visit_near(&self, scope: Rect, mut visit: impl FnMut(u32)) {
        for row in self.rows_near(scope) {
            for index in row {
                visit(*index);
            }
        }
    }

    #[inline]
    fn rows_near(&self, scope: Rect) -> impl Iterator<Item = &[u32]> + '_ {
        let (rows, first, last) = if self.starts.is_empty() || scope.is_empty() {
            (0..0, 0, 0)
        } else {
            (
                self.row(scope.min.y)..self.row(scope.max.y) + 1,
                self.column(scope.min.x),
                self.column(scope.max.x),
            )
        };
        rows.map(move |row| {
            // Squares of a row are contiguous, and so are their segments.
            let base = row as usize * self.columns as usize;
            let squares = base + first as usize..base + last as usize + 1;
            let items = self.starts[squares.start] as usize..self.starts[squares.end] as usize;
            &self.items[items]
        })
    }
}

/// Faster than `f64::min`, since it does not handle NaN.
const fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

const fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
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
                let mut named: Vec<u32> = Vec::new();
                grid.visit_near(scope, |index| named.push(index));
                for (segment, index) in segments.iter().zip(0..) {
                    if segment_distance(segment[0], segment[1], p, p) <= 2.0 {
                        assert!(named.contains(&index));
                    }
                }
            }
        }
        let count = |segments: &[[DVec2; 2]], scope: Rect| {
            let mut count = 0;
            SegmentGrid::new(segments).visit_near(scope, |_| count += 1);
            count
        };
        let near = Rect::around(DVec2::ONE, DVec2::ONE);
        assert_eq!(count(&[], near), 0);
        assert_eq!(count(&[[DVec2::ONE; 2]], near), 1);
    }

    #[test]
    fn whatever_meets_a_segment_is_named_before_that_part_is_done() {
        let mut random = Random::new(6);
        for size in [0.01, 1.0, 50.0] {
            let mut place = || random.point(DVec2::ZERO, DVec2::new(100.0, 40.0));
            let segments: Vec<[DVec2; 2]> = (0..200)
                .map(|_| [place(), place()])
                .map(|[a, b]| [a, a + (b - a).normalize_or_zero() * size])
                .collect();
            let grid = SegmentGrid::new(&segments);
            for case in 0..60 {
                let [a, mut b] = [place(), place()];
                match case % 4 {
                    0 => b.y = a.y,
                    1 => b.x = a.x,
                    _ => {}
                }
                let mut named: Vec<(f64, u32)> = Vec::new();
                let mut done = a.y;
                let is_from_scratch = grid.all_along([a, b], |until, items| {
                    named.extend(items.iter().map(|index| (done, *index)));
                    done = until;
                    ControlFlow::Continue(())
                });
                assert!(is_from_scratch && done == b.y, "{done}");
                for (&[c, d], index) in segments.iter().zip(0..) {
                    let across = (b - a).perp_dot(d - c);
                    let share = (c - a).perp_dot(d - c) / across;
                    if segment_distance(a, b, c, d) > 0.0 || !(0.0..=1.0).contains(&share) {
                        continue;
                    }
                    let before = named.iter().find(|(_, named)| *named == index);
                    let before = before.map(|(before, _)| (before - a.y) * (b.y - a.y).signum());
                    let met = share * (b.y - a.y).abs();
                    assert!(before.is_some_and(|before| before <= met + 1e-9));
                }
            }
        }
    }
}

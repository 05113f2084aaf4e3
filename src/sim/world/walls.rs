//! What bodies cannot pass: the border of everything walkable, in a grid for short queries.
//!
//! The border is that of the bounds without all obstacles, so edges inside other obstacles do not
//! count. Walkable ground is on the left of every segment.

use crate::geometry::polygon::{closest_on_segment, signed_area};
use crate::geometry::{Polygon, Rect, boolean};
use glam::DVec2;

/// Walls are listed in every square within this distance of them, at least. Unit: metres.
const REACH: f64 = 1.2;

/// Side of a square, in levels of ordinary size. Unit: metres.
const SQUARE: f64 = 1.0;

/// Largest number of squares along one side.
const MAX_SQUARES: f64 = 1024.0;

/// A step is cut into pieces shorter than this share of the body's radius: from a place where it
/// fits, such a piece cannot lead through a wall.
const PIECE: f64 = 0.5;

/// Most pieces of one step; a faster body is slowed down.
const MAX_PIECES: f64 = 64.0;

/// Bodies may come this close to overlapping a wall. Unit: metres.
const TOUCH: f64 = 1e-9;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Segment {
    from: DVec2,
    to: DVec2,
    /// The other end of the segment that ends in `from`.
    before: DVec2,
}

/// The point of a wall nearest to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallPoint {
    pub at: DVec2,
    /// Unit: metres.
    pub distance: f64,
}

#[derive(Clone, Debug, Default)]
pub struct Walls {
    segments: Vec<Segment>,
    origin: DVec2,
    square: f64,
    reach: f64,
    columns: usize,
    rows: usize,
    /// Square `i` lists `items[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Walls {
    /// The border of `bounds` without `obstacles`, for bodies up to `radius`.
    #[must_use]
    pub fn new(bounds: Rect, obstacles: &[Polygon], radius: f64) -> Self {
        let walkable = boolean::difference(&[Polygon::rect(bounds)], obstacles);
        Self::of_rings(walkable.iter().flat_map(oriented), radius)
    }

    /// The borders of obstacles alone, such as moving ones.
    #[must_use]
    pub fn around(obstacles: &[Polygon], radius: f64) -> Self {
        let reversed = |polygon: &Polygon| {
            let rings: Vec<Vec<DVec2>> = oriented(polygon)
                .map(|mut ring| {
                    ring.reverse();
                    ring
                })
                .collect();
            rings
        };
        Self::of_rings(obstacles.iter().flat_map(reversed), radius)
    }

    fn of_rings(rings: impl Iterator<Item = Vec<DVec2>>, radius: f64) -> Self {
        let mut segments = Vec::new();
        for mut ring in rings {
            ring.dedup();
            while ring.len() > 1 && ring.first() == ring.last() {
                ring.pop();
            }
            let count = ring.len();
            segments.extend((0..count).filter(|_| count > 1).map(|i| Segment {
                from: ring[i],
                to: ring[(i + 1) % count],
                before: ring[(i + count - 1) % count],
            }));
        }
        let mut walls = Self {
            segments,
            reach: REACH.max(2.0 * radius + 0.2),
            ..Self::default()
        };
        walls.sort_in();
        walls
    }

    fn sort_in(&mut self) {
        let mut extent = Rect::EMPTY;
        for segment in &self.segments {
            extent = extent.including(segment.from).including(segment.to);
        }
        if self.segments.is_empty() || !extent.size().is_finite() {
            self.segments.clear();
            return;
        }
        let extent = extent.expanded(self.reach);
        let size = extent.size();
        self.square = SQUARE
            .max(0.5 * self.reach)
            .max(size.max_element() / MAX_SQUARES);
        self.origin = extent.min;
        self.columns = (size.x / self.square) as usize + 1;
        self.rows = (size.y / self.square) as usize + 1;
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (index, segment) in self.segments.iter().enumerate() {
            self.squares_near(segment, |square| pairs.push((square as u32, index as u32)));
        }
        // Within a square, segments stay in their order.
        pairs.sort_unstable();
        self.starts = vec![0; self.columns * self.rows + 1];
        for (square, _) in &pairs {
            self.starts[*square as usize + 1] += 1;
        }
        for i in 1..self.starts.len() {
            self.starts[i] += self.starts[i - 1];
        }
        self.items = pairs.into_iter().map(|(_, index)| index).collect();
    }

    fn squares_near(&self, segment: &Segment, mut visit: impl FnMut(usize)) {
        let scope = Rect::spanning(segment.from, segment.to).expanded(self.reach);
        let (low, high) = (self.square_at(scope.min), self.square_at(scope.max));
        let near = self.reach + self.square * std::f64::consts::FRAC_1_SQRT_2;
        for row in low.1..=high.1 {
            for column in low.0..=high.0 {
                let middle =
                    self.origin + DVec2::new(column as f64 + 0.5, row as f64 + 0.5) * self.square;
                let closest = closest_on_segment(segment.from, segment.to, middle);
                if closest.distance_squared(middle) <= near * near {
                    visit(row * self.columns + column);
                }
            }
        }
    }

    /// Column and row of the square at a point, clamped to the grid. Casts saturate.
    fn square_at(&self, p: DVec2) -> (usize, usize) {
        let at = (p - self.origin) / self.square;
        let column = (at.x as usize).min(self.columns.saturating_sub(1));
        let row = (at.y as usize).min(self.rows.saturating_sub(1));
        (column, row)
    }

    fn is_outside(&self, p: DVec2) -> bool {
        let at = (p - self.origin) / self.square;
        !(at.x >= 0.0 && at.y >= 0.0 && at.x < self.columns as f64 && at.y < self.rows as f64)
    }

    /// Walls near a point: all within [`Self::reach`], and some more.
    fn near(&self, p: DVec2) -> impl Iterator<Item = &Segment> {
        let items: &[u32] = if self.segments.is_empty() || self.is_outside(p) {
            &[]
        } else {
            let (column, row) = self.square_at(p);
            let square = row * self.columns + column;
            &self.items[self.starts[square] as usize..self.starts[square + 1] as usize]
        };
        items.iter().map(|index| &self.segments[*index as usize])
    }

    /// Walls farther away than this are not seen. Unit: metres.
    #[must_use]
    pub const fn reach(&self) -> f64 {
        self.reach
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// The segments of the border.
    pub fn segments(&self) -> impl ExactSizeIterator<Item = [DVec2; 2]> {
        self.segments.iter().map(|s| [s.from, s.to])
    }

    /// Distance to the nearest wall, on whichever side of it; at least [`Self::reach`] where none
    /// is near. Unit: metres.
    #[must_use]
    pub fn clearance(&self, p: DVec2) -> f64 {
        let squared = |s: &Segment| closest_on_segment(s.from, s.to, p).distance_squared(p);
        let least = self.near(p).map(squared).fold(f64::INFINITY, f64::min);
        least.sqrt().max(0.0)
    }

    /// One point for each wall within `reach`: where the distance along its line has a minimum.
    /// A corner that two segments share counts once, and a joint in a straight wall not at all.
    pub fn points_near(&self, p: DVec2, reach: f64, found: &mut Vec<WallPoint>) {
        for segment in self.near(p) {
            let along = segment.to - segment.from;
            let offset = p - segment.from;
            let t = along.dot(offset);
            let at = if t <= 0.0 {
                let back = segment.before - segment.from;
                let is_minimum = offset.dot(back) <= 0.0;
                let is_corner = (-back).perp_dot(along) < 0.0;
                if !is_minimum || !is_corner {
                    continue;
                }
                segment.from
            } else {
                let squared = along.length_squared();
                if t >= squared || along.perp_dot(offset) < 0.0 {
                    continue;
                }
                segment.from + along * (t / squared)
            };
            let squared = at.distance_squared(p);
            if squared <= reach * reach {
                let distance = squared.sqrt();
                found.push(WallPoint { at, distance });
            }
        }
    }

    /// Walls with a point within `reach` of `p`, as segments.
    pub fn segments_near(&self, p: DVec2, reach: f64) -> impl Iterator<Item = [DVec2; 2]> {
        let is_near = move |s: &&Segment| {
            closest_on_segment(s.from, s.to, p).distance_squared(p) <= reach * reach
        };
        self.near(p).filter(is_near).map(|s| [s.from, s.to])
    }

    /// Whether a wall near `p` is between it and `q`.
    #[must_use]
    pub fn separates(&self, p: DVec2, q: DVec2) -> bool {
        self.near(p).any(|s| {
            let along = s.to - s.from;
            let (a, b) = (along.perp_dot(p - s.from), along.perp_dot(q - s.from));
            let sight = q - p;
            let (c, d) = (sight.perp_dot(s.from - p), sight.perp_dot(s.to - p));
            a * b < 0.0 && c * d < 0.0
        })
    }

    /// Whether a disc, smaller than the reach, can move straight from `p` to `q`.
    #[must_use]
    pub fn is_clear(&self, p: DVec2, q: DVec2, radius: f64) -> bool {
        self.along(p, q, |segment| {
            segment_distance(p, q, segment.from, segment.to) >= radius
        })
    }

    /// The distance to the first wall from `p` in a direction of length 1, at most `farthest`.
    #[must_use]
    pub fn ray(&self, p: DVec2, direction: DVec2, farthest: f64) -> f64 {
        let mut least = farthest;
        self.along(p, p + direction * farthest, |segment| {
            let along = segment.to - segment.from;
            let denominator = direction.perp_dot(along);
            if denominator != 0.0 {
                let offset = segment.from - p;
                let (t, u) = (
                    offset.perp_dot(along) / denominator,
                    offset.perp_dot(direction) / denominator,
                );
                if t >= 0.0 && (0.0..=1.0).contains(&u) {
                    least = least.min(t);
                }
            }
            true
        });
        least
    }

    /// The point of a wall nearest to `p` within an angle of a direction of length 1, no farther
    /// than `farthest`. The angle, below a right one, is given by its cosine and sine.
    #[must_use]
    pub fn nearest_within(
        &self,
        p: DVec2,
        direction: DVec2,
        [cosine, sine]: [f64; 2],
        farthest: f64,
    ) -> Option<DVec2> {
        if self.segments.is_empty() || !p.is_finite() || !farthest.is_finite() {
            return None;
        }
        // The two sides of the wedge are given by their normals.
        let sides = [
            direction * sine + direction.perp() * cosine,
            direction * sine - direction.perp() * cosine,
        ];
        let mut best = farthest * farthest;
        let mut found = None;
        let (column, row) = self.square_at(p);
        let (column, row) = (column as i64, row as i64);
        let rings = (farthest / self.square).ceil() as i64 + 1;
        for ring in 0..=rings {
            // Whatever is closer than this was seen in the rings before.
            let seen = (ring - 1) as f64 * self.square;
            if seen > 0.0 && seen * seen > best {
                break;
            }
            let columns = column - ring..=column + ring;
            for (y, is_edge) in (row - ring..=row + ring).map(|y| (y, (y - row).abs() == ring)) {
                let step = if is_edge { 1 } else { (2 * ring).max(1) };
                for x in columns.clone().step_by(step as usize) {
                    let is_inside =
                        (0..self.columns as i64).contains(&x) && (0..self.rows as i64).contains(&y);
                    if !is_inside {
                        continue;
                    }
                    let square = y as usize * self.columns + x as usize;
                    let items = self.starts[square] as usize..self.starts[square + 1] as usize;
                    for index in &self.items[items] {
                        let segment = &self.segments[*index as usize];
                        let Some([from, to]) = clipped([segment.from, segment.to], p, sides) else {
                            continue;
                        };
                        let point = closest_on_segment(from, to, p);
                        let squared = point.distance_squared(p);
                        if squared < best {
                            (best, found) = (squared, Some(point));
                        }
                    }
                }
            }
        }
        found
    }

    /// Visits the walls near a straight line until `check` fails; whether it never did.
    fn along(&self, p: DVec2, q: DVec2, mut check: impl FnMut(&Segment) -> bool) -> bool {
        if self.segments.is_empty() || !p.is_finite() || !q.is_finite() {
            return true;
        }
        // Lists reach farther than half a square, so samples a square apart meet every wall.
        let length = p.distance(q);
        let steps = (length / self.square).ceil().max(1.0);
        let mut last = usize::MAX;
        for i in 0..=steps as usize {
            let at = p.lerp(q, i as f64 / steps);
            if self.is_outside(at) {
                continue;
            }
            let (column, row) = self.square_at(at);
            let square = row * self.columns + column;
            if square == last {
                continue;
            }
            last = square;
            let items = self.starts[square] as usize..self.starts[square + 1] as usize;
            if !self.items[items]
                .iter()
                .all(|index| check(&self.segments[*index as usize]))
            {
                return false;
            }
        }
        true
    }

    /// Where a disc ends up that is to move by `step`: it slides along walls, and never comes
    /// closer to one than its radius, nor through one, if it did not overlap one before. One that
    /// does may move wherever that does not make it worse.
    #[must_use]
    pub fn advance(&self, from: DVec2, step: DVec2, radius: f64) -> DVec2 {
        let length = step.length();
        if length == 0.0 || !length.is_finite() {
            return from;
        }
        let nearest = self.clearance(from);
        if nearest - length > radius && nearest.min(self.reach) - length > radius {
            return from + step;
        }
        let piece = radius * PIECE;
        let pieces = (length / piece).ceil().clamp(1.0, MAX_PIECES);
        let part = step * (1.0 / pieces).min(piece / length);
        let mut at = from;
        for piece in 0..pieces as usize {
            let next = self.slide(at, part, radius);
            // A step of several pieces must not bend around a corner.
            if next == at || piece > 0 && !self.is_clear(from, next, 0.5 * radius) {
                break;
            }
            at = next;
        }
        at
    }

    fn slide(&self, from: DVec2, part: DVec2, radius: f64) -> DVec2 {
        let fits = self.clearance(from).min(radius);
        // From a place with that clearance, a shorter step meets no wall.
        let leash = fits * 0.99;
        let mut at = from + part;
        for _ in 0..4 {
            let mut deepest: Option<(f64, DVec2)> = None;
            for segment in self.near(at) {
                let point = closest_on_segment(segment.from, segment.to, at);
                let distance = point.distance(at);
                if distance < radius - TOUCH && deepest.is_none_or(|(least, _)| distance < least) {
                    deepest = Some((distance, point));
                }
            }
            let Some((_, point)) = deepest else {
                break;
            };
            let Some(away) = (at - point).try_normalize() else {
                return from;
            };
            at = point + away * radius;
        }
        let is_short = at.distance_squared(from) < leash * leash;
        if is_short && self.clearance(at) >= fits - TOUCH {
            at
        } else {
            from
        }
    }
}

/// The part of a segment on the inner side of two lines through `p`.
fn clipped([mut from, mut to]: [DVec2; 2], p: DVec2, normals: [DVec2; 2]) -> Option<[DVec2; 2]> {
    for normal in normals {
        let (a, b) = (normal.dot(from - p), normal.dot(to - p));
        if a < 0.0 && b < 0.0 {
            return None;
        }
        if (a < 0.0) != (b < 0.0) {
            let cut = from.lerp(to, a / (a - b));
            *(if a < 0.0 { &mut from } else { &mut to }) = cut;
        }
    }
    Some([from, to])
}

/// The rings of a polygon with its inside on their left.
fn oriented(polygon: &Polygon) -> impl Iterator<Item = Vec<DVec2>> + '_ {
    polygon.rings().enumerate().map(|(index, ring)| {
        let mut ring = ring.clone();
        if (signed_area(&ring) > 0.0) != (index == 0) {
            ring.reverse();
        }
        ring
    })
}

/// Smallest distance between two segments; 0 where they cross.
fn segment_distance(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> f64 {
    let (ab, cd) = (b - a, d - c);
    let crosses = ab.perp_dot(c - a) * ab.perp_dot(d - a) < 0.0
        && cd.perp_dot(a - c) * cd.perp_dot(b - c) < 0.0;
    if crosses {
        return 0.0;
    }
    let to = |p: DVec2, from: DVec2, to: DVec2| closest_on_segment(from, to, p).distance(p);
    to(a, c, d)
        .min(to(b, c, d))
        .min(to(c, a, b))
        .min(to(d, a, b))
}

#[cfg(test)]
#[path = "walls_tests.rs"]
mod tests;

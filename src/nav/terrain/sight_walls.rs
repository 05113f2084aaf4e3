//! The walls of a radius' free space in short chains, indexed by a grid. Line-of-sight queries are
//! usually answered by the few walls along a line, faster than by tracing cells.

use super::segment_grid::SegmentGrid;
use super::sight::wall_after;
use super::walk::{Stop, side_of};
use crate::geometry::Rect;
use crate::nav::{CellId, CellMap};
use glam::DVec2;
use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;

/// Maximum walls per chain.
const MAX_CHAIN: usize = 8;

/// Maximum extent of a chain, in sides of squares that would hold one wall each.
const REACH: f64 = 4.0;

/// Maximum consecutive walls along which a shadow is followed.
const MAX_ROW: usize = 64;

/// No wall.
const NONE: u32 = u32::MAX;

/// Consecutive walls and a bounding disc, which most lines miss.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Chain {
    centre: DVec2,
    radius: f64,
    first: u32,
    /// Number of corners: one more than walls.
    count: u32,
}

impl Chain {
    /// Range of its corners.
    const fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// Data of the wall that begins at a corner.
#[derive(Clone, Copy, Debug)]
struct Wall {
    side: (CellId, usize),
    /// The walls that end where it begins, and begin where it ends; [`NONE`] if unknown.
    before: u32,
    after: u32,
}

/// Sides of cells that are not portals.
#[derive(Clone, Debug)]
pub struct SightWalls {
    chains: Vec<Chain>,
    /// Chain by chain, with the free space on the left.
    corners: Vec<DVec2>,
    /// One per corner; the entry of a chain's last corner is unused.
    walls: Vec<Wall>,
    /// The wall of each side of each cell, indexed by [`CellMap::side_number`].
    of_sides: Vec<u32>,
    extent: Rect,
    /// Index over chains.
    grid: SegmentGrid,
}

impl SightWalls {
    #[must_use]
    pub fn new(cells: &CellMap) -> Self {
        let is_wall = |cell: &CellId| cells.sides(*cell).iter().filter(|side| side.is_none());
        let count: usize = cells.cells().map(|cell| is_wall(&cell).count()).sum();
        let corners = cells.cells().flat_map(|cell| cells.corners(cell));
        let extent = Rect::of_points(corners);
        let size = extent.size();
        let reach = REACH * (size.x * size.y / count.max(1) as f64).sqrt();
        let mut all = Self {
            chains: Vec::new(),
            corners: Vec::with_capacity(2 * count),
            walls: Vec::with_capacity(2 * count),
            of_sides: vec![NONE; cells.side_count()],
            extent,
            grid: SegmentGrid::default(),
        };
        let mut segments = Vec::with_capacity(count);
        for cell in cells.cells() {
            for (i, side) in cells.sides(cell).iter().enumerate() {
                let mut next = side.is_none().then_some((cell, i));
                while let Some(first) = next.filter(|side| all.is_new(cells, *side)) {
                    next = all.add_chain(cells, first, reach);
                    let chain = all.chains.len() - 1;
                    let corners = &all.corners[all.chains[chain].range()];
                    let walls = corners.windows(2);
                    segments.extend(walls.map(|ends| ([ends[0], ends[1]], chain as u32)));
                }
            }
        }
        all.link(cells);
        all.grid = SegmentGrid::of_chains(&segments);
        all
    }

    fn is_new(&self, cells: &CellMap, (cell, side): (CellId, usize)) -> bool {
        self.of_sides[cells.side_number(cell, side)] == NONE
    }

    /// Adds a wall and its successors while they are new and close. Returns the next one.
    fn add_chain(
        &mut self,
        cells: &CellMap,
        first_side: (CellId, usize),
        reach: f64,
    ) -> Option<(CellId, usize)> {
        let first = self.corners.len();
        let mut extent = Rect::EMPTY;
        let mut side = first_side;
        let after = loop {
            let corners = cells.corners(side.0);
            let [start, end] = [corners[side.1], corners[(side.1 + 1) % corners.len()]];
            self.of_sides[cells.side_number(side.0, side.1)] = self.corners.len() as u32;
            self.add_corner(start, side);
            extent = extent.including(start).including(end);
            let next = wall_after(cells, side);
            let is_near = next.is_some_and(|(next, far)| {
                self.is_new(cells, next)
                    && cells.corners(next.0)[next.1] == end
                    && self.corners.len() - first < MAX_CHAIN
                    && extent.including(far).size().max_element() <= reach
            });
            let next = next.map(|(next, _)| next);
            let Some(near) = next.filter(|_| is_near) else {
                self.add_corner(end, side);
                break next;
            };
            side = near;
        };
        let centre = extent.centre();
        let far = self.corners[first..].iter().map(|p| p.distance(centre));
        self.chains.push(Chain {
            centre,
            radius: far.fold(0.0, f64::max),
            first: first as u32,
            count: (self.corners.len() - first) as u32,
        });
        after
    }

    fn add_corner(&mut self, corner: DVec2, side: (CellId, usize)) {
        self.corners.push(corner);
        self.walls.push(Wall {
            side,
            before: NONE,
            after: NONE,
        });
    }

    /// Links consecutive walls.
    fn link(&mut self, cells: &CellMap) {
        for chain in &self.chains {
            let Range { start, end } = chain.range();
            for wall in start..end - 1 {
                let after = if wall + 2 < end {
                    wall as u32 + 1
                } else {
                    let next = wall_after(cells, self.walls[wall].side);
                    next.map_or(NONE, |((cell, side), _)| {
                        self.of_sides[cells.side_number(cell, side)]
                    })
                };
                self.walls[wall].after = after;
                if let Some(next) = self.walls.get_mut(after as usize) {
                    next.before = wall as u32;
                }
            }
        }
    }

    /// The ends of the shadow of a wall, as seen from a point; towards another point it is extended
    /// along the following walls while they turn away.
    #[must_use]
    pub fn silhouette(
        &self,
        cells: &CellMap,
        from: DVec2,
        stop: &Stop,
        towards: DVec2,
    ) -> [DVec2; 2] {
        let [mut right, mut left] = stop.wall;
        let Some((cell, side)) = stop.side else {
            return stop.wall;
        };
        let mut wall = self.of_sides[cells.side_number(cell, side)];
        let is_left = side_of(from, stop.at, towards) > 0.0;
        for _ in 0..MAX_ROW {
            let Some(Wall { before, after, .. }) = self.walls.get(wall as usize) else {
                break;
            };
            wall = if is_left { *after } else { *before };
            let end = wall as usize + usize::from(is_left);
            let Some(&end) = self.corners.get(end) else {
                break;
            };
            if is_left && side_of(from, left, end) > 0.0 {
                left = end;
            } else if !is_left && side_of(from, right, end) < 0.0 {
                right = end;
            } else {
                break;
            }
        }
        [right, left]
    }

    /// Traces a straight line from a free point: clear, or what blocks it. `None` where a wall is
    /// touched or rounding is inconclusive; then the cells must be traced.
    #[must_use]
    pub fn look(&self, from: DVec2, to: DVec2) -> Option<Result<(), Stop>> {
        if self.chains.is_empty() || !(from.is_finite() && to.is_finite()) {
            return None;
        }
        let along = to - from;
        let length = along.length();
        let mut first: Option<(f64, usize)> = None;
        let mut is_behind = false;
        let mut last = u32::MAX;
        let reach = (self.extent.min - from)
            .abs()
            .max((self.extent.max - from).abs());
        // An upper bound of the rounding error for any corner.
        let blur = 4.0 * f64::EPSILON * (along.x.abs() + along.y.abs()) * reach.max_element();
        let side = |p: DVec2| {
            let side = along.perp_dot(p - from);
            if side.abs() > blur { side } else { 0.0 }
        };
        let is_certain = self.grid.all_along([from, to], |done, chains| {
            for &index in chains {
                let chain = &self.chains[index as usize];
                let aside = along.perp_dot(chain.centre - from).abs();
                // Chains are listed in several squares.
                if aside > chain.radius * length * (1.0 + 1e-9) || index == last {
                    continue;
                }
                last = index;
                let range = chain.range();
                let corners = &self.corners[range.clone()];
                let mut a = corners[0];
                let mut of_a = side(a);
                for (wall, &b) in range.zip(&corners[1..]) {
                    let of_b = side(b);
                    let (before, of_before) = (a, of_a);
                    (a, of_a) = (b, of_b);
                    if of_before * of_b > 0.0 {
                        continue;
                    }
                    let of_from = certain_side(before, b, from);
                    let of_to = certain_side(before, b, to);
                    if of_from * of_to > 0.0 {
                        continue;
                    }
                    if of_before * of_b * of_from * of_to == 0.0 {
                        return ControlFlow::Break(false);
                    }
                    if of_from < 0.0 {
                        // Entered from behind: another wall must have been crossed before.
                        is_behind = true;
                        continue;
                    }
                    let share = of_from / (of_from - of_to);
                    if first.is_none_or(|(least, _)| share < least) {
                        first = Some((share, wall));
                    }
                }
            }
            // What later squares hold is farther away.
            let rise = along.y;
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
        Some(first.map_or(Ok(()), |(share, wall)| {
            Err(Stop {
                at: from + along * share,
                distance: length * share,
                wall: [self.corners[wall], self.corners[wall + 1]],
                side: Some(self.walls[wall].side),
            })
        }))
    }
}

/// Positive if `p` is left of the line from `a` to `b`, negative if right, 0 where rounding is
/// inconclusive.
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

/// Built on first use. Derived from the cells, so it does not affect equality.
#[derive(Debug, Default)]
pub struct LazySightWalls(OnceLock<SightWalls>);

impl Clone for LazySightWalls {
    /// A copy starts empty: the copied cells may be changed.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Polygon;
    use crate::jobs::JobContext;
    use crate::nav::free_space::{FreeSpace, Input};
    use crate::nav::trapezoid::Trapezoids;

    #[test]
    fn behind_something_round_hides_what_lies_between_its_tangents() {
        let bounds = Rect::new(DVec2::splat(-40.0), DVec2::splat(40.0));
        let round = Polygon::regular(DVec2::ZERO, 9.0, 150, 0.1);
        let ctx = JobContext::default();
        let input = Input::of_polygons(bounds, vec![round]);
        let free = FreeSpace::build(input, 1.0, &ctx).expect("not cancelled");
        let cells = Trapezoids::build(&free, &ctx)
            .expect("not cancelled")
            .merged;
        let walls = cells.sight_walls();
        assert!(
            walls.chains.len() > 4 && walls.chains.len() < 60,
            "{} of {}",
            walls.chains.len(),
            walls.corners.len()
        );
        for i in 0..40 {
            let from = DVec2::from_angle(0.37 * f64::from(i)) * 25.0;
            let hidden = -from + from.perp() * (0.01 * f64::from(i % 7) - 0.03);
            let stop = walls
                .look(from, hidden)
                .expect("no corner")
                .expect_err("hidden");
            for towards in [from.perp(), -from.perp()] {
                let [right, left] = walls.silhouette(&cells, from, &stop, towards);
                let side = |p: DVec2| (p - from).angle_to(hidden - from);
                let all = cells.cells().flat_map(|cell| cells.corners(cell));
                let round = all.filter(|p| p.length() < 12.0).map(|p| side(*p));
                let seen = if side_of(from, stop.at, towards) > 0.0 {
                    (side(left), round.fold(f64::INFINITY, f64::min))
                } else {
                    (side(right), round.fold(f64::NEG_INFINITY, f64::max))
                };
                assert!((seen.0 - seen.1).abs() < 1e-9, "{seen:?}");
            }
        }
    }
}

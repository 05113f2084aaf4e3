//! A* on a grid (paper, §4: how the routes of Fig. 1 were computed).

use crate::nav::terrain::raster::TerrainRaster;
use crate::nav::terrain::{BLOCKED, Weights};
use crate::planner::open_list::{Entry, OpenList};
use glam::{DVec2, IVec2};
use std::f64::consts::SQRT_2;

const STEPS: [(IVec2, f64); 8] = [
    (IVec2::new(1, 0), 1.0),
    (IVec2::new(0, 1), 1.0),
    (IVec2::new(-1, 0), 1.0),
    (IVec2::new(0, -1), 1.0),
    (IVec2::new(1, 1), SQRT_2),
    (IVec2::new(-1, 1), SQRT_2),
    (IVec2::new(-1, -1), SQRT_2),
    (IVec2::new(1, -1), SQRT_2),
];

/// The cheapest chain of cells between two points, as cell centres, and the number of expanded
/// cells. A step costs the mean weight of both cells times its length. Corners of blocked cells are
/// not cut. `None` if the points are not connected.
#[must_use]
pub fn grid_route(
    grid: &TerrainRaster,
    weights: &Weights,
    start: DVec2,
    goal: DVec2,
) -> Option<(Vec<DVec2>, usize)> {
    let (first, last) = (near_free(grid, start)?, near_free(grid, goal)?);
    let index = |cell: IVec2| cell.y as usize * grid.size.x as usize + cell.x as usize;
    let cell_of =
        |index: u32| IVec2::new((index % grid.size.x) as i32, (index / grid.size.x) as i32);
    let middle = |cell: IVec2| grid.middle(cell.as_uvec2());
    let estimate = |cell: IVec2| {
        let away = (last - cell).abs().as_dvec2();
        let (long, short) = (away.max_element(), away.min_element());
        weights.least() * grid.pixel * (long - short + SQRT_2 * short)
    };
    let mut costs = vec![f64::INFINITY; grid.kinds.len()];
    let mut from = vec![u8::MAX; grid.kinds.len()];
    let mut is_closed = vec![false; grid.kinds.len()];
    let mut open = OpenList::default();
    costs[index(first)] = 0.0;
    open.push(Entry {
        f: estimate(first),
        g: 0.0,
        node: index(first) as u32,
    });
    let mut expanded = 0;
    while let Some(entry) = open.pop() {
        let at = entry.node as usize;
        if is_closed[at] {
            continue;
        }
        is_closed[at] = true;
        expanded += 1;
        let here = cell_of(entry.node);
        if here == last {
            let mut points = vec![goal];
            let mut cell = last;
            while cell != first {
                points.push(middle(cell));
                cell -= STEPS[usize::from(from[index(cell)])].0;
            }
            points.extend([middle(first), start]);
            points.reverse();
            return Some((points, expanded));
        }
        let weight = weights.get(grid.kinds[at]);
        for ((step, length), number) in STEPS.into_iter().zip(0_u8..) {
            let next = here + step;
            let kind = grid.kind(next);
            let cuts = step.x != 0
                && step.y != 0
                && (grid.kind(IVec2::new(next.x, here.y)) == BLOCKED
                    || grid.kind(IVec2::new(here.x, next.y)) == BLOCKED);
            if kind == BLOCKED || cuts {
                continue;
            }
            let cost = costs[at] + 0.5 * (weight + weights.get(kind)) * length * grid.pixel;
            if cost < costs[index(next)] {
                costs[index(next)] = cost;
                from[index(next)] = number;
                open.push(Entry {
                    f: cost + estimate(next),
                    g: cost,
                    node: index(next) as u32,
                });
            }
        }
    }
    None
}

/// The cell at a point, or a free one beside it.
fn near_free(grid: &TerrainRaster, p: DVec2) -> Option<IVec2> {
    if !p.is_finite() {
        return None;
    }
    let at = grid.pixel_at(p);
    let around = (-2..=2).flat_map(|y| (-2..=2).map(move |x| IVec2::new(x, y)));
    around
        .filter(|offset| grid.kind(at + *offset) != BLOCKED)
        .min_by_key(|offset| (offset.length_squared(), offset.x, offset.y))
        .map(|offset| at + offset)
}

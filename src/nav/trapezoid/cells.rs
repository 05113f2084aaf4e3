//! Trapezoids inside the free space as cells, with the portals between them.

use super::{
    buckets::bucketed,
    construction::NONE,
    inner::Inner,
    segments::{Node, Plan},
};
use crate::nav::cell_map::{CellId, CellMap, NO_CELL, Portal, PortalId};
use glam::DVec2;

/// The unmerged map, with what merging needs.
pub(super) struct RawCells {
    pub map: CellMap,
    /// For each side of `map` its segment; `NONE` for portals and horizontal walls.
    pub walls: Vec<u32>,
    /// [`NO_CELL`] for trapezoids without area.
    pub cell_of_inner: Vec<u32>,
}

/// A horizontal side of a cell, before it is split into portals and walls.
#[derive(Clone, Copy)]
struct Border {
    y: i32,
    /// Index of the height among all.
    row: u32,
    from: f64,
    to: f64,
}

/// The trapezoid of a cell with its corner coordinates.
#[derive(Clone, Copy)]
struct Shape {
    left: u32,
    right: u32,
    area: u32,
    bottom: Border,
    top: Border,
    /// Portals on each border, ordered by x: first and one past the last.
    bottom_portals: [u32; 2],
    top_portals: [u32; 2],
}

impl RawCells {
    /// Cells are in the order of the trapezoids, which must be that of [`Inner::key`].
    pub fn new(plan: &Plan, inner: &[Inner]) -> Self {
        let mut cell_of_inner = vec![NO_CELL; inner.len()];
        let mut shapes: Vec<Shape> = Vec::with_capacity(inner.len());
        for (trapezoid, cell) in inner.iter().zip(&mut cell_of_inner) {
            if let Some(shape) = shape(plan, trapezoid) {
                *cell = shapes.len() as u32;
                shapes.push(shape);
            }
        }
        let portals = portals(plan, &mut shapes);
        // Four corners per cell, and usually two more per portal.
        let sides = 4 * shapes.len() + 2 * portals.len();
        let mut map = CellMap {
            corners: Vec::with_capacity(sides),
            sides: Vec::with_capacity(sides),
            starts: Vec::with_capacity(shapes.len() + 1),
            components: shapes.iter().map(|shape| shape.area).collect(),
            portals,
            touching: Some(plan.touching()),
            ..CellMap::default()
        };
        map.starts.push(0);
        let mut walls = Vec::with_capacity(sides);
        for shape in &shapes {
            add_sides(shape, &mut map, &mut walls);
            map.starts.push(map.corners.len() as u32);
        }
        Self {
            map,
            walls,
            cell_of_inner,
        }
    }
}

/// `None` without area.
fn shape(plan: &Plan, trapezoid: &Inner) -> Option<Shape> {
    let left = plan.segments.get(trapezoid.left as usize)?;
    let ends = [trapezoid.left, trapezoid.right].map(|s| plan.ends.get(s as usize));
    let [left_ends, right_ends] = [*ends[0]?, *ends[1]?];
    let bottom = plan.vertices.get(trapezoid.bottom as usize)?.y;
    let top = plan.vertices.get(trapezoid.top as usize)?.y;
    if bottom == top {
        return None;
    }
    let border = |y, vertex: u32| {
        let from = x_at(left_ends, y);
        Border {
            y,
            row: plan.row_of[vertex as usize],
            from,
            // Segments do not cross, but points on them are rounded.
            to: x_at(right_ends, y).max(from),
        }
    };
    let bottom = border(bottom, trapezoid.bottom);
    let top = border(top, trapezoid.top);
    (bottom.from < bottom.to || top.from < top.to).then_some(Shape {
        left: trapezoid.left,
        right: trapezoid.right,
        area: left.area,
        bottom,
        top,
        bottom_portals: [0; 2],
        top_portals: [0; 2],
    })
}

/// The x of a non-horizontal segment at a height; exact at its ends and deterministic. Unit:
/// metres.
fn x_at([low, high]: [Node; 2], y: i32) -> f64 {
    let (from, to) = (low.point().x, high.point().x);
    if y == low.y || low.y == high.y {
        return from;
    }
    if y == high.y {
        return to;
    }
    let difference = |a: i32, b: i32| (i64::from(a) - i64::from(b)) as f64;
    let x = from + (to - from) * (difference(y, low.y) / difference(high.y, low.y));
    x.clamp(from.min(to), from.max(to))
}

/// Converts a height from lattice units.
fn height(y: i32) -> f64 {
    Node { x: 0, y }.point().y
}

/// There is a portal where a cell's top and another's bottom are on one line and overlap. No wall
/// can be between: a wall has free space on one side only.
fn portals(plan: &Plan, shapes: &mut [Shape]) -> Vec<Portal> {
    // Tops of the cells below the line, bottoms of those above it.
    let below = sorted(plan, shapes, |shape| &shape.top);
    let above = sorted(plan, shapes, |shape| &shape.bottom);
    let mut portals = Vec::with_capacity(below.len());
    let (mut i, mut j) = (0, 0);
    let mut last = f64::NEG_INFINITY;
    while let (Some(&a), Some(&b)) = (below.get(i), above.get(j)) {
        let (low, high) = (shapes[a as usize].top, shapes[b as usize].bottom);
        if low.y != high.y {
            if low.y < high.y {
                i += 1;
            } else {
                j += 1;
            }
            last = f64::NEG_INFINITY;
            continue;
        }
        let (from, to) = (low.from.max(high.from).max(last), low.to.min(high.to));
        let y = height(low.y);
        if from < to && shapes[a as usize].area == shapes[b as usize].area {
            let id = portals.len() as u32;
            portals.push(Portal {
                ends: [DVec2::new(from, y), DVec2::new(to, y)],
                cells: [CellId(a), CellId(b)],
            });
            last = to;
            for range in [
                &mut shapes[a as usize].top_portals,
                &mut shapes[b as usize].bottom_portals,
            ] {
                if range[1] == 0 {
                    range[0] = id;
                }
                range[1] = id + 1;
            }
        }
        let (low_ends, high_ends) = (low.to <= high.to, high.to <= low.to);
        i += usize::from(low_ends);
        j += usize::from(high_ends);
        let goes_on = |cell: Option<&u32>, border: fn(&Shape) -> &Border| {
            cell.is_some_and(|cell| border(&shapes[*cell as usize]).y == low.y)
        };
        if !goes_on(below.get(i), |shape| &shape.top)
            || !goes_on(above.get(j), |shape| &shape.bottom)
        {
            last = f64::NEG_INFINITY;
        }
    }
    portals
}

/// Cells whose border has a length, by height, then from left to right: sorted into rows first, of
/// which there are about as many as borders.
fn sorted(plan: &Plan, shapes: &[Shape], border: fn(&Shape) -> &Border) -> Vec<u32> {
    let border = |cell: &u32| border(&shapes[*cell as usize]);
    let cells = (0..shapes.len() as u32).filter(|cell| border(cell).from < border(cell).to);
    let mut sorted = bucketed(plan.rows as usize, cells, |cell| border(cell).row);
    for row in sorted.chunk_by_mut(|a, b| border(a).row == border(b).row) {
        row.sort_unstable_by(|a, b| {
            let by_place = border(a).from.total_cmp(&border(b).from);
            by_place.then(a.cmp(b))
        });
    }
    sorted
}

fn add_sides(shape: &Shape, map: &mut CellMap, walls: &mut Vec<u32>) {
    let mut add = |map: &mut CellMap, from: DVec2, to: DVec2, portal, wall| {
        if from != to {
            map.corners.push(from);
            map.sides.push(portal);
            walls.push(wall);
        }
    };
    let at = |x, y| DVec2::new(x, height(y));
    let (bottom, top) = (shape.bottom, shape.top);
    let mut x = bottom.from;
    for id in shape.bottom_portals[0]..shape.bottom_portals[1] {
        let [left, right] = map.portals[id as usize].ends;
        add(map, at(x, bottom.y), left, None, NONE);
        add(map, left, right, Some(PortalId(id)), NONE);
        x = right.x;
    }
    add(map, at(x, bottom.y), at(bottom.to, bottom.y), None, NONE);
    add(
        map,
        at(bottom.to, bottom.y),
        at(top.to, top.y),
        None,
        shape.right,
    );
    x = top.to;
    for id in (shape.top_portals[0]..shape.top_portals[1]).rev() {
        let [left, right] = map.portals[id as usize].ends;
        add(map, at(x, top.y), right, None, NONE);
        add(map, right, left, Some(PortalId(id)), NONE);
        x = left.x;
    }
    add(map, at(x, top.y), at(top.from, top.y), None, NONE);
    add(
        map,
        at(top.from, top.y),
        at(bottom.from, bottom.y),
        None,
        shape.left,
    );
}

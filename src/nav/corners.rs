//! Where shortest paths can turn: the corners of walls that protrude into free space.

use super::blocks::Blocks;
use super::cell_map::{CellId, CellMap, root};
use crate::geometry::predicates::{self, side};
use glam::DVec2;
use std::ops::Range;
use std::sync::Arc;

/// A side of a cell, from the corner where it begins to the next one, as a search passes it.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// The corner where it begins.
    pub corner: DVec2,
    /// Which place that is.
    pub vertex: u32,
    /// The same side as the neighbour passes it; none for a wall.
    across: u32,
    pub cell: CellId,
    /// The part of the map that its portal belongs to.
    pub block: u32,
}

const WALL: u32 = u32::MAX;

impl Side {
    #[inline]
    #[must_use]
    pub const fn across(&self) -> Option<u32> {
        if self.across == WALL {
            None
        } else {
            Some(self.across)
        }
    }
}

/// The sides of all cells, one after the other, and whether a path can turn where they begin.
#[derive(Clone, Debug, Default)]
pub struct Corners {
    /// Cell `i` has the sides `starts[i]..starts[i + 1]`, as in the map.
    starts: Vec<u32>,
    sides: Vec<Side>,
    turns: Vec<bool>,
    blocks: Arc<Blocks>,
}

impl Corners {
    #[must_use]
    pub fn of(map: &CellMap, blocks: &Arc<Blocks>) -> Self {
        let mut starts = vec![0_u32];
        for cell in map.cells() {
            let count = map.corners(cell).len() as u32;
            starts.push(starts[cell.index()] + count);
        }
        let (vertex, count) = vertices(map, &starts);
        let turns = turning(map, &starts, &vertex, count);
        Self {
            sides: sides(map, &vertex, blocks),
            starts,
            turns,
            blocks: Arc::clone(blocks),
        }
    }

    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.turns.len()
    }

    #[must_use]
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// The numbers of a cell's sides.
    #[inline]
    #[must_use]
    pub fn range(&self, cell: CellId) -> Range<u32> {
        self.starts[cell.index()]..self.starts[cell.index() + 1]
    }

    #[inline]
    #[must_use]
    pub fn side(&self, number: u32) -> &Side {
        &self.sides[number as usize]
    }

    /// Where a side begins and ends.
    #[must_use]
    pub fn ends(&self, number: u32) -> [DVec2; 2] {
        let side = self.side(number);
        let range = self.range(side.cell);
        let next = if number + 1 < range.end {
            number + 1
        } else {
            range.start
        };
        [side.corner, self.side(next).corner]
    }

    /// Counter-clockwise.
    #[inline]
    #[must_use]
    pub fn around(&self, cell: CellId) -> &[Side] {
        let range = self.range(cell);
        &self.sides[range.start as usize..range.end as usize]
    }

    #[inline]
    #[must_use]
    pub fn is_turn(&self, vertex: u32) -> bool {
        self.turns[vertex as usize]
    }
}

fn sides(map: &CellMap, vertex: &[u32], blocks: &Blocks) -> Vec<Side> {
    // For each portal, the side that passes it first.
    let mut first = vec![WALL; map.portals().len()];
    let mut sides: Vec<Side> = Vec::with_capacity(vertex.len());
    for cell in map.cells() {
        for (corner, portal) in map.corners(cell).iter().zip(map.sides(cell)) {
            let number = sides.len() as u32;
            let mut across = WALL;
            if let Some(portal) = portal {
                across = std::mem::replace(&mut first[portal.index()], number);
                if let Some(twin) = sides.get_mut(across as usize) {
                    twin.across = number;
                }
            }
            sides.push(Side {
                corner: *corner,
                vertex: vertex[number as usize],
                across,
                cell,
                block: portal.map_or(WALL, |portal| blocks.of_portal(portal.index())),
            });
        }
    }
    sides
}

/// The vertex of each corner, and their number. Corners of two cells are one vertex if a portal
/// between the cells ends there: where free space touches itself, it has a vertex on each side.
fn vertices(map: &CellMap, starts: &[u32]) -> (Vec<u32>, usize) {
    const NONE: u32 = u32::MAX;
    let corners = starts.last().map_or(0, |count| *count as usize);
    let mut parents: Vec<u32> = (0..corners as u32).collect();
    // For each portal, the corners of the first of its cells that is come to.
    let mut known = vec![[NONE; 2]; map.portals().len()];
    for cell in map.cells() {
        let first = starts[cell.index()];
        let count = map.corners(cell).len() as u32;
        for (side, portal) in (0..count).zip(map.sides(cell)) {
            let Some(portal) = portal else {
                continue;
            };
            let ends = [first + side, first + (side + 1) % count];
            let other = &mut known[portal.index()];
            if *other == [NONE; 2] {
                *other = ends;
                continue;
            }
            // The other cell passes the portal the other way.
            for (a, b) in [(ends[0], other[1]), (ends[1], other[0])] {
                let (a, b) = (root(&mut parents, a), root(&mut parents, b));
                parents[a.max(b) as usize] = a.min(b);
            }
        }
    }
    let mut numbers = vec![NONE; corners];
    let mut count = 0;
    let vertex = (0..corners as u32).map(|corner| {
        let number = &mut numbers[root(&mut parents, corner) as usize];
        if *number == NONE {
            *number = count;
            count += 1;
        }
        *number
    });
    (vertex.collect(), count as usize)
}

/// The walls that meet at a vertex.
#[derive(Clone, Copy, Default)]
struct Walls {
    from: Option<DVec2>,
    at: DVec2,
    to: Option<DVec2>,
}

fn turning(map: &CellMap, starts: &[u32], vertex: &[u32], count: usize) -> Vec<bool> {
    let mut walls = vec![Walls::default(); count];
    for cell in (0..map.len() as u32).map(CellId) {
        let corners = map.corners(cell);
        let first = starts[cell.0 as usize] as usize;
        for (i, portal) in map.sides(cell).iter().enumerate() {
            if portal.is_some() {
                continue;
            }
            let j = (i + 1) % corners.len();
            let from = &mut walls[vertex[first + i] as usize];
            from.at = corners[i];
            from.to = Some(corners[j]);
            let to = &mut walls[vertex[first + j] as usize];
            to.at = corners[j];
            to.from = Some(corners[i]);
        }
    }
    walls
        .iter()
        .map(|wall| match (wall.from, wall.to) {
            // Exact: where a rounded portal end stands out of its wall by a hair, paths along the
            // wall do turn there, or they would not get past.
            (Some(from), Some(to)) => {
                side(from, wall.at, to) == predicates::Side::Right || from == to
            }
            (None, None) => false,
            _ => true,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two squares on each other's corner, with a portal in each.
    #[test]
    fn a_place_where_free_space_touches_itself_is_a_vertex_on_each_side() {
        let square = |x: f64, y: f64| {
            let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
            corners.map(|c| DVec2::from(c) + DVec2::new(x, y)).to_vec()
        };
        let map = CellMap::from_polygons(&[square(0.0, 0.0), square(1.0, 0.0), square(2.0, 1.0)]);
        let corners = Corners::of(&map, &Arc::new(Blocks::of(&map)));
        let at = |cell: u32, corner: usize| corners.around(CellId(cell))[corner].vertex;
        assert_eq!(at(0, 1), at(1, 0), "both ends of the portal");
        assert_eq!(at(0, 2), at(1, 3));
        assert_ne!(at(1, 2), at(2, 0), "one place, and no portal");
        assert_eq!(corners.vertex_count(), 10);
    }
}

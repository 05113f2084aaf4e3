//! Where shortest paths can turn: the corners of walls that protrude into free space.

use super::cell_map::{CellId, CellMap};
use crate::geometry::predicates::{Side, side};
use glam::DVec2;

/// For each corner of each cell, which place it is and whether a path can turn there.
#[derive(Clone, Debug, Default)]
pub struct Corners {
    /// Cell `i` has the entries `starts[i]..starts[i + 1]`, as in the map.
    starts: Vec<u32>,
    vertex: Vec<u32>,
    turns: Vec<bool>,
}

impl Corners {
    #[must_use]
    pub fn of(map: &CellMap) -> Self {
        let mut starts = vec![0_u32];
        let mut places: Vec<([u64; 2], u32)> = Vec::new();
        for cell in (0..map.len() as u32).map(CellId) {
            for p in map.corners(cell) {
                let key = [p.x + 0.0, p.y + 0.0].map(f64::to_bits);
                places.push((key, places.len() as u32));
            }
            starts.push(places.len() as u32);
        }
        places.sort_unstable();
        let mut vertex = vec![0; places.len()];
        let mut count = 0;
        for group in places.chunk_by(|a, b| a.0 == b.0) {
            for (_, corner) in group {
                vertex[*corner as usize] = count;
            }
            count += 1;
        }
        let turns = turning(map, &starts, &vertex, count as usize);
        Self {
            starts,
            vertex,
            turns,
        }
    }

    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.turns.len()
    }

    /// The places of a cell's corners.
    #[must_use]
    pub fn around(&self, cell: CellId) -> &[u32] {
        let cell = cell.0 as usize;
        &self.vertex[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    #[must_use]
    pub fn is_turn(&self, vertex: u32) -> bool {
        self.turns[vertex as usize]
    }
}

/// Walls that meet at a vertex; more than one pair meets where free space touches itself.
#[derive(Clone, Copy, Default)]
struct Walls {
    from: Option<DVec2>,
    at: DVec2,
    to: Option<DVec2>,
    is_pinch: bool,
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
            from.is_pinch |= from.to.replace(corners[j]).is_some();
            let to = &mut walls[vertex[first + j] as usize];
            to.at = corners[j];
            to.is_pinch |= to.from.replace(corners[i]).is_some();
        }
    }
    walls
        .iter()
        .map(|wall| match (wall.from, wall.to) {
            // Exact: where a rounded portal end stands out of its wall by a hair, paths along the
            // wall do turn there, or they would not get past.
            (Some(from), Some(to)) => {
                wall.is_pinch || side(from, wall.at, to) == Side::Right || from == to
            }
            (None, None) => false,
            _ => true,
        })
        .collect()
}

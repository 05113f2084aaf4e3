//! Which cells a place belongs to: several, where it lies on a portal or a corner.

use crate::geometry::predicates::on_segment;
use crate::nav::{CellId, CellMap};
use glam::DVec2;

/// Corners at which free space meets itself in a single point. No portal leads from one side to
/// the other there, so a place exactly on it must be looked up. Rare, hence a sorted list.
#[derive(Clone, Debug, Default)]
pub struct Pinches {
    corners: Vec<([u64; 2], Vec<CellId>)>,
}

fn key(p: DVec2) -> [u64; 2] {
    // −0 and 0 are one place.
    [(p.x + 0.0).to_bits(), (p.y + 0.0).to_bits()]
}

impl Pinches {
    #[must_use]
    pub fn of(map: &CellMap) -> Self {
        let cells = || (0..map.len() as u32).map(CellId);
        let mut all: Vec<([u64; 2], CellId)> = cells()
            .flat_map(|cell| map.corners(cell).iter().map(move |p| (key(*p), cell)))
            .collect();
        all.sort_unstable();
        all.dedup();
        let mut reached = Vec::new();
        let corners = all
            .chunk_by(|a, b| a.0 == b.0)
            .filter_map(|group| {
                let [x, y] = group[0].0.map(f64::from_bits);
                reached.clear();
                reached.push(group[0].1);
                spread(map, DVec2::new(x, y), &mut reached, 0);
                (reached.len() < group.len())
                    .then(|| (group[0].0, group.iter().map(|(_, cell)| *cell).collect()))
            })
            .collect();
        Self { corners }
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    /// Every cell that contains `p`, borders included; none outside free space.
    pub fn cells_at(&self, map: &CellMap, p: DVec2, found: &mut Vec<CellId>) {
        found.clear();
        let Some(first) = map.locate(p) else {
            return;
        };
        found.push(first);
        spread(map, p, found, 0);
        if self.corners.is_empty() {
            return;
        }
        if let Ok(at) = self.corners.binary_search_by_key(&key(p), |(key, _)| *key) {
            for &cell in &self.corners[at].1 {
                if !found.contains(&cell) {
                    found.push(cell);
                }
            }
        }
    }
}

/// Whether start and goal have cells in one component. Where the cells known so far have not, all
/// are looked through before the answer is no: a place on a wall may touch more than one
/// component.
pub fn connect(
    map: &CellMap,
    start: DVec2,
    goal: DVec2,
    start_cells: &mut Vec<CellId>,
    goal_cells: &mut Vec<CellId>,
) -> bool {
    let is_connected = |a: &[CellId], b: &[CellId]| {
        a.iter().any(|a| {
            let component = map.component(*a);
            b.iter().any(|b| map.component(*b) == component)
        })
    };
    if is_connected(start_cells, goal_cells) {
        return true;
    }
    for (p, cells) in [(start, &mut *start_cells), (goal, &mut *goal_cells)] {
        for cell in map.cells() {
            if map.covers(cell, p) && !cells.contains(&cell) {
                cells.push(cell);
            }
        }
    }
    is_connected(start_cells, goal_cells)
}

/// Adds cells behind portals on which `p` lies, from `found[from..]` onwards.
fn spread(map: &CellMap, p: DVec2, found: &mut Vec<CellId>, from: usize) {
    let mut next = from;
    while let Some(&cell) = found.get(next) {
        next += 1;
        for &portal in map.sides(cell).iter().flatten() {
            let portal = map.portal(portal);
            if on_segment(portal.ends[0], portal.ends[1], p) {
                for other in portal.cells {
                    if !found.contains(&other) {
                        found.push(other);
                    }
                }
            }
        }
    }
}

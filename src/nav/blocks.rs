//! Which parts of the cells a shortest path can lead through: not into dead ends.
//!
//! Cells are convex, so a shortest path enters none of them twice. Whatever hangs on the rest by a
//! single cell is left by that cell again, so no path enters it that does not end there. The cells,
//! joined by portals, divide into *blocks* without such a cell inside (biconnected components,
//! Hopcroft and Tarjan 1973), and blocks and the cells between them are a tree: only the blocks on
//! the way from start to goal in that tree matter. In a maze that is the solution itself.

use super::cell_map::{CellId, CellMap};

const NONE: u32 = u32::MAX;

/// The blocks of a map.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    of_portal: Vec<u32>,
    /// For each cell, the block towards the root of its tree.
    above: Vec<u32>,
    /// For each block, the cell by which it hangs on the block above.
    head: Vec<u32>,
    /// For each block, the number of blocks above it.
    depth: Vec<u32>,
}

/// A cell that the search has entered and not left.
struct Visit {
    cell: u32,
    /// The portal by which it was entered.
    by: u32,
    /// The next of its sides to look at.
    side: u32,
}

impl Blocks {
    #[must_use]
    pub fn of(map: &CellMap) -> Self {
        let mut blocks = Self {
            of_portal: vec![NONE; map.portals().len()],
            above: vec![NONE; map.len()],
            ..Self::default()
        };
        // When a cell was entered, and the earliest cell that can be reached from below it.
        let mut entered = vec![NONE; map.len()];
        let mut earliest = vec![NONE; map.len()];
        let mut clock = 0;
        let mut visits: Vec<Visit> = Vec::new();
        let mut portals: Vec<u32> = Vec::new();
        for root in map.cells() {
            if entered[root.index()] != NONE {
                continue;
            }
            let mut enter = Some((root.0, NONE));
            loop {
                if let Some((cell, by)) = enter.take() {
                    entered[cell as usize] = clock;
                    earliest[cell as usize] = clock;
                    clock += 1;
                    visits.push(Visit { cell, by, side: 0 });
                }
                let Some(visit) = visits.last_mut() else {
                    break;
                };
                let (cell, by) = (visit.cell, visit.by);
                let Some(&side) = map.sides(CellId(cell)).get(visit.side as usize) else {
                    visits.pop();
                    if let Some(parent) = visits.last() {
                        let low = earliest[cell as usize];
                        let up = &mut earliest[parent.cell as usize];
                        *up = low.min(*up);
                        if low >= entered[parent.cell as usize] {
                            blocks.close(map, &mut portals, by, parent.cell, &entered);
                        }
                    }
                    continue;
                };
                visit.side += 1;
                let Some(portal) = side.filter(|portal| portal.0 != by) else {
                    continue;
                };
                let other = map.portal(portal).beyond(CellId(cell)).0;
                if entered[other as usize] == NONE {
                    portals.push(portal.0);
                    enter = Some((other, portal.0));
                } else if entered[other as usize] < entered[cell as usize] {
                    portals.push(portal.0);
                    let low = &mut earliest[cell as usize];
                    *low = entered[other as usize].min(*low);
                }
            }
        }
        blocks.count_depths();
        blocks
    }

    /// Makes a block of the portals found since `first`, below `head`.
    fn close(
        &mut self,
        map: &CellMap,
        portals: &mut Vec<u32>,
        first: u32,
        head: u32,
        entered: &[u32],
    ) {
        let block = self.head.len() as u32;
        self.head.push(head);
        while let Some(portal) = portals.pop() {
            self.of_portal[portal as usize] = block;
            // Of both cells the one that was entered later is below the head.
            let cells = map.portals()[portal as usize].cells.map(|cell| cell.0);
            for cell in cells {
                if cell != head && entered[cell as usize] > entered[head as usize] {
                    self.above[cell as usize] = block;
                }
            }
            if portal == first {
                break;
            }
        }
    }

    /// Blocks are closed after those below them, so a head's block comes later.
    fn count_depths(&mut self) {
        self.depth = vec![0; self.head.len()];
        for block in (0..self.head.len()).rev() {
            let up = self.above[self.head[block] as usize];
            if let Some(&depth) = self.depth.get(up as usize) {
                self.depth[block] = depth + 1;
            }
        }
    }

    #[must_use]
    pub fn count(&self) -> usize {
        self.head.len()
    }

    /// The block of a portal, by its index.
    #[inline]
    #[must_use]
    pub fn of_portal(&self, portal: usize) -> u32 {
        self.of_portal[portal]
    }

    /// Calls `mark` with every block that a shortest path from one cell to another can lead
    /// through.
    pub fn between(&self, from: CellId, to: CellId, mut mark: impl FnMut(u32)) {
        let [mut a, mut b] = [from, to].map(CellId::index);
        while a != b {
            let [above_a, above_b] = [a, b].map(|cell| self.above[cell]);
            if above_a == above_b {
                // The same block, or two trees.
                if above_a != NONE {
                    mark(above_a);
                }
                return;
            }
            // The deeper one goes up; a root is above all.
            let depth = |block: u32| self.depth.get(block as usize).map_or(0, |depth| depth + 1);
            let (up_a, up_b) = (depth(above_a), depth(above_b));
            if up_a >= up_b {
                mark(above_a);
                a = self.head[above_a as usize] as usize;
            }
            if up_b >= up_a {
                mark(above_b);
                b = self.head[above_b as usize] as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec2;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Unit squares of a small grid, as many as bits are set.
    fn squares(bits: u32, width: u32) -> CellMap {
        let corners = [(0, 0), (1, 0), (1, 1), (0, 1)];
        let polygons: Vec<Vec<DVec2>> = (0..width * width)
            .filter(|i| bits >> i & 1 == 1)
            .map(|i| {
                let at = |(x, y)| DVec2::new(f64::from(i % width + x), f64::from(i / width + y));
                corners.map(at).to_vec()
            })
            .collect();
        CellMap::from_polygons(&polygons)
    }

    /// Portals on any path from cell to cell that enters no cell twice.
    fn on_simple_paths(map: &CellMap, from: CellId, to: CellId) -> BTreeSet<u32> {
        fn extend(
            map: &CellMap,
            to: CellId,
            cells: &mut Vec<CellId>,
            portals: &mut Vec<u32>,
            found: &mut BTreeSet<u32>,
        ) {
            let Some(&at) = cells.last() else { return };
            if at == to {
                found.extend(&*portals);
                return;
            }
            for &portal in map.sides(at).iter().flatten() {
                let next = map.portal(portal).beyond(at);
                if !cells.contains(&next) {
                    cells.push(next);
                    portals.push(portal.0);
                    extend(map, to, cells, portals, found);
                    cells.pop();
                    portals.pop();
                }
            }
        }
        let mut found = BTreeSet::new();
        extend(map, to, &mut vec![from], &mut Vec::new(), &mut found);
        found
    }

    proptest! {
        #[test]
        fn the_blocks_between_two_cells_are_what_paths_without_repetition_use(
            bits in 0_u32..1 << 16, from in 0_usize..16, to in 0_usize..16,
        ) {
            let map = squares(bits, 4);
            prop_assume!(!map.is_empty());
            let [from, to] = [from, to].map(|i| CellId((i % map.len()) as u32));
            let blocks = Blocks::of(&map);
            let mut marked = BTreeSet::new();
            blocks.between(from, to, |block| { marked.insert(block); });
            let portals: BTreeSet<u32> = (0..map.portals().len())
                .filter(|portal| marked.contains(&blocks.of_portal(*portal)))
                .map(|portal| portal as u32)
                .collect();
            if map.component(from) == map.component(to) {
                prop_assert_eq!(portals, on_simple_paths(&map, from, to));
            }
        }
    }
}

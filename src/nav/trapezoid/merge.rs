//! Hertel and Mehlhorn's merging: drops a portal if both its ends stay convex without it.

use super::{Merging, cells::RawCells, construction::NONE};
use crate::geometry::predicates::{Side, side};
use crate::nav::cell_map::{CellId, CellMap, NO_CELL, Portal, PortalId, root};
use glam::DVec2;

/// The sides of all cells as closed chains that can be joined.
struct Chains<'a> {
    raw: &'a RawCells,
    next: Vec<u32>,
    previous: Vec<u32>,
    /// Dropped portals, and wall pieces merged into their predecessor.
    is_gone: Vec<bool>,
    merging: Merging,
}

/// The merged map, and the new cell of each old one; `None` if nothing can be merged.
pub(super) fn merged(raw: &RawCells, merging: Merging) -> Option<(CellMap, Vec<u32>)> {
    let mut chains = Chains::new(raw, merging);
    let sides = sides_of_portals(&raw.map);
    let mut parents: Vec<u32> = (0..raw.map.len() as u32).collect();
    let mut is_open = vec![true; raw.map.portals.len()];
    // Angles only grow when cells are merged: most portals end at a corner of an obstacle and must
    // stay, regardless of the others. A tolerance in metres is another matter.
    let may_go = |id: &u32| merging.concavity > 0.0 || chains.may_join(sides[*id as usize]);
    let order = order(&raw.map.portals, may_go);
    if order.is_empty() {
        return None;
    }
    for id in order {
        let [a, b] = raw.map.portals[id as usize]
            .cells
            .map(|cell| root(&mut parents, cell.0));
        if a != b && chains.join(sides[id as usize]) {
            parents[a.max(b) as usize] = a.min(b);
            is_open[id as usize] = false;
        }
    }
    Some(chains.collect(&mut parents, &is_open))
}

/// Long portals first: dropping them leaves rounder cells than dropping short ones.
fn order(portals: &[Portal], may_go: impl Fn(&u32) -> bool) -> Vec<u32> {
    let width = |id: u32| {
        let [left, right] = portals[id as usize].ends;
        right.x - left.x
    };
    let mut order: Vec<(f64, u32)> = (0..portals.len() as u32)
        .filter(may_go)
        .map(|id| (width(id), id))
        .collect();
    order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    order.into_iter().map(|(_, id)| id).collect()
}

/// For each portal, its side in the first cell and in the second.
fn sides_of_portals(map: &CellMap) -> Vec<[u32; 2]> {
    let mut sides = vec![[NONE; 2]; map.portals.len()];
    for cell in map.cells() {
        let first = map.starts[cell.index()];
        for (side, portal) in (first..).zip(map.sides(cell)) {
            if let Some(portal) = portal {
                let is_second = map.portal(*portal).cells[1] == cell;
                sides[portal.index()][usize::from(is_second)] = side;
            }
        }
    }
    sides
}

impl<'a> Chains<'a> {
    fn new(raw: &'a RawCells, merging: Merging) -> Self {
        let count = raw.map.corners.len() as u32;
        let mut next: Vec<u32> = (1..=count).collect();
        let mut previous: Vec<u32> = (0..count).map(|side| side.wrapping_sub(1)).collect();
        for ends in raw.map.starts.windows(2) {
            if ends[0] < ends[1] {
                next[ends[1] as usize - 1] = ends[0];
                previous[ends[0] as usize] = ends[1] - 1;
            }
        }
        Self {
            raw,
            next,
            previous,
            is_gone: vec![false; count as usize],
            merging,
        }
    }

    fn next(&self, side: u32) -> u32 {
        self.next[side as usize]
    }

    fn previous(&self, side: u32) -> u32 {
        self.previous[side as usize]
    }

    fn start(&self, side: u32) -> DVec2 {
        self.raw.map.corners[side as usize]
    }

    fn link(&mut self, side: u32, next: u32) {
        self.next[side as usize] = next;
        self.previous[next as usize] = side;
    }

    /// Around each end of a portal with these sides: the incoming side, the outgoing side, and
    /// whether both are pieces of one wall.
    fn around(&self, [one, other]: [u32; 2]) -> [(u32, u32, bool); 2] {
        [
            (self.previous(one), self.next(other)),
            (self.previous(other), self.next(one)),
        ]
        .map(|(comes, leaves)| {
            let wall = self.raw.walls[comes as usize];
            let is_inside_wall = wall != NONE && wall == self.raw.walls[leaves as usize];
            (comes, leaves, is_inside_wall)
        })
    }

    /// Whether both ends would be convex without the portal, checked before changing anything.
    fn may_join(&self, sides: [u32; 2]) -> bool {
        !sides.contains(&NONE)
            && self
                .around(sides)
                .into_iter()
                .all(|(comes, leaves, is_inside_wall)| {
                    let [from, at, to] =
                        [comes, leaves, self.next(leaves)].map(|side| self.start(side));
                    is_inside_wall || self.is_convex_at(from, at, to)
                })
    }

    /// Removes the two sides of a portal if the resulting cell is convex.
    fn join(&mut self, sides: [u32; 2]) -> bool {
        if !self.may_join(sides) {
            return false;
        }
        let [one, other] = sides;
        let around = self.around(sides);
        let ends = around.map(|(comes, leaves, _)| [comes, leaves]);
        let is_inside_wall = around.map(|(.., is_inside_wall)| is_inside_wall);
        for ([comes, leaves], is_inside_wall) in ends.into_iter().zip(is_inside_wall) {
            // In the middle of a wall: a corner that existed only for the portal is dropped.
            let next = if is_inside_wall {
                self.next(leaves)
            } else {
                leaves
            };
            self.link(comes, next);
        }
        let is_convex = ends
            .iter()
            .zip(is_inside_wall)
            .all(|(&[comes, _], is_inside_wall)| {
                self.is_convex(self.next(comes))
                    && (!is_inside_wall || self.is_convex(comes))
                    && self.next(self.next(comes)) != comes
            });
        let [[a, b], [c, d]] = ends;
        if is_convex {
            self.is_gone[one as usize] = true;
            self.is_gone[other as usize] = true;
            self.is_gone[b as usize] = is_inside_wall[0];
            self.is_gone[d as usize] = is_inside_wall[1];
        } else {
            // The links of removed sides are still valid.
            self.link(b, self.next(b));
            self.link(d, self.next(d));
            self.link(a, one);
            self.link(one, d);
            self.link(c, other);
            self.link(other, b);
        }
        is_convex
    }

    /// At the corner where a side starts.
    fn is_convex(&self, side_id: u32) -> bool {
        let from = self.start(self.previous(side_id));
        let to = self.start(self.next(side_id));
        self.is_convex_at(from, self.start(side_id), to)
    }

    fn is_convex_at(&self, from: DVec2, at: DVec2, to: DVec2) -> bool {
        if side(from, at, to) != Side::Right {
            return true;
        }
        let along = to - from;
        let depth = along.perp_dot(at - from).abs() / along.length();
        self.merging.concavity > 0.0 && depth <= self.merging.concavity
    }

    fn collect(&self, parents: &mut [u32], is_open: &[bool]) -> (CellMap, Vec<u32>) {
        let old = &self.raw.map;
        let mut map = CellMap {
            corners: Vec::with_capacity(old.corners.len()),
            sides: Vec::with_capacity(old.sides.len()),
            starts: vec![0],
            touching: old.touching.clone(),
            ..CellMap::default()
        };
        let mut portal_of = vec![None; is_open.len()];
        for (id, portal) in old.portals.iter().enumerate() {
            if is_open[id] {
                portal_of[id] = Some(PortalId(map.portals.len() as u32));
                map.portals.push(*portal);
            }
        }
        let mut number_of = vec![NO_CELL; old.len()];
        for cell in old.cells() {
            let first_member = root(parents, cell.0);
            let mut sides = old.starts[cell.index()]..old.starts[cell.index() + 1];
            let first = sides.find(|side| !self.is_gone[*side as usize]);
            let (NO_CELL, Some(first)) = (number_of[first_member as usize], first) else {
                continue;
            };
            number_of[first_member as usize] = map.components.len() as u32;
            map.components.push(old.components[first_member as usize]);
            let mut at = first;
            loop {
                let portal = old.sides[at as usize].and_then(|id| portal_of[id.index()]);
                map.corners.push(self.start(at));
                map.sides.push(portal);
                at = self.next(at);
                if at == first {
                    break;
                }
            }
            map.starts.push(map.corners.len() as u32);
        }
        let cell_of: Vec<u32> = (0..old.len() as u32)
            .map(|cell| number_of[root(parents, cell) as usize])
            .collect();
        for portal in &mut map.portals {
            portal.cells = portal.cells.map(|cell| CellId(cell_of[cell.index()]));
        }
        (map, cell_of)
    }
}

//! The graph that the search runs on: a node for each portal, or for each piece of one.

use super::blocks::Blocks;
use super::cell_map::{CellId, CellMap, PortalId};
use glam::DVec2;
use std::sync::Arc;

/// Where a node may stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Seen from `cells[0]` looking into `cells[1]`, the first end is on the left.
    pub ends: [DVec2; 2],
    pub cells: [CellId; 2],
    /// The portal it is, or is a piece of.
    pub portal: PortalId,
    /// The part of the map that it belongs to.
    pub block: u32,
}

/// Nodes and, for each cell, the nodes on its border: each is a neighbour of all others there.
#[derive(Clone, Debug, Default)]
pub struct PortalGraph {
    pub nodes: Vec<Node>,
    pub blocks: Arc<Blocks>,
    by_cell: Vec<u32>,
    starts: Vec<u32>,
}

/// More pieces than this are not made of one portal, whatever width is asked for.
const MAX_PIECES: f64 = 1000.0;

impl PortalGraph {
    /// One node for each portal; with `max_width`, wider portals are cut into equal pieces.
    #[must_use]
    pub fn new(map: &CellMap, blocks: &Arc<Blocks>, max_width: Option<f64>) -> Self {
        let mut graph = Self {
            blocks: Arc::clone(blocks),
            ..Self::default()
        };
        for (index, portal) in map.portals().iter().enumerate() {
            let [left, right] = portal.ends;
            let pieces = max_width
                .map_or(1.0, |width| (left.distance(right) / width).ceil())
                .clamp(1.0, MAX_PIECES) as usize;
            let cut = |i: usize| match i {
                0 => left,
                i if i == pieces => right,
                i => left.lerp(right, i as f64 / pieces as f64),
            };
            graph.nodes.extend((0..pieces).map(|i| Node {
                ends: [cut(i), cut(i + 1)],
                cells: portal.cells,
                portal: PortalId(index as u32),
                block: blocks.of_portal(index),
            }));
        }
        let mut counts = vec![0_u32; map.len() + 1];
        let cells_of = |node: &Node| node.cells.map(|cell| cell.0 as usize);
        for cell in graph.nodes.iter().flat_map(cells_of) {
            counts[cell + 1] += 1;
        }
        for i in 1..counts.len() {
            counts[i] += counts[i - 1];
        }
        graph.starts = counts.clone();
        graph.by_cell = vec![0; graph.nodes.len() * 2];
        for (index, node) in graph.nodes.iter().enumerate() {
            for cell in cells_of(node) {
                graph.by_cell[counts[cell] as usize] = index as u32;
                counts[cell] += 1;
            }
        }
        graph
    }

    /// The nodes on a cell's border.
    #[inline]
    #[must_use]
    pub fn around(&self, cell: CellId) -> &[u32] {
        let cell = cell.0 as usize;
        &self.by_cell[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

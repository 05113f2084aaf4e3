//! Convex cells and the portals between them: the graph that portal planners search.

use glam::DVec2;

/// Index of a cell. Valid only for its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u32);

/// Index of a portal. Valid only for its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortalId(pub u32);

/// The piece of border that two cells share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portal {
    /// Seen from `cells[0]` looking into `cells[1]`, `ends[0]` is on the left.
    pub ends: [DVec2; 2],
    pub cells: [CellId; 2],
}

/// Flat tables: a query walks them without allocating.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellMap {
    /// Corners of all cells, cell by cell, counter-clockwise. Portal ends are corners, too, so a
    /// side of a cell is either wall or one whole portal.
    corners: Vec<DVec2>,
    /// For each side (from corner i to the next one), the portal on it.
    sides: Vec<Option<PortalId>>,
    /// Cell `i` has the corners `starts[i]..starts[i + 1]`.
    starts: Vec<u32>,
    /// Component of each cell: the index of its area in the free space.
    components: Vec<u32>,
    portals: Vec<Portal>,
}

//! Convex cells and the portals between them: the graph that portal planners search.

use super::{
    box_tree::BoxTree,
    terrain::{LazySightWalls, SightWalls},
    trapezoid::Query,
};
use crate::geometry::{
    Rect,
    polygon::signed_area,
    predicates::{Side, side},
};
use glam::DVec2;
use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

/// Index of a cell. Valid only for its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u32);

/// Index of a portal. Valid only for its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortalId(pub u32);

impl CellId {
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl PortalId {
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The piece of border that two cells share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portal {
    /// Seen from `cells[0]` looking into `cells[1]`, `ends[0]` is on the left.
    pub ends: [DVec2; 2],
    pub cells: [CellId; 2],
}

impl Portal {
    /// The cell on the other side.
    #[inline]
    #[must_use]
    pub fn beyond(&self, cell: CellId) -> CellId {
        self.cells[usize::from(self.cells[0] == cell)]
    }

    /// The ends as seen from `cell` looking through the portal: left, then right.
    #[inline]
    #[must_use]
    pub fn ends_from(&self, cell: CellId) -> [DVec2; 2] {
        let [left, right] = self.ends;
        if self.cells[0] == cell {
            [left, right]
        } else {
            [right, left]
        }
    }
}

/// Flat tables: a query walks them without allocating.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellMap {
    /// Corners of all cells, cell by cell, counter-clockwise. Portal ends are corners, too, so a
    /// side of a cell is either wall or one whole portal.
    pub(super) corners: Vec<DVec2>,
    /// For each side (from corner i to the next one), the portal on it.
    pub(super) sides: Vec<Option<PortalId>>,
    /// Cell `i` has the corners `starts[i]..starts[i + 1]`.
    pub(super) starts: Vec<u32>,
    /// Component of each cell: the index of its area in the free space.
    pub(super) components: Vec<u32>,
    pub(super) portals: Vec<Portal>,
    /// See [`Self::touching`].
    pub(super) touching: Option<Vec<DVec2>>,
    pub(super) locator: Locator,
    pub(super) sight_walls: LazySightWalls,
}

/// How the cell at a point is found.
#[derive(Clone, Debug)]
pub(super) enum Locator {
    /// Built on first use.
    Boxes(OnceLock<BoxTree>),
    /// Through the query structure of the trapezoids; the table maps them to cells.
    Trapezoids(Arc<Query>, Arc<[u32]>),
}

impl Default for Locator {
    fn default() -> Self {
        Self::Boxes(OnceLock::new())
    }
}

impl PartialEq for Locator {
    /// Boxes follow from the cells, whether they were built or not.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Boxes(_), Self::Boxes(_)) => true,
            (Self::Trapezoids(a, cells), Self::Trapezoids(b, others)) => a == b && cells == others,
            _ => false,
        }
    }
}

impl CellMap {
    /// Cell `i` is polygon `i`; polygons share a portal where they have two neighbouring corners
    /// in common. Polygons without area, or that are not finite, become cells without corners.
    /// They should be convex and not overlap: where they do, [`Self::locate`] returns one of them.
    #[must_use]
    pub fn from_polygons(polygons: &[Vec<DVec2>]) -> Self {
        let mut map = Self {
            starts: vec![0],
            ..Self::default()
        };
        let mut open: HashMap<[u64; 4], (CellId, usize)> = HashMap::new();
        for (index, polygon) in polygons.iter().enumerate() {
            let cell = CellId(index as u32);
            let area = signed_area(polygon);
            let first = map.corners.len();
            if polygon.iter().all(|p| p.is_finite()) && area.abs() > 0.0 {
                map.corners.extend(polygon);
                if area < 0.0 {
                    map.corners[first..].reverse();
                }
            }
            let count = map.corners.len() - first;
            map.sides.resize(map.corners.len(), None);
            map.starts.push(map.corners.len() as u32);
            for i in 0..count {
                let (a, b) = (map.corners[first + i], map.corners[first + (i + 1) % count]);
                if let Some((other, its_side)) = open.remove(&key(b, a)) {
                    let portal = PortalId(map.portals.len() as u32);
                    map.portals.push(Portal {
                        // Counter-clockwise, the side runs from right to left as seen when leaving
                        // the cell; `other` has it from b to a.
                        ends: [a, b],
                        cells: [other, cell],
                    });
                    map.sides[its_side] = Some(portal);
                    map.sides[first + i] = Some(portal);
                } else {
                    open.entry(key(a, b)).or_insert((cell, first + i));
                }
            }
        }
        map.components = connected(polygons.len(), &map.portals);
        map
    }

    /// Locates points through the trapezoids that the cells consist of.
    pub(super) fn located_by(mut self, query: Arc<Query>, cells: Arc<[u32]>) -> Self {
        self.locator = Locator::Trapezoids(query, cells);
        self
    }

    /// Number of cells.
    #[must_use]
    pub fn len(&self) -> usize {
        self.components.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.components.is_empty()
    }

    pub fn cells(&self) -> impl ExactSizeIterator<Item = CellId> + use<> {
        (0..self.len() as u32).map(CellId)
    }

    #[inline]
    fn range(&self, cell: CellId) -> std::ops::Range<usize> {
        self.starts[cell.index()] as usize..self.starts[cell.index() + 1] as usize
    }

    /// Counter-clockwise.
    ///
    /// # Panics
    /// The cell is of another, larger map; so for all access by id.
    #[inline]
    #[must_use]
    pub fn corners(&self, cell: CellId) -> &[DVec2] {
        &self.corners[self.range(cell)]
    }

    /// Side `i` goes from corner `i` to the next one: a portal, or a wall.
    #[inline]
    #[must_use]
    pub fn sides(&self, cell: CellId) -> &[Option<PortalId>] {
        &self.sides[self.range(cell)]
    }

    /// Sides of all cells are numbered one after the other.
    pub(super) fn side_number(&self, cell: CellId, side: usize) -> usize {
        self.range(cell).start + side
    }

    pub(super) const fn side_count(&self) -> usize {
        self.sides.len()
    }

    #[inline]
    #[must_use]
    pub fn portal(&self, id: PortalId) -> &Portal {
        &self.portals[id.index()]
    }

    #[must_use]
    pub fn portals(&self) -> &[Portal] {
        &self.portals
    }

    /// Index of the cell's area in the free space: cells of different components are not
    /// connected.
    #[inline]
    #[must_use]
    pub fn component(&self, cell: CellId) -> u32 {
        self.components[cell.index()]
    }

    /// Corners where free space may touch itself in a single point; `None` if they were not
    /// recorded, and every corner may be one.
    #[must_use]
    pub fn touching(&self) -> Option<&[DVec2]> {
        self.touching.as_deref()
    }

    /// For lines of sight; built on first use.
    #[must_use]
    pub fn sight_walls(&self) -> &SightWalls {
        self.sight_walls.of(self)
    }

    /// Whether cells and portals are equal, regardless of point location.
    #[must_use]
    pub fn has_same_cells(&self, other: &Self) -> bool {
        self.corners == other.corners
            && self.sides == other.sides
            && self.starts == other.starts
            && self.components == other.components
            && self.portals == other.portals
            && self.touching == other.touching
    }

    /// Around one cell.
    #[must_use]
    pub fn bounds(&self, cell: CellId) -> Rect {
        Rect::of_points(self.corners(cell))
    }

    /// Around all cells.
    #[must_use]
    pub fn extent(&self) -> Rect {
        Rect::of_points(&self.corners)
    }

    /// Unit: m².
    #[must_use]
    pub fn area(&self, cell: CellId) -> f64 {
        signed_area(self.corners(cell))
    }

    /// A cell that contains `p`, borders included; of several, a deterministic one.
    #[must_use]
    pub fn locate(&self, p: DVec2) -> Option<CellId> {
        match &self.locator {
            Locator::Boxes(tree) => tree
                .get_or_init(|| {
                    BoxTree::new(&self.extent(), self.cells().map(|cell| self.bounds(cell)))
                })
                .near_point(p)
                .map(CellId)
                .find(|cell| self.covers(*cell, p)),
            Locator::Trapezoids(query, cells) => query
                .find(p, |trapezoid| {
                    let cell = cells.get(trapezoid as usize).copied();
                    cell.filter(|&cell| cell != NO_CELL)
                })
                .map(CellId),
        }
    }

    /// Whether a convex cell contains the point, borders included; exact.
    #[must_use]
    pub fn covers(&self, cell: CellId, p: DVec2) -> bool {
        let corners = self.corners(cell);
        let mut from = match corners.last() {
            Some(&last) if p.is_finite() => last,
            _ => return false,
        };
        corners.iter().all(|&to| {
            let inside = side(from, to, p) != Side::Right;
            from = to;
            inside
        })
    }
}

/// Marks trapezoids outside the free space, or without area.
pub(super) const NO_CELL: u32 = u32::MAX;

/// Adding 0 turns −0 into 0.
fn key(a: DVec2, b: DVec2) -> [u64; 4] {
    [a.x, a.y, b.x, b.y].map(|v| (v + 0.0).to_bits())
}

/// Number of the connected component of each cell, in the order of their first cells.
pub(super) fn connected(cells: usize, portals: &[Portal]) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..cells as u32).collect();
    for portal in portals {
        let [a, b] = portal.cells.map(|cell| root(&mut parents, cell.0));
        let (low, high) = (a.min(b), a.max(b));
        parents[high as usize] = low;
    }
    // A root is the smallest member, so it is numbered before the others.
    let mut numbers = vec![0; cells];
    let mut next = 0;
    for cell in 0..cells as u32 {
        let root = root(&mut parents, cell);
        numbers[cell as usize] = if root == cell {
            next += 1;
            next - 1
        } else {
            numbers[root as usize]
        };
    }
    numbers
}

/// The representative of a set; halves the path to it for later calls.
pub(super) fn root(parents: &mut [u32], mut of: u32) -> u32 {
    while parents[of as usize] != of {
        let up = parents[parents[of as usize] as usize];
        parents[of as usize] = up;
        of = up;
    }
    of
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Polygon;

    fn square(x: f64, y: f64) -> Vec<DVec2> {
        Polygon::rect(Rect::new(DVec2::new(x, y), DVec2::new(x + 1.0, y + 1.0))).outer
    }

    #[test]
    fn squares_in_a_row_share_portals_seen_the_right_way() {
        let mut middle = square(1.0, 0.0);
        middle.reverse();
        let map = CellMap::from_polygons(&[square(0.0, 0.0), middle, square(9.0, 9.0), vec![]]);
        assert_eq!(map.len(), 4);
        assert_eq!(map.portals().len(), 1);
        let portal = map.portals()[0];
        assert_eq!(portal.cells, [CellId(0), CellId(1)]);
        // Looking east, north is on the left.
        assert_eq!(portal.ends, [DVec2::new(1.0, 1.0), DVec2::new(1.0, 0.0)]);
        assert_eq!(portal.beyond(CellId(1)), CellId(0));
        assert_eq!(portal.ends_from(CellId(1))[0], DVec2::new(1.0, 0.0));
        let cells = |x, y| map.locate(DVec2::new(x, y));
        assert_eq!(cells(0.5, 0.5), Some(CellId(0)));
        assert_eq!(cells(1.5, 0.5), Some(CellId(1)));
        assert_eq!(cells(9.0, 10.0), Some(CellId(2)));
        assert_eq!(cells(2.1, 0.5), None);
        assert_eq!(cells(f64::NAN, 0.5), None);
        let components: Vec<_> = map.cells().map(|cell| map.component(cell)).collect();
        assert_eq!(components, [0, 0, 1, 2]);
        for cell in [CellId(0), CellId(1)] {
            assert_eq!(map.sides(cell).iter().flatten().count(), 1);
            assert_eq!(map.area(cell), 1.0);
        }
    }

    #[test]
    fn many_cells_are_told_apart() {
        let polygons: Vec<_> = (0..400)
            .map(|i| square(f64::from(i % 20), f64::from(i / 20)))
            .collect();
        let map = CellMap::from_polygons(&polygons);
        assert_eq!(map.portals().len(), 2 * 19 * 20);
        for i in 0..400 {
            let p = DVec2::new(f64::from(i % 20) + 0.3, f64::from(i / 20) + 0.7);
            assert_eq!(map.locate(p), Some(CellId(i as u32)));
        }
        assert_eq!(map.locate(DVec2::new(20.5, 3.0)), None);
        assert_eq!(CellMap::default().locate(DVec2::ZERO), None);
    }
}

//! Where a search may end: one cell, several, or a whole region (§5.1).

use crate::geometry::Polygon;
use crate::nav::voxel::body::distance;
use crate::nav::voxel::{Conduct, Footing, SurfaceCells, SurfaceId};
use std::ops::RangeInclusive;

/// Up to this many goals the distance to each is computed; beyond that, to their bounding box.
const FEW: usize = 8;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Goals {
    /// Sorted, without duplicates.
    cells: Vec<SurfaceId>,
    few: Vec<[i32; 2]>,
    low: [i32; 2],
    high: [i32; 2],
}

impl Goals {
    #[must_use]
    pub fn new(surfaces: &SurfaceCells, cells: impl IntoIterator<Item = SurfaceId>) -> Self {
        let mut cells: Vec<SurfaceId> = cells
            .into_iter()
            .filter(|id| surfaces.get(*id).is_some())
            .collect();
        cells.sort_unstable();
        cells.dedup();
        let places: Vec<[i32; 2]> = cells
            .iter()
            .filter_map(|id| surfaces.get(*id))
            .map(|cell| [i32::from(cell.x), i32::from(cell.y)])
            .collect();
        let bound = |axis: usize, of: fn(i32, i32) -> i32| {
            places
                .iter()
                .map(|place| place[axis])
                .reduce(of)
                .unwrap_or(0)
        };
        Self {
            low: [bound(0, i32::min), bound(1, i32::min)],
            high: [bound(0, i32::max), bound(1, i32::max)],
            few: if places.len() <= FEW {
                places
            } else {
                Vec::new()
            },
            cells,
        }
    }

    /// Every standable cell of a region between two heights. Unit: metres.
    #[must_use]
    pub fn region(
        surfaces: &SurfaceCells,
        footing: &Footing,
        area: &Polygon,
        heights: RangeInclusive<f64>,
    ) -> Self {
        let bounds = area.bounds();
        let frame = &surfaces.frame;
        let column = |at: f64, origin: f64, count: u32| {
            ((at - origin) / frame.cell)
                .floor()
                .clamp(0.0, f64::from(count - 1)) as i32
        };
        let mut cells = Vec::new();
        let [width, height, _] = frame.size;
        for y in column(bounds.min.y, frame.origin.y, height)
            ..=column(bounds.max.y, frame.origin.y, height)
        {
            for x in column(bounds.min.x, frame.origin.x, width)
                ..=column(bounds.max.x, frame.origin.x, width)
            {
                for id in surfaces.column(x, y).map(SurfaceId) {
                    let at = surfaces.point(id);
                    if footing.is_standable(id)
                        && heights.contains(&at.z)
                        && area.contains(at.truncate())
                    {
                        cells.push(id);
                    }
                }
            }
        }
        Self::new(surfaces, cells)
    }

    #[must_use]
    pub fn cells(&self) -> &[SurfaceId] {
        &self.cells
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    #[must_use]
    pub fn contains(&self, id: SurfaceId) -> bool {
        match self.cells[..] {
            [only] => only == id,
            _ => self.cells.binary_search(&id).is_ok(),
        }
    }

    /// The column at their centre.
    #[must_use]
    pub fn middle(&self) -> [i32; 2] {
        [0, 1].map(|axis| i32::midpoint(self.low[axis], self.high[axis]))
    }

    /// Lower bound on the length of a path to any goal, in the metric of the search.
    #[must_use]
    pub fn distance(&self, conduct: &Conduct, x: u16, y: u16) -> u32 {
        let at = [i32::from(x), i32::from(y)];
        let to_each = self
            .few
            .iter()
            .map(|goal| distance(conduct, goal[0] - at[0], goal[1] - at[1]));
        to_each.min().unwrap_or_else(|| {
            let [dx, dy] = [0, 1].map(|axis| {
                (self.low[axis] - at[axis])
                    .max(at[axis] - self.high[axis])
                    .max(0)
            });
            distance(conduct, dx, dy)
        })
    }
}

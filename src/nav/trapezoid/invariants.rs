//! Invariants of cells, checked from the outside.

use super::Trapezoids;
use crate::geometry::{
    Polygon,
    predicates::{Side, side},
};
use crate::nav::cell_map::{CellId, CellMap};
use glam::DVec2;

/// Tolerance on sums of areas, as a fraction of the whole: points on slanted walls are rounded by
/// some 10⁻¹⁶ each.
const AREA_TOLERANCE: f64 = 1e-9;

impl Trapezoids {
    /// # Errors
    /// The first violation, for tests and bug reports.
    pub fn check_invariants(&self, areas: &[Polygon]) -> Result<(), String> {
        check(&self.plain, areas).map_err(|error| format!("before merging: {error}"))?;
        check(&self.merged, areas).map_err(|error| format!("after merging: {error}"))
    }
}

fn check(map: &CellMap, areas: &[Polygon]) -> Result<(), String> {
    let mut sums = vec![0.0; areas.len()];
    for cell in map.cells() {
        check_cell(map, cell)?;
        let component = map.component(cell) as usize;
        *sums.get_mut(component).ok_or("a cell of no area")? += map.area(cell);
    }
    for (index, (sum, area)) in sums.iter().zip(areas).enumerate() {
        let (whole, extent) = (area.area(), area.bounds().size());
        if (sum - whole).abs() > AREA_TOLERANCE * extent.x * extent.y {
            return Err(format!("cells of area {index} cover {sum} of {whole} m²"));
        }
    }
    for portal in map.portals() {
        let [a, b] = portal.cells;
        if a == b || map.component(a) != map.component(b) {
            return Err(format!("a portal from {a:?} to {b:?}"));
        }
    }
    Ok(())
}

fn check_cell(map: &CellMap, cell: CellId) -> Result<(), String> {
    let corners = map.corners(cell);
    let count = corners.len();
    if count < 3 || map.sides(cell).len() != count {
        return Err(format!("{cell:?} has {count} corners"));
    }
    let corner = |i: usize| corners[i % count];
    for (i, portal) in map.sides(cell).iter().enumerate() {
        let (from, to) = (corner(i), corner(i + 1));
        if from == to || side(from, to, corner(i + 2)) == Side::Right {
            return Err(format!("{cell:?} is not convex after {from}: {corners:?}"));
        }
        let Some(id) = portal else { continue };
        let portal = map.portal(*id);
        // Counter-clockwise, a side runs from right to left when leaving the cell.
        if !portal.cells.contains(&cell) || portal.ends_from(cell) != [to, from] {
            return Err(format!("{id:?} is not what {cell:?} takes it for"));
        }
        let beyond = portal.beyond(cell);
        let mirrored = map.sides(beyond).iter().filter(|s| *s == &Some(*id));
        if mirrored.count() != 1 {
            return Err(format!("{beyond:?} does not know {id:?}"));
        }
    }
    let middle = corners.iter().sum::<DVec2>() / count as f64;
    let strictly_inside = (0..count).all(|i| side(corner(i), corner(i + 1), middle) == Side::Left);
    if strictly_inside && map.locate(middle) != Some(cell) {
        return Err(format!(
            "{middle} lies in {cell:?} but is found in {:?}",
            map.locate(middle)
        ));
    }
    Ok(())
}

//! The cells of one radius as tables.

use super::NONE;
use super::blob::{Blob, Column};
use crate::geometry::Polygon;
use crate::nav::CellMap;
use glam::DVec2;

/// The graph of convex cells and the outlines that it fills, as tables.
pub(super) fn tables(map: &CellMap, areas: &[Polygon]) -> Blob {
    let (mut corners, mut sides, mut starts) = (Vec::new(), Vec::new(), vec![0_u32]);
    let mut components = Vec::new();
    for cell in map.cells() {
        corners.extend(map.corners(cell).iter().flat_map(DVec2::to_array));
        sides.extend(
            map.sides(cell)
                .iter()
                .map(|side| side.map_or(NONE, |portal| portal.0)),
        );
        starts.push(sides.len() as u32);
        components.push(map.component(cell));
    }
    let portals = map.portals();
    let (mut rings, mut ring_starts, mut area_starts) = (Vec::new(), vec![0_u32], vec![0_u32]);
    for area in areas {
        for ring in area.rings() {
            rings.extend(ring.iter().flat_map(DVec2::to_array));
            ring_starts.push((rings.len() / 2) as u32);
        }
        area_starts.push(ring_starts.len() as u32 - 1);
    }
    Blob {
        columns: vec![
            ("corners".to_owned(), Column::F64(corners)),
            ("sides".to_owned(), Column::U32(sides)),
            ("starts".to_owned(), Column::U32(starts)),
            ("components".to_owned(), Column::U32(components)),
            (
                "portal_ends".to_owned(),
                Column::F64(
                    portals
                        .iter()
                        .flat_map(|portal| portal.ends)
                        .flat_map(|p| p.to_array())
                        .collect(),
                ),
            ),
            (
                "portal_cells".to_owned(),
                Column::U32(
                    portals
                        .iter()
                        .flat_map(|portal| portal.cells)
                        .map(|cell| cell.0)
                        .collect(),
                ),
            ),
            ("ring_points".to_owned(), Column::F64(rings)),
            ("ring_starts".to_owned(), Column::U32(ring_starts)),
            ("area_starts".to_owned(), Column::U32(area_starts)),
        ],
    }
}

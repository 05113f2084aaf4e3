//! A body's free space divided by terrain, for programs that take one mesh for both.

use super::input::{Patch, TerrainInput};
use super::mesh::TerrainMesh;
use crate::geometry::{Polygon, Rect, boolean};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::NavData;
use glam::DVec2;
use std::sync::Arc;

/// How free space and terrain are triangulated together.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeTerrain {
    /// How many times finer the lattice is than that of free space.
    pub scale: f64,
    /// Whether what is painted divides triangles.
    pub by_terrain: bool,
    /// Blocked ground around the level. Unit: metres.
    pub rim: f64,
    /// Lines that no triangle crosses: x, then y. Unit: metres.
    pub cuts: [Vec<f64>; 2],
}

impl NavData {
    /// The body's free space with what is painted on it; everything else is blocked. The triangles
    /// are `scale` times as large as the level.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn free_terrain(
        &self,
        asked: &FreeTerrain,
        ctx: &JobContext,
    ) -> Result<TerrainMesh, Cancelled> {
        let drawing = self.shared().drawing();
        let bounds = self.bounds().expanded(asked.rim);
        let blocked = boolean::difference(&[Polygon::rect(bounds)], &self.free().areas);
        let enlarged = |area: Polygon| area.map(|p| p * asked.scale);
        let patches = drawing.patches.iter().filter(|_| asked.by_terrain);
        let input = TerrainInput {
            bounds: Rect::new(bounds.min * asked.scale, bounds.max * asked.scale),
            obstacles: blocked.into_iter().map(enlarged).map(Arc::new).collect(),
            patches: patches
                .map(|patch| Patch::new(enlarged(Polygon::clone(&patch.area)), patch.kind))
                .collect(),
            kinds: drawing.kinds.clone(),
        };
        TerrainMesh::build_cut(&input, &asked.lines(input.bounds), ctx)
    }
}

impl FreeTerrain {
    fn lines(&self, Rect { min, max }: Rect) -> Vec<[DVec2; 2]> {
        let [xs, ys] = &self.cuts;
        let upright = xs.iter().map(|x| x * self.scale);
        let level = ys.iter().map(|y| y * self.scale);
        upright
            .filter(|x| (min.x..max.x).contains(x))
            .map(|x| [DVec2::new(x, min.y), DVec2::new(x, max.y)])
            .chain(
                level
                    .filter(|y| (min.y..max.y).contains(y))
                    .map(|y| [DVec2::new(min.x, y), DVec2::new(max.x, y)]),
            )
            .collect()
    }
}

//! How space is cut into cells, as said on the command line.

use super::args;
use crate::document::{CellSize, Level, MeshLibrary};
use crate::nav::voxel::level::resolution_for;
use crate::nav::voxel::{Conduct, Resolution, Sampling, VoxelOptions};
use std::sync::Arc;

/// Sub-columns along a side where a threshold is given and nothing else is said.
const SAMPLES: u32 = 4;

/// With the meshes that the level's solids refer to.
pub(super) fn options(
    asked: &args::Voxels,
    level: &Level,
    library: &Arc<MeshLibrary>,
) -> VoxelOptions {
    let usual = match level.settings().cells {
        CellSize::Sides { cell, layer } => Resolution { cell, layer },
        _ => resolution_for(level.settings().bounds),
    };
    let is_given = asked.voxel.is_some() || asked.layer.is_some();
    let by = if asked.threshold > 0.0 && asked.samples < 2 {
        SAMPLES
    } else {
        asked.samples
    };
    let sides = is_given.then(|| CellSize::Sides {
        cell: asked.voxel.unwrap_or(usual.cell),
        layer: asked.layer.unwrap_or(usual.layer),
    });
    VoxelOptions {
        cells: asked.grid.map(CellSize::Count).or(sides),
        sampling: Sampling { by },
        conduct: Conduct {
            neighbours: asked.neighbours,
            border_layers: asked.border,
            threshold: asked.threshold,
            ..Conduct::default()
        },
        meshes: Arc::clone(library),
    }
}
